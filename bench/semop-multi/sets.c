// SPDX-License-Identifier: GPL-2.0
/* Sets and operations that several workloads share. */
#include <sys/ipc.h>

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

/** setup_set - create the set point->id of @nsems semaphores, all 0 */
int setup_set(struct point *point, unsigned int nsems)
{
	point->id = ipcobjects_create_set(nsems);
	return point->id < 0 ? point_failed(point, "semget", 0) : 0;
}

/** pair_on_semaphore - add one to a semaphore and take it off again: two operations */
int pair_on_semaphore(struct worker *worker, int id, unsigned int semnum, short flags)
{
	struct sembuf sop = { .sem_num = semnum, .sem_op = 1, .sem_flg = flags };

	if (semop(id, &sop, 1))
		return worker_failed(worker, "semop");
	sop.sem_op = -1;
	if (semop(id, &sop, 1))
		return worker_failed(worker, "semop");
	return 2;
}

/** remove_set - a stop() that ends whoever sleeps on point->id */
void remove_set(struct point *point)
{
	semctl(point->id, 0, IPC_RMID);
}
