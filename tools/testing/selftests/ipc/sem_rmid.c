// SPDX-License-Identifier: GPL-2.0
/*
 * Removal and identity: IPC_RMID against sleepers, calls, quotas and undo, and
 * which ids are valid when (rules 20, 22, 23, 24).
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define NEXT_ID	"/proc/sys/kernel/sem_next_id"

FIXTURE(rmid)
{
	int id;
};

FIXTURE_SETUP(rmid)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->id = sem_new(4);
	ASSERT_EQ(0, sem_setval(self->id, 3, 1));
}

FIXTURE_TEARDOWN(rmid)
{
}

static struct seminfo usage(void)
{
	struct seminfo info = { };
	union semun arg = { .__buf = &info };

	if (semctl(0, 0, SEM_INFO, arg) < 0)
		sem_die("SEM_INFO: %s", strerror(errno));
	return info;
}

/* The next set gets this id. Returns 0 or -errno. */
static int force_next_id(int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", id);
	return file_write(NEXT_ID, text);
}

/* Every kind of sleeper on a set whose last semaphore is 1, the others 0. */
static const struct {
	int nops;
	struct sembuf ops[3];
} kinds[] = {
	{ 1, { { 0, -1, 0 } } },
	{ 1, { { 1, -1, SEM_UNDO } } },
	{ 1, { { 3, 0, 0 } } },
	{ 2, { { 3, -1, 0 }, { 2, -1, 0 } } },
	{ 2, { { 0, 1, SEM_UNDO }, { 2, -5, SEM_UNDO } } },
	{ 2, { { 0, 0, 0 }, { 3, 0, 0 } } },
	{ 3, { { 3, -1, IPC_NOWAIT }, { 2, 0, 0 }, { 1, -1, 0 } } },
	{ 3, { { 3, 0, 0 }, { 3, 1, 0 }, { 0, 1, 0 } } },
};

static const struct timespec ten_minutes = { .tv_sec = 600 };

/* Rule 22: removal wakes all sleepers, of every kind, with EIDRM. */
TEST_F(rmid, wakes_every_kind_of_sleeper)
{
	struct sleeper *s[2 * ARRAY_LEN(kinds)];
	size_t i;

	for (i = 0; i < ARRAY_LEN(s); i++) {
		size_t kind = i / 2;

		s[i] = sleeper_ops(self->id, kinds[kind].ops, kinds[kind].nops,
				   i & 1 ? &ten_minutes : NULL);
		sem_wait_sleepers(self->id, i + 1);
	}
	ASSERT_EQ(0, sem_rm(self->id));
	for (i = 0; i < ARRAY_LEN(s); i++)
		EXPECT_EQ(-EIDRM, sleeper_end(s[i]));
}

/* Rule 22: a crowd of sleepers. */
TEST_F(rmid, wakes_a_crowd)
{
	enum { CROWD = 200 };
	struct sleeper *s[CROWD];
	int i;

	for (i = 0; i < CROWD; i++) {
		size_t kind = i % ARRAY_LEN(kinds);

		s[i] = sleeper_thread_ops(self->id, kinds[kind].ops,
					  kinds[kind].nops, NULL);
	}
	sem_wait_sleepers(self->id, CROWD);
	ASSERT_EQ(0, sem_rm(self->id));
	for (i = 0; i < CROWD; i++)
		EXPECT_EQ(-EIDRM, sleeper_end(s[i]));
}

/* Rule 22: every call on a removed set is EINVAL, from its return on. */
TEST_F(rmid, calls_after_removal)
{
	unsigned short vals[4] = { };
	struct semid_ds ds;
	union semun arg = { .buf = &ds };
	struct sembuf both[] = { { 0, 1, 0 }, { 1, 1, 0 } };

	ASSERT_EQ(0, sem_stat(self->id, &ds));
	ASSERT_EQ(0, sem_rm(self->id));
	EXPECT_EQ(-EINVAL, sem_op(self->id, 0, 1, 0));
	EXPECT_EQ(-EINVAL, sem_op(self->id, 0, -1, 0));
	EXPECT_EQ(-EINVAL, sem_op(self->id, 0, -1, IPC_NOWAIT));
	EXPECT_EQ(-EINVAL, sem_op(self->id, 0, 1, SEM_UNDO));
	EXPECT_EQ(-EINVAL, sem_ops(self->id, both, 2));
	EXPECT_EQ(-EINVAL, sem_val(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_pid(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_ncnt(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_zcnt(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_setval(self->id, 0, 1));
	EXPECT_EQ(-EINVAL, sem_getall(self->id, vals));
	EXPECT_EQ(-EINVAL, sem_setall(self->id, vals));
	EXPECT_EQ(-1, semctl(self->id, 0, IPC_SET, arg));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-EINVAL, sem_stat(self->id, &ds));
	EXPECT_EQ(-EINVAL, sem_rm(self->id));
}

/* Rule 22: the quotas are free before IPC_RMID returns. */
TEST_F(rmid, quota_is_free_at_return)
{
	struct sem_limits limits = {
		.msl = 100, .mns = 250, .opm = 10, .mni = 3
	};
	int id[3], i;

	ASSERT_EQ(0, sem_rm(self->id));
	ASSERT_EQ(0, sem_set_limits(&limits));
	for (i = 0; i < 3; i++)
		id[i] = sem_new(10);
	for (i = 0; i < 2000; i++) {
		EXPECT_EQ(-1, semget(IPC_PRIVATE, 1, 0600));
		EXPECT_EQ(ENOSPC, errno);
		ASSERT_EQ(0, sem_rm(id[i % 3]));
		id[i % 3] = semget(IPC_PRIVATE, 10, 0600);
		ASSERT_LE(0, id[i % 3]);
	}
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, sem_rm(id[i]));

	/* The number of all semaphores: two sets of 100 leave 50. */
	id[0] = sem_new(100);
	id[1] = sem_new(100);
	for (i = 0; i < 2000; i++) {
		EXPECT_EQ(-1, semget(IPC_PRIVATE, 51, 0600));
		EXPECT_EQ(ENOSPC, errno);
		ASSERT_EQ(0, sem_rm(id[i % 2]));
		id[i % 2] = semget(IPC_PRIVATE, 100, 0600);
		ASSERT_LE(0, id[i % 2]);
	}
}

struct pinned {
	int id;
	int cpu;
	size_t kind;
};

static int pinned_call(void *arg)
{
	struct pinned *call = arg;
	int err = task_pin(call->cpu);

	if (err)
		return err;
	return sem_ops(call->id, kinds[call->kind].ops, kinds[call->kind].nops);
}

/*
 * Rule 22: the quota is free and the id dead though no sleeper has run yet.
 * The test rules the CPU to which they are pinned.
 */
TEST_F(rmid, quota_does_not_wait_for_sleepers)
{
	struct sem_limits limits = {
		.msl = 10, .mns = 10, .opm = 10, .mni = 1
	};
	struct sleeper *s[ARRAY_LEN(kinds)];
	struct pinned call = { .id = self->id, .cpu = sched_getcpu() };
	int err, again = -1;
	size_t i;

	ASSERT_EQ(0, sem_set_limits(&limits));
	for (i = 0; i < ARRAY_LEN(kinds); i++) {
		call.kind = i;
		s[i] = sleeper_fork(pinned_call, &call);
	}
	sem_wait_sleepers(self->id, ARRAY_LEN(kinds));
	ASSERT_EQ(0, task_pin(call.cpu));
	err = task_rule_cpu();
	if (err >= 0) {
		EXPECT_EQ(0, sem_rm(self->id));
		again = semget(IPC_PRIVATE, 10, 0600);
		for (i = 0; i < ARRAY_LEN(kinds); i++)
			EXPECT_FALSE(sleeper_done(s[i]));
	} else {
		EXPECT_EQ(0, sem_rm(self->id));
	}
	for (i = 0; i < ARRAY_LEN(kinds); i++)
		EXPECT_EQ(-EIDRM, sleeper_end(s[i]));
	if (err < 0)
		SKIP(return, "no right to use SCHED_FIFO");
	EXPECT_LE(0, again);
}

/* Rule 22: nor does the quota wait for processes with undo on the set. */
TEST_F(rmid, quota_does_not_wait_for_undo)
{
	struct sem_limits limits = {
		.msl = 10, .mns = 10, .opm = 10, .mni = 1
	};
	struct sembuf undo = { 0, 1, SEM_UNDO };
	struct sleeper *holder = sleeper_ops(self->id, &undo, 1, NULL);
	int again;

	ASSERT_EQ(0, sleeper_result(holder));
	ASSERT_EQ(0, sem_set_limits(&limits));
	ASSERT_EQ(0, sem_rm(self->id));
	again = semget(IPC_PRIVATE, 10, 0600);
	ASSERT_LE(0, again);
	EXPECT_EQ(0, sem_setval(again, 0, 7));
	sleeper_end(holder);
	EXPECT_EQ(7, sem_val(again, 0));
}

/* Rule 22: what was granted before the removal stays granted. */
TEST_F(rmid, grant_before_removal_stays)
{
	struct sleeper *granted = sleeper_asleep(self->id, 0, -1, 0);
	struct sleeper *waiting = sleeper_asleep(self->id, 0, -1, 0);

	ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
	ASSERT_EQ(0, sem_rm(self->id));
	EXPECT_EQ(0, sleeper_end(granted));
	EXPECT_EQ(-EIDRM, sleeper_end(waiting));
}

static int remove_at_gate(void *arg)
{
	int *id_and_gate = arg;
	char nothing;

	if (read(id_and_gate[1], &nothing, 1) < 0)
		return -errno;
	return sem_rm(id_and_gate[0]);
}

/* Rules 22, 24: of removers at one time exactly one removes. */
TEST_F(rmid, one_of_many_removers_wins)
{
	enum { REMOVERS = 4, ROUNDS = 100 };
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		struct sleeper *s[REMOVERS], *waiter;
		struct sembuf take = { 0, -1, SEM_UNDO };
		int pipe_fds[2], arg[2], removed = 0;

		ASSERT_EQ(0, pipe(pipe_fds));
		arg[0] = sem_new(1);
		arg[1] = pipe_fds[0];
		waiter = sleeper_thread_ops(arg[0], &take, 1, NULL);
		sem_wait_ncnt(arg[0], 0, 1);
		for (i = 0; i < REMOVERS; i++)
			s[i] = sleeper_thread(remove_at_gate, arg);
		close(pipe_fds[1]);
		for (i = 0; i < REMOVERS; i++) {
			int result = sleeper_end(s[i]);

			removed += result == 0;
			EXPECT_TRUE(result == 0 || result == -EINVAL ||
				    result == -EIDRM);
		}
		EXPECT_EQ(1, removed);
		EXPECT_EQ(-EIDRM, sleeper_end(waiter));
		close(pipe_fds[0]);
	}
	EXPECT_EQ(1, usage().semusz);
}

/* Calls in a loop until the set has gone; returns the error that ended it. */
static int post_and_take(void *arg)
{
	struct sembuf both[] = { { 0, 1, 0 }, { 0, -1, 0 }, { 1, 0, 0 } };
	int id = *(int *)arg;
	int result;

	do {
		result = sem_op(id, 0, 1, 0);
		if (!result)
			result = sem_op(id, 0, -1, SEM_UNDO);
		if (!result)
			result = sem_ops(id, both, 3);
		if (!result)
			result = sem_op(id, 0, 1, SEM_UNDO);
		if (!result)
			result = sem_op(id, 0, -1, 0);
	} while (!result);
	return result;
}

static int get_and_set_all(void *arg)
{
	int id = *(int *)arg;
	/* Large enough that buffers do not come from the stack. */
	unsigned short vals[2000];
	int result;

	do {
		result = sem_getall(id, vals);
		if (!result)
			result = sem_setval(id, 1999, 1);
		if (!result)
			result = sem_val(id, 1999) < 0 ? -EINVAL : 0;
	} while (!result);
	return result;
}

static int set_all(void *arg)
{
	unsigned short vals[2000] = { 10 };
	int id = *(int *)arg;
	int result;

	do
		result = sem_setall(id, vals);
	while (!result);
	return result;
}

/* Rule 22: calls in flight end in EINVAL or EIDRM when the set goes. */
TEST_F(rmid, calls_in_flight)
{
	static const sleeper_fn fns[] = {
		post_and_take, get_and_set_all, post_and_take, set_all,
	};
	enum { ROUNDS = 100 };
	int round;
	size_t i;

	for (round = 0; round < ROUNDS; round++) {
		struct sleeper *s[ARRAY_LEN(fns)];
		int id = sem_new(2000);

		for (i = 0; i < ARRAY_LEN(fns); i++)
			s[i] = sleeper_thread(fns[i], &id);
		/* All have started; let them run a varying number of calls. */
		for (i = 0; i < (size_t)round * 3; i++)
			ASSERT_LE(0, sem_val(id, 5));
		ASSERT_EQ(0, sem_rm(id));
		EXPECT_EQ(-EINVAL, sem_op(id, 0, 1, 0));
		for (i = 0; i < ARRAY_LEN(fns); i++) {
			int result = sleeper_end(s[i]);

			EXPECT_TRUE(result == -EINVAL || result == -EIDRM);
		}
	}
	EXPECT_EQ(1, usage().semusz);
	EXPECT_EQ(4, usage().semaem);
}

/* Rule 23: ids do not come back before the sequence number wraps. */
TEST_F(rmid, old_ids_stay_invalid)
{
	enum { SETS = 20000 };
	static int id[SETS];
	int i;

	for (i = 0; i < SETS; i++) {
		id[i] = sem_new(1);
		ASSERT_EQ(0, sem_rm(id[i]));
		if (i) {
			EXPECT_NE(id[i - 1], id[i]);
			EXPECT_EQ(-EINVAL, sem_val(id[i - 1], 0));
			EXPECT_EQ(-EINVAL, sem_val(id[i / 2], 0));
			EXPECT_EQ(-EINVAL, sem_op(id[0], 0, 1, 0));
		}
		ASSERT_EQ(KSFT_PASS, _metadata->exit_code);
	}
	EXPECT_EQ(0, sem_val(self->id, 0));
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 :
	       *(const int *)a > *(const int *)b;
}

/* Rule 23: the same with many sets alive, all ids different from each other. */
TEST_F(rmid, ids_are_unique)
{
	enum { ALIVE = 50, SETS = 10000 };
	static int id[SETS];
	int alive[ALIVE];
	int i;

	for (i = 0; i < SETS; i++) {
		/* Not in the order of creation: 50 and 17 are coprime. */
		int slot = i * 17 % ALIVE;

		if (i >= ALIVE)
			ASSERT_EQ(0, sem_rm(alive[slot]));
		id[i] = sem_new(1);
		alive[slot] = id[i];
	}
	qsort(id, SETS, sizeof(*id), compare_ints);
	for (i = 1; i < SETS; i++)
		ASSERT_NE(id[i - 1], id[i]);
}

/* What the prober of the next test looks for. */
struct probe {
	int other;		/* the id of a set that is not looked for */
	volatile bool stop;
	volatile int seen;
	int wrong;
};

enum { PROBED_NSEMS = 700, PROBED_KEY = 0x5e3a0001, PROBED_MODE = 0640 };

static void probe_once(struct probe *probe, int id)
{
	struct semid_ds ds;

	if (sem_stat(id, &ds))
		return;
	probe->seen++;
	if (ds.sem_nsems != PROBED_NSEMS || ds.sem_otime != 0 ||
	    ds.sem_ctime == 0 || ds.sem_perm.__key != PROBED_KEY ||
	    (ds.sem_perm.mode & 0777) != PROBED_MODE)
		probe->wrong++;
	/* Removed meanwhile is the only other answer. */
	if (sem_val(id, PROBED_NSEMS - 1) > 0)
		probe->wrong++;
}

/* By index, which sees an object as soon as it is there. */
static int probe_index(void *arg)
{
	struct probe *probe = arg;
	struct seminfo info;
	struct semid_ds ds;
	union semun info_arg = { .__buf = &info }, stat_arg = { .buf = &ds };
	int index, id;

	while (!probe->stop) {
		for (index = semctl(0, 0, SEM_INFO, info_arg); index >= 0;
		     index--) {
			id = semctl(index, 0, SEM_STAT, stat_arg);
			if (id >= 0 && id != probe->other)
				probe_once(probe, id);
		}
	}
	return 0;
}

static int probe_key(void *arg)
{
	struct probe *probe = arg;
	int id;

	while (!probe->stop) {
		id = semget(PROBED_KEY, PROBED_NSEMS, 0);
		if (id >= 0)
			probe_once(probe, id);
		else if (errno != ENOENT)
			probe->wrong++;
	}
	return 0;
}

/* Rule 23: an id or key becomes visible only when the object is complete. */
TEST_F(rmid, visible_only_when_complete)
{
	static const sleeper_fn fns[] = { probe_index, probe_key };
	struct probe probes[2] = { { .other = self->id } };
	struct sleeper *s[2];
	int i, id;

	for (i = 0; i < 2; i++)
		s[i] = sleeper_thread(fns[i], &probes[i]);
	for (i = 0; i < 5000; i++) {
		int before[2] = { probes[0].seen, probes[1].seen };

		id = semget(PROBED_KEY, PROBED_NSEMS,
			    PROBED_MODE | IPC_CREAT | IPC_EXCL);
		ASSERT_LE(0, id);
		/* Now and then each has the time to look. */
		while (i % 100 == 0 && (probes[0].seen == before[0] ||
					probes[1].seen == before[1]))
			sched_yield();
		ASSERT_EQ(0, sem_rm(id));
	}
	for (i = 0; i < 2; i++) {
		probes[i].stop = true;
		EXPECT_EQ(0, sleeper_end(s[i]));
		EXPECT_LT(0, probes[i].seen);
		EXPECT_EQ(0, probes[i].wrong);
	}
}

/* Removes the set and creates one with the same id and values of its own. */
static bool recreate(struct __test_metadata *_metadata, int id, int nsems)
{
	int err;

	if (sem_rm(id))
		sem_die("IPC_RMID");
	err = force_next_id(id);
	if (err)
		SKIP(return false, NEXT_ID ": %s", strerror(-err));
	EXPECT_EQ(id, semget(IPC_PRIVATE, nsems, 0600));
	return true;
}

/* Rule 20: old adjustments never reach a set with the same id. */
TEST_F(rmid, old_undo_does_not_reach_a_new_set)
{
	struct sembuf undo[] = { { 0, 5, SEM_UNDO }, { 2, 1, SEM_UNDO } };
	struct sleeper *holder = sleeper_ops(self->id, undo, 2, NULL);
	unsigned short vals[4] = { 10, 10, 10, 10 };
	int i;

	ASSERT_EQ(0, sleeper_result(holder));
	if (!recreate(_metadata, self->id, 4))
		return;
	ASSERT_EQ(0, sem_setall(self->id, vals));
	sleeper_end(holder);
	ASSERT_EQ(0, sem_getall(self->id, vals));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(10, vals[i]);
}

struct two_steps {
	int id;
	int gate;
};

/* Undo on the old set, then at the gate undo on the new one. */
static int undo_on_both(void *arg)
{
	struct two_steps *steps = arg;
	char nothing;
	int err = sem_op(steps->id, 0, 5, SEM_UNDO);

	if (err)
		return err;
	/* Two reads: one says that the first step is done. */
	sem_op(steps->id, 3, -1, 0);
	if (read(steps->gate, &nothing, 1) < 0)
		return -errno;
	return sem_op(steps->id, 0, 2, SEM_UNDO);
}

/* Rule 20: on the new set the process starts with a fresh undo, or EIDRM. */
TEST_F(rmid, fresh_undo_on_a_new_set)
{
	struct two_steps steps = { .id = self->id };
	struct sleeper *holder;
	int gate[2];
	int result;

	ASSERT_EQ(0, pipe(gate));
	/* Only file descriptors that the sleeper needs stay open in it. */
	steps.gate = gate[0];
	holder = sleeper_thread(undo_on_both, &steps);
	while (sem_val(self->id, 3) != 0)
		sched_yield();
	if (!recreate(_metadata, self->id, 4)) {
		close(gate[1]);
		sleeper_end(holder);
		return;
	}
	ASSERT_EQ(0, sem_setval(self->id, 0, 10));
	close(gate[1]);
	result = sleeper_end(holder);
	EXPECT_TRUE(result == 0 || result == -EIDRM);
	EXPECT_EQ(result ? 10 : 12, sem_val(self->id, 0));
	/* This thread is of the same group: apply the adjustments. */
	ASSERT_EQ(0, unshare(CLONE_SYSVSEM));
	EXPECT_EQ(10, sem_val(self->id, 0));
}

/* Rule 20: the new set may be smaller: nothing reaches beyond its end. */
TEST_F(rmid, old_undo_and_a_smaller_set)
{
	struct sembuf undo[] = { { 0, 5, SEM_UNDO }, { 3, 1, SEM_UNDO } };
	struct sleeper *holder = sleeper_ops(self->id, undo, 2, NULL);

	ASSERT_EQ(0, sleeper_result(holder));
	if (!recreate(_metadata, self->id, 1))
		return;
	ASSERT_EQ(0, sem_setval(self->id, 0, 3));
	sleeper_end(holder);
	EXPECT_EQ(3, sem_val(self->id, 0));
	EXPECT_EQ(-EINVAL, sem_val(self->id, 3));
}

/* Rules 20, 22: a sleeper of the old set does not become one of the new. */
TEST_F(rmid, old_sleeper_and_a_new_set)
{
	struct sleeper *s = sleeper_asleep(self->id, 0, -1, SEM_UNDO);

	if (!recreate(_metadata, self->id, 4)) {
		sleeper_end(s);
		return;
	}
	ASSERT_EQ(0, sem_setval(self->id, 0, 1));
	EXPECT_EQ(-EIDRM, sleeper_end(s));
	EXPECT_EQ(1, sem_val(self->id, 0));
	EXPECT_EQ(0, sem_sleepers(self->id));
}

/*
 * Rules 20, 23: the sequence number wraps after no fewer than 32768 sets;
 * whatever has the old id then, the old adjustments do not reach it.
 */
TEST_F(rmid, old_undo_and_a_wrapped_id)
{
	struct sembuf undo = { 0, 5, SEM_UNDO };
	struct sleeper *holder = sleeper_ops(self->id, &undo, 1, NULL);
	int i, id = -1;

	ASSERT_EQ(0, sleeper_result(holder));
	ASSERT_EQ(0, sem_rm(self->id));
	for (i = 1; i < 70000; i++) {
		id = sem_new(1);
		if (id == self->id)
			break;
		ASSERT_EQ(0, sem_rm(id));
	}
	EXPECT_LE(32767, i);
	if (id == self->id)
		ASSERT_EQ(0, sem_setval(id, 0, 9));
	sleeper_end(holder);
	if (id == self->id)
		EXPECT_EQ(9, sem_val(id, 0));
}

/* An exiting process that has undo on all the sets; waits at the gate. */
struct exiting {
	const int *ids;
	int nr_ids;
	int ready;
	int gate;
};

static void hold_and_exit(const struct exiting *e)
{
	struct sembuf undo[] = { { 0, 1, SEM_UNDO }, { 1, -1, SEM_UNDO } };
	char byte = 0;
	int i;

	for (i = 0; i < e->nr_ids; i++)
		if (sem_ops(e->ids[i], undo, 2))
			_exit(1);
	if (write(e->ready, &byte, 1) != 1)
		_exit(1);
	if (read(e->gate, &byte, 1) < 0)
		_exit(1);
	_exit(0);
}

/*
 * Rule 24: exits with undo and removals of the same sets at one time. The
 * sets that stay get their values back, and nothing is left over.
 */
TEST_F_TIMEOUT(rmid, exits_against_removal, 600)
{
	enum { ROUNDS = 150, HOLDERS = 3, SETS = 6 };
	unsigned short start[2] = { 0, HOLDERS };
	int round, i;

	for (round = 0; round < ROUNDS; round++) {
		int ready[2], gate[2], ids[SETS];
		char byte;

		ASSERT_EQ(0, pipe(ready));
		ASSERT_EQ(0, pipe(gate));
		for (i = 0; i < SETS; i++) {
			ids[i] = sem_new(2);
			ASSERT_EQ(0, sem_setall(ids[i], start));
		}
		for (i = 0; i < HOLDERS; i++) {
			struct exiting e = { ids, SETS, ready[1], gate[0] };

			if (fork() == 0) {
				close(gate[1]);
				hold_and_exit(&e);
			}
		}
		for (i = 0; i < HOLDERS; i++)
			ASSERT_EQ(1, read(ready[0], &byte, 1));
		close(gate[1]);
		/* From the end in odd rounds: the exits begin elsewhere. */
		for (i = 0; i < SETS / 2; i++)
			ASSERT_EQ(0, sem_rm(ids[round & 1 ? SETS - 1 - i : i]));
		for (i = 0; i < HOLDERS; i++) {
			int status;

			ASSERT_LT(0, wait(&status));
			ASSERT_EQ(0, status);
		}
		for (i = 0; i < SETS / 2; i++) {
			int id = ids[round & 1 ? i : SETS - 1 - i];

			EXPECT_EQ(0, sem_val(id, 0));
			EXPECT_EQ(HOLDERS, sem_val(id, 1));
			ASSERT_EQ(0, sem_rm(id));
		}
		close(ready[0]);
		close(ready[1]);
		close(gate[0]);
		ASSERT_EQ(KSFT_PASS, _metadata->exit_code);
	}
	EXPECT_EQ(1, usage().semusz);
	EXPECT_EQ(4, usage().semaem);
}

TEST_HARNESS_MAIN
