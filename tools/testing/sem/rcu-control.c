// SPDX-License-Identifier: GPL-2.0
/*
 * Can the sanitizers be believed about RCU? `rcu-control good` frees after a
 * grace period, which must pass; `rcu-control bad` frees at once, which must
 * be reported; `rcu-control lock` forgets a lock, which must be, too.
 */
#include <sched.h>

#include "threads.h"

struct thing {
	int a, b;
	struct rcu_head rcu;
};

#define ROUNDS	20000

static struct thing *shared;
static DEFINE_SPINLOCK(lock);
static int counter;
static bool done;
static int counting;
static enum { GOOD, BAD, LOCK } mode;

static void read_things(void *arg)
{
	long sum = 0;

	while (!READ_ONCE(done)) {
		struct thing *thing;

		rcu_read_lock();
		thing = rcu_dereference(shared);
		sum += thing->a;
		/* Give the other side time to free it too early */
		sched_yield();
		sum -= thing->b;
		rcu_read_unlock();
	}
	if (sum && mode == GOOD)
		SHIM_DIE("a reader saw half of an update");
}

static void replace_thing(int value)
{
	struct thing *old = shared, *new = kmalloc(sizeof(*new), GFP_KERNEL);

	if (!new)
		SHIM_DIE("no memory");
	new->a = new->b = value;
	rcu_assign_pointer(shared, new);
	if (mode == BAD)
		kfree(old);
	else
		kfree_rcu(old, rcu);
}

static void count(void *arg)
{
	int i;

	/* One must not have ended before the other begins */
	__atomic_fetch_add(&counting, 1, __ATOMIC_RELAXED);
	while (READ_ONCE(counting) < 2)
		sched_yield();
	for (i = 0; i < ROUNDS; i++) {
		if (mode != LOCK)
			spin_lock(&lock);
		counter++;
		if (mode != LOCK)
			spin_unlock(&lock);
	}
}

int main(int argc, char **argv)
{
	struct task_struct *tasks[2];
	int i;

	if (argc == 2 && !strcmp(argv[1], "bad")) {
		mode = BAD;
	} else if (argc == 2 && !strcmp(argv[1], "lock")) {
		mode = LOCK;
	} else if (argc != 2 || strcmp(argv[1], "good")) {
		fprintf(stderr, "usage: rcu-control good|bad|lock\n");
		return 2;
	}
	threads_start();
	if (mode != LOCK) {
		shared = kzalloc(sizeof(*shared), GFP_KERNEL);
		for (i = 0; i < 2; i++)
			tasks[i] = threads_run(0, read_things, NULL);
		for (i = 0; i < ROUNDS; i++)
			replace_thing(i);
		WRITE_ONCE(done, true);
	} else {
		for (i = 0; i < 2; i++)
			tasks[i] = threads_run(0, count, NULL);
	}
	for (i = 0; i < 2; i++)
		threads_join(tasks[i]);
	kfree(shared);
	threads_stop();
	return 0;
}
