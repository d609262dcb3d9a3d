// SPDX-License-Identifier: GPL-2.0
/* Post and take on one semaphore, on which others wait for more than there ever is. */
#include "workload.h"

#define MORE_THAN_EVER 30000

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->sets = 1;
	needs->set_size = 1;
	needs->semaphores = 1;
	needs->operations = 1;
	needs->tasks = with->threads + with->background;
}

static void wait_for_more(struct point *point, unsigned int index)
{
	struct sembuf sop = { .sem_op = -MORE_THAN_EVER };

	(void)index;
	background_semop(point, point->id, &sop, 1);
}

static int setup(struct point *point)
{
	unsigned int nr = point->with.background;

	if (setup_set(point, 1) || background_start(point, nr, wait_for_more, NULL))
		return -1;
	return background_await_asleep(point, point->id, 0, nr);
}

static int step(struct worker *worker)
{
	return pair_on_semaphore(worker, worker->point->id, 0, 0);
}

const struct workload workload_waiters = {
	.name = "waiters",
	.about = "+1 and -1 on one semaphore, where N threads wait for more; --background N (50)",
	.background = 50,
	.needs = needs,
	.setup = setup,
	.times_calls = true,
	.step = step,
};
