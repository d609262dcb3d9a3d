// SPDX-License-Identifier: GPL-2.0
/* Creating and removing private sets. */
#include <sys/ipc.h>

#include "workload.h"

static int step(struct worker *worker)
{
	int id = semget(IPC_PRIVATE, 1, 0600);

	if (id < 0)
		return worker_failed(worker, "semget");
	if (semctl(id, 0, IPC_RMID))
		return worker_failed(worker, "semctl(IPC_RMID)");
	return 1;
}

const struct workload workload_create = {
	.name = "create",
	.about = "a set created and removed is one operation",
	.needs = needs_a_set_each,
	.step = step,
};
