// SPDX-License-Identifier: GPL-2.0
/* As single, with SEM_UNDO: the threads of a process share its undo adjustments. */
#include "workload.h"

static int step(struct worker *worker)
{
	return pair_on_semaphore(worker, worker->point->id, worker->index, SEM_UNDO);
}

const struct workload workload_undo = {
	.name = "undo",
	.about = "single with SEM_UNDO",
	.needs = needs_own_semaphores,
	.setup = setup_own_semaphores,
	.times_calls = true,
	.step = step,
};
