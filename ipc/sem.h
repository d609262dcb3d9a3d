/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System V semaphores: private types and prototypes.  The design (who owns
 * what, lock order, the life of a sleeper, removal, barriers) is told in sem.c.
 *
 * This is the only header that ipc/sem*.c include for anything outside ipc/.
 *
 * Which lock protects a field, named behind it:
 *
 *   I  set before the set, operation or record is visible, then constant
 *   O  the owner of the semaphore: its lock, or the claim lock while CLAIMED
 *   C  the set's claim lock
 *   P  sem_perm.lock
 *   N  ids->lock of the namespace
 *   A  atomic, or READ_ONCE() and WRITE_ONCE()
 *   T  the task whose operation it is, and while that sleeps the owner of all
 *      semaphores of the operation
 */
#ifndef _IPC_SEM_H
#define _IPC_SEM_H

#include <linux/atomic.h>
#include <linux/audit.h>
#include <linux/cache.h>
#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/ipc_namespace.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/moduleparam.h>
#include <linux/nospec.h>
#include <linux/nsproxy.h>
#include <linux/pid.h>
#include <linux/rbtree_augmented.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/rhashtable.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/wake_q.h>
#include <linux/security.h>
#include <linux/sem.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/spinlock.h>
#include <linux/syscalls.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include "util.h"

/*
 * The state word of a semaphore.  The version moves whenever the recorded pid
 * does, so that a compare-and-exchange of the word vouches for the pid too.
 */
#define SEM_VALUE_MASK	0xffffULL
#define SEM_BUSY	BIT_ULL(16)	/* the holder of the lock is at work */
#define SEM_QUEUED	BIT_ULL(17)	/* somebody sleeps here */
#define SEM_CLAIMED	BIT_ULL(18)	/* belongs to the set's claim lock */
#define SEM_FLAGS	(SEM_BUSY | SEM_QUEUED | SEM_CLAIMED)
#define SEM_VERSION_ONE	BIT_ULL(19)

/*
 * More locks than these are not nested: lockdep follows 48 levels, and on
 * PREEMPT_RT each lock takes two of them.  Longer operations claim.  Operations
 * with no more sops than this need no allocation either.
 */
#define SEM_MAX_LOCKS	8

/**
 * struct sem - one semaphore
 * @lock:    owns the semaphore while it is not CLAIMED
 * @claims:  (C) operations that need it owned by the claim lock
 * @state:   (O; see SEM_STATE_A and B in sem.c) value, flags, version
 * @pid:     (O) who operated on it last, with a reference
 * @zero:    (O) sleepers that only wait for zero, by ticket
 * @plain:   (O) sleepers that only subtract, by ticket, with least need
 * @mixed:   (O) all other sleepers that touch this semaphore, by ticket
 * @next:    (O) chain of semaphores that changed, during a hand-off; the last
 *           one points to itself, NULL is: not in the chain
 * @ncnt:    (O) sleepers that wait for a higher value
 * @zcnt:    (O) sleepers that wait for zero
 */
struct sem {
	spinlock_t	lock;		/* owns all below, unless CLAIMED */
	int		claims;
	atomic64_t	state;
	struct pid	*pid;
	struct rb_root	zero;
	struct rb_root	plain;
	struct rb_root	mixed;
	struct sem	*next;
	unsigned int	ncnt;
	unsigned int	zcnt;
} ____cacheline_aligned_in_smp;

/**
 * struct sem_array - one set
 * @sem_perm:   identity and permissions
 * @nsems:      (I) semaphores in the set
 * @otime:      (A) when the last operation succeeded, in seconds; written once
 *              a second, which is why it may stand beside what is only read
 * @claim_lock: owns every CLAIMED semaphore of the set
 * @removed:    (C) the set has gone: nothing may be done with it any more
 * @undos:      (C) all undo structures for this set
 * @ctime:      (A) creation or last change by semctl(), in seconds
 * @sems:       the semaphores
 */
struct sem_array {
	struct kern_ipc_perm	sem_perm;
	int			nsems;
	atomic64_t		otime;

	spinlock_t		claim_lock ____cacheline_aligned_in_smp;
	bool			removed;
	struct list_head	undos;
	atomic64_t		ctime;

	struct sem		sems[];
};

/**
 * struct sem_adjust - what one undo group has to give back to one semaphore
 * @sem: (I) the semaphore
 * @adj: (O) is added to the value when the group ends
 * @num: (I) index of the semaphore
 * @rcu: for freeing
 *
 * One cache line each, so that threads of a process that use semaphores of
 * their own write no common line.
 */
struct sem_adjust {
	struct sem	*sem;
	int		adj;
	int		num;
	struct rcu_head	rcu;
} ____cacheline_aligned_in_smp;

/**
 * struct sem_undo - all adjustments of one undo group for one set
 * @sma:     (I) the set: ids are used again, sets are not
 * @group:   (I) the group
 * @link:    (C) in sma->undos; after that, whoever unlinked it
 * @adjusts: struct sem_adjust by index; read under RCU, written under (C)
 * @refs:    one for being linked, one for whoever adds an adjustment
 * @rcu:     for freeing
 */
struct sem_undo {
	struct sem_array	*sma;
	struct sem_undo_list	*group;
	struct list_head	link;
	struct xarray		adjusts;
	refcount_t		refs;
	struct rcu_head		rcu;
};

/**
 * struct sem_undo_list - the undo group: tasks tied by CLONE_SYSVSEM
 * @refs:  tasks in the group
 * @first: (A) one of @sets, looked at first: most groups have one set.  Set
 *         and cleared with its place in @sets
 * @sets:  struct sem_undo by index of the set; read under RCU, written under
 *         the claim lock of that set
 * @rcu:   for freeing
 */
struct sem_undo_list {
	refcount_t	refs;
	struct sem_undo	*first;
	struct xarray	sets;
	struct rcu_head	rcu;
};

struct sem_op;

/**
 * struct sem_slot - one semaphore that an operation touches
 * @sem:    (I) the semaphore
 * @undo:   (I) the adjustment, if a sop for this semaphore has SEM_UNDO
 * @value:  (T) the value while the sops are tried
 * @adj:    (T) the adjustment while the sops are tried
 * @op:     (I) the operation
 * @node:   (O) in one of the trees of @sem, while the operation sleeps
 * @lightest: (O) in the plain tree: the greatest sem_op, that is the least
 *          need, in the subtree of @node
 */
struct sem_slot {
	struct sem		*sem;
	struct sem_adjust	*undo;
	int			value;
	int			adj;
	struct sem_op		*op;
	struct rb_node		node;
	int			lightest;
};

/* Which of the three trees an operation sleeps in */
enum sem_kind {
	SEM_WAITS_ZERO,		/* one sop, wait for zero */
	SEM_PLAIN,		/* one sop, subtract */
	SEM_MIXED,		/* anything else */
};

/* sem_op.result while it is open */
#define SEM_PENDING	1

/**
 * struct sem_op - an operation, at work or asleep; on its task's stack
 * @sma:      (I) the set
 * @sops:     (I) what the caller wants
 * @slot_of:  (I) index of the slot of each sop, NULL if there is one slot
 * @slots:    (I) the semaphores, ascending
 * @nsops:    (I) number of sops
 * @nslots:   (I) number of slots
 * @kind:     (I) where it sleeps
 * @alter:    (I) some sop changes a value
 * @undo:     (I) some sop has SEM_UNDO
 * @by_claim: (T) the claim lock, not the semaphores' own, makes us the owner
 * @claims:   (T) it holds a claim on each of its semaphores
 * @queued:   (T) it is in the trees
 * @is_candidate: (T) @candidate is in use
 * @in_vain:  (T) tried since values last changed in a hand-off: it still blocks
 * @blocking: (T) index of the sop that blocks
 * @ticket:   (T) place in arrival order, see sem_ticket()
 * @pid:      (I) what sempid becomes
 * @task:     (I) whom to wake
 * @candidate: (T) by ticket among those that can end, during a hand-off
 * @next:     (T) chain of completed operations, or of those tried in vain,
 *            during a hand-off
 * @outcome:  (T) what @result will be
 * @result:   (A; SEM_RESULT in sem.c) SEM_PENDING, 0, or an error
 */
struct sem_op {
	struct sem_array	*sma;
	struct sembuf		*sops;
	u16			*slot_of;
	struct sem_slot		*slots;
	unsigned int		nsops;
	unsigned int		nslots;
	enum sem_kind		kind;
	bool			alter;
	bool			undo;
	bool			by_claim;
	bool			claims;
	bool			queued;
	bool			is_candidate;
	bool			in_vain;
	unsigned int		blocking;
	u64			ticket;
	struct pid		*pid;
	struct task_struct	*task;
	struct rb_node		candidate;
	struct sem_op		*next;
	int			outcome;
	int			result;
};

/**
 * struct sem_handoff - what one change of values sets off
 * @changed: chain of changed semaphores with sleepers, by sem.next
 * @done:    completed sleepers in the order of completion, by sem_op.next
 * @tail:    where the next one goes
 * @in_vain: sleepers tried in vain since values last changed, by sem_op.next
 * @granted: a sleeper succeeded
 * @wake_q:  tasks to wake when all locks are dropped
 */
struct sem_handoff {
	struct sem		*changed;
	struct sem_op		*done;
	struct sem_op		**tail;
	struct sem_op		*in_vain;
	bool			granted;
	struct wake_q_head	wake_q;
};

/* Limits of a namespace: places in its sem_ctls, as in kernel.sem of proc(5) */
enum sem_limit {
	SEM_LIMIT_SET_SIZE,	/* SEMMSL */
	SEM_LIMIT_SEMAPHORES,	/* SEMMNS */
	SEM_LIMIT_SOPS,		/* SEMOPM */
	SEM_LIMIT_SETS,		/* SEMMNI */
};

/* A sysctl may change it at any time */
static inline int sem_limit(struct ipc_namespace *ns, enum sem_limit which)
{
	return READ_ONCE(ns->sem_ctls[which]);
}

static inline struct ipc_ids *sem_ids(struct ipc_namespace *ns)
{
	return &ns->ids[IPC_SEM_IDS];
}

static inline struct sem_array *sem_of_perm(struct kern_ipc_perm *perm)
{
	return container_of(perm, struct sem_array, sem_perm);
}

/* Context: under RCU, as ipc_obtain_object_check().  Return: or ERR_PTR(). */
static inline struct sem_array *sem_find(struct ipc_namespace *ns, int semid)
{
	struct kern_ipc_perm *perm = ipc_obtain_object_check(sem_ids(ns), semid);

	return IS_ERR(perm) ? ERR_CAST(perm) : sem_of_perm(perm);
}

/* Context: owner of the semaphore */
static inline int sem_value(struct sem *sem)
{
	return atomic64_read(&sem->state) & SEM_VALUE_MASK;
}

/* Context: owner; BUSY or CLAIMED keep everybody else from the word */
static inline void sem_set_value(struct sem *sem, int value)
{
	u64 word = atomic64_read(&sem->state);

	atomic64_set(&sem->state, (word & ~SEM_VALUE_MASK) | value);
}

/* Context: owner */
static inline void sem_set_pid(struct sem *sem, struct pid *pid)
{
	struct pid *last = sem->pid;

	if (last == pid)
		return;
	/* Read without the lock by sem_try_lockless(), which only compares */
	WRITE_ONCE(sem->pid, get_pid(pid));
	put_pid(last);
	atomic64_set(&sem->state, atomic64_read(&sem->state) + SEM_VERSION_ONE);
}

/* Context: owner */
static inline bool sem_has_sleepers(struct sem *sem)
{
	return !RB_EMPTY_ROOT(&sem->plain) || !RB_EMPTY_ROOT(&sem->mixed) ||
	       !RB_EMPTY_ROOT(&sem->zero);
}

/*
 * Shut the lock-free way.  Context: holds the lock of a semaphore that is not
 * CLAIMED.
 */
static inline void sem_set_busy(struct sem *sem)
{
	atomic64_or(SEM_BUSY, &sem->state);
	/* SEM_STATE_B: before the owner writes; pairs with sem_try_lockless() */
	smp_mb__after_atomic();
}

/*
 * The last touch of the word by an owner, who gives it back with these flags.
 * SEM_STATE_A: pairs with the acquire in sem_try_lockless() and sem_read().
 */
static inline void sem_release_word(struct sem *sem, int value, u64 flags)
{
	u64 word = atomic64_read(&sem->state) & ~(SEM_VALUE_MASK | SEM_FLAGS);

	atomic64_set_release(&sem->state, word | flags | value);
}

/*
 * Does one sop carry a semaphore from 0..SEMVMX into 0..SEMVMX, or find its
 * zero?  @value is that after the sop.
 */
static inline bool sem_sop_goes(const struct sembuf *sop, int value)
{
	return sop->sem_op ? value >= 0 && value <= SEMVMX : !value;
}

/* Context: under RCU or with a reference; @num is below nsems */
static inline struct sem *sem_at(struct sem_array *sma, unsigned int num)
{
	return &sma->sems[array_index_nospec(num, sma->nsems)];
}

/*
 * Written when the second changes: operations share this cache line.  A slower
 * one on another semaphore does not take a second back; a clock that was set
 * back does.
 */
static inline void sem_touch_otime(struct sem_array *sma)
{
	time64_t now = ktime_get_real_seconds();
	time64_t last = atomic64_read(&sma->otime);

	if (last != now && last != now + 1)
		atomic64_cmpxchg(&sma->otime, last, now);
}

static inline void sem_touch_ctime(struct sem_array *sma)
{
	atomic64_set(&sma->ctime, ktime_get_real_seconds());
}

static inline void sem_handoff_init(struct sem_handoff *h)
{
	h->changed = NULL;
	h->done = NULL;
	h->tail = &h->done;
	h->in_vain = NULL;
	h->granted = false;
	wake_q_init(&h->wake_q);
}

/* sem.c */
void sem_remove(struct ipc_namespace *ns, struct sem_array *sma);
void sem_put(struct sem_array *sma);

/* sem_lock.c */
void sem_init_locks(struct sem_array *sma, bool coarse);
int sem_own(struct sem_op *op);
int sem_own_claim(struct sem_op *op);
void sem_own_asleep(struct sem_op *op);
void sem_disown(struct sem_op *op, struct sem_handoff *h);
int sem_lock_set(struct sem_array *sma);
void sem_unlock_set(struct sem_array *sma);
void sem_claim(struct sem *sem);
void sem_unclaim(struct sem *sem);
void sem_claim_all(struct sem_array *sma);
void sem_unclaim_all(struct sem_array *sma);

/* sem_short.c */
int sem_try_single(struct sem_array *sma, const struct sembuf *sop);
int sem_try_multi(struct sem_array *sma, const struct sembuf *sops,
		  unsigned int nsops);

/* sem_queue.c */
int sem_try(struct sem_op *op);
void sem_commit(struct sem_op *op, struct sem_handoff *h);
void sem_enqueue(struct sem_op *op);
void sem_dequeue(struct sem_op *op);
void sem_changed(struct sem *sem, struct sem_handoff *h);
void sem_hand_off(struct sem_handoff *h, int own_claims);
void sem_end_sleepers(struct sem *sem, int outcome, struct sem_handoff *h);
void sem_publish(struct sem_handoff *h);

/* sem_undo.c */
int sem_undo_prepare(struct ipc_namespace *ns, int semid,
		     const struct sembuf *sops, unsigned int nsops);
struct sem_undo *sem_undo_current(struct sem_array *sma);
bool sem_undo_attach(struct sem_op *op);
void sem_undo_clear(struct sem_array *sma, int num);
void sem_undo_clear_all(struct sem_array *sma);
void sem_undo_unlink_set(struct sem_array *sma, struct list_head *undos);
void sem_undo_free_unlinked(struct list_head *undos);

/* sem_ctl.c */
int sem_proc_show(struct seq_file *seq, void *obj);

#endif /* _IPC_SEM_H */
