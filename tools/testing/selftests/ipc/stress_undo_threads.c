// SPDX-License-Identifier: GPL-2.0
/*
 * Undo adjustments of groups whose threads and processes come and go (rules
 * 18, 19): a thread's exit leaves them, the group's end takes all back.
 *
 * Each round starts processes whose threads change the values, with undo, and
 * end; some leave the group first, some start a process of the same group.
 * When all have gone, the values are those of the start. They are so far from
 * the limits that nothing is clamped.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sem_stress.h"
#include "sem_test.h"

#define NSEMS		6
#define SETS		2
#define START		15000
#define PROCESSES	3
#define OPERATIONS	40	/* of one thread */

static int sets[SETS];
static long *changes;		/* shared by all: operations that succeeded */
static long wrong_values, failures;

static int change(unsigned int *random)
{
	struct sembuf ops[3];
	int i, nops = 1 + stress_random(random, 3);

	for (i = 0; i < nops; i++) {
		ops[i].sem_num = stress_random(random, NSEMS);
		ops[i].sem_op = (int)stress_random(random, 11) - 5;
		ops[i].sem_flg = SEM_UNDO | IPC_NOWAIT;
		/* Zero would have to wait. */
		if (!ops[i].sem_op)
			ops[i].sem_op = 1;
	}
	return sem_ops(sets[stress_random(random, SETS)], ops, nops);
}

static int change_often(unsigned int *random)
{
	int i, err = 0;

	for (i = 0; i < OPERATIONS && !err; i++)
		err = change(random);
	__atomic_fetch_add(changes, i, __ATOMIC_RELAXED);
	return err;
}

/* A process that belongs to the group of its parent; not waited for. */
static int start_relative(unsigned int random)
{
	long pid = syscall(SYS_clone, CLONE_SYSVSEM | SIGCHLD, NULL, NULL,
			   NULL, NULL);

	if (pid)
		return pid < 0 ? -errno : 0;
	_exit(change_often(&random) ? 1 : 0);
}

static void *thread_main(void *arg)
{
	unsigned int random = (unsigned long)arg;
	unsigned int kind = stress_random(&random, 5);
	long err = 0;

	if (kind == 0 && unshare(CLONE_SYSVSEM))
		err = -errno;
	if (!err && kind == 1)
		err = start_relative(random);
	if (!err)
		err = change_often(&random);
	return (void *)err;
}

/* All children, also those of threads. */
static int reap_all(void)
{
	int status, bad = 0;

	while (wait(&status) > 0)
		bad += status != 0;
	return bad;
}

/* Two generations of threads; the second starts while the first ends. */
static void process_main(unsigned int seed)
{
	pthread_t threads[2][64];
	int i, generation, n = stress.threads < 64 ? stress.threads : 64;
	unsigned int random = seed;
	int bad = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bad += change_often(&random) != 0;
	for (generation = 0; generation < 2; generation++)
		for (i = 0; i < n; i++)
			bad += pthread_create(&threads[generation][i], NULL,
					      thread_main,
					      (void *)(unsigned long)(seed +
					      generation * 64 + i)) != 0;
	/* Some processes exit with threads that are still at it. */
	if (seed % 4 == 0)
		_exit(bad ? 1 : 0);
	for (generation = 0; generation < 2; generation++) {
		for (i = 0; i < n; i++) {
			void *result;

			pthread_join(threads[generation][i], &result);
			bad += !!result;
		}
	}
	bad += reap_all();
	_exit(bad ? 1 : 0);
}

static bool all_as_at_first(void)
{
	unsigned short vals[NSEMS];
	int i, j;

	for (i = 0; i < SETS; i++) {
		if (sem_getall(sets[i], vals))
			return false;
		for (j = 0; j < NSEMS; j++)
			if (vals[j] != START)
				return false;
	}
	return true;
}

static void one_round(int round)
{
	int i;

	for (i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();

		if (pid < 0)
			sem_die("fork: %s", strerror(errno));
		if (!pid)
			process_main(stress.seed * 7 + round * 1000 + i);
	}
	/* As subreaper it is also the parent of what they left behind. */
	failures += reap_all();
	wrong_values += !all_as_at_first();
	stress_tick();
}

int main(int argc, char **argv)
{
	unsigned short vals[NSEMS];
	int round, i;

	stress_begin(argc, argv, 3, 40, 6);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		sem_die("prctl: %s", strerror(errno));
	changes = stress_shared(sizeof(*changes));
	for (i = 0; i < NSEMS; i++)
		vals[i] = START;
	for (i = 0; i < SETS; i++) {
		sets[i] = sem_new(NSEMS);
		stress_watch(sets[i]);
		if (sem_setall(sets[i], vals))
			sem_die("SETALL");
	}
	for (round = 0; round < stress.rounds; round++)
		one_round(round);
	stress_result(wrong_values == 0,
		      "%ld rounds left other values than at first, of %d",
		      wrong_values, round);
	stress_result(failures == 0, "%ld failures", failures);
	stress_result(*changes > (long)round * OPERATIONS,
		      "%ld operations with undo", *changes);
	stress_end();
}
