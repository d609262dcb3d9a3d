// SPDX-License-Identifier: GPL-2.0
/* Threads beside the workers: sleepers and disturbers, until the point ends. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "workload.h"

#define PATIENCE (180 * NSEC_PER_SEC)
#define RETRY_NS 20000000

struct bystander {
	pthread_t thread;
	struct background *of;
	unsigned int index;
};

/** struct background - what one call of background_start() has started. */
struct background {
	struct background *next;
	struct point *point;
	void (*body)(struct point *point, unsigned int index);
	struct policy policy;
	bool has_policy;		/* else as the caller */
	unsigned int nr;		/* started */
	struct bystander bystanders[];
};

static void *bystander_main(void *argument)
{
	struct bystander *self = argument;
	struct background *of = self->of;

	placement_leave();
	if (of->has_policy && policy_apply(&of->policy))
		point_failed(of->point, "sched_setscheduler", 0);
	else
		of->body(of->point, self->index);
	return NULL;
}

/**
 * background_start - start threads beside the workers
 * @nr: how many
 * @body: what each does; it returns once background_semop() fails or point->stop is set
 * @policy: of the threads, NULL for that of the caller
 *
 * Return: 0, or -1 after point_failed().
 */
int background_start(struct point *point, unsigned int nr,
		     void (*body)(struct point *point, unsigned int index),
		     const struct policy *policy)
{
	struct background *background =
		calloc(1, sizeof(*background) + nr * sizeof(struct bystander));
	struct bystander *bystander;
	pthread_attr_t attr;
	int error = 0;

	if (!background)
		return point_failed(point, "malloc", 0);
	background->point = point;
	background->body = body;
	background->has_policy = policy != NULL;
	if (policy)
		background->policy = *policy;
	background->next = point->background;
	point->background = background;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32 * 1024);
	while (!error && background->nr < nr) {
		bystander = &background->bystanders[background->nr];
		bystander->of = background;
		bystander->index = background->nr;
		error = pthread_create(&bystander->thread, &attr, bystander_main, bystander);
		background->nr += !error;
	}
	pthread_attr_destroy(&attr);
	return error ? point_failed(point, "pthread_create", error) : 0;
}

/** background_semop - sleep in semop; false once the point is over */
bool background_semop(struct point *point, int id, struct sembuf *sops, size_t nr)
{
	bool slept = !semop(id, sops, nr);

	if (atomic_load(&point->stop))
		return false;
	if (!slept && errno != EINTR)
		point_failed(point, "semop of a sleeper", 0);
	return slept || errno == EINTR;
}

/**
 * background_await_asleep - wait until @nr sleepers wait on a semaphore
 *
 * Return: 0, or -1 after point_failed().
 */
int background_await_asleep(struct point *point, int id, unsigned int semnum, unsigned int nr)
{
	const struct timespec pause = { .tv_nsec = 5000000 };	/* each look may cost a walk over all */
	uint64_t limit = clock_now() + PATIENCE;
	int asleep;

	while ((asleep = semctl(id, semnum, GETNCNT)) != (int)nr) {
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

static void interrupt_semop(int signal)
{
	(void)signal;
}

/*
 * Gets a thread out of its semop and waits for its end. One that was not asleep yet misses the
 * signal, and gets another one.
 */
static void end_bystander(pthread_t thread)
{
	struct timespec limit;

	do {
		pthread_kill(thread, SIGRTMIN);
		clock_gettime(CLOCK_MONOTONIC, &limit);
		limit.tv_nsec += RETRY_NS;
		limit.tv_sec += limit.tv_nsec / NSEC_PER_SEC;
		limit.tv_nsec %= NSEC_PER_SEC;
	} while (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &limit));
}

/**
 * background_join - end all of the threads; point->stop is set
 *
 * One after the other: thousands that a removed set makes runnable at once keep the kernel's own
 * threads from the CPUs for longer than RCU bears.
 */
void background_join(struct point *point)
{
	const struct sigaction action = { .sa_handler = interrupt_semop };
	struct background *background;
	unsigned int i;

	sigaction(SIGRTMIN, &action, NULL);
	while ((background = point->background)) {
		for (i = 0; i < background->nr; i++)
			end_bystander(background->bystanders[i].thread);
		point->background = background->next;
		free(background);
	}
}
