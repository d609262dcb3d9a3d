// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: try an operation, queue it, hand off.  Decisions only:
 * no system calls, no user memory, no locks but what the caller holds.
 *
 * All functions are for the owner of the semaphores concerned (see sem.c).
 */

#include "sem.h"
#include <trace/events/sem.h>

/*
 * A ticket is a place in arrival order.  Its two uppermost bits put those that
 * alter nothing before all others, wherever a value is zero: first the waits
 * for zero with one sop, then longer operations that only wait for zero.
 */
#define SEM_TICKET_SHIFT	62
#define SEM_TICKET_TIME		(BIT_ULL(SEM_TICKET_SHIFT) - 1)

#define slot_of_node(n)		rb_entry_safe(n, struct sem_slot, node)

static int slot_sem_op(struct sem_slot *slot)
{
	return slot->op->sops->sem_op;
}

RB_DECLARE_CALLBACKS_MAX(static, sem_plain_callbacks, struct sem_slot, node,
			 int, lightest, slot_sem_op)

static struct sem_slot *sem_slot_of_sop(struct sem_op *op, unsigned int sop)
{
	return &op->slots[op->nslots > 1 ? op->slot_of[sop] : 0];
}

/*
 * Trying
 */

/**
 * sem_try - what would become of an operation now?
 * @op: the operation
 *
 * Goes through the sops in order; the first that fails decides (semop(2)).  Only
 * the slots' own fields change: values, adjustments and pids do not.
 *
 * Context: Owner of the semaphores of @op.
 * Return: 0 if it can go: sem_commit() makes it so.  SEM_PENDING if it blocks,
 *         op->blocking says where.  -EAGAIN if it blocks on a sop with
 *         IPC_NOWAIT, -ERANGE if a value or an adjustment would overflow.
 */
int sem_try(struct sem_op *op)
{
	struct sem_slot *slot;
	unsigned int i;

	for (slot = op->slots; slot < op->slots + op->nslots; slot++) {
		slot->value = sem_value(slot->sem);
		if (op->undo && slot->undo)
			slot->adj = slot->undo->adj;
	}

	for (i = 0; i < op->nsops; i++) {
		const struct sembuf *sop = &op->sops[i];
		int value;

		slot = sem_slot_of_sop(op, i);
		value = slot->value + sop->sem_op;
		if (sop->sem_op ? value < 0 : value != 0) {
			if (sop->sem_flg & IPC_NOWAIT)
				return -EAGAIN;
			op->blocking = i;
			return SEM_PENDING;
		}
		if (value > SEMVMX)
			return -ERANGE;
		slot->value = value;

		if (sop->sem_flg & SEM_UNDO) {
			slot->adj -= sop->sem_op;
			if (slot->adj > SEMAEM || slot->adj < -SEMAEM - 1)
				return -ERANGE;
		}
	}
	return 0;
}

/**
 * sem_commit - carry out an operation for which sem_try() has just returned 0
 * @op: the operation
 * @h:  learns which semaphores changed
 *
 * Context: Owner of the semaphores of @op.
 */
void sem_commit(struct sem_op *op, struct sem_handoff *h)
{
	struct sem_slot *slot;

	for (slot = op->slots; slot < op->slots + op->nslots; slot++) {
		struct sem *sem = slot->sem;

		sem_set_value(sem, slot->value);
		sem_set_pid(sem, op->pid);
		if (op->undo && slot->undo)
			slot->undo->adj = slot->adj;
		/* Those who sleep here may have waited for just this */
		if (op->alter)
			sem_changed(sem, h);
	}
}

/*
 * Queues
 */

static struct rb_root *sem_tree(struct sem *sem, enum sem_kind kind)
{
	switch (kind) {
	case SEM_WAITS_ZERO:
		return &sem->zero;
	case SEM_PLAIN:
		return &sem->plain;
	default:
		return &sem->mixed;
	}
}

/* GETNCNT and GETZCNT: a sleeper counts where it blocks at present, once */
static void sem_count(struct sem_op *op, int one)
{
	struct sem *sem = sem_slot_of_sop(op, op->blocking)->sem;

	if (op->sops[op->blocking].sem_op)
		sem->ncnt += one;
	else
		sem->zcnt += one;
}

static u64 sem_last_time(struct rb_root *tree)
{
	struct sem_slot *slot = slot_of_node(rb_last(tree));

	return slot ? slot->op->ticket & SEM_TICKET_TIME : 0;
}

/*
 * The clock orders arrivals at different semaphores, without a counter that
 * they would share.  Clocks can stand still: on one semaphore a ticket is
 * always above all others that sleep there.
 */
static u64 sem_ticket(struct sem_op *op)
{
	u64 time = ktime_get_ns();
	u64 rank = op->alter ? 2 : op->kind == SEM_MIXED;
	struct sem_slot *slot;

	for (slot = op->slots; slot < op->slots + op->nslots; slot++) {
		time = max(time, sem_last_time(&slot->sem->zero) + 1);
		time = max(time, sem_last_time(&slot->sem->plain) + 1);
		time = max(time, sem_last_time(&slot->sem->mixed) + 1);
	}
	return rank << SEM_TICKET_SHIFT | (time & SEM_TICKET_TIME);
}

static void sem_insert(struct sem_slot *slot, enum sem_kind kind)
{
	struct rb_root *tree = sem_tree(slot->sem, kind);
	struct rb_node **link = &tree->rb_node;
	struct rb_node *parent = NULL;

	if (kind == SEM_PLAIN)
		slot->lightest = slot_sem_op(slot);

	while (*link) {
		struct sem_slot *other = slot_of_node(*link);

		parent = *link;
		if (kind == SEM_PLAIN && other->lightest < slot->lightest)
			other->lightest = slot->lightest;
		link = slot->op->ticket < other->op->ticket ? &parent->rb_left :
							      &parent->rb_right;
	}
	rb_link_node(&slot->node, parent, link);
	if (kind == SEM_PLAIN)
		rb_insert_augmented(&slot->node, tree, &sem_plain_callbacks);
	else
		rb_insert_color(&slot->node, tree);
}

/**
 * sem_enqueue - put an operation to sleep that sem_try() found to block
 * @op: the operation; one on several semaphores has its claims
 *
 * Context: Owner of the semaphores of @op.
 */
void sem_enqueue(struct sem_op *op)
{
	struct sem_slot *slot;

	op->ticket = sem_ticket(op);
	for (slot = op->slots; slot < op->slots + op->nslots; slot++)
		sem_insert(slot, op->kind);
	sem_count(op, 1);
	op->queued = true;
}

static void sem_unlink(struct sem_op *op)
{
	struct sem_slot *slot;

	for (slot = op->slots; slot < op->slots + op->nslots; slot++) {
		struct rb_root *tree = sem_tree(slot->sem, op->kind);

		if (op->kind == SEM_PLAIN)
			rb_erase_augmented(&slot->node, tree,
					   &sem_plain_callbacks);
		else
			rb_erase(&slot->node, tree);
	}
}

/**
 * sem_dequeue - take an operation out of all queues
 * @op: the operation
 *
 * Context: Owner of the semaphores of @op.
 */
void sem_dequeue(struct sem_op *op)
{
	sem_unlink(op);
	sem_count(op, -1);
	op->queued = false;
}

/*
 * Handing off
 */

/* The next semaphore of a chain, or NULL; the last one points to itself */
static struct sem *sem_chain_next(struct sem *sem)
{
	return sem->next == sem ? NULL : sem->next;
}

static void sem_chain_add(struct sem **chain, struct sem *sem)
{
	sem->next = *chain ?: sem;
	*chain = sem;
}

/**
 * sem_changed - remember that sleepers on a semaphore are to be looked at
 * @sem: the semaphore
 * @h:   the hand-off
 *
 * Context: Owner of @sem.
 */
void sem_changed(struct sem *sem, struct sem_handoff *h)
{
	if (!sem->next && sem_has_sleepers(sem))
		sem_chain_add(&h->changed, sem);
}

/* The first in arrival order that can subtract from @value; O(log n) */
static struct sem_op *sem_first_plain(struct sem *sem, int value)
{
	struct sem_slot *slot = slot_of_node(sem->plain.rb_node);

	if (!slot || value + slot->lightest < 0)
		return NULL;
	for (;;) {
		struct sem_slot *left = slot_of_node(slot->node.rb_left);

		if (left && value + left->lightest >= 0) {
			slot = left;
			continue;
		}
		if (value + slot_sem_op(slot) >= 0)
			return slot->op;
		slot = slot_of_node(slot->node.rb_right);
	}
}

/* The first sleeper with one sop that can go */
static struct sem_op *sem_first_simple(struct sem *sem)
{
	int value = sem_value(sem);
	struct sem_slot *slot;

	if (value)
		return sem_first_plain(sem, value);
	slot = slot_of_node(rb_first(&sem->zero));
	return slot ? slot->op : NULL;
}

/*
 * Can a sleeper go, or fail?  Its verdict can change with any of its semaphores,
 * and so can the sop that blocks it.  Between two completions it is tried once,
 * however many of its semaphores have changed.
 */
static bool sem_can_end(struct sem_op *op, struct sem_handoff *h)
{
	unsigned int blocked = op->blocking;
	unsigned int blocks;

	if (op->in_vain)
		return false;
	if (sem_try(op) != SEM_PENDING)
		return true;
	op->in_vain = true;
	op->next = h->in_vain;
	h->in_vain = op;

	blocks = op->blocking;
	if (blocks != blocked) {
		op->blocking = blocked;
		sem_count(op, -1);
		op->blocking = blocks;
		sem_count(op, 1);
	}
	return false;
}

/* Values have changed: all may be tried again */
static void sem_forget_verdicts(struct sem_handoff *h)
{
	struct sem_op *op;

	for (op = h->in_vain; op; op = op->next)
		op->in_vain = false;
	h->in_vain = NULL;
}

/* The first sleeper on one semaphore that can end, or NULL */
static struct sem_op *sem_pick_one(struct sem *sem, struct sem_handoff *h)
{
	struct sem_op *best = sem_first_simple(sem);
	struct rb_node *node;

	for (node = rb_first(&sem->mixed); node; node = rb_next(node)) {
		struct sem_op *op = slot_of_node(node)->op;

		if (best && op->ticket > best->ticket)
			break;
		/* A candidate is tried again when its turn comes */
		if (op->is_candidate || sem_can_end(op, h))
			return op;
	}
	return best;
}

/* Complete a sleeper in the trees; its claims stay until the hand-off is over */
static void sem_settle(struct sem_op *op, int outcome, struct sem_handoff *h)
{
	sem_count(op, -1);
	op->queued = false;
	if (!outcome) {
		sem_commit(op, h);
		sem_forget_verdicts(h);
		h->granted = true;
	}
	op->outcome = outcome;
	op->next = NULL;
	*h->tail = op;
	h->tail = &op->next;
}

static void sem_complete(struct sem_op *op, int outcome, struct sem_handoff *h)
{
	sem_unlink(op);
	sem_settle(op, outcome, h);
}

/*
 * Sleepers that only subtract go in the order of their tree until one cannot.
 * Where that ends all of them, the tree is dropped as a whole: to unlink each
 * would cost more than to grant it.
 */
static void sem_settle_plain(struct sem *sem, struct sem_handoff *h)
{
	struct sem_op **settled = h->tail;
	struct rb_node *node;
	struct sem_op *op;

	for (node = rb_first(&sem->plain); node; node = rb_next(node)) {
		int outcome;

		op = slot_of_node(node)->op;
		outcome = sem_try(op);
		if (outcome == SEM_PENDING)
			break;
		sem_settle(op, outcome, h);
	}

	if (!node)
		sem->plain = RB_ROOT;
	else
		for (op = *settled; op; op = op->next)
			sem_unlink(op);
}

/* Settle a semaphore that no sleeper ties to others */
static void sem_settle_one(struct sem *sem, struct sem_handoff *h)
{
	struct sem_op *op;

	/* In the chain, so that nothing adds it again */
	sem->next = sem;
	if (RB_EMPTY_ROOT(&sem->mixed) && sem_first_plain(sem, sem_value(sem)))
		sem_settle_plain(sem, h);
	while ((op = sem_pick_one(sem, h)))
		sem_complete(op, sem_try(op), h);
	sem->next = NULL;
}

static bool sem_came_first(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct sem_op, candidate)->ticket <
	       rb_entry(b, struct sem_op, candidate)->ticket;
}

/* From each changed semaphore the first sleeper that can end */
static void sem_add_candidates(struct rb_root *candidates,
			       struct sem_handoff *h)
{
	struct sem *sem;

	while ((sem = h->changed)) {
		struct sem_op *op;

		h->changed = sem_chain_next(sem);
		sem->next = NULL;
		op = sem_pick_one(sem, h);
		if (op && !op->is_candidate) {
			op->is_candidate = true;
			rb_add(&op->candidate, candidates, sem_came_first);
		}
	}
}

/*
 * Settle semaphores that sleepers tie together: over all of them, whoever has
 * the lowest ticket and can end.  Never one semaphore after the other, or a
 * young operation on two of them would pass an older one on the second.
 *
 * A candidate may have become unable since it was found.  Ended or not, it may
 * have hidden others: its semaphores are looked at again.
 */
static void sem_settle_tied(struct sem_handoff *h)
{
	struct rb_root candidates = RB_ROOT;

	for (;;) {
		struct rb_node *first;
		struct sem_slot *slot;
		struct sem_op *op;

		sem_add_candidates(&candidates, h);
		first = rb_first(&candidates);
		if (!first)
			break;
		op = rb_entry(first, struct sem_op, candidate);
		rb_erase(first, &candidates);
		op->is_candidate = false;
		for (slot = op->slots; slot < op->slots + op->nslots; slot++)
			sem_changed(slot->sem, h);
		if (sem_can_end(op, h))
			sem_complete(op, sem_try(op), h);
	}
}

/**
 * sem_hand_off - complete all sleepers that can go after a change
 * @h:          knows the changed semaphores; collects the completed sleepers
 * @own_claims: claims that the caller itself holds on each of them
 *
 * A semaphore on which no operation on several semaphores sleeps is settled by
 * itself: its sleepers change nothing else.  Those that such sleepers tie
 * together are settled as one.
 *
 * Context: Owner of the changed semaphores and of all that their sleepers
 *          touch.
 */
void sem_hand_off(struct sem_handoff *h, int own_claims)
{
	struct sem *tied = NULL;
	struct sem *sem;

	while ((sem = h->changed)) {
		h->changed = sem_chain_next(sem);
		if (sem->claims > own_claims) {
			sem_chain_add(&tied, sem);
			continue;
		}
		sem_settle_one(sem, h);
	}

	h->changed = tied;
	sem_settle_tied(h);
	sem_forget_verdicts(h);
}

static void sem_end_tree(struct rb_root *tree, int outcome,
			 struct sem_handoff *h)
{
	struct rb_node *node;

	while ((node = rb_first(tree)))
		sem_complete(slot_of_node(node)->op, outcome, h);
}

/**
 * sem_end_sleepers - end everybody who sleeps on a semaphore
 * @sem:     the semaphore
 * @outcome: the error that they get
 * @h:       collects them
 *
 * Context: Owner of the whole set.
 */
void sem_end_sleepers(struct sem *sem, int outcome, struct sem_handoff *h)
{
	sem_end_tree(&sem->zero, outcome, h);
	sem_end_tree(&sem->plain, outcome, h);
	sem_end_tree(&sem->mixed, outcome, h);
}

/*
 * With the result the sleeper is free to return, and its operation, which lies
 * on its stack, is gone: everything else comes before.
 */
static void sem_publish_one(struct sem_op *op, struct sem_handoff *h)
{
	struct task_struct *task = get_task_struct(op->task);

	trace_sem_grant(op->sma->sem_perm.id, task_pid_nr(task), op->outcome);
	/* SEM_RESULT, pairs with the acquire in sem_sleep() and sem_cancel() */
	smp_store_release(&op->result, op->outcome);
	wake_q_add_safe(&h->wake_q, task);
}

static void sem_give_back_claims(struct sem_op *op)
{
	unsigned int i;

	op->claims = false;
	for (i = 0; i < op->nslots; i++)
		sem_unclaim(op->slots[i].sem);
}

/**
 * sem_publish - tell completed sleepers their results
 * @h: the hand-off; its tasks are to be woken when all locks are dropped
 *
 * First those without claims: what keeps such a sleeper from leaving by itself
 * before its result is there may be nothing but the claim of another one.
 *
 * Context: Owner of the semaphores of the sleepers; holds the claim lock if one
 *          of them has claims.
 */
void sem_publish(struct sem_handoff *h)
{
	struct sem_op *claimants = NULL;
	struct sem_op **tail = &claimants;
	struct sem_op *op, *next;

	for (op = h->done; op; op = next) {
		next = op->next;
		if (op->claims) {
			*tail = op;
			tail = &op->next;
		} else {
			sem_publish_one(op, h);
		}
	}
	*tail = NULL;

	for (op = claimants; op; op = next) {
		next = op->next;
		sem_give_back_claims(op);
		sem_publish_one(op, h);
	}
	h->done = NULL;
	h->tail = &h->done;
}
