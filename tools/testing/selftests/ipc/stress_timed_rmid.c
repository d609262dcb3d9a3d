// SPDX-License-Identifier: GPL-2.0
/*
 * Timed waiters against IPC_RMID: every call ends in EAGAIN, EIDRM or, when
 * it comes late, EINVAL; none ends in EINTR, as there is no signal (rule 14),
 * and none is left asleep (rule 22).
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/sem.h>

#include "sem_stress.h"
#include "sem_test.h"

#define NSEMS	3

/* On a set whose last semaphore is 1, the others 0. */
static const struct {
	int nops;
	struct sembuf ops[2];
} kinds[] = {
	{ 1, { { 0, -1, 0 } } },
	{ 1, { { 2, 0, 0 } } },
	{ 1, { { 1, -1, SEM_UNDO } } },
	{ 2, { { 2, -1, 0 }, { 0, -1, 0 } } },
	{ 2, { { 0, 1, SEM_UNDO }, { 1, -1, SEM_UNDO } } },
	{ 2, { { 0, 0, 0 }, { 2, 0, 0 } } },
};

enum outcome { TIMED_OUT, REMOVED, LATE, INTERRUPTED, OTHER, OUTCOMES };

static int current_set;
static int stop;
static long (*outcomes)[OUTCOMES];	/* for each waiter */
static long *calls;

static enum outcome outcome_of(int result)
{
	switch (result) {
	case -EAGAIN:
		return TIMED_OUT;
	case -EIDRM:
		return REMOVED;
	case -EINVAL:
		return LATE;
	case -EINTR:
		return INTERRUPTED;
	default:
		return OTHER;
	}
}

static void waiter(struct stress_worker *worker)
{
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		size_t kind = stress_random(&worker->random, ARRAY_LEN(kinds));
		struct timespec timeout = {
			.tv_nsec = 1000 << stress_random(&worker->random, 10),
		};
		int id = __atomic_load_n(&current_set, __ATOMIC_ACQUIRE);
		int result = sem_ops_timed(id, kinds[kind].ops,
					   kinds[kind].nops, &timeout);

		calls[worker->index]++;
		outcomes[worker->index][outcome_of(result)]++;
		stress_step(worker, "waiting");
		/* Until the next one is there. */
		while (result == -EIDRM || result == -EINVAL) {
			if (__atomic_load_n(&current_set, __ATOMIC_ACQUIRE) !=
			    id || __atomic_load_n(&stop, __ATOMIC_ACQUIRE))
				break;
			sched_yield();
		}
	}
}

static void remove_in_rounds(void)
{
	unsigned int random = stress.seed;
	int round, id, polls;

	for (round = 0; round < stress.rounds; round++) {
		id = current_set;
		/* Removed in all states, from nobody asleep to many. */
		polls = stress_random(&random, 30);
		while (polls-- > 0 && sem_sleepers(id) < stress.threads)
			sched_yield();
		if (sem_rm(id))
			sem_die("IPC_RMID");
		id = sem_new(NSEMS);
		if (sem_setval(id, 2, 1))
			sem_die("SETVAL");
		__atomic_store_n(&current_set, id, __ATOMIC_RELEASE);
		stress_tick();
	}
}

static void check(void)
{
	long sum[OUTCOMES] = { }, all_calls = 0;
	int i, outcome;

	for (i = 0; i < stress.threads; i++) {
		all_calls += calls[i];
		for (outcome = 0; outcome < OUTCOMES; outcome++)
			sum[outcome] += outcomes[i][outcome];
	}
	stress_say("%ld timed out, %ld removed, %ld late", sum[TIMED_OUT],
		   sum[REMOVED], sum[LATE]);
	stress_result(sum[OTHER] == 0, "%ld other answers", sum[OTHER]);
	stress_result_known(sum[INTERRUPTED] == 0,
			    "%ld of %ld calls got EINTR without a signal",
			    sum[INTERRUPTED], all_calls);
	stress_result(sum[TIMED_OUT] && sum[REMOVED],
		      "both timeouts and removals happened");
	stress_result(sem_sleepers(current_set) == 0,
		      "nobody is left asleep");
	stress_result(sem_val(current_set, 2) == 1 && !sem_rm(current_set),
		      "the last set is as it was made");
}

int main(int argc, char **argv)
{
	struct stress_worker *waiters;

	stress_begin(argc, argv, 5, 8000, 6);
	outcomes = calloc(stress.threads, sizeof(*outcomes));
	calls = calloc(stress.threads, sizeof(*calls));
	if (!outcomes || !calls)
		sem_die("out of memory");
	current_set = sem_new(NSEMS);
	if (sem_setval(current_set, 2, 1))
		sem_die("SETVAL");
	waiters = stress_start(0, stress.threads, waiter, NULL);
	remove_in_rounds();
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	stress_join(waiters, stress.threads);
	check();
	stress_end();
}
