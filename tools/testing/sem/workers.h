/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks of a random program as threads and processes of the running kernel,
 * which do one system call at a time as they are told.
 */
#ifndef SEM_WORKERS_H
#define SEM_WORKERS_H

#include <stdbool.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/types.h>
#include <time.h>

#include "program.h"

enum order {
	ORDER_OP,
	ORDER_SETVAL,
	ORDER_SETALL,
	ORDER_THREAD,	/* start task @arg as a thread of this one's process */
	ORDER_PROCESS,	/* start it as a process that shares undo */
	ORDER_EXIT,
};

struct worker_call {
	enum order order;
	int semid, nsops, num, arg;
	struct sembuf sops[MODEL_SOPS];
	bool timed;
	struct timespec limit;
	unsigned short values[MODEL_SEMS];
};

void workers_open(void);

/* Each returns false when the worker does not come up within a time limit */
bool workers_start(int task);
bool workers_start_by(int parent, int task, bool as_thread);
bool workers_end(int task);
/* Whatever they are doing */
void workers_kill(void);

void workers_give(int task, const struct worker_call *call);
/* Has it done what it was given?  Then -errno or what the call returned. */
bool workers_done(int task, long *result);
/* Waits for that; false: it takes too long */
bool workers_wait(int task, long *result);

bool workers_exists(int task);
pid_t workers_pid(int task);
void workers_signal(int task);

/* A time limit for whatever is awaited: true while there is time left */
bool workers_patience(const struct timespec *since);

#endif
