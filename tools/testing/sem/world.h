/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs at work: their tasks as coroutines in a namespace of their own, and
 * the model beside them.
 */
#ifndef SEM_WORLD_H
#define SEM_WORLD_H

#include <linux/ipc_namespace.h>

#include "model.h"
#include "program.h"
#include "steps.h"
#include "system.h"

/* One system call of a task */
struct call {
	int semid;
	struct sembuf sops[MODEL_SOPS];
	int nsops;
	const struct __kernel_timespec *limit;
	int cmd, num;
	unsigned long arg;
	long result;
};

struct world_task {
	struct task_struct *task;	/* NULL: there is none */
	struct call call;
};

struct world {
	struct world_task tasks[MODEL_TASKS];
	int semid[MODEL_SETS];		/* -1: there is no such set */
	int last_semid[MODEL_SETS];	/* a set that was removed leaves its id */
	struct model model;
	struct dice dice;
	struct ipc_namespace *ns;
};

void world_open(struct world *w, uint64_t seed);
void world_close(struct world *w);

/* Is the task there and able to make a call? */
bool world_idle(const struct world *w, int task);

void world_create(struct world *w, int set, int nsems, bool last_id);
void world_start(struct world *w, const struct step *step);
void world_call_op(struct world *w, const struct step *step);
void world_call_ctl(struct world *w, int task, int set, int num, int cmd,
		    unsigned long arg);
void world_call_exit(struct world *w, int task);
/* An idle task is gone, after its exit */
void world_reap(struct world *w, int task);

/*
 * Do model and implementation show the same?  If not, @why says what is not.
 */
bool world_agrees(struct world *w, char *why, size_t size);

#endif
