/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GATE_H
#define GATE_H

#include <stdatomic.h>

/**
 * struct gate - holds all workers back until the last of them is ready
 *
 * Plain futexes: a mutex and condition would have the workers, who are of equal real-time
 * priority, pass a lock on from one to the next as the gate opens.
 */
struct gate {
	_Alignas(128) _Atomic unsigned int missing;	/* workers still to come */
	_Alignas(128) _Atomic unsigned int open;
};

void gate_init(struct gate *gate, unsigned int workers);
void gate_pass(struct gate *gate);
void gate_give_up(struct gate *gate, unsigned int workers);
void gate_await_all(struct gate *gate);
void gate_open(struct gate *gate);

#endif
