/* SPDX-License-Identifier: GPL-2.0 */
/*
 * IPC_RMID against each way of two other tasks, asleep and leaving too, and
 * against another IPC_RMID.  Whoever uses the set after the grace period fails
 * an assertion; so does whoever takes effect after the sleepers were ended.
 */

#define NSEM	2
#define NTASK	3
#define NSOP	2
#define LEAVE
#define REMOVE
#define CONTROL
#define CLOCK_STANDS
#define LONE_SLEEPER
#define NOBODY_IS_LEFT

#define SPEC_VALUES	(VALUE(0) == sem[0].spec && VALUE(1) == sem[1].spec)

#include "task.pml"

#ifdef LARGE
#define KINDS	14
#else
#define KINDS	10
#endif

/* Every other of the first ones is a leaver */
inline choose_task(n)
{
	next_kind(KINDS);
	if
	:: kind == 0 -> op[n].role = REMOVAL
	:: kind == 1 || kind == 2 -> op[n].sop[0] = SOP(0, -1)
	:: kind == 3 || kind == 4 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1)
	:: kind == 5 -> op[n].sop[0] = SOP(0, 1)
	:: kind == 6 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 1)
	:: kind == 7 -> op[n].sop[0] = SOP(0, 2); op[n].role = SET_VALUES
	:: kind == 8 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, -1)
	:: kind == 9 -> op[n].role = READ_ALL
#ifdef LARGE
	:: kind == 10 || kind == 11 -> op[n].sop[0] = SOP(1, -1)
	:: kind == 12 -> op[n].sop[0] = SOP(0, 2); op[n].sop[1] = SOP(1, 1); op[n].role = SET_VALUES
	:: kind == 13 -> op[n].sop[0] = SOP(0, 0)
#endif
	fi;
	op[n].may_leave = kind == 2 || kind == 4 || kind == 11;
	op[n].tgid = (kind <= 4 -> 2 : 1)
}

inline choose()
{
	start_value(0, 0);
	start_value(1, 0);
	op[0].role = REMOVAL;
	op[0].tgid = 2;
	choose_task(1);
	choose_task(2)
}

inline check_more()
{
	assert(!readers && !object_lock);
	assert(removed && withdrawn && dead && !grace && references == 0)
}

#include "start.pml"
