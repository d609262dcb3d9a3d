// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: semop() and semtimedop(): find, parse, try, sleep.
 */

#include "sem.h"
#include <trace/events/sem.h>

/* An operation of the current task, not parsed yet */
static struct sem_op sem_new_op(struct sembuf *sops, unsigned int nsops,
				struct sem_slot *slots, u16 *slot_of)
{
	return (struct sem_op) {
		.sops = sops, .nsops = nsops,
		.slots = slots, .slot_of = slot_of,
		.pid = task_tgid(current), .task = current,
		.result = SEM_PENDING,
	};
}

/**
 * struct sem_call - what semtimedop() was asked for
 * @ns:      the caller's namespace
 * @semid:   id of the set
 * @timed:   there is a limit
 * @no_wait: the limit is zero
 * @expires: when to give up, CLOCK_MONOTONIC
 */
struct sem_call {
	struct ipc_namespace	*ns;
	int			semid;
	bool			timed;
	bool			no_wait;
	ktime_t			expires;
};

static void sem_set_timeout(struct sem_call *call,
			    const struct timespec64 *timeout)
{
	ktime_t span;

	call->timed = timeout;
	call->no_wait = false;
	if (!timeout)
		return;
	span = timespec64_to_ktime(*timeout);
	call->no_wait = !span;
	/* Saturates: tv_sec may be as large as it likes */
	call->expires = ktime_add_safe(ktime_get(), span);
}

/*
 * Slots
 */

static int sem_cmp_slots(const void *a, const void *b)
{
	const struct sem_slot *x = a, *y = b;

	return x->value - y->value;
}

static unsigned int sem_find_slot(struct sem_op *op, int num)
{
	unsigned int low = 0, high = op->nslots - 1;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (op->slots[middle].value < num)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The general case: sops in any order */
static void sem_sort_slots(struct sem_op *op)
{
	struct sem_slot *slots = op->slots;
	unsigned int i, n = 0;

	for (i = 0; i < op->nsops; i++)
		slots[i].value = op->sops[i].sem_num;
	sort(slots, op->nsops, sizeof(*slots), sem_cmp_slots, NULL);
	for (i = 1; i < op->nsops; i++)
		if (slots[i].value != slots[n].value)
			slots[++n].value = slots[i].value;
	op->nslots = n + 1;
	for (i = 0; i < op->nsops; i++)
		op->slot_of[i] = sem_find_slot(op, op->sops[i].sem_num);
}

/*
 * What kind of operation is it, and which semaphores does it touch?  One slot
 * for each, ascending, its index in slot->value for now.  Most callers name
 * their semaphores in that order already.
 */
static void sem_parse(struct sem_op *op)
{
	const struct sembuf *sop = op->sops;
	unsigned int i, n = 0;
	bool sorted = true;
	int any_op = 0, any_flg = 0;

	op->slots[0].value = sop->sem_num;
	for (i = 0; i < op->nsops; i++, sop++) {
		int last = op->slots[n].value;

		any_op |= sop->sem_op;
		any_flg |= sop->sem_flg;
		if (sop->sem_num > last)
			op->slots[++n].value = sop->sem_num;
		else if (sop->sem_num < last)
			sorted = false;
		op->slot_of[i] = n;
	}
	op->nslots = n + 1;
	if (!sorted)
		sem_sort_slots(op);

	op->alter = any_op;
	op->undo = any_flg & SEM_UNDO;
	if (op->nsops > 1)
		op->kind = SEM_MIXED;
	else
		op->kind = op->alter ? SEM_PLAIN : SEM_WAITS_ZERO;
}

/*
 * Finding
 */

/* May the caller do this, and are the semaphores there?  Context: under RCU. */
static int sem_check(struct ipc_namespace *ns, struct sem_array *sma,
		     struct sembuf *sops, unsigned int nsops)
{
	unsigned int i, last = sops->sem_num;
	int alter = sops->sem_op;

	for (i = 1; i < nsops; i++) {
		last = max_t(unsigned int, last, sops[i].sem_num);
		alter |= sops[i].sem_op;
	}
	if (last >= sma->nsems)
		return -EFBIG;
	if (ipcperms(ns, &sma->sem_perm, alter ? 0222 : 0444))
		return -EACCES;
	return security_sem_semop(&sma->sem_perm, sops, nsops, alter);
}

/*
 * Inline: every operation comes here.
 * Context: under RCU.  Return: the set, or ERR_PTR().
 */
static __always_inline struct sem_array *
sem_find_for(struct ipc_namespace *ns, int semid, struct sembuf *sops,
	     unsigned int nsops)
{
	struct sem_array *sma = sem_find(ns, semid);
	int err;

	if (IS_ERR(sma))
		return sma;
	err = sem_check(ns, sma, sops, nsops);
	return err ? ERR_PTR(err) : sma;
}

/* Point the slots at the semaphores of a set that has been checked */
static void sem_resolve(struct sem_op *op, struct sem_array *sma)
{
	struct sem_slot *slot;

	op->sma = sma;
	for (slot = op->slots; slot < op->slots + op->nslots; slot++) {
		slot->op = op;
		slot->undo = NULL;
		slot->sem = sem_at(sma, slot->value);
	}
}

/*
 * Doing
 */

/*
 * Leave before the operation was completed: @reason is -EAGAIN or -EINTR.
 * Whoever completed it in the meantime wins.
 */
static int sem_cancel(struct sem_op *op, int reason)
{
	struct sem_handoff h;
	int result;

	sem_handoff_init(&h);
	/* From here on the set stays, unless the result is there already */
	rcu_read_lock();
	/* SEM_RESULT, pairs with the release in sem_publish_one() */
	result = smp_load_acquire(&op->result);
	if (result == SEM_PENDING) {
		sem_own_asleep(op);
		result = op->result;
		if (result == SEM_PENDING) {
			sem_dequeue(op);
			result = reason;
		}
		sem_disown(op, &h);
	}
	rcu_read_unlock();
	return result;
}

/*
 * Sleep until somebody completes the operation, a signal arrives or the time is
 * up.  SEM_WAKE: set_current_state() orders the state before the look at the
 * result; sem_publish() stores the result before wake_up_q() looks at the state.
 */
static int sem_sleep(struct sem_op *op, struct sem_call *call)
{
	ktime_t *expires = call->timed ? &call->expires : NULL;
	bool timed_out = false;
	int result;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		/* SEM_RESULT, pairs with the release in sem_publish_one() */
		result = smp_load_acquire(&op->result);
		if (result != SEM_PENDING || timed_out ||
		    signal_pending(current))
			break;
		timed_out = !schedule_hrtimeout_range(expires,
						      current->timer_slack_ns,
						      HRTIMER_MODE_ABS);
	}
	__set_current_state(TASK_RUNNING);

	if (result == SEM_PENDING)
		result = sem_cancel(op, timed_out ? -EAGAIN : -EINTR);
	if (result == -EAGAIN && timed_out)
		trace_sem_timeout(call->semid);
	return result;
}

/*
 * Own the semaphores and try.  An operation on several semaphores that has to
 * sleep tries again after it has claimed them: what it lacks may have come
 * while it held no lock.
 */
static int sem_own_and_try(struct sem_op *op, bool may_sleep,
			   struct sem_handoff *h)
{
	int result = sem_own(op);

	if (result)
		return result;
	result = sem_try(op);
	if (result != SEM_PENDING || !may_sleep || op->nslots == 1 ||
	    op->claims)
		return result;

	sem_disown(op, h);
	result = sem_own_claim(op);
	return result ?: sem_try(op);
}

/*
 * Carry the operation out, or queue it and return SEM_PENDING.
 * Context: under RCU.
 */
static int sem_start(struct sem_op *op, struct sem_call *call,
		     struct sem_handoff *h)
{
	int result = sem_own_and_try(op, !call->no_wait, h);

	if (result == -EIDRM)
		return result;
	if (!result) {
		sem_commit(op, h);
		if (h->changed)
			sem_hand_off(h, op->claims);
		sem_touch_otime(op->sma);
	} else if (result == SEM_PENDING) {
		if (call->no_wait) {
			result = -EAGAIN;
		} else {
			sem_enqueue(op);
			trace_sem_block(call->semid,
					op->sops[op->blocking].sem_num,
					op->sops[op->blocking].sem_op);
		}
	}
	sem_disown(op, h);
	return result;
}

/*
 * The long way, for any operation.
 * Context: under RCU, which it leaves.
 */
static int sem_perform(struct sem_op *op, struct sem_call *call,
		       struct sem_array *sma)
{
	struct sem_handoff h;
	int result;

	sem_parse(op);
	sem_handoff_init(&h);
	for (;;) {
		sem_resolve(op, sma);
		if (!op->undo || sem_undo_attach(op))
			break;
		/* The first SEM_UNDO here: memory is needed, and then again */
		rcu_read_unlock();
		result = sem_undo_prepare(call->ns, call->semid, op->sops,
					  op->nsops);
		if (result)
			return result;
		rcu_read_lock();
		sma = sem_find_for(call->ns, call->semid, op->sops, op->nsops);
		if (IS_ERR(sma)) {
			rcu_read_unlock();
			return PTR_ERR(sma);
		}
	}
	result = sem_start(op, call, &h);

	rcu_read_unlock();
	wake_up_q(&h.wake_q);
	return result == SEM_PENDING ? sem_sleep(op, call) : result;
}

/* Everything on the stack.  Context: as sem_perform(). */
static noinline int sem_perform_few(struct ipc_namespace *ns, int semid,
				    struct sem_array *sma, struct sembuf *sops,
				    unsigned int nsops,
				    const struct timespec64 *timeout)
{
	/* Filled before they are read: no need to clear them */
	struct sem_slot slots[SEM_MAX_LOCKS] __uninitialized;
	u16 slot_of[SEM_MAX_LOCKS] __uninitialized;
	struct sem_op op = sem_new_op(sops, nsops, slots, slot_of);
	struct sem_call call = { .ns = ns, .semid = semid };

	sem_set_timeout(&call, timeout);
	return sem_perform(&op, &call, sma);
}

static noinline int sem_perform_many(struct ipc_namespace *ns, int semid,
				     struct sembuf *sops, unsigned int nsops,
				     const struct timespec64 *timeout)
{
	struct sem_op op = sem_new_op(sops, nsops, NULL, NULL);
	struct sem_call call = { .ns = ns, .semid = semid };
	const gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;
	struct sem_array *sma;
	int result = -ENOMEM;

	sem_set_timeout(&call, timeout);
	op.slots = kvmalloc_array(nsops, sizeof(*op.slots), gfp);
	op.slot_of = kvmalloc_array(nsops, sizeof(*op.slot_of), gfp);
	if (!op.slots || !op.slot_of)
		goto free;

	rcu_read_lock();
	sma = sem_find_for(ns, semid, sops, nsops);
	if (IS_ERR(sma)) {
		rcu_read_unlock();
		result = PTR_ERR(sma);
	} else {
		result = sem_perform(&op, &call, sma);
	}
free:
	kvfree(op.slot_of);
	kvfree(op.slots);
	return result;
}

/* An operation whose sops have been copied: the short way first */
static int sem_run(struct ipc_namespace *ns, int semid, struct sembuf *sops,
		   unsigned int nsops, const struct timespec64 *timeout)
{
	struct sem_array *sma;
	int result;

	/* A negative id needs no check: no set has its sequence number */
	if (timeout && !timespec64_valid(timeout))
		return -EINVAL;
	if (nsops > SEM_MAX_LOCKS)
		return sem_perform_many(ns, semid, sops, nsops, timeout);

	rcu_read_lock();
	sma = sem_find_for(ns, semid, sops, nsops);
	if (IS_ERR(sma))
		result = PTR_ERR(sma);
	else if (nsops == 1)
		result = sem_try_single(sma, sops);
	else
		result = sem_try_multi(sma, sops, nsops);
	if (result == SEM_PENDING)
		return sem_perform_few(ns, semid, sma, sops, nsops, timeout);
	rcu_read_unlock();
	return result;
}

/**
 * __do_semtimedop - a semaphore operation whose sops are in kernel memory
 * @semid:   id of the set
 * @sops:    the sops
 * @nsops:   how many
 * @timeout: how long to wait at most, NULL: for ever
 * @ns:      namespace of the set
 *
 * Context: Process context, may sleep.
 * Return: 0 or an error of semtimedop(2).
 */
long __do_semtimedop(int semid, struct sembuf *sops, unsigned int nsops,
		     const struct timespec64 *timeout, struct ipc_namespace *ns)
{
	if (nsops < 1)
		return -EINVAL;
	if (nsops > sem_limit(ns, SEM_LIMIT_SOPS))
		return -E2BIG;
	return sem_run(ns, semid, sops, nsops, timeout);
}

/* Few sops are read one by one, which spares the call of a general copy */
static int sem_copy_few(struct sembuf *to, const struct sembuf __user *from,
			unsigned int nsops)
{
	unsigned int i;

	if (!user_read_access_begin(from, nsops * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < nsops; i++) {
		unsafe_get_user(to[i].sem_num, &from[i].sem_num, fault);
		unsafe_get_user(to[i].sem_op, &from[i].sem_op, fault);
		unsafe_get_user(to[i].sem_flg, &from[i].sem_flg, fault);
	}
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

static noinline long do_semtimedop_many(struct ipc_namespace *ns, int semid,
					struct sembuf __user *tsops,
					unsigned int nsops,
					const struct timespec64 *timeout)
{
	struct sembuf *sops;
	long result = -EFAULT;

	/* SEMOPM may be as large as its owner likes: no warning */
	sops = kvmalloc_array(nsops, sizeof(*sops), GFP_KERNEL | __GFP_NOWARN);
	if (!sops)
		return -ENOMEM;
	if (!copy_from_user(sops, tsops, nsops * sizeof(*sops)))
		result = sem_run(ns, semid, sops, nsops, timeout);
	kvfree(sops);
	return result;
}

static long do_semtimedop(int semid, struct sembuf __user *tsops,
			  unsigned int nsops, const struct timespec64 *timeout)
{
	struct ipc_namespace *ns = current->nsproxy->ipc_ns;
	struct sembuf sops[SEM_MAX_LOCKS] __uninitialized;
	int limit = sem_limit(ns, SEM_LIMIT_SOPS);

	if (nsops > limit) {
		trace_sem_limit("SEMOPM", nsops, limit);
		return -E2BIG;
	}
	if (nsops < 1)
		return -EINVAL;
	if (nsops > SEM_MAX_LOCKS)
		return do_semtimedop_many(ns, semid, tsops, nsops, timeout);
	if (sem_copy_few(sops, tsops, nsops))
		return -EFAULT;
	return sem_run(ns, semid, sops, nsops, timeout);
}

/*
 * The system calls, and what ipc(2) calls
 */

long ksys_semtimedop(int semid, struct sembuf __user *tsops, unsigned int nsops,
		     const struct __kernel_timespec __user *timeout)
{
	struct timespec64 limit;

	if (timeout && get_timespec64(&limit, timeout))
		return -EFAULT;
	return do_semtimedop(semid, tsops, nsops, timeout ? &limit : NULL);
}

SYSCALL_DEFINE4(semtimedop, int, semid, struct sembuf __user *, tsops,
		unsigned int, nsops,
		const struct __kernel_timespec __user *, timeout)
{
	return ksys_semtimedop(semid, tsops, nsops, timeout);
}

#ifdef CONFIG_COMPAT_32BIT_TIME
long compat_ksys_semtimedop(int semid, struct sembuf __user *tsops,
			    unsigned int nsops,
			    const struct old_timespec32 __user *timeout)
{
	struct timespec64 limit;

	if (timeout && get_old_timespec32(&limit, timeout))
		return -EFAULT;
	return do_semtimedop(semid, tsops, nsops, timeout ? &limit : NULL);
}

SYSCALL_DEFINE4(semtimedop_time32, int, semid, struct sembuf __user *, tsops,
		unsigned int, nsops,
		const struct old_timespec32 __user *, timeout)
{
	return compat_ksys_semtimedop(semid, tsops, nsops, timeout);
}
#endif

SYSCALL_DEFINE3(semop, int, semid, struct sembuf __user *, tsops,
		unsigned int, nsops)
{
	return do_semtimedop(semid, tsops, nsops, NULL);
}
