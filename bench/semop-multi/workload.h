/* SPDX-License-Identifier: GPL-2.0 */
/* What a workload is. Each is one file in workloads/, listed in workloads.c. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/sem.h>

#include "gate.h"
#include "histogram.h"
#include "placement.h"
#include "policy.h"

#define CACHE_LINES	128	/* two lines, since neighbours are fetched in pairs */
#define SPARES		4	/* semaphores in the measured set for disturbers */

/** struct failure - the call that ended a point. */
struct failure {
	const char *op;	/* NULL: nothing failed */
	int error;	/* errno; 0 where no call failed but the point has no figure */
};

/** struct parameters - what a workload is run with. */
struct parameters {
	unsigned int threads;
	unsigned int variant;		/* index into the workload's variants */
	unsigned int semaphores;	/* in one operation, where a workload has a choice */
	unsigned int background;	/* sleepers or objects beside the workers */
	unsigned int set_size;		/* semaphores of the set that the workload varies */
};

/** struct needs - what a workload takes from the system's limits. */
struct needs {
	unsigned long sets;
	unsigned long set_size;		/* semaphores of the largest set */
	unsigned long semaphores;	/* over all sets */
	unsigned long operations;	/* in one call */
	unsigned long tasks;
};

struct worker;
struct background;
struct disturbance;

/** struct point - one workload, thread count and policy while it is measured. */
struct point {
	const struct workload *workload;
	struct parameters with;
	struct policy policy;
	const struct placement *placement;
	const struct disturbance *disturbances;	/* what goes on beside the workers */
	unsigned int nr_disturbances;
	unsigned int interval_us;	/* pause after each step; 0: none */
	bool latency;			/* each worker fills its histogram */
	bool explain;			/* the kernel's events are counted */

	/* for the workload's use; set by its setup() */
	int id, other_id;
	key_t key;
	void *data;
	struct background *background;

	/* for disturbers: a set and the first of its semaphores that no worker uses; -1: none */
	int spare_id, other_set_id;
	unsigned int spare;

	struct worker *workers;
	int event_fd;			/* becomes readable when a worker fails */
	struct failure failure;		/* the first one */
	atomic_flag has_failed;
	struct gate gate;
	_Alignas(CACHE_LINES) atomic_bool stop;
	atomic_bool recording;		/* latencies count; written as rarely as stop */
};

/** struct worker - one measured thread; the counters have cache lines of their own. */
struct worker {
	_Alignas(CACHE_LINES) _Atomic uint64_t operations;
	_Atomic uint64_t busy_ns;	/* where the workload is timed */
	uint64_t began;

	_Alignas(CACHE_LINES) struct point *point;
	unsigned int index;
	pthread_t thread;
	struct sembuf *sops;		/* for prepare(); freed by the framework */
	struct histogram *histogram;	/* NULL: latencies are not asked for */
	long private;
};

/**
 * struct workload - one kind of operation to measure
 *
 * Only @step is needed. Each function that can fail returns -1 after worker_failed() or
 * point_failed(). A worker that is blocked when the point ends must be brought back by @stop,
 * usually by removing the set that it sleeps on. Threads of background_start() are ended by the
 * framework.
 */
struct workload {
	const char *name;
	const char *about;			/* for --help */
	const char *const *variants;		/* ends in NULL; the first is the default */
	unsigned int background;		/* default of --background; 0: not used */
	unsigned int set_size;			/* default of --set-size; 0: not used */
	unsigned int multiple;			/* thread counts must be multiples of it */
	bool varies_semaphores;			/* takes --semaphores */
	bool timed;				/* rates divide by worker_begin()..worker_end() */
	bool times_calls;			/* operates by worker_semop(); else steps are timed */

	void (*needs)(const struct parameters *with, struct needs *needs);
	int (*setup)(struct point *point);
	int (*prepare)(struct worker *worker);	/* in the worker, before the gate */
	int (*step)(struct worker *worker);	/* returns the number of operations done */
	void (*stop)(struct point *point);
	void (*teardown)(struct point *point);
};

extern const struct workload *const workloads[];

const struct workload *workload_find(const char *name, size_t length);
const char *workload_variant(const struct workload *workload, unsigned int variant);
void workload_describe(const struct workload *workload, unsigned int variant, char *text,
		       size_t size);

int point_failed(struct point *point, const char *op, int error);
int worker_failed(struct worker *worker, const char *op);
void worker_begin(struct worker *worker);
void worker_end(struct worker *worker);
int worker_alloc_sops(struct worker *worker, unsigned int nr);

/* Latencies: latency.c */
extern int (*worker_semop)(int id, struct sembuf *sops, size_t nr);
void worker_took(struct worker *worker, uint64_t ns);

/* Set-ups that several workloads share: sets.c */
void needs_a_set_each(const struct parameters *with, struct needs *needs);
void needs_own_semaphores(const struct parameters *with, struct needs *needs);
int setup_own_semaphores(struct point *point);
int setup_set(struct point *point, unsigned int nsems);
int pair_on_semaphore(struct worker *worker, int id, unsigned int semnum, short flags);
void remove_set(struct point *point);
int read_proc_sem(void);

/* Threads beside the workers: background.c */
int background_start(struct point *point, unsigned int nr,
		     void (*body)(struct point *point, unsigned int index),
		     const struct policy *policy);
bool background_semop(struct point *point, int id, struct sembuf *sops, size_t nr);
int background_await_asleep(struct point *point, int id, unsigned int semnum, unsigned int nr);
void background_join(struct point *point);

#endif
