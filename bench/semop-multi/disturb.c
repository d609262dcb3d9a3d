// SPDX-License-Identifier: GPL-2.0
/* SCHED_OTHER threads that use semaphores beside the measured ones: --disturb. */
#include <stdlib.h>
#include <string.h>

#include "disturb.h"
#include "ipcobjects.h"

#define OTHER_SET	32000u	/* semaphores of the set that getall and setall poll */
#define MANY		2000u
#define MAX_THREADS	100000ul

/**
 * struct disturber - one kind
 *
 * Its semaphores lie in the measured set where the workload has one, else in a set of their own.
 */
struct disturber {
	const char *name, *about;
	unsigned int threads;		/* unless others are asked for */
	unsigned int other_set;		/* semaphores of a second set */
	bool wants_spares;		/* uses two semaphores beside the workers' */
	bool awaits_asleep;		/* all of its threads sleep before the workers start */
	void (*body)(struct point *point, unsigned int index);
};

static bool goes_on(const struct point *point)
{
	return !atomic_load_explicit(&point->stop, memory_order_relaxed);
}

static void fail(struct point *point, const char *op)
{
	if (goes_on(point))
		point_failed(point, op, 0);
}

static void operate_on_two(struct point *point, unsigned int index)
{
	struct sembuf sops[] = { { .sem_num = point->spare }, { .sem_num = point->spare + 1 } };
	short by = 1;

	(void)index;
	while (goes_on(point)) {
		sops[0].sem_op = by;
		sops[1].sem_op = by;
		if (semop(point->spare_id, sops, 2))
			return fail(point, "semop of a disturber");
		by = -by;
	}
}

static void poll_other_set(struct point *point, int command, const char *op)
{
	unsigned short *values = calloc(OTHER_SET, sizeof(*values));
	int error = values ? 0 : -1;

	while (!error && goes_on(point))
		error = semctl(point->other_set_id, 0, command, values);
	if (error)
		fail(point, op);
	free(values);
}

static void read_all_values(struct point *point, unsigned int index)
{
	(void)index;
	poll_other_set(point, GETALL, "semctl(GETALL) of a disturber");
}

static void set_all_values(struct point *point, unsigned int index)
{
	(void)index;
	poll_other_set(point, SETALL, "semctl(SETALL) of a disturber");
}

static void read_proc(struct point *point, unsigned int index)
{
	(void)index;
	while (goes_on(point))
		if (read_proc_sem())
			return fail(point, "read(/proc/sysvipc/sem) of a disturber");
}

static void create_and_remove(struct point *point, unsigned int index)
{
	int id;

	(void)index;
	while (goes_on(point)) {
		id = semget(IPC_PRIVATE, 1, 0600);
		if (id < 0 || semctl(id, 0, IPC_RMID))
			return fail(point, "semget and IPC_RMID of a disturber");
	}
}

static void sleep_on_two(struct point *point, unsigned int index)
{
	struct sembuf sops[] = {
		{ .sem_num = point->spare + 2, .sem_op = -1 },
		{ .sem_num = point->spare + 3, .sem_op = -1 },
	};

	(void)index;
	background_semop(point, point->spare_id, sops, 2);
}

static const struct disturber known[] = {
	{ "multi", "operates on two other semaphores of the set", 1, 0, true, false, operate_on_two },
	{ "getall", "reads all values of another set of 32000", 1, OTHER_SET, false, false, read_all_values },
	{ "setall", "sets all values of another set of 32000", 1, OTHER_SET, false, false, set_all_values },
	{ "proc", "reads /proc/sysvipc/sem", 1, 0, false, false, read_proc },
	{ "create", "creates and removes sets", 1, 0, false, false, create_and_remove },
	{ "sleepers", "2000 threads sleep on two other semaphores of the set", MANY, 0, true, true, sleep_on_two },
};

#define NR_KNOWN	(sizeof(known) / sizeof(known[0]))

/** disturber_about - what disturber number @nr does, and its @name; NULL after the last */
const char *disturber_about(unsigned int nr, const char **name)
{
	if (nr >= NR_KNOWN)
		return NULL;
	*name = known[nr].name;
	return known[nr].about;
}

/** disturbance_parse - read NAME or NAME:THREADS; -1 if @text is no disturber */
int disturbance_parse(struct disturbance *disturbance, const char *text)
{
	size_t i, length = strcspn(text, ":");
	unsigned long threads;
	char *end;

	for (i = 0; i < NR_KNOWN; i++) {
		if (strlen(known[i].name) != length || strncmp(known[i].name, text, length))
			continue;
		*disturbance = (struct disturbance){ &known[i], known[i].threads };
		if (!text[length])
			return 0;
		threads = strtoul(text + length + 1, &end, 10);
		if (text[length + 1] < '0' || text[length + 1] > '9' || *end || threads < 1 ||
		    threads > MAX_THREADS)
			return -1;
		disturbance->threads = threads;
		return 0;
	}
	return -1;
}

/** disturbance_name - the name of its kind */
const char *disturbance_name(const struct disturbance *disturbance)
{
	return disturbance->disturber->name;
}

/** disturbances_need - add what they take from the system's limits to @needs */
void disturbances_need(const struct disturbance *disturbances, unsigned int nr,
		       struct needs *needs)
{
	unsigned int i;

	needs->set_size += nr ? SPARES : 0;
	for (i = 0; i < nr; i++) {
		const struct disturber *disturber = disturbances[i].disturber;

		needs->sets += 2;
		if (disturber->body == create_and_remove)
			needs->sets += disturbances[i].threads;
		needs->semaphores += SPARES + disturber->other_set + disturbances[i].threads;
		if (disturber->other_set > needs->set_size)
			needs->set_size = disturber->other_set;
		if (needs->operations < 2)
			needs->operations = 2;
		needs->tasks += disturbances[i].threads;
	}
}

/* The semaphores that setup_set() has added, or where it was not called, a set of four. */
static int find_spares(struct point *point)
{
	if (point->spare_id >= 0)
		return 0;
	point->spare = 0;
	point->spare_id = ipcobjects_create_set(SPARES);
	return point->spare_id < 0 ? point_failed(point, "semget for a disturber", 0) : 0;
}

static int start_one(struct point *point, const struct disturbance *disturbance)
{
	const struct disturber *disturber = disturbance->disturber;

	if (disturber->wants_spares && find_spares(point))
		return -1;
	if (disturber->other_set && point->other_set_id < 0) {
		point->other_set_id = ipcobjects_create_set(disturber->other_set);
		if (point->other_set_id < 0)
			return point_failed(point, "semget for a disturber", 0);
	}
	if (background_start(point, disturbance->threads, disturber->body,
			     &(struct policy){ .policy = SCHED_OTHER }))
		return -1;
	if (!disturber->awaits_asleep)
		return 0;
	return background_await_asleep(point, point->spare_id, point->spare + 2,
				       disturbance->threads);
}

/**
 * disturb_start - start all disturbers of @point, whose workload is set up
 *
 * They end when point->stop is set and all sets are removed.
 *
 * Return: 0, or -1 after point_failed().
 */
int disturb_start(struct point *point)
{
	unsigned int i;

	for (i = 0; i < point->nr_disturbances; i++)
		if (start_one(point, &point->disturbances[i]))
			return -1;
	return 0;
}
