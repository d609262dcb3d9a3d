/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks as coroutines.  Who includes this is the host, a task that runs between
 * the others' steps and must not wait for anything.
 *
 * A task that is run goes on until it sleeps, waits for a lock, has done what
 * it was given, or steps_switch_here() says so at a point where on a machine
 * another CPU could come in between.
 */
#ifndef SEM_STEPS_H
#define SEM_STEPS_H

enum steps_state {
	STEPS_IDLE,	/* has nothing to do */
	STEPS_READY,	/* can be run */
	STEPS_LOCKED,	/* waits for a lock that is held */
	STEPS_ASLEEP,
};

extern bool (*steps_switch_here)(void);
extern ktime_t steps_now;		/* goes on by itself with each look at it */
extern bool steps_clock_stands;		/* except if this is set */
extern time64_t steps_seconds;		/* the date */

void steps_start(void);
void steps_seed(u64 seed);

/* See shim_new_task(); 0 or an error */
int steps_new(struct task_struct *parent, unsigned int flags,
	      struct task_struct **result);
/* The task must be idle; its undo group has been left */
void steps_free(struct task_struct *task);

/* Give an idle task something to do */
void steps_give(struct task_struct *task, void (*work)(void *), void *arg);
enum steps_state steps_state(struct task_struct *task);
void steps_run(struct task_struct *task);

/* Until when it sleeps, KTIME_MAX: for ever, or it does not sleep */
ktime_t steps_limit(struct task_struct *task);
/*
 * Its time is up, and it can be run.  The clock stays, or others whose time
 * comes earlier would have to be woken, too.
 */
void steps_expire(struct task_struct *task);

/* A signal arrives; it stays until task->signal is cleared */
void steps_signal(struct task_struct *task);

#endif
