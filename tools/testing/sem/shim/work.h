/* SPDX-License-Identifier: GPL-2.0 */
/* Deferred work, of which only the hash table of keys has any. */
#ifndef SEM_SHIM_WORK_H
#define SEM_SHIM_WORK_H

struct work_struct {
	void (*func)(struct work_struct *work);
	bool pending;
	struct work_struct *next;
};

#define INIT_WORK(w, f)	((w)->func = (f), (w)->pending = false)

void schedule_work(struct work_struct *work);
void cancel_work_sync(struct work_struct *work);

/* Run what is pending, in the calling task */
void shim_run_work(void);

u32 get_random_u32(void);

#endif
