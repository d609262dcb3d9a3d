// SPDX-License-Identifier: GPL-2.0
/* For comparison: POSIX semaphores, one for each thread, which stay in user space. */
#include <semaphore.h>
#include <stdlib.h>

#include "workload.h"

struct own {
	_Alignas(CACHE_LINES) sem_t semaphore;
};

static int setup(struct point *point)
{
	point->data = aligned_alloc(CACHE_LINES, point->with.threads * sizeof(struct own));
	return point->data ? 0 : point_failed(point, "malloc", 0);
}

static int prepare(struct worker *worker)
{
	struct own *own = worker->point->data;

	return sem_init(&own[worker->index].semaphore, 0, 0) ? worker_failed(worker, "sem_init") : 0;
}

static int step(struct worker *worker)
{
	struct own *own = worker->point->data;

	if (sem_post(&own[worker->index].semaphore))
		return worker_failed(worker, "sem_post");
	if (sem_wait(&own[worker->index].semaphore))
		return worker_failed(worker, "sem_wait");
	return 2;
}

static void teardown(struct point *point)
{
	free(point->data);
}

const struct workload workload_posix = {
	.name = "posix",
	.about = "sem_post and sem_wait on an own POSIX semaphore, for comparison",
	.setup = setup,
	.prepare = prepare,
	.step = step,
	.teardown = teardown,
};
