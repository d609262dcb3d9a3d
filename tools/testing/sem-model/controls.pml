/* SPDX-License-Identifier: GPL-2.0 */
/*
 * No model of anything: what the runner has to notice, planted one at a time.
 */

#if defined(BUG_PLANTED_DEPTH)
#define LAST	30000
#else
#define LAST	10
#endif

short steps;

active proctype counter()
{
	do
	:: steps < LAST -> steps++
	:: steps == LAST -> break
#ifdef BUG_PLANTED_UNREACHED
	:: steps > LAST -> steps = 0
#endif
	od;
#ifdef BUG_PLANTED_CIRCLE
	do
	:: steps = LAST - steps
	od;
#endif
#ifdef BUG_PLANTED_WAIT
	steps == 0;
#endif
	skip;
	d_step {
		if
#ifdef BUG_PLANTED_UNREACHED_IN_STEP
		:: steps == 0 -> steps = 1
#endif
		:: steps == LAST
		fi;
#ifdef BUG_PLANTED_ERROR
		assert(steps == 0)
#else
		assert(steps == LAST)
#endif
	}
}
