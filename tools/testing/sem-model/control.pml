/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SETVAL and SETALL beside two operations: they claim what they write, and
 * their change is handed off like any other.
 */

#define NSEM	2
#define NTASK	3
#define NSOP	2
#define CONTROL
#define CLOCK_STANDS

#include "task.pml"

#ifdef LARGE
#define KINDS	10
#else
#define KINDS	6
#endif

inline choose_control(n)
{
	op[n].role = SET_VALUES;
	op[n].tgid = 1;
	if
	:: op[n].sop[0] = SOP(0, 0)
	:: op[n].sop[0] = SOP(0, 1)
	:: op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 1)
	:: op[n].sop[0] = SOP(0, 2); op[n].sop[1] = SOP(1, 0)
	fi
}

inline choose_task(n)
{
	next_kind(KINDS);
	if
	:: kind == 0 -> op[n].sop[0] = SOP(0, -1)
	:: kind == 1 -> op[n].sop[0] = SOP(0, 1)
	:: kind == 2 -> op[n].sop[0] = SOP(0, 0)
	:: kind == 3 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1)
	:: kind == 4 -> op[n].sop[0] = SOP(0, 0); op[n].sop[1] = SOP(1, 1)
	:: kind == 5 -> op[n].sop[0] = SOP(1, -1)
#ifdef LARGE
	:: kind == 6 -> op[n].sop[0] = SOP(0, -2)
	:: kind == 7 -> op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, -1)
	:: kind == 8 -> op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, 1)
	:: kind == 9 -> choose_control(n)
#endif
	fi;
	op[n].tgid = n
}

inline choose()
{
	if
	:: start_value(0, 0)
	:: start_value(0, 1)
	fi;
	start_value(1, 0);
	choose_control(0);
	choose_task(1);
	choose_task(2)
}

#define check_more()	skip

#include "start.pml"
