// SPDX-License-Identifier: GPL-2.0
/* All threads on one semaphore, used as a mutex. */
#include "workload.h"

static void needs(const struct parameters *with, struct needs *needs)
{
	(void)with;
	needs->sets = 1;
	needs->set_size = 1;
	needs->semaphores = 1;
	needs->operations = 1;
}

static int setup(struct point *point)
{
	if (setup_set(point, 1))
		return -1;
	return semctl(point->id, 0, SETVAL, 1) ? point_failed(point, "semctl(SETVAL)", 0) : 0;
}

static int step(struct worker *worker)
{
	struct sembuf sop = { .sem_op = -1 };

	if (worker_semop(worker->point->id, &sop, 1))
		return worker_failed(worker, "semop");
	sop.sem_op = 1;
	if (worker_semop(worker->point->id, &sop, 1))
		return worker_failed(worker, "semop");
	return 2;
}

const struct workload workload_mutex = {
	.name = "mutex",
	.about = "all threads take and release one semaphore",
	.needs = needs,
	.setup = setup,
	.times_calls = true,
	.step = step,
	.stop = remove_set,
};
