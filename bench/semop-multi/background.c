// SPDX-License-Identifier: GPL-2.0
/* Threads beside the workers: they sleep on semaphores until their set is removed. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "workload.h"

#define PATIENCE (60 * NSEC_PER_SEC)

struct sleeper {
	pthread_t thread;
	struct point *point;
	unsigned int index;
};

struct background {
	void (*body)(struct point *point, unsigned int index);
	const struct policy *policy;	/* NULL: SCHED_OTHER */
	unsigned int nr;		/* started */
	struct sleeper sleepers[];
};

static void *sleeper_main(void *argument)
{
	struct sleeper *sleeper = argument;
	struct point *point = sleeper->point;
	const struct policy *policy = point->background->policy;

	if (policy && policy_apply(policy))
		point_failed(point, "sched_setscheduler", 0);
	else
		point->background->body(point, sleeper->index);
	return NULL;
}

/**
 * background_start - start threads beside the workers
 * @nr: how many
 * @body: what each does; it returns once background_semop() fails
 * @policy: of the threads, NULL for SCHED_OTHER
 *
 * The teardown() of the workload calls background_join().
 *
 * Return: 0, or -1 after point_failed().
 */
int background_start(struct point *point, unsigned int nr,
		     void (*body)(struct point *point, unsigned int index),
		     const struct policy *policy)
{
	struct background *background = calloc(1, sizeof(*background) + nr * sizeof(struct sleeper));
	struct sleeper *sleeper;
	pthread_attr_t attr;
	int error = 0;

	if (!background)
		return point_failed(point, "malloc", 0);
	background->body = body;
	background->policy = policy;
	point->background = background;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32 * 1024);
	while (!error && background->nr < nr) {
		sleeper = &background->sleepers[background->nr];
		sleeper->point = point;
		sleeper->index = background->nr;
		error = pthread_create(&sleeper->thread, &attr, sleeper_main, sleeper);
		background->nr += !error;
	}
	pthread_attr_destroy(&attr);
	return error ? point_failed(point, "pthread_create", error) : 0;
}

/** background_semop - sleep in semop; false once the set has gone */
bool background_semop(struct point *point, struct sembuf *sops, size_t nr)
{
	if (!semop(point->id, sops, nr))
		return true;
	if (errno != EIDRM && errno != EINVAL)
		point_failed(point, "semop of a sleeper", 0);
	return false;
}

/**
 * background_await_asleep - wait until @nr sleepers wait on a semaphore of point->id
 *
 * Return: 0, or -1 after point_failed().
 */
int background_await_asleep(struct point *point, unsigned int semnum, unsigned int nr)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint64_t limit = clock_now() + PATIENCE;
	int asleep;

	while ((asleep = semctl(point->id, semnum, GETNCNT)) != (int)nr) {
		if (asleep < 0)
			return point_failed(point, "semctl(GETNCNT)", 0);
		if (point->failure.op)
			return -1;
		if (clock_now() > limit)
			return point_failed(point, "waiting for the sleepers", ETIMEDOUT);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return 0;
}

/** background_join - a teardown() that waits for the threads; their set has been removed */
void background_join(struct point *point)
{
	unsigned int i;

	if (!point->background)
		return;
	for (i = 0; i < point->background->nr; i++)
		pthread_join(point->background->sleepers[i].thread, NULL);
	free(point->background);
	point->background = NULL;
}
