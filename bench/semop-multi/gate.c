// SPDX-License-Identifier: GPL-2.0
/* The start gate. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gate.h"

static void futex_wait(_Atomic unsigned int *word, unsigned int while_it_is)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, while_it_is, NULL, NULL, 0);
}

static void futex_wake_all(_Atomic unsigned int *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/** gate_init - shut @gate for @workers workers */
void gate_init(struct gate *gate, unsigned int workers)
{
	atomic_init(&gate->missing, workers);
	atomic_init(&gate->open, 0);
}

/** gate_pass - a worker says that it is ready, and waits until @gate opens */
void gate_pass(struct gate *gate)
{
	gate_give_up(gate, 1);
	while (!atomic_load(&gate->open))
		futex_wait(&gate->open, 0);
}

/** gate_give_up - do not wait for @workers more workers */
void gate_give_up(struct gate *gate, unsigned int workers)
{
	if (atomic_fetch_sub(&gate->missing, workers) == workers)
		futex_wake_all(&gate->missing);
}

/** gate_await_all - the controller waits until every worker is at @gate */
void gate_await_all(struct gate *gate)
{
	unsigned int missing;

	while ((missing = atomic_load(&gate->missing)))
		futex_wait(&gate->missing, missing);
}

/** gate_open - let all workers go */
void gate_open(struct gate *gate)
{
	atomic_store(&gate->open, 1);
	futex_wake_all(&gate->open);
}
