// SPDX-License-Identifier: GPL-2.0
/* A measured thread: made ready, held at the gate, then one step after the other. */
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "clock.h"
#include "latency.h"
#include "worker.h"

/**
 * point_failed - end @point because of a call that failed
 * @op: name of the call
 * @error: its error, or 0 for errno
 *
 * Return: -1, for the caller to return.
 */
int point_failed(struct point *point, const char *op, int error)
{
	if (!error)
		error = errno;
	if (!atomic_flag_test_and_set(&point->has_failed)) {
		point->failure.error = error;
		point->failure.op = op;
		eventfd_write(point->event_fd, 1);
	}
	return -1;
}

/**
 * worker_failed - end the point because a call of @worker failed
 *
 * Once the point is over, calls may fail because the set has gone.
 *
 * Return: -1, for the caller to return.
 */
int worker_failed(struct worker *worker, const char *op)
{
	if (atomic_load(&worker->point->stop))
		return -1;
	return point_failed(worker->point, op, 0);
}

/** worker_begin - what a timed workload's step measures begins here */
void worker_begin(struct worker *worker)
{
	worker->began = clock_now();
}

/** worker_end - what a timed workload's step measures ends here */
void worker_end(struct worker *worker)
{
	uint64_t busy = atomic_load_explicit(&worker->busy_ns, memory_order_relaxed);
	uint64_t took = clock_now() - worker->began;

	atomic_store_explicit(&worker->busy_ns, busy + took, memory_order_relaxed);
	if (!worker->point->workload->times_calls)
		worker_took(worker, took);
}

/** worker_alloc_sops - room for @nr operations in lines that no other worker touches */
int worker_alloc_sops(struct worker *worker, unsigned int nr)
{
	size_t size = nr * sizeof(*worker->sops);

	worker->sops = aligned_alloc(CACHE_LINES, (size + CACHE_LINES - 1) & -CACHE_LINES);
	return worker->sops ? 0 : worker_failed(worker, "malloc");
}

static int make_ready(struct worker *worker)
{
	struct point *point = worker->point;

	if (latency_prepare(worker))
		return -1;
	if (placement_apply(point->placement, worker->index))
		return worker_failed(worker, "sched_setaffinity");
	if (policy_apply(&point->policy))
		return worker_failed(worker, "sched_setscheduler");
	return point->workload->prepare ? point->workload->prepare(worker) : 0;
}

static void run_steps(struct worker *worker)
{
	struct point *point = worker->point;
	int (*step)(struct worker *worker) = point->workload->step;
	uint64_t operations = 0;
	int done;

	while (!atomic_load_explicit(&point->stop, memory_order_relaxed)) {
		done = step(worker);
		if (done < 0)
			break;
		operations += done;
		atomic_store_explicit(&worker->operations, operations, memory_order_relaxed);
	}
}

/* As run_steps(), with the time of each step where the workload does not take it itself. */
static void run_timed_steps(struct worker *worker)
{
	struct point *point = worker->point;
	bool whole = !point->workload->times_calls && !point->workload->timed;
	uint64_t began, operations = 0;
	int done;

	while (!atomic_load_explicit(&point->stop, memory_order_relaxed)) {
		began = clock_now();
		done = point->workload->step(worker);
		if (done < 0)
			break;
		if (whole)
			worker_took(worker, clock_now() - began);
		operations += done;
		atomic_store_explicit(&worker->operations, operations, memory_order_relaxed);
		latency_sleep(point);
	}
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct point *point = worker->point;
	int error = make_ready(worker);

	gate_pass(&point->gate);
	if (!error && (point->latency || point->interval_us))
		run_timed_steps(worker);
	else if (!error)
		run_steps(worker);
	free(worker->sops);
	return NULL;
}

/**
 * worker_start - create the thread of @worker
 *
 * Return: 0 or an error number.
 */
int worker_start(struct worker *worker)
{
	pthread_attr_t attr;
	int error;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 * 1024);
	error = pthread_create(&worker->thread, &attr, worker_main, worker);
	pthread_attr_destroy(&attr);
	return error;
}
