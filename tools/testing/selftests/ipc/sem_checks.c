// SPDX-License-Identifier: GPL-2.0
/*
 * The order in which arguments are checked: each row has two things wrong, or
 * more, and says which one is reported.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "../kselftest_harness.h"
#include "sem_raw.h"
#include "sem_test.h"

/* An address that no program can read. */
#define BAD	((const void *)16)

/* 0600 set, a set that nobody may use, an id that was removed. */
enum which { GOOD_SET, CLOSED_SET, REMOVED_SET, NEGATIVE_ID };

FIXTURE(checks) {
	int ids[4];
	struct sem_limits limits;
};

FIXTURE_VARIANT(checks) {
	long (*semtimedop)(int id, const void *sops, unsigned int nsops,
			   const struct raw_timeout *timeout);
	long (*semctl)(int id, int num, int cmd, long arg);
	long (*semget)(key_t key, int nsems, int flags);
	bool multiplexer;
};

#if defined(SYS_semtimedop) && defined(SYS_semctl)
FIXTURE_VARIANT_ADD(checks, native) {
	.semtimedop = raw_semtimedop,
	.semctl = raw_semctl,
	.semget = raw_semget,
};
#endif

#if defined(SYS_semtimedop_time64) && defined(SYS_semctl)
FIXTURE_VARIANT_ADD(checks, time64) {
	.semtimedop = raw_semtimedop_time64,
	.semctl = raw_semctl,
	.semget = raw_semget,
};
#endif

#ifdef SYS_ipc
FIXTURE_VARIANT_ADD(checks, multiplexer) {
	.semtimedop = raw_ipc_semtimedop,
	.semctl = raw_ipc_semctl,
	.semget = raw_ipc_semget,
	.multiplexer = true,
};
#endif

FIXTURE_SETUP(checks)
{
	ENTER_NS_OR_SKIP();
	sem_limit_caps(0);
	sem_get_limits(&self->limits);
	self->ids[GOOD_SET] = sem_new(2);
	self->ids[CLOSED_SET] = semget(IPC_PRIVATE, 2, 0);
	self->ids[REMOVED_SET] = sem_new(2);
	self->ids[NEGATIVE_ID] = -1;
	sem_rm(self->ids[REMOVED_SET]);
}

FIXTURE_TEARDOWN(checks)
{
}

static const struct raw_timeout bad_pointer = { .pointer = BAD };
static const struct raw_timeout negative_seconds = { -1, 0 };
static const struct raw_timeout negative_nanoseconds = { 0, -1 };
static const struct raw_timeout too_many_nanoseconds = { 0, 1000000000 };
static const struct raw_timeout fine = { 1, 999999999 };

static const struct sembuf post[] = { { 0, 1, 0 }, { 1, 1, 0 } };
static const struct sembuf post_undo[] = { { 0, 1, SEM_UNDO }, { 1, 1, 0 } };
static const struct sembuf far_post[] = { { 0, 1, 0 }, { 2, 1, 0 } };
static const struct sembuf farther_post[] = { { 0, 1, 0 }, { USHRT_MAX, 0, 0 } };
static const struct sembuf far_undo[] = { { 0, 1, SEM_UNDO }, { 2, 1, 0 } };
static const struct sembuf would_block[] = { { 0, -1, 0 }, { 2, 1, 0 } };

#define TOO_MANY	(~0U - 1)	/* stands for SEMOPM + 1 */

static const struct semop_row {
	const char *what;
	enum which set;
	const struct sembuf *sops;
	unsigned int nsops;
	const struct raw_timeout *timeout;
	int want;
} semop_rows[] = {
	{ "all is well", GOOD_SET, post, 2, &fine, 0 },
	{ "no time-out", GOOD_SET, post, 2, NULL, 0 },

	{ "time-out pointer before too many", GOOD_SET, BAD, TOO_MANY,
	  &bad_pointer, -EFAULT },
	{ "time-out pointer before none", GOOD_SET, post, 0, &bad_pointer, -EFAULT },
	{ "time-out pointer before the id", NEGATIVE_ID, post, 2, &bad_pointer,
	  -EFAULT },
	{ "time-out pointer before lookup", REMOVED_SET, post, 2, &bad_pointer,
	  -EFAULT },
	{ "time-out pointer before sem_num", GOOD_SET, far_post, 2, &bad_pointer,
	  -EFAULT },
	{ "time-out pointer before permissions", CLOSED_SET, post, 2, &bad_pointer,
	  -EFAULT },

	{ "too many before sops", GOOD_SET, BAD, TOO_MANY, NULL, -E2BIG },
	{ "too many before the id", NEGATIVE_ID, post, TOO_MANY, NULL, -E2BIG },
	{ "too many before the time-out's value", GOOD_SET, post, TOO_MANY,
	  &negative_seconds, -E2BIG },
	{ "too many before lookup", REMOVED_SET, post, TOO_MANY, NULL, -E2BIG },
	{ "too many before permissions", CLOSED_SET, post, TOO_MANY, NULL, -E2BIG },
	{ "the largest number is too many", GOOD_SET, post, ~0U, NULL, -E2BIG },
	{ "INT_MAX is too many", GOOD_SET, post, INT_MAX, NULL, -E2BIG },

	{ "none before sops", GOOD_SET, BAD, 0, NULL, -EINVAL },
	{ "none on a closed set", CLOSED_SET, post, 0, NULL, -EINVAL },
	{ "none", GOOD_SET, post, 0, NULL, -EINVAL },

	{ "sops before the id", NEGATIVE_ID, BAD, 1, NULL, -EFAULT },
	{ "sops before the time-out's value", GOOD_SET, BAD, 1,
	  &negative_nanoseconds, -EFAULT },
	{ "sops before lookup", REMOVED_SET, BAD, 1, NULL, -EFAULT },
	{ "sops before permissions", CLOSED_SET, BAD, 2, NULL, -EFAULT },
	{ "no sops", GOOD_SET, NULL, 1, NULL, -EFAULT },

	{ "id below 0", NEGATIVE_ID, post, 2, NULL, -EINVAL },
	{ "id before sem_num", NEGATIVE_ID, far_post, 2, NULL, -EINVAL },
	{ "seconds below 0", GOOD_SET, post, 2, &negative_seconds, -EINVAL },
	{ "nanoseconds below 0", GOOD_SET, post, 2, &negative_nanoseconds, -EINVAL },
	{ "nanoseconds over a second", GOOD_SET, post, 2, &too_many_nanoseconds,
	  -EINVAL },
	{ "time-out's value before sem_num", GOOD_SET, far_post, 2,
	  &too_many_nanoseconds, -EINVAL },
	{ "time-out's value before permissions", CLOSED_SET, post, 2,
	  &negative_seconds, -EINVAL },

	{ "lookup", REMOVED_SET, post, 2, NULL, -EINVAL },
	{ "lookup with undo", REMOVED_SET, post_undo, 2, NULL, -EINVAL },
	{ "lookup before sem_num", REMOVED_SET, far_post, 2, NULL, -EINVAL },

	{ "sem_num of the second", GOOD_SET, far_post, 2, NULL, -EFBIG },
	{ "largest sem_num", GOOD_SET, farther_post, 2, NULL, -EFBIG },
	{ "sem_num with undo", GOOD_SET, far_undo, 2, NULL, -EFBIG },
	{ "sem_num before permissions", CLOSED_SET, far_post, 2, NULL, -EFBIG },
	{ "sem_num before blocking", GOOD_SET, would_block, 2, NULL, -EFBIG },

	{ "permissions", CLOSED_SET, post, 2, NULL, -EACCES },
	{ "permissions with undo", CLOSED_SET, post_undo, 2, NULL, -EACCES },
};

/* Rule 1: semtimedop reports the first error, and then changes nothing. */
TEST_F(checks, semtimedop_order)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(semop_rows); i++) {
		const struct semop_row *row = &semop_rows[i];
		unsigned int nsops = row->nsops == TOO_MANY ?
			(unsigned int)self->limits.opm + 1 : row->nsops;
		int before = sem_val(self->ids[GOOD_SET], 0);
		long seen;

		seen = variant->semtimedop(self->ids[row->set], row->sops, nsops,
					   row->timeout);
		EXPECT_EQ(row->want, seen)
			TH_LOG("row: %s", row->what);
		EXPECT_EQ(before + (row->want == 0),
			  sem_val(self->ids[GOOD_SET], 0))
			TH_LOG("row: %s", row->what);
	}
}

/* Rules 1, 28: EFBIG holds for semaphores just behind the last one. */
TEST_F(checks, sem_num_limit)
{
	struct sembuf sop = { 1, 1, IPC_NOWAIT };
	int id = self->ids[GOOD_SET];

	EXPECT_EQ(0, variant->semtimedop(id, &sop, 1, NULL));
	sop.sem_num = 2;
	EXPECT_EQ(-EFBIG, variant->semtimedop(id, &sop, 1, NULL));
	sop.sem_op = 0;
	EXPECT_EQ(-EFBIG, variant->semtimedop(id, &sop, 1, NULL));
	sop.sem_num = 32768;
	EXPECT_EQ(-EFBIG, variant->semtimedop(id, &sop, 1, NULL));
}

/* Rules 1, 30: SEMOPM operations are accepted, one more is not. */
TEST_F(checks, semopm_limit)
{
	int opm = self->limits.opm;
	struct sembuf sops[opm + 1];
	int i;

	for (i = 0; i <= opm; i++)
		sops[i] = (struct sembuf) { i % 2, 1, 0 };
	EXPECT_EQ(-E2BIG, variant->semtimedop(self->ids[GOOD_SET], sops,
					      opm + 1, NULL));
	EXPECT_EQ(0, sem_val(self->ids[GOOD_SET], 0));
	EXPECT_EQ(0, variant->semtimedop(self->ids[GOOD_SET], sops, opm, NULL));
	EXPECT_EQ(opm, sem_val(self->ids[GOOD_SET], 0) +
		       sem_val(self->ids[GOOD_SET], 1));
}

/* Rule 2: the order of semget's checks. */
TEST_F(checks, semget_order)
{
	const key_t key = getpid(), closed_key = key + 1, free_key = key + 2;
	int too_large = self->limits.msl + 1;
	int id;

	id = variant->semget(key, 2, IPC_CREAT | 0600);
	ASSERT_LE(0, id);
	ASSERT_LE(0, variant->semget(closed_key, 2, IPC_CREAT));

	EXPECT_EQ(-EINVAL, variant->semget(key, -1, IPC_CREAT | IPC_EXCL));
	EXPECT_EQ(-EINVAL, variant->semget(key, INT_MIN, 0));
	EXPECT_EQ(-EINVAL, variant->semget(key, too_large, IPC_CREAT | IPC_EXCL));
	EXPECT_EQ(-EINVAL, variant->semget(closed_key, -1, 0600));
	EXPECT_EQ(-EINVAL, variant->semget(free_key, -1, 0));
	EXPECT_EQ(-EINVAL, variant->semget(free_key, too_large, IPC_CREAT));
	EXPECT_EQ(-EINVAL, variant->semget(IPC_PRIVATE, -1, 0600));
	EXPECT_EQ(-EINVAL, variant->semget(IPC_PRIVATE, too_large, 0600));

	EXPECT_EQ(-EEXIST, variant->semget(key, 2, IPC_CREAT | IPC_EXCL | 0600));
	EXPECT_EQ(-EEXIST, variant->semget(key, 3, IPC_CREAT | IPC_EXCL | 0600));
	EXPECT_EQ(-EEXIST, variant->semget(key, 0, IPC_CREAT | IPC_EXCL | 0600));
	EXPECT_EQ(-EEXIST, variant->semget(closed_key, 3,
					   IPC_CREAT | IPC_EXCL | 0600));

	EXPECT_EQ(-EINVAL, variant->semget(key, 3, 0600));
	EXPECT_EQ(-EINVAL, variant->semget(key, 3, IPC_CREAT | 0600));
	EXPECT_EQ(-EINVAL, variant->semget(closed_key, 3, 0600));

	EXPECT_EQ(-EACCES, variant->semget(closed_key, 2, 0600));
	EXPECT_EQ(-EACCES, variant->semget(closed_key, 0, 0400));
	EXPECT_EQ(-EACCES, variant->semget(key, 0, 0100));

	EXPECT_EQ(id, variant->semget(key, 0, 0600));
	EXPECT_EQ(id, variant->semget(key, 0, IPC_CREAT));
	EXPECT_EQ(id, variant->semget(key, 1, IPC_EXCL | 0200));
	EXPECT_EQ(id, variant->semget(key, 2, 0));
}

/* Rule 2: keys that do not exist, and sets without semaphores. */
TEST_F(checks, semget_new_key)
{
	const key_t key = getpid();

	EXPECT_EQ(-ENOENT, variant->semget(key, 1, 0600));
	EXPECT_EQ(-ENOENT, variant->semget(key, 0, IPC_EXCL | 0600));
	EXPECT_EQ(-EINVAL, variant->semget(key, 0, IPC_CREAT | 0600));
	EXPECT_EQ(-EINVAL, variant->semget(IPC_PRIVATE, 0, IPC_CREAT | 0600));
	EXPECT_EQ(-ENOENT, variant->semget(key, 1, 0600));
	EXPECT_LE(0, variant->semget(key, 1, IPC_CREAT | IPC_EXCL | 0600));
}

static const int all_commands[] = {
	IPC_INFO, SEM_INFO, SEM_STAT, SEM_STAT_ANY, IPC_STAT, IPC_SET, IPC_RMID,
	GETVAL, GETPID, GETNCNT, GETZCNT, GETALL, SETVAL, SETALL,
};

/* Rule 3: an id below 0 is EINVAL for every command, before its argument. */
TEST_F(checks, semctl_negative_id)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(all_commands); i++) {
		EXPECT_EQ(-EINVAL, variant->semctl(-1, 0, all_commands[i], 16))
			TH_LOG("command %d", all_commands[i]);
		EXPECT_EQ(-EINVAL, variant->semctl(INT_MIN, -1,
						   all_commands[i], 16))
			TH_LOG("command %d", all_commands[i]);
	}
	EXPECT_EQ(-EINVAL, variant->semctl(-1, 0, SETVAL, 40000));
}

/* Rule 3: commands that do not exist. */
TEST_F(checks, semctl_unknown_command)
{
	static const int commands[] = { -1, 4, 10, 21, 99, 200, 0x1000 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(commands); i++)
		EXPECT_EQ(-EINVAL, variant->semctl(self->ids[GOOD_SET], 0,
						   commands[i], 0))
			TH_LOG("command %d", commands[i]);
}

/* Rule 3: IPC_STAT, IPC_SET and IPC_RMID do not look at semnum. */
TEST_F(checks, semctl_ignores_semnum)
{
	int id = self->ids[GOOD_SET];
	struct semid_ds ds;
	union semun arg = { .buf = &ds };

	EXPECT_EQ(0, semctl(id, 2, IPC_STAT, arg));
	EXPECT_EQ(0, semctl(id, -1, IPC_STAT, arg));
	EXPECT_EQ(0, semctl(id, INT_MAX, IPC_SET, arg));
	EXPECT_EQ(0, semctl(id, INT_MIN, IPC_SET, arg));
	EXPECT_EQ(0, variant->semctl(id, INT_MAX, IPC_RMID, 16));
	EXPECT_EQ(-EINVAL, sem_rm(id));
}

/* Rule 3: GETALL and SETALL do not look at semnum either. */
TEST_F(checks, all_values_ignore_semnum)
{
	unsigned short vals[2] = { 3, 4 };
	int id = self->ids[GOOD_SET];

	EXPECT_EQ(0, variant->semctl(id, 99, SETALL, (long)vals));
	vals[0] = 0;
	EXPECT_EQ(0, variant->semctl(id, -1, GETALL, (long)vals));
	EXPECT_EQ(3, vals[0]);
	EXPECT_EQ(4, vals[1]);
}

/* Rule 3: SETVAL checks its value, then the id, semnum, permissions. */
TEST_F(checks, setval_order)
{
	const int *ids = self->ids;

	EXPECT_EQ(-ERANGE, variant->semctl(ids[REMOVED_SET], 0, SETVAL, 32768));
	EXPECT_EQ(-ERANGE, variant->semctl(ids[REMOVED_SET], 0, SETVAL, -1));
	EXPECT_EQ(-ERANGE, variant->semctl(ids[GOOD_SET], 9, SETVAL, 32768));
	EXPECT_EQ(-ERANGE, variant->semctl(ids[GOOD_SET], 0, SETVAL, INT_MIN));
	EXPECT_EQ(-ERANGE, variant->semctl(ids[GOOD_SET], 0, SETVAL, 65536));
	EXPECT_EQ(-ERANGE, variant->semctl(ids[CLOSED_SET], 0, SETVAL, 32768));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 0, SETVAL, 1));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 9, SETVAL, 1));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[CLOSED_SET], 2, SETVAL, 1));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[CLOSED_SET], -1, SETVAL, 1));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[GOOD_SET], 2, SETVAL, 1));
	EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], 1, SETVAL, 1));
	EXPECT_EQ(0, sem_val(ids[GOOD_SET], 0));
	EXPECT_EQ(0, variant->semctl(ids[GOOD_SET], 1, SETVAL, 32767));
	EXPECT_EQ(32767, sem_val(ids[GOOD_SET], 1));
}

/* Rule 3: readers of one semaphore check permissions, then semnum. */
TEST_F(checks, get_order)
{
	static const int commands[] = { GETVAL, GETPID, GETNCNT, GETZCNT };
	const int *ids = self->ids;
	size_t i;

	for (i = 0; i < ARRAY_LEN(commands); i++) {
		int cmd = commands[i];

		EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 0, cmd, 0));
		EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], 0, cmd, 0));
		EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], 2, cmd, 0));
		EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], -1, cmd, 0));
		EXPECT_EQ(-EINVAL, variant->semctl(ids[GOOD_SET], 2, cmd, 0));
		EXPECT_EQ(-EINVAL, variant->semctl(ids[GOOD_SET], -1, cmd, 0));
		EXPECT_EQ(-EINVAL, variant->semctl(ids[GOOD_SET], 65536, cmd, 0));
		EXPECT_EQ(0, variant->semctl(ids[GOOD_SET], 1, cmd, 0));
	}
}

/* Rule 3: GETALL and SETALL check the id and permissions before the array. */
TEST_F(checks, all_values_order)
{
	const int *ids = self->ids;

	EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 0, GETALL, 16));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 0, SETALL, 16));
	EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], 0, GETALL, 16));
	EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], 0, SETALL, 16));
	EXPECT_EQ(-EFAULT, variant->semctl(ids[GOOD_SET], 0, GETALL, 16));
	EXPECT_EQ(-EFAULT, variant->semctl(ids[GOOD_SET], 0, SETALL, 16));
}

/* Rule 3: SETALL with one bad value changes nothing, wakes nobody. */
TEST_F(checks, setall_bad_value)
{
	static const unsigned short bad[][2] = {
		{ 1, 32768 }, { 32768, 1 }, { 1, 65535 }, { 40000, 40000 },
	};
	int id = self->ids[GOOD_SET];
	struct sleeper *sleeper;
	size_t i;

	ASSERT_EQ(0, sem_op(id, 1, 5, SEM_UNDO));
	sleeper = sleeper_asleep(id, 0, -1, 0);
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		EXPECT_EQ(-ERANGE, variant->semctl(id, 0, SETALL, (long)bad[i]));
		EXPECT_EQ(0, sem_val(id, 0));
		EXPECT_EQ(5, sem_val(id, 1));
		EXPECT_EQ(1, sem_ncnt(id, 0));
		EXPECT_EQ(0, sem_pid(id, 0));
	}
	EXPECT_EQ(-EACCES, variant->semctl(self->ids[CLOSED_SET], 0, SETALL,
					   (long)bad[0]));
	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_end(sleeper));
}

/* Rules 3, 19: SETALL with a bad value keeps adjustments. */
TEST_F(checks, setall_bad_value_keeps_adjustments)
{
	static const unsigned short bad[2] = { 1, 32768 };
	int id = self->ids[GOOD_SET];
	struct sembuf sops[] = { { 0, -1, 0 }, { 1, 5, SEM_UNDO } };
	struct sleeper *holder = sleeper_ops_asleep(id, sops, 2);

	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(5, sem_val(id, 1));
	EXPECT_EQ(-ERANGE, variant->semctl(id, 0, SETALL, (long)bad));
	EXPECT_EQ(0, sleeper_end(holder));
	EXPECT_EQ(0, sem_val(id, 1));
}

/* Rule 3: IPC_STAT looks up before it writes, IPC_SET reads before it looks. */
TEST_F(checks, status_order)
{
	const int *ids = self->ids;

	EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 0, IPC_STAT, 16));
	EXPECT_EQ(-EACCES, variant->semctl(ids[CLOSED_SET], 0, IPC_STAT, 16));
	EXPECT_EQ(-EFAULT, variant->semctl(ids[GOOD_SET], 0, IPC_STAT, 16));
	EXPECT_EQ(-EFAULT, variant->semctl(ids[REMOVED_SET], 0, IPC_SET, 16));
	EXPECT_EQ(-EFAULT, variant->semctl(ids[GOOD_SET], 0, IPC_SET, 16));
	EXPECT_EQ(-EINVAL, variant->semctl(ids[REMOVED_SET], 0, IPC_RMID, 16));
}

/* How far the sequence number is shifted, which a boot parameter changes. */
static int sequence_shift(void)
{
	char line[4096] = "";
	FILE *file = fopen("/proc/cmdline", "re");

	if (file) {
		if (!fgets(line, sizeof(line), file))
			line[0] = '\0';
		fclose(file);
	}
	return strstr(line, "ipcmni_extend") ? 24 : 15;
}

/* Rule 3: the index is what SEM_STAT looks at, not the sequence number. */
TEST_F(checks, sem_stat_takes_an_index)
{
	int id = self->ids[GOOD_SET];
	struct semid_ds ds;
	union semun arg = { .buf = &ds };
	int index, sequence;

	for (sequence = 0; sequence < 4; sequence++) {
		index = sequence << sequence_shift();
		memset(&ds, 0xff, sizeof(ds));
		EXPECT_EQ(id, semctl(index, 0, SEM_STAT, arg));
		EXPECT_EQ(2, ds.sem_nsems);
		EXPECT_EQ(id, semctl(index, -1, SEM_STAT_ANY, arg));
	}
	EXPECT_EQ(-1, semctl(2, 0, SEM_STAT, arg));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, semctl(100, 0, SEM_STAT, arg));
	EXPECT_EQ(EINVAL, errno);
}

/* Rule 3: SEM_STAT_ANY needs no right to read. */
TEST_F(checks, sem_stat_any)
{
	struct semid_ds ds;
	union semun arg = { .buf = &ds };

	EXPECT_EQ(-1, semctl(1, 0, SEM_STAT, arg));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(self->ids[CLOSED_SET], semctl(1, 0, SEM_STAT_ANY, arg));
	EXPECT_EQ(2, ds.sem_nsems);
	EXPECT_EQ(0, ds.sem_perm.mode);
}

/* Rule 3: IPC_INFO and SEM_INFO return the highest index in use. */
TEST_F(checks, info_returns_highest_index)
{
	struct seminfo info;
	long arg = (long)&info;
	int ids[3], last, i;

	EXPECT_EQ(1, variant->semctl(0, 0, IPC_INFO, arg));
	EXPECT_EQ(1, variant->semctl(0, 0, SEM_INFO, arg));
	for (i = 0; i < 3; i++)
		ids[i] = sem_new(1);
	last = ids[2] & ((1 << sequence_shift()) - 1);
	EXPECT_EQ(last, variant->semctl(0, -1, IPC_INFO, arg));
	EXPECT_EQ(last, variant->semctl(99, 0, SEM_INFO, arg));
	EXPECT_EQ(0, sem_rm(ids[1]));
	EXPECT_EQ(last, variant->semctl(0, 0, SEM_INFO, arg));
	EXPECT_EQ(0, sem_rm(ids[2]));
	last = ids[0] & ((1 << sequence_shift()) - 1);
	EXPECT_EQ(last, variant->semctl(0, 0, SEM_INFO, arg));
	EXPECT_EQ(0, sem_rm(ids[0]));
	EXPECT_EQ(1, variant->semctl(0, 0, IPC_INFO, arg));
	EXPECT_EQ(0, sem_rm(self->ids[GOOD_SET]));
	EXPECT_EQ(1, variant->semctl(0, 0, IPC_INFO, arg));
	EXPECT_EQ(-EFAULT, variant->semctl(0, 0, IPC_INFO, 16));
}

/* The calls of a 32-bit program on a 64-bit kernel. */
static bool is_compat(void)
{
	struct utsname name;

	return sizeof(long) == 4 && !uname(&name) &&
	       !strcmp(name.machine, "x86_64");
}

/* Rule 5: the IPC_64 bit of a command is for the multiplexer and compat. */
TEST_F(checks, ipc_64_bit)
{
	bool accepted = variant->multiplexer || is_compat();
	int id = self->ids[GOOD_SET];
	unsigned char status[256];

	ASSERT_EQ(0, sem_setval(id, 0, 3));
	EXPECT_EQ(accepted ? 0 : -EINVAL,
		  variant->semctl(id, 0, IPC_STAT | IPC_64_BIT, (long)status));
	EXPECT_EQ(accepted ? 0 : -EINVAL,
		  variant->semctl(id, 0, SETVAL | IPC_64_BIT, 4));
	EXPECT_EQ(accepted ? 4 : 3, sem_val(id, 0));
	EXPECT_EQ(variant->multiplexer ? 4 : -EINVAL,
		  variant->semctl(id, 0, GETVAL | IPC_64_BIT, 0));
}

#if defined(SYS_semctl) && __SIZEOF_LONG__ == 8
/*
 * As the C library passes it, in a union: on little endian in the lower half
 * of the argument, on big endian in the upper.
 */
/* Rule 5: SETVAL's value is an int, the rest of the argument does not count. */
TEST_F(checks, setval_takes_an_int)
{
	union {
		int val;
		long arg;
	} u = { .arg = -1 };
	int id = self->ids[GOOD_SET];

	u.val = 7;
	EXPECT_EQ(0, variant->semctl(id, 0, SETVAL, u.arg));
	EXPECT_EQ(7, sem_val(id, 0));
	u.arg = 0;
	u.val = -1;
	EXPECT_EQ(-ERANGE, variant->semctl(id, 0, SETVAL, u.arg));
}
#endif

TEST_HARNESS_MAIN
