/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The four ways and claims: two semaphores, three tasks of which two belong to
 * the same process, any operations of the list below.
 */

#define NSEM	2
#define NTASK	3
#define NSOP	2

#include "task.pml"

#ifdef LARGE
#define KINDS	12
#else
#ifndef KINDS
#define KINDS	6
#endif
#endif

inline operation_of_kind(n)
{
	if
	:: kind == 0 -> op[n].sop[0] = SOP(0, 1)
	:: kind == 1 -> op[n].sop[0] = SOP(0, -1)
	:: kind == 2 -> op[n].sop[0] = SOP(0, 0)
	:: kind == 3 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1)
	:: kind == 4 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, -1)
	:: kind == 5 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 1)
#ifdef LARGE
	:: kind == 6 -> op[n].sop[0] = SOP(1, -1)
	:: kind == 7 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, 1)
	:: kind == 8 -> op[n].sop[0] = SOP(0, -2)
	:: kind == 9 -> op[n].sop[0] = SOP(0, 0); op[n].sop[1] = SOP(1, 0)
	:: kind == 10 -> op[n].sop[0] = SOP(0, 0); op[n].sop[1] = SOP(1, -1)
	:: kind == 11 -> op[n].sop[0] = SOP(1, 1)
#endif
	fi
}

inline choose()
{
	if
	:: start_value(0, 0)
	:: start_value(0, 1)
	fi;
	if
	:: start_value(1, 0)
#ifdef LARGE
	:: start_value(1, 1)
#endif
	fi;
	next_kind(KINDS);
	operation_of_kind(0);
	op[0].tgid = 1;
	/* Not less than the first, since both are alike */
	next_kind(KINDS);
	operation_of_kind(1);
	op[1].tgid = 1;
	kind = 0;
	next_kind(KINDS);
	operation_of_kind(2);
	op[2].tgid = 2
}

#define check_more()	skip

#include "start.pml"
