// SPDX-License-Identifier: GPL-2.0
/*
 * Namespaces that end while processes in them hold undo adjustments, sleep,
 * or exit (rules 18, 24).
 *
 * Several families live at one time, each in a new namespace: it makes sets,
 * its members make adjustments there and on a set of the first namespace, some
 * sleep, and all are killed or exit in an order of their own. What they did to
 * the first namespace's set must be undone in the end. Every other namespace
 * is held open meanwhile, and its set must have its first values again.
 */
#include <fcntl.h>
#include <sched.h>
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

#define NSEMS		4
#define START		50
#define MEMBERS		3
#define MAX_NAMESPACES	"/proc/sys/user/max_ipc_namespaces"

static int first_set;	/* in the first namespace */
static long held, wrong_values, failures;

static void set_all(int id, int val)
{
	unsigned short vals[NSEMS];
	int i;

	for (i = 0; i < NSEMS; i++)
		vals[i] = val;
	if (sem_setall(id, vals))
		sem_die("SETALL: %s", strerror(errno));
}

static bool all_are(int id, int want)
{
	unsigned short vals[NSEMS];
	int i;

	if (sem_getall(id, vals))
		return false;
	for (i = 0; i < NSEMS; i++)
		if (vals[i] != want)
			return false;
	return true;
}

static void adjust(int id, unsigned int *seed)
{
	struct sembuf ops[] = {
		{ stress_random(seed, NSEMS), 3, SEM_UNDO },
		{ stress_random(seed, NSEMS), -2, SEM_UNDO },
	};

	if (sem_ops(id, ops, 2))
		_exit(1);
}

/* Adjusts, says so, then sleeps or exits at once. */
static void member(int id, unsigned int seed, int ready)
{
	struct sembuf never[] = {
		{ 0, 1, SEM_UNDO }, { 1, -30000, SEM_UNDO },
	};
	char byte = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	adjust(id, &seed);
	if (write(ready, &byte, 1) != 1)
		_exit(1);
	if (seed & 1)
		sem_ops(id, never, 1 + stress_random(&seed, 2));
	_exit(0);
}

/* Few namespaces may exist: the end of earlier ones is waited for. */
static void new_namespace(void)
{
	long tries = 0;

	while (unshare(CLONE_NEWIPC)) {
		if (errno != ENOSPC || ++tries > 1000000)
			sem_die("unshare: %s", strerror(errno));
		sched_yield();
	}
}

/* The head of a family; tells the id of the set when all is set up. */
static void family(unsigned int seed, int report)
{
	int ready[2], i, id;
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Applied where it was made when the namespace is left. */
	adjust(first_set, &seed);
	new_namespace();
	id = sem_new(NSEMS);
	sem_new(1000);
	set_all(id, START);
	if (pipe(ready))
		_exit(1);
	for (i = 0; i < MEMBERS; i++)
		if (!fork())
			member(id, seed + i, ready[1]);
	for (i = 0; i < MEMBERS; i++)
		if (read(ready[0], &byte, 1) != 1)
			_exit(1);
	adjust(id, &seed);
	if (write(report, &id, sizeof(id)) != sizeof(id))
		_exit(1);
	/* Until it is told to go; its members go when they notice. */
	if (stress_random(&seed, 2))
		pause();
	_exit(0);
}

static void wait_until_all_are(int id, int want)
{
	long tries;

	for (tries = 0; !all_are(id, want) && tries < 1000000; tries++)
		sched_yield();
	wrong_values += !all_are(id, want);
}

/* Enters the namespace in which the family lived and looks at its set. */
static void check_namespace(int fd, int home, int id)
{
	if (setns(fd, CLONE_NEWIPC))
		sem_die("setns: %s", strerror(errno));
	/* The members' ends are not this process's to wait for. */
	wait_until_all_are(id, START);
	if (setns(home, CLONE_NEWIPC))
		sem_die("setns: %s", strerror(errno));
	held++;
}

struct home {
	pid_t head;
	int fd;
	int id;
};

static void start_family(struct home *home, unsigned int seed, bool hold)
{
	char path[64];
	int report[2];

	if (pipe2(report, O_CLOEXEC))
		sem_die("pipe: %s", strerror(errno));
	home->head = fork();
	if (home->head < 0)
		sem_die("fork: %s", strerror(errno));
	if (!home->head)
		family(seed, report[1]);
	close(report[1]);
	/* The head may be a zombie before its namespace can be opened. */
	snprintf(path, sizeof(path), "/proc/%d/ns/ipc", home->head);
	if (read(report[0], &home->id, sizeof(home->id)) != sizeof(home->id))
		sem_die("a family did not get up");
	home->fd = hold ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	close(report[0]);
}

static void one_round(int round, int here)
{
	struct home *homes = calloc(stress.threads, sizeof(*homes));
	int i, status;

	for (i = 0; i < stress.threads; i++)
		start_family(&homes[i], stress.seed + round * 100 + i, i & 1);
	for (i = 0; i < stress.threads; i++)
		kill(homes[i].head, SIGKILL);
	for (i = 0; i < stress.threads; i++) {
		if (waitpid(homes[i].head, &status, 0) != homes[i].head)
			sem_die("waitpid: %s", strerror(errno));
		failures += WIFEXITED(status) && WEXITSTATUS(status);
		if (homes[i].fd >= 0) {
			check_namespace(homes[i].fd, here, homes[i].id);
			close(homes[i].fd);
		}
		stress_tick();
	}
	wrong_values += !all_are(first_set, START);
	free(homes);
}

/*
 * A user namespace has a limit of its own on IPC namespaces. Root needs a new
 * one for that; others are in one already.
 */
static void own_user_namespace(void)
{
	if (geteuid() == 0 &&
	    (unshare(CLONE_NEWUSER) ||
	     file_write("/proc/self/uid_map", "0 0 1")))
		sem_die("no user namespace: %s", strerror(errno));
}

static bool limit_namespaces(void)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", 3 * stress.threads + 2);
	return !file_write(MAX_NAMESPACES, text);
}

int main(int argc, char **argv)
{
	struct seminfo info;
	union semun arg = { .__buf = &info };
	int round, here;
	bool limited;

	/* Before there is a second thread. */
	own_user_namespace();
	stress_begin(argc, argv, 5, 60, 4);
	limited = limit_namespaces();
	here = open("/proc/self/ns/ipc", O_RDONLY | O_CLOEXEC);
	if (here < 0)
		sem_die("/proc/self/ns/ipc: %s", strerror(errno));
	first_set = sem_new(NSEMS);
	set_all(first_set, START);
	for (round = 0; round < stress.rounds; round++)
		one_round(round, here);
	stress_result(wrong_values == 0, "%ld sets with wrong values",
		      wrong_values);
	stress_result(held > 0, "%ld namespaces looked at after their end",
		      held);
	stress_result(failures == 0, "%ld other failures", failures);
	stress_result(limited, "namespaces were limited, so all were freed");
	if (semctl(0, 0, SEM_INFO, arg) < 0)
		sem_die("SEM_INFO");
	stress_result(info.semusz == 1 && info.semaem == NSEMS,
		      "%d set with %d semaphores is left", info.semusz,
		      info.semaem);
	stress_end();
}
