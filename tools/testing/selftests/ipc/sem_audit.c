// SPDX-License-Identifier: GPL-2.0
/*
 * The audit records of semaphore calls. Needs root of the machine and a kernel
 * with syscall auditing: a rule for the test's children is added and removed.
 */
#include <linux/audit.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "sem_test.h"

/* One record, or a request of ours with its data. */
struct message {
	struct nlmsghdr header;
	union {
		struct audit_status status;
		struct audit_rule_data rule;
		struct nlmsgerr error;
		char text[8192];
	};
};

FIXTURE(audit) {
	int control;
	int records;
	int was_enabled;
	int id;
};

/* Returns 0 or -errno, as the kernel acknowledges. */
static int request(int fd, int type, const void *data, size_t len)
{
	struct message message = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(len),
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};

	memcpy(message.text, data, len);
	if (send(fd, &message, message.header.nlmsg_len, 0) < 0)
		return -errno;
	do {
		if (recv(fd, &message, sizeof(message), 0) < 0)
			return -errno;
	} while (message.header.nlmsg_type != NLMSG_ERROR);
	return message.error.error;
}

/* Whether auditing is on (2: for good), or -errno. */
static int get_enabled(int fd)
{
	struct message message = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(0),
			.nlmsg_type = AUDIT_GET,
			.nlmsg_flags = NLM_F_REQUEST,
		},
	};

	if (send(fd, &message, message.header.nlmsg_len, 0) < 0)
		return -errno;
	do {
		if (recv(fd, &message, sizeof(message), 0) < 0)
			return -errno;
		if (message.header.nlmsg_type == NLMSG_ERROR &&
		    message.error.error)
			return message.error.error;
	} while (message.header.nlmsg_type != AUDIT_GET);
	return message.status.enabled;
}

static int enable(int fd, int enabled)
{
	struct audit_status status = {
		.mask = AUDIT_STATUS_ENABLED, .enabled = enabled,
	};

	return request(fd, AUDIT_SET, &status, sizeof(status));
}

/* All system calls of this process' children are recorded, or no more. */
static int change_rule(int fd, int type)
{
	struct audit_rule_data rule = {
		.flags = AUDIT_FILTER_EXIT,
		.action = AUDIT_ALWAYS,
		.field_count = 1,
		.fields = { AUDIT_PPID },
		.fieldflags = { AUDIT_EQUAL },
		.values = { getpid() },
	};

	memset(rule.mask, 0xff, sizeof(rule.mask));
	return request(fd, type, &rule, sizeof(rule));
}

static int open_records(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = 1 << (AUDIT_NLGRP_READLOG - 1),
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return -1;
	return fd;
}

FIXTURE_SETUP(audit)
{
	self->control = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			       NETLINK_AUDIT);
	self->records = open_records();
	if (self->control < 0 || self->records < 0)
		SKIP(return, "needs root and auditing");
	self->was_enabled = get_enabled(self->control);
	if (self->was_enabled < 0 || enable(self->control, 1) ||
	    change_rule(self->control, AUDIT_ADD_RULE))
		SKIP(return, "needs system call auditing that can be changed");
	ENTER_NS_OR_SKIP();
	self->id = sem_new(2);
}

FIXTURE_TEARDOWN(audit)
{
	change_rule(self->control, AUDIT_DEL_RULE);
	enable(self->control, self->was_enabled);
}

/* How many records of ipc objects, and of what IPC_SET sets, a call left. */
struct seen {
	int objects;
	int changes;
};

static int read_record(int fd, struct message *message)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	ssize_t len;

	if (poll(&poller, 1, sem_deadline() * 1000) != 1)
		return -1;
	len = recv(fd, message, sizeof(*message) - 1, 0);
	if (len < 0)
		return -1;
	((char *)message)[len] = '\0';
	return message->header.nlmsg_type;
}

/*
 * Reads the records of a child until it has written its result: a sleeper
 * writes before its call and after it.
 */
static struct seen records_of(int fd, pid_t pid)
{
	char pid_text[32], write_text[32];
	struct seen seen = { 0 };
	struct message message;
	int type, writes = 0;
	bool ours = false;

	snprintf(pid_text, sizeof(pid_text), " pid=%d ", pid);
	snprintf(write_text, sizeof(write_text), " syscall=%d ", SYS_write);
	while (writes < 2) {
		type = read_record(fd, &message);
		if (type < 0)
			sem_die("no record of the call: %s", strerror(errno));
		if (type == AUDIT_SYSCALL) {
			ours = !!strstr(message.text, pid_text);
			writes += ours && strstr(message.text, write_text);
		} else if (type == AUDIT_IPC && ours) {
			seen.objects += !!strstr(message.text, "ouid=0");
		} else if (type == AUDIT_IPC_SET_PERM && ours) {
			seen.changes += !!strstr(message.text, "mode=0640");
		}
	}
	return seen;
}

struct job {
	int id;
	int cmd;
	struct semid_ds ds;
};

static int make_semctl(void *arg)
{
	struct job *job = arg;
	union semun buf = { .buf = &job->ds };
	int result = semctl(job->id, 0, job->cmd, buf);

	return result < 0 ? -errno : result;
}

static struct seen audited_semctl(int fd, struct job *job)
{
	struct sleeper *child = sleeper_fork(make_semctl, job);
	struct seen seen;

	if (sleeper_result(child) < 0)
		sem_die("semctl: %s", strerror(-sleeper_result(child)));
	seen = records_of(fd, child->pid);
	sleeper_end(child);
	return seen;
}

/* Rule 3: SEM_STAT_ANY is audited, though it needs no permission. */
TEST_F(audit, stat_any)
{
	struct job job = { .id = 0, .cmd = SEM_STAT_ANY };
	struct seen seen = audited_semctl(self->records, &job);

	EXPECT_EQ(1, seen.objects);
}

/* Rule 3: so are the commands that check one. */
TEST_F(audit, stat)
{
	struct job job = { .id = self->id, .cmd = IPC_STAT };
	struct seen seen = audited_semctl(self->records, &job);

	EXPECT_EQ(1, seen.objects);
}

/* Rules 3, 4: IPC_SET leaves a record of what it set. */
TEST_F(audit, set)
{
	struct job job = {
		.id = self->id, .cmd = IPC_SET,
		.ds.sem_perm.mode = 0640,
	};
	struct seen seen = audited_semctl(self->records, &job);

	EXPECT_LE(1, seen.objects);
	EXPECT_EQ(1, seen.changes);
}

TEST_HARNESS_MAIN
