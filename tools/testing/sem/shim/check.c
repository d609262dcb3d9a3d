// SPDX-License-Identifier: GPL-2.0
/*
 * What lockdep and might_sleep() check in a kernel, checked here: the order of
 * locks, their nesting, and that nothing sleeps where it must not.
 */
#include "check.h"

void (*shim_last_words)(const char *message);

void shim_die(const char *file, int line, const char *fmt, ...)
{
	char message[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	fflush(stdout);
	fprintf(stderr, "%s:%d: %s\n", file, line, message);
	if (shim_last_words)
		shim_last_words(message);
	abort();
}

#ifdef SHIM_BENCH

void might_sleep(void)
{
}

#else

#define MAX_CLASSES	32

/* followed[a][b]: a lock of class b was taken while one of class a was held */
static unsigned char followed[MAX_CLASSES][MAX_CLASSES];
static int class_count;

static int number_of(struct lock_class_key *class)
{
	int number = __atomic_load_n(&class->number, __ATOMIC_RELAXED);

	if (number)
		return number;
	number = __atomic_add_fetch(&class_count, 1, __ATOMIC_RELAXED);
	if (number >= MAX_CLASSES)
		SHIM_DIE("more classes of locks than MAX_CLASSES");
	/* Two threads can give a class two numbers: both stand for it */
	__atomic_store_n(&class->number, number, __ATOMIC_RELAXED);
	return number;
}

void shim_spin_init(spinlock_t *lock, struct lock_class_key *class)
{
	memset(lock, 0, sizeof(*lock));
#ifndef SHIM_STEPS
	pthread_mutex_init(&lock->mutex, NULL);
#endif
	lock->dep_map.class = class;
}

bool shim_spin_held(const spinlock_t *lock)
{
	return __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == current;
}

static void check_pair(const spinlock_t *held, const spinlock_t *lock)
{
	struct lock_class_key *a = held->dep_map.class, *b = lock->dep_map.class;

	if (!a || !b)
		return;
	if (a == b) {
		if (!lock->dep_map.cmp ||
		    lock->dep_map.cmp(&held->dep_map, &lock->dep_map) >= 0)
			SHIM_DIE("two locks of class %s in a wrong order", a->name);
		return;
	}
	__atomic_store_n(&followed[number_of(a)][number_of(b)], 1, __ATOMIC_RELAXED);
	if (__atomic_load_n(&followed[number_of(b)][number_of(a)], __ATOMIC_RELAXED))
		SHIM_DIE("%s inside %s, and the other way round", b->name, a->name);
}

void shim_acquiring(const spinlock_t *lock)
{
	struct task_struct *task = current;
	int i;

	if (shim_spin_held(lock))
		SHIM_DIE("a lock taken twice: %s",
			 lock->dep_map.class ? lock->dep_map.class->name : "?");
	for (i = 0; i < task->held_count; i++)
		check_pair(task->held[i], lock);
	if (task->held_count == SHIM_MAX_HELD)
		SHIM_DIE("more than %d locks held", SHIM_MAX_HELD);
}

void shim_acquired(spinlock_t *lock)
{
	struct task_struct *task = current;

	__atomic_store_n(&lock->owner, task, __ATOMIC_RELAXED);
	task->held[task->held_count++] = lock;
}

void shim_releasing(spinlock_t *lock)
{
	struct task_struct *task = current;
	int i;

	if (!shim_spin_held(lock))
		SHIM_DIE("a lock released by who does not hold it");
	__atomic_store_n(&lock->owner, NULL, __ATOMIC_RELAXED);
	for (i = task->held_count - 1; task->held[i] != lock; i--)
		;
	task->held_count--;
	for (; i < task->held_count; i++)
		task->held[i] = task->held[i + 1];
}

void might_sleep(void)
{
	struct task_struct *task = current;

	if (task->held_count)
		SHIM_DIE("may sleep under a spinlock");
	if (task->rcu_depth)
		SHIM_DIE("may sleep under RCU");
}

#endif
