/* SPDX-License-Identifier: GPL-2.0 */
/* Tasks: sleeping and waking, pids, credentials, time. */
#ifndef SEM_SHIM_TASK_H
#define SEM_SHIM_TASK_H

#include <linux/sem_types.h>

#define TASK_RUNNING		0
#define TASK_INTERRUPTIBLE	1

#define CLONE_SYSVSEM		0x00040000
#define CLONE_NEWIPC		0x08000000

struct pid {
	refcount_t count;
	int number;
};

typedef struct {
	unsigned int val;
} kuid_t;

typedef struct {
	unsigned int val;
} kgid_t;

struct cred {
	kuid_t euid;
	kgid_t egid;
	bool capable;
};

struct nsproxy {
	struct ipc_namespace *ipc_ns;
};

struct wake_q_node {
	struct wake_q_node *next;
};

/* Locks that a task may hold at once, before that is called a mistake */
#define SHIM_MAX_HELD	24

struct task_struct {
	unsigned int __state;
	bool signal;
	refcount_t usage;
	struct pid *pid;
	char comm[16];
	struct sysv_sem sysvsem;
	struct nsproxy *nsproxy;
	struct cred cred;
	u64 timer_slack_ns;
	struct wake_q_node wake_q;

	/* What a task may do depends on these */
	int rcu_depth;
	int held_count;
	const spinlock_t *held[SHIM_MAX_HELD];

	/* Of rcu.c and of the scheduler */
	int index;
	u64 rcu_since;
	struct task_struct *next;
	struct shim_thread *thread;
};

#ifdef SHIM_STEPS
extern struct task_struct *shim_current;
#else
extern __thread struct task_struct *shim_current;
#endif
#define current shim_current

#define cond_resched()		might_sleep()

static inline struct pid *task_tgid(struct task_struct *task)
{
	return task->pid;
}

static inline int task_pid_nr(struct task_struct *task)
{
	return task->pid->number;
}

static inline struct pid *get_pid(struct pid *pid)
{
	if (pid)
		refcount_inc(&pid->count);
	return pid;
}

void put_pid(struct pid *pid);

static inline int pid_vnr(struct pid *pid)
{
	return pid ? pid->number : 0;
}

static inline struct task_struct *get_task_struct(struct task_struct *task)
{
	refcount_inc(&task->usage);
	return task;
}

void put_task_struct(struct task_struct *task);

static inline bool signal_pending(struct task_struct *task)
{
	return READ_ONCE(task->signal);
}

#define set_current_state(s)	smp_store_mb(current->__state, s)
#define __set_current_state(s)	WRITE_ONCE(current->__state, s)

enum hrtimer_mode {
	HRTIMER_MODE_ABS,
};

void wake_up_process(struct task_struct *task);
int schedule_hrtimeout_range(ktime_t *expires, u64 slack, enum hrtimer_mode mode);

/* Tasks that are to be woken, each with a reference */
struct wake_q_head {
	struct wake_q_node *first;
	struct wake_q_node **lastp;
};

#define WAKE_Q_TAIL		((struct wake_q_node *)1)
#define DEFINE_WAKE_Q(name)	struct wake_q_head name = { WAKE_Q_TAIL, &name.first }

static inline void wake_q_init(struct wake_q_head *head)
{
	head->first = WAKE_Q_TAIL;
	head->lastp = &head->first;
}

void wake_q_add_safe(struct wake_q_head *head, struct task_struct *task);
void wake_up_q(struct wake_q_head *head);

#ifdef SHIM_BENCH

extern u64 shim_grace_period;

/* membarrier(2) on the other side makes this enough: about what a kernel does */
static inline void rcu_read_lock(void)
{
	if (!current->rcu_depth++)
		__atomic_store_n(&current->rcu_since,
				 __atomic_load_n(&shim_grace_period, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
	barrier();
}

static inline void rcu_read_unlock(void)
{
	barrier();
	if (!--current->rcu_depth)
		__atomic_store_n(&current->rcu_since, 0, __ATOMIC_RELEASE);
}

#endif

/*
 * Time
 */

#define NSEC_PER_SEC	1000000000L
#define KTIME_MAX	S64_MAX
#define KTIME_SEC_MAX	(KTIME_MAX / NSEC_PER_SEC)

struct timespec64 {
	time64_t tv_sec;
	long tv_nsec;
};

ktime_t ktime_get(void);
#ifdef SHIM_STEPS
time64_t ktime_get_real_seconds(void);
#else
extern time64_t shim_seconds;

static inline time64_t ktime_get_real_seconds(void)
{
	return __atomic_load_n(&shim_seconds, __ATOMIC_RELAXED);
}
#endif
#define ktime_get_ns()	((u64)ktime_get())

static inline bool timespec64_valid(const struct timespec64 *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < NSEC_PER_SEC;
}

static inline ktime_t timespec64_to_ktime(struct timespec64 t)
{
	if (t.tv_sec >= KTIME_SEC_MAX)
		return KTIME_MAX;
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static inline ktime_t ktime_add_safe(ktime_t a, ktime_t b)
{
	ktime_t sum;

	return __builtin_add_overflow(a, b, &sum) || sum < 0 ? KTIME_MAX : sum;
}

#endif
