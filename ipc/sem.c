// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: sets are made and removed here, and the design is told.
 *
 * Words
 *
 *   A set has semaphores.  An operation is what one call of semop() wants, a
 *   list of sops.  A single operation has all its sops on one semaphore, a
 *   multi operation touches several.  A sleeper is an operation that blocks;
 *   who completes it hands it its result.
 *
 * Who owns a semaphore
 *
 *   Value, pid, queues, counters and everybody's undo adjustment for a
 *   semaphore belong to
 *    - the holder of its lock, while it is not CLAIMED;
 *    - the holder of the set's claim lock, while it is CLAIMED.
 *
 *   A multi operation claims its semaphores before it sleeps, and keeps them
 *   claimed until it is done.  Sleepers that tie semaphores together thus exist
 *   on claimed semaphores only, and whatever chain of completions they set off
 *   stays under one lock.  The rest of the set goes on as if they were not
 *   there.  CLAIMED changes under both locks, so it is stable under either.
 *
 * Locks, outermost first
 *
 *   sem_perm.lock  owner, mode, whether the set is in the tables (util.c)
 *   claim_lock     sem.claims, claimed semaphores, removal, the list of undo
 *                  structures.  Inside it, besides sem.lock: ids->lock (util.c)
 *   sem.lock       one, inside the claim lock; or several of a set in ascending
 *                  order without it.  Never the claim lock inside one of these.
 *   xa_lock        of the xarrays of undo structures, inside the claim lock
 *
 *   Nobody waits for BUSY or CLAIMED to clear.  Waiting is on locks alone, so
 *   that PREEMPT_RT can lend priority to whoever holds things up.
 *
 * The four ways of an operation (1 to 3 where nobody sleeps: sem_short.c; 2 to 4
 * with all that sleepers need: sem_op.c, sem_lock.c)
 *
 *   1 Lock-free: one sop without SEM_UNDO that can go, nobody sleeps, pid and
 *     time are recorded already: one compare-and-exchange of the state word.
 *     One sop with IPC_NOWAIT that cannot go changes nothing, and ends here too.
 *   2 One lock, for a single operation.
 *   3 Several locks, ascending, for a multi operation that can go.
 *   4 The claim lock: a semaphore was CLAIMED, a multi operation has to sleep,
 *     or it touches more semaphores than locks are nested.  SETVAL, SETALL,
 *     GETALL, removal and the end of an undo group come here too.
 *
 *   Under its lock an owner sets BUSY in the state word, which shuts way 1, and
 *   clears it with the store that publishes value and flags: from then on the
 *   word belongs to everybody again.  On claimed semaphores CLAIMED does this.
 *
 * The life of a sleeper
 *
 *   blocks     The owner tries it, takes its ticket and puts it into the queues
 *              of all its semaphores.  A multi operation has claimed them and
 *              tried once more since.
 *   sleeps     It belongs to the owner of its semaphores.  Others' changes have
 *              it looked at again: plain subtractions by value, everything else
 *              by trying, since it may fail now or block elsewhere.
 *   completed  Out of the queues, applied, put on the list of the hand-off.
 *   published  Its claims are given back, its task is referenced, its result is
 *              stored.  From here on it is its task's alone, and may be gone.
 *              Those without claims come first: the claims of others may be all
 *              that keeps them from leaving on their own.  Tasks are woken when
 *              all locks are dropped.
 *   cancelled  A signal or a timeout: its task becomes the owner, looks again,
 *              and takes it out of the queues if it is still open.  A result
 *              that is there wins.
 *
 *   After each change, and between any two completions, the next sleeper is the
 *   one with the lowest ticket over all changed semaphores that can go, where
 *   tickets of sleepers that alter nothing come first (sem_queue.c).
 *
 * Removal
 *
 *   IPC_RMID marks the set removed and claims all its semaphores for good, so
 *   that ways 1 to 3 stay shut and way 4 ends in EIDRM.  It completes all
 *   sleepers, unlinks the undo structures, takes the set out of the tables,
 *   returns its quota, and only then publishes EIDRM; the memory goes after a
 *   grace period.  A woken sleeper does not touch the set.  One that wakes by
 *   itself enters RCU before it looks at its result, and touches the set only
 *   if there is none.
 *
 * Barriers, each named at both ends
 *
 *   SEM_STATE_A  The owner's last store to the state word releases all that it
 *                did; who uses the word without a lock acquires it.
 *                Documentation/litmus-tests/sem/state-release.litmus
 *   SEM_STATE_B  BUSY (or CLAIMED) is set, full barrier, pid is written; way 1
 *                reads the pid, then compares and exchanges, which is fully
 *                ordered: a pid that is too new comes with a changed word.
 *                Documentation/litmus-tests/sem/busy-pid.litmus
 *   SEM_RESULT   The result is released by sem_publish() and acquired by the
 *                sleeper, whose stack the operation is on.
 *                Documentation/litmus-tests/sem/result.litmus
 *   SEM_WAKE     State of the task, then result, in the sleeper; result, then
 *                state of the task, in the waker.
 *                Documentation/litmus-tests/sem/sleep-wake.litmus
 *   SEM_FIRST    An undo structure is complete before cmpxchg() makes it its
 *                group's first; sem_undo_find() acquires it.
 *                Documentation/litmus-tests/sem/first-undo.litmus
 *   UTIL_A, B    visibility of objects: util.c.
 *
 * Limits that are known: sleeping multi operations cost O(n) for each operation
 * on a semaphore that they touch; disjoint groups of claimed semaphores share
 * the claim lock; without PREEMPT_RT whole-set operations and mass completions
 * hold a spinlock for as long as they take.
 */

#include "sem.h"

#define CREATE_TRACE_POINTS
#include <trace/events/sem.h>

/* Boot parameter: one lock for each set, to measure what the others are worth */
static bool sem_coarse __ro_after_init;
core_param(sem_coarse, sem_coarse, bool, 0444);

static void sem_free_rcu(struct rcu_head *head)
{
	struct kern_ipc_perm *perm = container_of(head, struct kern_ipc_perm,
						  rcu);

	security_sem_free(perm);
	kvfree(sem_of_perm(perm));
}

/**
 * sem_put - drop a reference that ipc_rcu_getref() took
 * @sma: the set
 */
void sem_put(struct sem_array *sma)
{
	ipc_rcu_putref(&sma->sem_perm, sem_free_rcu);
}

/*
 * Enter a complete set into the tables if its key is free and the quotas allow.
 * Context: holds ids->lock and the object's lock.
 */
static int sem_publish_locked(struct ipc_namespace *ns, struct sem_array *sma)
{
	struct ipc_ids *ids = sem_ids(ns);
	s64 used = (s64)ns->used_sems + sma->nsems;
	int semmns = sem_limit(ns, SEM_LIMIT_SEMAPHORES);
	int semmni = sem_limit(ns, SEM_LIMIT_SETS);
	int idx;

	if (ipc_key_taken(ids, sma->sem_perm.key))
		return -EEXIST;
	if (used > semmns) {
		trace_sem_limit("SEMMNS", used, semmns);
		return -ENOSPC;
	}
	idx = ipc_publish_locked(ids, &sma->sem_perm, semmni);
	if (idx == -ENOSPC)
		trace_sem_limit("SEMMNI", ids->in_use + 1, semmni);
	if (idx < 0)
		return idx;
	WRITE_ONCE(ns->used_sems, used);
	trace_sem_create(sma->sem_perm.id, sma->sem_perm.key, sma->nsems,
			 from_kuid(&init_user_ns, sma->sem_perm.cuid));
	return sma->sem_perm.id;
}

static int sem_publish_set(struct ipc_namespace *ns, struct sem_array *sma)
{
	struct ipc_ids *ids = sem_ids(ns);
	int id;

	idr_preload(GFP_KERNEL);
	ipc_lock_object(&sma->sem_perm);
	spin_lock(&ids->lock);
	id = sem_publish_locked(ns, sma);
	spin_unlock(&ids->lock);
	ipc_unlock_object(&sma->sem_perm);
	idr_preload_end();
	return id;
}

/*
 * Saves making a set in vain; the count that decides is taken when it enters
 * the tables.
 */
static bool sem_too_many(struct ipc_namespace *ns, int nsems)
{
	s64 wanted = (s64)READ_ONCE(ns->used_sems) + nsems;
	int semmns = sem_limit(ns, SEM_LIMIT_SEMAPHORES);

	if (wanted <= semmns)
		return false;
	trace_sem_limit("SEMMNS", wanted, semmns);
	return true;
}

static struct sem_array *sem_alloc(int nsems)
{
	struct sem_array *sma;
	size_t size = struct_size(sma, sems, nsems);

	return size > INT_MAX ? NULL : kvzalloc(size, GFP_KERNEL_ACCOUNT);
}

/* Make a set.  Return: its id, -EEXIST if somebody else used the key first. */
static int sem_create(struct ipc_namespace *ns, struct ipc_params *params)
{
	struct sem_array *sma;
	int id;

	if (!params->u.nsems)
		return -EINVAL;
	if (sem_too_many(ns, params->u.nsems))
		return -ENOSPC;
	sma = sem_alloc(params->u.nsems);
	if (!sma)
		return -ENOMEM;

	sma->nsems = params->u.nsems;
	sma->sem_perm.key = params->key;
	sma->sem_perm.mode = params->flg & 0777;
	INIT_LIST_HEAD(&sma->undos);
	sem_init_locks(sma, sem_coarse);
	sem_touch_ctime(sma);
	ipc_prepare_object(&sma->sem_perm);
	id = security_sem_alloc(&sma->sem_perm);
	if (id) {
		kvfree(sma);
		return id;
	}

	id = sem_publish_set(ns, sma);
	if (id < 0)
		sem_put(sma);
	return id;
}

/**
 * sem_remove - remove a set: IPC_RMID, and the end of a namespace
 * @ns:  its namespace
 * @sma: the set, valid
 *
 * Context: Holds the object's lock, under RCU; releases both.  Takes O(nsems)
 *          and the number of sleepers.
 */
void sem_remove(struct ipc_namespace *ns, struct sem_array *sma)
{
	struct ipc_ids *ids = sem_ids(ns);
	struct sem_handoff h;
	LIST_HEAD(undos);
	int i;

	trace_sem_remove(sma->sem_perm.id, sma->sem_perm.key, sma->nsems,
			 from_kuid(&init_user_ns, current_euid()));
	sem_handoff_init(&h);
	spin_lock(&sma->claim_lock);
	sma->removed = true;
	/* Never given back: the lock-free path stays shut */
	sem_claim_all(sma);
	for (i = 0; i < sma->nsems; i++)
		sem_end_sleepers(&sma->sems[i], -EIDRM, &h);
	for (i = 0; i < sma->nsems; i++)
		sem_set_pid(&sma->sems[i], NULL);
	sem_undo_unlink_set(sma, &undos);

	/* Nobody else could have this index while undo structures were linked */
	spin_lock(&ids->lock);
	ipc_withdraw_locked(ids, &sma->sem_perm);
	WRITE_ONCE(ns->used_sems, ns->used_sems - sma->nsems);
	spin_unlock(&ids->lock);

	/* Who learns that the set has gone finds neither its key nor its id */
	sem_publish(&h);
	spin_unlock(&sma->claim_lock);
	ipc_unlock(&sma->sem_perm);

	wake_up_q(&h.wake_q);
	sem_undo_free_unlinked(&undos);
	sem_put(sma);
}

static int sem_more_checks(struct kern_ipc_perm *perm,
			   struct ipc_params *params)
{
	return params->u.nsems > sem_of_perm(perm)->nsems ? -EINVAL : 0;
}

static const struct ipc_ops sem_ops = {
	.associate	= security_sem_associate,
	.more_checks	= sem_more_checks,
};

/**
 * ksys_semget - semget() in the caller's namespace
 * @key:    key or IPC_PRIVATE
 * @nsems:  number of semaphores
 * @semflg: IPC_CREAT, IPC_EXCL and permission bits
 *
 * Context: Process context, may sleep.
 * Return: the id, or an error of semget(2).
 */
long ksys_semget(key_t key, int nsems, int semflg)
{
	struct ipc_namespace *ns = current->nsproxy->ipc_ns;
	struct ipc_params params = { .key = key, .flg = semflg };
	int semmsl = sem_limit(ns, SEM_LIMIT_SET_SIZE);
	int result;

	params.u.nsems = nsems;
	if (nsems < 0 || nsems > semmsl) {
		if (nsems > 0)
			trace_sem_limit("SEMMSL", nsems, semmsl);
		return -EINVAL;
	}

	do {
		if (ipc_get_existing(ns, sem_ids(ns), &sem_ops, &params,
				     &result))
			return result;
		if (key != IPC_PRIVATE && !(semflg & IPC_CREAT))
			return -ENOENT;
		result = sem_create(ns, &params);
		/* Somebody else took the key: theirs is what we look for */
	} while (result == -EEXIST);
	return result;
}

SYSCALL_DEFINE3(semget, key_t, key, int, nsems, int, semflg)
{
	return ksys_semget(key, nsems, semflg);
}

/**
 * sem_init_ns - give a new namespace its limits and empty tables
 * @ns: the namespace
 */
void sem_init_ns(struct ipc_namespace *ns)
{
	ipc_init_ids(sem_ids(ns));
	ns->used_sems = 0;
	ns->sem_ctls[SEM_LIMIT_SETS] = SEMMNI;
	ns->sem_ctls[SEM_LIMIT_SOPS] = SEMOPM;
	ns->sem_ctls[SEM_LIMIT_SEMAPHORES] = SEMMNS;
	ns->sem_ctls[SEM_LIMIT_SET_SIZE] = SEMMSL;
}

#ifdef CONFIG_IPC_NS
static void sem_remove_perm(struct ipc_namespace *ns,
			    struct kern_ipc_perm *perm)
{
	sem_remove(ns, sem_of_perm(perm));
}

/**
 * sem_exit_ns - remove all sets of a namespace that ends
 * @ns: the namespace, which nobody uses any more
 */
void sem_exit_ns(struct ipc_namespace *ns)
{
	struct ipc_ids *ids = sem_ids(ns);

	free_ipcs(ns, ids, sem_remove_perm);
	rhashtable_destroy(&ids->key_ht);
	idr_destroy(&ids->ipcs_idr);
}
#endif

void __init sem_init(void)
{
	static const char header[] =
		"       key      semid perms      nsems   uid   gid  cuid"
		"  cgid      otime      ctime\n";

	sem_init_ns(&init_ipc_ns);
	ipc_init_proc_interface("sysvipc/sem", header, IPC_SEM_IDS,
				sem_proc_show);
}
