/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SEM_FIRST, first-undo.litmus: an undo structure is complete before it becomes
 * the one that its group looks at first.  Two sets of a group, each under a claim
 * lock of its own, may want that place at once, and a set that is removed takes
 * its structure out again, and no other.
 */

#define NCPU	3
#define NVAR	3
#define THREADS	3

#define FIRST		0	/* the structure of set 1 or of set 2 */
#define STRUCTURE_1	1	/* 1: complete */
#define STRUCTURE_2	2

#include "weak.pml"

#ifdef BUG_FIRST_NOT_RELEASED
inline set_first(me, from, to, done)
{
	d_step {
		done = memory[FIRST] == from;
		memory[FIRST] = (done -> to : memory[FIRST])
	}
}
#else
#define set_first(me, from, to, done)	compare_and_exchange(me, FIRST, from, to, done)
#endif
#ifdef BUG_FIRST_NOT_ACQUIRED
#define load_first(me, to)	load(me, FIRST, to)
#else
#define load_first(me, to)	load_acquire(me, FIRST, to)
#endif

/* Set 1: sem_undo_link(), and sem_undo_unlink() when it is removed */
proctype removed_set()
{
	store(0, STRUCTURE_1, 1);
	set_first(0, 0, 1, r0[0]);
#ifndef BUG_FIRST_NOT_CLEARED
	compare_and_exchange(0, FIRST, 1, 0, r1[0]);
#endif
	full_barrier(0);
	finished++
}

proctype other_set()
{
	store(1, STRUCTURE_2, 1);
	set_first(1, 0, 2, r0[1]);
	full_barrier(1);
	finished++
}

/* sem_undo_find() */
proctype finder()
{
	load_first(2, r0[2]);
	if
	:: r0[2] == 1 -> load(2, STRUCTURE_1, r1[2]); assert(r1[2])
	:: r0[2] == 2 -> load(2, STRUCTURE_2, r1[2]); assert(r1[2])
	:: else
	fi;
	finished++
}

proctype hardware()
{
	do
	:: write_back(0, STRUCTURE_1)
	:: write_back(1, STRUCTURE_2)
	:: read_ahead(2, FIRST)
	:: read_ahead(2, STRUCTURE_1)
	:: read_ahead(2, STRUCTURE_2)
	:: finished == THREADS -> break
	od
}

init {
	atomic { power_on(); run removed_set(); run other_set(); run finder() };
	finished == THREADS;
	/* Nothing leads to what will be freed; who came first had the place */
	assert(memory[FIRST] == (r0[1] -> 2 : 0))
}
