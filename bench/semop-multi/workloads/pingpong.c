// SPDX-License-Identifier: GPL-2.0
/* Pairs of threads that wake each other in turn. */
#include "workload.h"

static int operate(struct worker *worker, unsigned int semnum, short by)
{
	struct sembuf sop = { .sem_num = semnum, .sem_op = by };

	if (worker_semop(worker->point->id, &sop, 1))
		return worker_failed(worker, "semop");
	return 1;
}

/* Each thread waits on its own semaphore; the even one of a pair begins. */
static int step(struct worker *worker)
{
	unsigned int own = worker->index, partner = own ^ 1;
	bool begins = own < partner;

	if (operate(worker, begins ? partner : own, begins ? 1 : -1) < 0 ||
	    operate(worker, begins ? own : partner, begins ? -1 : 1) < 0)
		return -1;
	return 2;
}

const struct workload workload_pingpong = {
	.name = "pingpong",
	.about = "pairs of threads wake each other in turn",
	.multiple = 2,
	.needs = needs_own_semaphores,
	.setup = setup_own_semaphores,
	.times_calls = true,
	.step = step,
	.stop = remove_set,
};
