// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include "workers.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE	20	/* seconds, after which a worker counts as hung */

enum {
	ABSENT,
	DONE,
	GIVEN,
};

/* In memory that all processes share */
struct worker {
	unsigned int state;	/* a futex */
	pid_t pid, tid;
	struct worker_call call;
	long result;
};

static struct worker *workers;

union semun {
	int val;
	unsigned short *array;
};

/*
 * A worker's own side
 */

static void futex_wait(unsigned int *word, unsigned int value,
		       const struct timespec *limit)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, limit, NULL, 0);
}

static void set_state(struct worker *w, unsigned int state)
{
	__atomic_store_n(&w->state, state, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &w->state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void work(struct worker *w) __attribute__((noreturn));

static void *thread_main(void *arg)
{
	work(arg);
}

static long start_thread(struct worker *w)
{
	pthread_t thread;

	return -pthread_create(&thread, NULL, thread_main, w);
}

/* The parent's parent is the one who waits for it */
static long start_process(struct worker *w)
{
	long pid = syscall(SYS_clone, CLONE_SYSVSEM | CLONE_PARENT | SIGCHLD, NULL,
			   NULL, NULL, 0);

	if (!pid)
		work(w);
	return pid < 0 ? -errno : 0;
}

static long do_call(struct worker *w)
{
	struct worker_call *c = &w->call;
	union semun arg = { .val = c->arg };
	long result;

	switch (c->order) {
	case ORDER_OP:
		result = syscall(SYS_semtimedop, c->semid, c->sops, c->nsops,
				 c->timed ? &c->limit : NULL);
		break;
	case ORDER_SETVAL:
		result = semctl(c->semid, c->num, SETVAL, arg);
		break;
	case ORDER_SETALL:
		arg.array = c->values;
		result = semctl(c->semid, 0, SETALL, arg);
		break;
	case ORDER_THREAD:
		return start_thread(&workers[c->arg]);
	case ORDER_PROCESS:
		return start_process(&workers[c->arg]);
	default:
		syscall(SYS_exit, 0);
		abort();
	}
	return result < 0 ? -errno : result;
}

static void work(struct worker *w)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	w->pid = getpid();
	w->tid = syscall(SYS_gettid);
	w->result = 0;
	for (;;) {
		set_state(w, DONE);
		while (__atomic_load_n(&w->state, __ATOMIC_SEQ_CST) != GIVEN)
			futex_wait(&w->state, DONE, NULL);
		w->result = do_call(w);
	}
}

/*
 * The side of who gives the orders
 */

static void ignore(int signal)
{
}

void workers_open(void)
{
	/* A semaphore operation is not restarted, whatever this says */
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };

	sigaction(SIGUSR1, &action, NULL);
	workers = mmap(NULL, MODEL_TASKS * sizeof(*workers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (workers == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
}

bool workers_patience(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - since->tv_sec < PATIENCE;
}

static unsigned int state_of(int task)
{
	return __atomic_load_n(&workers[task].state, __ATOMIC_SEQ_CST);
}

static bool wait_while(int task, unsigned int state)
{
	static const struct timespec short_time = { .tv_nsec = 100000000 };
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (state_of(task) == state) {
		if (!workers_patience(&start))
			return false;
		futex_wait(&workers[task].state, state, &short_time);
	}
	return true;
}

bool workers_start(int task)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (!pid)
		work(&workers[task]);
	return wait_while(task, ABSENT);
}

bool workers_start_by(int parent, int task, bool as_thread)
{
	struct worker_call call = { .order = as_thread ? ORDER_THREAD : ORDER_PROCESS,
				    .arg = task };
	long result;

	workers_give(parent, &call);
	return workers_wait(parent, &result) && !result && wait_while(task, ABSENT);
}

void workers_give(int task, const struct worker_call *call)
{
	workers[task].call = *call;
	set_state(&workers[task], GIVEN);
}

bool workers_done(int task, long *result)
{
	if (state_of(task) != DONE)
		return false;
	*result = workers[task].result;
	return true;
}

bool workers_wait(int task, long *result)
{
	return wait_while(task, GIVEN) && workers_done(task, result);
}

/* Is it past its exit_sem()?  That comes before it is a zombie. */
static bool has_ended(const struct worker *w)
{
	char path[80], text[300], *state;
	FILE *from;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", w->pid, w->tid);
	from = fopen(path, "r");
	if (!from)
		return true;
	n = fread(text, 1, sizeof(text) - 1, from);
	fclose(from);
	text[n] = 0;
	state = strrchr(text, ')');
	return !state || state[2] == 'Z' || state[2] == 'X';
}

bool workers_end(int task)
{
	static const struct worker_call call = { .order = ORDER_EXIT };
	struct worker *w = &workers[task];
	struct timespec start;

	workers_give(task, &call);
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!has_ended(w)) {
		if (!workers_patience(&start))
			return false;
		sched_yield();
	}
	/* Nothing if others of the process are left */
	waitpid(w->pid, NULL, WNOHANG);
	w->state = ABSENT;
	return true;
}

void workers_kill(void)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++)
		if (workers[i].state != ABSENT)
			kill(workers[i].pid, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	for (i = 0; i < MODEL_TASKS; i++)
		workers[i].state = ABSENT;
}

bool workers_exists(int task)
{
	return workers[task].state != ABSENT;
}

pid_t workers_pid(int task)
{
	return workers[task].pid;
}

void workers_signal(int task)
{
	syscall(SYS_tgkill, workers[task].pid, workers[task].tid, SIGUSR1);
}
