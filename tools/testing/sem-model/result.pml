/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SEM_RESULT, result.litmus: who completes a sleeper has finished with its
 * operation, which lies on the sleeper's stack, when the sleeper sees the
 * result.  The sleeper then uses its stack for something else.
 */

#define NCPU	2
#define NVAR	2
#define THREADS	2

#define OPERATION	0
#define RESULT		1

#include "weak.pml"

#ifdef BUG_RESULT_NOT_RELEASED
#define store_result(me, value)	store(me, RESULT, value)
#else
#define store_result(me, value)	store_release(me, RESULT, value)
#endif
#ifdef BUG_RESULT_NOT_ACQUIRED
#define load_result(me, to)	load(me, RESULT, to)
#else
#define load_result(me, to)	load_acquire(me, RESULT, to)
#endif

proctype publisher()
{
	store(0, OPERATION, 1);		/* the last use */
	store_result(0, 1);		/* sem_publish() */
	full_barrier(0);
	finished++
}

proctype sleeper()
{
	load_result(1, r0[1]);		/* sem_sleep(), sem_cancel() */
	load(1, OPERATION, r1[1]);
	assert(!(r0[1] == 1 && r1[1] == 0));
	if
	:: r0[1] == 1 -> store(1, OPERATION, 2)
	:: else
	fi;
	full_barrier(1);
	finished++
}

proctype hardware()
{
	do
	:: write_back(0, OPERATION)
	:: write_back(0, RESULT)
	:: write_back(1, OPERATION)
	:: read_ahead(1, OPERATION)
	:: read_ahead(1, RESULT)
	:: finished == THREADS -> break
	od
}

init {
	atomic { power_on(); run publisher(); run sleeper() };
	finished == THREADS;
	assert(memory[OPERATION] == (r0[1] -> 2 : 1))
}
