/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SEM_WAKE, sleep-wake.litmus: the sleeper writes its state and then looks at
 * its result, the waker writes the result and then looks at the state.
 *
 * In use there may be a second waker, who had put the sleeper on its list
 * before, and to whom wake_q_add_safe() leaves the waking.
 */

#define NCPU	3
#define NVAR	3
#define THREADS	3

#define STATE	0	/* 1: asleep */
#define RESULT	1
#define LISTED	2	/* the sleeper is on the list of a waker */

#include "weak.pml"

#ifdef BUG_STATE_WITHOUT_BARRIER
#define state_barrier(me)	skip
#else
#define state_barrier(me)	full_barrier(me)
#endif
#ifdef BUG_WAKE_WITHOUT_BARRIER
#define wake_barrier(me)	skip
#else
#define wake_barrier(me)	full_barrier(me)
#endif
#ifdef BUG_LIST_WITHOUT_BARRIER
#define list_barrier(me)	skip
#else
#define list_barrier(me)	full_barrier(me)
#endif

bit spec_woken;

/* sem_sleep() */
proctype sleeper()
{
	store(0, STATE, 1);		/* set_current_state() */
	state_barrier(0);
	load_acquire(0, RESULT, r0[0]);
	full_barrier(0);
	finished++
}

/* try_to_wake_up(): who finds the sleeper asleep wakes it */
inline try_to_wake_up(me)
{
	wake_barrier(me);
	load(me, STATE, r0[me]);
	if
	:: r0[me] -> spec_woken = 1
	:: else
	fi
}

/* sem_publish() and wake_up_q() */
proctype waker()
{
	store_release(1, RESULT, 1);
	list_barrier(1);
	load(1, LISTED, r1[1]);		/* wake_q_add_safe() */
	if
	:: r1[1] == 0 -> try_to_wake_up(1)
	:: else
	fi;
	full_barrier(1);
	finished++
}

/* wake_up_q() of somebody else, for a reason of his own */
proctype other_waker()
{
	if
	:: memory[LISTED] ->
		store(2, LISTED, 0);
		try_to_wake_up(2)
	:: else
	fi;
	full_barrier(2);
	finished++
}

proctype hardware()
{
	do
	:: write_back(0, STATE)
	:: write_back(1, RESULT)
	:: write_back(2, LISTED)
	:: read_ahead(0, RESULT)
	:: read_ahead(1, LISTED)
	:: read_ahead(1, STATE)
	:: read_ahead(2, STATE)
	:: finished == THREADS -> break
	od
}

init {
	atomic {
		if
		:: memory[LISTED] = 1
		:: skip
		fi;
		power_on();
		run sleeper();
		run waker();
		run other_waker()
	};
	finished == THREADS;
	/* It saw the result, or somebody saw it asleep */
	assert(r0[0] == 1 || spec_woken)
}
