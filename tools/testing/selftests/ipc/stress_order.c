// SPDX-License-Identifier: GPL-2.0
/*
 * Arrival order under load (rules 10, 11, 12).
 *
 * Sleepers arrive one after the other at two semaphores, with needs of one or
 * both; then units are posted bit by bit. A model in this program says after
 * each post who goes on: always the earliest that can, again and again. Values
 * and counts must be the model's as soon as the post returns. Meanwhile load
 * runs on two other semaphores of the set, and sleepers that need those and
 * the first ones come and go.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/sem.h>

#include "sem_stress.h"
#include "sem_test.h"

#define LOADERS	2

/* The two in order, and the two with load. */
enum { A, B, C, D, NSEMS };

struct arrival {
	int need[2];
	int nops;
	struct sembuf ops[3];
	bool done;		/* in the model */
	int finished;		/* told by the thread */
	int result;
};

static int set;
static int stop_load;
static long grants, mismatches, late, load_failures;

static void sleeper_main(struct stress_worker *worker)
{
	struct arrival *arrival = worker->arg;

	arrival->result = sem_ops(set, arrival->ops, arrival->nops);
	__atomic_store_n(&arrival->finished, 1, __ATOMIC_RELEASE);
	stress_step(worker, "done");
}

/* One sop, two on one semaphore, or one on each. */
static void choose(struct arrival *arrival, unsigned int *random)
{
	int num = stress_random(random, 2);
	int flags = stress_random(random, 4) ? 0 : SEM_UNDO;
	int kind = stress_random(random, 4);
	int i;

	*arrival = (struct arrival) { };
	arrival->need[num] = 1 + stress_random(random, 4);
	if (kind == 0)
		arrival->need[!num] = 1 + stress_random(random, 3);
	if (kind == 1) {
		arrival->need[num]++;
		arrival->ops[arrival->nops++] =
			(struct sembuf) { num, -1, flags };
	}
	for (i = 0; i < 2; i++)
		if (arrival->need[i])
			arrival->ops[arrival->nops++] = (struct sembuf) {
				i, -arrival->need[i] + (kind == 1), flags
			};
}

static int count_waiting(void)
{
	return sem_ncnt(set, A) + sem_ncnt(set, B);
}

/* A first sop on semaphore A or B is where each of them sleeps. */
static struct stress_worker *arrive(struct arrival *arrivals, int i)
{
	struct stress_worker *worker;

	worker = stress_start(i, 1, sleeper_main, &arrivals[i]);
	while (count_waiting() != i + 1 &&
	       !__atomic_load_n(&arrivals[i].finished, __ATOMIC_ACQUIRE))
		sched_yield();
	return worker;
}

/* Lets the earliest go that can, as long as one can. Returns how many. */
static int model_grants(struct arrival *arrivals, int n, int *values)
{
	int i, granted = 0;

	for (i = 0; i < n; i++) {
		struct arrival *arrival = &arrivals[i];

		if (arrival->done || arrival->need[A] > values[A] ||
		    arrival->need[B] > values[B])
			continue;
		values[A] -= arrival->need[A];
		values[B] -= arrival->need[B];
		arrival->done = true;
		granted++;
		i = -1;
	}
	return granted;
}

static void post(unsigned int *random, int *values)
{
	struct sembuf ops[2];
	int nops = 1 + (stress_random(random, 3) == 0);
	int first = stress_random(random, 2);
	int i;

	for (i = 0; i < nops; i++) {
		ops[i].sem_num = i ? !first : first;
		ops[i].sem_op = 1 + stress_random(random, 4);
		ops[i].sem_flg = 0;
		values[ops[i].sem_num] += ops[i].sem_op;
	}
	mismatches += sem_ops(set, ops, nops) != 0;
}

/* Waits for as many as the model let go, and looks whether they are the ones. */
static void compare(struct arrival *arrivals, int n, const int *values)
{
	int i, done = 0, finished;
	long tries = 0;

	for (i = 0; i < n; i++)
		done += arrivals[i].done;
	/* The waker has completed them: nothing is left to wait for. */
	late += sem_val(set, A) != values[A];
	late += sem_val(set, B) != values[B];
	late += count_waiting() != n - done;
	do {
		for (i = 0, finished = 0; i < n; i++)
			finished += __atomic_load_n(&arrivals[i].finished,
						    __ATOMIC_ACQUIRE);
		if (finished < done)
			sched_yield();
	} while (finished < done && ++tries < 2000000);
	for (i = 0; i < n; i++)
		mismatches += arrivals[i].finished != arrivals[i].done;
}

static void one_round(unsigned int *random)
{
	int n = stress.threads;
	struct arrival *arrivals = calloc(n, sizeof(*arrivals));
	struct stress_worker **workers = calloc(n, sizeof(*workers));
	int values[2] = { };
	int i, left = n;

	if (!arrivals || !workers)
		sem_die("out of memory");
	for (i = 0; i < n; i++) {
		choose(&arrivals[i], random);
		workers[i] = arrive(arrivals, i);
	}
	while (left && !mismatches && !late) {
		int granted;

		post(random, values);
		granted = model_grants(arrivals, n, values);
		compare(arrivals, n, values);
		grants += granted;
		left -= granted;
		stress_tick();
	}
	/* After a failure, so that all can be joined. */
	while (left && count_waiting()) {
		sem_op(set, A, 100, 0);
		sem_op(set, B, 100, 0);
	}
	for (i = 0; i < n; i++) {
		stress_join(workers[i], 1);
		mismatches += arrivals[i].result != 0;
	}
	mismatches += sem_setval(set, A, 0) || sem_setval(set, B, 0);
	free(arrivals);
	free(workers);
}

/* Nothing here changes A or B, or lets anybody go on who waits for them. */
static void loader(struct stress_worker *worker)
{
	static const struct timespec soon = { .tv_nsec = 200000 };
	struct sembuf single[] = { { C, 1, 0 } };
	struct sembuf drain[] = { { C, -1, IPC_NOWAIT } };
	struct sembuf both[] = { { C, 1, 0 }, { D, 1, 0 } };
	struct sembuf never[] = { { D, -30000, 0 }, { A, -1, 0 } };
	struct sembuf never_both[] = { { C, -30000, 0 }, { D, -1, 0 },
				       { B, -1, SEM_UNDO } };
	struct sembuf within[] = { { A, 1, 0 }, { B, 1, 0 }, { A, -1, 0 },
				   { B, -1, 0 } };
	unsigned short vals[NSEMS];
	int err = 0;

	while (!__atomic_load_n(&stop_load, __ATOMIC_ACQUIRE)) {
		err |= sem_ops(set, single, 1);
		err |= sem_ops(set, within, 4);
		err |= sem_ops(set, both, 2);
		err |= sem_ops_timed(set, never, 2, &soon) != -EAGAIN;
		sem_ops(set, drain, 1);
		err |= sem_getall(set, vals);
		err |= sem_ops_timed(set, never_both, 3, &soon) != -EAGAIN;
		err |= sem_setval(set, C + worker->index % 2, 0);
		stress_step(worker, "load");
	}
	if (err)
		__atomic_fetch_add(&load_failures, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
	struct stress_worker *loaders;
	unsigned int random;
	int round;

	stress_begin(argc, argv, 4, 80, 12);
	random = stress.seed;
	set = sem_new(NSEMS);
	stress_watch(set);
	loaders = stress_start(stress.threads, LOADERS, loader, NULL);
	for (round = 0; round < stress.rounds && !mismatches && !late; round++)
		one_round(&random);
	__atomic_store_n(&stop_load, 1, __ATOMIC_RELEASE);
	stress_join(loaders, LOADERS);
	stress_result(mismatches == 0,
		      "%ld grants in the order of the model, %ld not", grants,
		      mismatches);
	stress_result(late == 0,
		      "%ld times value or count was another after a post",
		      late);
	stress_result(load_failures == 0, "%ld failures of the load",
		      load_failures);
	stress_result(grants == (long)round * stress.threads &&
		      sem_sleepers(set) == 0, "all were served");
	stress_end();
}
