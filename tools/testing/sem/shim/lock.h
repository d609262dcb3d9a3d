/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Locks.  A spinlock is a word that coroutines pass on (SHIM_STEPS), a word to
 * spin on (SHIM_BENCH), or a mutex, so that ThreadSanitizer sees who holds it.
 *
 * Except in SHIM_BENCH the order of locks is checked, by class as in lockdep:
 * never two classes in both orders; two of a class only where a function set
 * with lock_set_cmp_fn() says that the second comes after the first.
 */
#ifndef SEM_SHIM_LOCK_H
#define SEM_SHIM_LOCK_H

struct task_struct;

/* What the locks of one initialisation site have in common */
struct lock_class_key {
	const char *name;
	int number;
};

struct lockdep_map {
	struct lock_class_key *class;
	int (*cmp)(const struct lockdep_map *a, const struct lockdep_map *b);
};

typedef struct {
#if defined(SHIM_STEPS)
	unsigned long locked;
#elif defined(SHIM_BENCH)
	int locked;
#else
	pthread_mutex_t mutex;
#endif
#ifndef SHIM_BENCH
	struct task_struct *owner;
	struct lockdep_map dep_map;
#endif
} spinlock_t;

#ifdef SHIM_BENCH

void shim_spin_slowly(spinlock_t *lock);
/* Who holds a spinlock is a reader, as who cannot be preempted is */
static inline void rcu_read_lock(void);
static inline void rcu_read_unlock(void);

static inline void spin_lock(spinlock_t *lock)
{
	rcu_read_lock();
	if (__atomic_exchange_n(&lock->locked, 1, __ATOMIC_ACQUIRE))
		shim_spin_slowly(lock);
}

static inline void spin_unlock(spinlock_t *lock)
{
	__atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
	rcu_read_unlock();
}

static inline void spin_lock_init(spinlock_t *lock)
{
	lock->locked = 0;
}

#define lock_set_cmp_fn(lock, fn, print)	do { } while (0)
#define lockdep_assert_held(lock)		do { } while (0)
#define lockdep_is_held(lock)			1
#define __SPIN_LOCK_UNLOCKED(name)		{ 0 }

#else

#define CONFIG_PROVE_LOCKING 1

void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void shim_spin_init(spinlock_t *lock, struct lock_class_key *class);
bool shim_spin_held(const spinlock_t *lock);

#define spin_lock_init(l) do {						\
	static struct lock_class_key class_ = { .name = #l };		\
	shim_spin_init(l, &class_);					\
} while (0)
#define lock_set_cmp_fn(lock, fn, print)	((lock)->dep_map.cmp = (fn))
#define lockdep_is_held(lock)			shim_lock_held(lock)
#define lockdep_assert_held(lock)		BUG_ON(!lockdep_is_held(lock))
#define shim_lock_held(l)						\
	_Generic(*(l), spinlock_t: shim_spin_held((const void *)(l)), default: true)
#if defined(SHIM_STEPS)
#define __SPIN_LOCK_UNLOCKED(name)	{ .locked = 0 }
#else
#define __SPIN_LOCK_UNLOCKED(name)	{ .mutex = PTHREAD_MUTEX_INITIALIZER }
#endif

#endif

#define DEFINE_SPINLOCK(name)		spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define spin_is_locked(lock)		((void)(lock), 1)
#define assert_spin_locked(lock)	lockdep_assert_held(lock)
#define spin_lock_bh			spin_lock
#define spin_unlock_bh			spin_unlock
#define spin_lock_irq			spin_lock
#define spin_unlock_irq			spin_unlock
#define spin_lock_nested(l, sub)	spin_lock(l)
#define spin_lock_bh_nested(l, sub)	spin_lock(l)
#define spin_lock_irq_nested(l, sub)	spin_lock(l)
#define spin_lock_irqsave(l, f)		do { (f) = 0; spin_lock(l); } while (0)
#define spin_lock_irqsave_nested(l, f, sub)	spin_lock_irqsave(l, f)
#define spin_unlock_irqrestore(l, f)	do { (void)(f); spin_unlock(l); } while (0)
#define local_irq_save(f)		((f) = 0)
#define local_irq_restore(f)		((void)(f))

/* lockdep's annotations for what is no spinlock */
#define lockdep_init_map(map, name, key, sub)	do { } while (0)
#define lock_map_acquire(map)			do { } while (0)
#define lock_map_acquire_nested(map, sub)	do { } while (0)
#define lock_map_release(map)			do { } while (0)
#define lock_acquire_exclusive(map, sub, try, nest, ip)	do { } while (0)
#define debug_locks				0
#define SINGLE_DEPTH_NESTING			1

/* A lock of this CPU: as on PREEMPT_RT, and of one CPU for everybody */
typedef spinlock_t local_lock_t;
#define INIT_LOCAL_LOCK(name)		__SPIN_LOCK_UNLOCKED(name)
#define local_lock(lock)		spin_lock(lock)
#define local_unlock(lock)		spin_unlock(lock)
#define DECLARE_PER_CPU(type, name)	extern type name
#define DEFINE_PER_CPU(type, name)	type name
#define this_cpu_ptr(p)			(p)
#define per_cpu(var, cpu)		(*((void)(cpu), &(var)))
#define CPUHP_RADIX_DEAD		0
#define cpuhp_setup_state_nocalls(s, n, up, down)	((void)(down), 0)

/* Locks that may sleep */
struct mutex {
#if defined(SHIM_STEPS)
	unsigned long held;
#elif defined(SHIM_BENCH)
	int held;
#else
	pthread_mutex_t mutex;
#endif
};

struct rw_semaphore {
	struct mutex mutex;
};

void shim_mutex_init(struct mutex *mutex);
void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

#define mutex_init(m)		shim_mutex_init(m)
#define init_rwsem(s)		shim_mutex_init(&(s)->mutex)
#define down_write(s)		mutex_lock(&(s)->mutex)
#define up_write(s)		mutex_unlock(&(s)->mutex)
/* Readers exclude each other too: slower, and that is all */
#define down_read(s)		mutex_lock(&(s)->mutex)
#define up_read(s)		mutex_unlock(&(s)->mutex)

#endif
