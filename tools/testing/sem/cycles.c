// SPDX-License-Identifier: GPL-2.0
/*
 * What operations cost without system calls, in ticks of the time-stamp counter:
 * 1 to N threads, each on semaphores of its own. Prints a line for each workload
 * and number of threads: NAME THREADS TICKS.
 */
#include <linux/ipc_namespace.h>
#include <sched.h>
#include <x86intrin.h>

#include "system.h"
#include "threads.h"

#define KEY	0x5e3a
#define MOST	64
#define BATCHES	15
#define BATCH	40000	/* operations */

static int semid, count;
static pthread_barrier_t gate;
static const struct workload *load;
static long ticks[MOST];

struct workload {
	const char *name;
	long (*op)(int number, int sign);
};

static long op_single(int number, int sign)
{
	struct sembuf sop = { 2 * number, sign, 0 };

	return sys_semop(semid, &sop, 1);
}

static long op_multi(int number, int sign)
{
	struct sembuf sops[] = { { 2 * number, sign, 0 }, { 2 * number + 1, sign, 0 } };

	return sys_semop(semid, sops, 2);
}

static long op_undo(int number, int sign)
{
	struct sembuf sop = { 2 * number, sign, SEM_UNDO };

	return sys_semop(semid, &sop, 1);
}

static long find_by_key(int number, int sign)
{
	return sys_semget(KEY, 0, 0);
}

static long get_value(int number, int sign)
{
	return sys_semctl(semid, 2 * number, GETVAL, 0);
}

static const struct workload loads[] = {
	{ "single", op_single },
	{ "multi", op_multi },
	{ "undo", op_undo },
	{ "lookup", find_by_key },
	{ "getval", get_value },
};

static void do_batch(int number)
{
	int i;

	for (i = 0; i < BATCH; i++)
		if (load->op(number, i % 2 ? -1 : 1) < 0)
			SHIM_DIE("%s fails", load->name);
}

static int compare(const void *a, const void *b)
{
	const long *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of batches: some meet an interrupt, or another program */
static void work(void *arg)
{
	int number = (long)arg, i;
	long took[BATCHES];
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(number % sysconf(_SC_NPROCESSORS_ONLN), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	do_batch(number);
	for (i = 0; i < BATCHES; i++) {
		/* All at once, or the first has finished before the last begins */
		pthread_barrier_wait(&gate);
		took[i] = __rdtsc();
		do_batch(number);
		took[i] = __rdtsc() - took[i];
	}
	qsort(took, BATCHES, sizeof(*took), compare);
	ticks[number] = took[BATCHES / 2] / BATCH;
	/* Nobody measures while others have gone */
	pthread_barrier_wait(&gate);
}

static void measure(void)
{
	struct task_struct *tasks[MOST];
	long i, sum = 0;

	semid = sys_semget(KEY, 2 * MOST, IPC_CREAT | 0600);
	pthread_barrier_init(&gate, NULL, count);
	for (i = 0; i < count; i++)
		tasks[i] = threads_run(SHIM_THREAD | CLONE_SYSVSEM, work, (void *)i);
	for (i = 0; i < count; i++) {
		threads_join(tasks[i]);
		sum += ticks[i];
	}
	pthread_barrier_destroy(&gate);
	sys_semctl(semid, 0, IPC_RMID, 0);
	printf("%s %d %ld\n", load->name, count, sum / count);
}

int main(int argc, char **argv)
{
	int most = argc > 1 ? atoi(argv[1]) : sysconf(_SC_NPROCESSORS_ONLN);
	size_t i;

	if (argc > 2 || most < 1 || most > MOST) {
		fprintf(stderr, "usage: cycles [THREADS], 1 to %d\n", MOST);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	threads_start();
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		load = &loads[i];
		for (count = 1; count <= most; count++)
			measure();
	}
	threads_stop();
	return 0;
}
