// SPDX-License-Identifier: GPL-2.0
/* The 2013 benchmark: every thread on a semaphore of its own, all in one set. */
#include "workload.h"

static int step(struct worker *worker)
{
	return pair_on_semaphore(worker, worker->point->id, worker->index, 0);
}

const struct workload workload_single = {
	.name = "single",
	.about = "+1 and -1 on an own semaphore, all in one set",
	.needs = needs_own_semaphores,
	.setup = setup_own_semaphores,
	.times_calls = true,
	.step = step,
};
