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
#include <sys/mman.h>
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
	/* An adjustment has two bytes, or a cache line of its own. */
	long least = (long)PROCESSES * NSEMS * (sem_kernel_is_ours() ? 64 : 2);
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

enum { ROOM_SETS = 600, ROOM_NSEMS = 1000 };

/* What a process in the group tells; it cannot allocate to do so. */
struct told {
	int ready;
	int granted;		/* calls with SEM_UNDO, each on a set of its own */
	int refused;		/* what the one after them returned */
	int changed;		/* values of that set afterwards that are not 0 */
	int with_room;		/* what it returned with a higher limit */
	bool finished;
};

struct full_group {
	const char *dir;
	int *ids;
	int gate;
	bool protect;		/* from being killed: it gets ENOMEM instead */
	struct told *told;
};

static void pass(int gate)
{
	char byte;

	if (read(gate, &byte, 1) != 1)
		sem_die("the gate: %s", strerror(errno));
}

static int changed_values(int id)
{
	static unsigned short vals[ROOM_NSEMS];
	int i, changed = 0, err = sem_getall(id, vals);

	for (i = 0; i < ROOM_NSEMS && !err; i++)
		changed += vals[i] != 0;
	return err ?: changed;
}

/* Uses undo on one set after the other until there is no memory for it. */
static int fill_with_undo(void *arg)
{
	static struct sembuf ops[ROOM_NSEMS];
	struct full_group *full = arg;
	struct told *told = full->told;
	int i;

	for (i = 0; i < ROOM_NSEMS; i++)
		ops[i] = (struct sembuf) { i, 1, SEM_UNDO };
	enter(full->dir);
	if (full->protect && file_write("/proc/self/oom_score_adj", "-1000"))
		sem_die("oom_score_adj");
	/* At the limit, a page that is missing would be one too many. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		sem_die("mlockall: %s", strerror(errno));
	__atomic_store_n(&told->ready, 1, __ATOMIC_RELEASE);
	pass(full->gate);
	for (i = 0; i < ROOM_SETS && !told->refused; i++) {
		told->refused = sem_ops(full->ids[i], ops, ROOM_NSEMS);
		told->granted += !told->refused;
	}
	if (told->refused)
		told->changed = changed_values(full->ids[told->granted]);
	__atomic_store_n(&told->ready, 2, __ATOMIC_RELEASE);
	pass(full->gate);
	if (told->refused)
		told->with_room = sem_ops(full->ids[told->granted], ops,
					  ROOM_NSEMS);
	told->finished = true;
	return 0;
}

/* Polls until the process has come to @step or is dead. */
static bool comes_to(struct full_group *full, pid_t pid, int step)
{
	time_t end = time(NULL) + sem_deadline();
	siginfo_t info;

	while (__atomic_load_n(&full->told->ready, __ATOMIC_ACQUIRE) < step) {
		info.si_pid = 0;
		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
		    info.si_pid == pid)
			return false;
		if (time(NULL) > end)
			sem_die("step %d is not reached", step);
		sched_yield();
	}
	return true;
}

static void set_room(const char *dir, long more)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "%s/memory.current", dir);
	snprintf(text, sizeof(text), "%ld", file_number(path) + more);
	snprintf(path, sizeof(path), "%s/memory.max", dir);
	if (file_write(path, text))
		sem_die("cannot write %s to %s", text, path);
}

/*
 * Runs fill_with_undo() with room for @room bytes more than it has from the
 * start. Returns its wait status.
 */
static int run_full(struct full_group *full, long room)
{
	const char byte = 0;
	int gate[2], status, i;
	pid_t pid;

	if (pipe(gate))
		sem_die("pipe: %s", strerror(errno));
	full->gate = gate[0];
	full->told = mmap(NULL, sizeof(*full->told), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	full->ids = calloc(ROOM_SETS, sizeof(int));
	if (full->told == MAP_FAILED || !full->ids)
		sem_die("out of memory");
	for (i = 0; i < ROOM_SETS; i++)
		full->ids[i] = sem_new(ROOM_NSEMS);
	memset(full->told, 0, sizeof(*full->told));
	pid = fork();
	if (!pid)
		_exit(fill_with_undo(full));
	if (pid < 0 || !comes_to(full, pid, 1))
		sem_die("the process in the group did not begin");
	set_room(full->dir, room);
	if (write(gate[1], &byte, 1) == 1 && comes_to(full, pid, 2)) {
		set_room(full->dir, 16 * MIB);
		if (write(gate[1], &byte, 1) != 1)
			sem_die("write: %s", strerror(errno));
	}
	if (waitpid(pid, &status, 0) != pid)
		sem_die("waitpid: %s", strerror(errno));
	return status;
}

/* Whether all adjustments were given back, and the memory, too. */
static bool nothing_is_left(struct full_group *full, long before)
{
	int i, changed = 0;

	for (i = 0; i < ROOM_SETS; i++)
		changed += changed_values(full->ids[i]) != 0;
	remove_all_sets();
	return !changed && !count_sets() && falls_below(full->dir, before);
}

static void set_limits_for_long_calls(void)
{
	struct sem_limits limits;

	sem_get_limits(&limits);
	limits.opm = ROOM_NSEMS;
	if (sem_set_limits(&limits))
		sem_die("kernel.sem");
}

/*
 * Rules 1, 7, 21, 25: undo for which the group has no memory is ENOMEM and
 * changes nothing; with memory the same call goes.
 */
TEST_F(memcg, undo_is_refused)
{
	struct full_group full = { .dir = self->dir, .protect = true };
	long before = charged(self->dir);

	set_limits_for_long_calls();
	EXPECT_EQ(0, run_full(&full, MIB));
	TH_LOG("%d calls with undo, then %d", full.told->granted,
	       full.told->refused);
	EXPECT_LT(0, full.told->granted);
	EXPECT_EQ(-ENOMEM, full.told->refused);
	EXPECT_EQ(0, full.told->changed);
	EXPECT_EQ(0, full.told->with_room);
	EXPECT_TRUE(full.told->finished);
	EXPECT_TRUE(nothing_is_left(&full, before + MIB / 2));
}

/* Rules 19, 25: a process that is killed there leaves its adjustments. */
TEST_F(memcg, undo_kills)
{
	struct full_group full = { .dir = self->dir };
	long before = charged(self->dir);
	int status;

	set_limits_for_long_calls();
	status = run_full(&full, MIB);
	TH_LOG("%d calls with undo, then %d", full.told->granted,
	       full.told->refused);
	EXPECT_LT(0, full.told->granted);
	EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) &&
				    WTERMSIG(status) == SIGKILL));
	EXPECT_EQ(status ? 0 : -ENOMEM, full.told->refused);
	EXPECT_TRUE(nothing_is_left(&full, before + MIB / 2));
}

TEST_HARNESS_MAIN
