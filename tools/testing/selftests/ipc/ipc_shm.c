// SPDX-License-Identifier: GPL-2.0
/*
 * Shared memory over the object layer: it is not ours, but what it takes from
 * it (look-up, rights, limits, life beyond removal) is.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#ifndef SHM_DEST
#define SHM_DEST	01000
#endif
#ifndef SHM_LOCKED
#define SHM_LOCKED	02000
#endif

#define SHMMAX	"/proc/sys/kernel/shmmax"
#define SHMALL	"/proc/sys/kernel/shmall"
#define FORCED	"/proc/sys/kernel/shm_rmid_forced"
#define KEY	0x73680001
#define NOBODY	65534
#define SIZE	(3 * 4096 + 5)
#define NO_MEM	((char *)-1)

FIXTURE(shm)
{
	int id;
	char *mem;
};

FIXTURE_SETUP(shm)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->id = shmget(KEY, SIZE, 0600 | IPC_CREAT | IPC_EXCL);
	ASSERT_LE(0, self->id);
	self->mem = shmat(self->id, NULL, 0);
	ASSERT_TRUE(self->mem != NO_MEM);
}

FIXTURE_TEARDOWN(shm)
{
}

static struct shmid_ds stat_of(int id)
{
	struct shmid_ds ds;

	if (shmctl(id, IPC_STAT, &ds))
		sem_die("IPC_STAT of segment %d: %s", id, strerror(errno));
	return ds;
}

static int attached(int id)
{
	return stat_of(id).shm_nattch;
}

static struct shm_info usage(void)
{
	struct shm_info info;

	if (shmctl(0, SHM_INFO, (struct shmid_ds *)&info) < 0)
		sem_die("SHM_INFO: %s", strerror(errno));
	return info;
}

struct segment {
	int id;
	char *mem;
};

/* Attaches, adds one to the first byte, writes the second, stays attached. */
static int attach_and_write(void *arg)
{
	char *mem = shmat(((struct segment *)arg)->id, NULL, 0);

	if (mem == NO_MEM)
		return -errno;
	mem[1] = 'w';
	return ++mem[0];
}

/* Memory is shared, and counted, between processes. */
TEST_F(shm, shared_between_processes)
{
	struct segment segment = { self->id, NULL };
	struct sleeper *other;

	EXPECT_EQ(1, attached(self->id));
	self->mem[0] = 41;
	other = sleeper_fork(attach_and_write, &segment);
	EXPECT_EQ(42, sleeper_result(other));
	EXPECT_EQ('w', self->mem[1]);
	/* It inherited one attachment and has made one. */
	EXPECT_EQ(3, attached(self->id));
	EXPECT_EQ(other->pid, stat_of(self->id).shm_lpid);
	sleeper_end(other);
	EXPECT_EQ(1, attached(self->id));
	EXPECT_EQ(0, shmdt(self->mem));
	EXPECT_EQ(0, attached(self->id));
	EXPECT_EQ(-1, shmdt(self->mem));
	EXPECT_EQ(EINVAL, errno);
	/* The contents stay while the segment does. */
	self->mem = shmat(self->id, NULL, SHM_RDONLY);
	ASSERT_TRUE(self->mem != NO_MEM);
	EXPECT_EQ(42, self->mem[0]);
}

/* What IPC_STAT tells: size, pids, times. */
TEST_F(shm, stat)
{
	struct shmid_ds ds = stat_of(self->id);
	time_t now = time(NULL);

	EXPECT_EQ(SIZE, (int)ds.shm_segsz);
	EXPECT_EQ(getpid(), ds.shm_cpid);
	EXPECT_EQ(getpid(), ds.shm_lpid);
	EXPECT_GE(now + 1, ds.shm_atime);
	EXPECT_NE(0, ds.shm_atime);
	EXPECT_EQ(0, ds.shm_dtime);
	EXPECT_NE(0, ds.shm_ctime);
	ASSERT_EQ(0, shmdt(self->mem));
	EXPECT_NE(0, stat_of(self->id).shm_dtime);
}

/* Addresses: wanted, rounded, refused. */
TEST_F(shm, addresses)
{
	char *mem;

	ASSERT_EQ(0, shmdt(self->mem));
	mem = shmat(self->id, self->mem, 0);
	EXPECT_TRUE(mem == self->mem);
	EXPECT_TRUE(shmat(self->id, mem, 0) == NO_MEM);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(shmat(self->id, mem, SHM_REMAP) == mem);
	EXPECT_EQ(1, attached(self->id));
	EXPECT_EQ(0, shmdt(mem));
	EXPECT_TRUE(shmat(self->id, mem + 1, 0) == NO_MEM);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(shmat(self->id, mem + 1, SHM_RND) == mem);
	EXPECT_TRUE(shmat(self->id, NULL, SHM_REMAP) == NO_MEM);
	EXPECT_EQ(EINVAL, errno);
	EXPECT_TRUE(shmat(self->id + 1, NULL, 0) == NO_MEM);
	EXPECT_EQ(EINVAL, errno);
}

/* A removed segment lives until its last detach, without key. */
TEST_F(shm, removal_while_attached)
{
	int again;

	self->mem[0] = 'x';
	ASSERT_EQ(0, shmctl(self->id, IPC_RMID, NULL));
	EXPECT_TRUE(stat_of(self->id).shm_perm.mode & SHM_DEST);
	EXPECT_EQ(0, stat_of(self->id).shm_perm.__key);
	EXPECT_EQ(-1, shmget(KEY, 0, 0));
	EXPECT_EQ(ENOENT, errno);
	again = shmget(KEY, SIZE, 0600 | IPC_CREAT | IPC_EXCL);
	EXPECT_LE(0, again);
	EXPECT_NE(self->id, again);
	EXPECT_EQ(2, usage().used_ids);
	EXPECT_EQ('x', self->mem[0]);
	/* By id it can still be attached. */
	EXPECT_TRUE(shmat(self->id, NULL, 0) != NO_MEM);
	EXPECT_EQ(2, attached(self->id));
	ASSERT_EQ(0, shmdt(self->mem));
	EXPECT_EQ(1, attached(self->id));
	EXPECT_EQ(again, shmget(KEY, 0, 0));
	ASSERT_EQ(0, shmctl(again, IPC_RMID, NULL));
	EXPECT_EQ(-1, shmctl(again, IPC_RMID, NULL));
	EXPECT_EQ(EINVAL, errno);
}

/* The last detach frees id and limit before it returns. */
TEST_F(shm, last_detach_frees)
{
	int i;

	ASSERT_EQ(0, file_write("/proc/sys/kernel/shmmni", "1"));
	for (i = 0; i < 300; i++) {
		struct shmid_ds ds;

		ASSERT_EQ(0, shmctl(self->id, IPC_RMID, NULL));
		EXPECT_EQ(-1, shmget(IPC_PRIVATE, SIZE, 0600));
		EXPECT_EQ(ENOSPC, errno);
		ASSERT_EQ(0, shmdt(self->mem));
		EXPECT_EQ(-1, shmctl(self->id, IPC_STAT, &ds));
		EXPECT_EQ(EINVAL, errno);
		self->id = shmget(IPC_PRIVATE, SIZE, 0600);
		ASSERT_LE(0, self->id);
		self->mem = shmat(self->id, NULL, 0);
		ASSERT_TRUE(self->mem != NO_MEM);
	}
}

static int die_attached(void *arg)
{
	struct segment *segment = arg;

	if (shmat(segment->id, NULL, 0) == NO_MEM)
		return -errno;
	return 0;
}

/* Exit and exec detach. */
TEST_F(shm, exit_and_exec_detach)
{
	struct segment segment = { self->id, NULL };
	struct sleeper *other;
	int fds[2];
	pid_t pid;

	other = sleeper_fork(die_attached, &segment);
	EXPECT_EQ(0, sleeper_result(other));
	EXPECT_EQ(3, attached(self->id));
	sleeper_kill(other);
	EXPECT_EQ(1, attached(self->id));

	/* cat stays until the pipe is closed. */
	ASSERT_EQ(0, pipe(fds));
	pid = fork();
	if (!pid) {
		close(fds[1]);
		dup2(fds[0], 0);
		execlp("cat", "cat", NULL);
		_exit(1);
	}
	ASSERT_LT(0, pid);
	close(fds[0]);
	while (attached(self->id) != 1 && waitpid(pid, NULL, WNOHANG) == 0)
		sched_yield();
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	EXPECT_EQ(1, attached(self->id));
	close(fds[1]);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
}

/* Limits: size, pages in all. */
TEST_F(shm, limits)
{
	EXPECT_EQ(-1, shmget(IPC_PRIVATE, 0, 0600));
	EXPECT_EQ(EINVAL, errno);
	ASSERT_EQ(0, file_write(SHMMAX, "8192"));
	EXPECT_EQ(-1, shmget(IPC_PRIVATE, 8193, 0600));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_LE(0, shmget(IPC_PRIVATE, 8192, 0600));
	/* 4 pages and 2 are there. */
	ASSERT_EQ(0, file_write(SHMALL, "8"));
	EXPECT_LE(0, shmget(IPC_PRIVATE, 4096, 0600));
	EXPECT_EQ(-1, shmget(IPC_PRIVATE, 4097, 0600));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_LE(0, shmget(IPC_PRIVATE, 1, 0600));
	EXPECT_EQ(-1, shmget(IPC_PRIVATE, 1, 0600));
	EXPECT_EQ(ENOSPC, errno);
	/* Sizes of an existing one. */
	EXPECT_EQ(self->id, shmget(KEY, 0, 0));
	EXPECT_EQ(self->id, shmget(KEY, SIZE, 0));
	EXPECT_EQ(-1, shmget(KEY, SIZE + 1, 0));
	EXPECT_EQ(EINVAL, errno);
}

/* IPC_INFO and SHM_INFO. */
TEST_F(shm, info)
{
	struct shminfo info;

	ASSERT_EQ(0, shmctl(0, IPC_INFO, (struct shmid_ds *)&info));
	EXPECT_EQ(4096, (int)info.shmmni);
	EXPECT_EQ(1, (int)info.shmmin);
	EXPECT_EQ(1, usage().used_ids);
	EXPECT_EQ(4, (int)usage().shm_tot);
	memset(self->mem, 1, SIZE);
	EXPECT_EQ(4, (int)usage().shm_rss);
	ASSERT_EQ(0, shmdt(self->mem));
	ASSERT_EQ(0, shmctl(self->id, IPC_RMID, NULL));
	EXPECT_EQ(0, usage().used_ids);
	EXPECT_EQ(0, (int)usage().shm_tot);
}

static int attach_as_nobody(void *arg)
{
	int *id_and_flags = arg;

	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		sem_die("cannot become nobody: %s", strerror(errno));
	return shmat(id_and_flags[0], NULL, id_and_flags[1]) == NO_MEM ?
		-errno : 0;
}

/* Rule 4: attaching needs the bits to read and, unless SHM_RDONLY, write. */
TEST_F(shm, rights)
{
	struct shmid_ds ds = stat_of(self->id);
	int read_only[] = { self->id, SHM_RDONLY };
	int both[] = { self->id, 0 };

	if (!sem_real_root())
		SKIP(return, "needs root");
	EXPECT_EQ(-EACCES, run_in_child(attach_as_nobody, read_only));
	ds.shm_perm.mode = 0604;
	ASSERT_EQ(0, shmctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(0, run_in_child(attach_as_nobody, read_only));
	EXPECT_EQ(-EACCES, run_in_child(attach_as_nobody, both));
	ds.shm_perm.mode = 0606;
	ASSERT_EQ(0, shmctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(0, run_in_child(attach_as_nobody, both));
}

/* SHM_LOCK and SHM_UNLOCK are seen in the mode. */
TEST_F(shm, lock)
{
	if (shmctl(self->id, SHM_LOCK, NULL))
		SKIP(return, "SHM_LOCK: %s", strerror(errno));
	EXPECT_TRUE(stat_of(self->id).shm_perm.mode & SHM_LOCKED);
	EXPECT_EQ(0, shmctl(self->id, SHM_UNLOCK, NULL));
	EXPECT_FALSE(stat_of(self->id).shm_perm.mode & SHM_LOCKED);
}

/* Rule 27: columns and widths of the list. */
TEST_F(shm, list)
{
	char text[1024], want[512], *line;
	struct utsname kernel;
	struct shmid_ds ds;
	int widths;

	memset(self->mem, 1, SIZE);
	ds = stat_of(self->id);
	/* Sizes are as wide as a pointer of the kernel is long. */
	ASSERT_EQ(0, uname(&kernel));
	widths = strstr(kernel.machine, "64") ? 21 : 10;
	snprintf(want, sizeof(want),
		 "%10d %10d  %4o %*lu %5u %5u  %5lu %5u %5u %5u %5u %10llu %10llu %10llu %*lu %*lu\n",
		 KEY, self->id, 0600, widths, (unsigned long)SIZE, getpid(),
		 getpid(), 1UL, ds.shm_perm.uid, ds.shm_perm.gid,
		 ds.shm_perm.cuid, ds.shm_perm.cgid,
		 (unsigned long long)ds.shm_atime, 0ULL,
		 (unsigned long long)ds.shm_ctime, widths, 4 * 4096UL, widths,
		 0UL);
	ASSERT_EQ(0, file_read("/proc/sysvipc/shm", text, sizeof(text)));
	line = strchr(text, '\n');
	ASSERT_TRUE(line != NULL);
	EXPECT_STREQ(want, line + 1);
	EXPECT_EQ(0, strncmp(text, "       key      shmid perms ", 28));
}

/* Makes a segment, attaches it, and is gone without removing it. */
static int leave_orphan(void *arg)
{
	int id = shmget(IPC_PRIVATE, SIZE, 0600);

	(void)arg;
	if (id < 0 || shmat(id, NULL, 0) == NO_MEM)
		return -errno;
	return id;
}

/* shm_rmid_forced: a segment that nobody is attached to goes with its maker. */
TEST_F(shm, forced_removal)
{
	struct shmid_ds ds;
	int kept, gone;

	kept = run_in_child(leave_orphan, NULL);
	ASSERT_LE(0, kept);
	EXPECT_EQ(0, attached(kept));
	ASSERT_EQ(0, file_write(FORCED, "1"));
	/* Turned on, it takes what is orphaned already. */
	EXPECT_EQ(-1, shmctl(kept, IPC_STAT, &ds));
	EXPECT_EQ(EINVAL, errno);
	gone = run_in_child(leave_orphan, NULL);
	ASSERT_LE(0, gone);
	EXPECT_EQ(-1, shmctl(gone, IPC_STAT, &ds));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(1, usage().used_ids);
	EXPECT_EQ(1, attached(self->id));
}

/* A segment stays attached when its process changes the namespace. */
TEST_F(shm, namespaces)
{
	int fd = open("/proc/self/ns/ipc", O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, fd);
	self->mem[0] = 'x';
	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	EXPECT_EQ(-1, shmget(KEY, 0, 0));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(0, usage().used_ids);
	EXPECT_EQ('x', self->mem[0]);
	/* A second reference to the old namespace's segment, then none. */
	EXPECT_EQ(0, shmdt(self->mem));
	ASSERT_EQ(0, setns(fd, CLONE_NEWIPC));
	EXPECT_EQ(self->id, shmget(KEY, 0, 0));
	EXPECT_EQ(0, attached(self->id));
	close(fd);
}

/* Attach, detach, remove, make: all at one time, on a handful of segments. */
struct churn {
	int rounds;
	int own;
};

static int churn(void *arg)
{
	struct churn *churn = arg;
	int i;

	for (i = 0; i < churn->rounds; i++) {
		int id = shmget(KEY + 1 + i % 3, 4096, 0600 | IPC_CREAT);
		char *mem;

		if (id < 0)
			return -errno;
		mem = shmat(id, NULL, 0);
		if (mem == NO_MEM) {
			/* Removed by another. */
			if (errno != EINVAL && errno != EIDRM)
				return -errno;
			continue;
		}
		mem[0]++;
		if (i % 4 == churn->own && shmctl(id, IPC_RMID, NULL) &&
		    errno != EINVAL && errno != EIDRM)
			return -errno;
		if (shmdt(mem))
			return -errno;
	}
	return 0;
}

TEST_F(shm, churn)
{
	struct churn churns[4];
	struct sleeper *threads[4];
	int i, id;

	for (i = 0; i < 4; i++) {
		churns[i] = (struct churn) { 1500, i };
		threads[i] = sleeper_thread(churn, &churns[i]);
	}
	for (i = 0; i < 4; i++)
		EXPECT_EQ(0, sleeper_end(threads[i]));
	for (i = 0; i < 3; i++) {
		id = shmget(KEY + 1 + i, 0, 0);
		if (id >= 0) {
			EXPECT_EQ(0, attached(id));
			EXPECT_EQ(0, shmctl(id, IPC_RMID, NULL));
		}
	}
	EXPECT_EQ(1, usage().used_ids);
}

TEST_HARNESS_MAIN
