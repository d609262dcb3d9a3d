// SPDX-License-Identifier: GPL-2.0
/* Reading the value of an own semaphore. */
#include "workload.h"

static int step(struct worker *worker)
{
	if (semctl(worker->point->id, worker->index, GETVAL) < 0)
		return worker_failed(worker, "semctl(GETVAL)");
	return 1;
}

const struct workload workload_getval = {
	.name = "getval",
	.about = "GETVAL of an own semaphore, all in one set",
	.needs = needs_own_semaphores,
	.setup = setup_own_semaphores,
	.step = step,
};
