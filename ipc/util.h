/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The object layer of System V IPC: what semaphores, message queues and
 * shared memory segments have in common.  Private to ipc/.
 *
 * An identifier is a sequence number above an index into a table.  The
 * sequence number tells an object from earlier ones at the same index.
 *
 *              index            sequence number
 *   default    15 bits          16 bits
 *   extended   24 bits           7 bits     (boot parameter ipcmni_extend)
 */
#ifndef _IPC_UTIL_H
#define _IPC_UTIL_H

#include <linux/err.h>
#include <linux/ipc_namespace.h>
#include <linux/pid.h>
#include <linux/unistd.h>
#ifdef CONFIG_COMPAT
#include <linux/compat.h>
#endif

struct pid_namespace;
struct seq_file;

/* The rows of ipc_namespace.ids[] */
#define IPC_SEM_IDS	0
#define IPC_MSG_IDS	1
#define IPC_SHM_IDS	2

#define IPCMNI_SHIFT		15
#define IPCMNI			(1 << IPCMNI_SHIFT)
#define IPCMNI_EXTEND_SHIFT	24
#define IPCMNI_EXTEND		(1 << IPCMNI_EXTEND_SHIFT)

/* At least so many identifiers are handed out before an index comes again */
#define IPCMNI_EXTEND_MIN_CYCLE	(RADIX_TREE_MAP_SIZE * RADIX_TREE_MAP_SIZE)

#ifdef CONFIG_SYSVIPC_SYSCTL
extern int ipc_mni, ipc_mni_shift, ipc_min_cycle;
#else
#define ipc_mni		IPCMNI
#define ipc_mni_shift	IPCMNI_SHIFT
#define ipc_min_cycle	((int)RADIX_TREE_MAP_SIZE)
#endif

static inline int ipcid_to_idx(int id)
{
	return id & ((1 << ipc_mni_shift) - 1);
}

static inline int ipcid_to_seqx(int id)
{
	return id >> ipc_mni_shift;
}

static inline int ipcid_seq_max(void)
{
	return INT_MAX >> ipc_mni_shift;
}

/**
 * struct ipc_params - what a caller of semget, msgget or shmget asked for
 * @key: key, or IPC_PRIVATE
 * @flg: IPC_CREAT, IPC_EXCL and the permission bits
 * @u:   the size in the unit of the object
 */
struct ipc_params {
	key_t key;
	int flg;
	union {
		size_t size;	/* bytes of a segment */
		int nsems;	/* semaphores in a set */
	} u;
};

/**
 * struct ipc_ops - what the three kinds of objects do differently in *get()
 * @getnew:      creates an object and returns its id.  Called by ipcget() with
 *               ids->rwsem held for writing; semaphores create without it and
 *               leave this empty.
 * @associate:   the LSM hook for an existing object.  Called under RCU.
 * @more_checks: compares an existing object with the request, or NULL.
 *               Called under RCU, so it reads only what never changes.
 */
struct ipc_ops {
	int (*getnew)(struct ipc_namespace *ns, struct ipc_params *params);
	int (*associate)(struct kern_ipc_perm *perm, int flg);
	int (*more_checks)(struct kern_ipc_perm *perm,
			   struct ipc_params *params);
};

/* Start and end of the three kinds, of a namespace and at boot */
void sem_init(void);
void msg_init(void);
void shm_init(void);

#ifdef CONFIG_SYSVIPC
int msg_init_ns(struct ipc_namespace *ns);
void sem_init_ns(struct ipc_namespace *ns);
void shm_init_ns(struct ipc_namespace *ns);
void msg_exit_ns(struct ipc_namespace *ns);
void sem_exit_ns(struct ipc_namespace *ns);
void shm_exit_ns(struct ipc_namespace *ns);
#else
static inline int msg_init_ns(struct ipc_namespace *ns)
{
	return 0;
}

static inline void sem_init_ns(struct ipc_namespace *ns) {}
static inline void shm_init_ns(struct ipc_namespace *ns) {}
static inline void msg_exit_ns(struct ipc_namespace *ns) {}
static inline void sem_exit_ns(struct ipc_namespace *ns) {}
static inline void shm_exit_ns(struct ipc_namespace *ns) {}
#endif

#ifdef CONFIG_POSIX_MQUEUE
void mq_clear_sbinfo(struct ipc_namespace *ns);
#else
static inline void mq_clear_sbinfo(struct ipc_namespace *ns) {}
#endif

void ipc_init_ids(struct ipc_ids *ids);
void free_ipcs(struct ipc_namespace *ns, struct ipc_ids *ids,
	       void (*free)(struct ipc_namespace *ns, struct kern_ipc_perm *perm));

#ifdef CONFIG_PROC_FS
void ipc_init_proc_interface(const char *path, const char *header, int ids,
			     int (*show)(struct seq_file *seq, void *obj));
struct pid_namespace *ipc_seq_pid_ns(struct seq_file *seq);
#else
/* A macro: without /proc there is no show function to name */
#define ipc_init_proc_interface(path, header, ids, show)	do { } while (0)
#endif

/* Finding an object */
int ipcget(struct ipc_namespace *ns, struct ipc_ids *ids,
	   const struct ipc_ops *ops, struct ipc_params *params);
bool ipc_get_existing(struct ipc_namespace *ns, struct ipc_ids *ids,
		      const struct ipc_ops *ops, struct ipc_params *params,
		      int *result);
struct kern_ipc_perm *ipc_obtain_object_idr(struct ipc_ids *ids, int id);
struct kern_ipc_perm *ipc_obtain_object_check(struct ipc_ids *ids, int id);
struct kern_ipc_perm *ipcctl_obtain_check(struct ipc_namespace *ns,
					  struct ipc_ids *ids, int id, int cmd,
					  struct ipc64_perm *perm,
					  int extra_perm);
int ipc_get_maxidx(struct ipc_ids *ids);

/* Publishing and withdrawing an object */
void ipc_prepare_object(struct kern_ipc_perm *new);
bool ipc_key_taken(struct ipc_ids *ids, key_t key);
int ipc_publish_locked(struct ipc_ids *ids, struct kern_ipc_perm *new,
		       int limit);
int ipc_addid(struct ipc_ids *ids, struct kern_ipc_perm *new, int limit);
void ipc_withdraw_locked(struct ipc_ids *ids, struct kern_ipc_perm *perm);
void ipc_rmid(struct ipc_ids *ids, struct kern_ipc_perm *perm);
void ipc_set_key_private(struct ipc_ids *ids, struct kern_ipc_perm *perm);
bool ipc_rcu_getref(struct kern_ipc_perm *perm);
void ipc_rcu_putref(struct kern_ipc_perm *perm,
		    void (*free)(struct rcu_head *head));

/* Permissions, and how they look in user space */
int ipcperms(struct ipc_namespace *ns, struct kern_ipc_perm *perm, short flag);
int ipc_update_perm(struct ipc64_perm *in, struct kern_ipc_perm *out);
void kernel_to_ipc64_perm(struct kern_ipc_perm *in, struct ipc64_perm *out);
void ipc64_perm_to_ipc_perm(struct ipc64_perm *in, struct ipc_perm *out);

#ifdef CONFIG_ARCH_WANT_IPC_PARSE_VERSION
int ipc_parse_version(int *cmd);
#endif

/* Messages in pages: msgutil.c */
struct msg_msg *load_msg(const void __user *src, size_t len);
struct msg_msg *copy_msg(struct msg_msg *src, struct msg_msg *dst);
int store_msg(void __user *dest, struct msg_msg *msg, size_t len);
void free_msg(struct msg_msg *msg);

static inline int ipc_checkid(struct kern_ipc_perm *perm, int id)
{
	return perm->seq != ipcid_to_seqx(id);
}

/* Context: under RCU or with a reference.  See sem.c for the order of locks. */
static inline void ipc_lock_object(struct kern_ipc_perm *perm)
{
	spin_lock(&perm->lock);
}

/* Context: the object may be gone afterwards, unless under RCU */
static inline void ipc_unlock_object(struct kern_ipc_perm *perm)
{
	spin_unlock(&perm->lock);
}

static inline void ipc_assert_locked_object(struct kern_ipc_perm *perm)
{
	lockdep_assert_held(&perm->lock);
}

/* Ends what a lookup that returns its object locked has begun */
static inline void ipc_unlock(struct kern_ipc_perm *perm)
{
	ipc_unlock_object(perm);
	rcu_read_unlock();
}

/*
 * Was the object still there when its lock was taken?  A lookup under RCU
 * may have met one that was removed meanwhile.
 */
static inline bool ipc_valid_object(struct kern_ipc_perm *perm)
{
	return !perm->deleted;
}

/* Replace a counted pid; the caller owns the field */
static inline void ipc_update_pid(struct pid **field, struct pid *pid)
{
	struct pid *last = *field;

	if (last == pid)
		return;
	*field = get_pid(pid);
	put_pid(last);
}

/* Is the fourth number of kernel.sem one that the index bits can hold? */
static inline int sem_check_semmni(struct ipc_namespace *ns)
{
	int semmni = ns->sem_ctls[3];

	return semmni >= 0 && semmni <= ipc_mni ? 0 : -ERANGE;
}

#ifdef CONFIG_COMPAT
/* struct ipc_perm of a 32-bit program; the order is ABI */
struct compat_ipc_perm {
	key_t		key;
	__compat_uid_t	uid;	/* owner */
	__compat_gid_t	gid;
	__compat_uid_t	cuid;	/* creator */
	__compat_gid_t	cgid;
	compat_mode_t	mode;
	unsigned short	seq;
};

static inline int compat_ipc_parse_version(int *cmd)
{
	int is64 = *cmd & IPC_64;

	*cmd -= is64;
	return is64;
}

int get_compat_ipc_perm(struct ipc64_perm *to,
			struct compat_ipc_perm __user *from);
int get_compat_ipc64_perm(struct ipc64_perm *to,
			  struct compat_ipc64_perm __user *from);
void to_compat_ipc_perm(struct compat_ipc_perm *to, struct ipc64_perm *from);
void to_compat_ipc64_perm(struct compat_ipc64_perm *to,
			  struct ipc64_perm *from);

long compat_ksys_old_semctl(int semid, int semnum, int cmd, int arg);
long compat_ksys_old_msgctl(int msqid, int cmd, void __user *uptr);
long compat_ksys_old_shmctl(int shmid, int cmd, void __user *uptr);
long compat_ksys_msgsnd(int msqid, compat_uptr_t msgp, compat_ssize_t msgsz,
			int msgflg);
long compat_ksys_msgrcv(int msqid, compat_uptr_t msgp, compat_ssize_t msgsz,
			compat_long_t msgtyp, int msgflg);
#endif /* CONFIG_COMPAT */

#endif /* _IPC_UTIL_H */
