/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SEM_STATE_B, busy-pid.litmus: an owner writes another pid while the lock-free
 * way reads word and pid and exchanges the word.  If the exchange succeeds, the
 * recorded pid is the caller's.  The owner either leaves the caller's pid, which
 * must not be seen before its word is changed, or takes it away.
 */

#define NCPU	2
#define NVAR	2
#define THREADS	2

#define STATE	0
#define PID	1

/* The word: a value, BUSY, the version */
#define VALUE	1
#define BUSY	2
#define VERSION	4

#define MINE	1
#define OTHER	2

#include "weak.pml"

#ifdef BUG_NO_BARRIER_AFTER_BUSY
#define busy_barrier(me)	skip
#else
#define busy_barrier(me)	full_barrier(me)
#endif
#ifdef BUG_STATE_NOT_RELEASED
#define store_state(me, value)	store(me, STATE, value)
#else
#define store_state(me, value)	store_release(me, STATE, value)
#endif
#ifdef BUG_STATE_NOT_ACQUIRED
#define load_state(me, to)	load(me, STATE, to)
#else
#define load_state(me, to)	load_acquire(me, STATE, to)
#endif
#ifdef BUG_PID_NOT_VERSIONED
#define NEXT_VERSION	0
#else
#define NEXT_VERSION	VERSION
#endif

byte after;		/* the pid that the owner leaves */
#define BEFORE	(MINE + OTHER - after)

/* The owner's last store has reached memory */
bit spec_stored;
#define RELEASED	(spec_stored && !(cpu[0].buffered & BIT(STATE)))

/* Its value comes back to what it was */
proctype owner()
{
#ifndef BUG_NOT_BUSY
	atomic_or(0, STATE, BUSY);	/* sem_set_busy(), sem_claim() */
#endif
	busy_barrier(0);
	store(0, PID, after);		/* sem_set_pid() */
	atomic {
		store_state(0, NEXT_VERSION);	/* sem_release() */
		spec_stored = 1
	};
	full_barrier(0);
	finished++
}

proctype lockless()
{
	load_state(1, r0[1]);		/* sem_try_lockless() */
	load(1, PID, r1[1]);
	if
	:: !(r0[1] & BUSY) && r1[1] == MINE ->
		atomic {
			compare_and_exchange(1, STATE, r0[1], r0[1] | VALUE, r2[1]);
			assert(!r2[1] || (RELEASED -> after : BEFORE) == MINE)
		}
	:: else
	fi;
	finished++
}

proctype hardware()
{
	do
	:: write_back(0, STATE)
	:: write_back(0, PID)
	:: read_ahead(1, STATE)
	:: read_ahead(1, PID)
	:: finished == THREADS -> break
	od
}

init {
	atomic {
		if
		:: after = MINE
		:: after = OTHER
		fi;
		memory[PID] = BEFORE;
		power_on();
		run owner();
		run lockless()
	};
	finished == THREADS
}
