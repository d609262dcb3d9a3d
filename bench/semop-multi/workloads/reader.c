// SPDX-License-Identifier: GPL-2.0
/* What somebody who looks at semaphores costs the twelve operations that follow. */
#include <stdlib.h>

#include "ipcobjects.h"
#include "workload.h"

#define OPERATIONS 12

enum { READ_VALUE, READ_OTHER_SET, READ_PROC };

static const char *const variants[] = { "getval", "getall", "proc", NULL };

/* The set of the operations has the given size, but a semaphore for each thread. */
static unsigned int own_size(const struct parameters *with)
{
	return with->set_size > with->threads ? with->set_size : with->threads;
}

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->sets = 2;
	needs->set_size = own_size(with);
	needs->semaphores = own_size(with) + with->set_size;
	needs->operations = 1;
}

static int setup(struct point *point)
{
	if (setup_set(point, own_size(&point->with)))
		return -1;
	point->other_id = ipcobjects_create_set(point->with.set_size);
	if (point->other_id < 0)
		return point_failed(point, "semget", 0);
	return 0;
}

static int read_other_set(struct worker *worker)
{
	unsigned short *values = malloc(worker->point->with.set_size * sizeof(*values));
	int error = values ? semctl(worker->point->other_id, 0, GETALL, values) : -1;

	free(values);
	return error ? worker_failed(worker, "semctl(GETALL)") : 0;
}

static int step(struct worker *worker)
{
	struct point *point = worker->point;
	unsigned int variant = point->with.variant;
	int i;

	if (variant == READ_OTHER_SET && read_other_set(worker))
		return -1;
	if (variant == READ_PROC && read_proc_sem())
		return worker_failed(worker, "read(/proc/sysvipc/sem)");
	worker_begin(worker);
	if (variant == READ_VALUE && semctl(point->id, worker->index, GETVAL) < 0)
		return worker_failed(worker, "semctl(GETVAL)");
	for (i = 0; i < OPERATIONS; i += 2)
		if (pair_on_semaphore(worker, point->id, worker->index, 0) < 0)
			return -1;
	worker_end(worker);
	return OPERATIONS;
}

const struct workload workload_reader = {
	.name = "reader",
	.about = "12 operations after a GETVAL (its time counts), a GETALL of another set or a read of /proc (theirs does not); --set-size N (1024)",
	.variants = variants,
	.set_size = 1024,
	.timed = true,
	.times_calls = true,
	.needs = needs,
	.setup = setup,
	.step = step,
};
