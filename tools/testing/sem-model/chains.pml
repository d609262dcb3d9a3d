/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chains of claims: sleepers that tie three semaphores together, and what sets
 * them off.  Each completion may let the next one go on another semaphore.  All of
 * it with one lock for the set, too, as sem_coarse has it.
 */

#define NSEM	3
#ifdef LARGE
#define NTASK	4
#else
#define NTASK	3
#endif
#define NSOP	3
#define CLOCK_STANDS
#define COARSE

#include "task.pml"

/* From one semaphore to the next, or all at once */
inline choose_link(n)
{
	if
	:: op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, 1)
	:: op[n].sop[0] = SOP(1, -1); op[n].sop[1] = SOP(2, 1)
	:: op[n].sop[0] = SOP(0, -1); op[n].sop[1] = SOP(1, -1); op[n].sop[2] = SOP(2, 1)
	fi;
	op[n].tgid = 2
}

inline choose_start(n)
{
	if
	:: op[n].sop[0] = SOP(0, 1)
	:: op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(1, 1)
	:: op[n].sop[0] = SOP(0, 1); op[n].sop[1] = SOP(2, 1)
	fi;
	op[n].tgid = 1
}

inline choose_end(n)
{
	if
	:: op[n].sop[0] = SOP(2, -1)
	:: op[n].sop[0] = SOP(1, -1)
	:: op[n].sop[0] = SOP(1, -1); op[n].sop[1] = SOP(2, -1)
	:: op[n].sop[0] = SOP(2, -1); op[n].sop[1] = SOP(0, 1)
	fi;
	op[n].tgid = 2
}

inline choose()
{
	start_value(0, 0);
	start_value(1, 0);
	start_value(2, 0);
	if
	:: start_coarse()
	:: skip
	fi;
	choose_start(0);
	choose_link(1);
#ifdef LARGE
	choose_link(2);
#endif
	choose_end(NTASK - 1)
}

#define check_more()	skip

#include "start.pml"
