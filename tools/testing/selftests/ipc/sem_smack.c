// SPDX-License-Identifier: GPL-2.0
/*
 * Refusals by a security module. Needs a kernel that runs with lsm=smack, and
 * root: a set belongs to the label of the task that created it, and Smack's
 * rules say what another label may do with it.
 */
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

/* Where smackfs is mounted for the test alone, in its mount namespace. */
#define ROOT	"/tmp"

FIXTURE(smack) {
	key_t key;
	int id;
};

/* A call as a task with another label and without capabilities. */
struct job {
	int (*call)(const struct job *job);
	const char *label;
	key_t key;
	int id;
};

static int run_with_label(void *arg)
{
	const struct job *job = arg;
	int err = file_write("/proc/self/attr/current", job->label);

	if (err)
		sem_die("cannot take a label: %s", strerror(-err));
	sem_limit_caps(0);
	return job->call(job);
}

static int create(const struct job *job)
{
	int id = semget(job->key, 2, IPC_CREAT | IPC_EXCL | 0666);

	return id < 0 ? -errno : id;
}

static bool mount_smackfs(void)
{
	return !unshare(CLONE_NEWNS) &&
	       !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", ROOT, "smackfs", 0, NULL);
}

FIXTURE_SETUP(smack)
{
	struct job job = { .call = create, .label = "SemOwner" };

	ENTER_NS_OR_SKIP();
	if (!mount_smackfs())
		SKIP(return, "needs lsm=smack on the kernel's command line");
	self->key = getpid();
	job.key = self->key;
	self->id = run_in_child(run_with_label, &job);
	ASSERT_LE(0, self->id);
	ASSERT_EQ(0, file_write(ROOT "/load2", "SemVisitor SemOwner -"));
}

FIXTURE_TEARDOWN(smack)
{
}

/* What the visitor gets for a call. */
static int visit(int id, key_t key, int (*call)(const struct job *job))
{
	struct job job = {
		.call = call, .label = "SemVisitor", .id = id, .key = key,
	};

	return run_in_child(run_with_label, &job);
}

static int post(const struct job *job)
{
	return sem_op(job->id, 0, 1, 0);
}

static int wait_for_zero(const struct job *job)
{
	return sem_op(job->id, 1, 0, IPC_NOWAIT);
}

static int take(const struct job *job)
{
	return sem_op(job->id, 1, -1, 0);
}

static int post_too_far(const struct job *job)
{
	return sem_op(job->id, 2, 1, 0);
}

static int get_value(const struct job *job)
{
	return sem_val(job->id, 0);
}

static int get_value_too_far(const struct job *job)
{
	return sem_val(job->id, 2);
}

static int get_values(const struct job *job)
{
	unsigned short vals[2];

	return sem_getall(job->id, vals);
}

static int get_status(const struct job *job)
{
	struct semid_ds ds;

	return sem_stat(job->id, &ds);
}

static int set_value(const struct job *job)
{
	return sem_setval(job->id, 0, 3);
}

static int set_value_too_far(const struct job *job)
{
	return sem_setval(job->id, 2, 3);
}

static int set_value_too_large(const struct job *job)
{
	return sem_setval(job->id, 0, 32768);
}

static int set_values(const struct job *job)
{
	static const unsigned short vals[2] = { 3, 0 };

	return sem_setall(job->id, vals);
}

static int set_owner(const struct job *job)
{
	struct semid_ds ds = { .sem_perm = { .mode = 0600 } };
	union semun arg = { .buf = &ds };

	return semctl(job->id, 0, IPC_SET, arg) ? -errno : 0;
}

static int remove_set(const struct job *job)
{
	return sem_rm(job->id);
}

static int find(const struct job *job)
{
	int id = semget(job->key, 2, 0600);

	return id < 0 ? -errno : id - job->id;
}

static int find_too_large(const struct job *job)
{
	int id = semget(job->key, 3, 0600);

	return id < 0 ? -errno : id - job->id;
}

/* Rules 1, 2, 3: each call is refused with EACCES and changes nothing. */
TEST_F(smack, everything_refused)
{
	static int (*const calls[])(const struct job *job) = {
		post, wait_for_zero, take, get_value, get_values, get_status,
		set_value, set_values, set_owner, remove_set, find,
	};
	struct semid_ds ds;
	size_t i;

	for (i = 0; i < ARRAY_LEN(calls); i++)
		EXPECT_EQ(-EACCES, visit(self->id, self->key, calls[i]))
			TH_LOG("call %zu", i);
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_pid(self->id, 0));
	EXPECT_EQ(0, sem_ncnt(self->id, 1));
	ASSERT_EQ(0, sem_stat(self->id, &ds));
	EXPECT_EQ(0666, ds.sem_perm.mode);
	EXPECT_EQ(0, ds.sem_otime);
}

/* Rules 1, 2, 3: what is checked before the module is asked, and what after. */
TEST_F(smack, order_of_checks)
{
	EXPECT_EQ(-EFBIG, visit(self->id, self->key, post_too_far));
	EXPECT_EQ(-EINVAL, visit(self->id, self->key, set_value_too_far));
	EXPECT_EQ(-ERANGE, visit(self->id, self->key, set_value_too_large));
	EXPECT_EQ(-EACCES, visit(self->id, self->key, get_value_too_far));
	EXPECT_EQ(-EINVAL, visit(self->id, self->key, find_too_large));
}

/* Rule 3: a module's refusal is not stronger than its rules. */
TEST_F(smack, reading_allowed)
{
	ASSERT_EQ(0, file_write(ROOT "/load2", "SemVisitor SemOwner r"));
	EXPECT_EQ(0, visit(self->id, self->key, get_value));
	EXPECT_EQ(0, visit(self->id, self->key, get_values));
	EXPECT_EQ(0, visit(self->id, self->key, get_status));
	EXPECT_EQ(-EINVAL, visit(self->id, self->key, get_value_too_far));
	EXPECT_EQ(-EACCES, visit(self->id, self->key, post));
	EXPECT_EQ(-EACCES, visit(self->id, self->key, set_value));
	EXPECT_EQ(-EACCES, visit(self->id, self->key, set_values));
	EXPECT_EQ(-EACCES, visit(self->id, self->key, set_owner));
	EXPECT_EQ(-EACCES, visit(self->id, self->key, remove_set));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 3: with the rule to do all, all is done. */
TEST_F(smack, everything_allowed)
{
	ASSERT_EQ(0, file_write(ROOT "/load2", "SemVisitor SemOwner rw"));
	EXPECT_EQ(0, visit(self->id, self->key, find));
	EXPECT_EQ(0, visit(self->id, self->key, post));
	EXPECT_EQ(0, visit(self->id, self->key, wait_for_zero));
	EXPECT_EQ(0, visit(self->id, self->key, set_value));
	EXPECT_EQ(3, sem_val(self->id, 0));
	EXPECT_EQ(0, visit(self->id, self->key, set_values));
	EXPECT_EQ(3, visit(self->id, self->key, get_value));
	EXPECT_EQ(0, visit(self->id, self->key, set_owner));
	EXPECT_EQ(0, visit(self->id, self->key, remove_set));
	EXPECT_EQ(-EINVAL, sem_val(self->id, 0));
}

TEST_HARNESS_MAIN
