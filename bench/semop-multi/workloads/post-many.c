// SPDX-License-Identifier: GPL-2.0
/* One operation that wakes many sleepers; each thread has a semaphore and sleepers of its own. */
#include <sched.h>

#include "workload.h"

static void needs(const struct parameters *with, struct needs *needs)
{
	needs_own_semaphores(with, needs);
	needs->tasks = with->threads * (1ul + with->background);
}

static void sleep_again_and_again(struct point *point, unsigned int index)
{
	struct sembuf sop = { .sem_num = index / point->with.background, .sem_op = -1 };

	while (background_semop(point, point->id, &sop, 1))
		;
}

static int setup(struct point *point)
{
	if (setup_own_semaphores(point))
		return -1;
	return background_start(point, point->with.threads * point->with.background,
				sleep_again_and_again, &point->policy);
}

static int step(struct worker *worker)
{
	struct point *point = worker->point;
	int asleep, all = point->with.background;
	struct sembuf sop = { .sem_num = worker->index, .sem_op = all };

	while ((asleep = semctl(point->id, worker->index, GETNCNT)) != all) {
		if (asleep < 0)
			return worker_failed(worker, "semctl(GETNCNT)");
		if (atomic_load(&point->stop))
			return 0;
		sched_yield();
	}
	worker_begin(worker);
	if (semop(point->id, &sop, 1))
		return worker_failed(worker, "semop");
	worker_end(worker);
	return 1;
}

const struct workload workload_post_many = {
	.name = "post-many",
	.about = "one operation that wakes N sleepers; only its own time counts; --background N (50)",
	.background = 50,
	.timed = true,
	.needs = needs,
	.setup = setup,
	.step = step,
};
