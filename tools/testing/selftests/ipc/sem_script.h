/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small language for sequences of semaphore calls and sleepers. Steps are
 * separated by semicolons:
 *
 *   N: SOP...              sleeper N (1-9) calls semop() and must fall asleep
 *   do SOP... [OUTCOME]    the test itself calls semop()
 *   set V@S [OUTCOME]      SETVAL of semaphore S to V
 *   setall V... [OUTCOME]  SETALL
 *   rm [OUTCOME]           IPC_RMID
 *   end N [OUTCOME]        sleeper N, already awake, exits (undo applies)
 *   kill N [OUTCOME]       sleeper N, still asleep, is killed
 *   val V...               all values
 *   ncnt C..., zcnt C...   GETNCNT and GETZCNT of all semaphores
 *   pid P...               sempids: a sleeper's number, "me", "none", or "-"
 *                          for any
 *
 * SOP is a value, @, a semaphore number and flags, n for IPC_NOWAIT and u for
 * SEM_UNDO, as in "-1@0nu". OUTCOME is "fails ERRNO", or "wakes" and the
 * numbers of the sleepers that the step completes, each with "=ERRNO" if it
 * ends in an error. After each step exactly the sleepers that were not named
 * must still be counted as asleep: nothing is waited for, as the waker
 * completes what it wakes.
 */
#ifndef SEM_SCRIPT_H
#define SEM_SCRIPT_H

/* Runs on a new set with @nsems semaphores of value 0; ends the test if it fails. */
void sem_script(int nsems, const char *text);

#endif /* SEM_SCRIPT_H */
