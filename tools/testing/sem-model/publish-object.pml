/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UTIL_A and UTIL_B, publish-object.litmus: an object is initialised, entered by
 * its index, and then called valid.  Who meets it by index finds it initialised;
 * who meets it valid by key finds it by index too.
 */

#define NCPU	3
#define NVAR	3
#define THREADS	3

#define OBJECT	0
#define SLOT	1
#define VALID	2	/* perm->deleted, the other way round */

#include "weak.pml"

#ifdef BUG_SLOT_NOT_RELEASED
#define store_slot(me)		store(me, SLOT, 1)
#else
#define store_slot(me)		store_release(me, SLOT, 1)
#endif
#ifdef BUG_VALID_NOT_RELEASED
#define store_valid(me)		store(me, VALID, 1)
#else
#define store_valid(me)		store_release(me, VALID, 1)
#endif
#ifdef BUG_VALID_NOT_ACQUIRED
#define load_valid(me, to)	load(me, VALID, to)
#else
#define load_valid(me, to)	load_acquire(me, VALID, to)
#endif
/* The address of the object comes out of the slot: a dependency, which orders
 * loads like an acquire as far as the object is concerned */
#ifdef BUG_NO_DEPENDENCY
#define load_slot(me, to)	load(me, SLOT, to)
#else
#define load_slot(me, to)	load_acquire(me, SLOT, to)
#endif

/* ipc_publish_locked() */
proctype creator()
{
	store(0, OBJECT, 1);
	store_slot(0);			/* idr_replace() */
	store_valid(0);
	full_barrier(0);
	finished++
}

proctype finds_by_key()
{
	load_valid(1, r0[1]);		/* ipc_find_key() */
	load_slot(1, r1[1]);		/* ipc_obtain_object_idr() */
	load(1, OBJECT, r2[1]);
	assert(!(r0[1] && !r1[1]));
	assert(!(r1[1] && !r2[1]));
	finished++
}

proctype finds_by_id()
{
	load_slot(2, r0[2]);
	load(2, OBJECT, r1[2]);
	assert(!(r0[2] && !r1[2]));
	finished++
}

proctype hardware()
{
	do
	:: write_back(0, OBJECT)
	:: write_back(0, SLOT)
	:: write_back(0, VALID)
	:: read_ahead(1, VALID)
	:: read_ahead(1, SLOT)
	:: read_ahead(1, OBJECT)
	:: read_ahead(2, SLOT)
	:: read_ahead(2, OBJECT)
	:: finished == THREADS -> break
	od
}

init {
	atomic { power_on(); run creator(); run finds_by_key(); run finds_by_id() };
	finished == THREADS
}
