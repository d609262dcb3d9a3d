/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What surrounds System V IPC in the kernel: namespaces, permissions, security
 * modules, audit, system calls, compat and /proc.
 */
#ifndef SEM_SHIM_AROUND_H
#define SEM_SHIM_AROUND_H

#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/sem.h>

#define S_IRWXUGO	(S_IRWXU | S_IRWXG | S_IRWXO)
#define S_IRUGO		(S_IRUSR | S_IRGRP | S_IROTH)
#define S_IWUGO		(S_IWUSR | S_IWGRP | S_IWOTH)

/* sem_init() is libc's name, too */
#define sem_init	shim_sem_init

/*
 * Namespaces.  struct ipc_namespace is the kernel's, and has these in it.
 */

struct user_namespace {
	int unused;
};

struct pid_namespace {
	int unused;
};

struct ns_common {
	refcount_t count;
};

struct percpu_counter {
	int unused;
};

struct notifier_block {
	int unused;
};

struct ctl_table_set {
	int unused;
};

struct ctl_table_header;

struct llist_node {
	struct llist_node *next;
};

struct ipc_namespace;

extern struct user_namespace init_user_ns;
extern int ipc_mni, ipc_mni_shift, ipc_min_cycle;

struct pid_namespace *task_active_pid_ns(struct task_struct *task);
#define get_pid_ns(ns)		(ns)
#define put_pid_ns(ns)		((void)(ns))
#define pid_nr_ns(pid, ns)	((void)(ns), pid_vnr(pid))

/*
 * Credentials: ids are the same in all user namespaces
 */

#define KUIDT_INIT(n)			((kuid_t){ (n) })
#define KGIDT_INIT(n)			((kgid_t){ (n) })
#define __kuid_val(u)			((u).val)
#define __kgid_val(g)			((g).val)
#define uid_eq(a, b)			((a).val == (b).val)
#define gid_eq(a, b)			((a).val == (b).val)
#define uid_valid(u)			((u).val != (unsigned int)-1)
#define gid_valid(g)			((g).val != (unsigned int)-1)
#define make_kuid(ns, id)		((void)(ns), KUIDT_INIT(id))
#define make_kgid(ns, id)		((void)(ns), KGIDT_INIT(id))
#define from_kuid(ns, u)		((void)(ns), (u).val)
#define from_kuid_munged(ns, u)		((void)(ns), (u).val)
#define from_kgid_munged(ns, g)		((void)(ns), (g).val)
#define current_user_ns()		(&init_user_ns)
#define current_euid()			(current->cred.euid)
#define current_euid_egid(u, g)						\
	do { *(u) = current->cred.euid; *(g) = current->cred.egid; } while (0)
#define in_group_p(g)			gid_eq(current->cred.egid, g)

#define CAP_IPC_OWNER	15
#define CAP_SYS_ADMIN	21

static inline bool ns_capable(struct user_namespace *ns, int cap)
{
	return current->cred.capable;
}

#define __convert_uid(size, id)		(id)
#define SET_UID(to, from)		((to) = (from))
#define SET_GID(to, from)		((to) = (from))

/*
 * Security modules and audit.  A hook returns what shim_lsm_answer() says; it
 * must not be called under a spinlock.
 */

struct kern_ipc_perm;
struct msg_msg;
struct sembuf;

extern int shim_lsm_answer;

int security_ipc_permission(struct kern_ipc_perm *perm, short flag);
int security_sem_alloc(struct kern_ipc_perm *perm);
void security_sem_free(struct kern_ipc_perm *perm);
int security_sem_associate(struct kern_ipc_perm *perm, int flg);
int security_sem_semctl(struct kern_ipc_perm *perm, int cmd);
int security_sem_semop(struct kern_ipc_perm *perm, struct sembuf *sops,
		       unsigned int nsops, int alter);

#define audit_dummy_context()			true
#define audit_ipc_obj(perm)			do { } while (0)
#define audit_ipc_set_perm(q, u, g, mode)	do { } while (0)

/*
 * Start-up and system calls
 */

#define device_initcall(fn)	int shim_start_##fn(void) { return fn(); }
#define core_param(name, var, type, perm)	type *shim_param_##name = &(var)

#define SYSCALL_DEFINE3(name, t1, a1, t2, a2, t3, a3) \
	long sys_##name(t1 a1, t2 a2, t3 a3); \
	long sys_##name(t1 a1, t2 a2, t3 a3)
#define SYSCALL_DEFINE4(name, t1, a1, t2, a2, t3, a3, t4, a4) \
	long sys_##name(t1 a1, t2 a2, t3 a3, t4 a4); \
	long sys_##name(t1 a1, t2 a2, t3 a3, t4 a4)
#define COMPAT_SYSCALL_DEFINE4(name, ...)	SYSCALL_DEFINE4(compat_##name, __VA_ARGS__)

struct __kernel_timespec {
	long long tv_sec;
	long long tv_nsec;
};

struct old_timespec32 {
	s32 tv_sec;
	s32 tv_nsec;
};

typedef s32 old_time32_t;

int get_timespec64(struct timespec64 *to, const struct __kernel_timespec *from);
int get_old_timespec32(struct timespec64 *to, const void *from);

typedef u16 shim_compat_mode_t;
typedef u16 shim_compat_id_t;
#define compat_mode_t	shim_compat_mode_t
#define __compat_uid_t	shim_compat_id_t
#define __compat_gid_t	shim_compat_id_t
#define compat_fsid_t	int
#define compat_ptr(p)	((void *)(unsigned long)(u32)(p))
#include <asm-generic/compat.h>

/*
 * Files in /proc
 */

struct inode;
struct file;
struct proc_dir_entry;

struct seq_file {
	char *text;
	size_t size;
	size_t length;
	void *private;
	const struct seq_operations *op;
};

struct seq_operations {
	void *(*start)(struct seq_file *seq, loff_t *pos);
	void (*stop)(struct seq_file *seq, void *object);
	void *(*next)(struct seq_file *seq, void *object, loff_t *pos);
	int (*show)(struct seq_file *seq, void *object);
};

struct inode {
	void *data;
};

struct file {
	void *private_data;
};

struct proc_ops {
	unsigned int proc_flags;
	int (*proc_open)(struct inode *inode, struct file *file);
	int (*proc_release)(struct inode *inode, struct file *file);
	ssize_t (*proc_read)(struct file *file, char *to, size_t n, loff_t *pos);
	loff_t (*proc_lseek)(struct file *file, loff_t offset, int whence);
};

#define PROC_ENTRY_PERMANENT	1
#define SEQ_START_TOKEN		((void *)1)
#define seq_user_ns(seq)	((void)(seq), &init_user_ns)
#define pde_data(inode)		((inode)->data)
#define proc_mkdir(name, parent)	do { } while (0)
#define seq_read		NULL
#define seq_lseek		NULL

void seq_printf(struct seq_file *seq, const char *fmt, ...) __printf(2, 3);
void seq_puts(struct seq_file *seq, const char *text);
void *__seq_open_private(struct file *file, const struct seq_operations *op, int size);
int seq_release_private(struct inode *inode, struct file *file);
struct proc_dir_entry *proc_create_data(const char *path, umode_t mode,
					struct proc_dir_entry *parent,
					const struct proc_ops *ops, void *data);

/*
 * The whole of a file, to be freed; read in pieces of @lines lines, between
 * which the file holds nothing.
 */
char *shim_read_proc(const char *path, int lines);

/* Tracepoints are there, and do nothing */
#define DECLARE_EVENT_CLASS(name, proto, ...)
#define DEFINE_EVENT(class, name, proto, args)	static inline void trace_##name(proto) {}
#define TRACE_EVENT(name, proto, ...)		static inline void trace_##name(proto) {}
#define TP_PROTO(...)	__VA_ARGS__
#define TP_ARGS(...)

#endif
