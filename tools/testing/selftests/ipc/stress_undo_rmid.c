// SPDX-License-Identifier: GPL-2.0
/*
 * Many exits with undo adjustments at the time at which the same sets are
 * removed (rules 19, 20, 22, 24).
 *
 * Each round, processes make adjustments on all sets; then all exit, some by
 * SIGKILL, while threads remove half of the sets. The others must get their
 * values back. A removed set may be made again with the same id: the old
 * adjustments must not reach it.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sem_kernel.h"
#include "sem_stress.h"
#include "sem_test.h"

#define SETS		8
#define NSEMS		6
#define START		100
#define AGAIN		77	/* what a set made again is set to */
#define NEXT_ID		"/proc/sys/kernel/sem_next_id"

static int sets[SETS];

/* Counted over all rounds. */
static long kept, wrong_kept, removed, made_again, wrong_again, failures;

/* Adjustments of either sign; what was added first can be taken back. */
static void adjust_all_sets(unsigned int seed)
{
	int i, j;

	for (i = 0; i < SETS; i++) {
		struct sembuf ops[3];
		int nops = 1 + stress_random(&seed, 3);

		for (j = 0; j < nops; j++) {
			ops[j].sem_num = stress_random(&seed, NSEMS);
			ops[j].sem_op = (int)stress_random(&seed, 9) - 4;
			ops[j].sem_flg = SEM_UNDO;
			if (!ops[j].sem_op)
				ops[j].sem_op = 1;
		}
		if (sem_ops(sets[i], ops, nops))
			_exit(1);
	}
}

/* Says when it is ready, then exits with the others. */
static void holder(unsigned int seed, int ready, int gate, bool killed)
{
	char byte = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	adjust_all_sets(seed);
	if (write(ready, &byte, 1) != 1 || read(gate, &byte, 1) < 0)
		_exit(1);
	if (killed)
		kill(getpid(), SIGKILL);
	_exit(0);
}

/* A worker removes every other set, from a place of its own. */
static void remover(struct stress_worker *worker)
{
	int i;

	for (i = 0; i < SETS; i += 2) {
		int at = (i + worker->index * 2) % SETS;

		stress_step(worker, "removing");
		if (!sem_rm(sets[at]))
			__atomic_fetch_add(&removed, 1, __ATOMIC_RELAXED);
	}
}

static void make_sets(void)
{
	unsigned short vals[NSEMS];
	int i;

	for (i = 0; i < NSEMS; i++)
		vals[i] = START;
	for (i = 0; i < SETS; i++) {
		sets[i] = sem_new(NSEMS);
		if (sem_setall(sets[i], vals))
			sem_die("SETALL");
	}
}

static bool all_are(int id, int want)
{
	unsigned short vals[NSEMS];
	int i, wrong = sem_getall(id, vals);

	for (i = 0; i < NSEMS; i++)
		wrong |= vals[i] != want;
	return !wrong;
}

/* Makes a removed set again with the same id, if that is allowed. */
static bool make_again(int id)
{
	unsigned short vals[NSEMS];
	char text[16];
	int i;

	snprintf(text, sizeof(text), "%d", id);
	if (file_write(NEXT_ID, text))
		return false;
	failures += semget(IPC_PRIVATE, NSEMS, 0600) != id;
	for (i = 0; i < NSEMS; i++)
		vals[i] = AGAIN;
	failures += sem_setall(id, vals) != 0;
	made_again++;
	return true;
}

static void reap_holders(int n)
{
	int status;

	while (n--) {
		if (wait(&status) < 0)
			sem_die("wait: %s", strerror(errno));
		if (WIFSIGNALED(status))
			failures += WTERMSIG(status) != SIGKILL;
		else
			failures += WEXITSTATUS(status) != 0;
		stress_tick();
	}
}

static void start_holders(int round, int ready, int gate_read, int gate_write)
{
	int i;

	for (i = 0; i < stress.threads; i++) {
		pid_t pid = fork();

		if (pid < 0)
			sem_die("fork: %s", strerror(errno));
		if (!pid) {
			close(gate_write);
			holder(stress.seed + round * 1000 + i, ready, gate_read,
			       i % 3 == 2);
		}
	}
}

static void one_round(int round)
{
	struct stress_worker *removers;
	int ready[2], gate[2], i;
	bool again = false;
	char byte;

	if (pipe(ready) || pipe(gate))
		sem_die("pipe: %s", strerror(errno));
	make_sets();
	start_holders(round, ready[1], gate[0], gate[1]);
	for (i = 0; i < stress.threads; i++)
		if (read(ready[0], &byte, 1) != 1)
			sem_die("a holder is gone");
	close(gate[1]);
	removers = stress_start(0, 2, remover, NULL);
	stress_join(removers, 2);
	/* The holders may still be at it. */
	if (round & 1)
		again = make_again(sets[0]);
	reap_holders(stress.threads);
	for (i = 1; i < SETS; i += 2) {
		kept++;
		wrong_kept += !all_are(sets[i], START);
		failures += sem_rm(sets[i]) != 0;
	}
	if (again) {
		wrong_again += !all_are(sets[0], AGAIN);
		failures += sem_rm(sets[0]) != 0;
	}
	close(ready[0]);
	close(ready[1]);
	close(gate[0]);
}

static void check(void)
{
	struct seminfo info;
	union semun arg = { .__buf = &info };

	if (semctl(0, 0, SEM_INFO, arg) < 0)
		sem_die("SEM_INFO");
	stress_result(wrong_kept == 0,
		      "%ld of %ld kept sets have other values than at first",
		      wrong_kept, kept);
	stress_result(removed == (long)stress.rounds * SETS / 2,
		      "%ld removals, each set once", removed);
	stress_result(wrong_again == 0,
		      "%ld of %ld sets with an old id got old adjustments",
		      wrong_again, made_again);
	stress_result(failures == 0, "%ld other failures", failures);
	stress_result(!info.semusz && !info.semaem,
		      "%d sets and %d semaphores are left", info.semusz,
		      info.semaem);
}

int main(int argc, char **argv)
{
	int round;

	stress_begin(argc, argv, 5, 120, 6);
	for (round = 0; round < stress.rounds; round++)
		one_round(round);
	check();
	stress_end();
}
