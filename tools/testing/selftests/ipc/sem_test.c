// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest.h"
#include "sem_test.h"

static bool entered_as_root;
static bool entered;

void sem_die(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("# ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	_exit(KSFT_FAIL);
}

static int write_file(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd, err = 0;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		err = -errno;
	close(fd);
	return err;
}

static int map_one_id(const char *path, unsigned int outside)
{
	char line[32];

	snprintf(line, sizeof(line), "0 %u 1", outside);
	return write_file(path, line);
}

int sem_enter_user_ns(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	int err;

	if (unshare(CLONE_NEWUSER))
		return -errno;
	err = map_one_id("/proc/self/uid_map", uid);
	if (!err)
		err = write_file("/proc/self/setgroups", "deny");
	if (!err)
		err = map_one_id("/proc/self/gid_map", gid);
	return err;
}

int sem_enter_ns(void)
{
	int err;

	if (!entered)
		entered_as_root = geteuid() == 0;
	entered = true;
	if (!unshare(CLONE_NEWIPC))
		return 0;
	if (errno != EPERM)
		return -errno;
	err = sem_enter_user_ns();
	if (err)
		return err;
	return unshare(CLONE_NEWIPC) ? -errno : 0;
}

bool sem_real_root(void)
{
	return entered ? entered_as_root : geteuid() == 0;
}

void sem_get_limits(struct sem_limits *limits)
{
	FILE *file = fopen("/proc/sys/kernel/sem", "re");

	if (!file || fscanf(file, "%d %d %d %d", &limits->msl, &limits->mns,
			    &limits->opm, &limits->mni) != 4)
		sem_die("cannot read kernel.sem: %s", strerror(errno));
	fclose(file);
}

int sem_set_limits(const struct sem_limits *limits)
{
	char line[64];

	snprintf(line, sizeof(line), "%d %d %d %d", limits->msl, limits->mns,
		 limits->opm, limits->mni);
	return write_file("/proc/sys/kernel/sem", line);
}

void sem_limit_caps(unsigned long long mask)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	int i;

	if (syscall(SYS_capget, &header, data))
		sem_die("capget: %s", strerror(errno));
	for (i = 0; i < 2; i++, mask >>= 32) {
		data[i].permitted &= (__u32)mask;
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	if (syscall(SYS_capset, &header, data))
		sem_die("capset: %s", strerror(errno));
}

int sem_new(int nsems)
{
	int id = semget(IPC_PRIVATE, nsems, 0600);

	if (id < 0)
		sem_die("semget of %d semaphores: %s", nsems, strerror(errno));
	return id;
}

static int or_errno(int result)
{
	return result < 0 ? -errno : result;
}

int sem_ops(int id, const struct sembuf *ops, size_t nops)
{
	return or_errno(semop(id, (struct sembuf *)ops, nops));
}

int sem_ops_timed(int id, const struct sembuf *ops, size_t nops,
		  const struct timespec *timeout)
{
	return or_errno(semtimedop(id, (struct sembuf *)ops, nops, timeout));
}

int sem_op(int id, int num, int op, int flags)
{
	struct sembuf sop = { num, op, flags };

	return sem_ops(id, &sop, 1);
}

int sem_val(int id, int num)
{
	return or_errno(semctl(id, num, GETVAL));
}

int sem_pid(int id, int num)
{
	return or_errno(semctl(id, num, GETPID));
}

int sem_ncnt(int id, int num)
{
	return or_errno(semctl(id, num, GETNCNT));
}

int sem_zcnt(int id, int num)
{
	return or_errno(semctl(id, num, GETZCNT));
}

int sem_setval(int id, int num, int val)
{
	union semun arg = { .val = val };

	return or_errno(semctl(id, num, SETVAL, arg));
}

int sem_getall(int id, unsigned short *vals)
{
	union semun arg = { .array = vals };

	return or_errno(semctl(id, 0, GETALL, arg));
}

int sem_setall(int id, const unsigned short *vals)
{
	union semun arg = { .array = (unsigned short *)vals };

	return or_errno(semctl(id, 0, SETALL, arg));
}

int sem_stat(int id, struct semid_ds *ds)
{
	union semun arg = { .buf = ds };

	return or_errno(semctl(id, 0, IPC_STAT, arg));
}

int sem_rm(int id)
{
	return or_errno(semctl(id, 0, IPC_RMID));
}

int sem_nsems(int id)
{
	struct semid_ds ds;
	int err = sem_stat(id, &ds);

	if (err < 0)
		sem_die("IPC_STAT of set %d: %s", id, strerror(-err));
	return ds.sem_nsems;
}

int sem_deadline(void)
{
	const char *text = getenv("SEM_TEST_DEADLINE");
	int seconds = text ? atoi(text) : 0;

	return seconds > 0 ? seconds : SEM_DEADLINE_SECONDS;
}

static time_t monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* One pause between two looks; gives slow machines a chance to get on. */
static void poll_pause(void)
{
	const struct timespec pause = { .tv_nsec = 200 * 1000 };

	nanosleep(&pause, NULL);
}

/* Polls @count(@id, @num) for @want. */
static void wait_count(int (*count)(int id, int num), const char *name,
		       int id, int num, int want)
{
	time_t end = monotonic_seconds() + sem_deadline();
	int seen;

	while ((seen = count(id, num)) != want) {
		if (seen < 0)
			sem_die("%s of set %d: %s", name, id, strerror(-seen));
		if (monotonic_seconds() > end)
			sem_die("%s of semaphore %d stays %d, expected %d",
				name, num, seen, want);
		poll_pause();
	}
}

void sem_wait_ncnt(int id, int num, int n)
{
	wait_count(sem_ncnt, "GETNCNT", id, num, n);
}

void sem_wait_zcnt(int id, int num, int n)
{
	wait_count(sem_zcnt, "GETZCNT", id, num, n);
}

static int count_sleepers(int id, int unused)
{
	int nsems = sem_nsems(id);
	int num, ncnt, zcnt;
	int sum = 0;

	(void)unused;
	for (num = 0; num < nsems; num++) {
		ncnt = sem_ncnt(id, num);
		if (ncnt < 0)
			return ncnt;
		zcnt = sem_zcnt(id, num);
		if (zcnt < 0)
			return zcnt;
		sum += ncnt + zcnt;
	}
	return sum;
}

int sem_sleepers(int id)
{
	return count_sleepers(id, 0);
}

void sem_wait_sleepers(int id, int n)
{
	wait_count(count_sleepers, "sum of GETNCNT and GETZCNT", id, -1, n);
}

/* What a sleeper gets to know. */
struct sleeper_job {
	sleeper_fn fn;
	void *arg;
	int result_fd;
	int release_fd;
};

struct sleeper_report {
	pid_t tid;
	int result;
};

static void write_report(int fd, pid_t tid, int result)
{
	struct sleeper_report report = { tid, result };

	if (write(fd, &report, sizeof(report)) != sizeof(report))
		_exit(KSFT_FAIL);
}

/* Says who it is, works, reports, and stays until the pipe is closed. */
static void sleeper_body(const struct sleeper_job *job)
{
	pid_t tid = syscall(SYS_gettid);
	char nothing;

	write_report(job->result_fd, tid, 0);
	write_report(job->result_fd, tid, job->fn(job->arg));
	while (read(job->release_fd, &nothing, 1) < 0 && errno == EINTR)
		;
}

static void *sleeper_thread_main(void *arg)
{
	struct sleeper_job *job = arg;

	sleeper_body(job);
	close(job->result_fd);
	close(job->release_fd);
	free(job);
	return NULL;
}

static void read_report(struct sleeper *s, struct sleeper_report *report)
{
	struct pollfd poller = { .fd = s->result_fd, .events = POLLIN };
	int ready;

	do
		ready = poll(&poller, 1, sem_deadline() * 1000);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		sem_die("sleeper %d: no result within %d s", s->tid,
			sem_deadline());
	if (read(s->result_fd, report, sizeof(*report)) != sizeof(*report))
		sem_die("sleeper %d died without a result", s->tid);
}

/* The job's ends of the pipes go into @job, the test's ends into the sleeper. */
static struct sleeper *sleeper_prepare(struct sleeper_job *job, sleeper_fn fn,
				       void *arg)
{
	struct sleeper *s = calloc(1, sizeof(*s));
	int result[2], release[2];

	if (!s || pipe2(result, O_CLOEXEC) || pipe2(release, O_CLOEXEC))
		sem_die("cannot prepare a sleeper: %s", strerror(errno));
	*job = (struct sleeper_job) {
		.fn = fn,
		.arg = arg,
		.result_fd = result[1],
		.release_fd = release[0],
	};
	s->result_fd = result[0];
	s->release_fd = release[1];
	return s;
}

static void sleeper_started(struct sleeper *s)
{
	struct sleeper_report report;

	read_report(s, &report);
	s->tid = report.tid;
}

/*
 * A later child inherits the test's ends of earlier sleepers' pipes; that
 * would keep those asleep after their release.
 */
static void close_fds_except(int keep1, int keep2, int keep3)
{
	unsigned int keep[3] = { keep1, keep2, keep3 };
	unsigned int first = 3;
	int i, j;

	for (i = 0; i < 3; i++) {
		for (j = i + 1; j < 3; j++) {
			if (keep[j] < keep[i]) {
				unsigned int smaller = keep[j];

				keep[j] = keep[i];
				keep[i] = smaller;
			}
		}
		if (keep[i] > first)
			syscall(SYS_close_range, first, keep[i] - 1, 0);
		if (keep[i] >= first)
			first = keep[i] + 1;
	}
	syscall(SYS_close_range, first, ~0U, 0);
}

struct sleeper *sleeper_fork_keeping(sleeper_fn fn, void *arg, int fd)
{
	struct sleeper_job job;
	struct sleeper *s = sleeper_prepare(&job, fn, arg);

	fflush(stdout);
	fflush(stderr);
	s->pid = fork();
	if (s->pid < 0)
		sem_die("fork: %s", strerror(errno));
	if (s->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close_fds_except(job.result_fd, job.release_fd, fd);
		sleeper_body(&job);
		_exit(0);
	}
	close(job.result_fd);
	close(job.release_fd);
	sleeper_started(s);
	return s;
}

struct sleeper *sleeper_fork(sleeper_fn fn, void *arg)
{
	return sleeper_fork_keeping(fn, arg, STDERR_FILENO);
}

struct sleeper *sleeper_thread(sleeper_fn fn, void *arg)
{
	struct sleeper_job *job = malloc(sizeof(*job));
	struct sleeper *s;
	int err;

	if (!job)
		sem_die("out of memory");
	s = sleeper_prepare(job, fn, arg);
	s->pid = getpid();
	s->is_thread = true;
	err = pthread_create(&s->thread, NULL, sleeper_thread_main, job);
	if (err)
		sem_die("pthread_create: %s", strerror(err));
	sleeper_started(s);
	return s;
}

struct semop_call {
	int id;
	const struct sembuf *ops;
	size_t nops;
	const struct timespec *timeout;
};

static int make_semop_call(void *arg)
{
	struct semop_call *call = arg;

	return sem_ops_timed(call->id, call->ops, call->nops, call->timeout);
}

static int make_semop_call_and_free(void *arg)
{
	int result = make_semop_call(arg);

	free(arg);
	return result;
}

struct sleeper *sleeper_ops(int id, const struct sembuf *ops, size_t nops,
			    const struct timespec *timeout)
{
	struct semop_call call = { id, ops, nops, timeout };

	return sleeper_fork(make_semop_call, &call);
}

struct sleeper *sleeper_thread_ops(int id, const struct sembuf *ops,
				   size_t nops, const struct timespec *timeout)
{
	struct semop_call *call = malloc(sizeof(*call));

	if (!call)
		sem_die("out of memory");
	*call = (struct semop_call) { id, ops, nops, timeout };
	return sleeper_thread(make_semop_call_and_free, call);
}

struct sleeper *sleeper_ops_asleep(int id, const struct sembuf *ops,
				   size_t nops)
{
	time_t end = monotonic_seconds() + sem_deadline();
	int before = sem_sleepers(id);
	struct sleeper *s = sleeper_ops(id, ops, nops, NULL);

	while (sem_sleepers(id) != before + 1) {
		if (sleeper_done(s))
			sem_die("semop returned %d instead of sleeping",
				sleeper_result(s));
		if (monotonic_seconds() > end)
			sem_die("a sleeper is not counted");
		poll_pause();
	}
	return s;
}

struct sleeper *sleeper_asleep(int id, int num, int op, int flags)
{
	struct sembuf sop = { num, op, flags };

	return sleeper_ops_asleep(id, &sop, 1);
}

bool sleeper_done(struct sleeper *s)
{
	struct pollfd poller = { .fd = s->result_fd, .events = POLLIN };

	return s->has_result || poll(&poller, 1, 0) == 1;
}

int sleeper_result(struct sleeper *s)
{
	struct sleeper_report report;

	if (!s->has_result) {
		read_report(s, &report);
		s->result = report.result;
		s->has_result = true;
	}
	return s->result;
}

void sleeper_signal(struct sleeper *s, int sig)
{
	if (syscall(SYS_tgkill, s->pid, s->tid, sig))
		sem_die("signal %d to sleeper %d: %s", sig, s->tid,
			strerror(errno));
}

static void sleeper_free(struct sleeper *s)
{
	close(s->result_fd);
	free(s);
}

static void reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0)
		if (errno != EINTR)
			sem_die("waitpid %d: %s", pid, strerror(errno));
}

/*
 * pthread_join() returns when the thread has left user space; its adjustments
 * are given back after that, and it can no longer be found when they have been.
 */
static void join(struct sleeper *s)
{
	time_t end = monotonic_seconds() + sem_deadline();

	pthread_join(s->thread, NULL);
	while (!syscall(SYS_tgkill, getpid(), s->tid, 0)) {
		if (monotonic_seconds() > end)
			sem_die("thread %d does not end", s->tid);
		poll_pause();
	}
}

int sleeper_end(struct sleeper *s)
{
	int result = sleeper_result(s);

	close(s->release_fd);
	if (s->is_thread)
		join(s);
	else
		reap(s->pid);
	sleeper_free(s);
	return result;
}

void sleeper_kill(struct sleeper *s)
{
	if (s->is_thread)
		sem_die("sleeper_kill() is for processes");
	kill(s->pid, SIGKILL);
	reap(s->pid);
	close(s->release_fd);
	sleeper_free(s);
}

int run_in_child(sleeper_fn fn, void *arg)
{
	return sleeper_end(sleeper_fork(fn, arg));
}
