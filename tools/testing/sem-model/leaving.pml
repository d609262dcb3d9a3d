/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Leaving: each sleeper may be one with a time limit or a signal, and leaves
 * when it likes, while others complete it, or are completed with it.  Some are
 * woken once for nothing.
 */

#define NSEM	2
#define NTASK	3
#define NSOP	2
#define LEAVE
#define STRAY
#define CLOCK_STANDS

#include "task.pml"

#ifdef LARGE
#define KINDS	16
#else
#ifndef KINDS
#define KINDS	8
#endif
#endif

/* Every other kind is a leaver */
inline choose_task(n)
{
	next_kind(KINDS);
	if
	:: kind == 0 -> op[n].sop[0] = SOP(0, 1)
	:: kind == 1 || kind == 2 -> op[n].sop[0] = SOP(0, -1)
	:: kind == 3 || kind == 4 -> op[n].sop[0] = SOP(1, -1)
	:: kind == 5 || kind == 6 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1)
	:: kind == 7 || kind == 8 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, 1)
#ifdef LARGE
	:: kind == 9 || kind == 10 -> op[n].sop[0] = SOP(0, 0)
	:: kind == 11 || kind == 12 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, -1)
	:: kind == 13 || kind == 14 -> op[n].sop[0] = SOP(0, -2)
	:: kind == 15 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 1)
#endif
	fi;
	op[n].may_leave = kind && kind % 2 == 0;
	op[n].stray = kind == 3 || kind == 5;
	op[n].tgid = 2
}

/* All are alike: their kinds ascend */
inline choose()
{
	start_value(0, 0);
	start_value(1, 0);
	choose_task(0);
	choose_task(1);
	choose_task(2)
}

#define check_more()	skip

#include "start.pml"
