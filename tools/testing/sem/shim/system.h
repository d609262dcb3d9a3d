/* SPDX-License-Identifier: GPL-2.0 */
/* What tests see: the system calls, and tasks and namespaces to use them in. */
#ifndef SEM_SYSTEM_H
#define SEM_SYSTEM_H

struct ipc_namespace;
struct sembuf;
struct task_struct;
struct __kernel_timespec;

long sys_semget(key_t key, int nsems, int flags);
long sys_semop(int semid, struct sembuf *sops, unsigned int nsops);
long sys_semtimedop(int semid, struct sembuf *sops, unsigned int nsops,
		    const struct __kernel_timespec *timeout);
long sys_semtimedop_time32(int semid, struct sembuf *sops, unsigned int nsops,
			   const struct old_timespec32 *timeout);
long sys_semctl(int semid, int semnum, int cmd, unsigned long arg);
long sys_compat_semctl(int semid, int semnum, int cmd, int arg);
long sys_compat_old_semctl(int semid, int semnum, int cmd, int arg);

/* What the kernel calls in other places */
void exit_sem(struct task_struct *task);
int shim_start_ipc_init(void);
void radix_tree_init(void);
void sem_init_ns(struct ipc_namespace *ns);
void sem_exit_ns(struct ipc_namespace *ns);

/* NULL where this implementation has no such parameter */
extern bool *shim_param_sem_coarse __attribute__((weak));

/*
 * A new task, which is not started: a process of its own, or with SHIM_THREAD a
 * thread of its parent's process; with CLONE_SYSVSEM in its undo group, for
 * which the caller must be the parent.
 */
#define SHIM_THREAD	1
int shim_new_task(struct task_struct *parent, unsigned int flags,
		  struct task_struct **result);
struct task_struct *shim_first_task(void);
void shim_boot(void);

struct ipc_namespace *shim_new_namespace(void);
void shim_end_namespace(struct ipc_namespace *ns);

#endif
