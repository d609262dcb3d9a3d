// SPDX-License-Identifier: GPL-2.0
/* What is told about a set: pids, times, and no byte that is not meant. */
#include <sched.h>
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_raw.h"
#include "sem_test.h"

FIXTURE(attr) {
	int id;
};

FIXTURE_SETUP(attr)
{
	ENTER_NS_OR_SKIP();
	self->id = sem_new(3);
}

FIXTURE_TEARDOWN(attr)
{
}

/* A call that a child makes. */
struct job {
	int id;
	const struct sembuf *ops;
	int nops;
	unsigned short *vals;
};

static int job_ops(void *arg)
{
	const struct job *job = arg;

	return sem_ops(job->id, job->ops, job->nops);
}

/* Makes the operations as a child that stays; its result must be @want. */
static struct sleeper *child_ops(int id, const struct sembuf *ops, int nops,
				 int want)
{
	struct job job = { id, ops, nops };
	struct sleeper *child = sleeper_fork(job_ops, &job);
	int seen = sleeper_result(child);

	if (seen != want)
		sem_die("semop of a child returned %d, expected %d", seen, want);
	return child;
}

/* Rule 15: every successful operation sets the pid, and only its own's. */
TEST_F(attr, pid_of_operations)
{
	static const struct sembuf post[] = { { 0, 1, 0 } };
	static const struct sembuf take[] = { { 0, -1, 0 } };
	static const struct sembuf zero[] = { { 1, 0, 0 } };
	static const struct sembuf all[] = {
		{ 2, 1, 0 }, { 0, 0, 0 }, { 1, 1, 0 },
	};
	struct sleeper *children[4];

	children[0] = child_ops(self->id, post, 1, 0);
	EXPECT_EQ(children[0]->pid, sem_pid(self->id, 0));
	EXPECT_EQ(0, sem_pid(self->id, 1));
	children[1] = child_ops(self->id, take, 1, 0);
	EXPECT_EQ(children[1]->pid, sem_pid(self->id, 0));
	children[2] = child_ops(self->id, zero, 1, 0);
	EXPECT_EQ(children[2]->pid, sem_pid(self->id, 1));
	EXPECT_EQ(children[1]->pid, sem_pid(self->id, 0));
	EXPECT_EQ(0, sem_pid(self->id, 2));
	children[3] = child_ops(self->id, all, 3, 0);
	EXPECT_EQ(children[3]->pid, sem_pid(self->id, 0));
	EXPECT_EQ(children[3]->pid, sem_pid(self->id, 1));
	EXPECT_EQ(children[3]->pid, sem_pid(self->id, 2));
}

/* Rules 7, 15: a failed operation sets none. */
TEST_F(attr, pid_after_failure)
{
	static const struct sembuf post[] = { { 0, 1, 0 }, { 1, 1, 0 } };
	static const struct sembuf blocks[] = {
		{ 0, -1, 0 }, { 2, -1, IPC_NOWAIT },
	};
	static const struct sembuf exceeds[] = { { 0, 1, 0 }, { 1, 32767, 0 } };
	struct sleeper *first = child_ops(self->id, post, 2, 0);

	child_ops(self->id, blocks, 2, -EAGAIN);
	child_ops(self->id, exceeds, 2, -ERANGE);
	EXPECT_EQ(first->pid, sem_pid(self->id, 0));
	EXPECT_EQ(first->pid, sem_pid(self->id, 1));
	EXPECT_EQ(0, sem_pid(self->id, 2));
}

/* Rule 15: a sleeper's pid is its own, not that of whoever woke it. */
TEST_F(attr, pid_of_sleeper)
{
	static const struct sembuf both[] = { { 0, -1, 0 }, { 1, 1, 0 } };
	struct sleeper *sleeper, *zero;

	sleeper = sleeper_ops_asleep(self->id, both, 2);
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_result(sleeper));
	EXPECT_EQ(sleeper->pid, sem_pid(self->id, 0));
	EXPECT_EQ(sleeper->pid, sem_pid(self->id, 1));

	zero = sleeper_asleep(self->id, 1, 0, 0);
	EXPECT_EQ(0, sem_op(self->id, 1, -1, 0));
	EXPECT_EQ(0, sleeper_result(zero));
	EXPECT_EQ(zero->pid, sem_pid(self->id, 1));

	EXPECT_EQ(0, sem_setval(self->id, 1, 1));
	EXPECT_EQ(getpid(), sem_pid(self->id, 1));
	zero = sleeper_asleep(self->id, 1, 0, 0);
	EXPECT_EQ(0, sem_setval(self->id, 1, 0));
	EXPECT_EQ(zero->pid, sem_pid(self->id, 1));
}

static int setval_job(void *arg)
{
	const struct job *job = arg;

	return sem_setval(job->id, 1, 3);
}

static int setall_job(void *arg)
{
	const struct job *job = arg;

	return sem_setall(job->id, job->vals);
}

/* Rule 15: SETVAL sets its caller's on one semaphore, SETALL on all. */
TEST_F(attr, pid_of_setting)
{
	unsigned short vals[3] = { 1, 2, 3 };
	struct job job = { .id = self->id, .vals = vals };
	struct sleeper *setter = sleeper_fork(setval_job, &job);
	int num;

	EXPECT_EQ(0, sleeper_result(setter));
	EXPECT_EQ(0, sem_pid(self->id, 0));
	EXPECT_EQ(setter->pid, sem_pid(self->id, 1));
	EXPECT_EQ(0, sem_pid(self->id, 2));
	setter = sleeper_fork(setall_job, &job);
	EXPECT_EQ(0, sleeper_result(setter));
	for (num = 0; num < 3; num++)
		EXPECT_EQ(setter->pid, sem_pid(self->id, num));

	EXPECT_EQ(-ERANGE, sem_setval(self->id, 1, -1));
	vals[2] = 40000;
	EXPECT_EQ(-ERANGE, sem_setall(self->id, vals));
	for (num = 0; num < 3; num++)
		EXPECT_EQ(setter->pid, sem_pid(self->id, num));
}

/* Rule 15: what reads, or changes the owner, sets none. */
TEST_F(attr, pid_of_readers)
{
	static const struct sembuf post[] = { { 0, 1, 0 } };
	struct sleeper *child = child_ops(self->id, post, 1, 0);
	unsigned short vals[3];
	struct semid_ds ds;
	union semun arg = { .buf = &ds };

	EXPECT_EQ(1, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_getall(self->id, vals));
	EXPECT_EQ(0, sem_stat(self->id, &ds));
	EXPECT_EQ(0, semctl(self->id, 0, IPC_SET, arg));
	EXPECT_EQ(0, sem_ncnt(self->id, 0));
	EXPECT_EQ(child->pid, sem_pid(self->id, 0));
	EXPECT_EQ(0, sem_pid(self->id, 1));
}

/* Rule 15: the process', also when a thread made the call. */
TEST_F(attr, pid_of_thread)
{
	static const struct sembuf post = { 0, 1, 0 }, take = { 1, -1, 0 };
	struct sleeper *thread;

	thread = sleeper_thread_ops(self->id, &post, 1, NULL);
	EXPECT_EQ(0, sleeper_result(thread));
	EXPECT_NE(getpid(), thread->tid);
	EXPECT_EQ(getpid(), sem_pid(self->id, 0));
	sleeper_end(thread);

	thread = sleeper_thread_ops(self->id, &take, 1, NULL);
	sem_wait_ncnt(self->id, 1, 1);
	EXPECT_EQ(0, sem_op(self->id, 1, 1, 0));
	EXPECT_EQ(getpid(), sem_pid(self->id, 1));
	EXPECT_EQ(0, sleeper_end(thread));
}

/* Rule 15: it stays when the process has died. */
TEST_F(attr, pid_of_the_dead)
{
	static const struct sembuf post[] = { { 0, 1, 0 } };
	struct sleeper *child = child_ops(self->id, post, 1, 0);
	pid_t pid = child->pid;

	sleeper_end(child);
	EXPECT_EQ(pid, sem_pid(self->id, 0));
}

/* Rule 15: undo at exit sets it where there was an adjustment. */
TEST_F(attr, pid_of_undo)
{
	static const struct sembuf ops[] = {
		{ 0, 1, SEM_UNDO }, { 0, -1, SEM_UNDO }, { 1, 2, SEM_UNDO },
		{ 2, 2, 0 },
	};
	struct sleeper *child = child_ops(self->id, ops, 4, 0);
	pid_t pid = child->pid;
	int num;

	for (num = 0; num < 3; num++)
		EXPECT_EQ(0, sem_op(self->id, num, 1, 0));
	sleeper_end(child);
	EXPECT_EQ(1, sem_val(self->id, 0));
	EXPECT_EQ(1, sem_val(self->id, 1));
	EXPECT_EQ(3, sem_val(self->id, 2));
	EXPECT_EQ(getpid(), sem_pid(self->id, 0));
	EXPECT_EQ(pid, sem_pid(self->id, 1));
	EXPECT_EQ(getpid(), sem_pid(self->id, 2));
}

/* Rule 15: also where the adjustment was cut to nothing. */
TEST_F(attr, pid_of_clamped_undo)
{
	static const struct sembuf ops[] = { { 0, 1, SEM_UNDO } };
	struct sleeper *child = child_ops(self->id, ops, 1, 0);
	pid_t pid = child->pid;

	EXPECT_EQ(0, sem_op(self->id, 0, -1, 0));
	EXPECT_EQ(getpid(), sem_pid(self->id, 0));
	sleeper_end(child);
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(pid, sem_pid(self->id, 0));
}

/* In a new pid namespace: its first process cannot see the one outside. */
static int first_process(int id)
{
	if (sem_pid(id, 0) != 0)
		return 1;
	if (sem_op(id, 1, 1, 0) || sem_pid(id, 1) != getpid())
		return 2;
	return getpid() == 1 ? 0 : 3;
}

static int enter_pid_namespace(void *arg)
{
	const struct job *job = arg;
	int status;
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		return -errno;
	pid = fork();
	if (!pid)
		_exit(first_process(job->id));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return status ? -1000 - WEXITSTATUS(status) : pid;
}

/* Rule 15: read through the reader's pid namespace, 0 if not visible there. */
TEST_F(attr, pid_in_namespaces)
{
	struct job job = { .id = self->id };
	struct sleeper *middle;
	int pid;

	ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
	middle = sleeper_fork(enter_pid_namespace, &job);
	pid = sleeper_result(middle);
	if (pid == -EPERM)
		SKIP(return, "no pid namespace");
	ASSERT_LT(0, pid);
	EXPECT_EQ(pid, sem_pid(self->id, 1));
	EXPECT_EQ(getpid(), sem_pid(self->id, 0));
	sleeper_end(middle);
	EXPECT_EQ(pid, sem_pid(self->id, 1));
}

static struct semid_ds status_of(int id)
{
	struct semid_ds ds;
	int err = sem_stat(id, &ds);

	if (err)
		sem_die("IPC_STAT: %s", strerror(-err));
	return ds;
}

static time_t otime(int id)
{
	return status_of(id).sem_otime;
}

static time_t ctime_of(int id)
{
	return status_of(id).sem_ctime;
}

/*
 * Times have seconds only: a later change shows when the clock has gone on.
 * Nothing else is waited for.
 */
static time_t next_second(void)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	time_t start = time(NULL);

	while (time(NULL) == start)
		nanosleep(&pause, NULL);
	return time(NULL);
}

/* Rule 16: sem_otime is 0 until an operation succeeds. */
TEST_F(attr, otime_of_first_operation)
{
	time_t before = time(NULL);
	unsigned short vals[3] = { 1, 1, 0 };
	struct semid_ds ds;
	union semun arg = { .buf = &ds };

	EXPECT_EQ(0, sem_setval(self->id, 0, 1));
	EXPECT_EQ(0, sem_setall(self->id, vals));
	EXPECT_EQ(0, sem_getall(self->id, vals));
	EXPECT_EQ(0, sem_stat(self->id, &ds));
	EXPECT_EQ(0, semctl(self->id, 0, IPC_SET, arg));
	EXPECT_EQ(-EAGAIN, sem_op(self->id, 2, -1, IPC_NOWAIT));
	EXPECT_EQ(-EAGAIN, sem_op(self->id, 0, 0, IPC_NOWAIT | SEM_UNDO));
	EXPECT_EQ(-ERANGE, sem_op(self->id, 0, 32767, 0));
	EXPECT_EQ(-EFBIG, sem_op(self->id, 3, 1, 0));
	EXPECT_EQ(0, otime(self->id));
	EXPECT_EQ(0, sem_op(self->id, 2, 1, 0));
	EXPECT_LE(before, otime(self->id));
	EXPECT_GE(time(NULL), otime(self->id));
}

/* Rule 16: also wait-for-zero, and operations of several semaphores. */
TEST_F(attr, otime_of_each_kind)
{
	static const struct sembuf calls[][2] = {
		{ { 1, 0, 0 }, { 1, 0, 0 } },
		{ { 1, 1, SEM_UNDO }, { 2, 1, 0 } },
		{ { 0, 1, 0 }, { 0, -1, IPC_NOWAIT } },
		{ { 2, 0, IPC_NOWAIT }, { 0, 0, 0 } },
	};
	size_t i;
	int id, n;

	for (n = 1; n <= 2; n++) {
		for (i = 0; i < ARRAY_LEN(calls); i++) {
			id = sem_new(3);
			EXPECT_EQ(0, sem_ops(id, calls[i], n));
			EXPECT_NE(0, otime(id));
		}
	}
}

/* Rule 16: an operation that sleeps counts when it is completed. */
TEST_F(attr, otime_of_sleeper)
{
	struct sleeper *sleeper = sleeper_asleep(self->id, 0, -1, 0);

	EXPECT_EQ(0, otime(self->id));
	sleeper_kill(sleeper);
	EXPECT_EQ(0, otime(self->id));
	sleeper = sleeper_asleep(self->id, 0, -1, 0);
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	EXPECT_NE(0, otime(self->id));
	EXPECT_EQ(0, sleeper_end(sleeper));
}

/* Rule 16: SETVAL and SETALL count if they completed a sleeper. */
TEST_F(attr, otime_of_setting)
{
	unsigned short vals[3] = { 0, 2, 0 };
	struct sleeper *sleeper = sleeper_asleep(self->id, 0, -2, 0);
	int other = sem_new(3);

	EXPECT_EQ(0, sem_setval(self->id, 0, 1));
	EXPECT_EQ(0, sem_setall(self->id, vals));
	EXPECT_EQ(0, otime(self->id));
	EXPECT_EQ(0, sem_setval(self->id, 0, 2));
	EXPECT_NE(0, otime(self->id));
	EXPECT_EQ(0, sleeper_end(sleeper));

	sleeper = sleeper_asleep(other, 1, -2, 0);
	EXPECT_EQ(0, sem_setall(other, vals));
	EXPECT_NE(0, otime(other));
	EXPECT_EQ(0, sleeper_end(sleeper));

	other = sem_new(1);
	EXPECT_EQ(0, sem_setval(other, 0, 1));
	sleeper = sleeper_asleep(other, 0, 0, 0);
	EXPECT_EQ(0, sem_setval(other, 0, 0));
	EXPECT_NE(0, otime(other));
	EXPECT_EQ(0, sleeper_end(sleeper));
}

/* Rule 16: the latest operation on any semaphore. */
TEST_F(attr, otime_moves_on)
{
	static const int order[] = { 1, 0, 2, 1 };
	struct sembuf both[] = { { 0, 1, 0 }, { 2, 1, 0 } };
	time_t start;
	size_t i;

	for (i = 0; i < ARRAY_LEN(order); i++) {
		start = next_second();
		EXPECT_EQ(0, sem_op(self->id, order[i], 1, 0));
		EXPECT_LE(start, otime(self->id));
	}
	start = next_second();
	EXPECT_EQ(0, sem_ops(self->id, both, 2));
	EXPECT_LE(start, otime(self->id));
	start = otime(self->id);
	next_second();
	EXPECT_EQ(-EAGAIN, sem_op(self->id, 1, 0, IPC_NOWAIT));
	EXPECT_EQ(0, sem_setval(self->id, 1, 0));
	EXPECT_EQ(start, otime(self->id));
}

/* Rule 16: undo at exit counts, even when no adjustment is left. */
TEST_F(attr, otime_of_undo)
{
	static const struct sembuf one[] = { { 0, 1, SEM_UNDO } };
	static const struct sembuf none[] = {
		{ 0, 1, SEM_UNDO }, { 0, -1, SEM_UNDO },
	};
	struct sleeper *child;
	time_t start;

	child = child_ops(self->id, one, 1, 0);
	start = next_second();
	EXPECT_GT(start, otime(self->id));
	sleeper_end(child);
	EXPECT_LE(start, otime(self->id));

	child = child_ops(self->id, none, 2, 0);
	start = next_second();
	sleeper_end(child);
	EXPECT_LE(start, otime(self->id));
}

/* Rule 16: sem_ctime is of SETVAL, SETALL and IPC_SET. */
TEST_F(attr, ctime_of_changes)
{
	unsigned short vals[3] = { 0 };
	struct semid_ds ds = status_of(self->id);
	union semun arg = { .buf = &ds };
	time_t start;

	start = next_second();
	EXPECT_EQ(0, sem_setval(self->id, 0, 0));
	EXPECT_LE(start, ctime_of(self->id));
	start = next_second();
	EXPECT_EQ(0, sem_setall(self->id, vals));
	EXPECT_LE(start, ctime_of(self->id));
	start = next_second();
	EXPECT_EQ(0, semctl(self->id, 0, IPC_SET, arg));
	EXPECT_LE(start, ctime_of(self->id));
	EXPECT_GE(time(NULL), ctime_of(self->id));
	EXPECT_EQ(0, otime(self->id));
}

/* Rule 16: operations, undo, readers and refused changes leave it. */
TEST_F(attr, ctime_stays)
{
	static const struct sembuf post[] = { { 0, 1, SEM_UNDO } };
	unsigned short vals[3] = { 0, 0, 40000 };
	time_t created = ctime_of(self->id);

	next_second();
	sleeper_end(child_ops(self->id, post, 1, 0));
	EXPECT_EQ(0, sem_op(self->id, 1, 1, 0));
	EXPECT_EQ(-ERANGE, sem_setval(self->id, 0, 40000));
	EXPECT_EQ(-ERANGE, sem_setall(self->id, vals));
	EXPECT_EQ(0, sem_getall(self->id, vals));
	EXPECT_EQ(1, sem_val(self->id, 1));
	EXPECT_EQ(created, ctime_of(self->id));
}

/* What IPC_STAT must give: all bytes that are no field are zero. */
static void expected_status(struct semid_ds *want, const struct semid_ds *seen)
{
	memset(want, 0, sizeof(*want));
	want->sem_perm.__key = seen->sem_perm.__key;
	want->sem_perm.uid = geteuid();
	want->sem_perm.gid = getegid();
	want->sem_perm.cuid = geteuid();
	want->sem_perm.cgid = getegid();
	want->sem_perm.mode = 0600;
	want->sem_perm.__seq = seen->sem_perm.__seq;
	want->sem_otime = seen->sem_otime;
	want->sem_ctime = seen->sem_ctime;
	want->sem_nsems = 3;
}

/* The C library hides the kernel's structure on 32 bits: see sem_compat.c. */
#if defined(SYS_semctl) && __SIZEOF_LONG__ == 8
/* Rule 17: no byte of the status is left as it was, or from elsewhere. */
TEST_F(attr, status_has_no_foreign_bytes)
{
	static const int commands[] = { IPC_STAT, SEM_STAT, SEM_STAT_ANY };
	struct {
		struct semid_ds ds;
		unsigned char behind[64];
	} seen;
	struct semid_ds want;
	size_t i, j;
	int fill;

	ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
	for (fill = 0; fill < 256; fill += 85) {
		for (i = 0; i < ARRAY_LEN(commands); i++) {
			memset(&seen, fill, sizeof(seen));
			EXPECT_EQ(commands[i] == IPC_STAT ? 0 : self->id,
				  raw_semctl(self->id, 0, commands[i],
					     (long)&seen));
			expected_status(&want, &seen.ds);
			EXPECT_EQ(0, memcmp(&want, &seen.ds, sizeof(want)))
				TH_LOG("command %d", commands[i]);
			for (j = 0; j < sizeof(seen.behind); j++)
				EXPECT_EQ(fill, seen.behind[j]);
		}
	}
}
#else
/* Rule 17: the C library's structure holds what belongs there. */
TEST_F(attr, status_has_no_foreign_bytes)
{
	struct semid_ds seen, want;

	ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
	memset(&seen, 0, sizeof(seen));
	ASSERT_EQ(0, sem_stat(self->id, &seen));
	expected_status(&want, &seen);
	EXPECT_EQ(0, memcmp(&want, &seen, sizeof(want)));
}
#endif

TEST_HARNESS_MAIN
