// SPDX-License-Identifier: GPL-2.0
/* Finding a set by its key: one that all threads look up, or one each. */
#include <stdlib.h>

#include "ipcobjects.h"
#include "workload.h"

enum { SHARED_KEY, OWN_KEY };

static const char *const variants[] = { "shared", "own", NULL };

static unsigned int nr_keys(const struct parameters *with)
{
	return with->variant == OWN_KEY ? with->threads : 1;
}

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->sets = nr_keys(with);
	needs->set_size = 1;
	needs->semaphores = nr_keys(with);
}

static int setup(struct point *point)
{
	unsigned int i, nr = nr_keys(&point->with);
	key_t *keys = calloc(nr, sizeof(*keys));

	point->data = keys;
	if (!keys)
		return point_failed(point, "malloc", 0);
	for (i = 0; i < nr; i++)
		if (ipcobjects_create_with_key(IPC_KIND_SEM, 1, &keys[i]) < 0)
			return point_failed(point, "semget(IPC_CREAT)", 0);
	return 0;
}

static int prepare(struct worker *worker)
{
	const key_t *keys = worker->point->data;

	worker->private = keys[worker->index % nr_keys(&worker->point->with)];
	return 0;
}

static int step(struct worker *worker)
{
	if (semget(worker->private, 0, 0) < 0)
		return worker_failed(worker, "semget");
	return 1;
}

static void teardown(struct point *point)
{
	free(point->data);
}

const struct workload workload_lookup = {
	.name = "lookup",
	.about = "semget of an existing key",
	.variants = variants,
	.needs = needs,
	.setup = setup,
	.prepare = prepare,
	.step = step,
	.teardown = teardown,
};
