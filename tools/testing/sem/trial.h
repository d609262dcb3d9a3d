/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs programs of many seeds in a child process, and finds a small one if one
 * fails, by mismatch, crash or hang.
 */
#ifndef SEM_TRIAL_H
#define SEM_TRIAL_H

#include "program.h"

/* The test's: does the implementation get this program right? */
bool trial_run(const struct program *p, struct tally *tally);

/* Says what is wrong, once a program */
void trial_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

int trial_main(int argc, char **argv, const struct taste *taste);

#endif
