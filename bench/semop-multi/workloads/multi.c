// SPDX-License-Identifier: GPL-2.0
/* Operations on several semaphores at once; those of different threads are disjoint. */
#include "workload.h"

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->sets = 1;
	needs->set_size = (unsigned long)with->threads * with->semaphores;
	needs->semaphores = needs->set_size;
	needs->operations = with->semaphores;
}

static int setup(struct point *point)
{
	return setup_set(point, point->with.threads * point->with.semaphores);
}

static int prepare(struct worker *worker)
{
	unsigned int i, nr = worker->point->with.semaphores;

	if (worker_alloc_sops(worker, nr))
		return -1;
	for (i = 0; i < nr; i++)
		worker->sops[i] = (struct sembuf){ .sem_num = worker->index * nr + i };
	return 0;
}

static int operate(struct worker *worker, short by)
{
	unsigned int i, nr = worker->point->with.semaphores;

	for (i = 0; i < nr; i++)
		worker->sops[i].sem_op = by;
	if (worker_semop(worker->point->id, worker->sops, nr))
		return worker_failed(worker, "semop");
	return 1;
}

static int step(struct worker *worker)
{
	if (operate(worker, 1) < 0 || operate(worker, -1) < 0)
		return -1;
	return 2;
}

const struct workload workload_multi = {
	.name = "multi",
	.about = "the same with K own semaphores in each operation",
	.varies_semaphores = true,
	.needs = needs,
	.setup = setup,
	.prepare = prepare,
	.times_calls = true,
	.step = step,
};
