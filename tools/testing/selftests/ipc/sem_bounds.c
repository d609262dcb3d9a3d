// SPDX-License-Identifier: GPL-2.0
/*
 * Large numbers: more semaphores in a call than the kernel can count locks,
 * calls of thousands of operations, all ids in use, thousands of sleepers, and
 * limits that fall while all that is in use.
 *
 * What a kernel gets wrong here shows as a report in its log as often as in an
 * answer. Numbers of sets and sleepers follow SEM_STRESS_PERCENT.
 */
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_stress.h"
#include "sem_test.h"

#define SEMVMX		32767
#define IDS		32768	/* as many as there are without ipcmni_extend */

static void *array(size_t n, size_t size)
{
	void *mem = calloc(n, size);

	if (!mem)
		sem_die("out of memory");
	return mem;
}

static void shuffle(int *numbers, int n, unsigned int seed)
{
	int i;

	for (i = n - 1; i > 0; i--) {
		int other = stress_random(&seed, i + 1);
		int number = numbers[i];

		numbers[i] = numbers[other];
		numbers[other] = number;
	}
}

/* How many of a set's values are not @want. */
static int values_not(int id, int nsems, unsigned short want)
{
	unsigned short *vals = array(nsems, sizeof(*vals));
	int i, wrong = 0, err = sem_getall(id, vals);

	if (err)
		sem_die("GETALL: %s", strerror(-err));
	for (i = 0; i < nsems; i++)
		wrong += vals[i] != want;
	free(vals);
	return wrong;
}

static int set_all_to(int id, int nsems, unsigned short val)
{
	unsigned short *vals = array(nsems, sizeof(*vals));
	int i, err;

	for (i = 0; i < nsems; i++)
		vals[i] = val;
	err = sem_setall(id, vals);
	free(vals);
	return err;
}

static int create(int nsems)
{
	int id = semget(IPC_PRIVATE, nsems, 0600);

	return id < 0 ? -errno : id;
}

static void usage_of(struct seminfo *used)
{
	union semun arg = { .__buf = used };

	if (semctl(0, 0, SEM_INFO, arg) < 0)
		sem_die("SEM_INFO: %s", strerror(errno));
}

static int sets_in_use(void)
{
	struct seminfo used;

	usage_of(&used);
	return used.semusz;
}

static int semaphores_in_use(void)
{
	struct seminfo used;

	usage_of(&used);
	return used.semaem;
}

/*
 * What something costs beside the same without what makes it difficult. Machines
 * have other things to do: the least of some attempts counts, of the processor's
 * time alone.
 */
#define ATTEMPTS	12

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Whether @measure(@arg, true) is over @most times @measure(@arg, false). */
static bool costs_more(double (*measure)(void *arg, bool difficult), void *arg,
		       int most)
{
	double easy = 1e9, difficult = 1e9, seconds;
	int i;

	for (i = 0; i < ATTEMPTS && (i < 3 || difficult > most * easy); i++) {
		seconds = measure(arg, false);
		if (seconds < easy)
			easy = seconds;
		seconds = measure(arg, true);
		if (seconds < difficult)
			difficult = seconds;
	}
	ksft_print_msg("%.0f us, and %.0f us\n", easy * 1e6, difficult * 1e6);
	return difficult > most * easy;
}

/*
 * Whole sets. lockdep follows 48 locks, the preemption counter 255; 8 is where
 * these semaphores begin to go another way.
 */
FIXTURE(whole) {
	struct sembuf *ops;
	int id;
};

FIXTURE_VARIANT(whole) {
	int nsems;
};

FIXTURE_VARIANT_ADD(whole, of_8) { .nsems = 8 };
FIXTURE_VARIANT_ADD(whole, of_9) { .nsems = 9 };
FIXTURE_VARIANT_ADD(whole, of_24) { .nsems = 24 };
FIXTURE_VARIANT_ADD(whole, of_49) { .nsems = 49 };
FIXTURE_VARIANT_ADD(whole, of_255) { .nsems = 255 };
FIXTURE_VARIANT_ADD(whole, of_257) { .nsems = 257 };

FIXTURE_SETUP(whole)
{
	ENTER_NS_OR_SKIP();
	self->id = sem_new(variant->nsems);
	self->ops = array(variant->nsems, sizeof(*self->ops));
}

FIXTURE_TEARDOWN(whole)
{
	free(self->ops);
}

/* One sop for each semaphore, the last one first if @down. */
static void one_each(struct sembuf *ops, int nsems, int op, int flags, bool down)
{
	int i;

	for (i = 0; i < nsems; i++)
		ops[i] = (struct sembuf) { down ? nsems - 1 - i : i, op, flags };
}

/* Rules 6, 30: one call on all semaphores, in either order. */
TEST_F(whole, at_once)
{
	int n = variant->nsems;

	one_each(self->ops, n, 2, IPC_NOWAIT, false);
	EXPECT_EQ(0, sem_ops(self->id, self->ops, n));
	one_each(self->ops, n, -1, IPC_NOWAIT, true);
	EXPECT_EQ(0, sem_ops(self->id, self->ops, n));
	EXPECT_EQ(0, values_not(self->id, n, 1));
	self->ops[n - 1].sem_op = -2;
	EXPECT_EQ(-EAGAIN, sem_ops(self->id, self->ops, n));
	EXPECT_EQ(0, values_not(self->id, n, 1));
	EXPECT_EQ(0, set_all_to(self->id, n, SEMVMX));
	one_each(self->ops, n, 1, IPC_NOWAIT, false);
	EXPECT_EQ(-ERANGE, sem_ops(self->id, self->ops, n));
	EXPECT_EQ(0, values_not(self->id, n, SEMVMX));
}

/* Rules 11, 12, 15, 19, 30: it sleeps, is granted, and is undone at exit. */
TEST_F(whole, granted)
{
	int n = variant->nsems;
	struct sleeper *sleeper;

	one_each(self->ops, n, -2, SEM_UNDO, true);
	sleeper = sleeper_ops(self->id, self->ops, n, NULL);
	sem_wait_ncnt(self->id, n - 1, 1);
	one_each(self->ops, n, 1, 0, false);
	EXPECT_EQ(0, sem_ops(self->id, self->ops, n));
	EXPECT_EQ(1, sem_ncnt(self->id, n - 1));
	EXPECT_EQ(0, set_all_to(self->id, n, 2));
	EXPECT_EQ(0, sleeper_result(sleeper));
	EXPECT_EQ(0, values_not(self->id, n, 0));
	EXPECT_EQ(sleeper->pid, sem_pid(self->id, 0));
	EXPECT_EQ(sleeper->pid, sem_pid(self->id, n - 1));
	sleeper_end(sleeper);
	EXPECT_EQ(0, values_not(self->id, n, 2));
}

/* Rules 9, 13, 22, 30: those that wait for all are let go by removal and time. */
TEST_F(whole, given_up)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct sleeper *waits, *takes;
	int n = variant->nsems;

	EXPECT_EQ(0, sem_setval(self->id, n - 1, 1));
	one_each(self->ops, n, 0, 0, false);
	EXPECT_EQ(-EAGAIN, sem_ops_timed(self->id, self->ops, n, &moment));
	waits = sleeper_ops(self->id, self->ops, n, NULL);
	sem_wait_zcnt(self->id, n - 1, 1);
	one_each(self->ops, n, -1, SEM_UNDO, false);
	takes = sleeper_ops(self->id, self->ops, n, NULL);
	sem_wait_ncnt(self->id, 0, 1);
	EXPECT_EQ(0, sem_rm(self->id));
	EXPECT_EQ(-EIDRM, sleeper_end(waits));
	EXPECT_EQ(-EIDRM, sleeper_end(takes));
	EXPECT_EQ(0, semaphores_in_use());
}

/*
 * Long calls: each takes 1 from each of 1000 semaphores twice, in any order.
 */
enum { LONG_NSEMS = 1000, LONG_OPS = 2 * LONG_NSEMS };

FIXTURE(long_call) {
	struct sem_limits limits;
	struct sembuf ops[LONG_OPS];
	int id;
};

FIXTURE_SETUP(long_call)
{
	ENTER_NS_OR_SKIP();
	sem_get_limits(&self->limits);
	self->limits.opm = LONG_OPS;
	SET_LIMITS_OR_SKIP(&self->limits);
	self->id = sem_new(LONG_NSEMS);
}

FIXTURE_TEARDOWN(long_call)
{
}

static void take_two_each(struct sembuf *ops, unsigned int seed, int flags)
{
	int nums[LONG_OPS], i;

	for (i = 0; i < LONG_OPS; i++)
		nums[i] = i % LONG_NSEMS;
	shuffle(nums, LONG_OPS, seed);
	for (i = 0; i < LONG_OPS; i++)
		ops[i] = (struct sembuf) { nums[i], -1, flags };
}

/* Rules 1, 7, 30: as many as the limit says, all or nothing. */
TEST_F(long_call, at_once)
{
	struct sembuf more[LONG_OPS + 1] = { };

	EXPECT_EQ(-E2BIG, sem_ops(self->id, more, LONG_OPS + 1));
	take_two_each(self->ops, 1, IPC_NOWAIT);
	EXPECT_EQ(0, set_all_to(self->id, LONG_NSEMS, 5));
	EXPECT_EQ(0, sem_ops(self->id, self->ops, LONG_OPS));
	EXPECT_EQ(0, sem_ops(self->id, self->ops, LONG_OPS));
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 1));
	EXPECT_EQ(-EAGAIN, sem_ops(self->id, self->ops, LONG_OPS));
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 1));
}

/* Rules 10, 12, 19, 30: one waits for the last value, the next for its exit. */
TEST_F(long_call, granted_with_undo)
{
	struct sembuf second[LONG_OPS];
	struct sleeper *sleepers[2];
	int last, first;

	take_two_each(self->ops, 2, SEM_UNDO);
	take_two_each(second, 3, SEM_UNDO);
	EXPECT_EQ(0, set_all_to(self->id, LONG_NSEMS, 2));
	last = self->ops[LONG_OPS - 1].sem_num;
	EXPECT_EQ(0, sem_setval(self->id, last, 1));
	sleepers[0] = sleeper_ops(self->id, self->ops, LONG_OPS, NULL);
	sem_wait_ncnt(self->id, last, 1);
	sleepers[1] = sleeper_ops(self->id, second, LONG_OPS, NULL);
	sem_wait_ncnt(self->id, last, 2);
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 2) - 1);

	EXPECT_EQ(0, sem_op(self->id, last, 1, 0));
	EXPECT_EQ(0, sleeper_result(sleepers[0]));
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 0));
	/* Now it is its first sop that blocks. */
	first = second[0].sem_num;
	EXPECT_EQ(1, sem_ncnt(self->id, first));
	EXPECT_EQ(first == last, sem_ncnt(self->id, last));
	EXPECT_EQ(0, sleeper_end(sleepers[0]));
	EXPECT_EQ(0, sleeper_result(sleepers[1]));
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 0));
	EXPECT_EQ(0, sleeper_end(sleepers[1]));
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 2));
}

struct long_calls {
	int id;
	int rounds;
	unsigned int seed;
};

static int call_and_return(void *arg)
{
	struct long_calls *calls = arg;
	struct sembuf ops[LONG_OPS];
	int i, j, err = 0;

	for (i = 0; i < calls->rounds && !err; i++) {
		take_two_each(ops, calls->seed * 1000 + i, SEM_UNDO);
		err = sem_ops(calls->id, ops, LONG_OPS);
		for (j = 0; j < LONG_OPS; j++)
			ops[j].sem_op = 1;
		if (!err)
			err = sem_ops(calls->id, ops, LONG_OPS);
	}
	return err;
}

/* Rules 6, 24, 30: several at a time, each in an order of its own. */
TEST_F(long_call, against_each_other)
{
	struct long_calls calls = { self->id, stress_scaled(10) };
	struct sleeper *callers[4];
	int i;

	EXPECT_EQ(0, set_all_to(self->id, LONG_NSEMS, 3));
	for (i = 0; i < 4; i++) {
		calls.seed = i + 1;
		callers[i] = sleeper_fork(call_and_return, &calls);
	}
	for (i = 0; i < 4; i++)
		EXPECT_EQ(0, sleeper_end(callers[i]));
	EXPECT_EQ(0, values_not(self->id, LONG_NSEMS, 3));
	EXPECT_EQ(0, sem_sleepers(self->id));
}

/* Calls on all semaphores but one, and perhaps a sleeper that needs all. */
static double repeat_calls(void *arg, bool sleeper_waits)
{
	enum { N = LONG_OPS - 1, CALLS = 10 };
	struct sembuf *ops = arg;
	struct sleeper *sleeper;
	int id = sem_new(N + 1), i, j, err = 0;
	double seconds;

	one_each(ops, N + 1, -1, 0, false);
	if (sleeper_waits) {
		sleeper = sleeper_ops(id, ops, N + 1, NULL);
		sem_wait_ncnt(id, 0, 1);
	}
	seconds = cpu_seconds();
	for (i = 0; i < CALLS && !err; i++) {
		for (j = 0; j < N; j++)
			ops[j].sem_op = -ops[j].sem_op;
		err = sem_ops(id, ops, N);
	}
	seconds = cpu_seconds() - seconds;
	if (err || sem_rm(id) || (sleeper_waits && sleeper_end(sleeper) != -EIDRM))
		sem_die("calls on %d semaphores: %d", N, err);
	return seconds;
}

/* Rules 11, 30: a sleeper is looked at once for a call, not for each semaphore. */
TEST_F(long_call, sleeper_is_tried_once)
{
	EXPECT_FALSE(costs_more(repeat_calls, self->ops, 40));
}

/*
 * All ids.
 */
FIXTURE(sets) {
	int n;
	key_t key;
	int *ids, *order;
};

FIXTURE_SETUP(sets)
{
	struct sem_limits limits;
	int i;

	ENTER_NS_OR_SKIP();
	sem_get_limits(&limits);
	self->n = stress_scaled(IDS);
	if (self->n > IDS)
		self->n = IDS;
	limits.mni = self->n;
	SET_LIMITS_OR_SKIP(&limits);
	self->key = getpid();
	self->ids = array(self->n, sizeof(int));
	self->order = array(self->n, sizeof(int));
	for (i = 0; i < self->n; i++)
		self->order[i] = i;
	shuffle(self->order, self->n, 1);
}

FIXTURE_TEARDOWN(sets)
{
}

static int create_key(key_t key)
{
	int id = semget(key, 1, IPC_CREAT | IPC_EXCL | 0600);

	return id < 0 ? -errno : id;
}

static int find_key(key_t key)
{
	int id = semget(key, 1, 0600);

	return id < 0 ? -errno : id;
}

/* How many of the sets from @from on, one in @step, are not found as they are. */
static int not_found(const int *ids, key_t key, int n, int from, int step)
{
	int i, wrong = 0;

	for (i = from; i < n; i += step)
		wrong += find_key(key + i) != ids[i] || sem_val(ids[i], 0) != 0;
	return wrong;
}

/* The same for sets that have gone. */
static int not_gone(const int *ids, key_t key, int n, int from, int step)
{
	int i, wrong = 0;

	for (i = from; i < n; i += step)
		wrong += find_key(key + i) != -ENOENT ||
			 sem_val(ids[i], 0) != -EINVAL;
	return wrong;
}

/* Lines of /proc/sysvipc/sem, or -1 if one is not as it should be. */
static int lines_listed(const int *ids, key_t first_key)
{
	FILE *file = fopen("/proc/sysvipc/sem", "re");
	char line[256];
	int id, lines = 0, before = -1;
	key_t key;

	if (!file || !fgets(line, sizeof(line), file))
		sem_die("cannot read /proc/sysvipc/sem");
	while (lines >= 0 && fgets(line, sizeof(line), file)) {
		lines++;
		/* Ascending indexes: none is there twice. */
		if (sscanf(line, "%d %d", &key, &id) != 2 ||
		    id % IDS <= before || ids[key - first_key] != id)
			lines = -1;
		before = id % IDS;
	}
	fclose(file);
	return lines;
}

/* Rules 2, 22, 23, 27, 30: SEMMNI sets are there, and half of them go and come. */
TEST_F(sets, as_many_as_there_are_ids)
{
	int i, old, wrong = 0;

	TH_LOG("%d sets", self->n);
	for (i = 0; i < self->n; i++) {
		self->ids[i] = create_key(self->key + i);
		if (self->ids[i] < 0)
			sem_die("set %d: %s", i, strerror(-self->ids[i]));
	}
	EXPECT_EQ(-ENOSPC, create_key(self->key + self->n));
	EXPECT_EQ(-EEXIST, create_key(self->key + self->n - 1));
	EXPECT_EQ(self->n, sets_in_use());
	EXPECT_EQ(0, not_found(self->ids, self->key, self->n, 0, 1));
	EXPECT_EQ(self->n, lines_listed(self->ids, self->key));

	for (i = 0; i < self->n; i++)
		if (self->order[i] % 2)
			wrong += sem_rm(self->ids[self->order[i]]) != 0;
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(self->n - self->n / 2, sets_in_use());
	EXPECT_EQ(0, not_found(self->ids, self->key, self->n, 0, 2));
	EXPECT_EQ(0, not_gone(self->ids, self->key, self->n, 1, 2));
	EXPECT_EQ(self->n - self->n / 2, lines_listed(self->ids, self->key));

	for (i = 1; i < self->n; i += 2) {
		old = self->ids[i];
		self->ids[i] = create_key(self->key + i);
		wrong += self->ids[i] < 0 || self->ids[i] == old;
	}
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(-ENOSPC, create(1));
	EXPECT_EQ(0, not_found(self->ids, self->key, self->n, 0, 1));
	EXPECT_EQ(self->n, lines_listed(self->ids, self->key));

	for (i = 0; i < self->n; i++)
		wrong += sem_rm(self->ids[self->order[i]]) != 0;
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, sets_in_use());
	EXPECT_EQ(0, not_gone(self->ids, self->key, self->n, 0, 1));
	EXPECT_LE(0, create(1));
}

/*
 * Limits that fall below what is in use.
 */
enum { MANY_OPS = 400 };	/* within the default SEMOPM */

FIXTURE(falling) {
	struct sem_limits before;
	struct sembuf ops[MANY_OPS];
};

FIXTURE_SETUP(falling)
{
	ENTER_NS_OR_SKIP();
	sem_get_limits(&self->before);
	SET_LIMITS_OR_SKIP(&self->before);
}

FIXTURE_TEARDOWN(falling)
{
}

/* Rules 11, 19, 25: longer calls than now allowed go on, and are undone. */
TEST_F(falling, semopm_below_sleeping_calls)
{
	struct sem_limits tight = { .msl = 1, .mns = 1, .opm = 1, .mni = 1 };
	struct sleeper *granted, *removed;
	int id = sem_new(MANY_OPS), other = sem_new(MANY_OPS);

	one_each(self->ops, MANY_OPS, -1, SEM_UNDO, false);
	EXPECT_EQ(0, set_all_to(id, MANY_OPS, 1));
	EXPECT_EQ(0, sem_setval(id, MANY_OPS - 1, 0));
	granted = sleeper_ops(id, self->ops, MANY_OPS, NULL);
	removed = sleeper_ops(other, self->ops, MANY_OPS, NULL);
	sem_wait_ncnt(id, MANY_OPS - 1, 1);
	sem_wait_ncnt(other, 0, 1);

	ASSERT_EQ(0, sem_set_limits(&tight));
	EXPECT_EQ(-E2BIG, sem_ops(id, self->ops, 2));
	EXPECT_EQ(0, sem_op(id, MANY_OPS - 1, 1, 0));
	EXPECT_EQ(0, sleeper_result(granted));
	EXPECT_EQ(0, values_not(id, MANY_OPS, 0));
	EXPECT_EQ(0, sleeper_end(granted));
	EXPECT_EQ(0, values_not(id, MANY_OPS, 1));
	EXPECT_EQ(0, set_all_to(id, MANY_OPS, 0));
	EXPECT_EQ(0, sem_rm(other));
	EXPECT_EQ(-EIDRM, sleeper_end(removed));
	EXPECT_EQ(0, sem_rm(id));
	EXPECT_EQ(0, semaphores_in_use());
}

/* Rules 2, 25: what is over a limit keeps others out until it has gone. */
TEST_F(falling, quotas_below_use)
{
	struct sem_limits limits = self->before;
	enum { SETS = 200, EACH = 5 };
	int ids[SETS], i;

	for (i = 0; i < SETS; i++)
		ids[i] = sem_new(EACH);
	limits.mni = SETS / 2;
	ASSERT_EQ(0, sem_set_limits(&limits));
	EXPECT_EQ(0, sem_op(ids[SETS - 1], EACH - 1, 1, SEM_UNDO));
	for (i = 0; i < SETS / 2; i++) {
		EXPECT_EQ(-ENOSPC, create(1));
		EXPECT_EQ(0, sem_rm(ids[i]));
	}
	EXPECT_EQ(-ENOSPC, create(1));
	EXPECT_EQ(0, sem_rm(ids[i++]));
	EXPECT_EQ(0, sem_rm(create(1)));

	limits = self->before;
	limits.mns = EACH;
	ASSERT_EQ(0, sem_set_limits(&limits));
	while (i < SETS) {
		EXPECT_EQ(-ENOSPC, create(1));
		EXPECT_EQ(0, sem_rm(ids[i++]));
	}
	EXPECT_EQ(-ENOSPC, create(EACH + 1));
	limits.msl = EACH - 1;
	ASSERT_EQ(0, sem_set_limits(&limits));
	EXPECT_EQ(-EINVAL, create(EACH));
	EXPECT_LE(0, create(EACH - 1));
	EXPECT_LE(0, create(1));
	EXPECT_EQ(-ENOSPC, create(1));
	EXPECT_EQ(EACH, semaphores_in_use());
}

enum { RACE_NSEMS = 4, RACERS = 3 };

/* Creates, operates, removes, while limits rise and fall; @arg: how often. */
static int race(void *arg)
{
	int rounds = *(int *)arg, i, id, err;
	struct sembuf ops[RACE_NSEMS];

	one_each(ops, RACE_NSEMS, 1, SEM_UNDO, false);
	for (i = 0; i < rounds; i++) {
		id = create(RACE_NSEMS);
		if (id == -EINVAL || id == -ENOSPC)
			continue;
		if (id < 0)
			return id;
		err = sem_ops(id, ops, RACE_NSEMS);
		if (err && err != -E2BIG)
			return err;
		if (values_not(id, RACE_NSEMS, !err))
			return -ERANGE;
		err = sem_rm(id);
		if (err)
			return err;
	}
	return 0;
}

/* Rules 2, 25, 29: limits change while calls look at them; nothing is lost. */
TEST_F(falling, under_load)
{
	struct sem_limits tight = { .msl = 1, .mns = 1, .opm = 1, .mni = 1 };
	struct sleeper *racers[RACERS];
	int rounds = stress_scaled(20000), changes = 0, running, i;

	for (i = 0; i < RACERS; i++)
		racers[i] = sleeper_fork(race, &rounds);
	do {
		tight.msl = changes % 2 ? 1 : RACE_NSEMS;
		ASSERT_EQ(0, sem_set_limits(changes % 3 ? &self->before : &tight));
		changes++;
		running = 0;
		for (i = 0; i < RACERS; i++)
			running += !sleeper_done(racers[i]);
	} while (running);
	for (i = 0; i < RACERS; i++)
		EXPECT_EQ(0, sleeper_end(racers[i]));
	TH_LOG("%d changes of limits, %d rounds of each caller", changes, rounds);
	EXPECT_EQ(0, sets_in_use());
	EXPECT_EQ(0, semaphores_in_use());
	ASSERT_EQ(0, sem_set_limits(&self->before));
	EXPECT_LE(0, create(self->before.msl));
}

/*
 * A crowd: threads that make one call each in every round.
 */
enum crowd_call { ALL_ON_ONE, SPREAD, IN_CHAIN };

enum { SPREAD_NSEMS = 1000, STACK_SIZE = 16384 };

struct member {
	struct crowd *crowd;
	int index;
	int result;
	pthread_t thread;
};

struct crowd {
	int n;
	int id;
	enum crowd_call call;
	bool over;
	int round;		/* they wait for it to change */
	int returned;		/* from their calls in this round */
	char *stacks;
	struct member *members;
};

static void futex(int *word, int op, int val)
{
	syscall(SYS_futex, word, op, val, NULL, NULL, 0);
}

static int call_of_member(const struct member *member)
{
	int i = member->index;
	struct sembuf ops[2] = { { i, -1, 0 }, { i + 1, -1, 0 } };

	switch (member->crowd->call) {
	case ALL_ON_ONE:
		ops[0].sem_num = 0;
		break;
	case SPREAD:
		ops[0].sem_num = i % SPREAD_NSEMS;
		break;
	case IN_CHAIN:
		return sem_ops(member->crowd->id, ops, 2);
	}
	return sem_ops(member->crowd->id, ops, 1);
}

static void *member_main(void *arg)
{
	struct member *member = arg;
	struct crowd *crowd = member->crowd;
	int round = 0;

	for (;;) {
		while (__atomic_load_n(&crowd->round, __ATOMIC_ACQUIRE) == round)
			futex(&crowd->round, FUTEX_WAIT_PRIVATE, round);
		round++;
		if (crowd->over)
			return NULL;
		member->result = call_of_member(member);
		__atomic_fetch_add(&crowd->returned, 1, __ATOMIC_RELEASE);
	}
}

/* How many there is room for, leaving as much to others. */
static int room_for_threads(void)
{
	long kib = 0, room = file_number("/proc/sys/kernel/threads-max") / 2;
	long pids = file_number("/proc/sys/kernel/pid_max") / 2;
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	/* About 32 KiB each, of the kernel's and of its own stack. */
	if (kib / 64 < room)
		room = kib / 64;
	return pids < room ? pids : room;
}

static bool start_member(struct crowd *crowd, int index)
{
	struct member *member = &crowd->members[index];
	pthread_attr_t attr;
	int err;

	member->crowd = crowd;
	member->index = index;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, crowd->stacks + (size_t)index * STACK_SIZE,
			      STACK_SIZE);
	err = pthread_create(&member->thread, &attr, member_main, member);
	pthread_attr_destroy(&attr);
	if (err && err != EAGAIN)
		sem_die("pthread_create: %s", strerror(err));
	return !err;
}

static void crowd_start(struct crowd *crowd, int wanted)
{
	crowd->stacks = mmap(NULL, (size_t)wanted * STACK_SIZE,
			     PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (crowd->stacks == MAP_FAILED)
		sem_die("no stacks for %d threads", wanted);
	crowd->members = array(wanted, sizeof(struct member));
	while (crowd->n < wanted && start_member(crowd, crowd->n))
		crowd->n++;
}

static void crowd_release(struct crowd *crowd)
{
	__atomic_store_n(&crowd->returned, 0, __ATOMIC_RELAXED);
	__atomic_fetch_add(&crowd->round, 1, __ATOMIC_RELEASE);
	futex(&crowd->round, FUTEX_WAKE_PRIVATE, INT_MAX);
}

static void crowd_end(struct crowd *crowd)
{
	int i;

	crowd->over = true;
	crowd_release(crowd);
	for (i = 0; i < crowd->n; i++)
		pthread_join(crowd->members[i].thread, NULL);
	free(crowd->members);
}

/* All make a call of this kind on a new set, and sleep when this returns. */
static void crowd_sleeps(struct crowd *crowd, enum crowd_call call)
{
	int nsems = call == ALL_ON_ONE ? 1 :
		    call == SPREAD ? SPREAD_NSEMS : crowd->n + 1;
	int num, each;

	crowd->call = call;
	crowd->id = sem_new(nsems);
	crowd_release(crowd);
	for (num = 0; num < nsems; num++) {
		if (call == IN_CHAIN)
			each = num < crowd->n;
		else
			each = (crowd->n - num + nsems - 1) / nsems;
		sem_wait_ncnt(crowd->id, num, each);
	}
}

/* Waits until all have returned; how many did with another result than @want. */
static int crowd_returns(struct crowd *crowd, int want)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	time_t end = time(NULL) + sem_deadline();
	int i, wrong = 0;

	while (__atomic_load_n(&crowd->returned, __ATOMIC_ACQUIRE) < crowd->n) {
		if (time(NULL) > end)
			sem_die("%d of %d have returned", crowd->returned,
				crowd->n);
		nanosleep(&pause, NULL);
	}
	for (i = 0; i < crowd->n; i++)
		wrong += crowd->members[i].result != want;
	return wrong;
}

FIXTURE(crowd) {
	struct crowd crowd;
	struct timespec start;
};

FIXTURE_SETUP(crowd)
{
	int wanted = stress_scaled(2000), room = room_for_threads();

	ENTER_NS_OR_SKIP();
	if (wanted > SEMVMX)
		wanted = SEMVMX;
	crowd_start(&self->crowd, wanted < room ? wanted : room);
	if (self->crowd.n < 10)
		SKIP(return, "room for %d threads", self->crowd.n);
	TH_LOG("%d sleepers of %d; there is room for %d", self->crowd.n, wanted,
	       room);
}

FIXTURE_TEARDOWN(crowd)
{
	if (self->crowd.members)
		crowd_end(&self->crowd);
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec +
	       (now.tv_nsec - start->tv_nsec) / 1e9;
}

/* Makes a call and says how long it and all returns took. */
#define TIMED(what, call) do { \
	clock_gettime(CLOCK_MONOTONIC, &self->start); \
	EXPECT_EQ(0, call); \
	TH_LOG("%s: %.3f s", what, seconds_since(&self->start)); \
} while (0)

static int post_often(int id, int n)
{
	int err = 0;

	while (n-- && !err)
		err = sem_op(id, 0, 1, 0);
	return err;
}

/* Rules 11, 12, 22, 30: all on one semaphore. */
TEST_F(crowd, on_one_semaphore)
{
	struct crowd *crowd = &self->crowd;

	crowd_sleeps(crowd, ALL_ON_ONE);
	TIMED("granted by SETVAL", sem_setval(crowd->id, 0, crowd->n));
	EXPECT_EQ(0, crowd_returns(crowd, 0));
	EXPECT_EQ(0, sem_val(crowd->id, 0));
	EXPECT_EQ(0, sem_ncnt(crowd->id, 0));
	EXPECT_EQ(0, sem_rm(crowd->id));

	crowd_sleeps(crowd, ALL_ON_ONE);
	TIMED("granted one by one", post_often(crowd->id, crowd->n));
	EXPECT_EQ(0, crowd_returns(crowd, 0));
	EXPECT_EQ(0, sem_val(crowd->id, 0));
	EXPECT_EQ(0, sem_rm(crowd->id));

	crowd_sleeps(crowd, ALL_ON_ONE);
	TIMED("removed", sem_rm(crowd->id));
	EXPECT_EQ(0, crowd_returns(crowd, -EIDRM));
	EXPECT_EQ(0, semaphores_in_use());
}

/* Rules 11, 12, 22, 30: some on each of many semaphores. */
TEST_F(crowd, on_many_semaphores)
{
	struct crowd *crowd = &self->crowd;
	unsigned short share = (crowd->n + SPREAD_NSEMS - 1) / SPREAD_NSEMS;

	crowd_sleeps(crowd, SPREAD);
	TIMED("granted by SETALL", set_all_to(crowd->id, SPREAD_NSEMS, share));
	EXPECT_EQ(0, crowd_returns(crowd, 0));
	EXPECT_EQ(SPREAD_NSEMS * share - crowd->n,
		  values_not(crowd->id, SPREAD_NSEMS, 0));
	EXPECT_EQ(0, sem_rm(crowd->id));

	crowd_sleeps(crowd, SPREAD);
	TIMED("removed", sem_rm(crowd->id));
	EXPECT_EQ(0, crowd_returns(crowd, -EIDRM));
	EXPECT_EQ(0, semaphores_in_use());
}

/* Rules 11, 12, 22, 30: each on two semaphores, which it shares with others. */
TEST_F(crowd, in_a_chain)
{
	struct crowd *crowd = &self->crowd;

	crowd_sleeps(crowd, IN_CHAIN);
	TIMED("granted by SETALL", set_all_to(crowd->id, crowd->n + 1, 2));
	EXPECT_EQ(0, crowd_returns(crowd, 0));
	/* Each but the two ends was used twice. */
	EXPECT_EQ(2, values_not(crowd->id, crowd->n + 1, 0));
	EXPECT_EQ(1, sem_val(crowd->id, 0));
	EXPECT_EQ(1, sem_val(crowd->id, crowd->n));
	EXPECT_EQ(0, sem_rm(crowd->id));

	crowd_sleeps(crowd, IN_CHAIN);
	TIMED("removed", sem_rm(crowd->id));
	EXPECT_EQ(0, crowd_returns(crowd, -EIDRM));
	EXPECT_EQ(0, semaphores_in_use());
}

static double grant_all(void *arg, bool chain)
{
	struct crowd *crowd = arg;
	int nsems = chain ? crowd->n + 1 : SPREAD_NSEMS;
	int share = chain ? 2 : (crowd->n + SPREAD_NSEMS - 1) / SPREAD_NSEMS;
	double seconds;
	int err;

	crowd_sleeps(crowd, chain ? IN_CHAIN : SPREAD);
	seconds = cpu_seconds();
	err = set_all_to(crowd->id, nsems, share);
	seconds = cpu_seconds() - seconds;
	if (err || crowd_returns(crowd, 0) || sem_rm(crowd->id))
		sem_die("not all are granted: %d", err);
	return seconds;
}

/* Rules 11, 29, 30: sleepers that are tied together are granted like others. */
TEST_F(crowd, chain_costs_its_length)
{
	bool too_much = costs_more(grant_all, &self->crowd, 6);

	/* With few, what each costs by itself hides the rest. */
	EXPECT_FALSE(too_much && self->crowd.n >= 1000);
}

TEST_HARNESS_MAIN
