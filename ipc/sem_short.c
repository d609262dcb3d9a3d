// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: the short ways 1 to 3 (see sem.c), for an operation that
 * can go at once and on whose semaphores nobody sleeps.  Whatever else it meets
 * here, it has changed nothing and takes the long way in sem_op.c.
 */

#include "sem.h"

/**
 * struct sem_step - what an operation does to one semaphore
 * @sem:   the semaphore, whose lock is held
 * @undo:  the adjustment, if the sop has SEM_UNDO
 * @value: value to be
 * @adj:   adjustment to be
 */
struct sem_step {
	struct sem		*sem;
	struct sem_adjust	*undo;
	int			value;
	int			adj;
};

/* What sem_try_lockless() returns where way 2 would be in vain, too */
#define SEM_BLOCKS	2

/*
 * The lock-free way: one sop that can go at once, where nobody sleeps and pid
 * and time are recorded already.  The compare-and-exchange vouches for all of
 * that: BUSY, QUEUED and CLAIMED are in the word, and its version moves with
 * the pid.  One try; who loses takes the lock, so that nobody spins.
 */
static int sem_try_lockless(struct sem_array *sma, struct sem *sem,
			    const struct sembuf *sop)
{
	/* SEM_STATE_A, pairs with the release in sem_release_word() */
	u64 word = atomic64_read_acquire(&sem->state);
	int value = (int)(word & SEM_VALUE_MASK) + sop->sem_op;

	if (word & SEM_FLAGS)
		return SEM_PENDING;
	if (!sem_sop_goes(sop, value))
		return sop->sem_flg & IPC_NOWAIT && sop->sem_op <= 0 ?
		       -EAGAIN : SEM_BLOCKS;
	/* SEM_STATE_B: written after BUSY was set, checked by the exchange */
	if (READ_ONCE(sem->pid) != task_tgid(current))
		return SEM_PENDING;
	if (atomic64_read(&sma->otime) != ktime_get_real_seconds())
		return SEM_PENDING;
	return atomic64_try_cmpxchg(&sem->state, (s64 *)&word,
				    (word & ~SEM_VALUE_MASK) | value) ?
	       0 : SEM_PENDING;
}

/* Give a semaphore back as it was */
static void sem_put_back(struct sem *sem)
{
	sem_release_word(sem, sem_value(sem), 0);
	spin_unlock(&sem->lock);
}

/*
 * Become the owner of a semaphore and see that the sop can go there.  Inline,
 * as is sem_give(): calls would be a tenth of what an operation costs.
 */
static __always_inline bool sem_take(struct sem_step *step,
				     const struct sembuf *sop)
{
	const u64 not_ours = SEM_CLAIMED | SEM_QUEUED;
	struct sem *sem = step->sem;

	/* A look in passing; the one under the lock counts */
	if (atomic64_read(&sem->state) & not_ours)
		return false;
	spin_lock(&sem->lock);
	if (atomic64_read(&sem->state) & not_ours)
		goto unlock;

	sem_set_busy(sem);
	step->value = sem_value(sem) + sop->sem_op;
	if (!sem_sop_goes(sop, step->value))
		goto put_back;
	if (step->undo) {
		step->adj = step->undo->adj - sop->sem_op;
		if (step->adj > SEMAEM || step->adj < -SEMAEM - 1)
			goto put_back;
	}
	return true;

unlock:
	spin_unlock(&sem->lock);
	return false;
put_back:
	sem_put_back(sem);
	return false;
}

/* Carry a step out and give the semaphore back */
static __always_inline void sem_give(struct sem_step *step, struct pid *pid)
{
	struct sem *sem = step->sem;

	sem_set_pid(sem, pid);
	if (step->undo)
		step->undo->adj = step->adj;
	sem_release_word(sem, step->value, 0);
	spin_unlock(&sem->lock);
}

/* The adjustment that a sop with SEM_UNDO changes, if there is one yet */
static bool sem_find_adjust(struct sem_array *sma, struct sem_step *step,
			    const struct sembuf *sop)
{
	struct sem_undo *undo = sem_undo_current(sma);

	step->undo = undo ? xa_load(&undo->adjusts, sop->sem_num) : NULL;
	return step->undo;
}

/* Way 2, for one sop.  Kept out of sem_try_single(), which saves no registers. */
static noinline int sem_try_one_lock(struct sem_array *sma, struct sem *sem,
				     const struct sembuf *sop)
{
	struct sem_step step = { .sem = sem };

	if ((sop->sem_flg & SEM_UNDO) && !sem_find_adjust(sma, &step, sop))
		return SEM_PENDING;
	if (!sem_take(&step, sop))
		return SEM_PENDING;
	sem_touch_otime(sma);
	sem_give(&step, task_tgid(current));
	return 0;
}

/**
 * sem_try_single - carry out an operation with one sop, if that is simple
 * @sma: the set
 * @sop: the sop, on a semaphore that the set has
 *
 * Context: Under RCU.
 * Return: 0 if done, -EAGAIN if it would have to wait and must not,
 *         SEM_PENDING if it has to take the long way.
 */
int sem_try_single(struct sem_array *sma, const struct sembuf *sop)
{
	struct sem *sem = sem_at(sma, sop->sem_num);

	if (!(sop->sem_flg & SEM_UNDO)) {
		int result = sem_try_lockless(sma, sem, sop);

		if (result == SEM_BLOCKS)
			return SEM_PENDING;
		if (result != SEM_PENDING)
			return result;
	}
	return sem_try_one_lock(sma, sem, sop);
}

/**
 * sem_try_multi - carry out an operation with several sops, if that is simple
 * @sma:   the set
 * @sops:  the sops, on semaphores that the set has
 * @nsops: how many, up to SEM_MAX_LOCKS
 *
 * Simple is: each semaphore once, in the order of the array.  A semaphore that
 * has been taken stays as it is, so each can be judged when it is.
 *
 * Context: Under RCU.
 * Return: 0 if done, SEM_PENDING if it has to take the long way.
 */
int sem_try_multi(struct sem_array *sma, const struct sembuf *sops,
		  unsigned int nsops)
{
	struct sem_step steps[SEM_MAX_LOCKS] __uninitialized;
	struct sem_step *step = steps, *taken;
	const struct sembuf *sop;
	struct pid *pid;
	int last = -1;

	for (sop = sops; sop < sops + nsops; sop++) {
		if (sop->sem_num <= last)
			goto put_back;
		last = sop->sem_num;
		step->sem = sem_at(sma, sop->sem_num);
		step->undo = NULL;
		if ((sop->sem_flg & SEM_UNDO) &&
		    !sem_find_adjust(sma, step, sop))
			goto put_back;
		if (!sem_take(step, sop))
			goto put_back;
		step++;
	}

	pid = task_tgid(current);
	sem_touch_otime(sma);
	for (taken = steps; taken < step; taken++)
		sem_give(taken, pid);
	return 0;

put_back:
	for (taken = steps; taken < step; taken++)
		sem_put_back(taken->sem);
	return SEM_PENDING;
}
