// SPDX-License-Identifier: GPL-2.0
/*
 * A SCHED_OTHER thread wakes a FIFO thread that is pinned to its CPU, again
 * and again (rules 11, 26).
 *
 * The FIFO thread runs as soon as it is woken, in the middle of its waker's
 * call. Were there anything left that it had to wait for actively, nobody would
 * ever do it: the CPU is its own. Half of the rounds use one semaphore, half
 * two.
 */
#include <sched.h>
#include <string.h>
#include <sys/sem.h>

#include "../kselftest.h"
#include "sem_kernel.h"
#include "sem_stress.h"
#include "sem_test.h"

#define PRIORITY	80
#define REPORT		256	/* rounds between two words to the watchdog */

static int set, cpu;
static long woken, at_once, failures;

/* One or two sops, each by @by. */
static int operate(int round, int by)
{
	const struct sembuf ops[] = { { 0, by, 0 }, { 1, by, 0 } };

	return sem_ops(set, ops, 1 + (round & 1));
}

static void fifo_thread(struct stress_worker *worker)
{
	const struct sched_param param = { .sched_priority = PRIORITY };
	int round;

	if (task_pin(cpu) || sched_setscheduler(0, SCHED_FIFO, &param))
		sem_die("cannot become FIFO on CPU %d: %s", cpu,
			strerror(errno));
	for (round = 0; round < stress.rounds; round++) {
		if (operate(round, -1))
			__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&woken, woken + 1, __ATOMIC_RELAXED);
		if (round % REPORT == 0)
			stress_step(worker, "taking");
	}
}

/* When a post returns, the other one has usually run and waits again. */
static void waker(struct stress_worker *worker)
{
	int round;

	if (task_pin(cpu))
		sem_die("cannot stay on CPU %d", cpu);
	sem_wait_ncnt(set, 0, 1);
	for (round = 0; round < stress.rounds; round++) {
		if (operate(round, 1))
			__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
		at_once += __atomic_load_n(&woken, __ATOMIC_RELAXED) ==
			   round + 1;
		if (round % REPORT == 0)
			stress_step(worker, "posting");
	}
}

int main(int argc, char **argv)
{
	struct stress_worker *posts, *takes;

	stress_begin(argc, argv, 3, 50000, 2);
	if (geteuid() != 0)
		ksft_exit_skip("real-time priority needs root\n");
	set = sem_new(2);
	cpu = sched_getcpu();
	stress_watch(set);
	takes = stress_start(0, 1, fifo_thread, NULL);
	posts = stress_start(1, 1, waker, NULL);
	stress_join(takes, 1);
	stress_join(posts, 1);
	stress_result(woken == stress.rounds && !failures,
		      "%ld of %d rounds, %ld calls failed", woken,
		      stress.rounds, failures);
	stress_result(at_once > stress.rounds / 2,
		      "%ld times it ran before its waker went on", at_once);
	stress_result(!sem_sleepers(set) && !sem_val(set, 0) &&
		      !sem_val(set, 1), "nobody and nothing is left");
	stress_end();
}
