// SPDX-License-Identifier: GPL-2.0
/*
 * IPC namespaces, and what clone(), unshare() and setns() do with undo
 * adjustments (rules 4, 18, 25).
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define KEY	0x6e730001

FIXTURE(ns)
{
	int id;
	int fd;			/* this namespace */
};

FIXTURE_SETUP(ns)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->id = sem_new(2);
	ASSERT_EQ(0, sem_setval(self->id, 0, 10));
	self->fd = open("/proc/self/ns/ipc", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(ns)
{
	close(self->fd);
}

/* The calls straight, without what a library adds; -errno on failure. */
static long raw_clone(unsigned long flags, int *parent_tid)
{
	long pid = syscall(SYS_clone, flags, NULL, parent_tid, NULL, NULL);

	return pid < 0 ? -errno : pid;
}

static int exit_status(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, __WALL) != pid)
		sem_die("waitpid %d: %s", pid, strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In a child of its own a step is checked by its exit status. */
#define CHILD_CHECK(condition) do {				\
	if (!(condition))					\
		sem_die("line %d: %s does not hold", __LINE__,	\
			#condition);				\
} while (0)

/* Rule 25: every new namespace has the default limits. */
TEST_F(ns, new_one_has_the_defaults)
{
	struct sem_limits small = { 100, 1000, 20, 10 };
	struct sem_limits seen;

	ASSERT_EQ(0, sem_set_limits(&small));
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	sem_get_limits(&seen);
	EXPECT_EQ(32000, seen.msl);
	EXPECT_EQ(1024000000, seen.mns);
	EXPECT_EQ(500, seen.opm);
	EXPECT_EQ(32000, seen.mni);
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	sem_get_limits(&seen);
	EXPECT_EQ(100, seen.msl);
	EXPECT_EQ(10, seen.mni);
}

/* Rule 25: limits and usage of one namespace are no other's. */
TEST_F(ns, limits_are_separate)
{
	struct sem_limits full = { 5, 5, 1, 1 };

	ASSERT_EQ(0, sem_rm(self->id));
	ASSERT_EQ(0, sem_set_limits(&full));
	self->id = sem_new(5);
	EXPECT_EQ(-1, semget(IPC_PRIVATE, 1, 0600));
	EXPECT_EQ(ENOSPC, errno);
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	EXPECT_LE(0, sem_new(32000));
	EXPECT_LE(0, sem_new(6));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	EXPECT_EQ(-1, semget(IPC_PRIVATE, 1, 0600));
	EXPECT_EQ(ENOSPC, errno);
	ASSERT_EQ(0, sem_rm(self->id));
	EXPECT_LE(0, sem_new(5));
}

/* Rule 25: a lowered limit leaves the existing sets usable. */
TEST_F(ns, lowered_limits_leave_sets_usable)
{
	struct sem_limits high = { 1000, 10000, 100, 20 };
	struct sem_limits low = { 10, 100, 100, 1 };
	unsigned short vals[1000] = { };
	int id, other, i;

	ASSERT_EQ(0, sem_set_limits(&high));
	id = semget(KEY, 1000, 0600 | IPC_CREAT);
	ASSERT_LE(0, id);
	other = sem_new(1000);
	ASSERT_EQ(0, sem_set_limits(&low));

	for (i = 0; i < 1000; i++)
		vals[i] = i;
	EXPECT_EQ(0, sem_setall(id, vals));
	EXPECT_EQ(0, sem_op(id, 999, -999, SEM_UNDO));
	EXPECT_EQ(0, sem_val(id, 999));
	EXPECT_EQ(0, sem_setval(id, 500, 1));
	EXPECT_EQ(0, sem_getall(id, vals));
	EXPECT_EQ(998, vals[998]);
	EXPECT_EQ(id, semget(KEY, 0, 0600));
	EXPECT_EQ(id, semget(KEY, 10, 0600));
	/* Rule 2: the limit is the first thing that is looked at. */
	EXPECT_EQ(-1, semget(KEY, 11, 0600));
	EXPECT_EQ(EINVAL, errno);
	/* No new one until both quotas have room again. */
	EXPECT_EQ(-1, semget(IPC_PRIVATE, 1, 0600));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_EQ(0, sem_rm(other));
	EXPECT_EQ(0, sem_rm(id));
	EXPECT_EQ(-1, semget(IPC_PRIVATE, 1, 0600));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_EQ(0, sem_rm(self->id));
	EXPECT_LE(0, semget(IPC_PRIVATE, 1, 0600));
}

/* Rule 25: so does a lowered SEMOPM; longer calls are E2BIG from then on. */
TEST_F(ns, lowered_opm)
{
	struct sem_limits limits;
	struct sembuf ops[2] = { { 0, -1, 0 }, { 1, 1, 0 } };

	ASSERT_EQ(0, sem_ops(self->id, ops, 2));
	sem_get_limits(&limits);
	limits.opm = 1;
	ASSERT_EQ(0, sem_set_limits(&limits));
	EXPECT_EQ(-E2BIG, sem_ops(self->id, ops, 2));
	EXPECT_EQ(0, sem_ops(self->id, ops, 1));
	EXPECT_EQ(8, sem_val(self->id, 0));
}

/* Sets of one namespace are not to be seen in another, by id or key. */
TEST_F(ns, sets_are_separate)
{
	int here = semget(KEY, 3, 0600 | IPC_CREAT | IPC_EXCL);
	int there;

	ASSERT_LE(0, here);
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	EXPECT_EQ(-EINVAL, sem_val(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_op(here, 0, 1, 0));
	EXPECT_EQ(-EINVAL, sem_rm(here));
	EXPECT_EQ(-1, semget(KEY, 0, 0));
	EXPECT_EQ(ENOENT, errno);
	there = semget(KEY, 5, 0600 | IPC_CREAT | IPC_EXCL);
	ASSERT_LE(0, there);
	EXPECT_EQ(5, sem_nsems(there));
	EXPECT_EQ(0, sem_setval(there, 0, 77));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	EXPECT_EQ(here, semget(KEY, 0, 0));
	EXPECT_EQ(3, sem_nsems(here));
	EXPECT_EQ(0, sem_val(here, 0));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* Rule 18: unshare(CLONE_SYSVSEM) applies the adjustments at once. */
TEST_F(ns, unshare_sysvsem_applies)
{
	struct sembuf ops[] = { { 0, -3, SEM_UNDO }, { 1, 4, SEM_UNDO } };

	ASSERT_EQ(0, sem_ops(self->id, ops, 2));
	EXPECT_EQ(7, sem_val(self->id, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
	/* Once only, and later ones are new. */
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
	ASSERT_EQ(0, sem_op(self->id, 0, -1, SEM_UNDO));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* Rules 18, 19: and wakes whoever can go on. */
TEST_F(ns, unshare_sysvsem_wakes)
{
	struct sleeper *s;

	ASSERT_EQ(0, sem_op(self->id, 0, -10, SEM_UNDO));
	s = sleeper_asleep(self->id, 0, -4, 0);
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(0, sleeper_end(s));
	EXPECT_EQ(6, sem_val(self->id, 0));
}

static int do_undo(void *arg)
{
	int id = *(int *)arg;

	return sem_op(id, 0, -3, SEM_UNDO);
}

/* Does an operation with undo, then leaves the group. */
static int do_undo_and_unshare(void *arg)
{
	int err = do_undo(arg);

	return err ? err : unshare(CLONE_SYSVSEM) ? -errno : 0;
}

/* Rule 18: a thread that leaves the group leaves the adjustments there. */
TEST_F(ns, unshare_of_one_thread)
{
	struct sleeper *thread;

	ASSERT_EQ(0, sem_op(self->id, 1, 2, SEM_UNDO));
	thread = sleeper_thread(do_undo_and_unshare, &self->id);
	EXPECT_EQ(0, sleeper_result(thread));
	EXPECT_EQ(7, sem_val(self->id, 0));
	EXPECT_EQ(2, sem_val(self->id, 1));
	sleeper_end(thread);
	EXPECT_EQ(7, sem_val(self->id, 0));
	/* This is the last of the group. */
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* Rule 18: unshare(CLONE_NEWIPC) applies in the old namespace first. */
TEST_F(ns, unshare_newipc_applies_in_the_old)
{
	int there;

	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	/* Most likely the same id: it must not be the one that is adjusted. */
	there = sem_new(2);
	EXPECT_EQ(0, sem_val(there, 0));
	ASSERT_EQ(0, sem_op(there, 0, 5, SEM_UNDO));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	EXPECT_EQ(10, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* Rule 18: while they are applied, the old namespace's sleepers go on. */
TEST_F(ns, unshare_newipc_wakes_in_the_old)
{
	struct sleeper *s;

	ASSERT_EQ(0, sem_op(self->id, 0, -10, SEM_UNDO));
	s = sleeper_asleep(self->id, 0, -10, 0);
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	EXPECT_EQ(0, sleeper_end(s));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 18: setns() applies in the namespace that is left. */
TEST_F(ns, setns_applies_in_the_old)
{
	int there, fd;

	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	fd = open("/proc/self/ns/ipc", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	there = sem_new(2);
	ASSERT_EQ(0, sem_setval(there, 0, 20));
	ASSERT_EQ(0, sem_op(there, 0, -6, SEM_UNDO));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	EXPECT_EQ(10, sem_val(self->id, 0));
	ASSERT_EQ(0, sem_op(self->id, 0, -1, SEM_UNDO));
	ASSERT_EQ(0, setns(fd, CLONE_NEWIPC));
	EXPECT_EQ(20, sem_val(there, 0));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	EXPECT_EQ(10, sem_val(self->id, 0));
	close(fd);
}

/* Rule 18: a failed unshare() or setns() applies nothing. */
TEST_F(ns, failed_changes_apply_nothing)
{
	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	EXPECT_EQ(-1, setns(self->fd, CLONE_NEWUTS));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, setns(-1, CLONE_NEWIPC));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(-1, unshare(CLONE_NEWIPC | CLONE_PTRACE));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(7, sem_val(self->id, 0));
}

/* Rule 18: clone with both a new namespace and shared undo is EINVAL. */
TEST_F(ns, clone_newipc_with_sysvsem)
{
	long pid;

	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	pid = raw_clone(CLONE_NEWIPC | CLONE_SYSVSEM | SIGCHLD, NULL);
	if (!pid)
		_exit(0);
	EXPECT_EQ(-EINVAL, pid);
	/* The refusal has cost nothing. */
	EXPECT_EQ(7, sem_val(self->id, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* Rule 18: a child in a new namespace starts without adjustments. */
TEST_F(ns, clone_newipc_starts_with_none)
{
	long pid;

	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	pid = raw_clone(CLONE_NEWIPC | SIGCHLD, NULL);
	if (!pid) {
		int there = sem_new(2);

		CHILD_CHECK(sem_op(there, 0, 1, SEM_UNDO) == 0);
		_exit(0);
	}
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, exit_status(pid));
	EXPECT_EQ(7, sem_val(self->id, 0));
}

/* Rule 18: processes cloned with CLONE_SYSVSEM are one group. */
TEST_F(ns, processes_share_adjustments)
{
	long pid;

	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	pid = raw_clone(CLONE_SYSVSEM | SIGCHLD, NULL);
	if (!pid) {
		/* Takes back the parent's: the sum of adjustments is -2. */
		CHILD_CHECK(sem_op(self->id, 0, 5, SEM_UNDO) == 0);
		CHILD_CHECK(sem_op(self->id, 1, 1, SEM_UNDO) == 0);
		_exit(0);
	}
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, exit_status(pid));
	/* The group lives: the exit applied nothing. */
	EXPECT_EQ(12, sem_val(self->id, 0));
	EXPECT_EQ(1, sem_val(self->id, 1));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* Rule 18: sharing begins with the clone, also before the first undo. */
TEST_F(ns, processes_share_from_the_start)
{
	long pid = raw_clone(CLONE_SYSVSEM | SIGCHLD, NULL);

	if (!pid) {
		CHILD_CHECK(sem_op(self->id, 0, -3, SEM_UNDO) == 0);
		_exit(0);
	}
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, exit_status(pid));
	EXPECT_EQ(7, sem_val(self->id, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* Rule 18: the last of the group to exit applies, whoever it is. */
TEST_F(ns, last_of_the_group_applies)
{
	struct sleeper *s;
	pid_t leader = fork();

	ASSERT_LE(0, leader);
	if (!leader) {
		long pid;

		CHILD_CHECK(sem_op(self->id, 0, -3, SEM_UNDO) == 0);
		pid = raw_clone(CLONE_SYSVSEM | SIGCHLD, NULL);
		CHILD_CHECK(pid >= 0);
		/* The second stays until the test posts. */
		_exit(pid ? 0 : -sem_op(self->id, 1, -1, 0));
	}
	EXPECT_EQ(0, exit_status(leader));
	sem_wait_ncnt(self->id, 1, 1);
	EXPECT_EQ(7, sem_val(self->id, 0));
	/* The second is no child of the test: wait for what its exit does. */
	s = sleeper_asleep(self->id, 0, -10, 0);
	ASSERT_EQ(0, sem_op(self->id, 1, 1, 0));
	EXPECT_EQ(0, sleeper_end(s));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 18: fork() without the flag starts with none. */
TEST_F(ns, fork_starts_with_none)
{
	pid_t pid;

	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	pid = fork();
	if (!pid)
		_exit(0);
	EXPECT_EQ(0, exit_status(pid));
	EXPECT_EQ(7, sem_val(self->id, 0));
}

/*
 * Rule 18: a clone that fails late, after it has taken its reference, gives it
 * back: the next unshare() is still that of the last one.
 */
TEST_F(ns, failed_clone_gives_its_reference_back)
{
	int i;

	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	for (i = 0; i < 100; i++) {
		/* The pidfd cannot be stored. */
		long pid = raw_clone(CLONE_SYSVSEM | CLONE_PIDFD | SIGCHLD,
				     (int *)1);

		if (!pid)
			_exit(0);
		ASSERT_EQ(-EFAULT, pid);
	}
	EXPECT_EQ(7, sem_val(self->id, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* Rule 18: the same where the failed clone was the first to share. */
TEST_F(ns, failed_first_clone)
{
	long pid = raw_clone(CLONE_SYSVSEM | CLONE_PIDFD | SIGCHLD, (int *)1);

	if (!pid)
		_exit(0);
	ASSERT_EQ(-EFAULT, pid);
	ASSERT_EQ(0, sem_op(self->id, 0, -3, SEM_UNDO));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/*
 * Enters a new namespace and makes a set there. Where few are allowed, earlier
 * ones whose last processes are exiting just now are waited for.
 */
static int set_in_new_ns(void)
{
	time_t end = time(NULL) + SEM_DEADLINE_SECONDS;
	int id;

	while (unshare(CLONE_NEWIPC)) {
		if (errno != ENOSPC || time(NULL) > end)
			sem_die("unshare: %s", strerror(errno));
		sched_yield();
	}
	id = sem_new(2);
	if (sem_setval(id, 0, 10))
		sem_die("SETVAL: %s", strerror(errno));
	return id;
}

/* Rules 18, 24: all processes with undo are killed, then nothing is left. */
TEST_F(ns, undo_of_a_namespaces_last_processes)
{
	int i, id, fd;
	struct sleeper *holders[3];

	id = set_in_new_ns();
	fd = open("/proc/self/ns/ipc", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	for (i = 0; i < 3; i++) {
		holders[i] = sleeper_fork(do_undo, &id);
		ASSERT_EQ(0, sleeper_result(holders[i]));
	}
	EXPECT_EQ(1, sem_val(id, 0));
	ASSERT_EQ(0, setns(self->fd, CLONE_NEWIPC));
	/* The file alone holds it, beside the three. */
	for (i = 0; i < 3; i++)
		sleeper_kill(holders[i]);
	EXPECT_EQ(10, sem_val(self->id, 0));
	ASSERT_EQ(0, setns(fd, CLONE_NEWIPC));
	EXPECT_EQ(10, sem_val(id, 0));
	close(fd);
}

/* What one namespace of the next test lives through. */
static void live_and_die_in_new_ns(int old_id)
{
	struct sembuf undo[] = { { 0, -3, SEM_UNDO }, { 1, 1, SEM_UNDO } };
	struct sleeper *sleepers[2];
	int id;

	CHILD_CHECK(sem_op(old_id, 1, 1, SEM_UNDO) == 0);
	id = set_in_new_ns();
	sem_new(3000);
	CHILD_CHECK(semget(KEY, 1, 0600 | IPC_CREAT) >= 0);
	CHILD_CHECK(sem_ops(id, undo, 2) == 0);
	sleepers[0] = sleeper_asleep(id, 0, -100, SEM_UNDO);
	sleepers[1] = sleeper_fork(do_undo, &id);
	CHILD_CHECK(sleeper_result(sleepers[1]) == 0);
	/* Both die with this process, at any time while it exits. */
	CHILD_CHECK(kill(sleepers[0]->pid, SIGKILL) == 0);
	_exit(0);
}

/*
 * Rules 18, 24: namespaces end with sets, live undo and sleepers in them. A
 * user namespace that may hold few of them tells if they are not freed.
 */
TEST_F_TIMEOUT(ns, teardown_with_live_undo, 600)
{
	int round, err;

	if (geteuid() == 0) {
		/* A user namespace of the test's own, with its own limit. */
		ASSERT_EQ(0, unshare(CLONE_NEWUSER));
		ASSERT_EQ(0, file_write("/proc/self/uid_map", "0 0 1"));
		ASSERT_EQ(0, unshare(CLONE_NEWIPC));
		self->id = sem_new(2);
	}
	err = file_write("/proc/sys/user/max_ipc_namespaces", "8");
	if (err)
		SKIP(return, "cannot limit namespaces: %s", strerror(-err));
	for (round = 0; round < 150; round++) {
		pid_t pid = fork();

		if (!pid)
			live_and_die_in_new_ns(self->id);
		ASSERT_LT(0, pid);
		ASSERT_EQ(0, exit_status(pid));
		ASSERT_EQ(0, sem_val(self->id, 1));
	}
}

/* Tries to use root's rights over the set; in a user namespace of its own. */
static int act_as_root_of_inner_ns(void *arg)
{
	int id = *(int *)arg;
	struct semid_ds ds;
	union semun sem_arg = { .buf = &ds };
	int err;

	if (sem_stat(id, &ds))
		sem_die("IPC_STAT");
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		sem_die("cannot become nobody: %s", strerror(errno));
	/* The change of ids has taken the right to /proc/self away. */
	if (unshare(CLONE_NEWUSER) || prctl(PR_SET_DUMPABLE, 1))
		sem_die("unshare: %s", strerror(errno));
	err = file_write("/proc/self/uid_map", "0 65534 1");
	if (err)
		sem_die("uid_map: %s", strerror(-err));
	/* All capabilities, but not in the namespace that owns the set's. */
	if (sem_rm(id) != -EPERM || semctl(id, 0, IPC_SET, sem_arg) != -1 ||
	    errno != EPERM || sem_val(id, 0) != -EACCES ||
	    sem_op(id, 0, 1, 0) != -EACCES)
		return 1;
	/* In an IPC namespace of its own it may do all of it. */
	if (unshare(CLONE_NEWIPC))
		return 2;
	id = sem_new(1);
	return sem_rm(id) ? 3 : 0;
}

/* Rule 4: what counts is the user namespace of the set's namespace. */
TEST_F(ns, root_of_an_inner_user_namespace)
{
	if (!sem_real_root())
		SKIP(return, "needs root");
	EXPECT_EQ(0, run_in_child(act_as_root_of_inner_ns, &self->id));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* An outer root may act on the sets of an inner namespace. */
static int set_of_inner_ns(void *arg)
{
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		sem_die("cannot become nobody: %s", strerror(errno));
	if (unshare(CLONE_NEWUSER | CLONE_NEWIPC))
		sem_die("unshare: %s", strerror(errno));
	(void)arg;
	return sem_new(1);
}

TEST_F(ns, root_of_the_outer_user_namespace)
{
	struct sleeper *inner;
	char path[64];
	int fd, id;

	if (!sem_real_root())
		SKIP(return, "needs root");
	inner = sleeper_fork(set_of_inner_ns, NULL);
	id = sleeper_result(inner);
	snprintf(path, sizeof(path), "/proc/%d/ns/ipc", inner->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, setns(fd, CLONE_NEWIPC));
	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	EXPECT_EQ(0, sem_rm(id));
	close(fd);
	sleeper_end(inner);
}

TEST_HARNESS_MAIN
