/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU.  A reader stores, in its task, the number of the grace period in which it
 * began; the end of a grace period waits for older ones.  Each such store
 * releases and the look at it acquires, so that ThreadSanitizer sees a reader's
 * last access come before the free; rcu-control.c shows that a free which waits
 * is accepted, and that one which does not is reported.
 */
#ifndef SEM_SHIM_RCU_H
#define SEM_SHIM_RCU_H

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
	uint64_t readers;	/* with SHIM_STEPS; else grace periods to wait for */
};

#define callback_head rcu_head

void shim_rcu_read_lock(void);
void shim_rcu_read_unlock(void);
void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void kfree(const void *p);

/* Instead of a function there may be the offset in what is to be freed */
static inline void shim_rcu_invoke(struct rcu_head *head)
{
	unsigned long offset = (unsigned long)head->func;

	if (offset < 4096)
		kfree((char *)head - offset);
	else
		head->func(head);
}

void synchronize_rcu(void);
void rcu_barrier(void);

#ifndef SHIM_BENCH
#define rcu_read_lock()		shim_rcu_read_lock()
#define rcu_read_unlock()	shim_rcu_read_unlock()
#endif

#define rcu_read_lock_held()		1
#define rcu_read_lock_any_held()	1
#define rcu_dereference_raw(p)		({ shim_point(); __atomic_load_n(&(p), __ATOMIC_ACQUIRE); })
#define rcu_dereference(p)		rcu_dereference_raw(p)
#define rcu_dereference_check(p, c)	rcu_dereference_raw(p)
#define rcu_dereference_protected(p, c)	({ (void)(c); (p); })
#define rcu_dereference_raw_check(p)	rcu_dereference_raw(p)
#define rcu_access_pointer(p)		READ_ONCE(p)
#define rcu_assign_pointer(p, v)	smp_store_release(&(p), (v))
#define RCU_INIT_POINTER(p, v)		WRITE_ONCE(p, v)
#define rcu_head_init(h)		((h)->func = NULL)
#define rcu_head_after_call_rcu(h, f)	((h)->func == (f))
#define kfree_rcu(p, member)						\
	call_rcu(&(p)->member, (void *)offsetof(typeof(*(p)), member))
#define kvfree_rcu(p, member)		kfree_rcu(p, member)
#define rcu_read_lock_sched()		rcu_read_lock()
#define rcu_read_unlock_sched()		rcu_read_unlock()

#endif
