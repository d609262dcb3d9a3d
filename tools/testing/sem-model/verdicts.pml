/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What becomes of an operation, at once and when it is looked at again: waits
 * for zero, IPC_NOWAIT, a time limit of zero, values and adjustments that leave
 * their limits, the sop that blocks at present.
 */

#define NSEM	2
#define NTASK	3
#define NSOP	2
#define VERDICT
#define UNDO
#define CLOCK_STANDS

#define MAX_VALUE	1
#define MAX_ADJUST	1

#include "task.pml"

#ifdef LARGE
#define KINDS	16
#else
#ifndef KINDS
#define KINDS	12
#endif
#endif

inline choose_task(n)
{
	next_kind(KINDS);
	if
	:: kind == 0 -> op[n].sop[0] = SOP(0, 1)
	:: kind == 1 -> op[n].sop[0] = SOP(0, 0)
	:: kind == 2 -> op[n].sop[0] = SOP(0, 0); op[n].sop[1] = SOP(0, 1)
	:: kind == 3 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1) | IPC_NOWAIT
	:: kind == 4 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, 1)
	:: kind == 5 -> op[n].sop[0] = SOP(0, -1) | SEM_UNDO
	:: kind == 6 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1)
	:: kind == 7 -> op[n].sop[0] = SOP(0, 1) | SEM_UNDO; op[n].sop[1] = SOP(0, -1)
	:: kind == 8 -> op[n].sop[0] = SOP(1, -1)
	:: kind == 9 -> op[n].sop[0] = SOP(0, 1) | SEM_UNDO; op[n].sop[1] = SOP(1, -1)
	:: kind == 10 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1); op[n].no_wait = 1
	:: kind == 11 -> op[n].sop[0] = SOP(0, -1) | IPC_NOWAIT
#ifdef LARGE
	:: kind == 12 -> op[n].sop[0] = SOP(1, 1)
	:: kind == 13 -> op[n].sop[0] = SOP(0, 0); op[n].sop[1] = SOP(1, 0)
	:: kind == 14 -> op[n].sop[0] = SOP(0, 0); op[n].sop[1] = SOP(1, -1)
	:: kind == 15 -> op[n].sop[0] = SOP(1, -1) | IPC_NOWAIT; op[n].sop[1] = SOP(0, -1) | SEM_UNDO
#endif
	fi;
	op[n].tgid = (kind == 8 -> 2 : 1)
}

inline choose()
{
	if
	:: start_value(0, 0); start_value(1, 0)
#ifdef LARGE
	:: start_value(0, 0); start_value(1, 1)
#endif
	:: start_value(0, 1); start_value(1, 0)
	fi;
	choose_task(0);
	choose_task(1);
	choose_task(2)
}

/* Each sleeper is counted once, where it blocks now */
inline check_more()
{
	best = 0;
	do
	:: best < NTASK ->
		if
		:: op[best].place == QUEUES ->
			try(best);
			assert(op[best].blocking == now_blocks && !op[best].no_wait);
			count(best, -1)
		:: else
		fi;
		best++
	:: else -> break
	od;
	assert(!sem[0].ncnt && !sem[0].zcnt && !sem[1].ncnt && !sem[1].zcnt);
	assert(undo[0].adjust[0] == undo[0].spec[0] && undo[0].adjust[1] == undo[0].spec[1]);
	assert(!undo[1].adjust[0] && !undo[1].adjust[1])
}

#include "start.pml"
