// SPDX-License-Identifier: GPL-2.0
/* The controller: opens the gate, reads the counters twice, ends the point. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "disturb.h"
#include "ipcobjects.h"
#include "latency.h"
#include "measure.h"
#include "signals.h"
#include "worker.h"

#define PATIENCE_SECONDS 180	/* for a worker to come back from its last step */

struct snapshot {
	uint64_t time;
	uint64_t *operations, *busy_ns;
};

static int snapshot_init(struct snapshot *snapshot, unsigned int threads)
{
	snapshot->operations = calloc(threads, sizeof(uint64_t));
	snapshot->busy_ns = calloc(threads, sizeof(uint64_t));
	return snapshot->operations && snapshot->busy_ns ? 0 : -1;
}

static void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->operations);
	free(snapshot->busy_ns);
}

static void snapshot_take(struct snapshot *snapshot, const struct point *point)
{
	uint64_t before = clock_now();
	unsigned int i;

	for (i = 0; i < point->with.threads; i++) {
		snapshot->operations[i] = atomic_load_explicit(&point->workers[i].operations,
							       memory_order_relaxed);
		snapshot->busy_ns[i] = atomic_load_explicit(&point->workers[i].busy_ns,
							    memory_order_relaxed);
	}
	snapshot->time = before + (clock_now() - before) / 2;
}

/* Creates the threads and waits until all are at the gate; returns how many there are. */
static unsigned int start_workers(struct point *point)
{
	unsigned int i;
	int error;

	gate_init(&point->gate, point->with.threads);
	for (i = 0; i < point->with.threads; i++) {
		point->workers[i].point = point;
		point->workers[i].index = i;
		error = worker_start(&point->workers[i]);
		if (error) {
			point_failed(point, "pthread_create", error);
			gate_give_up(&point->gate, point->with.threads - i);
			break;
		}
	}
	gate_await_all(&point->gate);
	return i;
}

/*
 * A worker that does not return has met a kernel that lost a wake-up. Nothing more can be
 * measured in this process, and its objects must not stay behind.
 */
static void join_workers(struct point *point, unsigned int started)
{
	struct timespec limit;
	unsigned int i;

	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_sec += PATIENCE_SECONDS;
	for (i = 0; i < started; i++) {
		if (!pthread_clockjoin_np(point->workers[i].thread, NULL, CLOCK_MONOTONIC, &limit))
			continue;
		fprintf(stderr, "semop-multi: worker %u of %s did not return within %d s: giving up\n",
			i, point->workload->name, PATIENCE_SECONDS);
		ipcobjects_remove_all();
		_exit(1);
	}
}

/* Sleeps for the given time; returns false if the point is over before. */
static bool run_for(struct point *point, uint64_t since, double seconds, struct result *result)
{
	switch (signals_wait(since + seconds * NSEC_PER_SEC, point->event_fd)) {
	case WAKE_TIME:
		return true;
	case WAKE_SIGNAL:
		result->interrupted = true;
		return false;
	default:
		return false;
	}
}

static void compute(struct point *point, const struct snapshot *from, const struct snapshot *to,
		    struct result *result)
{
	uint64_t busy;
	unsigned int i;

	result->seconds = (double)(to->time - from->time) / NSEC_PER_SEC;
	for (i = 0; i < point->with.threads; i++) {
		result->per_thread[i] = to->operations[i] - from->operations[i];
		result->operations += result->per_thread[i];
		busy = to->busy_ns[i] - from->busy_ns[i];
		if (point->workload->timed && busy)
			result->rate += (double)result->per_thread[i] * NSEC_PER_SEC / busy;
	}
	if (!point->workload->timed)
		result->rate = result->operations / result->seconds;
	if (!result->operations)
		result->failure.op = "no operation finished in the time given";
}

static void run_workers(struct point *point, double warm_up, double duration,
			struct result *result)
{
	struct snapshot from = { }, to = { };
	unsigned int started;
	bool complete = false;

	if (snapshot_init(&from, point->with.threads) || snapshot_init(&to, point->with.threads))
		point_failed(point, "malloc", 0);
	started = start_workers(point);
	if (policy_raise_controller(&point->policy))
		point_failed(point, "sched_setscheduler", 0);
	if (point->failure.op)
		atomic_store(&point->stop, true);
	gate_open(&point->gate);
	if (!point->failure.op && run_for(point, clock_now(), warm_up, result)) {
		if (point->explain)
			explain_read(&result->before);
		snapshot_take(&from, point);
		atomic_store(&point->recording, true);
		complete = run_for(point, from.time, duration, result);
		atomic_store(&point->recording, false);
		snapshot_take(&to, point);
		if (point->explain)
			explain_read(&result->after);
	}
	atomic_store(&point->stop, true);
	if (point->workload->stop)
		point->workload->stop(point);
	join_workers(point, started);
	policy_lower_controller();
	if (complete && !point->failure.op)
		compute(point, &from, &to, result);
	if (complete && !point->failure.op && point->latency) {
		result->latency = latency_collect(point);
		if (!result->latency)
			point_failed(point, "malloc", 0);
	}
	snapshot_free(&from);
	snapshot_free(&to);
}

static int set_up(struct point *point)
{
	int error;

	placement_enter(point->placement);
	error = point->workload->setup && point->workload->setup(point) ? -1 : disturb_start(point);
	placement_leave();
	return error;
}

static void clear_up(struct point *point)
{
	atomic_store(&point->stop, true);
	background_join(point);
	ipcobjects_remove_all();
	if (point->workload->teardown)
		point->workload->teardown(point);
}

/**
 * measure - run one point once
 * @point: workload, parameters, policy and placement filled in
 * @warm_up: seconds that do not count
 * @duration: seconds that do
 * @result: filled in; to be freed with result_free()
 */
void measure(struct point *point, double warm_up, double duration, struct result *result)
{
	size_t size = point->with.threads * sizeof(struct worker);

	*result = (struct result){ };
	atomic_init(&point->stop, false);
	atomic_flag_clear(&point->has_failed);
	atomic_init(&point->recording, false);
	point->failure = (struct failure){ };
	point->background = NULL;
	point->spare_id = -1;
	point->other_set_id = -1;
	point->event_fd = eventfd(0, EFD_CLOEXEC);
	point->workers = aligned_alloc(CACHE_LINES, size);
	result->per_thread = calloc(point->with.threads, sizeof(uint64_t));
	if (point->event_fd < 0) {
		point_failed(point, "eventfd", 0);
	} else if (!point->workers || !result->per_thread) {
		point_failed(point, "malloc", 0);
	} else {
		memset(point->workers, 0, size);
		latency_choose(point->latency && point->workload->times_calls);
		if (!set_up(point))
			run_workers(point, warm_up, duration, result);
		clear_up(point);
	}
	if (point->failure.op && !result->interrupted)
		result->failure = point->failure;
	latency_free(point);
	free(point->workers);
	close(point->event_fd);
}

/** result_free - give back what measure() allocated */
void result_free(struct result *result)
{
	free(result->per_thread);
	free(result->latency);
	*result = (struct result){ };
}
