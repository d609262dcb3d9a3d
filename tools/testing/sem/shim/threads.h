/* SPDX-License-Identifier: GPL-2.0 */
/* Tasks as threads. */
#ifndef SEM_THREADS_H
#define SEM_THREADS_H

/* The caller becomes the first task */
void threads_start(void);
/* All other tasks have ended: waits for everything that was deferred */
void threads_stop(void);

/*
 * See shim_new_task(): the new task works, exits with exit_sem() unless @work
 * did that, and ends.
 */
struct task_struct *threads_run(unsigned int flags, void (*work)(void *), void *arg);
void threads_join(struct task_struct *task);

/* The date, in shim_seconds, is left alone */
extern bool threads_date_stands;

void threads_signal(struct task_struct *task);

#endif
