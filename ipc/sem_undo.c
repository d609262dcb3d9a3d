// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: SEM_UNDO, and what fork, unshare and exit do with it.
 *
 * An undo group (tasks tied by CLONE_SYSVSEM) has one struct sem_undo for each
 * set in which it used SEM_UNDO, and that one struct sem_adjust for each
 * semaphore.  Both are found by index under RCU, without a lock, and are made
 * on first use.  An adjustment belongs to the owner of its semaphore.
 *
 * Structures are linked and unlinked under the claim lock of their set, and
 * whoever unlinks one drops the reference that linking stands for.  exit_sem()
 * and IPC_RMID can thus meet: the first under the lock unlinks, the other one
 * finds nothing.  While a structure is linked, its group and its set exist.
 */

#include "sem.h"

static struct sem_undo_list *sem_undo_group(void)
{
	struct sem_undo_list *group = current->sysvsem.undo_list;

	if (group)
		return group;
	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	if (!group)
		return NULL;
	refcount_set(&group->refs, 1);
	xa_init_flags(&group->sets, XA_FLAGS_ACCOUNT);
	current->sysvsem.undo_list = group;
	return group;
}

static int sem_set_index(struct sem_array *sma)
{
	return ipcid_to_idx(sma->sem_perm.id);
}

/* The group's structure for a set, or NULL.  Context: under RCU. */
static struct sem_undo *sem_undo_find(struct sem_undo_list *group,
				      struct sem_array *sma)
{
	/* SEM_FIRST, pairs with the cmpxchg() in sem_undo_link() */
	struct sem_undo *undo = smp_load_acquire(&group->first);

	if (undo && undo->sma == sma)
		return undo;
	undo = xa_load(&group->sets, sem_set_index(sma));
	/* An index is used again, by a set that is another one */
	return undo && undo->sma == sma ? undo : NULL;
}

static void sem_undo_put(struct sem_undo *undo)
{
	struct sem_adjust *adjust;
	unsigned long num;

	if (!refcount_dec_and_test(&undo->refs))
		return;
	xa_for_each(&undo->adjusts, num, adjust)
		kfree_rcu(adjust, rcu);
	xa_destroy(&undo->adjusts);
	kfree_rcu(undo, rcu);
}

/*
 * Whoever unlinks a structure drops the reference that linking stands for, but
 * not under the locks: that frees as many adjustments as there are.
 * Context: holds the claim lock; under RCU, which keeps the group.
 */
static void sem_undo_unlink(struct sem_undo *undo)
{
	void *old;

	list_del(&undo->link);
	cmpxchg(&undo->group->first, undo, NULL);
	/*
	 * Not xa_erase(): it frees an empty node first and unlinks it then, so
	 * that a reader who comes in between could outlive its grace period.
	 * The nodes go with the group.
	 */
	old = xa_store(&undo->group->sets, sem_set_index(undo->sma),
		       XA_ZERO_ENTRY, GFP_NOWAIT);
	WARN_ON_ONCE(old != undo);
}

/**
 * sem_undo_current - what the current task's group has to give back to a set
 * @sma: the set
 *
 * Context: Under RCU, which keeps it.
 * Return: the structure, or NULL if there is none yet.
 */
struct sem_undo *sem_undo_current(struct sem_array *sma)
{
	struct sem_undo_list *group = current->sysvsem.undo_list;

	return group ? sem_undo_find(group, sma) : NULL;
}

/**
 * sem_undo_attach - point the slots of an operation at their adjustments
 * @op: the operation, with its slots
 *
 * Context: Under RCU.
 * Return: false if one is missing: sem_undo_prepare() makes it.
 */
bool sem_undo_attach(struct sem_op *op)
{
	struct sem_undo *undo = sem_undo_current(op->sma);
	unsigned int i;

	if (!undo)
		return false;

	for (i = 0; i < op->nsops; i++) {
		struct sem_slot *slot;

		if (!(op->sops[i].sem_flg & SEM_UNDO))
			continue;
		slot = &op->slots[op->slot_of[i]];
		if (slot->undo)
			continue;
		slot->undo = xa_load(&undo->adjusts, op->sops[i].sem_num);
		if (!slot->undo)
			return false;
	}
	return true;
}

/* Link @new, or drop it if another thread of the group was first */
static int sem_undo_link(struct sem_undo *new)
{
	struct sem_array *sma = new->sma;
	int err = sem_lock_set(sma);

	if (err)
		return err;
	if (!sem_undo_find(new->group, sma)) {
		err = xa_err(xa_store(&new->group->sets, sem_set_index(sma),
				      new, GFP_NOWAIT));
		if (!err) {
			refcount_inc(&new->refs);
			list_add(&new->link, &sma->undos);
			/* SEM_FIRST: fully ordered, for sem_undo_find() */
			cmpxchg(&new->group->first, NULL, new);
		}
	}
	sem_unlock_set(sma);
	return err;
}

/* The group's structure for @sma, with a reference, or ERR_PTR() */
static struct sem_undo *sem_undo_get(struct sem_undo_list *group,
				     struct sem_array *sma)
{
	struct sem_undo *undo, *new;
	int err;

	for (;;) {
		rcu_read_lock();
		undo = sem_undo_find(group, sma);
		if (undo && !refcount_inc_not_zero(&undo->refs))
			undo = ERR_PTR(-EIDRM);
		rcu_read_unlock();
		if (undo)
			return undo;

		new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
		if (!new)
			return ERR_PTR(-ENOMEM);
		new->sma = sma;
		new->group = group;
		refcount_set(&new->refs, 1);
		xa_init_flags(&new->adjusts, XA_FLAGS_ACCOUNT);

		err = xa_reserve(&group->sets, sem_set_index(sma), GFP_KERNEL);
		if (!err)
			err = sem_undo_link(new);
		sem_undo_put(new);
		if (err)
			return ERR_PTR(err);
	}
}

/* Make the adjustment for semaphore @num.  Context: holds a reference. */
static int sem_undo_add(struct sem_undo *undo, int num)
{
	struct sem_array *sma = undo->sma;
	struct sem_adjust *adjust;
	int err;

	if (xa_load(&undo->adjusts, num))
		return 0;
	adjust = kzalloc(sizeof(*adjust), GFP_KERNEL_ACCOUNT);
	if (!adjust)
		return -ENOMEM;
	adjust->sem = sem_at(sma, num);
	adjust->num = num;

	err = xa_reserve(&undo->adjusts, num, GFP_KERNEL);
	if (!err)
		err = sem_lock_set(sma);
	if (err)
		goto free;
	if (!xa_load(&undo->adjusts, num)) {
		err = xa_err(xa_store(&undo->adjusts, num, adjust, GFP_NOWAIT));
		if (!err)
			adjust = NULL;
	}
	sem_unlock_set(sma);
free:
	kfree(adjust);
	return err;
}

/**
 * sem_undo_prepare - make what an operation with SEM_UNDO lacks
 * @ns:    the caller's namespace
 * @semid: id of the set, which the caller may use
 * @sops:  sops of the operation
 * @nsops: how many
 *
 * Context: Process context, may sleep.
 * Return: 0, -ENOMEM, -EINVAL or -EIDRM if the set has gone.
 */
int sem_undo_prepare(struct ipc_namespace *ns, int semid,
		     const struct sembuf *sops, unsigned int nsops)
{
	struct sem_undo_list *group = sem_undo_group();
	struct sem_array *sma;
	struct sem_undo *undo;
	unsigned int i;
	int err = 0;

	if (!group)
		return -ENOMEM;

	rcu_read_lock();
	sma = sem_find(ns, semid);
	if (!IS_ERR(sma) && !ipc_rcu_getref(&sma->sem_perm))
		sma = ERR_PTR(-EIDRM);
	rcu_read_unlock();
	if (IS_ERR(sma))
		return PTR_ERR(sma);

	undo = sem_undo_get(group, sma);
	if (IS_ERR(undo)) {
		err = PTR_ERR(undo);
		goto put_set;
	}
	for (i = 0; i < nsops && !err; i++)
		if ((sops[i].sem_flg & SEM_UNDO) && sops[i].sem_num < sma->nsems)
			err = sem_undo_add(undo, sops[i].sem_num);
	sem_undo_put(undo);
put_set:
	sem_put(sma);
	return err;
}

/**
 * sem_undo_clear - forget everybody's adjustment for one semaphore: SETVAL
 * @sma: the set
 * @num: index of the semaphore
 *
 * Context: Holds the claim lock; owner of the semaphore.
 */
void sem_undo_clear(struct sem_array *sma, int num)
{
	struct sem_undo *undo;

	list_for_each_entry(undo, &sma->undos, link) {
		struct sem_adjust *adjust = xa_load(&undo->adjusts, num);

		if (adjust)
			adjust->adj = 0;
	}
}

/**
 * sem_undo_clear_all - forget everybody's adjustments for a set: SETALL
 * @sma: the set
 *
 * Context: Holds the claim lock; owner of all semaphores.
 */
void sem_undo_clear_all(struct sem_array *sma)
{
	struct sem_undo *undo;

	list_for_each_entry(undo, &sma->undos, link) {
		struct sem_adjust *adjust;
		unsigned long num;

		xa_for_each(&undo->adjusts, num, adjust)
			adjust->adj = 0;
	}
}

/**
 * sem_undo_unlink_set - unlink all undo structures of a removed set
 * @sma:   the set
 * @undos: where they go, for sem_undo_free_unlinked()
 *
 * Context: Holds the claim lock; under RCU.
 */
void sem_undo_unlink_set(struct sem_array *sma, struct list_head *undos)
{
	struct sem_undo *undo, *next;

	list_for_each_entry_safe(undo, next, &sma->undos, link) {
		sem_undo_unlink(undo);
		list_add(&undo->link, undos);
	}
}

/**
 * sem_undo_free_unlinked - free what sem_undo_unlink_set() unlinked
 * @undos: the structures
 *
 * Context: Process context, no locks held.
 */
void sem_undo_free_unlinked(struct list_head *undos)
{
	struct sem_undo *undo, *next;

	list_for_each_entry_safe(undo, next, undos, link)
		sem_undo_put(undo);
}

/*
 * Give back what the group owes to one set, as one operation: it never waits,
 * and what would leave 0..SEMVMX stops there (semop(2), BUGS).
 */
static void sem_undo_apply(struct sem_undo *undo, struct sem_handoff *h)
{
	struct pid *pid = task_tgid(current);
	struct sem_adjust *adjust;
	unsigned long num;

	/* Nobody is left in the group: only SETVAL changes what is owed */
	xa_for_each(&undo->adjusts, num, adjust)
		if (adjust->adj)
			sem_claim(adjust->sem);

	xa_for_each(&undo->adjusts, num, adjust) {
		struct sem *sem = adjust->sem;

		if (!adjust->adj)
			continue;
		sem_set_value(sem, clamp(sem_value(sem) + adjust->adj, 0, SEMVMX));
		sem_set_pid(sem, pid);
		sem_changed(sem, h);
	}
	sem_touch_otime(undo->sma);
	sem_hand_off(h, 1);
	sem_publish(h);

	xa_for_each(&undo->adjusts, num, adjust)
		if (adjust->adj)
			sem_unclaim(adjust->sem);
}

/* A removal that came first has unlinked it.  Context: as sem_undo_unlink(). */
static void sem_undo_end(struct sem_undo *undo)
{
	struct sem_array *sma = undo->sma;
	struct sem_handoff h;

	if (sem_lock_set(sma))
		return;
	sem_handoff_init(&h);
	sem_undo_apply(undo, &h);
	sem_undo_unlink(undo);
	sem_unlock_set(sma);
	wake_up_q(&h.wake_q);
	sem_undo_put(undo);
}

/**
 * copy_semundo - let a new task join the undo group of its parent, or none
 * @clone_flags: flags of clone()
 * @tsk:         the new task
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int copy_semundo(unsigned long clone_flags, struct task_struct *tsk)
{
	struct sem_undo_list *group = NULL;

	if (clone_flags & CLONE_SYSVSEM) {
		group = sem_undo_group();
		if (!group)
			return -ENOMEM;
		refcount_inc(&group->refs);
	}
	tsk->sysvsem.undo_list = group;
	return 0;
}

/**
 * exit_sem - leave the undo group; the last one out settles its debts
 * @tsk: the task: exiting, unsharing, or a child that could not be made
 *
 * Context: Process context, may sleep.
 */
void exit_sem(struct task_struct *tsk)
{
	struct sem_undo_list *group = tsk->sysvsem.undo_list;
	unsigned long index = 0;
	struct sem_undo *undo;

	if (!group)
		return;
	tsk->sysvsem.undo_list = NULL;
	if (!refcount_dec_and_test(&group->refs))
		return;

	do {
		cond_resched();
		rcu_read_lock();
		undo = xa_find(&group->sets, &index, ULONG_MAX, XA_PRESENT);
		if (undo)
			sem_undo_end(undo);
		rcu_read_unlock();
	} while (undo);

	/* IPC_RMID may still be on its way out of our xarray: hence RCU */
	xa_destroy(&group->sets);
	kfree_rcu(group, rcu);
}
