// SPDX-License-Identifier: GPL-2.0
/* Tasks, as far as threads and coroutines have it in common. */
#include <linux/ipc_namespace.h>
#include "system.h"

struct ipc_namespace init_ipc_ns = { .ns = { REFCOUNT_INIT(1) } };

static int last_pid;

void put_pid(struct pid *pid)
{
	if (pid && refcount_dec_and_test(&pid->count))
		kfree(pid);
}

static struct pid *new_pid(void)
{
	struct pid *pid = kzalloc(sizeof(*pid), GFP_KERNEL | __GFP_NOFAIL);

	refcount_set(&pid->count, 1);
	pid->number = __atomic_add_fetch(&last_pid, 1, __ATOMIC_RELAXED);
	return pid;
}

/* Who starts up, and has no parent */
struct task_struct *shim_first_task(void)
{
	static struct nsproxy nsproxy = { &init_ipc_ns };
	static struct pid pid = { REFCOUNT_INIT(1), 0 };
	static struct task_struct task = {
		.usage = REFCOUNT_INIT(1),
		.pid = &pid,
		.nsproxy = &nsproxy,
		.cred = { .capable = true },
	};

	return &task;
}

/* What the kernel does when it starts; current is there */
void shim_boot(void)
{
	radix_tree_init();
	if (shim_start_ipc_init())
		SHIM_DIE("ipc_init() failed");
}

int shim_new_task(struct task_struct *parent, unsigned int flags,
		  struct task_struct **result)
{
	struct task_struct *task;
	int err;

	task = kzalloc(sizeof(*task), GFP_KERNEL | __GFP_NOFAIL);
	refcount_set(&task->usage, 1);
	task->pid = flags & SHIM_THREAD ? get_pid(parent->pid) : new_pid();
	task->nsproxy = parent->nsproxy;
	task->cred = parent->cred;
	err = copy_semundo(flags & CLONE_SYSVSEM, task);
	if (err) {
		put_task_struct(task);
		return err;
	}
	*result = task;
	return 0;
}

void put_task_struct(struct task_struct *task)
{
	if (!refcount_dec_and_test(&task->usage))
		return;
	put_pid(task->pid);
	kfree(task);
}

void wake_q_add_safe(struct wake_q_head *head, struct task_struct *task)
{
	struct wake_q_node *node = &task->wake_q;

	if (cmpxchg(&node->next, NULL, WAKE_Q_TAIL)) {
		/* Somebody else is about to wake it */
		put_task_struct(task);
		return;
	}
	WRITE_ONCE(*head->lastp, node);
	head->lastp = &node->next;
}

void wake_up_q(struct wake_q_head *head)
{
	struct wake_q_node *node = head->first;

	while (node != WAKE_Q_TAIL) {
		struct task_struct *task = container_of(node, struct task_struct,
							wake_q);

		node = READ_ONCE(node->next);
		/* From here on it can be queued again */
		WRITE_ONCE(task->wake_q.next, NULL);
		wake_up_process(task);
		put_task_struct(task);
	}
}

/* ipc/namespace.c has this for all three kinds of objects */
void free_ipcs(struct ipc_namespace *ns, struct ipc_ids *ids,
	       void (*remove)(struct ipc_namespace *ns, struct kern_ipc_perm *perm));

void free_ipcs(struct ipc_namespace *ns, struct ipc_ids *ids,
	       void (*remove)(struct ipc_namespace *ns, struct kern_ipc_perm *perm))
{
	struct kern_ipc_perm *perm;
	int index;

	down_write(&ids->rwsem);
	for (index = 0; (perm = idr_get_next(&ids->ipcs_idr, &index)); index++) {
		rcu_read_lock();
		spin_lock(&perm->lock);
		/* Releases both */
		remove(ns, perm);
	}
	up_write(&ids->rwsem);
}

struct ipc_namespace *shim_new_namespace(void)
{
	struct ipc_namespace *ns;

	ns = kzalloc(sizeof(*ns), GFP_KERNEL | __GFP_NOFAIL);
	refcount_set(&ns->ns.count, 1);
	ns->user_ns = &init_user_ns;
	sem_init_ns(ns);
	return ns;
}

void shim_end_namespace(struct ipc_namespace *ns)
{
	sem_exit_ns(ns);
	kfree(ns);
}
