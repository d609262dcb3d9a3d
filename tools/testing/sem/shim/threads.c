// SPDX-License-Identifier: GPL-2.0
/* Tasks, locks and RCU for real threads: see threads.h. */
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>

#include "check.h"
#include "system.h"
#include "threads.h"

struct shim_thread {
	pthread_t id;
	void (*work)(void *arg);
	void *arg;
};

__thread struct task_struct *shim_current;
time64_t shim_seconds;
bool threads_date_stands;

static void sync_readers(void);

/*
 * Tasks
 */

static pthread_mutex_t tasks_lock = PTHREAD_MUTEX_INITIALIZER;
static struct task_struct *tasks;

static void add_task(struct task_struct *task)
{
	pthread_mutex_lock(&tasks_lock);
	task->next = tasks;
	tasks = task;
	pthread_mutex_unlock(&tasks_lock);
}

static void remove_task(struct task_struct *task)
{
	struct task_struct **link = &tasks;

	pthread_mutex_lock(&tasks_lock);
	while (*link != task)
		link = &(*link)->next;
	*link = task->next;
	pthread_mutex_unlock(&tasks_lock);
}

static void *run_task(void *arg)
{
	struct task_struct *task = arg;

	shim_current = task;
	task->thread->work(task->thread->arg);
	exit_sem(task);
	if (task->held_count || task->rcu_depth)
		SHIM_DIE("a task ended with a lock held or under RCU");
	remove_task(task);
	return NULL;
}

struct task_struct *threads_run(unsigned int flags, void (*work)(void *), void *arg)
{
	struct task_struct *task;

	if (shim_new_task(current, flags, &task))
		SHIM_DIE("no task");
	task->thread = calloc(1, sizeof(*task->thread));
	if (!task->thread)
		SHIM_DIE("no memory");
	task->thread->work = work;
	task->thread->arg = arg;
	add_task(task);
	if (pthread_create(&task->thread->id, NULL, run_task, task))
		SHIM_DIE("no thread");
	return task;
}

void threads_join(struct task_struct *task)
{
	pthread_join(task->thread->id, NULL);
	free(task->thread);
	put_task_struct(task);
}

/*
 * Sleeping and waking: the state of a task is the word that it sleeps on
 */

ktime_t ktime_get(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static int futex(unsigned int *word, int op, unsigned int value,
		 const struct timespec *limit)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, limit, NULL,
		       FUTEX_BITSET_MATCH_ANY);
}

int schedule_hrtimeout_range(ktime_t *expires, u64 slack, enum hrtimer_mode mode)
{
	struct task_struct *task = current;
	struct timespec limit = {};

	might_sleep();
	if (expires) {
		limit.tv_sec = *expires / NSEC_PER_SEC;
		limit.tv_nsec = *expires % NSEC_PER_SEC;
	}
	while (smp_load_acquire(&task->__state) != TASK_RUNNING) {
		if (signal_pending(task))
			break;
		if (futex(&task->__state, FUTEX_WAIT_BITSET, TASK_INTERRUPTIBLE,
			  expires ? &limit : NULL) && errno == ETIMEDOUT) {
			__set_current_state(TASK_RUNNING);
			return 0;
		}
	}
	__set_current_state(TASK_RUNNING);
	return -EINTR;
}

void wake_up_process(struct task_struct *task)
{
	if (xchg(&task->__state, TASK_RUNNING) != TASK_RUNNING)
		futex(&task->__state, FUTEX_WAKE, 1, NULL);
}

void threads_signal(struct task_struct *task)
{
	(void)xchg(&task->signal, true);
	wake_up_process(task);
}

/*
 * Locks
 */

#ifdef SHIM_BENCH

void shim_spin_slowly(spinlock_t *lock)
{
	int turns = 0;

	do {
		while (__atomic_load_n(&lock->locked, __ATOMIC_RELAXED)) {
			__builtin_ia32_pause();
			/* There may be more threads than CPUs */
			if (++turns % 1000 == 0)
				sched_yield();
		}
	} while (__atomic_exchange_n(&lock->locked, 1, __ATOMIC_ACQUIRE));
}

void shim_mutex_init(struct mutex *mutex)
{
	mutex->held = 0;
}

void mutex_lock(struct mutex *mutex)
{
	while (__atomic_exchange_n(&mutex->held, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

void mutex_unlock(struct mutex *mutex)
{
	__atomic_store_n(&mutex->held, 0, __ATOMIC_RELEASE);
}

#else

void spin_lock(spinlock_t *lock)
{
	shim_acquiring(lock);
	pthread_mutex_lock(&lock->mutex);
	shim_acquired(lock);
	/* Like whoever cannot be preempted: callers of call_rcu() rely on that */
	shim_rcu_read_lock();
}

void spin_unlock(spinlock_t *lock)
{
	shim_releasing(lock);
	pthread_mutex_unlock(&lock->mutex);
	shim_rcu_read_unlock();
}

void shim_mutex_init(struct mutex *mutex)
{
	pthread_mutex_init(&mutex->mutex, NULL);
}

void mutex_lock(struct mutex *mutex)
{
	might_sleep();
	pthread_mutex_lock(&mutex->mutex);
}

void mutex_unlock(struct mutex *mutex)
{
	pthread_mutex_unlock(&mutex->mutex);
}

#endif

void bit_spin_lock(int nr, unsigned long *addr)
{
	unsigned long mask = BIT_MASK(nr);

	addr += BIT_WORD(nr);
	while (__atomic_fetch_or(addr, mask, __ATOMIC_ACQUIRE) & mask)
		sched_yield();
}

void bit_spin_unlock(int nr, unsigned long *addr)
{
	__atomic_fetch_and(addr + BIT_WORD(nr), ~BIT_MASK(nr), __ATOMIC_RELEASE);
}

u32 get_random_u32(void)
{
	static u64 state;

	return __atomic_add_fetch(&state, 0x9e3779b97f4a7c15ULL, __ATOMIC_RELAXED) >> 32;
}

/*
 * RCU
 */

u64 shim_grace_period = 1;

#ifndef SHIM_BENCH

void shim_rcu_read_lock(void)
{
	struct task_struct *task = current;

	if (!task->rcu_depth++)
		__atomic_exchange_n(&task->rcu_since,
				    __atomic_load_n(&shim_grace_period, __ATOMIC_RELAXED),
				    __ATOMIC_SEQ_CST);
}

void shim_rcu_read_unlock(void)
{
	struct task_struct *task = current;

	if (task->rcu_depth <= 0)
		SHIM_DIE("RCU left more often than entered");
	if (!--task->rcu_depth)
		__atomic_store_n(&task->rcu_since, 0, __ATOMIC_SEQ_CST);
}

static void sync_readers(void)
{
}

#else

#include <linux/membarrier.h>

static void sync_readers(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

#endif

void synchronize_rcu(void)
{
	struct task_struct *task;
	u64 now, since;

	might_sleep();
	now = __atomic_add_fetch(&shim_grace_period, 1, __ATOMIC_SEQ_CST);
	sync_readers();
	pthread_mutex_lock(&tasks_lock);
	for (task = tasks; task; task = task->next) {
		do {
			since = __atomic_load_n(&task->rcu_since, __ATOMIC_SEQ_CST);
		} while (since && since < now && !sched_yield());
	}
	pthread_mutex_unlock(&tasks_lock);
}

/*
 * A thread ends grace periods, runs deferred work and keeps the date
 */

static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t waiting_changed = PTHREAD_COND_INITIALIZER;
static struct rcu_head *waiting;
static long queued, finished;
void radix_tree_node_rcu_free(struct rcu_head *head);
static bool stopping;
static pthread_t keeper;

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	head->func = func;
	/*
	 * xas_delete_node() queues a node before it unlinks it: who begins to read
	 * in between may still find it, and is waited for by the next one.
	 */
	head->readers = func == radix_tree_node_rcu_free ? 2 : 1;
	pthread_mutex_lock(&waiting_lock);
	head->next = waiting;
	waiting = head;
	queued++;
	pthread_mutex_unlock(&waiting_lock);
}

static void wait_once_more(struct rcu_head *head)
{
	pthread_mutex_lock(&waiting_lock);
	head->next = waiting;
	waiting = head;
	pthread_mutex_unlock(&waiting_lock);
}

static long run_callbacks(struct rcu_head *head)
{
	long n = 0;

	synchronize_rcu();
	while (head) {
		struct rcu_head *next = head->next;

		if (--head->readers) {
			wait_once_more(head);
		} else {
			shim_rcu_invoke(head);
			n++;
		}
		head = next;
	}
	return n;
}

static void *keep(void *arg)
{
	static struct task_struct task = { .usage = REFCOUNT_INIT(1) };
	struct rcu_head *batch;
	struct timespec t;
	long n;

	shim_current = &task;
	add_task(&task);
	pthread_mutex_lock(&waiting_lock);
	while (!stopping) {
		batch = waiting;
		waiting = NULL;
		pthread_mutex_unlock(&waiting_lock);
		n = batch ? run_callbacks(batch) : 0;
		shim_run_work();
		clock_gettime(CLOCK_REALTIME, &t);
		if (!__atomic_load_n(&threads_date_stands, __ATOMIC_RELAXED))
			__atomic_store_n(&shim_seconds, t.tv_sec, __ATOMIC_RELAXED);

		pthread_mutex_lock(&waiting_lock);
		finished += n;
		pthread_cond_broadcast(&waiting_changed);
		t.tv_nsec += 1000000;
		t.tv_sec += t.tv_nsec / NSEC_PER_SEC;
		t.tv_nsec %= NSEC_PER_SEC;
		pthread_cond_timedwait(&waiting_changed, &waiting_lock, &t);
	}
	pthread_mutex_unlock(&waiting_lock);
	return NULL;
}

void rcu_barrier(void)
{
	might_sleep();
	pthread_mutex_lock(&waiting_lock);
	while (finished != queued)
		pthread_cond_wait(&waiting_changed, &waiting_lock);
	pthread_mutex_unlock(&waiting_lock);
}

void threads_start(void)
{
	shim_current = shim_first_task();
	add_task(current);
	shim_seconds = time(NULL);
#ifdef SHIM_BENCH
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		SHIM_DIE("membarrier(2) is not there");
#endif
	if (pthread_create(&keeper, NULL, keep, NULL))
		SHIM_DIE("no thread");
	shim_boot();
}

void threads_stop(void)
{
	rcu_barrier();
	pthread_mutex_lock(&waiting_lock);
	stopping = true;
	pthread_cond_broadcast(&waiting_changed);
	pthread_mutex_unlock(&waiting_lock);
	pthread_join(keeper, NULL);
}
