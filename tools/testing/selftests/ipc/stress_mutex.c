// SPDX-License-Identifier: GPL-2.0
/*
 * Semaphores as locks: threads take 1, 2, 3 or all 10 of them in one call,
 * some with undo, while other threads read all values of the set and write
 * all values of another one (rules 6, 10, 11).
 *
 * Each lock guards a plain counter, so a lost exclusion is a lost count. A
 * second group of semaphores, in the same set, passes units around; no reader
 * may ever see a sum that is not theirs.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/sem.h>

#include "sem_stress.h"
#include "sem_test.h"

#define LOCKS	10
#define PURSES	4	/* the semaphores after the locks */
#define UNITS	12	/* in all purses together */
#define NSEMS	(LOCKS + PURSES)
#define BATCH	20

static int set;
static int other_set;
static int lockers_left;

/* Guarded by the lock of the same index. */
static struct {
	volatile int owner;
	volatile long count;
} guarded[LOCKS];

/* Each worker's own. */
static long *locked;
static long *failed;

static int choose_locks(struct stress_worker *worker, int *which)
{
	static const int sizes[] = { 1, 1, 1, 2, 2, 3, LOCKS };
	int n = sizes[stress_random(&worker->random, ARRAY_LEN(sizes))];
	int first = stress_random(&worker->random, LOCKS);
	/* 1, 3, 7 and 9 share no factor with 10: no index comes twice. */
	static const int strides[] = { 1, 3, 7, 9 };
	int stride = strides[stress_random(&worker->random, 4)];
	int i;

	for (i = 0; i < n; i++)
		which[i] = (first + i * stride) % LOCKS;
	return n;
}

static void enter(struct stress_worker *worker, const int *which, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		failed[worker->index] += guarded[which[i]].owner != -1;
		guarded[which[i]].owner = worker->index;
	}
	if (stress_random(&worker->random, 4) == 0)
		sched_yield();
	for (i = 0; i < n; i++) {
		long count = guarded[which[i]].count;

		failed[worker->index] += guarded[which[i]].owner !=
					 worker->index;
		guarded[which[i]].count = count + 1;
		guarded[which[i]].owner = -1;
	}
	locked[worker->index] += n;
}

static void lock_and_unlock(struct stress_worker *worker)
{
	struct sembuf ops[LOCKS];
	int which[LOCKS];
	int n = choose_locks(worker, which);
	int flags = stress_random(&worker->random, 3) ? 0 : SEM_UNDO;
	int i, result;

	for (i = 0; i < n; i++)
		ops[i] = (struct sembuf) { which[i], -1, flags };
	stress_step(worker, "taking locks");
	result = sem_ops(set, ops, n);
	if (result) {
		failed[worker->index]++;
		return;
	}
	enter(worker, which, n);
	for (i = 0; i < n; i++)
		ops[i].sem_op = 1;
	stress_step(worker, "giving locks back");
	failed[worker->index] += sem_ops(set, ops, n) != 0;
}

/* Moves a unit, unless the purse is empty at this time. */
static void pass_a_unit(struct stress_worker *worker)
{
	int from = stress_random(&worker->random, PURSES);
	int to = (from + 1 + stress_random(&worker->random, PURSES - 1)) %
		 PURSES;
	struct sembuf ops[] = {
		{ LOCKS + from, -1, IPC_NOWAIT }, { LOCKS + to, 1, 0 },
	};
	int result = sem_ops(set, ops, 2);

	failed[worker->index] += result && result != -EAGAIN;
}

static void locker(struct stress_worker *worker)
{
	int round, i;

	for (round = 0; round < stress.rounds; round++) {
		for (i = 0; i < BATCH; i++) {
			lock_and_unlock(worker);
			pass_a_unit(worker);
		}
	}
	__atomic_fetch_sub(&lockers_left, 1, __ATOMIC_RELEASE);
}

static bool is_possible(const unsigned short *vals)
{
	int i, sum = 0;

	for (i = 0; i < LOCKS; i++)
		if (vals[i] > 1)
			return false;
	for (i = LOCKS; i < NSEMS; i++)
		sum += vals[i];
	return sum == UNITS;
}

static void reader(struct stress_worker *worker)
{
	unsigned short vals[NSEMS];

	while (__atomic_load_n(&lockers_left, __ATOMIC_ACQUIRE)) {
		stress_step(worker, "GETALL");
		if (sem_getall(set, vals) || !is_possible(vals))
			failed[worker->index]++;
		locked[worker->index]++;
		sched_yield();
	}
}

/* The other set has values that are all equal, whoever looks. */
static void writer(struct stress_worker *worker)
{
	unsigned short vals[NSEMS];
	int i, round = 0;

	while (__atomic_load_n(&lockers_left, __ATOMIC_ACQUIRE)) {
		stress_step(worker, "SETALL of the other set");
		for (i = 0; i < NSEMS; i++)
			vals[i] = round;
		failed[worker->index] += sem_setall(other_set, vals) != 0;
		failed[worker->index] += sem_getall(other_set, vals) != 0;
		for (i = 0; i < NSEMS; i++)
			failed[worker->index] += vals[i] != round;
		round = (round + 1) % 32768;
		locked[worker->index]++;
		sched_yield();
	}
}

static void set_up(void)
{
	unsigned short vals[NSEMS];
	int i;

	for (i = 0; i < LOCKS; i++) {
		vals[i] = 1;
		guarded[i].owner = -1;
	}
	for (i = LOCKS; i < NSEMS; i++)
		vals[i] = UNITS / PURSES;
	set = sem_new(NSEMS);
	other_set = sem_new(NSEMS);
	if (sem_setall(set, vals))
		sem_die("SETALL");
	locked = calloc(stress.threads + 2, sizeof(*locked));
	failed = calloc(stress.threads + 2, sizeof(*failed));
	if (!locked || !failed)
		sem_die("out of memory");
	stress_watch(set);
	lockers_left = stress.threads;
}

static void check(void)
{
	unsigned short vals[NSEMS];
	long counted = 0, expected = 0, failures = 0;
	int i, all_free = 1;

	for (i = 0; i < LOCKS; i++)
		counted += guarded[i].count;
	for (i = 0; i < stress.threads; i++) {
		expected += locked[i];
		failures += failed[i];
	}
	stress_result(counted == expected, "%ld locks taken, %ld counted",
		      expected, counted);
	stress_result(failures == 0, "%ld failures of lockers", failures);
	stress_result(!failed[stress.threads],
		      "%ld of %ld readings of all values were impossible",
		      failed[stress.threads], locked[stress.threads]);
	stress_result(!failed[stress.threads + 1],
		      "%ld wrong values in %ld writings of all values",
		      failed[stress.threads + 1], locked[stress.threads + 1]);
	if (sem_getall(set, vals))
		sem_die("GETALL");
	for (i = 0; i < LOCKS; i++)
		all_free &= vals[i] == 1;
	stress_result(all_free && is_possible(vals) && !sem_sleepers(set),
		      "all locks are free and nobody waits");
}

int main(int argc, char **argv)
{
	struct stress_worker *lockers, *readers, *writers;

	stress_begin(argc, argv, 5, 500, 6);
	set_up();
	readers = stress_start(stress.threads, 1, reader, NULL);
	writers = stress_start(stress.threads + 1, 1, writer, NULL);
	lockers = stress_start(0, stress.threads, locker, NULL);
	stress_join(lockers, stress.threads);
	stress_join(readers, 1);
	stress_join(writers, 1);
	check();
	stress_end();
}
