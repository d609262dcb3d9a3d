// SPDX-License-Identifier: GPL-2.0
/*
 * What tells about all sets: /proc/sysvipc/sem, IPC_INFO, SEM_INFO, SEM_STAT
 * and SEM_STAT_ANY (rules 3 and 27).
 */
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#ifndef SEM_STAT_ANY
#define SEM_STAT_ANY	20
#endif

#define PROC_SEM	"/proc/sysvipc/sem"
#define HEADING		"       key      semid perms      nsems   uid   gid  cuid  cgid      otime      ctime\n"
#define NOBODY		65534

FIXTURE(proc)
{
	int unused;
};

FIXTURE_SETUP(proc)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
}

FIXTURE_TEARDOWN(proc)
{
}

/* One line of the file. */
struct line {
	int key;
	int id;
	unsigned int mode;
	unsigned int nsems;
	unsigned int uid, gid, cuid, cgid;
	unsigned long long otime, ctime;
};

struct listing {
	int nr;
	bool good;		/* every line has the form that it must have */
	struct line lines[];
};

static void print_line(char *buf, size_t size, const struct line *line)
{
	snprintf(buf, size,
		 "%10d %10d  %4o %10u %5u %5u %5u %5u %10llu %10llu\n",
		 line->key, line->id, line->mode, line->nsems, line->uid,
		 line->gid, line->cuid, line->cgid, line->otime, line->ctime);
}

/* Takes a line apart; only the very form that print_line() gives is good. */
static bool scan_line(const char *text, size_t len, struct line *line)
{
	char line_text[256], again[256];

	if (len >= sizeof(line_text))
		return false;
	/* sscanf() looks for the end of the string, however far that is. */
	memcpy(line_text, text, len);
	line_text[len] = '\0';
	if (sscanf(line_text, "%d %d %o %u %u %u %u %u %llu %llu", &line->key,
		   &line->id, &line->mode, &line->nsems, &line->uid,
		   &line->gid, &line->cuid, &line->cgid, &line->otime,
		   &line->ctime) != 10)
		return false;
	print_line(again, sizeof(again), line);
	return !strcmp(again, line_text);
}

static struct listing *scan(char *text)
{
	struct listing *list = calloc(1, sizeof(*list));
	char *end;

	if (!list)
		sem_die("out of memory");
	list->good = !strncmp(text, HEADING, strlen(HEADING));
	if (!list->good)
		return list;
	for (text += strlen(HEADING); *text; text = end + 1) {
		list = realloc(list, sizeof(*list) +
			       (list->nr + 1) * sizeof(list->lines[0]));
		end = strchr(text, '\n');
		if (!list || !end)
			sem_die("cannot take %s apart", PROC_SEM);
		list->good &= scan_line(text, end + 1 - text,
					&list->lines[list->nr++]);
	}
	return list;
}

/* Reads from @fd to the end in steps of @step bytes; -1 on an error. */
static ssize_t read_on(int fd, char *buf, size_t size, size_t step)
{
	size_t len = 0;
	ssize_t got;

	do {
		if (len + step >= size)
			sem_die("%s is longer than expected", PROC_SEM);
		got = read(fd, buf + len, step);
		if (got < 0)
			return -1;
		len += got;
	} while (got);
	buf[len] = '\0';
	return len;
}

static struct listing *list_fd(int fd)
{
	enum { SIZE = 8 << 20 };
	char *text = malloc(SIZE);
	struct listing *list;

	if (!text || read_on(fd, text, SIZE, 65536) < 0)
		sem_die("cannot read %s: %s", PROC_SEM, strerror(errno));
	list = scan(text);
	free(text);
	return list;
}

static int open_proc(void)
{
	int fd = open(PROC_SEM, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		sem_die(PROC_SEM ": %s", strerror(errno));
	return fd;
}

static struct listing *list_all(void)
{
	int fd = open_proc();
	struct listing *list = list_fd(fd);

	close(fd);
	return list;
}

static int times_listed(const struct listing *list, int id)
{
	int i, times = 0;

	for (i = 0; i < list->nr; i++)
		times += list->lines[i].id == id;
	return times;
}

static int info(int cmd, struct seminfo *seminfo)
{
	union semun arg = { .__buf = seminfo };
	int result = semctl(0, 0, cmd, arg);

	return result < 0 ? -errno : result;
}

static int stat_index(int cmd, int index, struct semid_ds *ds)
{
	union semun arg = { .buf = ds };
	int result = semctl(index, 0, cmd, arg);

	return result < 0 ? -errno : result;
}

/* Index within the array of sets, of an id. */
static int index_of(int id)
{
	struct semid_ds ds;
	int i, highest;
	struct seminfo unused;

	highest = info(SEM_INFO, &unused);
	for (i = 0; i <= highest; i++)
		if (stat_index(SEM_STAT_ANY, i, &ds) == id)
			return i;
	return -1;
}

/* Rule 27: without sets there is the heading alone. */
TEST_F(proc, heading)
{
	char text[sizeof(HEADING) + 100];
	int fd = open_proc();

	ASSERT_EQ((ssize_t)strlen(HEADING),
		  read_on(fd, text, sizeof(text), 100));
	EXPECT_STREQ(HEADING, text);
	close(fd);
}

/* Rule 27: columns and widths, and the same values as IPC_STAT. */
TEST_F(proc, line_of_a_set)
{
	static const struct {
		key_t key;
		int nsems;
		int mode;
	} sets[] = {
		{ 0x12345678, 3, 0640 },
		{ -2, 32000, 0 },
		{ 0x7fffffff, 1, 0777 },
		{ (key_t)0x80000000, 7, 0007 },
		{ IPC_PRIVATE, 1, 0600 },
	};
	struct listing *list;
	size_t i;

	for (i = 0; i < ARRAY_LEN(sets); i++) {
		int id = semget(sets[i].key, sets[i].nsems,
				sets[i].mode | IPC_CREAT);

		ASSERT_LE(0, id);
		ASSERT_EQ(0, sem_op(id, 0, i & 1, 0));
	}
	list = list_all();
	EXPECT_TRUE(list->good);
	ASSERT_EQ((int)ARRAY_LEN(sets), list->nr);
	for (i = 0; i < ARRAY_LEN(sets); i++) {
		const struct line *line = &list->lines[i];
		struct semid_ds ds;

		ASSERT_EQ(0, sem_stat(line->id, &ds));
		EXPECT_EQ(sets[i].key, line->key);
		EXPECT_EQ(sets[i].nsems, (int)line->nsems);
		EXPECT_EQ(sets[i].mode, (int)line->mode);
		EXPECT_EQ((int)ds.sem_perm.mode, (int)line->mode);
		EXPECT_EQ(ds.sem_perm.uid, line->uid);
		EXPECT_EQ(ds.sem_perm.gid, line->gid);
		EXPECT_EQ(ds.sem_perm.cuid, line->cuid);
		EXPECT_EQ(ds.sem_perm.cgid, line->cgid);
		EXPECT_EQ((long long)ds.sem_otime, (long long)line->otime);
		EXPECT_EQ((long long)ds.sem_ctime, (long long)line->ctime);
		EXPECT_NE(0, (long long)line->otime);
	}
	free(list);
}

/* Rule 27: owner and creator are columns of their own; no otime is a 0. */
TEST_F(proc, owner_and_creator)
{
	struct semid_ds ds;
	union semun arg = { .buf = &ds };
	struct listing *list;
	int id = sem_new(1);

	if (!sem_real_root())
		SKIP(return, "needs root");
	ASSERT_EQ(0, sem_stat(id, &ds));
	ds.sem_perm.uid = 1234;
	ds.sem_perm.gid = 12345678;
	ds.sem_perm.mode = 0606;
	ASSERT_EQ(0, semctl(id, 0, IPC_SET, arg));
	list = list_all();
	EXPECT_TRUE(list->good);
	ASSERT_EQ(1, list->nr);
	EXPECT_EQ(1234, (int)list->lines[0].uid);
	EXPECT_EQ(12345678, (int)list->lines[0].gid);
	EXPECT_EQ(0, (int)list->lines[0].cuid);
	EXPECT_EQ(0, (int)list->lines[0].cgid);
	EXPECT_EQ(0606, (int)list->lines[0].mode);
	EXPECT_EQ(0, (int)list->lines[0].otime);
	free(list);
}

/* Rule 27: a reader of any step size gets the same text. */
TEST_F(proc, steps_and_seeks)
{
	enum { SETS = 300, SIZE = 1 << 20 };
	static const size_t steps[] = { 1, 7, 81, 82, 83, 1000, 4096, 65536 };
	char *whole = malloc(SIZE), *part = malloc(SIZE);
	ssize_t len;
	size_t i;
	int fd = open_proc();

	for (i = 0; i < SETS; i++)
		sem_new(1 + i);
	len = read_on(fd, whole, SIZE, 65536);
	ASSERT_LT(SETS * 80, len);
	for (i = 0; i < ARRAY_LEN(steps); i++) {
		ASSERT_EQ(0, lseek(fd, 0, SEEK_SET));
		EXPECT_EQ(len, read_on(fd, part, SIZE, steps[i]));
		EXPECT_STREQ(whole, part);
	}
	for (i = 0; i < (size_t)len; i += 1777) {
		ASSERT_EQ((off_t)i, lseek(fd, i, SEEK_SET));
		EXPECT_EQ(len - (ssize_t)i, read_on(fd, part, SIZE, 4096));
		EXPECT_STREQ(whole + i, part);
		EXPECT_EQ(50, pread(fd, part, 50, i / 2));
		EXPECT_EQ(0, memcmp(whole + i / 2, part, 50));
	}
	close(fd);
	free(whole);
	free(part);
}

/*
 * Rule 27: each set that is there all the time is listed once though others
 * are removed and made between the reads of one pass.
 */
TEST_F(proc, changes_while_reading)
{
	enum { SETS = 500, SIZE = 1 << 20 };
	char *text = malloc(SIZE);
	int id[SETS], pass, i;

	for (i = 0; i < SETS; i++)
		id[i] = sem_new(1);
	for (pass = 0; pass < 40; pass++) {
		struct listing *list;
		size_t len = 0;
		ssize_t got;
		int fd = open_proc();
		/* Removed are: 0, those before, at and after the reader. */
		int next = 0;

		do {
			got = read(fd, text + len, 100 + pass * 13);
			ASSERT_LE(0, got);
			len += got;
			if (next < SETS) {
				int gone = (next * 3 + pass) % SETS;

				/* Every third stays. */
				gone -= gone % 3 == 2;
				ASSERT_EQ(0, sem_rm(id[gone]));
				id[gone] = sem_new(1);
				next++;
			}
		} while (got);
		text[len] = '\0';
		close(fd);
		list = scan(text);
		EXPECT_TRUE(list->good);
		for (i = 2; i < SETS; i += 3)
			EXPECT_EQ(1, times_listed(list, id[i]));
		for (i = 0; i < list->nr; i++)
			EXPECT_EQ(1, times_listed(list, list->lines[i].id));
		free(list);
		ASSERT_EQ(KSFT_PASS, _metadata->exit_code);
	}
	free(text);
}

/* Rule 27: removal of the very set that the reader stands at. */
TEST_F(proc, removal_at_the_reader)
{
	enum { SETS = 60, SIZE = 1 << 16 };
	size_t line_len = strlen(HEADING);
	int at;

	for (at = 0; at < SETS; at++) {
		char *text = malloc(SIZE);
		struct listing *list;
		int id[SETS], i, fd;
		ssize_t len, rest;

		for (i = 0; i < SETS; i++)
			id[i] = sem_new(1);
		fd = open_proc();
		len = read(fd, text, line_len * (at + 1));
		ASSERT_LT(0, len);
		ASSERT_EQ(0, sem_rm(id[at]));
		if (at + 1 < SETS)
			ASSERT_EQ(0, sem_rm(id[at + 1]));
		rest = read_on(fd, text + len, SIZE - len, 4096);
		ASSERT_LE(0, rest);
		list = scan(text);
		for (i = 0; i < SETS; i++)
			if (i != at && i != at + 1)
				EXPECT_EQ(1, times_listed(list, id[i]));
		for (i = 0; i < SETS; i++)
			if (i != at && i != at + 1)
				ASSERT_EQ(0, sem_rm(id[i]));
		free(list);
		free(text);
		close(fd);
		ASSERT_EQ(KSFT_PASS, _metadata->exit_code);
	}
}

struct churn {
	volatile bool stop;
	int made;
};

static int make_and_remove(void *arg)
{
	struct churn *churn = arg;
	int id[20] = { }, i = 0;

	while (!churn->stop) {
		if (churn->made >= 20 && sem_rm(id[i]))
			return -errno;
		id[i] = semget(IPC_PRIVATE, 5, 0600);
		if (id[i] < 0)
			return -errno;
		churn->made++;
		i = (i + 7) % 20;
	}
	return 0;
}

/* Rule 27: the same against a thread that makes and removes all the time. */
TEST_F(proc, churn_while_reading)
{
	enum { SETS = 100, SIZE = 1 << 20 };
	char *text = malloc(SIZE);
	struct churn churn = { };
	struct sleeper *thread;
	int id[SETS], pass, i;

	for (i = 0; i < SETS; i++)
		id[i] = sem_new(1);
	thread = sleeper_thread(make_and_remove, &churn);
	for (pass = 0; pass < 300; pass++) {
		int fd = open_proc();
		struct listing *list;

		ASSERT_LT(0, read_on(fd, text, SIZE, 200 + pass * 31));
		close(fd);
		list = scan(text);
		EXPECT_TRUE(list->good);
		for (i = 0; i < SETS; i++)
			EXPECT_EQ(1, times_listed(list, id[i]));
		free(list);
		ASSERT_EQ(KSFT_PASS, _metadata->exit_code);
	}
	churn.stop = true;
	EXPECT_EQ(0, sleeper_end(thread));
	EXPECT_LT(20, churn.made);
	free(text);
}

/* Rule 27: the file is that of the IPC namespace in which it was opened. */
TEST_F(proc, ipc_namespace_of_the_opener)
{
	int id = sem_new(3), there, fd = open_proc();
	struct listing *list;

	ASSERT_EQ(0, unshare(CLONE_NEWIPC));
	there = sem_new(4);
	ASSERT_EQ(0, sem_setval(there, 0, 1));
	list = list_fd(fd);
	ASSERT_EQ(1, list->nr);
	EXPECT_EQ(id, list->lines[0].id);
	EXPECT_EQ(3, (int)list->lines[0].nsems);
	free(list);
	close(fd);
	list = list_all();
	ASSERT_EQ(1, list->nr);
	EXPECT_EQ(4, (int)list->lines[0].nsems);
	free(list);
}

static int first_owner(int fd)
{
	struct listing *list = list_fd(fd);
	int owner = list->nr == 1 ? (int)list->lines[0].uid : -1;

	free(list);
	return owner;
}

/* The owner as seen by who opens the file where the user 1234 is 77. */
static int owner_in_user_ns(void *arg)
{
	int owner, err, fd;

	(void)arg;
	if (setuid(1234) || unshare(CLONE_NEWUSER) ||
	    prctl(PR_SET_DUMPABLE, 1))
		return -errno;
	err = file_write("/proc/self/uid_map", "77 1234 1");
	if (err)
		return err;
	fd = open_proc();
	owner = first_owner(fd);
	close(fd);
	return owner;
}

static void set_owner(int id, uid_t uid)
{
	struct semid_ds ds;
	union semun arg = { .buf = &ds };

	if (sem_stat(id, &ds))
		sem_die("IPC_STAT");
	ds.sem_perm.uid = uid;
	if (semctl(id, 0, IPC_SET, arg))
		sem_die("IPC_SET: %s", strerror(errno));
}

/* Rule 27: user ids are those of the opener's user namespace. */
TEST_F(proc, user_namespace_of_the_opener)
{
	int id = sem_new(1), fd;

	if (!sem_real_root())
		SKIP(return, "needs root");
	set_owner(id, 1234);
	EXPECT_EQ(77, run_in_child(owner_in_user_ns, NULL));
	/* An id without a mapping. */
	set_owner(id, 1235);
	EXPECT_EQ(NOBODY, run_in_child(owner_in_user_ns, NULL));
	/* Whoever reads what was opened outside sees it as the opener. */
	fd = open_proc();
	ASSERT_EQ(0, unshare(CLONE_NEWUSER));
	EXPECT_EQ(1235, first_owner(fd));
	close(fd);
	fd = open_proc();
	EXPECT_EQ(NOBODY, first_owner(fd));
	close(fd);
}

static int compare_ids(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Rule 27: each of very many sets is listed once. That a pass is linear shows
 * in measurements; a test cannot depend on speed.
 */
TEST_F(proc, many_sets)
{
	enum { SETS = 16000 };
	struct listing *list;
	unsigned int i;

	for (i = 0; i < SETS; i++)
		sem_new(1 + i % 3);
	list = list_all();
	EXPECT_TRUE(list->good);
	ASSERT_EQ(SETS, list->nr);
	qsort(list->lines, SETS, sizeof(list->lines[0]), compare_ids);
	for (i = 1; i < SETS; i++)
		ASSERT_LT(list->lines[i - 1].id, list->lines[i].id);
	free(list);
}

/* IPC_INFO tells the limits, SEM_INFO the usage beside. */
TEST_F(proc, limits_and_usage)
{
	struct sem_limits limits = { 300, 4000, 50, 60 };
	struct seminfo seminfo;
	int a, b;

	ASSERT_EQ(0, sem_set_limits(&limits));
	a = sem_new(7);
	b = sem_new(11);
	ASSERT_LE(0, info(IPC_INFO, &seminfo));
	EXPECT_EQ(300, seminfo.semmsl);
	EXPECT_EQ(4000, seminfo.semmns);
	EXPECT_EQ(50, seminfo.semopm);
	EXPECT_EQ(60, seminfo.semmni);
	EXPECT_EQ(32767, seminfo.semvmx);
	ASSERT_LE(0, info(SEM_INFO, &seminfo));
	EXPECT_EQ(300, seminfo.semmsl);
	EXPECT_EQ(60, seminfo.semmni);
	EXPECT_EQ(2, seminfo.semusz);
	EXPECT_EQ(18, seminfo.semaem);
	ASSERT_EQ(0, sem_rm(a));
	ASSERT_LE(0, info(SEM_INFO, &seminfo));
	EXPECT_EQ(1, seminfo.semusz);
	EXPECT_EQ(11, seminfo.semaem);
	ASSERT_EQ(0, sem_rm(b));
	ASSERT_LE(0, info(SEM_INFO, &seminfo));
	EXPECT_EQ(0, seminfo.semusz);
	EXPECT_EQ(0, seminfo.semaem);
}

/* Rule 3: both return the highest index in use. */
TEST_F(proc, highest_index)
{
	struct seminfo unused;
	int id[4], i;

	EXPECT_EQ(0, info(IPC_INFO, &unused));
	EXPECT_EQ(0, info(SEM_INFO, &unused));
	for (i = 0; i < 4; i++) {
		id[i] = sem_new(1);
		EXPECT_EQ(index_of(id[i]), info(IPC_INFO, &unused));
		EXPECT_EQ(index_of(id[i]), info(SEM_INFO, &unused));
	}
	EXPECT_LE(3, info(SEM_INFO, &unused));
	/* One in the middle changes nothing, the last one does. */
	ASSERT_EQ(0, sem_rm(id[1]));
	EXPECT_EQ(index_of(id[3]), info(SEM_INFO, &unused));
	ASSERT_EQ(0, sem_rm(id[3]));
	EXPECT_EQ(index_of(id[2]), info(IPC_INFO, &unused));
	ASSERT_EQ(0, sem_rm(id[2]));
	EXPECT_EQ(index_of(id[0]), info(SEM_INFO, &unused));
	ASSERT_EQ(0, sem_rm(id[0]));
	EXPECT_EQ(0, info(IPC_INFO, &unused));
}

/* Rule 3: a negative id is EINVAL even where the id does not matter. */
TEST_F(proc, negative_id)
{
	struct seminfo seminfo;
	union semun arg = { .__buf = &seminfo };
	struct semid_ds ds;

	EXPECT_EQ(-1, semctl(-1, 0, IPC_INFO, arg));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, semctl(-1, 0, SEM_INFO, arg));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-EINVAL, stat_index(SEM_STAT, -1, &ds));
	EXPECT_EQ(-EINVAL, stat_index(SEM_STAT_ANY, -1, &ds));
}

/* Rule 3: SEM_STAT takes an index, returns the id, and fills the struct. */
TEST_F(proc, stat_by_index)
{
	struct semid_ds by_index, by_id;
	struct seminfo unused;
	int cmds[] = { SEM_STAT, SEM_STAT_ANY };
	int id[3], i, index;
	size_t cmd;

	for (i = 0; i < 3; i++)
		id[i] = sem_new(i + 5);
	for (cmd = 0; cmd < 2; cmd++) {
		for (i = 0; i < 3; i++) {
			index = index_of(id[i]);
			ASSERT_LE(0, index);
			memset(&by_index, 0x11, sizeof(by_index));
			memset(&by_id, 0x11, sizeof(by_id));
			EXPECT_EQ(id[i], stat_index(cmds[cmd], index,
						    &by_index));
			ASSERT_EQ(0, sem_stat(id[i], &by_id));
			EXPECT_EQ(i + 5, (int)by_index.sem_nsems);
			EXPECT_EQ(0, memcmp(&by_index, &by_id, sizeof(by_id)));
		}
		index = info(SEM_INFO, &unused) + 1;
		EXPECT_EQ(-EINVAL, stat_index(cmds[cmd], index, &by_index));
	}
	index = index_of(id[1]);
	ASSERT_EQ(0, sem_rm(id[1]));
	EXPECT_EQ(-EINVAL, stat_index(SEM_STAT, index, &by_index));
	EXPECT_EQ(-EINVAL, stat_index(SEM_STAT_ANY, index, &by_index));
}

/* Rule 3: the sequence number in what is given as index is ignored. */
TEST_F(proc, stat_ignores_the_sequence_number)
{
	struct semid_ds ds;
	int first = sem_new(1), id;

	ASSERT_EQ(0, sem_rm(first));
	id = sem_new(2);
	ASSERT_EQ(0, sem_rm(id));
	id = sem_new(3);
	/* An id holds its index: all ids of one index name what is there. */
	EXPECT_EQ(id, stat_index(SEM_STAT, id, &ds));
	EXPECT_EQ(3, (int)ds.sem_nsems);
	EXPECT_EQ(id, stat_index(SEM_STAT_ANY, id, &ds));
	if (index_of(id) == (first & 0x7fff)) {
		EXPECT_EQ(id, stat_index(SEM_STAT, first, &ds));
		EXPECT_EQ(id, stat_index(SEM_STAT_ANY, first, &ds));
	}
}

static int stat_as_nobody(void *arg)
{
	int *cmd_and_index = arg;
	struct semid_ds ds;

	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		sem_die("cannot become nobody: %s", strerror(errno));
	return stat_index(cmd_and_index[0], cmd_and_index[1], &ds);
}

/* Rule 3: SEM_STAT needs the right to read, SEM_STAT_ANY does not. */
TEST_F(proc, stat_any_needs_no_right)
{
	int id, arg[2];

	if (!sem_real_root())
		SKIP(return, "needs root");
	id = sem_new(1);
	arg[1] = index_of(id);
	arg[0] = SEM_STAT;
	EXPECT_EQ(-EACCES, run_in_child(stat_as_nobody, arg));
	arg[0] = SEM_STAT_ANY;
	EXPECT_EQ(id, run_in_child(stat_as_nobody, arg));
	id = semget(IPC_PRIVATE, 1, 0604);
	arg[1] = index_of(id);
	arg[0] = SEM_STAT;
	EXPECT_EQ(id, run_in_child(stat_as_nobody, arg));
}

static int lines_as_nobody(void *arg)
{
	struct listing *list;
	int nr;

	(void)arg;
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		sem_die("cannot become nobody: %s", strerror(errno));
	list = list_all();
	nr = list->good ? list->nr : -1;
	free(list);
	return nr;
}

/* The file and the numbers need no right to read the sets. */
TEST_F(proc, file_needs_no_right)
{
	int i;

	if (!sem_real_root())
		SKIP(return, "needs root");
	for (i = 0; i < 3; i++)
		sem_new(1);
	EXPECT_EQ(3, run_in_child(lines_as_nobody, NULL));
}

TEST_HARNESS_MAIN
