// SPDX-License-Identifier: GPL-2.0
/* Sets and operations that several workloads share. */
#include <fcntl.h>
#include <sys/ipc.h>
#include <unistd.h>

#include "ipcobjects.h"
#include "workload.h"

/** needs_a_set_each - limits for a workload that gives each worker a set of one semaphore */
void needs_a_set_each(const struct parameters *with, struct needs *needs)
{
	needs->sets = with->threads;
	needs->set_size = 1;
	needs->semaphores = with->threads;
}

/** needs_own_semaphores - limits for a workload that calls setup_own_semaphores() */
void needs_own_semaphores(const struct parameters *with, struct needs *needs)
{
	needs->sets = 1;
	needs->set_size = with->threads;
	needs->semaphores = with->threads;
	needs->operations = 1;
}

/** setup_own_semaphores - one set with a semaphore for each worker, all 0 */
int setup_own_semaphores(struct point *point)
{
	return setup_set(point, point->with.threads);
}

/** setup_set - create the set point->id of @nsems semaphores, all 0, and some for disturbers */
int setup_set(struct point *point, unsigned int nsems)
{
	point->id = ipcobjects_create_set(nsems + (point->nr_disturbances ? SPARES : 0));
	if (point->id < 0)
		return point_failed(point, "semget", 0);
	point->spare_id = point->id;
	point->spare = nsems;
	return 0;
}

/** pair_on_semaphore - add one to a semaphore and take it off again: two operations */
int pair_on_semaphore(struct worker *worker, int id, unsigned int semnum, short flags)
{
	struct sembuf sop = { .sem_num = semnum, .sem_op = 1, .sem_flg = flags };

	if (worker_semop(id, &sop, 1))
		return worker_failed(worker, "semop");
	sop.sem_op = -1;
	if (worker_semop(id, &sop, 1))
		return worker_failed(worker, "semop");
	return 2;
}

/** read_proc_sem - read /proc/sysvipc/sem to its end; -1 with errno set if that fails */
int read_proc_sem(void)
{
	char buffer[4096];
	ssize_t got;
	int fd = open("/proc/sysvipc/sem", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	do {
		got = read(fd, buffer, sizeof(buffer));
	} while (got > 0);
	close(fd);
	return got;
}

/** remove_set - a stop() that ends whoever sleeps on point->id */
void remove_set(struct point *point)
{
	semctl(point->id, 0, IPC_RMID);
}
