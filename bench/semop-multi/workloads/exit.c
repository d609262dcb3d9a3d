// SPDX-License-Identifier: GPL-2.0
/* A process that leaves undo adjustments behind: K in each of N sets. */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ipcobjects.h"
#include "workload.h"

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->sets = with->background;
	needs->set_size = with->set_size > with->semaphores ? with->set_size : with->semaphores;
	needs->semaphores = needs->sets * needs->set_size;
	needs->operations = with->semaphores;
	needs->tasks = 2ul * with->threads;
}

static int setup(struct point *point)
{
	struct needs size = { };
	unsigned int i, nr = point->with.background;
	int *ids = calloc(nr, sizeof(*ids));

	needs(&point->with, &size);
	point->data = ids;
	if (!ids)
		return point_failed(point, "malloc", 0);
	for (i = 0; i < nr; i++) {
		ids[i] = ipcobjects_create_set(size.set_size);
		if (ids[i] < 0)
			return point_failed(point, "semget", 0);
	}
	return 0;
}

static int prepare(struct worker *worker)
{
	unsigned int i, nr = worker->point->with.semaphores;

	if (worker_alloc_sops(worker, nr))
		return -1;
	for (i = 0; i < nr; i++)
		worker->sops[i] = (struct sembuf){ .sem_num = i, .sem_op = 1, .sem_flg = SEM_UNDO };
	return 0;
}

static void child(struct worker *worker)
{
	const struct parameters *with = &worker->point->with;
	const int *ids = worker->point->data;
	unsigned int i;

	for (i = 0; i < with->background; i++)
		if (semop(ids[i], worker->sops, with->semaphores))
			_exit(errno);
	_exit(0);
}

static int step(struct worker *worker)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		child(worker);
	if (pid < 0)
		return worker_failed(worker, "fork");
	if (waitpid(pid, &status, 0) < 0)
		return worker_failed(worker, "waitpid");
	errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
	return errno ? worker_failed(worker, "semop of a child") : 1;
}

static void teardown(struct point *point)
{
	free(point->data);
}

const struct workload workload_exit = {
	.name = "exit",
	.about = "a process that ends with K undo adjustments in each of N sets; --background N (16), --set-size (1000)",
	.background = 16,
	.set_size = 1000,
	.varies_semaphores = true,
	.needs = needs,
	.setup = setup,
	.prepare = prepare,
	.step = step,
	.teardown = teardown,
};
