/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SEM_STATE_A, state-release.litmus: an owner changes what belongs to a
 * semaphore and publishes the state word last.  And in use: an operation on two
 * semaphores; who has read the new value of one by GETVAL does not read the old
 * value of the other afterwards, since that is BUSY until it is new.
 */

#define NCPU	3
#define NVAR	3
#define THREADS	3

#define STATE_0		0
#define STATE_1		1
#define ADJUSTMENT	2

#define BUSY	1
#define NEW	2

#include "weak.pml"

#ifdef BUG_STATE_NOT_RELEASED
#define store_state(me, var)	store(me, var, NEW)
#else
#define store_state(me, var)	store_release(me, var, NEW)
#endif
#ifdef BUG_STATE_NOT_ACQUIRED
#define load_state(me, var, to)	load(me, var, to)
#else
#define load_state(me, var, to)	load_acquire(me, var, to)
#endif

proctype owner()
{
#ifndef BUG_SECOND_NOT_BUSY
	atomic_or(0, STATE_1, BUSY);
#endif
	atomic_or(0, STATE_0, BUSY);	/* sem_set_busy() */
	full_barrier(0);
	store(0, ADJUSTMENT, 1);
	store_state(0, STATE_0);	/* sem_release() */
	store_state(0, STATE_1);
	full_barrier(0);
	finished++
}

proctype lockless()
{
	load_state(1, STATE_0, r0[1]);	/* sem_try_lockless(), sem_read() */
	load(1, ADJUSTMENT, r1[1]);
	assert(!(r0[1] == NEW && r1[1] == 0));
	finished++
}

/* GETVAL of one and then of the other; what is BUSY is read under its lock */
proctype reader()
{
	load_state(2, STATE_0, r0[2]);
	load_state(2, STATE_1, r1[2]);
	assert(!(r0[2] == NEW && r1[2] == 0));
	finished++
}

proctype hardware()
{
	do
	:: write_back(0, ADJUSTMENT)
	:: write_back(0, STATE_0)
	:: write_back(0, STATE_1)
	:: read_ahead(1, STATE_0)
	:: read_ahead(1, ADJUSTMENT)
	:: read_ahead(2, STATE_0)
	:: read_ahead(2, STATE_1)
	:: finished == THREADS -> break
	od
}

init {
	atomic { power_on(); run owner(); run lockless(); run reader() };
	finished == THREADS;
	assert(memory[STATE_0] == NEW && memory[STATE_1] == NEW)
}
