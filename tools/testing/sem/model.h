/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System V semaphores as they are meant: one state, one step after the other,
 * nothing clever.  It holds no pointers, so that it can be copied and compared.
 */
#ifndef SEM_MODEL_H
#define SEM_MODEL_H

#include <stdbool.h>

#define MODEL_SETS	2
#define MODEL_SEMS	12
#define MODEL_SOPS	12
#define MODEL_TASKS	8
#define MODEL_VALUE_MAX	32767

#define MODEL_NOWAIT	1
#define MODEL_UNDO	2

/* What model_op() returns for a task that sleeps now */
#define MODEL_ASLEEP	1

struct model_sop {
	short num, op, flags;
};

struct model_sem {
	int value, pid;
};

struct model_set {
	bool exists;
	int nsems;
	long otime, ctime;
	struct model_sem sems[MODEL_SEMS];
};

struct model_task {
	bool exists, asleep, alters;
	int pid, group;
	int result;		/* of the last operation, if not asleep */
	int set, nsops;		/* the operation that sleeps, ... */
	int blocked;		/* ... the sop that it waits for, ... */
	int arrival;		/* ... and its place in the queue */
	struct model_sop sops[MODEL_SOPS];
};

/* What the tasks of one undo group owe to one set */
struct model_debt {
	bool exists;
	int adjust[MODEL_SEMS];
};

struct model {
	long now;		/* in seconds, the caller's to set */
	int arrivals;
	struct model_set sets[MODEL_SETS];
	struct model_task tasks[MODEL_TASKS];
	struct model_debt debts[MODEL_TASKS][MODEL_SETS];
};

/* A task joins the group of task @joins, or has one of its own if that is -1 */
void model_start_task(struct model *m, int task, int pid, int joins);
/* The last one of a group to exit settles what it owes */
void model_exit(struct model *m, int task);

void model_create(struct model *m, int set, int nsems);
/* 0, a negative errno, or MODEL_ASLEEP; with @hurry it does not sleep */
int model_op(struct model *m, int task, int set, const struct model_sop *sops,
	     int nsops, bool hurry);
/* A sleeper gives up: @why is -EAGAIN or -EINTR */
void model_give_up(struct model *m, int task, int why);

int model_set_value(struct model *m, int task, int set, int num, int value);
int model_set_all(struct model *m, int task, int set, const int *values);
int model_remove(struct model *m, int set);

/* GETNCNT and GETZCNT */
int model_waiters(const struct model *m, int set, int num, bool for_zero);

#endif
