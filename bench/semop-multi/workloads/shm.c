// SPDX-License-Identifier: GPL-2.0
/* Shared memory, which shares the object layer: attach and detach, or find by key. */
#include <sys/shm.h>

#include "ipcobjects.h"
#include "workload.h"

#define SIZE 4096

enum { ATTACH, LOOKUP };

static const char *const variants[] = { "attach", "lookup", NULL };

static int setup(struct point *point)
{
	if (point->with.variant == LOOKUP &&
	    ipcobjects_create_with_key(IPC_KIND_SHM, SIZE, &point->key) < 0)
		return point_failed(point, "shmget(IPC_CREAT)", 0);
	return 0;
}

static int prepare(struct worker *worker)
{
	if (worker->point->with.variant == LOOKUP)
		return 0;
	worker->private = ipcobjects_create_segment(SIZE);
	return worker->private < 0 ? worker_failed(worker, "shmget") : 0;
}

static int step(struct worker *worker)
{
	void *address;

	if (worker->point->with.variant == LOOKUP) {
		if (shmget(worker->point->key, 0, 0) < 0)
			return worker_failed(worker, "shmget");
		return 1;
	}
	address = shmat(worker->private, NULL, 0);
	if (address == (void *)-1)
		return worker_failed(worker, "shmat");
	if (shmdt(address))
		return worker_failed(worker, "shmdt");
	return 2;
}

const struct workload workload_shm = {
	.name = "shm",
	.about = "an own segment attached and detached, or shmget of an existing key",
	.variants = variants,
	.setup = setup,
	.prepare = prepare,
	.step = step,
};
