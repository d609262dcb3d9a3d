// SPDX-License-Identifier: GPL-2.0
/* What every user of semaphores relies on. */
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_test.h"

FIXTURE(basic) {
	int id;
};

FIXTURE_SETUP(basic)
{
	ENTER_NS_OR_SKIP();
	self->id = sem_new(3);
}

FIXTURE_TEARDOWN(basic)
{
	sem_rm(self->id);
}

/* Rules 15, 16: a new set is zeroed, complete and not yet operated on. */
TEST_F(basic, new_set)
{
	time_t before = time(NULL);
	struct semid_ds ds;
	int id, num;

	id = semget(IPC_PRIVATE, 2, IPC_CREAT | IPC_EXCL | 0640);
	ASSERT_LE(0, id);
	ASSERT_EQ(0, sem_stat(id, &ds));
	EXPECT_EQ(2, ds.sem_nsems);
	EXPECT_EQ(0640, ds.sem_perm.mode);
	EXPECT_EQ(IPC_PRIVATE, ds.sem_perm.__key);
	EXPECT_EQ(geteuid(), ds.sem_perm.uid);
	EXPECT_EQ(geteuid(), ds.sem_perm.cuid);
	EXPECT_EQ(getegid(), ds.sem_perm.gid);
	EXPECT_EQ(getegid(), ds.sem_perm.cgid);
	EXPECT_EQ(0, ds.sem_otime);
	EXPECT_LE(before, ds.sem_ctime);
	EXPECT_GE(time(NULL), ds.sem_ctime);
	for (num = 0; num < 2; num++) {
		EXPECT_EQ(0, sem_val(id, num));
		EXPECT_EQ(0, sem_pid(id, num));
		EXPECT_EQ(0, sem_ncnt(id, num));
		EXPECT_EQ(0, sem_zcnt(id, num));
	}
}

/* Rule 2: key 0 is IPC_PRIVATE, each call makes another set. */
TEST_F(basic, private_sets_differ)
{
	int id = semget(0, 1, 0600);

	ASSERT_LE(0, id);
	EXPECT_NE(self->id, id);
	EXPECT_EQ(0, sem_setval(id, 0, 5));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 6: values set are values read. */
TEST_F(basic, set_and_get)
{
	static const unsigned short set[3] = { 32767, 0, 17 };
	unsigned short got[3];

	ASSERT_EQ(0, sem_setall(self->id, set));
	ASSERT_EQ(0, sem_getall(self->id, got));
	EXPECT_EQ(0, memcmp(set, got, sizeof(set)));
	EXPECT_EQ(32767, sem_val(self->id, 0));
	EXPECT_EQ(17, sem_val(self->id, 2));
	ASSERT_EQ(0, sem_setval(self->id, 1, 9));
	EXPECT_EQ(32767, sem_val(self->id, 0));
	EXPECT_EQ(9, sem_val(self->id, 1));
	EXPECT_EQ(17, sem_val(self->id, 2));
}

/* Rule 6: post, take, wait for zero on one semaphore. */
TEST_F(basic, post_take_zero)
{
	EXPECT_EQ(0, sem_op(self->id, 1, 0, IPC_NOWAIT));
	EXPECT_EQ(-EAGAIN, sem_op(self->id, 1, -1, IPC_NOWAIT));
	EXPECT_EQ(0, sem_op(self->id, 1, 3, 0));
	EXPECT_EQ(3, sem_val(self->id, 1));
	EXPECT_EQ(-EAGAIN, sem_op(self->id, 1, 0, IPC_NOWAIT));
	EXPECT_EQ(-EAGAIN, sem_op(self->id, 1, -4, IPC_NOWAIT));
	EXPECT_EQ(0, sem_op(self->id, 1, -2, 0));
	EXPECT_EQ(1, sem_val(self->id, 1));
	EXPECT_EQ(0, sem_op(self->id, 1, -1, IPC_NOWAIT));
	EXPECT_EQ(0, sem_op(self->id, 1, 0, 0));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 2));
}

/* Rule 6: a call on all semaphores of a set. */
TEST_F(basic, several_at_once)
{
	static const struct sembuf ops[] = {
		{ 2, 5, 0 }, { 0, 7, 0 }, { 2, -1, 0 }, { 1, 0, 0 },
	};

	ASSERT_EQ(0, sem_ops(self->id, ops, ARRAY_LEN(ops)));
	EXPECT_EQ(7, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
	EXPECT_EQ(4, sem_val(self->id, 2));
}

/* Rule 11: a taker sleeps until a post, a zero waiter until the zero. */
TEST_F(basic, sleep_and_wake)
{
	struct sleeper *taker = sleeper_asleep(self->id, 0, -2, 0);
	struct sleeper *zero;

	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	zero = sleeper_asleep(self->id, 0, 0, 0);
	EXPECT_FALSE(sleeper_done(taker));
	EXPECT_FALSE(sleeper_done(zero));
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_end(taker));
	EXPECT_EQ(0, sleeper_end(zero));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 11: threads of one process serve each other. */
TEST_F(basic, threads)
{
	struct sembuf take = { 0, -1, 0 }, post = { 1, 1, 0 };
	struct sleeper *taker, *poster;

	taker = sleeper_thread_ops(self->id, &take, 1, NULL);
	sem_wait_ncnt(self->id, 0, 1);
	poster = sleeper_thread_ops(self->id, &post, 1, NULL);
	EXPECT_EQ(0, sleeper_end(poster));
	EXPECT_EQ(1, sem_val(self->id, 1));
	EXPECT_EQ(1, sem_ncnt(self->id, 0));
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_end(taker));
}

/*
 * Rule 11: the same where pid and time are those of the poster already, so that
 * a post has nothing to change but the value. Rounds: a second may end in one.
 */
TEST_F(basic, post_that_changes_the_value_alone)
{
	struct sembuf take = { 0, -1, 0 };
	struct sleeper *taker;
	int round;

	for (round = 0; round < 10; round++) {
		ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
		ASSERT_EQ(0, sem_op(self->id, 0, -1, 0));
		taker = sleeper_thread_ops(self->id, &take, 1, NULL);
		sem_wait_ncnt(self->id, 0, 1);
		ASSERT_EQ(0, sem_op(self->id, 1, 1, 0));
		ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
		ASSERT_EQ(0, sem_val(self->id, 0));
		ASSERT_EQ(0, sleeper_end(taker));
	}
}

/* Rules 22, 23: a removed set is gone, its id is not in use any more. */
TEST_F(basic, remove)
{
	struct sleeper *sleeper = sleeper_asleep(self->id, 2, -1, 0);
	struct semid_ds ds;

	ASSERT_EQ(0, sem_rm(self->id));
	EXPECT_EQ(-EIDRM, sleeper_end(sleeper));
	EXPECT_EQ(-EINVAL, sem_op(self->id, 0, 1, 0));
	EXPECT_EQ(-EINVAL, sem_val(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_stat(self->id, &ds));
	EXPECT_EQ(-EINVAL, sem_rm(self->id));
	EXPECT_NE(self->id, sem_new(3));
}

static int take_give_many(void *arg)
{
	int id = *(int *)arg;
	int i, err;

	for (i = 0; i < 500; i++) {
		err = sem_op(id, 0, -1, 0);
		if (!err)
			err = sem_op(id, 0, 1, 0);
		if (err)
			return err;
	}
	return 0;
}

/* Rule 6: a semaphore as a lock of several processes. */
TEST_F(basic, lock_of_processes)
{
	struct sleeper *workers[4];
	size_t i;

	ASSERT_EQ(0, sem_setval(self->id, 0, 1));
	for (i = 0; i < ARRAY_LEN(workers); i++)
		workers[i] = sleeper_fork(take_give_many, &self->id);
	for (i = 0; i < ARRAY_LEN(workers); i++)
		EXPECT_EQ(0, sleeper_end(workers[i]));
	EXPECT_EQ(1, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_sleepers(self->id));
}

TEST_HARNESS_MAIN
