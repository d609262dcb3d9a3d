// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at one time on one set, with sums that must hold (rules 6 to 12,
 * 18, 19).
 *
 * Threads take several units of several semaphores in one call and give them
 * back, with and without undo, timeouts, IPC_NOWAIT, and tests for zero of
 * gates that other threads close for a moment. Processes do the same with undo
 * and die while they hold. Calls that must end in ERANGE or EAGAIN once they
 * are evaluated change nothing. Nobody sleeps while holding, so whoever waits
 * without a timeout is served in the end.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sem_stress.h"
#include "sem_test.h"

#define POOLS		8	/* semaphores with units */
#define GATES		2	/* semaphores after them, 0 while open */
#define NSEMS		(POOLS + GATES)
#define UNITS		5	/* in each pool */
#define BATCH		20
#define MAX_OPS		(2 * POOLS + GATES)

enum outcome { DONE, TIMED_OUT, OUT_OF_RANGE, WRONG, OUTCOMES };

static int set;
static int workers_left;
static long (*outcomes)[OUTCOMES];

/* What one call takes, pool by pool, and its sops. */
struct taking {
	int units[POOLS];
	int nops;
	struct sembuf ops[MAX_OPS];
};

static void add_op(struct taking *taking, int num, int op, int flags)
{
	taking->ops[taking->nops++] = (struct sembuf) { num, op, flags };
}

/* Some from each of some pools, perhaps in two sops, perhaps behind gates. */
static void choose(struct taking *taking, unsigned int *random, int flags)
{
	static const int sizes[] = { 1, 1, 1, 2, 2, 3, 5 };
	int n = sizes[stress_random(random, ARRAY_LEN(sizes))];
	int first = stress_random(random, POOLS);
	int stride = 1 + 2 * stress_random(random, POOLS / 2);
	int i;

	memset(taking, 0, sizeof(*taking));
	if (stress_random(random, 6) == 0)
		add_op(taking, POOLS + stress_random(random, GATES), 0, 0);
	for (i = 0; i < n; i++) {
		int pool = (first + i * stride) % POOLS;
		int units = 1 + stress_random(random, 3);

		taking->units[pool] = units;
		if (units > 1 && stress_random(random, 4) == 0) {
			add_op(taking, pool, -1, flags);
			units--;
		}
		add_op(taking, pool, -units, flags);
	}
}

/* In one call or unit by unit. */
static int give_back(const struct taking *taking, unsigned int *random,
		     int flags)
{
	bool at_once = stress_random(random, 2);
	struct sembuf ops[POOLS];
	int i, n = 0, err = 0;

	for (i = 0; i < POOLS; i++) {
		if (!taking->units[i])
			continue;
		ops[n] = (struct sembuf) { i, taking->units[i], flags };
		if (!at_once)
			err |= sem_ops(set, &ops[n], 1);
		n++;
	}
	return at_once ? sem_ops(set, ops, n) : err;
}

static void count(long *of, int result)
{
	of[result == 0 ? DONE : result == -EAGAIN ? TIMED_OUT :
	   result == -ERANGE ? OUT_OF_RANGE : WRONG]++;
}

static void take_and_give(unsigned int *random, int flags, long *counts)
{
	struct timespec timeout = {
		.tv_nsec = 1000 << stress_random(random, 12),
	};
	bool timed = stress_random(random, 4) == 0;
	struct taking taking;
	int result;

	choose(&taking, random, flags);
	if (stress_random(random, 8) == 0)
		taking.ops[taking.nops - 1].sem_flg |= IPC_NOWAIT;
	result = sem_ops_timed(set, taking.ops, taking.nops,
			       timed ? &timeout : NULL);
	count(counts, result);
	if (result)
		return;
	if (stress_random(random, 4) == 0)
		sched_yield();
	if (give_back(&taking, random, flags))
		counts[WRONG]++;
}

/* Closes a gate for a moment, and does not wait meanwhile. */
static void close_gate(unsigned int *random, int flags, long *counts)
{
	int gate = POOLS + stress_random(random, GATES);

	if (sem_op(set, gate, 1, flags))
		counts[WRONG]++;
	if (stress_random(random, 2))
		sched_yield();
	if (sem_op(set, gate, -1, flags))
		counts[WRONG]++;
}

static void wait_for_gates(unsigned int *random, long *counts)
{
	struct sembuf ops[] = { { POOLS, 0, 0 }, { POOLS + 1, 0, 0 } };

	if (sem_ops(set, ops + stress_random(random, 2),
		    1) || (stress_random(random, 4) == 0 &&
			   sem_ops(set, ops, 2)))
		counts[WRONG]++;
}

/* May sleep at the first sop; then the last one ends the call. */
static void fail_when_evaluated(unsigned int *random, long *counts)
{
	int pool = stress_random(random, POOLS);
	int other = (pool + 1) % POOLS;
	struct sembuf too_many[] = {
		{ pool, -UNITS, 0 }, { other, 32767, SEM_UNDO },
		{ other, 1, 0 },
	};
	struct sembuf too_few[] = {
		{ pool, -UNITS, SEM_UNDO }, { other, -30000, IPC_NOWAIT },
	};
	int want = stress_random(random, 2) ? -ERANGE : -EAGAIN;
	int result = want == -ERANGE ? sem_ops(set, too_many, 3) :
				       sem_ops(set, too_few, 2);

	count(counts, result);
	if (result != want)
		counts[WRONG]++;
}

static void one_step(unsigned int *random, int flags, long *counts)
{
	switch (stress_random(random, 12)) {
	case 0:
		close_gate(random, flags, counts);
		break;
	case 1:
		wait_for_gates(random, counts);
		break;
	case 2:
		fail_when_evaluated(random, counts);
		break;
	default:
		take_and_give(random, flags, counts);
	}
}

static void worker(struct stress_worker *worker)
{
	int round, i;

	for (round = 0; round < stress.rounds; round++) {
		for (i = 0; i < BATCH; i++)
			one_step(&worker->random,
				 stress_random(&worker->random, 2) ? SEM_UNDO : 0,
				 outcomes[worker->index]);
		stress_step(worker, "all kinds of operations");
	}
	__atomic_fetch_sub(&workers_left, 1, __ATOMIC_RELEASE);
}

/* No value is ever larger than all units of a pool. */
static void reader(struct stress_worker *worker)
{
	unsigned short vals[NSEMS];
	int i;

	while (__atomic_load_n(&workers_left, __ATOMIC_ACQUIRE)) {
		if (sem_getall(set, vals))
			outcomes[worker->index][WRONG]++;
		for (i = 0; i < POOLS; i++)
			if (vals[i] > UNITS)
				outcomes[worker->index][WRONG]++;
		if (sem_ncnt(set, 0) < 0 || sem_zcnt(set, POOLS) < 0)
			outcomes[worker->index][WRONG]++;
		outcomes[worker->index][DONE]++;
		stress_step(worker, "reading");
		sched_yield();
	}
}

/* Works with undo only and dies while it holds, or when it is killed. */
static void mortal(unsigned int random)
{
	long counts[OUTCOMES] = { };
	struct taking taking;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = stress_random(&random, 100); i > 0; i--)
		take_and_give(&random, SEM_UNDO, counts);
	choose(&taking, &random, SEM_UNDO);
	if (stress_random(&random, 2))
		sem_op(set, POOLS, 1, SEM_UNDO);
	else
		sem_ops(set, taking.ops, taking.nops);
	_exit(counts[WRONG] ? 1 : 0);
}

static long lives(void)
{
	unsigned int random = stress.seed;
	long failures = 0;
	int round, status;
	pid_t pid;

	for (round = 0; __atomic_load_n(&workers_left, __ATOMIC_ACQUIRE) ||
	     round < stress.rounds / 10; round++) {
		pid = fork();
		if (pid < 0)
			sem_die("fork: %s", strerror(errno));
		if (!pid)
			mortal(stress.seed + round);
		if (stress_random(&random, 2)) {
			if (stress_random(&random, 2))
				sched_yield();
			kill(pid, SIGKILL);
		}
		if (waitpid(pid, &status, 0) != pid)
			sem_die("waitpid: %s", strerror(errno));
		failures += WIFEXITED(status) && WEXITSTATUS(status);
		stress_tick();
	}
	stress_say("%d processes lived and died", round);
	return failures;
}

static void check(long failures)
{
	long sum[OUTCOMES] = { };
	unsigned short vals[NSEMS];
	int i, j, wrong = 0;

	for (i = 0; i < stress.threads; i++)
		for (j = 0; j < OUTCOMES; j++)
			sum[j] += outcomes[i][j];
	if (sem_getall(set, vals))
		sem_die("GETALL");
	for (i = 0; i < NSEMS; i++) {
		if (vals[i] == (i < POOLS ? UNITS : 0))
			continue;
		stress_say("semaphore %d has %d", i, vals[i]);
		wrong++;
	}
	stress_result(!wrong, "%d semaphores with a wrong value", wrong);
	stress_result(!sum[WRONG], "%ld wrong answers", sum[WRONG]);
	stress_result(!failures, "%ld processes met wrong answers", failures);
	stress_result(!outcomes[stress.threads][WRONG],
		      "%ld of %ld readings were wrong",
		      outcomes[stress.threads][WRONG],
		      outcomes[stress.threads][DONE]);
	stress_result(sem_sleepers(set) == 0, "nobody is left asleep");
	stress_result(sum[DONE] && sum[TIMED_OUT] && sum[OUT_OF_RANGE],
		      "%ld succeeded, %ld EAGAIN, %ld ERANGE", sum[DONE],
		      sum[TIMED_OUT], sum[OUT_OF_RANGE]);
}

int main(int argc, char **argv)
{
	struct stress_worker *workers, *readers;
	unsigned short vals[NSEMS] = { };
	long failures;
	int i;

	stress_begin(argc, argv, 6, 250, 8);
	set = sem_new(NSEMS);
	for (i = 0; i < POOLS; i++)
		vals[i] = UNITS;
	outcomes = calloc(stress.threads + 1, sizeof(*outcomes));
	if (!outcomes || sem_setall(set, vals))
		sem_die("cannot set up");
	stress_watch(set);
	workers_left = stress.threads;
	readers = stress_start(stress.threads, 1, reader, NULL);
	workers = stress_start(0, stress.threads, worker, NULL);
	failures = lives();
	stress_join(workers, stress.threads);
	stress_join(readers, 1);
	check(failures);
	stress_end();
}
