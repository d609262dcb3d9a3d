/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of an undo group gives back what is owed, as one operation, beside
 * SETVAL, SETALL, IPC_RMID, operations of another group, and sleepers.
 */

#define NSEM	2
#define NTASK	3
#define NSOP	2
#define UNDO
#define EXIT
#define CONTROL
#define REMOVE
#define CLOCK_STANDS

#define MAX_VALUE	2
#define SPEC_VALUES	(VALUE(0) == sem[0].spec && VALUE(1) == sem[1].spec)

#include "task.pml"

#ifdef LARGE
#define KINDS	11
#else
#define KINDS	8
#endif

inline choose_task(n)
{
	next_kind(KINDS);
	op[n].tgid = 2;
	if
	:: kind == 0 -> op[n].role = REMOVAL
	:: kind == 1 -> op[n].role = SET_VALUES; op[n].sop[0] = SOP(0, 0)
	:: kind == 2 -> op[n].role = SET_VALUES; op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 0)
	:: kind == 3 -> op[n].sop[0] = SOP(0, -1)
	:: kind == 4 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1)
	:: kind == 5 -> op[n].sop[0] = SOP(0, -1) | SEM_UNDO
	:: kind == 6 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 1) | SEM_UNDO
	:: kind == 7 -> op[n].role = READ_ALL
#ifdef LARGE
	:: kind == 8 -> op[n].sop[0] = SOP(0, 0)
	:: kind == 9 -> op[n].sop[0] = SOP(1, -1)
	:: kind == 10 -> op[n].sop[0] = SOP(1, 1)
#endif
	fi
}

inline owes(s, adjustment)
{
	undo[0].adjust[s] = adjustment;
	undo[0].spec[s] = adjustment
}

inline choose()
{
	start_value(0, 0);
	start_value(1, 0);
	if
	:: owes(0, 1)
	:: owes(0, 1); owes(1, 1)
	:: owes(0, -1); owes(1, 2)
	:: owes(0, 0)
	fi;
	undo[0].linked = 1;
	undo[1].linked = 1;
	op[0].role = GROUP_END;
	op[0].tgid = 1;
	choose_task(1);
	choose_task(2)
}

inline check_more()
{
	assert(!readers && !object_lock);
	assert(removed == withdrawn && removed == dead && !grace && references == !removed);
	/* Who unlinked it is asserted where it happens */
	assert(!undo[0].linked && undo[1].linked == !removed);
	assert(removed || undo[1].adjust[0] == undo[1].spec[0] && undo[1].adjust[1] == undo[1].spec[1])
}

#include "start.pml"
