// SPDX-License-Identifier: GPL-2.0
/*
 * SEM_UNDO: whose adjustments they are, when they are applied, what clears
 * them. What clone(), unshare(), exec and the like do with them.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_script.h"
#include "sem_test.h"

#define SEMVMX	32767

FIXTURE(undo_script) {
	int unused;
};

FIXTURE_VARIANT(undo_script) {
	int nsems;
	const char *script;
};

FIXTURE_SETUP(undo_script)
{
	ENTER_NS_OR_SKIP();
}

FIXTURE_TEARDOWN(undo_script)
{
}

TEST_F(undo_script, script)
{
	sem_script(variant->nsems, variant->script);
}

/* Rule 18: at exit the sum of what the process did is taken back. */
FIXTURE_VARIANT_ADD(undo_script, sum_of_operations) {
	.nsems = 3,
	.script = "setall 0 9 9; 1: -1@0 +4@0u -2@1u -3@2; do +1@0 wakes 1; val 4 7 6;"
		  "end 1; val 0 9 6;"
		  "2: -1@0 +5@0u -2@0u +1@1u -1@1u; do +1@0 wakes 2; val 3 9 6; end 2; val 0 9 6",
};

/* Rule 19: a result below 0 becomes 0. */
FIXTURE_VARIANT_ADD(undo_script, clamped_at_zero) {
	.nsems = 2,
	.script = "1: -1@0 +5@1u; do +1@0 wakes 1; val 0 5; do -3@1; val 0 2; end 1; val 0 0;"
		  "2: -1@0 +32767@1u; do +1@0 wakes 2; do -32767@1; end 2; val 0 0",
};

/* Rule 19: a result over SEMVMX becomes SEMVMX. */
FIXTURE_VARIANT_ADD(undo_script, clamped_at_maximum) {
	.nsems = 2,
	.script = "set 9@1; 1: -1@0 -9@1u; do +1@0 wakes 1; do +32760@1; end 1; val 0 32767;"
		  "2: -1@0 -32767@1u; do +1@0 wakes 2; do +32767@1; end 2; val 0 32767",
};

/* Rule 19: an adjustment may reach both ends of its range. */
FIXTURE_VARIANT_ADD(undo_script, whole_range) {
	.nsems = 2,
	.script = "1: -1@1 +32767@0u -32767@0 +1@0u; do +1@1 wakes 1; val 1 0;"
		  "do +32766@0; val 32767 0; end 1; val 0 0;"
		  "set 32767@0; 2: -1@1 -32767@0u; do +1@1 wakes 2; val 0 0; end 2; val 32767 0",
};

/* Rule 19: what exits does not wait, and wakes those who can go on. */
FIXTURE_VARIANT_ADD(undo_script, exit_wakes) {
	.nsems = 2,
	.script = "set 2@0; 1: -1@1 -2@0u; do +1@1 wakes 1; 2: -1@0; 3: -2@0; 4: -1@0;"
		  "end 1 wakes 2 4; val 0 0; ncnt 1 0; pid 4 1",
};

/* Rules 9, 19: adjustments at exit release zero waiters. */
FIXTURE_VARIANT_ADD(undo_script, exit_makes_zero) {
	.nsems = 2,
	.script = "1: -1@1 +3@0u; do +1@1 wakes 1; val 3 0; 2: 0@0; 3: 0@0 +1@1; do -1@0; val 2 0;"
		  "end 1 wakes 2 3; val 0 1",
};

/* Rules 11, 19: adjustments of several semaphores, then a chain. */
FIXTURE_VARIANT_ADD(undo_script, exit_starts_chain) {
	.nsems = 3,
	.script = "setall 1 1 0; 1: -1@2 -1@0u -1@1u; do +1@2 wakes 1; val 0 0 0;"
		  "2: -1@0 -1@1 +1@2; 3: -1@2; 4: -1@1; end 1 wakes 2 3; val 0 0 0; ncnt 0 1 0",
};

/* Rule 19: SETVAL clears the adjustments of its semaphore, in all processes. */
FIXTURE_VARIANT_ADD(undo_script, setval_clears) {
	.nsems = 3,
	.script = "1: -1@0 +5@1u +6@2u; 2: -1@0 +7@1u; do +2@0 wakes 1 2; val 0 12 6;"
		  "set 3@1; end 1; val 0 3 0; end 2; val 0 3 0",
};

/* Rule 19: SETVAL clears even if the value stays. */
FIXTURE_VARIANT_ADD(undo_script, setval_of_same_value_clears) {
	.nsems = 2,
	.script = "1: -1@0 +5@1u; do +1@0 wakes 1; set 5@1; end 1; val 0 5",
};

/* Rule 19: SETALL clears all adjustments of the set. */
FIXTURE_VARIANT_ADD(undo_script, setall_clears) {
	.nsems = 3,
	.script = "1: -1@0 +5@1u +6@2u; 2: -1@0 +7@1u +1@0u; do +2@0 wakes 1 2; setall 4 5 6;"
		  "end 1; val 4 5 6; end 2; val 4 5 6",
};

/* Rule 19: after clearing, adjustments count from nothing again. */
FIXTURE_VARIANT_ADD(undo_script, counts_anew_after_clearing) {
	.nsems = 2,
	.script = "do +32767@0u; do -32767@0; do +1@0u; do +1@0u fails ERANGE; set 1@0;"
		  "do +2@0u; val 3 0; do -3@0u; val 0 0",
};

/* Rule 19: a sleeper's grant after SETVAL leaves an adjustment. */
FIXTURE_VARIANT_ADD(undo_script, granted_by_setval) {
	.nsems = 1,
	.script = "1: -2@0u; set 5@0 wakes 1; val 3; end 1; val 5;"
		  "setall 0; 2: -2@0u; setall 6 wakes 2; val 4; end 2; val 6",
};

/* Rule 18: a sleeper that is killed has done nothing to be undone. */
FIXTURE_VARIANT_ADD(undo_script, killed_asleep) {
	.nsems = 2,
	.script = "set 5@1; 1: +3@1u -1@0u; val 0 5; kill 1; val 0 5; ncnt 0 0",
};

/* Rule 18: each process has its own. */
FIXTURE_VARIANT_ADD(undo_script, several_processes) {
	.nsems = 2,
	.script = "1: -1@0 +1@1u; 2: -1@0 +2@1u; 3: -1@0 +4@1u; do +3@0 wakes 1 2 3; val 0 7;"
		  "end 2; val 0 5; end 1; val 0 4; do -1@1; end 3; val 0 0",
};

FIXTURE(undo) {
	int id;
};

FIXTURE_SETUP(undo)
{
	ENTER_NS_OR_SKIP();
	self->id = sem_new(2);
}

FIXTURE_TEARDOWN(undo)
{
}

/* Shared by the pieces of a test; a pipe end of -1 is not used. */
struct job {
	int id;
	int id2;
	int (*body)(struct job *job);
	long flags;
	int gate;	/* read from it: end of file when its writers are gone */
	int gate_writer;
};

static int post_with_undo(void *arg)
{
	return sem_op(((struct job *)arg)->id, 0, 1, SEM_UNDO);
}

/* Rule 18: applied when the process has exited, not when it is reaped. */
TEST_F(undo, applied_before_reaping)
{
	siginfo_t info;
	pid_t pid = fork();

	if (!pid)
		_exit(sem_op(self->id, 0, 5, SEM_UNDO) ? 1 : 0);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(0, info.si_status);
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
}

/* Rule 18: applied to a process that is killed. */
TEST_F(undo, applied_when_killed)
{
	struct job job = { self->id };
	struct sleeper *holder = sleeper_fork(post_with_undo, &job);

	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(1, sem_val(self->id, 0));
	sleeper_kill(holder);
	EXPECT_EQ(0, sem_val(self->id, 0));
}

static int use_many_sets(void *arg)
{
	const int *ids = arg;
	int i;

	for (i = 0; i < 20; i++)
		if (sem_op(ids[i], i % 3, i + 1, SEM_UNDO))
			return -errno;
	return 0;
}

/* Rule 18: adjustments on many sets, some of which are gone at exit. */
TEST_F(undo, many_sets)
{
	struct sleeper *holder;
	int ids[20], i;

	for (i = 0; i < 20; i++)
		ids[i] = sem_new(3);
	holder = sleeper_fork(use_many_sets, ids);
	ASSERT_EQ(0, sleeper_result(holder));
	for (i = 0; i < 20; i++) {
		EXPECT_EQ(i + 1, sem_val(ids[i], i % 3));
		EXPECT_EQ(0, i % 4 == 1 ? sem_rm(ids[i]) :
					  sem_op(ids[i], i % 3, 1, 0));
	}
	sleeper_end(holder);
	for (i = 0; i < 20; i++)
		EXPECT_EQ(i % 4 == 1 ? -EINVAL : 1, sem_val(ids[i], i % 3));
}

static int post_in_a_thread(struct job *job)
{
	struct sleeper *thread = sleeper_thread(post_with_undo, job);
	int err = sleeper_end(thread);

	return err ? err : sem_val(job->id, 0);
}

static int run_body(void *arg)
{
	struct job *job = arg;

	return job->body(job);
}

/* Rule 18: a thread's exit leaves its adjustments to the process. */
TEST_F(undo, thread_exit)
{
	struct job job = { self->id, .body = post_in_a_thread };
	struct sleeper *holder = sleeper_fork(run_body, &job);

	EXPECT_EQ(1, sleeper_result(holder));
	EXPECT_EQ(1, sem_val(self->id, 0));
	sleeper_end(holder);
	EXPECT_EQ(0, sem_val(self->id, 0));
}

static int post_and_take_in_threads(struct job *job)
{
	struct sembuf take = { 0, -1, SEM_UNDO };
	int err = post_in_a_thread(job);

	if (err != 1)
		return err;
	return sleeper_end(sleeper_thread_ops(job->id, &take, 1, NULL));
}

/* Rule 18: one thread's adjustments are balanced by another's. */
TEST_F(undo, threads_share)
{
	struct job job = { self->id, .body = post_and_take_in_threads };
	struct sleeper *holder = sleeper_fork(run_body, &job);

	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	sleeper_end(holder);
	EXPECT_EQ(1, sem_val(self->id, 0));
}

static int wait_at_gate(void *arg)
{
	struct job *job = arg;
	char byte;

	while (read(job->gate, &byte, 1) < 0 && errno == EINTR)
		;
	return 0;
}

/* The process' first thread posts and exits, another one stays at the gate. */
static void leave_a_thread(struct job *job)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(job->gate_writer);
	sleeper_thread(wait_at_gate, job);
	if (sem_op(job->id, 0, 1, SEM_UNDO))
		_exit(1);
	syscall(SYS_exit, 0);
}

/* Polls until the process' first thread has exited, the others have not. */
static void wait_for_dead_leader(pid_t pid)
{
	time_t end = time(NULL) + sem_deadline();
	char path[64], stat[512];
	const char *state;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	do {
		if (time(NULL) > end || file_read(path, stat, sizeof(stat)))
			sem_die("thread %d does not exit", pid);
		state = strrchr(stat, ')');
		sched_yield();
	} while (!state || state[2] != 'Z');
}

/* Rule 18: the last thread counts, not the first. */
TEST_F(undo, leader_exits_first)
{
	int gate[2];
	struct job job = { self->id };
	pid_t pid;

	ASSERT_EQ(0, pipe(gate));
	job.gate = gate[0];
	job.gate_writer = gate[1];
	pid = fork();
	if (!pid)
		leave_a_thread(&job);
	ASSERT_LT(0, pid);
	wait_for_dead_leader(pid);
	EXPECT_EQ(1, sem_val(self->id, 0));
	kill(pid, SIGKILL);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* A fork with clone flags. */
static pid_t clone_process(long flags)
{
	return syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
}

/* Returns what value a child's exit has left. */
static int fork_and_post(struct job *job)
{
	pid_t pid;

	if (sem_op(job->id, 0, 10, SEM_UNDO))
		return -errno;
	pid = clone_process(job->flags);
	if (!pid)
		_exit(sem_op(job->id, 0, 5, SEM_UNDO) ? 1 : 0);
	if (pid < 0)
		return -errno;
	waitpid(pid, NULL, 0);
	return sem_val(job->id, 0);
}

/* Rule 18: a forked child starts with none and applies its own. */
TEST_F(undo, fork_starts_with_none)
{
	struct job job = { self->id, .body = fork_and_post };
	struct sleeper *holder = sleeper_fork(run_body, &job);

	EXPECT_EQ(10, sleeper_result(holder));
	sleeper_end(holder);
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 18: with CLONE_SYSVSEM it shares its parent's. */
TEST_F(undo, clone_shares)
{
	struct job job = {
		self->id, .body = fork_and_post, .flags = CLONE_SYSVSEM,
	};
	struct sleeper *holder = sleeper_fork(run_body, &job);

	EXPECT_EQ(15, sleeper_result(holder));
	sleeper_end(holder);
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* The child stays at the gate when its parent has exited. */
static int clone_and_leave(struct job *job)
{
	pid_t pid = clone_process(CLONE_SYSVSEM);

	if (!pid) {
		sem_op(job->id, 1, 1, SEM_UNDO);
		wait_at_gate(job);
		_exit(0);
	}
	if (pid < 0)
		return -errno;
	return sem_op(job->id, 0, 1, SEM_UNDO);
}

/* Rule 18: the group's last process counts, whoever made it. */
TEST_F(undo, last_of_the_group)
{
	struct job job = { self->id, .body = clone_and_leave };
	struct sleeper *parent;
	siginfo_t info;
	int gate[2];

	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	ASSERT_EQ(0, pipe2(gate, O_CLOEXEC));
	job.gate = gate[0];
	parent = sleeper_fork_keeping(run_body, &job, gate[0]);
	close(gate[0]);
	ASSERT_EQ(0, sleeper_end(parent));
	while (sem_val(self->id, 1) == 0)
		sched_yield();
	EXPECT_EQ(1, sem_val(self->id, 0));
	close(gate[1]);
	ASSERT_EQ(0, waitid(P_ALL, 0, &info, WEXITED));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* In the child: exec keeps the gate as its standard input. */
static void post_and_exec(struct job *job)
{
	if (sem_op(job->id, 0, 1, SEM_UNDO))
		_exit(1);
	close(job->gate_writer);
	dup2(job->gate, 0);
	execlp("cat", "cat", NULL);
	_exit(1);
}

/* Rule 18: exec keeps them, the exit of the new program applies them. */
TEST_F(undo, exec_keeps)
{
	int gate[2], closed_by_exec[2];
	struct job job = { self->id };
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe2(gate, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(closed_by_exec, O_CLOEXEC));
	job.gate = gate[0];
	job.gate_writer = gate[1];
	pid = fork();
	if (!pid)
		post_and_exec(&job);
	ASSERT_LT(0, pid);
	close(closed_by_exec[1]);
	EXPECT_EQ(0, read(closed_by_exec[0], &byte, 1));
	EXPECT_EQ(1, sem_val(self->id, 0));
	close(gate[0]);
	close(gate[1]);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

static int unshare_after_post(void *arg)
{
	struct job *job = arg;

	if (sem_op(job->id, 0, 3, SEM_UNDO) || unshare(job->flags))
		return -errno;
	if (job->flags != CLONE_SYSVSEM)
		return 0;
	if (sem_val(job->id, 0) != 0)
		return 1;
	return sem_op(job->id, 1, 2, SEM_UNDO);
}

/* Rule 18: unshare(CLONE_SYSVSEM) applies them at once, then counts anew. */
TEST_F(undo, unshare_applies)
{
	struct job job = { self->id, .flags = CLONE_SYSVSEM };
	struct sleeper *holder = sleeper_fork(unshare_after_post, &job);

	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(2, sem_val(self->id, 1));
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	sleeper_end(holder);
	EXPECT_EQ(1, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* Rules 18, 19: what unshare() applies wakes sleepers. */
TEST_F(undo, unshare_wakes)
{
	struct sleeper *zero, *taker;

	ASSERT_EQ(0, sem_setval(self->id, 1, 1));
	ASSERT_EQ(0, sem_op(self->id, 0, 3, SEM_UNDO));
	ASSERT_EQ(0, sem_op(self->id, 1, -1, SEM_UNDO));
	zero = sleeper_asleep(self->id, 0, 0, 0);
	taker = sleeper_asleep(self->id, 1, -1, 0);
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(0, sem_sleepers(self->id));
	EXPECT_EQ(0, sleeper_end(zero));
	EXPECT_EQ(0, sleeper_end(taker));
}

/* Rule 18: unshare(CLONE_NEWIPC) applies them in the old namespace. */
TEST_F(undo, new_namespace_applies)
{
	struct job job = { self->id, .flags = CLONE_NEWIPC };
	struct sleeper *holder = sleeper_fork(unshare_after_post, &job);

	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	sleeper_end(holder);
	EXPECT_EQ(1, sem_val(self->id, 0));
}

static int join_after_post(void *arg)
{
	struct job *job = arg;
	int new_id;

	if (sem_op(job->id, 0, 3, SEM_UNDO))
		return -errno;
	if (setns(job->gate, CLONE_NEWIPC))
		return -errno;
	new_id = sem_new(1);
	return sem_op(new_id, 0, 1, SEM_UNDO);
}

static int nothing_in_new_namespace(void *arg)
{
	(void)arg;
	if (unshare(CLONE_NEWIPC))
		return -errno;
	/* Ids of the same value would be hit by adjustments gone astray. */
	return sem_setval(sem_new(2), 0, 7);
}

/* Rule 18: setns() applies them in the old namespace. */
TEST_F(undo, setns_applies)
{
	struct sleeper *other, *holder;
	struct job job = { self->id };
	char path[64];

	other = sleeper_fork(nothing_in_new_namespace, NULL);
	ASSERT_EQ(0, sleeper_result(other));
	snprintf(path, sizeof(path), "/proc/%d/ns/ipc", other->pid);
	job.gate = open(path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, job.gate);
	holder = sleeper_fork_keeping(join_after_post, &job, job.gate);
	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	sleeper_end(holder);
	EXPECT_EQ(1, sem_val(self->id, 0));
	sleeper_end(other);
}

static int thread_leaves_group(struct job *job)
{
	struct sleeper *thread;
	int result;

	if (sem_op(job->id, 0, 1, SEM_UNDO))
		return -errno;
	thread = sleeper_thread(unshare_after_post, job);
	result = sleeper_result(thread);
	/* The group lives, so that its 1 and 3 stay. */
	if (result == 1 && sem_val(job->id, 0) == 4)
		result = 0;
	sleeper_end(thread);
	return result;
}

/* Rule 18: a thread that leaves does not apply what the others still hold. */
TEST_F(undo, thread_unshares)
{
	struct job job = {
		self->id, .body = thread_leaves_group, .flags = CLONE_SYSVSEM,
	};
	struct sleeper *holder = sleeper_fork(run_body, &job);

	EXPECT_EQ(0, sleeper_result(holder));
	EXPECT_EQ(4, sem_val(self->id, 0));
	sleeper_end(holder);
	EXPECT_EQ(0, sem_val(self->id, 0));
}

static int own_undo_of_thread(void *arg)
{
	struct job *job = arg;

	if (unshare(CLONE_SYSVSEM))
		return -errno;
	return sem_op(job->id, 1, 2, SEM_UNDO);
}

static int thread_with_own_undo(struct job *job)
{
	struct sleeper *thread = sleeper_thread(own_undo_of_thread, job);

	if (sleeper_result(thread) || sem_val(job->id, 1) != 2)
		return 1;
	if (sem_op(job->id, 0, 1, SEM_UNDO))
		return -errno;
	sleeper_end(thread);
	return sem_val(job->id, 0) == 1 ? 0 : 2;
}

/* Rule 18: its own are applied at its exit. */
TEST_F(undo, thread_that_left_exits)
{
	struct job job = { self->id, .body = thread_with_own_undo };
	struct sleeper *holder = sleeper_fork(run_body, &job);
	time_t end = time(NULL) + sem_deadline();

	EXPECT_EQ(0, sleeper_result(holder));
	/* Joined threads may still be on their way out. */
	while (sem_val(self->id, 1) && time(NULL) < end)
		sched_yield();
	EXPECT_EQ(0, sem_val(self->id, 1));
	EXPECT_EQ(1, sem_val(self->id, 0));
	sleeper_end(holder);
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 18: a new namespace together with shared adjustments is refused. */
TEST_F(undo, clone_contradiction)
{
	pid_t pid = clone_process(CLONE_NEWIPC | CLONE_SYSVSEM);

	if (!pid)
		_exit(0);
	EXPECT_EQ(-1, pid);
	EXPECT_EQ(EINVAL, errno);
}

static int fail_to_fork(struct job *job)
{
	int i;

	if (job->flags && sem_op(job->id, 0, 1, SEM_UNDO))
		return -errno;
	for (i = 0; i < 10; i++) {
		/* The pidfd cannot be stored, late in the making of a task. */
		long pid = syscall(SYS_clone,
				   CLONE_PIDFD | CLONE_SYSVSEM | SIGCHLD, 0,
				   16, 0, 0);

		if (!pid)
			_exit(0);
		if (pid > 0 || errno != EFAULT)
			return 1;
	}
	return job->flags ? 0 : sem_op(job->id, 0, 1, SEM_UNDO);
}

/* Rule 18: a failed fork does not keep the group alive. */
TEST_F(undo, failed_fork)
{
	struct job job = { self->id, .body = fail_to_fork };

	for (job.flags = 0; job.flags < 2; job.flags++) {
		struct sleeper *holder = sleeper_fork(run_body, &job);

		EXPECT_EQ(0, sleeper_result(holder));
		EXPECT_EQ(1, sem_val(self->id, 0));
		sleeper_end(holder);
		EXPECT_EQ(0, sem_val(self->id, 0));
	}
}

/* Rule 19: SETVAL by the process itself clears its own. */
TEST_F(undo, setval_clears_own)
{
	EXPECT_EQ(0, sem_op(self->id, 0, 4, SEM_UNDO));
	EXPECT_EQ(0, sem_op(self->id, 1, 4, SEM_UNDO));
	EXPECT_EQ(0, sem_setval(self->id, 0, 9));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(9, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* Rule 19: a SETVAL that is refused clears nothing. */
TEST_F(undo, refused_setval_keeps)
{
	EXPECT_EQ(0, sem_op(self->id, 0, 4, SEM_UNDO));
	EXPECT_EQ(-ERANGE, sem_setval(self->id, 0, 32768));
	EXPECT_EQ(-EINVAL, sem_setval(self->id, 2, 1));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 7: an operation that fails does not count for the adjustments. */
TEST_F(undo, failed_operations_do_not_count)
{
	static const struct sembuf ops[] = {
		{ 0, 4, SEM_UNDO }, { 1, -1, SEM_UNDO | IPC_NOWAIT },
	};

	EXPECT_EQ(0, sem_op(self->id, 0, 2, SEM_UNDO));
	EXPECT_EQ(-EAGAIN, sem_ops(self->id, ops, 2));
	EXPECT_EQ(0, sem_op(self->id, 0, 5, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(5, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_val(self->id, 1));
}

/* Makes the next new set get this id; false where that is not allowed. */
static bool force_next_id(int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", id);
	return !file_write("/proc/sys/kernel/sem_next_id", text);
}

/* Rules 20, 23: adjustments do not reach a new set with the same id. */
TEST_F(undo, recreated_set)
{
	struct job job = { self->id };
	struct sleeper *holder = sleeper_fork(post_with_undo, &job);

	ASSERT_EQ(0, sleeper_result(holder));
	ASSERT_EQ(0, sem_rm(self->id));
	if (!force_next_id(self->id))
		SKIP(return, "ids cannot be chosen");
	ASSERT_EQ(self->id, sem_new(2));
	ASSERT_EQ(0, sem_op(self->id, 0, 7, 0));
	sleeper_end(holder);
	EXPECT_EQ(7, sem_val(self->id, 0));
	EXPECT_EQ(getpid(), sem_pid(self->id, 0));
}

/* Rule 20: nor when the new set is smaller than the old one. */
TEST_F(undo, recreated_smaller_set)
{
	int id = sem_new(100);

	ASSERT_EQ(0, sem_op(id, 99, 1, SEM_UNDO));
	ASSERT_EQ(0, sem_op(id, 0, 1, SEM_UNDO));
	ASSERT_EQ(0, sem_rm(id));
	if (!force_next_id(id))
		SKIP(return, "ids cannot be chosen");
	ASSERT_EQ(id, sem_new(1));
	ASSERT_EQ(0, sem_op(id, 0, 5, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(5, sem_val(id, 0));
}

/* Rule 20: the process itself gets EIDRM or starts with none on the new set. */
TEST_F(undo, recreated_set_is_used)
{
	int id = sem_new(1), err, expected;

	ASSERT_EQ(0, sem_op(id, 0, 3, SEM_UNDO));
	ASSERT_EQ(0, sem_rm(id));
	if (!force_next_id(id))
		SKIP(return, "ids cannot be chosen");
	ASSERT_EQ(id, sem_new(1));
	ASSERT_EQ(0, sem_op(id, 0, 10, 0));
	err = sem_op(id, 0, 2, SEM_UNDO);
	EXPECT_TRUE(err == 0 || err == -EIDRM);
	expected = err ? 10 : 12;
	EXPECT_EQ(expected, sem_val(id, 0));
	EXPECT_EQ(0, sem_op(id, 0, 1, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(11, sem_val(id, 0));
}

/* Rule 20: SETVAL on the new set does not meet the old adjustments. */
TEST_F(undo, recreated_set_is_set)
{
	struct job job = { self->id };
	struct sleeper *holder = sleeper_fork(post_with_undo, &job);
	unsigned short vals[2] = { 5, 6 };

	ASSERT_EQ(0, sleeper_result(holder));
	ASSERT_EQ(0, sem_rm(self->id));
	if (!force_next_id(self->id))
		SKIP(return, "ids cannot be chosen");
	ASSERT_EQ(self->id, sem_new(2));
	EXPECT_EQ(0, sem_setval(self->id, 0, 3));
	EXPECT_EQ(0, sem_setall(self->id, vals));
	sleeper_end(holder);
	EXPECT_EQ(5, sem_val(self->id, 0));
}

/* Rules 20, 24: removed sets' structures do not pile up or come back. */
TEST_F(undo, many_removed_sets)
{
	int i, id;

	for (i = 0; i < 300; i++) {
		id = sem_new(50);
		ASSERT_EQ(0, sem_op(id, i % 50, 1, SEM_UNDO));
		ASSERT_EQ(0, sem_rm(id));
	}
	ASSERT_EQ(0, sem_op(self->id, 0, 1, SEM_UNDO));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(0, sem_val(self->id, 0));
}

/* Rule 21: SEM_UNDO that never counted leaves nothing to be applied. */
TEST_F(undo, without_effect)
{
	ASSERT_EQ(0, sem_op(self->id, 0, 0, SEM_UNDO));
	ASSERT_EQ(-EAGAIN, sem_op(self->id, 0, -1, SEM_UNDO | IPC_NOWAIT));
	ASSERT_EQ(0, sem_op(self->id, 0, 5, 0));
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(5, sem_val(self->id, 0));
}

struct quiet_call {
	int id;
	struct sembuf op;
	int want;
};

static int make_quiet_call(void *arg)
{
	const struct quiet_call *call = arg;

	return sem_ops(call->id, &call->op, 1) == call->want ? 0 : -1;
}

/*
 * That there is a structure shows at exit, which then counts as an operation.
 */
/* Rules 16, 21: any operation with SEM_UNDO allocates, whatever comes of it. */
TEST_F(undo, allocated_for_any_operation)
{
	static const struct quiet_call calls[] = {
		{ .op = { 0, 0, SEM_UNDO }, .want = 0 },
		{ .op = { 0, -1, SEM_UNDO | IPC_NOWAIT }, .want = -EAGAIN },
		{ .op = { 0, 0, IPC_NOWAIT | SEM_UNDO }, .want = 0 },
		{ .op = { 0, -1, IPC_NOWAIT }, .want = -EAGAIN },
	};
	struct quiet_call call;
	struct semid_ds before, after;
	struct sleeper *child;
	size_t i;

	for (i = 0; i < ARRAY_LEN(calls); i++) {
		bool undo = calls[i].op.sem_flg & SEM_UNDO;

		call = calls[i];
		call.id = sem_new(1);
		child = sleeper_fork(make_quiet_call, &call);
		ASSERT_EQ(0, sleeper_result(child));
		ASSERT_EQ(0, sem_stat(call.id, &before));
		/* A successful call has set the time, so let the clock go on. */
		while (before.sem_otime && time(NULL) <= before.sem_otime)
			usleep(10000);
		sleeper_end(child);
		ASSERT_EQ(0, sem_stat(call.id, &after));
		EXPECT_EQ(undo, after.sem_otime > before.sem_otime)
			TH_LOG("call %zu", i);
		EXPECT_EQ(0, sem_val(call.id, 0));
	}
}

#define HOLDERS	6
#define SETS	12

struct race {
	int ids[SETS];
	int gate;
};

/* Takes adjustments on all sets, then exits when the gate is closed. */
static void race_holder(struct race *race, int ready)
{
	char byte = 0;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < SETS; i++)
		if (sem_op(race->ids[i], i % 4, 1, SEM_UNDO))
			_exit(1);
	if (write(ready, &byte, 1) != 1)
		_exit(1);
	while (read(race->gate, &byte, 1) < 0)
		;
	_exit(0);
}

static pid_t start_race_holder(struct race *race, int gate_writer, int ready)
{
	pid_t pid = fork();

	if (!pid) {
		close(gate_writer);
		race_holder(race, ready);
	}
	if (pid < 0)
		sem_die("fork: %s", strerror(errno));
	return pid;
}

/* Rules 20, 24: exits and removals of the same sets at one time. */
TEST_F(undo, exits_against_removal)
{
	int gate[2], ready[2], round, i, status;
	struct race race;
	pid_t pids[HOLDERS];
	char byte;

	ASSERT_EQ(0, pipe(ready));
	for (round = 0; round < 30; round++) {
		ASSERT_EQ(0, pipe(gate));
		race.gate = gate[0];
		for (i = 0; i < SETS; i++)
			race.ids[i] = sem_new(4);
		for (i = 0; i < HOLDERS; i++)
			pids[i] = start_race_holder(&race, gate[1], ready[1]);
		for (i = 0; i < HOLDERS; i++)
			ASSERT_EQ(1, read(ready[0], &byte, 1));
		close(gate[1]);
		for (i = 0; i < SETS; i += 2)
			ASSERT_EQ(0, sem_rm(race.ids[i]));
		for (i = 0; i < HOLDERS; i++) {
			ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
			ASSERT_EQ(0, status);
		}
		for (i = 1; i < SETS; i += 2) {
			ASSERT_EQ(0, sem_val(race.ids[i], i % 4));
			ASSERT_EQ(0, sem_rm(race.ids[i]));
		}
		close(gate[0]);
	}
}

TEST_HARNESS_MAIN
