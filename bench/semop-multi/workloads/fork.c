// SPDX-License-Identifier: GPL-2.0
/* Processes and threads that never used SEM_UNDO: created and ended. */
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

enum { PROCESS, THREAD };

static const char *const variants[] = { "process", "thread", NULL };

static void needs(const struct parameters *with, struct needs *needs)
{
	needs->tasks = 2ul * with->threads;
}

static int run_process(struct worker *worker)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return worker_failed(worker, "fork");
	if (waitpid(pid, NULL, 0) < 0)
		return worker_failed(worker, "waitpid");
	return 1;
}

static void *end_at_once(void *nothing)
{
	return nothing;
}

static int run_thread(struct worker *worker)
{
	pthread_t thread;
	int error = pthread_create(&thread, NULL, end_at_once, NULL);

	if (error)
		return point_failed(worker->point, "pthread_create", error);
	pthread_join(thread, NULL);
	return 1;
}

static int step(struct worker *worker)
{
	return worker->point->with.variant == THREAD ? run_thread(worker) : run_process(worker);
}

const struct workload workload_fork = {
	.name = "fork",
	.about = "a process or thread without undo, created and ended",
	.variants = variants,
	.needs = needs,
	.step = step,
};
