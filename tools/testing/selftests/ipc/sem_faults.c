// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation fails once: in semget, semop and semctl, on small sets and
 * on those that do not fit in a page. Copies from and to the program fail in the
 * same way if the kernel can do that. Needs a kernel with fault injection and
 * root. A call that fails says ENOMEM or EFAULT and leaves nothing; what it leaked, a
 * kernel with kmemleak reports when the guest ends.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define MANY	20000		/* semaphores: more than a page of values */
#define SOPS	400		/* sops: more than stay on the stack, within SEMOPM */
#define MAX_N	200		/* allocations in one call */

#define DEBUGFS	"/sys/kernel/debug"

FIXTURE(faults) {
	int fd;			/* fail-nth of this thread */
};

static void quotas(struct seminfo *used)
{
	union semun arg = { .__buf = used };

	if (semctl(0, 0, SEM_INFO, arg) < 0)
		sem_die("SEM_INFO: %s", strerror(errno));
}

FIXTURE_SETUP(faults)
{
	ENTER_NS_OR_SKIP();
	if (file_write(DEBUGFS "/failslab/ignore-gfp-wait", "N") ||
	    file_write(DEBUGFS "/failslab/verbose", "0") ||
	    file_write(DEBUGFS "/fail_page_alloc/ignore-gfp-wait", "N") ||
	    file_write(DEBUGFS "/fail_page_alloc/min-order", "0") ||
	    file_write(DEBUGFS "/fail_page_alloc/verbose", "0"))
		SKIP(return, "this kernel has no fault injection, or no root");
	self->fd = open("/proc/thread-self/fail-nth", O_RDWR);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(faults)
{
	close(self->fd);
}

static void fail_nth(int fd, int n)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%d", n);

	/* It may be this copy that fails, and then the count is at 0, too */
	if (pwrite(fd, text, length, 0) != length && (n || errno != EFAULT))
		sem_die("fail-nth: %s", strerror(errno));
}

/* Whether the failure has been met; nothing fails any more. */
static bool has_failed(int fd)
{
	char text[16] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) < 1) {
		if (errno != EFAULT)
			sem_die("fail-nth: %s", strerror(errno));
		return false;	/* it was met just now */
	}
	fail_nth(fd, 0);
	return atoi(text) == 0;
}

/* Makes a call with its first, second, ... allocation failing. */
struct faulty {
	int (*prepare)(void);		/* before each call; returns an id */
	int (*call)(int id);		/* 0 or more, or -errno */
	void (*done)(int id, int result); /* after each call, to undo it */
};

static int no_set(void)
{
	return -1;
}

static void remove_set(int id, int result)
{
	if (sem_rm(id))
		sem_die("IPC_RMID after %d: %s", result, strerror(errno));
}

static void remove_result(int id, int result)
{
	if (result >= 0)
		remove_set(result, result);
}

static bool is_right(int result, bool failed)
{
	return result >= 0 ||
	       (failed && (result == -ENOMEM || result == -EFAULT));
}

/* How many failures were met, or -1 after a wrong answer. */
static int run_faulty(int fd, const struct faulty *faulty)
{
	struct seminfo before, after;
	int n, result, id;
	bool failed;

	for (n = 1; n < MAX_N; n++) {
		quotas(&before);
		id = faulty->prepare();
		fail_nth(fd, n);
		result = faulty->call(id);
		failed = has_failed(fd);
		faulty->done(id, result);
		quotas(&after);
		if (!is_right(result, failed)) {
			ksft_print_msg("failure %d: %s\n", n,
				       strerror(-result));
			return -1;
		}
		if (before.semusz != after.semusz ||
		    before.semaem != after.semaem) {
			ksft_print_msg("failure %d: sets %d, then %d\n", n,
				       before.semusz, after.semusz);
			ksft_print_msg("semaphores %d, then %d\n",
				       before.semaem, after.semaem);
			return -1;
		}
		if (!failed)
			return n - 1;
	}
	ksft_print_msg("more than %d failures\n", MAX_N);
	return -1;
}

static int create_small(int id)
{
	(void)id;
	id = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600);
	return id < 0 ? -errno : id;
}

static int create_large(int id)
{
	(void)id;
	id = semget(IPC_PRIVATE, MANY, IPC_CREAT | 0600);
	return id < 0 ? -errno : id;
}

static int create_with_key(int id)
{
	(void)id;
	id = semget(getpid(), 2, IPC_CREAT | IPC_EXCL | 0600);
	return id < 0 ? -errno : id;
}

/* A set of either size: the structure, and its places in the tables. */
TEST_F(faults, semget)
{
	static const struct faulty small = { no_set, create_small, remove_result };
	static const struct faulty large = { no_set, create_large, remove_result };
	static const struct faulty keyed = { no_set, create_with_key,
					     remove_result };

	EXPECT_LE(1, run_faulty(self->fd, &small));
	EXPECT_LE(1, run_faulty(self->fd, &large));
	EXPECT_LE(1, run_faulty(self->fd, &keyed));
}

/* Each with an undo group of its own, so that the group is made, too. */
static int small_set(void)
{
	if (unshare(CLONE_SYSVSEM))
		sem_die("unshare: %s", strerror(errno));
	return sem_new(2);
}

static int large_set(void)
{
	if (unshare(CLONE_SYSVSEM))
		sem_die("unshare: %s", strerror(errno));
	return sem_new(MANY);
}

static int post_with_undo(int id)
{
	int err = sem_op(id, 0, 1, SEM_UNDO);

	/* All or nothing: the value is that of a call made or not made */
	if (sem_val(id, 0) != (err ? 0 : 1))
		sem_die("%d, but the value is %d", err, sem_val(id, 0));
	return err;
}

static int post_both_with_undo(int id)
{
	struct sembuf both[] = { { 0, 1, SEM_UNDO }, { 1, 1, SEM_UNDO } };

	return sem_ops(id, both, 2);
}

/* The undo group, the structure for the set, the adjustment, the xarrays. */
TEST_F(faults, first_undo)
{
	static const struct faulty one = { small_set, post_with_undo, remove_set };
	static const struct faulty two = { small_set, post_both_with_undo,
					   remove_set };
	static const struct faulty last = { large_set, post_with_undo,
					    remove_set };

	EXPECT_LE(1, run_faulty(self->fd, &one));
	EXPECT_LE(1, run_faulty(self->fd, &two));
	EXPECT_LE(1, run_faulty(self->fd, &last));
}

static int post_many(int id)
{
	struct sembuf sops[SOPS];
	int i, err;

	for (i = 0; i < SOPS; i++)
		sops[i] = (struct sembuf) { .sem_num = i, .sem_op = 1 };
	err = sem_ops(id, sops, SOPS);
	for (i = 0; i < SOPS; i += SOPS - 1)
		if (sem_val(id, i) != (err ? 0 : 1))
			sem_die("%d, but value %d is %d", err, i, sem_val(id, i));
	return err;
}

/* Sops that do not fit on the stack: none of them is carried out. */
TEST_F(faults, many_sops)
{
	static const struct faulty many = { large_set, post_many, remove_set };

	EXPECT_LE(1, run_faulty(self->fd, &many));
}

static unsigned short values[MANY];

static int get_all(int id)
{
	return sem_getall(id, values);
}

static int set_all(int id)
{
	int err;

	values[0] = 1;
	err = sem_setall(id, values);
	if (sem_val(id, 0) != (err ? 0 : 1))
		sem_die("%d, but the value is %d", err, sem_val(id, 0));
	return err;
}

/* The copy of all values. */
TEST_F(faults, all_values)
{
	static const struct faulty get = { large_set, get_all, remove_set };
	static const struct faulty set = { large_set, set_all, remove_set };

	EXPECT_LE(1, run_faulty(self->fd, &get));
	EXPECT_LE(1, run_faulty(self->fd, &set));
}

TEST_HARNESS_MAIN
