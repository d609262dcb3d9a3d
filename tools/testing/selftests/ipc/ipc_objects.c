// SPDX-License-Identifier: GPL-2.0
/*
 * The object layer, through semaphores, message queues and shared memory:
 * life cycle, owners and modes, look-up by index, lists in /proc, namespaces
 * (rules 3, 4, 22, 23, 25, 27).
 */
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "ipc_kinds.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define KEY	0x6f620001
#define ALICE	1001
#define BOB	1002
#define GROUP	2001

FIXTURE(object)
{
	const struct ipc_kind *kind;
	int id;
};

FIXTURE_VARIANT(object)
{
	const struct ipc_kind *kind;
};

FIXTURE_VARIANT_ADD(object, sem)
{
	.kind = &ipc_sem,
};

FIXTURE_VARIANT_ADD(object, msg)
{
	.kind = &ipc_msg,
};

FIXTURE_VARIANT_ADD(object, shm)
{
	.kind = &ipc_shm,
};

FIXTURE_SETUP(object)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->kind = variant->kind;
	self->id = self->kind->get(KEY, 0640 | IPC_CREAT | IPC_EXCL);
	ASSERT_LE(0, self->id);
}

FIXTURE_TEARDOWN(object)
{
}

/* Someone else, who tries something. */
struct attempt {
	uid_t uid;
	gid_t gid;
	const struct ipc_kind *kind;
	int id;
	struct ipc_perm perm;
};

static int attempt_as(sleeper_fn fn, struct attempt *attempt, uid_t uid,
		      gid_t gid)
{
	attempt->uid = uid;
	attempt->gid = gid;
	return run_in_child(fn, attempt);
}

static void become(const struct attempt *attempt)
{
	if (setgroups(0, NULL) || setgid(attempt->gid) || setuid(attempt->uid))
		sem_die("cannot become user %d: %s", attempt->uid,
			strerror(errno));
}

static int try_stat(void *arg)
{
	struct attempt *attempt = arg;
	struct ipc_perm perm;

	become(attempt);
	return attempt->kind->perm(attempt->id, &perm);
}

static int try_remove(void *arg)
{
	struct attempt *attempt = arg;

	become(attempt);
	return attempt->kind->rmid(attempt->id);
}

static int try_set(void *arg)
{
	struct attempt *attempt = arg;

	become(attempt);
	return attempt->kind->set_perm(attempt->id, &attempt->perm);
}

static int try_create(void *arg)
{
	struct attempt *attempt = arg;

	become(attempt);
	return attempt->kind->get(KEY + 1, 0600 | IPC_CREAT | IPC_EXCL);
}

/* Gives the object to @uid and @gid with @mode. */
static void give(const struct ipc_kind *kind, int id, uid_t uid, gid_t gid,
		 int mode)
{
	struct ipc_perm perm;
	int err = kind->perm(id, &perm);

	if (!err) {
		perm.uid = uid;
		perm.gid = gid;
		perm.mode = mode;
		err = kind->set_perm(id, &perm);
	}
	if (err)
		sem_die("cannot give %s %d away: %s", kind->name, id,
			strerror(-err));
}

/* What a new object tells of itself. */
TEST_F(object, new_one)
{
	struct ipc_perm perm;

	ASSERT_EQ(0, self->kind->perm(self->id, &perm));
	EXPECT_EQ(KEY, perm.__key);
	EXPECT_EQ(geteuid(), perm.uid);
	EXPECT_EQ(getegid(), perm.gid);
	EXPECT_EQ(geteuid(), perm.cuid);
	EXPECT_EQ(getegid(), perm.cgid);
	EXPECT_EQ(0640, perm.mode);
	EXPECT_EQ(1, self->kind->count());
	ASSERT_EQ(0, self->kind->rmid(self->id));
	EXPECT_EQ(-EINVAL, self->kind->perm(self->id, &perm));
	EXPECT_EQ(-EINVAL, self->kind->set_perm(self->id, &perm));
	EXPECT_EQ(-EINVAL, self->kind->rmid(self->id));
	EXPECT_EQ(0, self->kind->count());
}

/* Ids that never were: EINVAL, and nothing else. */
TEST_F(object, ids_that_never_were)
{
	static const int ids[] = {
		-1, -2, 1, 31999, 32767, 32768, 65536, 0x7fff0000, 0x7fffffff,
		(int)0x80000000,
	};
	struct ipc_perm perm;
	size_t i;

	for (i = 0; i < ARRAY_LEN(ids); i++) {
		if (ids[i] == self->id)
			continue;
		EXPECT_EQ(-EINVAL, self->kind->perm(ids[i], &perm));
		EXPECT_EQ(-EINVAL, self->kind->rmid(ids[i]));
	}
	/* The right index with another sequence number. */
	EXPECT_EQ(-EINVAL, self->kind->perm(self->id + (1 << 24), &perm));
	EXPECT_EQ(0, self->kind->perm(self->id, &perm));
}

/* Rule 4: reading needs the bit of owner, group or others, each alone. */
TEST_F(object, right_to_read)
{
	struct attempt attempt = { .kind = self->kind, .id = self->id };
	static const struct {
		int mode;
		int alice, group, bob;
	} cases[] = {
		{ 0000, -EACCES, -EACCES, -EACCES },
		{ 0400, 0, -EACCES, -EACCES },
		{ 0040, -EACCES, 0, -EACCES },
		{ 0004, -EACCES, -EACCES, 0 },
		{ 0444, 0, 0, 0 },
		{ 0222, -EACCES, -EACCES, -EACCES },
		{ 0600, 0, -EACCES, -EACCES },
	};
	size_t i;

	if (!sem_real_root())
		SKIP(return, "needs root");
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		give(self->kind, self->id, ALICE, GROUP, cases[i].mode);
		EXPECT_EQ(cases[i].alice,
			  attempt_as(try_stat, &attempt, ALICE, ALICE));
		EXPECT_EQ(cases[i].group,
			  attempt_as(try_stat, &attempt, BOB, GROUP));
		EXPECT_EQ(cases[i].bob,
			  attempt_as(try_stat, &attempt, BOB, BOB));
	}
}

/* Rule 4: the creator has the owner's bits too. */
TEST_F(object, creator_counts_as_owner)
{
	struct attempt attempt = { .kind = self->kind };

	if (!sem_real_root())
		SKIP(return, "needs root");
	attempt.id = attempt_as(try_create, &attempt, ALICE, GROUP);
	ASSERT_LE(0, attempt.id);
	give(self->kind, attempt.id, BOB, BOB, 0400);
	EXPECT_EQ(0, attempt_as(try_stat, &attempt, ALICE, ALICE));
	EXPECT_EQ(0, attempt_as(try_stat, &attempt, BOB, BOB));
	EXPECT_EQ(-EACCES, attempt_as(try_stat, &attempt, ALICE + 7, GROUP));
	give(self->kind, attempt.id, BOB, BOB, 0040);
	EXPECT_EQ(0, attempt_as(try_stat, &attempt, ALICE + 7, GROUP));
	EXPECT_EQ(0, attempt_as(try_stat, &attempt, ALICE + 7, BOB));
}

/* Rule 4: RMID and SET are for owner and creator, whatever the mode. */
TEST_F(object, right_to_set_and_remove)
{
	struct attempt attempt = { .kind = self->kind };
	int who;

	if (!sem_real_root())
		SKIP(return, "needs root");
	for (who = 0; who < 2; who++) {
		struct ipc_perm perm;

		attempt.id = attempt_as(try_create, &attempt, ALICE, ALICE);
		ASSERT_LE(0, attempt.id);
		give(self->kind, attempt.id, BOB, BOB, 0777);
		EXPECT_EQ(-EPERM, attempt_as(try_remove, &attempt, 3, 3));
		ASSERT_EQ(0, self->kind->perm(attempt.id, &attempt.perm));
		attempt.perm.uid = 3;
		EXPECT_EQ(-EPERM, attempt_as(try_set, &attempt, 3, 3));
		ASSERT_EQ(0, self->kind->perm(attempt.id, &perm));
		EXPECT_EQ(BOB, perm.uid);
		/* With no bit at all they still may. */
		give(self->kind, attempt.id, BOB, BOB, 0);
		ASSERT_EQ(0, self->kind->perm(attempt.id, &attempt.perm));
		EXPECT_EQ(0, attempt_as(try_set, &attempt,
					who ? ALICE : BOB, 9));
		EXPECT_EQ(0, attempt_as(try_remove, &attempt,
					who ? ALICE : BOB, 9));
	}
}

/* IPC_SET changes owner, group and the nine bits, nothing else. */
TEST_F(object, set)
{
	struct ipc_perm perm, seen;

	if (!sem_real_root())
		SKIP(return, "needs root");
	ASSERT_EQ(0, self->kind->perm(self->id, &perm));
	perm.uid = ALICE;
	perm.gid = GROUP;
	perm.mode = 07777;
	perm.cuid = BOB;
	perm.cgid = BOB;
	perm.__key = KEY + 5;
	perm.__seq += 1;
	ASSERT_EQ(0, self->kind->set_perm(self->id, &perm));
	ASSERT_EQ(0, self->kind->perm(self->id, &seen));
	EXPECT_EQ(ALICE, seen.uid);
	EXPECT_EQ(GROUP, seen.gid);
	EXPECT_EQ(0777, seen.mode);
	EXPECT_EQ(0, seen.cuid);
	EXPECT_EQ(0, seen.cgid);
	EXPECT_EQ(KEY, seen.__key);
	EXPECT_EQ(perm.__seq - 1, seen.__seq);
	EXPECT_EQ(self->id, self->kind->get(KEY, 0));
	/* An id that cannot be a user's. */
	perm.uid = -1;
	EXPECT_EQ(-EINVAL, self->kind->set_perm(self->id, &perm));
	ASSERT_EQ(0, self->kind->perm(self->id, &seen));
	EXPECT_EQ(ALICE, seen.uid);
}

/* Rule 3: by index, with and without the check of the right to read. */
TEST_F(object, stat_by_index)
{
	const struct ipc_kind *kind = self->kind;
	struct ipc_perm perm;
	int id[5], i, index, found = 0;

	for (i = 0; i < 5; i++)
		id[i] = kind->get(KEY + 10 + i, 0600 | IPC_CREAT);
	ASSERT_EQ(0, kind->rmid(id[2]));
	for (index = 0; index <= kind->highest(); index++) {
		int seen = kind->stat_index(index, &perm);

		if (seen < 0) {
			EXPECT_EQ(-EINVAL, seen);
			continue;
		}
		found++;
		EXPECT_EQ(seen, kind->get(perm.__key, 0));
		EXPECT_EQ(seen, kind->stat_any_index(index, &perm));
		EXPECT_EQ(seen, kind->get(perm.__key, 0));
	}
	EXPECT_EQ(5, found);
	EXPECT_EQ(-EINVAL, kind->stat_index(kind->highest() + 1, &perm));
	EXPECT_EQ(-EINVAL, kind->stat_any_index(kind->highest() + 1, &perm));
	EXPECT_EQ(-EINVAL, kind->stat_index(-1, &perm));
}

static int try_stat_index(void *arg)
{
	struct attempt *attempt = arg;
	struct ipc_perm perm;

	become(attempt);
	return attempt->kind->stat_index(0, &perm);
}

static int try_stat_any_index(void *arg)
{
	struct attempt *attempt = arg;
	struct ipc_perm perm;

	become(attempt);
	return attempt->kind->stat_any_index(0, &perm);
}

TEST_F(object, right_to_stat_by_index)
{
	struct attempt attempt = { .kind = self->kind };
	struct ipc_perm perm;

	if (!sem_real_root())
		SKIP(return, "needs root");
	/* The first object of a namespace has the first index. */
	ASSERT_EQ(self->id, self->kind->stat_index(0, &perm));
	EXPECT_EQ(-EACCES, attempt_as(try_stat_index, &attempt, BOB, BOB));
	EXPECT_EQ(self->id,
		  attempt_as(try_stat_any_index, &attempt, BOB, BOB));
}

/* Counts the lines of the list and those of one id. */
static int lines_of(const struct ipc_kind *kind, int id, int *all)
{
	FILE *file = fopen(kind->proc, "re");
	char line[512];
	int key, seen, of_id = 0;

	if (!file || !fgets(line, sizeof(line), file))
		sem_die("%s: %s", kind->proc, strerror(errno));
	for (*all = 0; fgets(line, sizeof(line), file); (*all)++) {
		if (sscanf(line, "%d %d", &key, &seen) != 2)
			sem_die("%s: unexpected line %s", kind->proc, line);
		of_id += seen == id;
	}
	fclose(file);
	return of_id;
}

/* Rule 27: every object is one line, those that are removed are none. */
TEST_F(object, list)
{
	const struct ipc_kind *kind = self->kind;
	int id[100], i, all;
	struct stat st;

	ASSERT_EQ(0, stat(kind->proc, &st));
	EXPECT_EQ(0444, st.st_mode & 0777);
	for (i = 0; i < 100; i++)
		id[i] = kind->get(IPC_PRIVATE, 0);
	for (i = 0; i < 100; i += 3)
		ASSERT_EQ(0, kind->rmid(id[i]));
	for (i = 0; i < 100; i++)
		EXPECT_EQ(i % 3 ? 1 : 0, lines_of(kind, id[i], &all));
	EXPECT_EQ(1, lines_of(kind, self->id, &all));
	EXPECT_EQ(kind->count(), all);
}

/* Rule 25: a namespace has its own objects, keys and count. */
TEST_F(object, namespaces)
{
	const struct ipc_kind *kind = self->kind;
	struct ipc_perm perm;
	int there, all;

	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	EXPECT_EQ(0, kind->count());
	EXPECT_EQ(-EINVAL, kind->perm(self->id, &perm));
	EXPECT_EQ(-ENOENT, kind->get(KEY, 0));
	EXPECT_EQ(0, lines_of(kind, self->id, &all));
	EXPECT_EQ(0, all);
	there = kind->get(KEY, 0600 | IPC_CREAT | IPC_EXCL);
	EXPECT_LE(0, there);
	EXPECT_EQ(1, kind->count());
	EXPECT_EQ(32000, ipc_sem.get_max());
	EXPECT_EQ(32000, ipc_msg.get_max());
	EXPECT_EQ(4096, ipc_shm.get_max());
}

/* Rule 22: the limit has room again before IPC_RMID returns. */
TEST_F(object, limit_has_room_after_removal)
{
	const struct ipc_kind *kind = self->kind;
	int i, id = self->id;

	ASSERT_EQ(0, kind->set_max(1));
	for (i = 0; i < 1000; i++) {
		EXPECT_EQ(-ENOSPC, kind->get(IPC_PRIVATE, 0600));
		ASSERT_EQ(0, kind->rmid(id));
		id = kind->get(IPC_PRIVATE, 0600);
		ASSERT_LE(0, id);
	}
}

/* Makes and removes, all the time, on its own. */
struct maker {
	const struct ipc_kind *kind;
	int rounds;
};

static int make_and_remove(void *arg)
{
	struct maker *maker = arg;
	struct ipc_perm perm;
	int i, id, err = 0;

	for (i = 0; i < maker->rounds && !err; i++) {
		id = maker->kind->get(IPC_PRIVATE, 0600);
		if (id < 0)
			return id;
		err = maker->kind->perm(id, &perm);
		if (!err)
			err = maker->kind->rmid(id);
		if (!err && maker->kind->perm(id, &perm) != -EINVAL)
			err = -EBADMSG;
	}
	return err;
}

/* Rule 23: creation and removal of many threads at one time. */
TEST_F(object, many_makers)
{
	enum { MAKERS = 4 };
	struct maker maker = { self->kind, 2000 };
	struct sleeper *threads[MAKERS];
	int i;

	for (i = 0; i < MAKERS; i++)
		threads[i] = sleeper_thread(make_and_remove, &maker);
	for (i = 0; i < MAKERS; i++)
		EXPECT_EQ(0, sleeper_end(threads[i]));
	EXPECT_EQ(1, self->kind->count());
	EXPECT_EQ(self->id, self->kind->get(KEY, 0));
}

static int remove_object(void *arg)
{
	struct attempt *attempt = arg;

	return attempt->kind->rmid(attempt->id);
}

/* Rule 22: of removers at one time exactly one removes. */
TEST_F(object, many_removers)
{
	enum { REMOVERS = 3, ROUNDS = 150 };
	struct attempt attempt = { .kind = self->kind };
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		struct sleeper *threads[REMOVERS];
		int removed = 0;

		attempt.id = self->kind->get(IPC_PRIVATE, 0600);
		for (i = 0; i < REMOVERS; i++)
			threads[i] = sleeper_thread(remove_object, &attempt);
		for (i = 0; i < REMOVERS; i++) {
			int result = sleeper_end(threads[i]);

			removed += result == 0;
			EXPECT_TRUE(!result || result == -EINVAL ||
				    result == -EIDRM);
		}
		EXPECT_EQ(1, removed);
	}
	EXPECT_EQ(1, self->kind->count());
}

TEST_HARNESS_MAIN
