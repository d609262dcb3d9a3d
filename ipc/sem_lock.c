// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: who owns a semaphore.  Everything here is about getting
 * at the semaphores of an operation and giving them back; the rules and the
 * order of locks are in sem.c.
 */

#include "sem.h"

#ifdef CONFIG_PROVE_LOCKING
/* Several semaphore locks are taken in the order of the array only */
static int sem_lock_order(const struct lockdep_map *a,
			  const struct lockdep_map *b)
{
	return a < b ? -1 : a > b;
}
#endif

static bool sem_is_claimed(struct sem *sem)
{
	return atomic64_read(&sem->state) & SEM_CLAIMED;
}

/* Context: owner; gives the semaphore back to everybody */
static void sem_release(struct sem *sem)
{
	sem_release_word(sem, sem_value(sem),
			 sem_has_sleepers(sem) ? SEM_QUEUED : 0);
}

/**
 * sem_init_locks - initialise the locks and owners of a new set
 * @sma:    the set, zeroed but for nsems
 * @coarse: the claim lock shall own all semaphores for ever
 *
 * Context: Before the set is visible.
 */
void sem_init_locks(struct sem_array *sma, bool coarse)
{
	struct sem *sem;

	spin_lock_init(&sma->claim_lock);
	for (sem = sma->sems; sem < sma->sems + sma->nsems; sem++) {
		spin_lock_init(&sem->lock);
		lock_set_cmp_fn(&sem->lock, sem_lock_order, NULL);
		sem->claims = coarse;
		atomic64_set(&sem->state, coarse ? SEM_CLAIMED : 0);
	}
}

/* Take the locks of all slots, unless one of the semaphores is claimed */
static bool sem_own_locks(struct sem_op *op)
{
	unsigned int n, i;

	if (op->nslots > SEM_MAX_LOCKS)
		return false;

	for (n = 0; n < op->nslots; n++) {
		struct sem *sem = op->slots[n].sem;

		/* A look in passing; the one under the lock counts */
		if (sem_is_claimed(sem))
			break;
		spin_lock(&sem->lock);
		if (sem_is_claimed(sem)) {
			spin_unlock(&sem->lock);
			break;
		}
	}
	if (n < op->nslots) {
		while (n--)
			spin_unlock(&op->slots[n].sem->lock);
		return false;
	}

	for (i = 0; i < n; i++)
		sem_set_busy(op->slots[i].sem);
	op->by_claim = false;
	return true;
}

/**
 * sem_own - become the owner of all semaphores of an operation
 * @op: the operation, with its slots
 *
 * Context: Under RCU, no locks held.  On success the locks are held that
 *          sem_disown() releases.
 * Return: 0, or -EIDRM if the set was removed.
 */
int sem_own(struct sem_op *op)
{
	return sem_own_locks(op) ? 0 : sem_own_claim(op);
}

/**
 * sem_own_claim - become the owner by way of the claim lock
 * @op: the operation, with its slots
 *
 * An operation on several semaphores claims each of them.  One on a single
 * semaphore claims nothing, and leaves again if the semaphore is not claimed:
 * otherwise claims would breed claims and never end under load.
 *
 * Context: as sem_own().
 * Return: 0, or -EIDRM if the set was removed.
 */
int sem_own_claim(struct sem_op *op)
{
	struct sem_array *sma = op->sma;
	unsigned int i;
	int err;

	err = sem_lock_set(sma);
	if (err)
		return err;

	op->by_claim = true;
	if (op->nslots > 1) {
		for (i = 0; i < op->nslots; i++)
			sem_claim(op->slots[i].sem);
		op->claims = true;
	} else if (!sem_is_claimed(op->slots->sem)) {
		/* Nobody can claim it between the two locks */
		spin_lock(&op->slots->sem->lock);
		sem_unlock_set(sma);
		sem_set_busy(op->slots->sem);
		op->by_claim = false;
	}
	return 0;
}

/**
 * sem_own_asleep - own the semaphores of a sleeper that wants to leave
 * @op: the operation; if it has ended meanwhile, op->result says so
 *
 * Context: Under RCU since before @op was seen to be open, no locks held.
 *          sem_disown() releases what is taken.
 */
void sem_own_asleep(struct sem_op *op)
{
	if (op->nslots == 1 && sem_own_locks(op))
		return;

	/* The semaphores of a sleeping multi operation are claimed by itself */
	spin_lock(&op->sma->claim_lock);
	op->by_claim = true;
	if (op->nslots == 1 && !sem_is_claimed(op->slots->sem)) {
		spin_lock(&op->slots->sem->lock);
		spin_unlock(&op->sma->claim_lock);
		sem_set_busy(op->slots->sem);
		op->by_claim = false;
	}
}

/**
 * sem_disown - give everything back
 * @op: the operation; if it sleeps now, it keeps its claims
 * @h:  sleepers that were completed meanwhile: their results are published
 *
 * Context: Owner of the semaphores of @op; releases the locks.
 */
void sem_disown(struct sem_op *op, struct sem_handoff *h)
{
	unsigned int i;

	if (op->by_claim) {
		if (h->done)
			sem_publish(h);
		if (op->claims && !op->queued) {
			op->claims = false;
			for (i = 0; i < op->nslots; i++)
				sem_unclaim(op->slots[i].sem);
		}
		sem_unlock_set(op->sma);
		return;
	}

	for (i = 0; i < op->nslots; i++)
		sem_release(op->slots[i].sem);
	if (h->done)
		sem_publish(h);
	for (i = op->nslots; i--; )
		spin_unlock(&op->slots[i].sem->lock);
}

/**
 * sem_lock_set - take the claim lock of a set that must still be there
 * @sma: the set
 *
 * Context: Under RCU or with a reference, no semaphore lock held.
 * Return: 0, or -EIDRM without the lock.
 */
int sem_lock_set(struct sem_array *sma)
{
	spin_lock(&sma->claim_lock);
	if (!sma->removed)
		return 0;
	spin_unlock(&sma->claim_lock);
	return -EIDRM;
}

/**
 * sem_unlock_set - release the claim lock
 * @sma: the set
 */
void sem_unlock_set(struct sem_array *sma)
{
	spin_unlock(&sma->claim_lock);
}

/**
 * sem_claim - let the claim lock own a semaphore
 * @sem: the semaphore
 *
 * Context: Holds the claim lock, no semaphore lock.
 */
void sem_claim(struct sem *sem)
{
	/*
	 * The semaphore's lock makes sure that nobody is at work on it; the
	 * atomic operation, that the lock-free path is neither.
	 */
	if (!sem->claims) {
		spin_lock(&sem->lock);
		atomic64_or(SEM_CLAIMED, &sem->state);
		/* SEM_STATE_B, as in sem_set_busy() */
		smp_mb__after_atomic();
		spin_unlock(&sem->lock);
	}
	/* Only now: who works under the semaphore's lock reads the count too */
	sem->claims++;
}

/**
 * sem_unclaim - give a claim back; the last one returns the semaphore
 * @sem: the semaphore
 *
 * Context: Holds the claim lock, no semaphore lock.
 */
void sem_unclaim(struct sem *sem)
{
	if (--sem->claims)
		return;
	spin_lock(&sem->lock);
	sem_release(sem);
	spin_unlock(&sem->lock);
}

/**
 * sem_claim_all - let the claim lock own the whole set
 * @sma: the set
 *
 * Context: Holds the claim lock; takes O(nsems).
 */
void sem_claim_all(struct sem_array *sma)
{
	int i;

	for (i = 0; i < sma->nsems; i++)
		sem_claim(&sma->sems[i]);
}

/**
 * sem_unclaim_all - undo sem_claim_all()
 * @sma: the set
 *
 * Context: Holds the claim lock; takes O(nsems).
 */
void sem_unclaim_all(struct sem_array *sma)
{
	int i;

	for (i = 0; i < sma->nsems; i++)
		sem_unclaim(&sma->sems[i]);
}
