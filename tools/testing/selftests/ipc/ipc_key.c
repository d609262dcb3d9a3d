// SPDX-License-Identifier: GPL-2.0
/*
 * Keys and ids of semaphores, message queues and shared memory alike: look-up
 * by key, exclusive creation, races of both with removal, ids that are asked
 * for, and many ids (rules 2 and 23).
 */
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "ipc_kinds.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define KEY	0x6b650001
#define NOBODY	65534

FIXTURE(key)
{
	const struct ipc_kind *kind;
};

FIXTURE_VARIANT(key)
{
	const struct ipc_kind *kind;
};

FIXTURE_VARIANT_ADD(key, sem)
{
	.kind = &ipc_sem,
};

FIXTURE_VARIANT_ADD(key, msg)
{
	.kind = &ipc_msg,
};

FIXTURE_VARIANT_ADD(key, shm)
{
	.kind = &ipc_shm,
};

FIXTURE_SETUP(key)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->kind = variant->kind;
}

FIXTURE_TEARDOWN(key)
{
}

static int create(const struct ipc_kind *kind, key_t key)
{
	return kind->get(key, 0600 | IPC_CREAT | IPC_EXCL);
}

static key_t key_of(const struct ipc_kind *kind, int id)
{
	struct ipc_perm perm;

	return kind->perm(id, &perm) ? -1 : perm.__key;
}

static bool ids_are_extended(void)
{
	char cmdline[4096];

	return !file_read("/proc/cmdline", cmdline, sizeof(cmdline)) &&
	       strstr(cmdline, "ipcmni_extend");
}

/* IPC_PRIVATE makes a new object each time; no key finds it. */
TEST_F(key, private_is_always_new)
{
	int a = self->kind->get(IPC_PRIVATE, 0600);
	int b = self->kind->get(IPC_PRIVATE, 0600 | IPC_CREAT | IPC_EXCL);

	ASSERT_LE(0, a);
	ASSERT_LE(0, b);
	EXPECT_NE(a, b);
	EXPECT_EQ(2, self->kind->count());
	EXPECT_EQ(0, key_of(self->kind, a));
}

/* Rule 2: the four combinations of the flags, before and after creation. */
TEST_F(key, flags)
{
	int id, private = self->kind->get(IPC_PRIVATE, 0600);

	EXPECT_EQ(-ENOENT, self->kind->get(KEY, 0));
	EXPECT_EQ(-ENOENT, self->kind->get(KEY, 0600));
	EXPECT_EQ(-ENOENT, self->kind->get(KEY, 0600 | IPC_EXCL));
	id = self->kind->get(KEY, 0600 | IPC_CREAT);
	ASSERT_LE(0, id);
	EXPECT_NE(private, id);
	EXPECT_EQ(KEY, key_of(self->kind, id));

	EXPECT_EQ(id, self->kind->get(KEY, 0));
	EXPECT_EQ(id, self->kind->get(KEY, 0600));
	EXPECT_EQ(id, self->kind->get(KEY, 0600 | IPC_EXCL));
	EXPECT_EQ(id, self->kind->get(KEY, 0600 | IPC_CREAT));
	EXPECT_EQ(-EEXIST, create(self->kind, KEY));
	EXPECT_EQ(2, self->kind->count());
}

/* After removal the key is free at once, and the next id is another. */
TEST_F(key, key_is_free_after_removal)
{
	int i, id, before = -1;

	for (i = 0; i < 1000; i++) {
		id = create(self->kind, KEY);
		ASSERT_LE(0, id);
		EXPECT_NE(before, id);
		ASSERT_EQ(0, self->kind->rmid(id));
		EXPECT_EQ(-ENOENT, self->kind->get(KEY, 0));
		before = id;
	}
	EXPECT_EQ(0, self->kind->count());
}

/* Every key but 0 names an object. */
TEST_F(key, extreme_keys)
{
	static const key_t keys[] = {
		1, -1, 2, 0x7fffffff, (key_t)0x80000000, (key_t)0x80000001,
		0x10000, (key_t)0xffff0000, 0x01010101,
	};
	int id[ARRAY_LEN(keys)];
	size_t i;

	for (i = 0; i < ARRAY_LEN(keys); i++) {
		id[i] = create(self->kind, keys[i]);
		ASSERT_LE(0, id[i]);
	}
	for (i = 0; i < ARRAY_LEN(keys); i++) {
		EXPECT_EQ(id[i], self->kind->get(keys[i], 0));
		EXPECT_EQ(keys[i], key_of(self->kind, id[i]));
	}
}

/* Many keys, in both directions, removed in another order. */
TEST_F(key, many_keys)
{
	enum { KEYS = 3000 };
	static int id[KEYS];
	int i;

	for (i = 0; i < KEYS; i++) {
		id[i] = create(self->kind, KEY + i * 65536 + i);
		ASSERT_LE(0, id[i]);
	}
	EXPECT_EQ(KEYS, self->kind->count());
	for (i = KEYS - 1; i >= 0; i--)
		ASSERT_EQ(id[i], self->kind->get(KEY + i * 65536 + i, 0));
	for (i = 0; i < KEYS; i += 2)
		ASSERT_EQ(0, self->kind->rmid(id[i]));
	for (i = 0; i < KEYS; i++)
		ASSERT_EQ(i & 1 ? id[i] : -ENOENT,
			  self->kind->get(KEY + i * 65536 + i, 0));
	for (i = 1; i < KEYS; i += 2)
		ASSERT_EQ(0, self->kind->rmid(id[i]));
	EXPECT_EQ(0, self->kind->count());
}

static bool become_nobody(void)
{
	return !setgroups(0, NULL) && !setgid(NOBODY) && !setuid(NOBODY);
}

/* Gets with the flags in @arg as a user that has no right to the object. */
struct foreign_get {
	int (*get)(key_t key, int flags);
	int flags;
};

static int foreign_get(void *arg)
{
	struct foreign_get *get = arg;

	if (!become_nobody())
		sem_die("cannot become nobody: %s", strerror(errno));
	return get->get(KEY, get->flags);
}

static int get_as_nobody(int (*fn)(key_t key, int flags), int flags)
{
	struct foreign_get get = { fn, flags };

	return run_in_child(foreign_get, &get);
}

/* Rule 2: for an existing key EEXIST, then EINVAL for the size, then EACCES. */
TEST_F(key, order_of_errors)
{
	const struct ipc_kind *kind = self->kind;
	int id;

	if (!sem_real_root())
		SKIP(return, "needs root");
	id = create(kind, KEY);
	ASSERT_LE(0, id);
	EXPECT_EQ(-EEXIST, get_as_nobody(kind->get,
					 0600 | IPC_CREAT | IPC_EXCL));
	EXPECT_EQ(-EACCES, get_as_nobody(kind->get, 0600));
	EXPECT_EQ(-EACCES, get_as_nobody(kind->get, 0600 | IPC_CREAT));
	/* Who asks for no right gets the id. */
	EXPECT_EQ(id, get_as_nobody(kind->get, 0));
	EXPECT_EQ(id, get_as_nobody(kind->get, IPC_CREAT));
	if (!kind->get_larger)
		return;
	EXPECT_EQ(-EEXIST, get_as_nobody(kind->get_larger,
					 0600 | IPC_CREAT | IPC_EXCL));
	EXPECT_EQ(-EINVAL, get_as_nobody(kind->get_larger, 0600));
	EXPECT_EQ(-EINVAL, get_as_nobody(kind->get_larger, 0));
	EXPECT_EQ(-EINVAL, kind->get_larger(KEY, 0600 | IPC_CREAT));
}

/* The limit on objects stops creation, not look-ups. */
TEST_F(key, limit_on_objects)
{
	const struct ipc_kind *kind = self->kind;
	int a, b;

	ASSERT_EQ(0, kind->set_max(2));
	a = create(kind, KEY);
	b = create(kind, KEY + 1);
	ASSERT_LE(0, a);
	ASSERT_LE(0, b);
	EXPECT_EQ(-ENOSPC, create(kind, KEY + 2));
	EXPECT_EQ(-ENOSPC, kind->get(IPC_PRIVATE, 0600));
	EXPECT_EQ(-EEXIST, create(kind, KEY));
	EXPECT_EQ(a, kind->get(KEY, 0600 | IPC_CREAT));
	/* The one that was refused is not there. */
	EXPECT_EQ(-ENOENT, kind->get(KEY + 2, 0));
	ASSERT_EQ(0, kind->rmid(b));
	EXPECT_LE(0, create(kind, KEY + 2));
	EXPECT_EQ(-ENOSPC, create(kind, KEY + 1));
	ASSERT_EQ(0, kind->set_max(0));
	EXPECT_EQ(a, kind->get(KEY, 0600));
	EXPECT_EQ(0, kind->rmid(a));
	EXPECT_EQ(-ENOSPC, create(kind, KEY));
}

/* Threads that get the same key at one time, round after round. */
struct creators {
	const struct ipc_kind *kind;
	pthread_barrier_t barrier;
	int flags;
	int rounds;
	int created_id;		/* of whom it was created, by any of them */
	int winners;
};

struct creator {
	struct creators *all;
	int result;
};

static int create_in_rounds(void *arg)
{
	struct creator *creator = arg;
	struct creators *all = creator->all;
	int i;

	for (i = 0; i < all->rounds; i++) {
		pthread_barrier_wait(&all->barrier);
		creator->result = all->kind->get(KEY, all->flags);
		pthread_barrier_wait(&all->barrier);
	}
	return 0;
}

enum { CREATORS = 4, CREATE_ROUNDS = 1000 };

static void start_creators(struct creators *all, struct creator *creators,
			   struct sleeper **threads)
{
	int i;

	if (pthread_barrier_init(&all->barrier, NULL, CREATORS + 1))
		sem_die("pthread_barrier_init");
	all->rounds = CREATE_ROUNDS;
	for (i = 0; i < CREATORS; i++) {
		creators[i].all = all;
		threads[i] = sleeper_thread(create_in_rounds, &creators[i]);
	}
}

/* Rule 2: of those who create exclusively at one time exactly one does. */
TEST_F(key, exclusive_creators)
{
	struct creators all = {
		.kind = self->kind,
		.flags = 0600 | IPC_CREAT | IPC_EXCL,
	};
	struct creator creators[CREATORS];
	struct sleeper *threads[CREATORS];
	int round, i;

	start_creators(&all, creators, threads);
	for (round = 0; round < CREATE_ROUNDS; round++) {
		int winners = 0, id = -1;

		pthread_barrier_wait(&all.barrier);
		pthread_barrier_wait(&all.barrier);
		for (i = 0; i < CREATORS; i++) {
			if (creators[i].result >= 0) {
				winners++;
				id = creators[i].result;
			} else {
				EXPECT_EQ(-EEXIST, creators[i].result);
			}
		}
		EXPECT_EQ(1, winners);
		EXPECT_EQ(1, self->kind->count());
		EXPECT_EQ(id, self->kind->get(KEY, 0));
		EXPECT_EQ(0, self->kind->rmid(id));
	}
	for (i = 0; i < CREATORS; i++)
		sleeper_end(threads[i]);
}

/* Those who create without IPC_EXCL all get the one that one of them made. */
TEST_F(key, sharing_creators)
{
	struct creators all = {
		.kind = self->kind,
		.flags = 0600 | IPC_CREAT,
	};
	struct creator creators[CREATORS];
	struct sleeper *threads[CREATORS];
	int round, i;

	start_creators(&all, creators, threads);
	for (round = 0; round < CREATE_ROUNDS; round++) {
		pthread_barrier_wait(&all.barrier);
		pthread_barrier_wait(&all.barrier);
		EXPECT_LE(0, creators[0].result);
		for (i = 1; i < CREATORS; i++)
			EXPECT_EQ(creators[0].result, creators[i].result);
		EXPECT_EQ(1, self->kind->count());
		EXPECT_EQ(0, self->kind->rmid(creators[0].result));
	}
	for (i = 0; i < CREATORS; i++)
		sleeper_end(threads[i]);
}

/* Looks keys up while they come and go. */
struct looker {
	const struct ipc_kind *kind;
	volatile bool stop;
	volatile int found;
	volatile int missed;
	int wrong;
};

enum { LOOKED_KEYS = 4 };

static int look_up(void *arg)
{
	struct looker *looker = arg;
	struct ipc_perm perm;
	int i, id, err;

	for (i = 0; !looker->stop; i++) {
		key_t key = KEY + i % LOOKED_KEYS;

		id = looker->kind->get(key, 0600);
		if (id == -ENOENT) {
			looker->missed++;
			continue;
		}
		if (id < 0) {
			looker->wrong++;
			continue;
		}
		looker->found++;
		/* An id is never reused here, so it is this key's or gone. */
		err = looker->kind->perm(id, &perm);
		if (err ? err != -EINVAL && err != -EIDRM :
			  perm.__key != key)
			looker->wrong++;
	}
	return 0;
}

/* Rule 2: a look-up that races creation and removal is right or ENOENT. */
TEST_F(key, look_up_against_removal)
{
	struct looker lookers[2] = {
		{ .kind = self->kind }, { .kind = self->kind }
	};
	struct sleeper *threads[2];
	int i, j, id[LOOKED_KEYS];

	for (i = 0; i < 2; i++)
		threads[i] = sleeper_thread(look_up, &lookers[i]);
	for (i = 0; i < 3000; i++) {
		/* Now and then each has the time for either answer. */
		bool patient = i % 100 == 0;
		int found[2] = { lookers[0].found, lookers[1].found };
		int missed[2];

		for (j = 0; j < LOOKED_KEYS; j++) {
			id[j] = create(self->kind, KEY + j);
			ASSERT_LE(0, id[j]);
		}
		while (patient && (lookers[0].found == found[0] ||
				   lookers[1].found == found[1]))
			sched_yield();
		for (j = 0; j < LOOKED_KEYS; j++)
			ASSERT_EQ(0, self->kind->rmid(id[j]));
		missed[0] = lookers[0].missed;
		missed[1] = lookers[1].missed;
		while (patient && (lookers[0].missed == missed[0] ||
				   lookers[1].missed == missed[1]))
			sched_yield();
	}
	for (i = 0; i < 2; i++) {
		lookers[i].stop = true;
		sleeper_end(threads[i]);
		EXPECT_EQ(0, lookers[i].wrong);
		EXPECT_LT(0, lookers[i].found);
		EXPECT_LT(0, lookers[i].missed);
	}
	EXPECT_EQ(0, self->kind->count());
}

/* A key that is never removed is found, whatever happens to others. */
static int look_up_one_that_stays(void *arg)
{
	struct looker *looker = arg;
	int id = looker->kind->get(KEY - 1, 0600);

	while (!looker->stop) {
		if (looker->kind->get(KEY - 1, 0600) != id ||
		    looker->kind->get(KEY - 1, 0600 | IPC_CREAT) != id)
			looker->wrong++;
		looker->found++;
	}
	return 0;
}

TEST_F(key, look_up_while_others_come_and_go)
{
	enum { CROWD = 64, ROUNDS = 40 };
	struct looker looker = { .kind = self->kind };
	struct sleeper *thread;
	int i, j, id[CROWD];

	ASSERT_LE(0, create(self->kind, KEY - 1));
	thread = sleeper_thread(look_up_one_that_stays, &looker);
	for (i = 0; i < ROUNDS; i++) {
		for (j = 0; j < CROWD; j++) {
			id[j] = create(self->kind, KEY + j);
			ASSERT_LE(0, id[j]);
		}
		for (j = 0; j < CROWD; j++)
			ASSERT_EQ(0, self->kind->rmid(id[j]));
	}
	looker.stop = true;
	sleeper_end(thread);
	EXPECT_EQ(0, looker.wrong);
	EXPECT_LT(0, looker.found);
}

static int set_next_id(const struct ipc_kind *kind, int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", id);
	return file_write(kind->next_id, text);
}

/* Rule 23: a forced id is given once, then the file reads -1. */
TEST_F(key, next_id)
{
	const struct ipc_kind *kind = self->kind;
	static const int sequences[] = { 0, 1, 77, 65533 };
	int id, other, err;
	size_t i;

	EXPECT_EQ(-1, file_number(kind->next_id));
	/* A free index, below any limit. */
	other = create(kind, KEY);
	ASSERT_LE(0, other);
	for (i = 0; i < ARRAY_LEN(sequences); i++) {
		/* The same on kernels with 15 and with 24 bits of index. */
		int want = ids_are_extended() ?
			((sequences[i] & 0x7f) << 24) + 2 :
			(sequences[i] << 15) + 2;

		err = set_next_id(kind, want);
		if (err == -EPERM || err == -EACCES || err == -ENOENT)
			SKIP(return, "%s: %s", kind->next_id, strerror(-err));
		ASSERT_EQ(0, err);
		EXPECT_EQ(want, file_number(kind->next_id));
		id = kind->get(KEY + 1, 0600 | IPC_CREAT);
		EXPECT_EQ(want, id);
		EXPECT_EQ(-1, file_number(kind->next_id));
		EXPECT_EQ(id, kind->get(KEY + 1, 0));
		EXPECT_EQ(KEY + 1, key_of(kind, id));
		/* The one after it is not forced. */
		EXPECT_NE(want, kind->get(IPC_PRIVATE, 0600));
		ASSERT_EQ(0, kind->rmid(id));
		EXPECT_EQ(-EINVAL, kind->rmid(id));
	}
	EXPECT_EQ(other, kind->get(KEY, 0));
}

/* Rule 23: a look-up does not consume it. */
TEST_F(key, next_id_survives_a_look_up)
{
	const struct ipc_kind *kind = self->kind;
	int err, existing = create(kind, KEY);

	err = set_next_id(kind, 5);
	if (err == -EPERM || err == -EACCES || err == -ENOENT)
		SKIP(return, "%s: %s", kind->next_id, strerror(-err));
	ASSERT_EQ(0, err);
	EXPECT_EQ(existing, kind->get(KEY, 0600 | IPC_CREAT));
	EXPECT_EQ(-EEXIST, create(kind, KEY));
	EXPECT_EQ(5, file_number(kind->next_id));
	EXPECT_EQ(5, create(kind, KEY + 1));
	EXPECT_EQ(-1, file_number(kind->next_id));
}

/* Rule 23: where the index is taken, another id is given; nothing is hurt. */
TEST_F(key, next_id_in_use)
{
	const struct ipc_kind *kind = self->kind;
	int err, id, existing = create(kind, KEY);

	err = set_next_id(kind, existing);
	if (err == -EPERM || err == -EACCES || err == -ENOENT)
		SKIP(return, "%s: %s", kind->next_id, strerror(-err));
	ASSERT_EQ(0, err);
	id = create(kind, KEY + 1);
	ASSERT_LE(0, id);
	EXPECT_NE(existing, id);
	EXPECT_EQ(-1, file_number(kind->next_id));
	EXPECT_EQ(KEY, key_of(kind, existing));
	EXPECT_EQ(KEY + 1, key_of(kind, id));
	EXPECT_EQ(0, kind->rmid(existing));
	EXPECT_EQ(0, kind->rmid(id));
	EXPECT_EQ(0, kind->count());
}

/* What is no id is refused, and each namespace has a file of its own. */
TEST_F(key, next_id_values)
{
	const struct ipc_kind *kind = self->kind;
	int err = set_next_id(kind, 9);

	if (err == -EPERM || err == -EACCES || err == -ENOENT)
		SKIP(return, "%s: %s", kind->next_id, strerror(-err));
	ASSERT_EQ(0, err);
	EXPECT_EQ(-EINVAL, set_next_id(kind, -1));
	EXPECT_EQ(-EINVAL, set_next_id(kind, -77));
	EXPECT_EQ(9, file_number(kind->next_id));
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	EXPECT_EQ(-1, file_number(kind->next_id));
}

static int set_next_id_as_nobody(void *arg)
{
	const struct ipc_kind *kind = arg;

	if (!become_nobody())
		sem_die("cannot become nobody: %s", strerror(errno));
	return set_next_id(kind, 3);
}

/* Rule 23: it takes a privilege. */
TEST_F(key, next_id_needs_privilege)
{
	int err;

	if (!sem_real_root())
		SKIP(return, "needs root");
	err = run_in_child(set_next_id_as_nobody, (void *)self->kind);
	EXPECT_TRUE(err == -EACCES || err == -EPERM);
	EXPECT_EQ(-1, file_number(self->kind->next_id));
}

/*
 * ipcmni_extend raises what the limit may be set to from 2^15 to 2^24; ids
 * are then given in a circle, and old ones stay invalid all the same.
 */
TEST_F(key, extended_limit)
{
	enum { OBJECTS = 3000 };
	const struct ipc_kind *kind = self->kind;
	int most = ids_are_extended() ? 1 << 24 : 1 << 15;
	static int id[OBJECTS];
	int i;

	EXPECT_EQ(0, kind->set_max(most));
	EXPECT_EQ(most, kind->get_max());
	EXPECT_GT(0, kind->set_max(most + 1));
	EXPECT_EQ(most, kind->get_max());
	for (i = 0; i < OBJECTS; i++) {
		id[i] = kind->get(IPC_PRIVATE, 0600);
		ASSERT_LE(0, id[i]);
		ASSERT_EQ(0, kind->rmid(id[i]));
		EXPECT_EQ(-EINVAL, kind->rmid(id[i / 2]));
		if (i)
			EXPECT_NE(id[i - 1], id[i]);
	}
}

/* More objects than 2^15 where they are allowed, else just as many. */
TEST_F_TIMEOUT(key, all_ids_in_use, 900)
{
	enum { MOST = 40000 };
	const struct ipc_kind *kind = self->kind;
	int want = ids_are_extended() ? MOST : 1 << 15;
	int *id = calloc(want, sizeof(*id));
	int i;

	ASSERT_TRUE(id != NULL);
	ASSERT_EQ(0, kind->set_max(want));
	for (i = 0; i < want; i++) {
		id[i] = kind->get(KEY + i, 0600 | IPC_CREAT | IPC_EXCL);
		ASSERT_LE(0, id[i]);
	}
	EXPECT_EQ(-ENOSPC, kind->get(IPC_PRIVATE, 0600));
	EXPECT_EQ(want, kind->count());
	EXPECT_EQ(id[want / 2], kind->get(KEY + want / 2, 0));
	/* A gap is found again. */
	ASSERT_EQ(0, kind->rmid(id[want / 3]));
	id[want / 3] = create(kind, KEY + want / 3);
	EXPECT_LE(0, id[want / 3]);
	EXPECT_EQ(-ENOSPC, kind->get(IPC_PRIVATE, 0600));
	for (i = 0; i < want; i++)
		ASSERT_EQ(0, kind->rmid(id[i]));
	EXPECT_EQ(0, kind->count());
	free(id);
}

TEST_HARNESS_MAIN
