// SPDX-License-Identifier: GPL-2.0
/* As single, while others sleep in operations on two semaphores elsewhere in the set. */
#include "workload.h"

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->sets = 1;
	needs->set_size = with->threads + 2;
	needs->semaphores = needs->set_size;
	needs->operations = 2;
	needs->tasks = with->threads + with->background;
}

static void sleep_on_two(struct point *point, unsigned int index)
{
	struct sembuf sops[] = {
		{ .sem_num = point->with.threads, .sem_op = -1 },
		{ .sem_num = point->with.threads + 1, .sem_op = -1 },
	};

	(void)index;
	background_semop(point, point->id, sops, 2);
}

static int setup(struct point *point)
{
	unsigned int nr = point->with.background;

	if (setup_set(point, point->with.threads + 2) ||
	    background_start(point, nr, sleep_on_two, NULL))
		return -1;
	return background_await_asleep(point, point->id, point->with.threads, nr);
}

static int step(struct worker *worker)
{
	return pair_on_semaphore(worker, worker->point->id, worker->index, 0);
}

const struct workload workload_sleepers = {
	.name = "sleepers",
	.about = "single, while N threads sleep on two other semaphores of the set; --background N (1)",
	.background = 1,
	.needs = needs,
	.setup = setup,
	.times_calls = true,
	.step = step,
};
