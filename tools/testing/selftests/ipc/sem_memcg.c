// SPDX-License-Identifier: GPL-2.0
/*
 * What is charged to the memory cgroup (rule 25): sets and undo structures
 * are, the copies of the operations of a call that sleeps are not.
 *
 * Amounts are compared with what must be there at the least, of large sets or
 * of many structures, so that the kernel's own batches do not matter. Needs
 * cgroup v2 with the memory controller, and root.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define NSEMS		32000	/* of a large set */
#define MIB		(1L << 20)

/* Where cgroup v2 is mounted for the test alone, in its mount namespace. */
#define ROOT		"/tmp"

FIXTURE(memcg)
{
	char dir[64];
};

/* Mounts cgroup v2; returns what is missing, or NULL. */
static const char *mount_cgroups(void)
{
	char controllers[256];

	if (geteuid())
		return "root";
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return "a mount namespace";
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		return "cgroup v2";
	if (file_read(ROOT "/cgroup.controllers", controllers,
		      sizeof(controllers)) || !strstr(controllers, "memory"))
		return "the memory controller in cgroup v2";
	if (file_write(ROOT "/cgroup.subtree_control", "+memory"))
		return "the right to use the memory controller";
	return NULL;
}

FIXTURE_SETUP(memcg)
{
	const char *missing = mount_cgroups();
	int err = missing ? 0 : sem_enter_ns();

	if (missing)
		SKIP(return, "needs %s", missing);
	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	snprintf(self->dir, sizeof(self->dir), ROOT "/sem_memcg.%d", getpid());
	ASSERT_EQ(0, mkdir(self->dir, 0755));
}

FIXTURE_TEARDOWN(memcg)
{
	/* Emptied by the death of its tasks, which may take a moment. */
	int tries;

	for (tries = 0; rmdir(self->dir) && errno == EBUSY && tries < 1000000;
	     tries++)
		sched_yield();
}

/* Kernel memory charged to the group, in bytes. */
static long charged(const char *dir)
{
	char path[128], line[128];
	long value = -1;
	FILE *file;

	snprintf(path, sizeof(path), "%s/memory.stat", dir);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "kernel %ld", &value) == 1)
			break;
	if (file)
		fclose(file);
	if (value < 0)
		sem_die("no line 'kernel' in %s", path);
	return value;
}

/* Polls until less than @most is charged; memory is freed some time later. */
static bool falls_below(const char *dir, long most)
{
	time_t end = time(NULL) + SEM_DEADLINE_SECONDS;

	while (charged(dir) >= most) {
		if (time(NULL) > end)
			return false;
		sched_yield();
	}
	return true;
}

static void enter(const char *dir)
{
	char path[128];
	int err;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	err = file_write(path, "0");
	if (err)
		sem_die("%s: %s", path, strerror(-err));
}

/* What a child in the group works on. */
struct job {
	const char *dir;
	int id;
	int count;
	int gate;	/* threads start behind it */
};

enum { SETS = 16 };

static int make_sets(void *arg)
{
	struct job *job = arg;
	int i;

	enter(job->dir);
	for (i = 0; i < job->count; i++)
		sem_new(NSEMS);
	return 0;
}

static void remove_all_sets(void)
{
	struct semid_ds ds;
	struct seminfo info;
	union semun stat = { .buf = &ds }, usage = { .__buf = &info };
	int i, id, highest = semctl(0, 0, SEM_INFO, usage);

	for (i = 0; i <= highest; i++) {
		id = semctl(i, 0, SEM_STAT, stat);
		if (id >= 0)
			sem_rm(id);
	}
}

/* Rule 25: a set is charged to the group of its creator until it is removed. */
TEST_F(memcg, sets_are_charged)
{
	struct job job = { .dir = self->dir, .count = SETS };
	/* Nobody keeps a semaphore in less than eight bytes. */
	long least = (long)SETS * NSEMS * 8;
	long before = charged(self->dir);
	struct sleeper *maker = sleeper_fork(make_sets, &job);

	ASSERT_EQ(0, sleeper_result(maker));
	EXPECT_LE(before + least, charged(self->dir));
	sleeper_end(maker);
	/* The sets are there without it. */
	EXPECT_LE(before + least, charged(self->dir));
	remove_all_sets();
	EXPECT_TRUE(falls_below(self->dir, before + least / 2));
}

/* An adjustment for every semaphore: nobody keeps all without memory. */
static int use_undo(void *arg)
{
	static struct sembuf ops[NSEMS];
	struct job *job = arg;
	int i;

	enter(job->dir);
	for (i = 0; i < NSEMS; i++)
		ops[i] = (struct sembuf) { i, 1, SEM_UNDO };
	return sem_ops(job->id, ops, NSEMS);
}

/* Rule 25: an undo structure is charged to the group of its process. */
TEST_F(memcg, undo_is_charged)
{
	enum { PROCESSES = 24 };
	struct job job = { .dir = self->dir, .id = sem_new(NSEMS) };
	struct sem_limits limits;
	struct sleeper *plain[PROCESSES], *undo[PROCESSES];
	/* An adjustment has two bytes. */
	long least = (long)PROCESSES * NSEMS * 2;
	long before, with_undo;
	int i;

	sem_get_limits(&limits);
	limits.opm = NSEMS;
	ASSERT_EQ(0, sem_set_limits(&limits));
	/* As many that do no undo tell what processes cost by themselves. */
	for (i = 0; i < PROCESSES; i++) {
		struct job none = { .dir = self->dir };

		plain[i] = sleeper_fork(make_sets, &none);
		ASSERT_EQ(0, sleeper_result(plain[i]));
	}
	before = charged(self->dir);
	for (i = 0; i < PROCESSES; i++)
		sleeper_end(plain[i]);
	for (i = 0; i < PROCESSES; i++) {
		undo[i] = sleeper_fork(use_undo, &job);
		ASSERT_EQ(0, sleeper_result(undo[i]));
	}
	with_undo = charged(self->dir);
	EXPECT_LE(before + least / 2, with_undo);
	for (i = 0; i < PROCESSES; i++)
		sleeper_end(undo[i]);
	EXPECT_TRUE(falls_below(self->dir, before + least / 4));
	TH_LOG("%ld KiB, with undo %ld, after it %ld", before / 1024,
	       with_undo / 1024, charged(self->dir) / 1024);
	EXPECT_EQ(0, sem_val(job.id, NSEMS - 1));
}

enum { LONG_CALL = 20000, SLEEPING_THREADS = 40 };

/* Waits at the gate, so that the thread itself is charged before. */
static int long_call(void *arg)
{
	static struct sembuf ops[LONG_CALL];
	struct job *job = arg;
	char byte;
	int i;

	for (i = 0; i < LONG_CALL; i++)
		ops[i] = (struct sembuf) { i % 2, 0, 0 };
	if (read(job->gate, &byte, 1) != 1)
		return -errno;
	return sem_ops(job->id, ops, LONG_CALL);
}

struct long_calls {
	struct job job;
	int open_gate;
	long before, asleep;
};

static int sleep_in_long_calls(void *arg)
{
	struct job *job = arg;
	struct sleeper *threads[SLEEPING_THREADS];
	long before, asleep;
	int gate[2], i, bad = 0;
	char byte = 0;

	enter(job->dir);
	if (pipe(gate))
		sem_die("pipe: %s", strerror(errno));
	job->gate = gate[0];
	for (i = 0; i < SLEEPING_THREADS; i++)
		threads[i] = sleeper_thread(long_call, job);
	before = charged(job->dir);
	for (i = 0; i < SLEEPING_THREADS; i++)
		if (write(gate[1], &byte, 1) != 1)
			sem_die("write: %s", strerror(errno));
	sem_wait_zcnt(job->id, 0, SLEEPING_THREADS);
	asleep = charged(job->dir);
	if (sem_setval(job->id, 0, 0))
		sem_die("SETVAL");
	for (i = 0; i < SLEEPING_THREADS; i++)
		bad += sleeper_end(threads[i]) != 0;
	return bad ? -1 : (asleep - before) / 1024;
}

/* Rule 25: the sops of a call that sleeps are not charged. */
TEST_F(memcg, sleeping_calls_are_not_charged)
{
	struct sem_limits limits;
	struct job job = { .dir = self->dir, .id = sem_new(2) };
	/* 6 bytes a sop. */
	int kib, copies = SLEEPING_THREADS * LONG_CALL * 6 / 1024;

	sem_get_limits(&limits);
	limits.opm = LONG_CALL;
	ASSERT_EQ(0, sem_set_limits(&limits));
	ASSERT_EQ(0, sem_setval(job.id, 0, 1));
	kib = run_in_child(sleep_in_long_calls, &job);
	TH_LOG("%d KiB of sops, %d KiB charged", copies, kib);
	EXPECT_LE(0, kib + 1024);
	EXPECT_GT(copies / 2, kib);
}

/* Makes sets until it is told that there is no memory, or is killed. */
static int make_until_refused(void *arg)
{
	struct job *job = arg;
	int made = 0;

	enter(job->dir);
	while (made < 1000 && semget(IPC_PRIVATE, NSEMS, 0600) >= 0)
		made++;
	return made < 1000 ? -errno : made;
}

static int count_sets(void)
{
	struct seminfo info;
	union semun arg = { .__buf = &info };

	return semctl(0, 0, SEM_INFO, arg) < 0 ? -errno : info.semusz;
}

/*
 * Rule 25: at the group's limit semget() answers ENOMEM, or the caller is
 * killed; what is refused is not there, what is there can be removed.
 */
TEST_F(memcg, limit)
{
	struct job job = { .dir = self->dir };
	char path[128];
	int status, sets;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/memory.max", self->dir);
	ASSERT_EQ(0, file_write(path, "16M"));
	snprintf(path, sizeof(path), "%s/memory.swap.max", self->dir);
	file_write(path, "0");	/* not there without swap */
	pid = fork();
	if (!pid)
		_exit(make_until_refused(&job) == -ENOMEM ? 0 : 1);
	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) &&
				    WTERMSIG(status) == SIGKILL));
	sets = count_sets();
	EXPECT_LT(0, sets);
	EXPECT_GT(16 * MIB / (NSEMS * 8), sets);
	/* Others, outside the group, are not concerned. */
	EXPECT_LE(0, sem_new(NSEMS));
	remove_all_sets();
	EXPECT_EQ(0, count_sets());
	EXPECT_TRUE(falls_below(self->dir, 2 * MIB));
	EXPECT_EQ(0, run_in_child(make_sets, &job));
}

TEST_HARNESS_MAIN
