// SPDX-License-Identifier: GPL-2.0
/*
 * The object layer of System V IPC: identifiers, keys, lookup, permissions and
 * the files in /proc/sysvipc, for semaphores, message queues and shared memory.
 *
 * Finding an object takes no lock and writes nothing that others read: both
 * ways in, the idr by index and the hash table by key, are walked under RCU,
 * permissions and LSM hooks run under RCU too, and an object is freed after a
 * grace period.  Whoever then wants to change the object takes its lock and
 * asks ipc_valid_object().
 *
 * Locks, outermost first
 *
 *   ids->rwsem    creation and removal of messages and segments, and what they
 *                 keep per namespace.  Semaphores do not use it.
 *   perm->lock    one object: owner, mode, whether it is deleted, and what
 *                 messages and segments put under it.
 *   ids->lock     the tables of one kind in one namespace: idr, hash of keys,
 *                 counters.  Held for the few steps that publish or withdraw
 *                 one object; nothing is taken inside but the tables' own locks.
 *
 * An object becomes visible complete.  ipc_publish_locked() reserves the index,
 * gives the object its id, enters its key, then its index, and only then calls
 * it valid: a lookup by key passes over an object that is not valid yet, so
 * that an id which semget() returned can always be used at once.
 *
 * Barriers
 *
 *   UTIL_A  idr_replace() in ipc_publish_locked() releases the initialised
 *           object; idr_find() in ipc_obtain_object_idr() depends on it.
 *   UTIL_B  the release of perm->deleted in ipc_publish_locked() pairs with the
 *           acquire in ipc_find_key(): who meets a valid object by key finds it
 *           by its id as well.
 */

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/highuid.h>
#include <linux/init.h>
#include <linux/ipc_namespace.h>
#include <linux/msg.h>
#include <linux/nsproxy.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/rhashtable.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/shm.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "util.h"

static const struct rhashtable_params ipc_key_params = {
	.automatic_shrinking = true,
	.key_len = sizeof(key_t),
	.key_offset = offsetof(struct kern_ipc_perm, key),
	.head_offset = offsetof(struct kern_ipc_perm, khtnode),
};

static int __init ipc_init(void)
{
	proc_mkdir("sysvipc", NULL);
	shm_init();
	msg_init();
	sem_init();
	return 0;
}
device_initcall(ipc_init);

/**
 * ipc_init_ids - make the empty tables of one kind of object
 * @ids: tables to initialise
 *
 * Context: Process context, before the namespace is visible.  May sleep.
 */
void ipc_init_ids(struct ipc_ids *ids)
{
	spin_lock_init(&ids->lock);
	init_rwsem(&ids->rwsem);
	idr_init(&ids->ipcs_idr);
	/* Cannot fail with these parameters: it falls back to a small table. */
	rhashtable_init(&ids->key_ht, &ipc_key_params);
	ids->seq = 0;
	ids->in_use = 0;
	ids->last_idx = -1;
	ids->max_idx = -1;
#ifdef CONFIG_CHECKPOINT_RESTORE
	ids->next_id = -1;
#endif
}

/*
 * Lookup
 */

/* The valid object that has @key, or NULL.  Context: under RCU. */
static struct kern_ipc_perm *ipc_find_key(struct ipc_ids *ids, key_t key)
{
	struct kern_ipc_perm *perm;

	/* ipc_set_key_private() may change a key under our eyes: either will do */
	perm = data_race(rhashtable_lookup(&ids->key_ht, &key, ipc_key_params));
	/* UTIL_B, pairs with the release in ipc_publish_locked() */
	if (perm && !smp_load_acquire(&perm->deleted))
		return perm;
	return NULL;
}

/**
 * ipc_get_existing - answer a *get() call from an object that is there
 * @ns:     the caller's namespace
 * @ids:    tables of the kind
 * @ops:    hooks of the kind
 * @params: what was asked for
 * @result: id or -EEXIST, -EACCES, an error of @ops; set if there is one
 *
 * EEXIST comes before all other errors, the size before permissions:
 * that is the order observed on Linux 6.12.
 *
 * Context: Any; takes no lock.
 * Return: true if an object has the key of @params.
 */
bool ipc_get_existing(struct ipc_namespace *ns, struct ipc_ids *ids,
		      const struct ipc_ops *ops, struct ipc_params *params,
		      int *result)
{
	const int exclusive = IPC_CREAT | IPC_EXCL;
	struct kern_ipc_perm *perm;
	int err;

	if (params->key == IPC_PRIVATE)
		return false;

	rcu_read_lock();
	perm = ipc_find_key(ids, params->key);
	if (!perm) {
		rcu_read_unlock();
		return false;
	}

	if ((params->flg & exclusive) == exclusive)
		err = -EEXIST;
	else
		err = ops->more_checks ? ops->more_checks(perm, params) : 0;
	if (!err && ipcperms(ns, perm, params->flg))
		err = -EACCES;
	if (!err)
		err = ops->associate(perm, params->flg);
	*result = err ? err : perm->id;
	rcu_read_unlock();
	return true;
}

/**
 * ipcget - find or create an object: msgget() and shmget()
 * @ns:     the caller's namespace
 * @ids:    tables of the kind
 * @ops:    hooks of the kind
 * @params: what was asked for
 *
 * Context: Process context.  Takes and releases ids->rwsem if it has to create.
 * Return: the id, or -ENOENT, -EEXIST, -EACCES or an error of @ops.
 */
int ipcget(struct ipc_namespace *ns, struct ipc_ids *ids,
	   const struct ipc_ops *ops, struct ipc_params *params)
{
	int result;

	if (ipc_get_existing(ns, ids, ops, params, &result))
		return result;
	if (params->key != IPC_PRIVATE && !(params->flg & IPC_CREAT))
		return -ENOENT;

	down_write(&ids->rwsem);
	/* Again: somebody may have created it before we had the rwsem */
	if (!ipc_get_existing(ns, ids, ops, params, &result))
		result = ops->getnew(ns, params);
	up_write(&ids->rwsem);
	return result;
}

/**
 * ipc_obtain_object_idr - find an object by index
 * @ids: tables of the kind
 * @id:  an id, of which the sequence number is ignored, or an index
 *
 * Context: Under RCU.  The object may be removed at any time: take its lock
 *          and ask ipc_valid_object() where that matters.
 * Return: the object, not locked, or ERR_PTR(-EINVAL).
 */
struct kern_ipc_perm *ipc_obtain_object_idr(struct ipc_ids *ids, int id)
{
	/* UTIL_A, pairs with idr_replace() in ipc_publish_locked() */
	struct kern_ipc_perm *perm = idr_find(&ids->ipcs_idr, ipcid_to_idx(id));

	return perm ?: ERR_PTR(-EINVAL);
}

/**
 * ipc_obtain_object_check - find an object by id
 * @ids: tables of the kind
 * @id:  the id, sequence number included
 *
 * Context: Under RCU, as ipc_obtain_object_idr().
 * Return: the object, not locked, or ERR_PTR(-EINVAL).
 */
struct kern_ipc_perm *ipc_obtain_object_check(struct ipc_ids *ids, int id)
{
	struct kern_ipc_perm *perm = ipc_obtain_object_idr(ids, id);

	if (!IS_ERR(perm) && ipc_checkid(perm, id))
		perm = ERR_PTR(-EINVAL);
	return perm;
}

/**
 * ipcctl_obtain_check - find an object for IPC_SET or IPC_RMID
 * @ns:         the caller's namespace
 * @ids:        tables of the kind
 * @id:         id of the object
 * @cmd:        the command, for audit
 * @perm:       with IPC_SET, the new permissions, for audit
 * @extra_perm: one more number for audit (msg_qbytes)
 *
 * Only owner, creator and CAP_SYS_ADMIN in the namespace's user namespace may
 * (msgctl(2), semctl(2), shmctl(2)).
 *
 * Context: Under RCU.
 * Return: the object, not locked, or ERR_PTR() of -EINVAL or -EPERM.
 */
struct kern_ipc_perm *ipcctl_obtain_check(struct ipc_namespace *ns,
					  struct ipc_ids *ids, int id, int cmd,
					  struct ipc64_perm *perm,
					  int extra_perm)
{
	struct kern_ipc_perm *obj = ipc_obtain_object_check(ids, id);
	kuid_t me = current_euid();

	if (IS_ERR(obj))
		return obj;

	audit_ipc_obj(obj);
	if (cmd == IPC_SET)
		audit_ipc_set_perm(extra_perm, perm->uid, perm->gid,
				   perm->mode);

	if (!uid_eq(me, KUIDT_INIT(READ_ONCE(obj->uid.val))) &&
	    !uid_eq(me, obj->cuid) && !ns_capable(ns->user_ns, CAP_SYS_ADMIN))
		return ERR_PTR(-EPERM);
	return obj;
}

/**
 * ipc_get_maxidx - highest index in use
 * @ids: tables of the kind
 *
 * ids->max_idx only bounds it from above, so that a removal need not search.
 * What the IPC_INFO commands return is looked for here instead: there is an
 * object at or above @low, and none at or above @high.
 *
 * Context: Any.  Exact only while nothing is created or removed.
 * Return: the index, -1 if there is no object.
 */
int ipc_get_maxidx(struct ipc_ids *ids)
{
	int low = -1, high = READ_ONCE(ids->max_idx) + 1;

	rcu_read_lock();
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		int next = middle;

		if (idr_get_next(&ids->ipcs_idr, &next))
			low = next < high ? next : middle;
		else
			high = middle;
	}
	rcu_read_unlock();
	return low;
}

/*
 * Publishing and withdrawing
 */

/**
 * ipc_prepare_object - give a new object its lock, reference and owner
 * @new: the object; its key and mode are set, nobody else knows it
 *
 * The object is not valid until it is published.
 *
 * Context: Any.
 */
void ipc_prepare_object(struct kern_ipc_perm *new)
{
	kuid_t uid;
	kgid_t gid;

	spin_lock_init(&new->lock);
	refcount_set(&new->refcount, 1);
	current_euid_egid(&uid, &gid);
	new->cuid = uid;
	new->uid = uid;
	new->cgid = gid;
	new->gid = gid;
	new->deleted = true;
}

/*
 * The next free index after the last one, round and round.  An index at or
 * below the last one means that they have come round, and only that uses up a
 * sequence number: in extended mode there are few of them.  (The cursor of
 * idr_alloc_cyclic() is not used: it lies beside what every lookup reads.)
 */
static int ipc_next_index(struct ipc_ids *ids)
{
	int end = min(max(ids->in_use + ids->in_use / 2, ipc_min_cycle),
		      ipc_mni);
	int next = ids->last_idx + 1;
	int idx = -ENOSPC;

	if (next < end)
		idx = idr_alloc(&ids->ipcs_idr, NULL, next, end, GFP_NOWAIT);
	if (idx == -ENOSPC)
		idx = idr_alloc(&ids->ipcs_idr, NULL, 0, end, GFP_NOWAIT);
	if (idx < 0)
		return idx;

	if (idx <= ids->last_idx && ++ids->seq >= ipcid_seq_max())
		ids->seq = 0;
	ids->last_idx = idx;
	return idx;
}

/* Reserve an index and form the id */
static int ipc_reserve_index(struct ipc_ids *ids, struct kern_ipc_perm *new)
{
	int wanted = -1;
	int idx;

#ifdef CONFIG_CHECKPOINT_RESTORE
	/* One allocation uses it up, come what may */
	wanted = READ_ONCE(ids->next_id);
	WRITE_ONCE(ids->next_id, -1);
#endif
	if (wanted >= 0) {
		idx = idr_alloc(&ids->ipcs_idr, NULL, ipcid_to_idx(wanted),
				ipc_mni, GFP_NOWAIT);
		new->seq = ipcid_to_seqx(wanted);
	} else {
		idx = ipc_next_index(ids);
		new->seq = ids->seq;
	}
	if (idx >= 0)
		new->id = (int)(new->seq << ipc_mni_shift) + idx;
	return idx;
}

/**
 * ipc_key_taken - does an object have this key?
 * @ids: tables of the kind
 * @key: the key; nobody has IPC_PRIVATE
 *
 * Context: Holds ids->lock, so that the answer stays true.
 * Return: whether one has.
 */
bool ipc_key_taken(struct ipc_ids *ids, key_t key)
{
	lockdep_assert_held(&ids->lock);
	return key != IPC_PRIVATE &&
	       rhashtable_lookup_fast(&ids->key_ht, &key, ipc_key_params);
}

/**
 * ipc_publish_locked - make a complete object visible
 * @ids:   tables of the kind
 * @new:   the object, from ipc_prepare_object()
 * @limit: how many objects there may be
 *
 * Context: After idr_preload(); holds new->lock and ids->lock; no object has
 *          the key of @new.
 * Return: the index, or -ENOSPC, -ENOMEM.
 */
int ipc_publish_locked(struct ipc_ids *ids, struct kern_ipc_perm *new,
		       int limit)
{
	int idx, err;

	lockdep_assert_held(&ids->lock);
	if (ids->in_use >= min(limit, ipc_mni))
		return -ENOSPC;

	idx = ipc_reserve_index(ids, new);
	if (idx < 0)
		return idx;
	if (new->key != IPC_PRIVATE) {
		err = rhashtable_insert_fast(&ids->key_ht, &new->khtnode,
					     ipc_key_params);
		if (err) {
			idr_remove(&ids->ipcs_idr, idx);
			return err;
		}
	}

	ids->in_use++;
	if (idx > ids->max_idx)
		WRITE_ONCE(ids->max_idx, idx);
	/* UTIL_A, pairs with idr_find() in ipc_obtain_object_idr() */
	idr_replace(&ids->ipcs_idr, new, idx);
	/* UTIL_B, pairs with the acquire in ipc_find_key() */
	smp_store_release(&new->deleted, false);
	return idx;
}

/**
 * ipc_addid - publish an object and keep it locked
 * @ids:   tables of the kind
 * @new:   the object; key, mode and what is its own are initialised
 * @limit: how many objects there may be
 *
 * Context: Holds ids->rwsem for writing.  May sleep.  On success returns
 *          under RCU with the object locked: ipc_unlock() ends that.
 * Return: the index, -ENOSPC, -ENOMEM.  After an error ipc_rcu_putref()
 *         frees the object.
 */
int ipc_addid(struct ipc_ids *ids, struct kern_ipc_perm *new, int limit)
{
	int idx;

	ipc_prepare_object(new);
	idr_preload(GFP_KERNEL);
	rcu_read_lock();
	ipc_lock_object(new);
	spin_lock(&ids->lock);
	idx = ipc_publish_locked(ids, new, limit);
	spin_unlock(&ids->lock);
	idr_preload_end();

	if (idx < 0) {
		ipc_unlock_object(new);
		rcu_read_unlock();
	}
	return idx;
}

static void ipc_forget_key(struct ipc_ids *ids, struct kern_ipc_perm *perm)
{
	if (perm->key == IPC_PRIVATE)
		return;
	WARN_ON_ONCE(rhashtable_remove_fast(&ids->key_ht, &perm->khtnode,
					    ipc_key_params));
}

/**
 * ipc_withdraw_locked - take an object out of the tables
 * @ids:  tables of the kind
 * @perm: the object
 *
 * Context: Holds perm->lock and ids->lock.
 */
void ipc_withdraw_locked(struct ipc_ids *ids, struct kern_ipc_perm *perm)
{
	void *found;

	lockdep_assert_held(&perm->lock);
	lockdep_assert_held(&ids->lock);
	WRITE_ONCE(perm->deleted, true);
	ipc_forget_key(ids, perm);
	found = idr_remove(&ids->ipcs_idr, ipcid_to_idx(perm->id));
	WARN_ON_ONCE(found != perm);
	ids->in_use--;
}

/**
 * ipc_rmid - take an object out of the tables
 * @ids:  tables of the kind
 * @perm: the object
 *
 * Context: Holds ids->rwsem for writing and perm->lock; keeps both.
 */
void ipc_rmid(struct ipc_ids *ids, struct kern_ipc_perm *perm)
{
	spin_lock(&ids->lock);
	ipc_withdraw_locked(ids, perm);
	spin_unlock(&ids->lock);
}

/**
 * ipc_set_key_private - let an object live on without its key
 * @ids:  tables of the kind
 * @perm: the object; a removed segment that is still attached
 *
 * Context: Holds ids->rwsem for writing and perm->lock; keeps both.
 */
void ipc_set_key_private(struct ipc_ids *ids, struct kern_ipc_perm *perm)
{
	spin_lock(&ids->lock);
	ipc_forget_key(ids, perm);
	/* ipc_find_key() compares it without a lock */
	WRITE_ONCE(perm->key, IPC_PRIVATE);
	spin_unlock(&ids->lock);
}

/**
 * ipc_rcu_getref - keep an object's memory beyond the RCU section
 * @perm: the object, found under RCU
 *
 * Return: false if the last reference has gone.
 */
bool ipc_rcu_getref(struct kern_ipc_perm *perm)
{
	return refcount_inc_not_zero(&perm->refcount);
}

/**
 * ipc_rcu_putref - give a reference back
 * @perm: the object
 * @free: frees it, after a grace period, if this was the last reference
 */
void ipc_rcu_putref(struct kern_ipc_perm *perm,
		    void (*free)(struct rcu_head *head))
{
	if (refcount_dec_and_test(&perm->refcount))
		call_rcu(&perm->rcu, free);
}

/*
 * Permissions
 */

static int ipc_wanted(short flag)
{
	return (flag | flag >> 3 | flag >> 6) & 0007;
}

/* ipcperms() for everybody */
static noinline int ipc_check_perms(struct ipc_namespace *ns,
				    struct kern_ipc_perm *perm, short flag)
{
	int granted = READ_ONCE(perm->mode);
	kuid_t me = current_euid();

	audit_ipc_obj(perm);
	if (uid_eq(me, perm->cuid) ||
	    uid_eq(me, KUIDT_INIT(READ_ONCE(perm->uid.val))))
		granted >>= 6;
	else if (in_group_p(perm->cgid) ||
		 in_group_p(KGIDT_INIT(READ_ONCE(perm->gid.val))))
		granted >>= 3;

	if ((ipc_wanted(flag) & ~granted) &&
	    !ns_capable(ns->user_ns, CAP_IPC_OWNER))
		return -EACCES;
	return security_ipc_permission(perm, flag);
}

/**
 * ipcperms - may the caller use an object in this way?
 * @ns:   the caller's namespace
 * @perm: the object
 * @flag: permission bits wanted; which of the three groups they are in does
 *        not matter (sysvipc(7))
 *
 * Owner and mode are read without a lock and each by itself: during an IPC_SET
 * the answer is that of a moment before, after, or in between.
 *
 * Context: Under RCU or with the object locked.
 * Return: 0, or an error; callers report -EACCES.
 */
int ipcperms(struct ipc_namespace *ns, struct kern_ipc_perm *perm, short flag)
{
	int denied = ipc_wanted(flag) & ~(READ_ONCE(perm->mode) >> 6);

	/* Nearly always it is the creator, and nobody records it */
	if (audit_dummy_context() && !denied &&
	    uid_eq(current_euid(), perm->cuid))
		return security_ipc_permission(perm, flag);
	return ipc_check_perms(ns, perm, flag);
}

/**
 * ipc_update_perm - IPC_SET: new owner and mode
 * @in:  what the caller wants, in terms of its user namespace
 * @out: the object's
 *
 * Context: Holds the object's lock.
 * Return: 0, or -EINVAL if an id has no meaning in the user namespace.
 */
int ipc_update_perm(struct ipc64_perm *in, struct kern_ipc_perm *out)
{
	struct user_namespace *user_ns = current_user_ns();
	kuid_t owner = make_kuid(user_ns, in->uid);
	kgid_t group = make_kgid(user_ns, in->gid);

	if (!uid_valid(owner) || !gid_valid(group))
		return -EINVAL;

	/* Pair with the READ_ONCE() of ipcperms() and ipcctl_obtain_check() */
	WRITE_ONCE(out->uid.val, __kuid_val(owner));
	WRITE_ONCE(out->gid.val, __kgid_val(group));
	WRITE_ONCE(out->mode, (out->mode & ~0777) |
			      (in->mode & 0777));
	return 0;
}

/**
 * kernel_to_ipc64_perm - permissions as user space sees them
 * @in:  the object's
 * @out: for the caller, in terms of its user namespace
 *
 * Context: Holds the object's lock.
 */
void kernel_to_ipc64_perm(struct kern_ipc_perm *in, struct ipc64_perm *out)
{
	struct user_namespace *user_ns = current_user_ns();

	out->cuid = from_kuid_munged(user_ns, in->cuid);
	out->cgid = from_kgid_munged(user_ns, in->cgid);
	out->uid = from_kuid_munged(user_ns, in->uid);
	out->gid = from_kgid_munged(user_ns, in->gid);
	out->mode = in->mode;
	out->key = in->key;
	out->seq = in->seq;
}

/**
 * ipc64_perm_to_ipc_perm - the same in the old structure with 16-bit ids
 * @in:  the new structure
 * @out: the old one
 */
void ipc64_perm_to_ipc_perm(struct ipc64_perm *in, struct ipc_perm *out)
{
	SET_UID(out->cuid, in->cuid);
	SET_GID(out->cgid, in->cgid);
	SET_UID(out->uid, in->uid);
	SET_GID(out->gid, in->gid);
	out->mode = in->mode;
	out->key = in->key;
	out->seq = in->seq;
}

#ifdef CONFIG_ARCH_WANT_IPC_PARSE_VERSION
/**
 * ipc_parse_version - tell the new structures from the old
 * @cmd: command, from which the IPC_64 bit is taken away
 *
 * Return: IPC_64 or IPC_OLD.
 */
int ipc_parse_version(int *cmd)
{
	bool is64 = *cmd & IPC_64;

	*cmd &= ~IPC_64;
	return is64 ? IPC_64 : IPC_OLD;
}
#endif

/*
 * /proc/sysvipc: position 0 is the header, position n the first object whose
 * index is at least n - 1.  No lock is held from one line to the next, so that
 * a slow reader holds nobody up; an object that exists all the while appears
 * exactly once.
 */
#ifdef CONFIG_PROC_FS

struct ipc_proc_iface {
	const char *header;
	int ids;
	int (*show)(struct seq_file *seq, void *obj);
};

struct ipc_proc_iter {
	struct ipc_proc_iface *iface;
	struct ipc_namespace *ns;
	struct pid_namespace *pid_ns;
};

/**
 * ipc_seq_pid_ns - the pid namespace of whoever opened the file
 * @seq: the file in /proc/sysvipc
 *
 * Return: the namespace; the open file keeps it.
 */
struct pid_namespace *ipc_seq_pid_ns(struct seq_file *seq)
{
	struct ipc_proc_iter *iter = seq->private;

	return iter->pid_ns;
}

/* The first valid object at or after *pos, locked and under RCU; or NULL */
static void *ipc_proc_find(struct seq_file *seq, loff_t *pos)
{
	struct ipc_proc_iter *iter = seq->private;
	struct ipc_ids *ids = &iter->ns->ids[iter->iface->ids];
	struct kern_ipc_perm *perm;
	int idx;

	if (*pos - 1 >= ipc_mni)
		return NULL;
	rcu_read_lock();
	for (idx = *pos - 1; (perm = idr_get_next(&ids->ipcs_idr, &idx)); idx++) {
		ipc_lock_object(perm);
		if (ipc_valid_object(perm)) {
			*pos = idx + 1;
			return perm;
		}
		ipc_unlock_object(perm);
	}
	rcu_read_unlock();
	return NULL;
}

static void ipc_proc_stop(struct seq_file *seq, void *obj)
{
	if (obj && obj != SEQ_START_TOKEN)
		ipc_unlock(obj);
}

static void *ipc_proc_start(struct seq_file *seq, loff_t *pos)
{
	if (*pos == 0)
		return SEQ_START_TOKEN;
	return *pos > 0 ? ipc_proc_find(seq, pos) : NULL;
}

static void *ipc_proc_next(struct seq_file *seq, void *obj, loff_t *pos)
{
	ipc_proc_stop(seq, obj);
	++*pos;
	return ipc_proc_find(seq, pos);
}

static int ipc_proc_show(struct seq_file *seq, void *obj)
{
	struct ipc_proc_iter *iter = seq->private;

	if (obj != SEQ_START_TOKEN)
		return iter->iface->show(seq, obj);
	seq_puts(seq, iter->iface->header);
	return 0;
}

static const struct seq_operations ipc_proc_seq_ops = {
	.show	= ipc_proc_show,
	.next	= ipc_proc_next,
	.start	= ipc_proc_start,
	.stop	= ipc_proc_stop,
};

static int ipc_proc_open(struct inode *inode, struct file *file)
{
	struct ipc_proc_iter *iter;

	iter = __seq_open_private(file, &ipc_proc_seq_ops, sizeof(*iter));
	if (!iter)
		return -ENOMEM;
	iter->iface = pde_data(inode);
	iter->pid_ns = get_pid_ns(task_active_pid_ns(current));
	iter->ns = get_ipc_ns(current->nsproxy->ipc_ns);
	return 0;
}

static int ipc_proc_release(struct inode *inode, struct file *file)
{
	struct seq_file *seq = file->private_data;
	struct ipc_proc_iter *iter = seq->private;

	put_pid_ns(iter->pid_ns);
	put_ipc_ns(iter->ns);
	return seq_release_private(inode, file);
}

static const struct proc_ops ipc_proc_ops = {
	.proc_open	= ipc_proc_open,
	.proc_release	= ipc_proc_release,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_flags	= PROC_ENTRY_PERMANENT,
};

/**
 * ipc_init_proc_interface - make a file that lists the objects of one kind
 * @path:   path below /proc
 * @header: first line
 * @ids:    which kind: IPC_SEM_IDS, IPC_MSG_IDS or IPC_SHM_IDS
 * @show:   prints one object, which is locked
 */
void __init ipc_init_proc_interface(const char *path, const char *header,
				    int ids,
				    int (*show)(struct seq_file *seq, void *obj))
{
	struct ipc_proc_iface *iface = kmalloc(sizeof(*iface), GFP_KERNEL);

	if (!iface)
		return;
	iface->show = show;
	iface->header = header;
	iface->ids = ids;
	if (!proc_create_data(path, 0444, NULL, &ipc_proc_ops, iface))
		kfree(iface);
}
#endif /* CONFIG_PROC_FS */
