// SPDX-License-Identifier: GPL-2.0
/* kernel.sem and SEMVMX: what they refuse, and what high ones allow. */
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_test.h"

#define SEMVMX	32767

FIXTURE(limits) {
	struct sem_limits limits;
};

FIXTURE_SETUP(limits)
{
	ENTER_NS_OR_SKIP();
	sem_get_limits(&self->limits);
}

FIXTURE_TEARDOWN(limits)
{
}

static int create(int nsems)
{
	int id = semget(IPC_PRIVATE, nsems, 0600);

	return id < 0 ? -errno : id;
}

/* Rules 25, 30: every new namespace starts with the defaults. */
TEST_F(limits, defaults)
{
	struct sem_limits limits;

	EXPECT_EQ(32000, self->limits.msl);
	EXPECT_EQ(1024000000, self->limits.mns);
	EXPECT_EQ(500, self->limits.opm);
	EXPECT_EQ(32000, self->limits.mni);

	limits = (struct sem_limits) { 10, 20, 30, 40 };
	SET_LIMITS_OR_SKIP(&limits);
	sem_get_limits(&limits);
	EXPECT_EQ(10, limits.msl);
	EXPECT_EQ(20, limits.mns);
	EXPECT_EQ(30, limits.opm);
	EXPECT_EQ(40, limits.mni);
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	sem_get_limits(&limits);
	EXPECT_EQ(0, memcmp(&limits, &self->limits, sizeof(limits)));
}

/* Rule 25: one namespace's limits do not hold in another. */
TEST_F(limits, are_per_namespace)
{
	struct sem_limits tight = { .msl = 1, .mns = 1, .opm = 1, .mni = 1 };
	static const struct sembuf ops[2] = { { 0, 1, 0 }, { 1, 1, 0 } };
	int id;

	SET_LIMITS_OR_SKIP(&tight);
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	id = sem_new(2);
	EXPECT_EQ(0, sem_ops(id, ops, 2));
	sem_new(2);
}

/* Rule 2: SEMMNI sets, then ENOSPC, until one is removed. */
TEST_F(limits, semmni)
{
	int ids[3], i, round;

	self->limits.mni = 3;
	SET_LIMITS_OR_SKIP(&self->limits);
	for (i = 0; i < 3; i++)
		ids[i] = sem_new(1);
	for (round = 0; round < 10; round++) {
		EXPECT_EQ(-ENOSPC, create(1));
		ASSERT_EQ(0, sem_rm(ids[round % 3]));
		ids[round % 3] = create(1);
		ASSERT_LE(0, ids[round % 3]);
	}
	EXPECT_EQ(-ENOSPC, create(1));
	self->limits.mni = 4;
	ASSERT_EQ(0, sem_set_limits(&self->limits));
	EXPECT_LE(0, create(1));
	EXPECT_EQ(-ENOSPC, create(1));
}

/* Rule 2: SEMMNS semaphores in all sets together, exactly. */
TEST_F(limits, semmns)
{
	int four, six, round;

	self->limits.mns = 10;
	SET_LIMITS_OR_SKIP(&self->limits);
	EXPECT_EQ(-ENOSPC, create(11));
	four = sem_new(4);
	EXPECT_EQ(-ENOSPC, create(7));
	six = sem_new(6);
	EXPECT_EQ(-ENOSPC, create(1));
	ASSERT_EQ(0, sem_rm(four));
	for (round = 0; round < 10; round++) {
		EXPECT_EQ(-ENOSPC, create(5));
		four = create(4);
		ASSERT_LE(0, four);
		EXPECT_EQ(-ENOSPC, create(1));
		ASSERT_EQ(0, sem_rm(four));
	}
	ASSERT_EQ(0, sem_rm(six));
	EXPECT_LE(0, create(10));
}

/* Rule 2: a failed semget keeps nothing of the quotas. */
TEST_F(limits, failed_creation_is_free)
{
	int i;

	self->limits.mns = 10;
	self->limits.mni = 2;
	SET_LIMITS_OR_SKIP(&self->limits);
	for (i = 0; i < 50; i++)
		EXPECT_EQ(-ENOSPC, create(11));
	sem_new(4);
	sem_new(4);
	for (i = 0; i < 50; i++)
		EXPECT_EQ(-ENOSPC, create(1));
	self->limits.mni = 3;
	ASSERT_EQ(0, sem_set_limits(&self->limits));
	EXPECT_LE(0, create(2));
}

/* Rule 2: existing keys are found at the limits. */
TEST_F(limits, existing_key_at_the_limit)
{
	const key_t key = getpid();
	int id;

	self->limits.mni = 1;
	self->limits.mns = 2;
	SET_LIMITS_OR_SKIP(&self->limits);
	id = semget(key, 2, IPC_CREAT | 0600);
	ASSERT_LE(0, id);
	EXPECT_EQ(id, semget(key, 2, IPC_CREAT | 0600));
	EXPECT_EQ(id, semget(key, 0, 0600));
	EXPECT_EQ(-1, semget(key, 2, IPC_CREAT | IPC_EXCL | 0600));
	EXPECT_EQ(EEXIST, errno);
	EXPECT_EQ(-1, semget(key + 1, 1, IPC_CREAT | 0600));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_EQ(-1, semget(key + 1, 1, 0600));
	EXPECT_EQ(ENOENT, errno);
}

/* Rules 2, 22: the quotas are free before IPC_RMID returns, sleepers or not. */
TEST_F(limits, quota_free_after_removal)
{
	struct sleeper *sleeper;
	int id, round;

	self->limits.mni = 1;
	self->limits.mns = 5;
	SET_LIMITS_OR_SKIP(&self->limits);
	for (round = 0; round < 20; round++) {
		id = create(5);
		ASSERT_LE(0, id);
		sleeper = sleeper_asleep(id, 0, -1, SEM_UNDO);
		ASSERT_EQ(0, sem_op(id, 1, 1, SEM_UNDO));
		ASSERT_EQ(0, sem_rm(id));
		id = create(5);
		ASSERT_LE(0, id);
		EXPECT_EQ(-EIDRM, sleeper_end(sleeper));
		ASSERT_EQ(0, sem_rm(id));
	}
}

/* Rule 2: SEMMSL semaphores in a set. */
TEST_F(limits, semmsl)
{
	const key_t key = getpid();

	self->limits.msl = 7;
	SET_LIMITS_OR_SKIP(&self->limits);
	EXPECT_LE(0, create(7));
	EXPECT_EQ(-EINVAL, create(8));
	ASSERT_LE(0, semget(key, 7, IPC_CREAT | 0600));
	EXPECT_EQ(-1, semget(key, 8, IPC_CREAT | IPC_EXCL | 0600));
	EXPECT_EQ(EINVAL, errno);
	self->limits.mns = 0;
	ASSERT_EQ(0, sem_set_limits(&self->limits));
	EXPECT_EQ(-EINVAL, create(8));
	EXPECT_EQ(-ENOSPC, create(7));
}

/* Rules 1, 30: SEMOPM operations in a call. */
TEST_F(limits, semopm)
{
	struct sembuf ops[4];
	int id = sem_new(1);
	int i;

	for (i = 0; i < 4; i++)
		ops[i] = (struct sembuf) { 0, 1, 0 };
	self->limits.opm = 3;
	SET_LIMITS_OR_SKIP(&self->limits);
	EXPECT_EQ(-E2BIG, sem_ops(id, ops, 4));
	EXPECT_EQ(0, sem_val(id, 0));
	EXPECT_EQ(0, sem_ops(id, ops, 3));
	EXPECT_EQ(3, sem_val(id, 0));
	self->limits.opm = 0;
	ASSERT_EQ(0, sem_set_limits(&self->limits));
	EXPECT_EQ(-E2BIG, sem_ops(id, ops, 1));
}

/* Rule 25: lowered limits leave existing sets usable. */
TEST_F(limits, lowering_leaves_sets_usable)
{
	struct sem_limits tight = { .msl = 1, .mns = 1, .opm = 2, .mni = 1 };
	unsigned short vals[100] = { 0 };
	const key_t key = getpid();
	struct sembuf ops[2] = { { 99, 1, SEM_UNDO }, { 50, 1, 0 } };
	struct sleeper *sleeper;
	int id, other;

	id = semget(key, 100, IPC_CREAT | 0600);
	other = sem_new(100);
	SET_LIMITS_OR_SKIP(&tight);

	EXPECT_EQ(0, sem_ops(id, ops, 2));
	EXPECT_EQ(1, sem_val(id, 99));
	sleeper = sleeper_asleep(other, 98, -1, SEM_UNDO);
	EXPECT_EQ(0, sem_op(other, 98, 1, 0));
	EXPECT_EQ(0, sleeper_end(sleeper));
	EXPECT_EQ(0, sem_setall(id, vals));
	EXPECT_EQ(0, sem_getall(id, vals));
	EXPECT_EQ(id, semget(key, 0, 0600));
	EXPECT_EQ(id, semget(key, 1, 0600));
	EXPECT_EQ(-1, semget(key, 2, 0600));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-ENOSPC, create(1));
	EXPECT_EQ(0, sem_rm(other));
	EXPECT_EQ(-ENOSPC, create(1));
	EXPECT_EQ(0, sem_rm(id));
	EXPECT_LE(0, create(1));
}

/* Rule 7: SEMVMX for posts, SETVAL and SETALL. */
TEST_F(limits, semvmx)
{
	int id = sem_new(2);
	unsigned short vals[2] = { SEMVMX, SEMVMX };
	int i;

	EXPECT_EQ(0, sem_setval(id, 0, SEMVMX));
	EXPECT_EQ(-ERANGE, sem_setval(id, 0, SEMVMX + 1));
	EXPECT_EQ(-ERANGE, sem_op(id, 0, 1, 0));
	EXPECT_EQ(-ERANGE, sem_op(id, 0, SEMVMX, IPC_NOWAIT));
	EXPECT_EQ(0, sem_op(id, 1, SEMVMX, 0));
	EXPECT_EQ(-ERANGE, sem_op(id, 1, 1, 0));
	EXPECT_EQ(0, sem_op(id, 1, -SEMVMX, 0));
	EXPECT_EQ(0, sem_setall(id, vals));
	vals[1]++;
	EXPECT_EQ(-ERANGE, sem_setall(id, vals));
	EXPECT_EQ(0, sem_op(id, 0, -SEMVMX, 0));
	for (i = 0; i < 7; i++)
		EXPECT_EQ(0, sem_op(id, 0, SEMVMX / 7, 0));
	EXPECT_EQ(SEMVMX, sem_val(id, 0));
	EXPECT_EQ(-ERANGE, sem_op(id, 0, 1, 0));
}

/* Rules 10, 30: the largest request waits until the value is there. */
TEST_F(limits, largest_request)
{
	struct sembuf op = { 0, SHRT_MIN, IPC_NOWAIT };
	int id = sem_new(1);
	struct sleeper *sleeper;

	ASSERT_EQ(0, sem_setval(id, 0, SEMVMX));
	EXPECT_EQ(-EAGAIN, sem_ops(id, &op, 1));
	ASSERT_EQ(0, sem_setval(id, 0, SEMVMX - 1));
	sleeper = sleeper_asleep(id, 0, -SEMVMX, 0);
	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_end(sleeper));
	EXPECT_EQ(0, sem_val(id, 0));
}

/* Rule 30: a set as large as the default allows. */
TEST_F(limits, largest_default_set)
{
	int nsems = self->limits.msl;
	unsigned short *vals = calloc(nsems, sizeof(*vals));
	struct sembuf op = { .sem_op = -1 };
	int id = sem_new(nsems);
	struct sleeper *sleeper;
	int i;

	ASSERT_NE(NULL, vals);
	for (i = 0; i < nsems; i++)
		vals[i] = i;
	ASSERT_EQ(0, sem_setall(id, vals));
	memset(vals, 0, nsems * sizeof(*vals));
	ASSERT_EQ(0, sem_getall(id, vals));
	for (i = 0; i < nsems && vals[i] == i; i++)
		;
	EXPECT_EQ(nsems, i);
	EXPECT_EQ(nsems - 1, sem_val(id, nsems - 1));

	EXPECT_EQ(0, sem_op(id, nsems - 1, -(nsems - 1), SEM_UNDO));
	op.sem_num = nsems - 1;
	sleeper = sleeper_ops(id, &op, 1, NULL);
	sem_wait_ncnt(id, nsems - 1, 1);
	EXPECT_EQ(0, sem_op(id, nsems - 1, 2, 0));
	EXPECT_EQ(0, sleeper_end(sleeper));
	EXPECT_EQ(1, sem_val(id, nsems - 1));
	EXPECT_EQ(0, sem_rm(id));
	free(vals);
}

/* A call with @nops operations, one a semaphore, of which all take 1. */
static struct sembuf *take_each(int nops)
{
	struct sembuf *ops = calloc(nops, sizeof(*ops));
	int i;

	if (!ops)
		sem_die("out of memory");
	for (i = 0; i < nops; i++)
		ops[i] = (struct sembuf) { i, -1, 0 };
	return ops;
}

/* Rules 6, 30: SEMOPM far over its default, in calls that succeed or fail. */
TEST_F(limits, many_operations)
{
	const int nops = 20000;
	struct sembuf *ops = take_each(nops);
	unsigned short *vals = calloc(nops, sizeof(*vals));
	int id = sem_new(nops);
	int i;

	self->limits.opm = nops;
	SET_LIMITS_OR_SKIP(&self->limits);
	for (i = 0; i < nops; i++)
		vals[i] = 1;
	vals[nops - 1] = 0;
	ASSERT_EQ(0, sem_setall(id, vals));
	ops[nops - 1].sem_flg = IPC_NOWAIT;
	EXPECT_EQ(-EAGAIN, sem_ops(id, ops, nops));
	ASSERT_EQ(0, sem_getall(id, vals));
	for (i = 0; i < nops - 1 && vals[i] == 1; i++)
		;
	EXPECT_EQ(nops - 1, i);

	EXPECT_EQ(0, sem_op(id, nops - 1, 1, 0));
	EXPECT_EQ(0, sem_ops(id, ops, nops));
	ASSERT_EQ(0, sem_getall(id, vals));
	for (i = 0; i < nops && vals[i] == 0; i++)
		;
	EXPECT_EQ(nops, i);
	free(vals);
	free(ops);
}

/* Rules 10, 11, 12, 30: a sleeper on thousands of semaphores. */
TEST_F(limits, sleeper_with_many_operations)
{
	const int nops = 5000;
	struct sembuf *ops = take_each(nops);
	struct sleeper *many, *one;
	int id = sem_new(nops);
	int i;

	self->limits.opm = nops;
	SET_LIMITS_OR_SKIP(&self->limits);
	many = sleeper_ops(id, ops, nops, NULL);
	sem_wait_ncnt(id, 0, 1);
	one = sleeper_ops(id, &ops[nops / 2], 1, NULL);
	sem_wait_ncnt(id, nops / 2, 1);
	for (i = 0; i < nops; i++)
		ops[i].sem_op = 1;
	EXPECT_EQ(0, sem_ops(id, ops, nops));
	EXPECT_EQ(0, sleeper_end(many));
	EXPECT_EQ(0, sem_val(id, nops - 1));
	EXPECT_EQ(0, sem_val(id, nops / 2));
	EXPECT_EQ(1, sem_ncnt(id, nops / 2));
	EXPECT_EQ(0, sem_op(id, nops / 2, 1, 0));
	EXPECT_EQ(0, sleeper_end(one));
	free(ops);
}

/* Rules 18, 19, 30: thousands of adjustments are applied at exit. */
TEST_F(limits, many_adjustments)
{
	const int nops = 5000;
	struct sembuf *ops = take_each(nops);
	unsigned short *vals = calloc(nops, sizeof(*vals));
	struct sleeper *holder;
	int id = sem_new(nops);
	int i;

	self->limits.opm = nops;
	SET_LIMITS_OR_SKIP(&self->limits);
	for (i = 0; i < nops; i++) {
		vals[i] = 1;
		ops[i].sem_flg = SEM_UNDO;
	}
	ASSERT_EQ(0, sem_setall(id, vals));
	holder = sleeper_ops(id, ops, nops, NULL);
	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(0, sem_val(id, nops - 1));
	EXPECT_EQ(0, sleeper_end(holder));
	ASSERT_EQ(0, sem_getall(id, vals));
	for (i = 0; i < nops && vals[i] == 1; i++)
		;
	EXPECT_EQ(nops, i);
	free(vals);
	free(ops);
}

/* Rule 30: SEMMNI cannot exceed the number of ids. */
TEST_F(limits, semmni_range)
{
	struct sem_limits limits = self->limits, seen;

	SET_LIMITS_OR_SKIP(&limits);
	limits.mni = 32768;
	EXPECT_EQ(0, sem_set_limits(&limits));
	limits.mni = 16777217;
	EXPECT_EQ(-ERANGE, sem_set_limits(&limits));
	limits.mni = -1;
	EXPECT_EQ(-ERANGE, sem_set_limits(&limits));
	sem_get_limits(&seen);
	EXPECT_EQ(32768, seen.mni);
}

TEST_HARNESS_MAIN
