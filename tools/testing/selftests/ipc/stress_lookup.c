// SPDX-License-Identifier: GPL-2.0
/*
 * Creation and removal against look-ups by id, by key, by index and through
 * /proc (rules 22, 23, 27).
 *
 * A set's key says what its number of semaphores and its mode are, so that
 * every look-up can tell a set that is complete and its own from anything
 * else. Creators and removers count; what is left must be what they counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sem.h>

#include "sem_stress.h"
#include "sem_test.h"

#ifndef SEM_STAT_ANY
#define SEM_STAT_ANY	20
#endif

#define FIRST_KEY	0x6c6f0000
#define KEYS		24
#define BATCH		50
#define STABLE_KEY	(FIRST_KEY + KEYS)	/* is never removed */

enum counter { CREATED, EXISTED, REMOVED, GONE, FOUND, MISSED, WRONG,
	       COUNTERS };

static long (*counters)[COUNTERS];
static int makers_left;
static int stable_id;

static int nsems_of(key_t key)
{
	return 1 + (key - FIRST_KEY) * 7 % 40;
}

static int mode_of(key_t key)
{
	return 0600 | ((key - FIRST_KEY) & 077);
}

static key_t random_key(struct stress_worker *worker)
{
	return FIRST_KEY + stress_random(&worker->random, KEYS);
}

static void count(struct stress_worker *worker, enum counter counter)
{
	counters[worker->index][counter]++;
}

static void create(struct stress_worker *worker)
{
	key_t key = random_key(worker);
	int id = semget(key, nsems_of(key),
			mode_of(key) | IPC_CREAT | IPC_EXCL);

	if (id >= 0)
		count(worker, CREATED);
	else
		count(worker, errno == EEXIST ? EXISTED : WRONG);
}

static void find_and_remove(struct stress_worker *worker)
{
	int result, id = semget(random_key(worker), 0, 0);

	if (id < 0) {
		count(worker, errno == ENOENT ? MISSED : WRONG);
		return;
	}
	result = sem_rm(id);
	if (!result)
		count(worker, REMOVED);
	else
		count(worker, result == -EINVAL || result == -EIDRM ? GONE :
			      WRONG);
}

static void maker(struct stress_worker *worker)
{
	int round, i;

	for (round = 0; round < stress.rounds; round++) {
		for (i = 0; i < BATCH; i++) {
			create(worker);
			if (i & 1)
				find_and_remove(worker);
			else
				create(worker);
			find_and_remove(worker);
		}
		stress_step(worker, "creating and removing");
	}
	__atomic_fetch_sub(&makers_left, 1, __ATOMIC_RELEASE);
}

static bool is_complete(const struct semid_ds *ds)
{
	key_t key = ds->sem_perm.__key;

	return key >= FIRST_KEY && key <= STABLE_KEY &&
	       (int)ds->sem_nsems == nsems_of(key) &&
	       (ds->sem_perm.mode & 0777) == (unsigned int)mode_of(key) &&
	       ds->sem_ctime != 0 && ds->sem_otime == 0;
}

/* What IPC_STAT says of an id that a look-up has just given. */
static void check_id(struct stress_worker *worker, int id, key_t key)
{
	struct semid_ds ds;
	int result = sem_stat(id, &ds);

	if (result == -EINVAL || result == -EIDRM)
		count(worker, GONE);
	else if (result || !is_complete(&ds) || ds.sem_perm.__key != key)
		count(worker, WRONG);
	else
		count(worker, FOUND);
}

static void look_by_key(struct stress_worker *worker)
{
	key_t key = random_key(worker);
	int id = semget(key, nsems_of(key), 0);

	if (id >= 0)
		check_id(worker, id, key);
	else
		count(worker, errno == ENOENT ? MISSED : WRONG);
	if (semget(STABLE_KEY, 0, 0) != stable_id)
		count(worker, WRONG);
}

static void look_by_index(struct stress_worker *worker)
{
	struct semid_ds ds;
	union semun arg = { .buf = &ds };
	int index = stress_random(&worker->random, KEYS + 8);
	int id = semctl(index, 0, SEM_STAT_ANY, arg);

	if (id < 0)
		count(worker, errno == EINVAL || errno == EIDRM ? MISSED :
			      WRONG);
	else
		count(worker, is_complete(&ds) ? FOUND : WRONG);
}

/*
 * By id, which stays in use for a while: calls of a set that may have gone.
 * Nothing that sets the time of the last operation, see is_complete().
 */
static void look_by_id(struct stress_worker *worker)
{
	int id = semget(random_key(worker), 0, 0);
	int result, i;

	for (i = 0; id >= 0 && i < 5; i++) {
		result = i & 1 ? sem_val(id, 0) :
				 sem_op(id, 0, -1, IPC_NOWAIT | SEM_UNDO);
		if (result == -EINVAL || result == -EIDRM)
			count(worker, GONE);
		else
			count(worker, result == (i & 1 ? 0 : -EAGAIN) ?
				      FOUND : WRONG);
	}
	if (sem_val(stable_id, 0) != 0)
		count(worker, WRONG);
}

static void user(struct stress_worker *worker)
{
	while (__atomic_load_n(&makers_left, __ATOMIC_ACQUIRE)) {
		look_by_id(worker);
		stress_step(worker, "calling by id");
	}
}

static void looker(struct stress_worker *worker)
{
	while (__atomic_load_n(&makers_left, __ATOMIC_ACQUIRE)) {
		look_by_key(worker);
		look_by_index(worker);
		stress_step(worker, "looking by key and index");
	}
}

static void check_line(struct stress_worker *worker, const char *line,
		       int *stable_seen)
{
	int key, id;
	unsigned int mode, nsems;

	if (sscanf(line, "%d %d %o %u", &key, &id, &mode, &nsems) != 4 ||
	    key < FIRST_KEY || key > STABLE_KEY ||
	    (int)nsems != nsems_of(key) || (int)mode != mode_of(key))
		count(worker, WRONG);
	else
		count(worker, FOUND);
	*stable_seen += id == stable_id;
}

static void lister(struct stress_worker *worker)
{
	char line[256];

	while (__atomic_load_n(&makers_left, __ATOMIC_ACQUIRE)) {
		FILE *file = fopen("/proc/sysvipc/sem", "re");
		int stable_seen = 0;

		if (!file || !fgets(line, sizeof(line), file))
			sem_die("/proc/sysvipc/sem: %s", strerror(errno));
		/* One line a read, so that much happens between two. */
		setvbuf(file, NULL, _IOFBF, 128);
		while (fgets(line, sizeof(line), file))
			check_line(worker, line, &stable_seen);
		fclose(file);
		if (stable_seen != 1)
			count(worker, WRONG);
		stress_step(worker, "listing");
	}
}

static long sum(enum counter counter, int first, int end)
{
	long total = 0;
	int i;

	for (i = first; i < end; i++)
		total += counters[i][counter];
	return total;
}

static void check(int makers)
{
	static const char * const names[] = {
		"look-ups by key and index", "calls by id", "/proc",
	};
	struct seminfo info;
	union semun arg = { .__buf = &info };
	long left = sum(CREATED, 0, makers) - sum(REMOVED, 0, makers);
	int i;

	if (semctl(0, 0, SEM_INFO, arg) < 0)
		sem_die("SEM_INFO");
	stress_result(info.semusz == left + 1,
		      "%ld created, %ld removed, %d left",
		      sum(CREATED, 0, makers), sum(REMOVED, 0, makers),
		      info.semusz - 1);
	stress_result(!sum(WRONG, 0, makers), "%ld wrong answers of makers",
		      sum(WRONG, 0, makers));
	for (i = 0; i < 3; i++)
		stress_result(!counters[makers + i][WRONG] &&
			      counters[makers + i][FOUND],
			      "%s: %ld found, %ld missed, %ld wrong", names[i],
			      counters[makers + i][FOUND],
			      counters[makers + i][MISSED] +
			      counters[makers + i][GONE],
			      counters[makers + i][WRONG]);
	stress_result(semget(STABLE_KEY, 0, 0) == stable_id,
		      "the one that stays is there");
}

int main(int argc, char **argv)
{
	static void (* const look[])(struct stress_worker *worker) = {
		looker, user, lister,
	};
	struct stress_worker *makers, *lookers[3];
	int i, n;

	stress_begin(argc, argv, 6, 200, 4);
	n = stress.threads;
	makers_left = n;
	counters = calloc(n + 3, sizeof(*counters));
	stable_id = semget(STABLE_KEY, nsems_of(STABLE_KEY),
			   mode_of(STABLE_KEY) | IPC_CREAT | IPC_EXCL);
	if (!counters || stable_id < 0)
		sem_die("cannot set up: %s", strerror(errno));
	for (i = 0; i < 3; i++)
		lookers[i] = stress_start(n + i, 1, look[i], NULL);
	makers = stress_start(0, n, maker, NULL);
	stress_join(makers, n);
	for (i = 0; i < 3; i++)
		stress_join(lookers[i], 1);
	check(n);
	stress_end();
}
