// SPDX-License-Identifier: GPL-2.0
/*
 * Posts = successes + final value, on every semaphore, while takers time out
 * and are hit by signals all the time (rules 6, 11, 13, 14).
 *
 * Half of the threads post, half take. Takers use every kind of wait and
 * never wait longer than their timeout. Those in the second half of the
 * takers get no signal, and so must never see EINTR.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/sem.h>

#include "sem_stress.h"
#include "sem_test.h"

#define NSEMS	4
#define BATCH	50	/* operations a round */

enum outcome { DONE, TIMED_OUT, INTERRUPTED, OTHER, OUTCOMES };

/* What one thread has done, semaphore by semaphore. */
struct account {
	long posted[NSEMS];
	long taken[NSEMS];
	long outcomes[OUTCOMES];
};

static int set;
static struct account *accounts;
static int posters_left;

static enum outcome outcome_of(int result)
{
	switch (result) {
	case 0:
		return DONE;
	case -EAGAIN:
		return TIMED_OUT;
	case -EINTR:
		return INTERRUPTED;
	default:
		return OTHER;
	}
}

static void post(struct stress_worker *worker)
{
	struct account *account = &accounts[worker->index];
	struct sembuf ops[2];
	int i, nops = 1 + stress_random(&worker->random, 2);

	ops[0].sem_num = stress_random(&worker->random, NSEMS);
	ops[1].sem_num = stress_random(&worker->random, NSEMS);
	for (i = 0; i < nops; i++) {
		ops[i].sem_op = 1 + stress_random(&worker->random, 2);
		ops[i].sem_flg = 0;
	}
	if (sem_ops(set, ops, nops)) {
		account->outcomes[OTHER]++;
		return;
	}
	for (i = 0; i < nops; i++)
		account->posted[ops[i].sem_num] += ops[i].sem_op;
}

static void poster(struct stress_worker *worker)
{
	int round, i;

	for (round = 0; round < stress.rounds; round++) {
		for (i = 0; i < BATCH; i++) {
			post(worker);
			/* Scarce, so that takers wait. */
			if (sem_val(set, i % NSEMS) > 5)
				sched_yield();
		}
		stress_step(worker, "posting");
	}
	__atomic_fetch_sub(&posters_left, 1, __ATOMIC_RELEASE);
}

/* One operation of one to three sops, on one or several semaphores. */
static int random_take(struct stress_worker *worker, struct sembuf *ops)
{
	int i, nops = 1 + stress_random(&worker->random, 3);

	for (i = 0; i < nops; i++) {
		ops[i].sem_num = stress_random(&worker->random, NSEMS);
		ops[i].sem_op = -1 - (int)stress_random(&worker->random, 2);
		ops[i].sem_flg = 0;
	}
	if (stress_random(&worker->random, 8) == 0)
		ops[nops - 1].sem_flg |= IPC_NOWAIT;
	return nops;
}

static void take(struct stress_worker *worker)
{
	struct account *account = &accounts[worker->index];
	struct timespec timeout = { };
	struct sembuf ops[3];
	int nops = random_take(worker, ops);
	int i, result;

	/* From nothing at all to some milliseconds. */
	if (stress_random(&worker->random, 8))
		timeout.tv_nsec = 1 << stress_random(&worker->random, 22);
	result = sem_ops_timed(set, ops, nops, &timeout);
	account->outcomes[outcome_of(result)]++;
	if (result)
		return;
	for (i = 0; i < nops; i++)
		account->taken[ops[i].sem_num] -= ops[i].sem_op;
}

static void taker(struct stress_worker *worker)
{
	int i;

	do {
		for (i = 0; i < BATCH; i++)
			take(worker);
		stress_step(worker, "taking");
	} while (__atomic_load_n(&posters_left, __ATOMIC_ACQUIRE));
}

/* Keeps the values far from SEMVMX. */
static void drainer(struct stress_worker *worker)
{
	struct account *account = &accounts[worker->index];
	int num;

	while (__atomic_load_n(&posters_left, __ATOMIC_ACQUIRE)) {
		for (num = 0; num < NSEMS; num++)
			if (sem_val(set, num) > 1000 &&
			    !sem_op(set, num, -1000, IPC_NOWAIT))
				account->taken[num] += 1000;
		stress_step(worker, "draining");
	}
}

static void check_values(int nr_accounts)
{
	int num, i;

	for (num = 0; num < NSEMS; num++) {
		long posted = 0, taken = 0;
		int value = sem_val(set, num);

		for (i = 0; i < nr_accounts; i++) {
			posted += accounts[i].posted[num];
			taken += accounts[i].taken[num];
		}
		stress_result(posted == taken + value,
			      "semaphore %d: %ld posts, %ld taken, value %d",
			      num, posted, taken, value);
	}
}

static long total(enum outcome outcome, int first, int end)
{
	long sum = 0;
	int i;

	for (i = first; i < end; i++)
		sum += accounts[i].outcomes[outcome];
	return sum;
}

static void check_outcomes(int posters, int stormed, int nr_accounts)
{
	int takers = posters + stormed;
	long done = total(DONE, 0, nr_accounts);
	long timed_out = total(TIMED_OUT, 0, nr_accounts);
	long interrupted = total(INTERRUPTED, posters, takers);

	stress_result(total(INTERRUPTED, takers, nr_accounts) == 0,
		      "no EINTR without a signal");
	stress_result(total(OTHER, 0, nr_accounts) == 0, "no other error");
	stress_result(sem_sleepers(set) == 0, "nobody is left asleep");
	stress_result(done && timed_out && interrupted,
		      "%ld takes succeeded, %ld timed out, %ld interrupted",
		      done, timed_out, interrupted);
}

int main(int argc, char **argv)
{
	struct stress_worker *posters, *stormed, *calm, *drain;
	int half;

	stress_begin(argc, argv, NSEMS + 4, 250, 8);
	half = (stress.threads + 3) / 4;
	set = sem_new(NSEMS);
	stress_watch(set);
	accounts = calloc(4 * half + 1, sizeof(*accounts));
	if (!accounts)
		sem_die("out of memory");
	posters_left = 2 * half;
	stormed = stress_start(2 * half, half, taker, NULL);
	calm = stress_start(3 * half, half, taker, NULL);
	drain = stress_start(4 * half, 1, drainer, NULL);
	posters = stress_start(0, 2 * half, poster, NULL);
	stress_signal_storm(stormed, half);
	stress_join(posters, 2 * half);
	stress_join(stormed, half);
	stress_join(calm, half);
	stress_join(drain, 1);
	check_values(4 * half + 1);
	check_outcomes(2 * half, half, 4 * half + 1);
	stress_end();
}
