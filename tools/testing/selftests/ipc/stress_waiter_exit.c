// SPDX-License-Identifier: GPL-2.0
/*
 * Waiters that exit at once when they are woken: the waker must hold what it
 * needs of a sleeper before it lets it go (rules 11, 22).
 *
 * Each round starts waiters, threads and processes in turn, and lets all of
 * them go at one time: by one post, by many, by SETVAL, by zero, by an undo
 * at exit, or by IPC_RMID.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sem_stress.h"
#include "sem_test.h"

enum wake { ONE_POST, MANY_POSTS, SET_VALUE, ZERO, UNDO, REMOVE, WAYS };

static int set;
static long results[WAYS][2];	/* successes, EIDRM */
static long wrong;

/* Half wait with one sop, half with two; the second semaphore is plenty. */
static int wait_once(int number, enum wake way)
{
	struct sembuf ops[] = {
		{ 0, way == ZERO ? 0 : -1, number & 2 ? SEM_UNDO : 0 },
		{ 1, -1, 0 },
	};

	return sem_ops(set, ops, 1 + (number & 1));
}

static int count_undo(int n)
{
	int number, count = 0;

	for (number = 0; number < n; number++)
		count += (number & 2) != 0;
	return count;
}

static void count_result(enum wake way, int result)
{
	if (result == 0)
		__atomic_fetch_add(&results[way][0], 1, __ATOMIC_RELAXED);
	else if (result == -EIDRM)
		__atomic_fetch_add(&results[way][1], 1, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void waiter_thread(struct stress_worker *worker)
{
	enum wake way = *(enum wake *)worker->arg;

	stress_step(worker, "waiting to be woken");
	count_result(way, wait_once(worker->index, way));
	/* And off. */
}

static void start_processes(int n, enum wake way)
{
	while (n--) {
		pid_t pid = fork();

		if (pid < 0)
			sem_die("fork: %s", strerror(errno));
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(-wait_once(n, way));
		}
	}
}

static void reap_processes(int n, enum wake way)
{
	int status;

	while (n--) {
		if (wait(&status) < 0)
			sem_die("wait: %s", strerror(errno));
		if (WIFEXITED(status))
			count_result(way, -WEXITSTATUS(status));
		else
			wrong++;
		stress_tick();
	}
}

/* A child that takes from below zero what it gives back when it exits. */
static void wake_by_undo(int n)
{
	pid_t pid = fork();
	struct sembuf ops[] = { { 0, n, 0 }, { 0, -n, SEM_UNDO } };

	if (!pid)
		_exit(sem_ops(set, ops, 2) ? 1 : 0);
	reap_processes(1, UNDO);
}

static void wake_all(enum wake way, int n)
{
	int i, err = 0;

	switch (way) {
	case ONE_POST:
		err = sem_op(set, 0, n, 0);
		break;
	case MANY_POSTS:
		for (i = 0; i < n && !err; i++)
			err = sem_op(set, 0, 1, 0);
		break;
	case SET_VALUE:
		err = sem_setval(set, 0, n);
		break;
	case ZERO:
		err = sem_op(set, 0, -1, 0);
		break;
	case UNDO:
		wake_by_undo(n);
		break;
	default:
		err = sem_rm(set);
	}
	wrong += err != 0;
}

static void one_round(int round)
{
	enum wake way = round % WAYS;
	bool processes = round / WAYS & 1;
	struct stress_worker *threads = NULL;
	int n = stress.threads;

	set = sem_new(2);
	stress_watch(set);
	if (sem_setval(set, 0, way == ZERO) || sem_setval(set, 1, n))
		sem_die("SETVAL");
	if (processes)
		start_processes(n, way);
	else
		threads = stress_start(0, n, waiter_thread, &way);
	sem_wait_sleepers(set, n);
	stress_unwatch(set);
	wake_all(way, n);
	if (processes)
		reap_processes(n, way);
	else
		stress_join(threads, n);
	if (way == REMOVE)
		return;
	wrong += sem_sleepers(set) != 0;
	/* Processes with undo have given back what they took. */
	wrong += sem_val(set, 0) !=
		 (processes && way != ZERO ? count_undo(n) : 0);
	wrong += sem_val(set, 1) != n - n / 2;
	wrong += sem_rm(set) != 0;
}

int main(int argc, char **argv)
{
	static const char * const names[WAYS] = {
		"one post", "many posts", "SETVAL", "zero", "undo at exit",
		"IPC_RMID",
	};
	long want;
	int round, way;

	stress_begin(argc, argv, WAYS + 1, 300, 10);
	for (round = 0; round < stress.rounds; round++)
		one_round(round);
	for (way = 0; way < WAYS; way++) {
		want = (stress.rounds + WAYS - 1 - way) / WAYS;
		/* The child that wakes by its exit is counted, too. */
		want *= stress.threads + (way == UNDO);
		stress_result(results[way][way == REMOVE] == want &&
			      results[way][way != REMOVE] == 0,
			      "%s: %ld waiters, %ld done, %ld EIDRM",
			      names[way], want, results[way][0],
			      results[way][1]);
	}
	stress_result(wrong == 0, "%ld other failures", wrong);
	stress_end();
}
