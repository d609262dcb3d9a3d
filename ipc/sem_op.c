// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: semop() and semtimedop(): parse, find, try, sleep.
 */

#include "sem.h"
#include <trace/events/sem.h>

/*
 * Operations up to this many sops need no allocation.  Their arrays are filled
 * before they are read: clearing them first (INIT_STACK_ALL_ZERO) would cost a
 * tenth of an operation on two semaphores.
 */
#define SEM_FAST_SOPS	8

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

static int sem_set_timeout(struct sem_call *call,
			   const struct timespec64 *timeout)
{
	ktime_t span;

	call->timed = timeout;
	call->no_wait = false;
	if (!timeout)
		return 0;
	if (!timespec64_valid(timeout))
		return -EINVAL;
	span = timespec64_to_ktime(*timeout);
	call->no_wait = !span;
	/* Saturates: tv_sec may be as large as it likes */
	call->expires = ktime_add_safe(ktime_get(), span);
	return 0;
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

static int sem_check_access(struct ipc_namespace *ns, struct sem_array *sma,
			    struct sembuf *sops, unsigned int nsops, bool alter)
{
	if (ipcperms(ns, &sma->sem_perm, alter ? S_IWUGO : S_IRUGO))
		return -EACCES;
	return security_sem_semop(&sma->sem_perm, sops, nsops, alter);
}

static struct sem *sem_at(struct sem_array *sma, unsigned int num)
{
	return &sma->sems[array_index_nospec(num, sma->nsems)];
}

/*
 * Find the set, check what the caller may do, point the slots at semaphores.
 * Context: under RCU.
 */
static int sem_resolve(struct sem_op *op, struct sem_call *call)
{
	struct sem_array *sma = sem_find(call->ns, call->semid);
	unsigned int i;
	int err;

	if (IS_ERR(sma))
		return PTR_ERR(sma);
	if (op->slots[op->nslots - 1].value >= sma->nsems)
		return -EFBIG;
	err = sem_check_access(call->ns, sma, op->sops, op->nsops, op->alter);
	if (err)
		return err;

	op->sma = sma;
	for (i = 0; i < op->nslots; i++) {
		op->slots[i].op = op;
		op->slots[i].undo = NULL;
		op->slots[i].sem = sem_at(sma, op->slots[i].value);
	}
	return 0;
}

/*
 * Doing
 */

/*
 * The lock-free path: one sop that can go at once, where nobody sleeps and pid
 * and time are recorded already.  The compare-and-exchange vouches for all of
 * that: BUSY, QUEUED and CLAIMED are in the word, and its version moves with
 * the pid.  One try; who loses takes the lock, so that nobody spins.
 */
static bool sem_try_lockless(struct sem_array *sma, struct sem *sem,
			     const struct sembuf *sop)
{
	/* SEM_STATE_A, pairs with the release in sem_release() */
	u64 word = atomic64_read_acquire(&sem->state);
	int value;

	if (word & SEM_FLAGS)
		return false;
	/* SEM_STATE_B: written after BUSY was set, checked by the exchange */
	if (READ_ONCE(sem->pid) != task_tgid(current))
		return false;
	if (atomic64_read(&sma->otime) != ktime_get_real_seconds())
		return false;

	value = (int)(word & SEM_VALUE_MASK) + sop->sem_op;
	if (sop->sem_op ? value < 0 || value > SEMVMX : value != 0)
		return false;
	return atomic64_try_cmpxchg(&sem->state, (s64 *)&word,
				    (word & ~SEM_VALUE_MASK) | value);
}

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
		/* SEM_RESULT, pairs with the release in sem_publish() */
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

/* Leave RCU, wake whom we completed, sleep if we have to */
static int sem_finish(struct sem_op *op, struct sem_call *call,
		      struct sem_handoff *h, int result)
{
	rcu_read_unlock();
	wake_up_q(&h->wake_q);
	return result == SEM_PENDING ? sem_sleep(op, call) : result;
}

/* The whole way for any operation whose sops have been copied */
static int sem_perform(struct sem_op *op, struct sem_call *call)
{
	struct sem_handoff h;
	int result;

	sem_parse(op);
	sem_handoff_init(&h);

	rcu_read_lock();
	for (;;) {
		result = sem_resolve(op, call);
		if (result)
			break;
		if (!op->undo || sem_undo_attach(op)) {
			result = sem_start(op, call, &h);
			break;
		}
		/* The first SEM_UNDO here: memory is needed, and then again */
		rcu_read_unlock();
		result = sem_undo_prepare(call->ns, call->semid, op->sops,
					  op->nsops);
		if (result)
			return result;
		rcu_read_lock();
	}
	return sem_finish(op, call, &h, result);
}

/*
 * One sop without SEM_UNDO for which the lock-free path was shut.
 * Context: under RCU, which it leaves.
 */
static noinline int sem_perform_locked(struct sem_call *call,
				       struct sem_array *sma, struct sem *sem,
				       struct sembuf *sop)
{
	struct sem_slot slot __uninitialized;
	struct sem_op op = sem_new_op(sop, 1, &slot, NULL);
	struct sem_handoff h;

	slot.op = &op;
	slot.sem = sem;
	op.sma = sma;
	op.nslots = 1;
	op.alter = sop->sem_op;
	op.kind = op.alter ? SEM_PLAIN : SEM_WAITS_ZERO;
	sem_handoff_init(&h);
	return sem_finish(&op, call, &h, sem_start(&op, call, &h));
}

static noinline int sem_perform_undo(struct sem_call *call, struct sembuf *sop)
{
	struct sem_slot slot __uninitialized;
	u16 slot_of;
	struct sem_op op = sem_new_op(sop, 1, &slot, &slot_of);

	return sem_perform(&op, call);
}

/* One sop: what most callers want, and the shortest way */
static int sem_perform_one(struct sem_call *call, struct sembuf *sop)
{
	struct sem_array *sma;
	struct sem *sem;
	int result;

	if (sop->sem_flg & SEM_UNDO)
		return sem_perform_undo(call, sop);

	rcu_read_lock();
	sma = sem_find(call->ns, call->semid);
	if (IS_ERR(sma)) {
		result = PTR_ERR(sma);
		goto unlock;
	}
	result = -EFBIG;
	if (sop->sem_num >= sma->nsems)
		goto unlock;
	result = sem_check_access(call->ns, sma, sop, 1, sop->sem_op);
	if (result)
		goto unlock;
	sem = sem_at(sma, sop->sem_num);
	if (!sem_try_lockless(sma, sem, sop))
		return sem_perform_locked(call, sma, sem, sop);
unlock:
	rcu_read_unlock();
	return result;
}

/* Up to SEM_FAST_SOPS sops: everything on the stack */
static int sem_perform_few(struct sem_call *call, struct sembuf *sops,
			   unsigned int nsops)
{
	struct sem_slot slots[SEM_FAST_SOPS] __uninitialized;
	u16 slot_of[SEM_FAST_SOPS] __uninitialized;
	struct sem_op op = sem_new_op(sops, nsops, slots, slot_of);

	return sem_perform(&op, call);
}

static int sem_perform_many(struct sem_call *call, struct sembuf *sops,
			    unsigned int nsops)
{
	struct sem_op op = sem_new_op(sops, nsops, NULL, NULL);
	const gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;
	int result = -ENOMEM;

	op.slots = kvmalloc_array(nsops, sizeof(*op.slots), gfp);
	op.slot_of = kvmalloc_array(nsops, sizeof(*op.slot_of), gfp);
	if (op.slots && op.slot_of)
		result = sem_perform(&op, call);
	kvfree(op.slot_of);
	kvfree(op.slots);
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
	struct sem_call call = { .ns = ns, .semid = semid };
	int err;

	if (nsops < 1 || semid < 0)
		return -EINVAL;
	if (nsops > READ_ONCE(ns->sc_semopm))
		return -E2BIG;
	err = sem_set_timeout(&call, timeout);
	if (err)
		return err;

	if (nsops == 1)
		return sem_perform_one(&call, sops);
	if (nsops <= SEM_FAST_SOPS)
		return sem_perform_few(&call, sops, nsops);
	return sem_perform_many(&call, sops, nsops);
}

static long do_semtimedop(int semid, struct sembuf __user *tsops,
			  unsigned int nsops, const struct timespec64 *timeout)
{
	struct ipc_namespace *ns = current->nsproxy->ipc_ns;
	struct sembuf few[SEM_FAST_SOPS] __uninitialized;
	struct sembuf *sops = few;
	int limit = READ_ONCE(ns->sc_semopm);
	long result = -EFAULT;

	if (nsops > limit) {
		trace_sem_limit("SEMOPM", nsops, limit);
		return -E2BIG;
	}
	if (nsops < 1)
		return -EINVAL;

	if (nsops > SEM_FAST_SOPS) {
		/* SEMOPM may be as large as its owner likes: no warning */
		sops = kvmalloc_array(nsops, sizeof(*sops),
				      GFP_KERNEL | __GFP_NOWARN);
		if (!sops)
			return -ENOMEM;
	}
	if (!copy_from_user(sops, tsops, nsops * sizeof(*sops)))
		result = __do_semtimedop(semid, sops, nsops, timeout, ns);
	if (sops != few)
		kvfree(sops);
	return result;
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
