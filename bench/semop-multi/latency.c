// SPDX-License-Identifier: GPL-2.0
/* Taking the time of single operations: each worker has a histogram of its own. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "clock.h"
#include "latency.h"

static __thread struct worker *self;	/* NULL in threads beside the workers */

/** worker_semop - semop as workloads call it; see latency_choose() */
int (*worker_semop)(int id, struct sembuf *sops, size_t nr) = semop;

static int timed_semop(int id, struct sembuf *sops, size_t nr)
{
	uint64_t began = clock_now();
	int error = semop(id, sops, nr), kept = errno;

	if (self)
		worker_took(self, clock_now() - began);
	errno = kept;
	return error;
}

/**
 * latency_choose - have worker_semop() take the time of each call, or not
 *
 * A pointer, so that measuring rates costs what calling semop itself does. Before workers run.
 */
void latency_choose(bool timed)
{
	worker_semop = timed ? timed_semop : semop;
	if (timed)
		mlockall(MCL_CURRENT);	/* as far as it is allowed: a fault is no latency of semop */
}

/** worker_took - an operation of @worker took @ns nanoseconds */
void worker_took(struct worker *worker, uint64_t ns)
{
	if (worker->histogram && atomic_load_explicit(&worker->point->recording, memory_order_relaxed))
		histogram_add(worker->histogram, ns);
}

/** latency_prepare - in the worker: its histogram, in memory that is there already */
int latency_prepare(struct worker *worker)
{
	self = worker;
	if (!worker->point->latency)
		return 0;
	worker->histogram = aligned_alloc(CACHE_LINES, (sizeof(*worker->histogram) + CACHE_LINES - 1) & -CACHE_LINES);
	if (!worker->histogram)
		return worker_failed(worker, "malloc");
	histogram_clear(worker->histogram);
	return 0;
}

/** latency_collect - the histograms of all workers, who have ended, in one; NULL: no memory */
struct histogram *latency_collect(struct point *point)
{
	struct histogram *all = malloc(sizeof(*all));
	unsigned int i;

	if (!all)
		return NULL;
	histogram_clear(all);
	for (i = 0; i < point->with.threads; i++)
		if (point->workers[i].histogram)
			histogram_merge(all, point->workers[i].histogram);
	return all;
}

/** latency_free - give back the histograms of all workers */
void latency_free(struct point *point)
{
	unsigned int i;

	for (i = 0; point->workers && i < point->with.threads; i++)
		free(point->workers[i].histogram);
}

/** latency_sleep - what a worker with --interval does between its steps */
void latency_sleep(const struct point *point)
{
	const struct timespec pause = {
		.tv_sec = point->interval_us / 1000000,
		.tv_nsec = point->interval_us % 1000000 * 1000,
	};

	if (point->interval_us)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}
