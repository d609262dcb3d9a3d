// SPDX-License-Identifier: GPL-2.0
/*
 * System V semaphores: semctl(), its old and compat forms, and
 * /proc/sysvipc/sem.
 */

#include "sem.h"

/* Sets up to this size are read and written without an allocation */
#define SEM_FAST_VALUES	256

/*
 * Whole sets: IPC_STAT, IPC_SET, IPC_RMID and the INFO commands
 */

/* Fill @out from a set that is locked and valid */
static void sem_fill_stat(struct sem_array *sma, struct semid64_ds *out)
{
	time64_t otime = atomic64_read(&sma->otime);
	time64_t ctime = atomic64_read(&sma->ctime);

	kernel_to_ipc64_perm(&sma->sem_perm, &out->sem_perm);
	out->sem_nsems = sma->nsems;
	out->sem_ctime = ctime;
	out->sem_otime = otime;
#ifndef CONFIG_64BIT
	out->sem_ctime_high = upper_32_bits(ctime);
	out->sem_otime_high = upper_32_bits(otime);
#endif
}

/*
 * IPC_STAT takes an id and returns 0.  SEM_STAT and SEM_STAT_ANY take an index
 * and return the id that belongs to it; the latter asks for no permission.
 */
static int sem_stat(struct ipc_namespace *ns, int semid, int cmd,
		    struct semid64_ds *out)
{
	struct kern_ipc_perm *perm;
	int result;

	memset(out, 0, sizeof(*out));
	rcu_read_lock();
	if (cmd == SEM_STAT || cmd == SEM_STAT_ANY)
		perm = ipc_obtain_object_idr(sem_ids(ns), semid);
	else
		perm = ipc_obtain_object_check(sem_ids(ns), semid);
	if (IS_ERR(perm)) {
		result = PTR_ERR(perm);
		goto unlock;
	}

	result = 0;
	if (cmd == SEM_STAT_ANY)
		audit_ipc_obj(perm);
	else if (ipcperms(ns, perm, 0444))
		result = -EACCES;
	if (!result)
		result = security_sem_semctl(perm, cmd);
	if (result)
		goto unlock;

	ipc_lock_object(perm);
	if (ipc_valid_object(perm)) {
		sem_fill_stat(sem_of_perm(perm), out);
		result = cmd == IPC_STAT ? 0 : perm->id;
	} else {
		result = -EIDRM;
	}
	ipc_unlock_object(perm);
unlock:
	rcu_read_unlock();
	return result;
}

/* IPC_INFO and SEM_INFO return the highest index in use, or 0 */
static int sem_info(struct ipc_namespace *ns, int cmd, void __user *to)
{
	struct ipc_ids *ids = sem_ids(ns);
	struct seminfo info = {
		.semmsl = sem_limit(ns, SEM_LIMIT_SET_SIZE),
		.semmns = sem_limit(ns, SEM_LIMIT_SEMAPHORES),
		.semopm = sem_limit(ns, SEM_LIMIT_SOPS),
		.semmni = sem_limit(ns, SEM_LIMIT_SETS),
		.semmap = SEMMAP, .semmnu = SEMMNU, .semume = SEMUME,
		.semusz = SEMUSZ, .semvmx = SEMVMX, .semaem = SEMAEM,
	};
	int err = security_sem_semctl(NULL, cmd);

	if (err)
		return err;
	if (cmd == SEM_INFO) {
		spin_lock(&ids->lock);
		info.semusz = ids->in_use;
		info.semaem = ns->used_sems;
		spin_unlock(&ids->lock);
	}
	if (copy_to_user(to, &info, sizeof(info)))
		return -EFAULT;
	return max(ipc_get_maxidx(ids), 0);
}

/*
 * IPC_SET and IPC_RMID.  A set that was removed between lookup and lock is one
 * that we came too late for: EINVAL, as if we had come later still.
 */
static int sem_down(struct ipc_namespace *ns, int semid, int cmd,
		    struct ipc64_perm *new)
{
	struct kern_ipc_perm *perm;
	int err;

	rcu_read_lock();
	perm = ipcctl_obtain_check(ns, sem_ids(ns), semid, cmd, new, 0);
	if (IS_ERR(perm)) {
		err = PTR_ERR(perm);
		goto unlock;
	}
	err = security_sem_semctl(perm, cmd);
	if (err)
		goto unlock;

	ipc_lock_object(perm);
	if (!ipc_valid_object(perm)) {
		err = -EINVAL;
	} else if (cmd == IPC_RMID) {
		/* Releases the object and RCU */
		sem_remove(ns, sem_of_perm(perm));
		return 0;
	} else if (cmd == IPC_SET) {
		err = ipc_update_perm(new, perm);
		if (!err)
			sem_touch_ctime(sem_of_perm(perm));
	} else {
		err = -EINVAL;
	}
	ipc_unlock_object(perm);
unlock:
	rcu_read_unlock();
	return err;
}

/*
 * Values
 */

/* Find a set whose values shall be read or written.  Context: under RCU. */
static struct sem_array *sem_find_checked(struct ipc_namespace *ns, int semid,
					  int cmd, short mode)
{
	struct sem_array *sma = sem_find(ns, semid);
	int err;

	if (IS_ERR(sma))
		return sma;
	if (ipcperms(ns, &sma->sem_perm, mode))
		return ERR_PTR(-EACCES);
	err = security_sem_semctl(&sma->sem_perm, cmd);
	return err ? ERR_PTR(err) : sma;
}

/* What a reader sees as the owner of the semaphore.  Context: under RCU. */
static int sem_read_owned(struct sem_array *sma, struct sem *sem, int cmd)
{
	struct sem_slot slot = { .sem = sem };
	struct sem_op op = { .sma = sma, .slots = &slot, .nslots = 1 };
	struct sem_handoff nobody;
	int result;

	result = sem_own(&op);
	if (result)
		return result;
	switch (cmd) {
	case GETVAL:
		result = sem_value(sem);
		break;
	case GETPID:
		/* Only the owner may look: a pid goes when it is replaced */
		result = pid_vnr(sem->pid);
		break;
	case GETNCNT:
		result = sem->ncnt;
		break;
	default:
		result = sem->zcnt;
	}
	sem_handoff_init(&nobody);
	sem_disown(&op, &nobody);
	return result;
}

/* GETVAL, GETPID, GETNCNT, GETZCNT */
static int sem_read(struct ipc_namespace *ns, int semid, int num, int cmd)
{
	struct sem_array *sma;
	struct sem *sem;
	int result;
	u64 word;

	rcu_read_lock();
	sma = sem_find_checked(ns, semid, cmd, 0444);
	if (IS_ERR(sma)) {
		result = PTR_ERR(sma);
	} else if (num < 0 || num >= sma->nsems) {
		result = -EINVAL;
	} else {
		sem = sem_at(sma, num);
		/*
		 * SEM_STATE_A, pairs with the release in sem_release_word().
		 * While an owner is at work, the value may be half of a change.
		 */
		word = atomic64_read_acquire(&sem->state);
		if (cmd == GETVAL && !(word & (SEM_BUSY | SEM_CLAIMED)))
			result = word & SEM_VALUE_MASK;
		else
			result = sem_read_owned(sma, sem, cmd);
	}
	rcu_read_unlock();
	return result;
}

/*
 * A set for GETALL or SETALL, with a reference, and room for its values: @few,
 * or an allocation where that is too small.
 */
static struct sem_array *sem_find_all(struct ipc_namespace *ns, int semid,
				      int cmd, u16 *few, u16 **values)
{
	struct sem_array *sma;

	rcu_read_lock();
	sma = sem_find_checked(ns, semid, cmd,
			       cmd == SETALL ? 0222 : 0444);
	if (!IS_ERR(sma) && !ipc_rcu_getref(&sma->sem_perm))
		sma = ERR_PTR(-EIDRM);
	rcu_read_unlock();
	if (IS_ERR(sma))
		return sma;

	*values = few;
	if (sma->nsems > SEM_FAST_VALUES) {
		*values = kvmalloc_array(sma->nsems, sizeof(**values),
					 GFP_KERNEL);
		if (!*values) {
			sem_put(sma);
			return ERR_PTR(-ENOMEM);
		}
	}
	return sma;
}

static int sem_getall(struct ipc_namespace *ns, int semid, u16 __user *to)
{
	u16 few[SEM_FAST_VALUES], *values;
	struct sem_array *sma;
	int i, err;

	sma = sem_find_all(ns, semid, GETALL, few, &values);
	if (IS_ERR(sma))
		return PTR_ERR(sma);

	err = sem_lock_set(sma);
	if (!err) {
		/* One moment for all values: no operation is half done */
		sem_claim_all(sma);
		for (i = 0; i < sma->nsems; i++)
			values[i] = sem_value(&sma->sems[i]);
		sem_unclaim_all(sma);
		sem_unlock_set(sma);
		if (copy_to_user(to, values, sma->nsems * sizeof(*values)))
			err = -EFAULT;
	}
	if (values != few)
		kvfree(values);
	sem_put(sma);
	return err;
}

/* Context: owner of the semaphore by a claim of its own */
static void sem_overwrite(struct sem *sem, int value, struct sem_handoff *h)
{
	sem_set_value(sem, value);
	sem_set_pid(sem, task_tgid(current));
	sem_changed(sem, h);
}

/* Let go on whom new values allow to.  Context: holds the claim lock. */
static void sem_settle(struct sem_array *sma, struct sem_handoff *h)
{
	sem_touch_ctime(sma);
	sem_hand_off(h, 1);
	if (h->granted)
		sem_touch_otime(sma);
	sem_publish(h);
}

static int sem_write_all(struct sem_array *sma, const u16 *values)
{
	struct sem_handoff h;
	int i, err;

	for (i = 0; i < sma->nsems; i++)
		if (values[i] > SEMVMX)
			return -ERANGE;

	sem_handoff_init(&h);
	rcu_read_lock();
	err = sem_lock_set(sma);
	if (!err) {
		sem_claim_all(sma);
		for (i = 0; i < sma->nsems; i++)
			sem_overwrite(&sma->sems[i], values[i], &h);
		sem_undo_clear_all(sma);
		sem_settle(sma, &h);
		sem_unclaim_all(sma);
		sem_unlock_set(sma);
	}
	rcu_read_unlock();
	wake_up_q(&h.wake_q);
	return err;
}

static int sem_setall(struct ipc_namespace *ns, int semid,
		      const u16 __user *from)
{
	u16 few[SEM_FAST_VALUES], *values;
	struct sem_array *sma;
	int err = -EFAULT;

	sma = sem_find_all(ns, semid, SETALL, few, &values);
	if (IS_ERR(sma))
		return PTR_ERR(sma);
	if (!copy_from_user(values, from, sma->nsems * sizeof(*values)))
		err = sem_write_all(sma, values);
	if (values != few)
		kvfree(values);
	sem_put(sma);
	return err;
}

static int sem_setval(struct ipc_namespace *ns, int semid, int num, int value)
{
	struct sem_array *sma;
	struct sem_handoff h;
	struct sem *sem;
	int err;

	if (value < 0 || value > SEMVMX)
		return -ERANGE;

	sem_handoff_init(&h);
	rcu_read_lock();
	sma = sem_find(ns, semid);
	err = PTR_ERR_OR_ZERO(sma);
	if (err)
		goto unlock;
	err = -EINVAL;
	if (num < 0 || num >= sma->nsems)
		goto unlock;
	err = -EACCES;
	if (ipcperms(ns, &sma->sem_perm, 0222) ||
	    security_sem_semctl(&sma->sem_perm, SETVAL))
		goto unlock;

	err = sem_lock_set(sma);
	if (err)
		goto unlock;
	sem = sem_at(sma, num);
	sem_claim(sem);
	sem_overwrite(sem, value, &h);
	sem_undo_clear(sma, num);
	sem_settle(sma, &h);
	sem_unclaim(sem);
	sem_unlock_set(sma);
unlock:
	rcu_read_unlock();
	wake_up_q(&h.wake_q);
	return err;
}

/*
 * The system calls.  Structures go in and out in three forms: today's, the old
 * one, and both as 32-bit programs on a 64-bit kernel see them.
 */

/* Everything but IPC_STAT and its like and IPC_SET, which have structures */
static long sem_ctl_common(struct ipc_namespace *ns, int semid, int num,
			   int cmd, void __user *arg)
{
	switch (cmd) {
	case IPC_INFO:
	case SEM_INFO:
		return sem_info(ns, cmd, arg);
	case IPC_RMID:
		return sem_down(ns, semid, cmd, NULL);
	case GETALL:
		return sem_getall(ns, semid, arg);
	case SETALL:
		return sem_setall(ns, semid, arg);
	case GETPID:
	case GETVAL:
	case GETNCNT:
	case GETZCNT:
		return sem_read(ns, semid, num, cmd);
	default:
		return -EINVAL;
	}
}

static int sem_stat_to_user(void __user *to, struct semid64_ds *from,
			    int version)
{
	struct semid_ds old;

	if (version == IPC_64)
		return copy_to_user(to, from, sizeof(*from)) ? -EFAULT : 0;

	memset(&old, 0, sizeof(old));
	ipc64_perm_to_ipc_perm(&from->sem_perm, &old.sem_perm);
	old.sem_nsems = from->sem_nsems;
	old.sem_ctime = from->sem_ctime;
	old.sem_otime = from->sem_otime;
	return copy_to_user(to, &old, sizeof(old)) ? -EFAULT : 0;
}

/* Of what IPC_SET gets, only owner, group and mode count */
static int sem_perm_from_user(struct ipc64_perm *to, void __user *from,
			      int version)
{
	struct semid64_ds new;
	struct semid_ds old;

	if (version == IPC_64) {
		if (copy_from_user(&new, from, sizeof(new)))
			return -EFAULT;
		*to = new.sem_perm;
		return 0;
	}

	if (copy_from_user(&old, from, sizeof(old)))
		return -EFAULT;
	to->mode = old.sem_perm.mode;
	to->gid = old.sem_perm.gid;
	to->uid = old.sem_perm.uid;
	return 0;
}

static long sem_ctl_native(int semid, int semnum, int cmd, unsigned long arg,
			   int version)
{
	struct ipc_namespace *ns = current->nsproxy->ipc_ns;
	void __user *user = (void __user *)arg;
	struct semid64_ds stat;
	struct ipc64_perm perm;
	long result, err;

	if (semid < 0)
		return -EINVAL;

	switch (cmd) {
	case IPC_STAT:
	case SEM_STAT:
	case SEM_STAT_ANY:
		result = sem_stat(ns, semid, cmd, &stat);
		if (result < 0)
			return result;
		err = sem_stat_to_user(user, &stat, version);
		return err ?: result;
	case IPC_SET:
		err = sem_perm_from_user(&perm, user, version);
		return err ?: sem_down(ns, semid, cmd, &perm);
	case SETVAL:
		/* The int of a union semun: its first half in memory */
#if defined(CONFIG_64BIT) && defined(__BIG_ENDIAN)
		arg >>= 32;
#endif
		return sem_setval(ns, semid, semnum, (int)arg);
	default:
		return sem_ctl_common(ns, semid, semnum, cmd, user);
	}
}

SYSCALL_DEFINE4(semctl, int, semid, int, semnum, int, cmd, unsigned long, arg)
{
	return sem_ctl_native(semid, semnum, cmd, arg, IPC_64);
}

#ifdef CONFIG_ARCH_WANT_IPC_PARSE_VERSION
long ksys_old_semctl(int semid, int semnum, int cmd, unsigned long arg)
{
	int version = ipc_parse_version(&cmd);

	return sem_ctl_native(semid, semnum, cmd, arg, version);
}

SYSCALL_DEFINE4(old_semctl, int, semid, int, semnum, int, cmd,
		unsigned long, arg)
{
	return ksys_old_semctl(semid, semnum, cmd, arg);
}
#endif

#ifdef CONFIG_COMPAT

/* struct semid_ds of a 32-bit program; the pointers were never filled in */
struct compat_semid_ds {
	struct compat_ipc_perm	sem_perm;
	old_time32_t		sem_otime, sem_ctime;
	compat_uptr_t		unused[4];
	unsigned short		sem_nsems;
};

static int sem_stat_to_compat(void __user *to, struct semid64_ds *from,
			      int version)
{
	struct compat_semid64_ds new;
	struct compat_semid_ds old;

	if (version == IPC_64) {
		memset(&new, 0, sizeof(new));
		to_compat_ipc64_perm(&new.sem_perm, &from->sem_perm);
		new.sem_nsems = from->sem_nsems;
		new.sem_ctime = lower_32_bits(from->sem_ctime);
		new.sem_ctime_high = upper_32_bits(from->sem_ctime);
		new.sem_otime = lower_32_bits(from->sem_otime);
		new.sem_otime_high = upper_32_bits(from->sem_otime);
		return copy_to_user(to, &new, sizeof(new)) ? -EFAULT : 0;
	}

	memset(&old, 0, sizeof(old));
	to_compat_ipc_perm(&old.sem_perm, &from->sem_perm);
	old.sem_nsems = from->sem_nsems;
	old.sem_ctime = from->sem_ctime;
	old.sem_otime = from->sem_otime;
	return copy_to_user(to, &old, sizeof(old)) ? -EFAULT : 0;
}

static int sem_perm_from_compat(struct ipc64_perm *to, void __user *from,
				int version)
{
	struct compat_semid64_ds __user *new = from;
	struct compat_semid_ds __user *old = from;

	if (version == IPC_64)
		return get_compat_ipc64_perm(to, &new->sem_perm);
	return get_compat_ipc_perm(to, &old->sem_perm);
}

static long sem_ctl_compat(int semid, int num, int cmd, int arg,
			   int version)
{
	struct ipc_namespace *ns = current->nsproxy->ipc_ns;
	void __user *user = compat_ptr(arg);
	struct ipc64_perm perm = {};
	struct semid64_ds stat;
	long result, err;

	if (semid < 0)
		return -EINVAL;

	/*
	 * Called directly, a 32-bit program may leave the bit in where there is
	 * a structure or a number; with IPC_STAT it gets the id then, and all
	 * else is an unknown command (observed on Linux 6.12).
	 */
	switch (cmd & ~IPC_64) {
	case IPC_STAT:
	case SEM_STAT:
	case SEM_STAT_ANY:
		result = sem_stat(ns, semid, cmd, &stat);
		if (result < 0)
			return result;
		err = sem_stat_to_compat(user, &stat, version);
		return err ?: result;
	case IPC_SET:
		if (sem_perm_from_compat(&perm, user, version))
			return -EFAULT;
		return sem_down(ns, semid, cmd, &perm);
	case SETVAL:
		return sem_setval(ns, semid, num, arg);
	case IPC_INFO:
	case SEM_INFO:
		return sem_info(ns, cmd, user);
	default:
		return sem_ctl_common(ns, semid, num, cmd, user);
	}
}

COMPAT_SYSCALL_DEFINE4(semctl, int, semid, int, num, int, cmd, int, arg)
{
	return sem_ctl_compat(semid, num, cmd, arg, IPC_64);
}

#ifdef CONFIG_ARCH_WANT_COMPAT_IPC_PARSE_VERSION
long compat_ksys_old_semctl(int semid, int num, int cmd, int arg)
{
	int version = compat_ipc_parse_version(&cmd);

	return sem_ctl_compat(semid, num, cmd, arg, version);
}

COMPAT_SYSCALL_DEFINE4(old_semctl, int, semid, int, num, int, cmd, int, arg)
{
	return compat_ksys_old_semctl(semid, num, cmd, arg);
}
#endif
#endif /* CONFIG_COMPAT */

#ifdef CONFIG_PROC_FS
/**
 * sem_proc_show - one line of /proc/sysvipc/sem
 * @seq: the file
 * @obj: the set, locked and valid
 *
 * Return: 0.
 */
int sem_proc_show(struct seq_file *seq, void *obj)
{
	struct user_namespace *user_ns = seq_user_ns(seq);
	struct kern_ipc_perm *perm = obj;
	struct sem_array *sma = sem_of_perm(perm);

	seq_printf(seq, "%10d %10d  %4o %10u ",
		   perm->key, perm->id, perm->mode, sma->nsems);
	seq_printf(seq, "%5u %5u %5u %5u ",
		   from_kuid_munged(user_ns, perm->uid),
		   from_kgid_munged(user_ns, perm->gid),
		   from_kuid_munged(user_ns, perm->cuid),
		   from_kgid_munged(user_ns, perm->cgid));
	seq_printf(seq, "%10llu %10llu\n",
		   (u64)atomic64_read(&sma->otime),
		   (u64)atomic64_read(&sma->ctime));
	return 0;
}
#endif
