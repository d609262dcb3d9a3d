// SPDX-License-Identifier: GPL-2.0
/*
 * Message queues over the object layer: they are not ours, but what they take
 * from it (look-up, rights, limits, removal under sleepers) is.
 */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define MSGMAX	"/proc/sys/kernel/msgmax"
#define MSGMNB	"/proc/sys/kernel/msgmnb"
#define HEADING	"       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid  cuid  cgid      stime      rtime      ctime\n"
#define NOBODY	65534
#define TEXT	8

struct message {
	long type;
	char text[TEXT];
};

FIXTURE(msg)
{
	int id;
};

FIXTURE_SETUP(msg)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->id = msgget(IPC_PRIVATE, 0600);
	ASSERT_LE(0, self->id);
}

FIXTURE_TEARDOWN(msg)
{
}

/* The calls; -errno on failure. */
static int put(int id, long type, const char *text, int flags)
{
	struct message message = { .type = type };

	memcpy(message.text, text, strnlen(text, TEXT));
	return msgsnd(id, &message, TEXT, flags) ? -errno : 0;
}

/* The type of the message, whose text must be @text unless that is NULL. */
static int take(int id, long type, const char *text, int flags)
{
	struct message message;
	ssize_t len = msgrcv(id, &message, TEXT, type, flags);

	if (len < 0)
		return -errno;
	if (len != TEXT || (text && strncmp(message.text, text, TEXT)))
		return -EBADMSG;
	return message.type;
}

static struct msqid_ds stat_of(int id)
{
	struct msqid_ds ds;

	if (msgctl(id, IPC_STAT, &ds))
		sem_die("IPC_STAT of queue %d: %s", id, strerror(errno));
	return ds;
}

/* Messages come in order; types select. */
TEST_F(msg, order_and_types)
{
	ASSERT_EQ(0, put(self->id, 3, "a", 0));
	ASSERT_EQ(0, put(self->id, 1, "b", 0));
	ASSERT_EQ(0, put(self->id, 2, "c", 0));
	ASSERT_EQ(0, put(self->id, 3, "d", 0));
	ASSERT_EQ(0, put(self->id, 1, "e", 0));
	ASSERT_EQ(0, put(self->id, 5, "f", 0));
	EXPECT_EQ(6, (int)stat_of(self->id).msg_qnum);
	EXPECT_EQ(3, take(self->id, 0, "a", 0));
	EXPECT_EQ(3, take(self->id, 3, "d", 0));
	/* The lowest type up to 2. */
	EXPECT_EQ(1, take(self->id, -2, "b", 0));
	EXPECT_EQ(1, take(self->id, -2, "e", 0));
	EXPECT_EQ(2, take(self->id, -2, "c", 0));
	EXPECT_EQ(-ENOMSG, take(self->id, -4, NULL, IPC_NOWAIT));
	EXPECT_EQ(-ENOMSG, take(self->id, 5, NULL, IPC_NOWAIT | MSG_EXCEPT));
	EXPECT_EQ(5, take(self->id, 4, "f", MSG_EXCEPT));
	EXPECT_EQ(-ENOMSG, take(self->id, 0, NULL, IPC_NOWAIT));
	EXPECT_EQ(0, (int)stat_of(self->id).msg_qnum);
}

/* MSG_COPY looks at a message by its place and leaves it. */
TEST_F(msg, copy)
{
	int err;

	ASSERT_EQ(0, put(self->id, 3, "a", 0));
	ASSERT_EQ(0, put(self->id, 4, "b", 0));
	err = take(self->id, 1, "b", MSG_COPY | IPC_NOWAIT);
	if (err == -ENOSYS)
		SKIP(return, "no CONFIG_CHECKPOINT_RESTORE");
	EXPECT_EQ(4, err);
	EXPECT_EQ(3, take(self->id, 0, "a", MSG_COPY | IPC_NOWAIT));
	EXPECT_EQ(-ENOMSG, take(self->id, 2, NULL, MSG_COPY | IPC_NOWAIT));
	EXPECT_EQ(-EINVAL, take(self->id, 0, NULL, MSG_COPY));
	EXPECT_EQ(2, (int)stat_of(self->id).msg_qnum);
}

/* Lengths: too small a buffer, cut, none, too long. */
TEST_F(msg, lengths)
{
	struct { long type; char text[9000]; } big = { .type = 1 };
	struct msqid_ds ds;

	ASSERT_EQ(0, put(self->id, 1, "abcdefgh", 0));
	EXPECT_EQ(-1, msgrcv(self->id, &big, 3, 0, 0));
	EXPECT_EQ(E2BIG, errno);
	EXPECT_EQ(3, msgrcv(self->id, &big, 3, 0, MSG_NOERROR));
	EXPECT_EQ(0, memcmp("abc", big.text, 3));
	EXPECT_EQ(0, msgsnd(self->id, &big, 0, 0));
	EXPECT_EQ(0, msgrcv(self->id, &big, 0, 0, 0));
	EXPECT_EQ(-1, msgsnd(self->id, &big, 8193, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, msgsnd(self->id, &big, -1, 0));
	EXPECT_EQ(EINVAL, errno);
	big.type = 0;
	EXPECT_EQ(-1, msgsnd(self->id, &big, 8, 0));
	EXPECT_EQ(EINVAL, errno);
	/* More than a page, in several pieces within the kernel. */
	big.type = 7;
	memset(big.text, 'x', sizeof(big.text));
	big.text[8191] = 'y';
	EXPECT_EQ(0, msgsnd(self->id, &big, 8192, 0));
	ds = stat_of(self->id);
	EXPECT_EQ(8192, (int)ds.__msg_cbytes);
	memset(&big, 0, sizeof(big));
	EXPECT_EQ(8192, msgrcv(self->id, &big, sizeof(big.text), 0, 0));
	EXPECT_EQ('x', big.text[0]);
	EXPECT_EQ('y', big.text[8191]);
	EXPECT_EQ(7, big.type);
}

/* A full queue refuses; room made lets the next one in. */
TEST_F(msg, full_queue)
{
	struct msqid_ds ds = stat_of(self->id);
	int i;

	ds.msg_qbytes = 10 * TEXT;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, put(self->id, 1, "x", IPC_NOWAIT));
	EXPECT_EQ(-EAGAIN, put(self->id, 1, "x", IPC_NOWAIT));
	EXPECT_EQ(1, take(self->id, 0, "x", 0));
	EXPECT_EQ(0, put(self->id, 1, "x", IPC_NOWAIT));
	EXPECT_EQ(80, (int)stat_of(self->id).__msg_cbytes);
}

/* What IPC_STAT tells: pids, times, numbers. */
TEST_F(msg, stat)
{
	struct msqid_ds ds = stat_of(self->id);
	time_t before = time(NULL);

	EXPECT_EQ(0, ds.msg_stime);
	EXPECT_EQ(0, ds.msg_rtime);
	EXPECT_NE(0, ds.msg_ctime);
	EXPECT_EQ(0, ds.msg_lspid);
	EXPECT_EQ(0, ds.msg_lrpid);
	EXPECT_EQ(file_number(MSGMNB), (long)ds.msg_qbytes);
	ASSERT_EQ(0, put(self->id, 1, "x", 0));
	ds = stat_of(self->id);
	EXPECT_EQ(getpid(), ds.msg_lspid);
	EXPECT_EQ(0, ds.msg_lrpid);
	EXPECT_LE(before, ds.msg_stime + 1);
	EXPECT_EQ(0, ds.msg_rtime);
	EXPECT_EQ(1, take(self->id, 0, "x", 0));
	ds = stat_of(self->id);
	EXPECT_EQ(getpid(), ds.msg_lrpid);
	EXPECT_LE(before, ds.msg_rtime + 1);
	EXPECT_EQ(0, (int)ds.__msg_cbytes);
}

static int take_one(void *arg)
{
	return take(*(int *)arg, 0, NULL, 0);
}

static int put_one(void *arg)
{
	return put(*(int *)arg, 9, "x", 0);
}

/* Whether the sleeper's thread sleeps, by its state in /proc. */
static bool is_asleep(const struct sleeper *s)
{
	char path[64], text[512], *state;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", s->pid, s->tid);
	if (file_read(path, text, sizeof(text)))
		return false;
	state = strrchr(text, ')');
	return state && state[2] == 'S';
}

static struct sleeper *asleep(sleeper_fn fn, int *id)
{
	struct sleeper *s = sleeper_fork(fn, id);

	/* It sleeps in the call or, once that is over, at its end. */
	while (!is_asleep(s))
		sched_yield();
	return s;
}

/* A sleeping receiver gets the message that comes, a sender the room. */
TEST_F(msg, sleepers_are_served)
{
	struct msqid_ds ds = stat_of(self->id);
	struct sleeper *receiver = asleep(take_one, &self->id);
	struct sleeper *sender;

	EXPECT_FALSE(sleeper_done(receiver));
	ASSERT_EQ(0, put(self->id, 5, "x", 0));
	EXPECT_EQ(5, sleeper_end(receiver));
	EXPECT_EQ(0, (int)stat_of(self->id).msg_qnum);

	ds.msg_qbytes = TEXT;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	ASSERT_EQ(0, put(self->id, 1, "x", 0));
	sender = asleep(put_one, &self->id);
	EXPECT_FALSE(sleeper_done(sender));
	EXPECT_EQ(1, take(self->id, 0, "x", 0));
	EXPECT_EQ(0, sleeper_end(sender));
	EXPECT_EQ(9, take(self->id, 0, "x", 0));
}

/* A larger limit on bytes lets sleeping senders go on. */
TEST_F(msg, more_room_wakes_senders)
{
	struct msqid_ds ds = stat_of(self->id);
	struct sleeper *sender;

	ds.msg_qbytes = TEXT;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	ASSERT_EQ(0, put(self->id, 1, "x", 0));
	sender = asleep(put_one, &self->id);
	ds.msg_qbytes = 4 * TEXT;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(0, sleeper_end(sender));
	EXPECT_EQ(2, (int)stat_of(self->id).msg_qnum);
}

/* Rule 22: removal ends sleeping receivers and senders with EIDRM. */
TEST_F(msg, removal_wakes)
{
	struct msqid_ds ds = stat_of(self->id);
	int full = msgget(IPC_PRIVATE, 0600);
	struct sleeper *receivers[3], *senders[3];
	int i;

	ds.msg_qbytes = TEXT;
	ASSERT_EQ(0, msgctl(full, IPC_SET, &ds));
	ASSERT_EQ(0, put(full, 1, "x", 0));
	for (i = 0; i < 3; i++) {
		receivers[i] = asleep(take_one, &self->id);
		senders[i] = asleep(put_one, &full);
	}
	ASSERT_EQ(0, msgctl(self->id, IPC_RMID, NULL));
	ASSERT_EQ(0, msgctl(full, IPC_RMID, NULL));
	EXPECT_EQ(-EINVAL, put(full, 1, "x", 0));
	EXPECT_EQ(-EINVAL, take(self->id, 0, NULL, 0));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(-EIDRM, sleeper_end(receivers[i]));
		EXPECT_EQ(-EIDRM, sleeper_end(senders[i]));
	}
}

static void caught(int sig)
{
	(void)sig;
}

/* A signal ends a sleeping call with EINTR and takes no message. */
TEST_F(msg, signal_interrupts)
{
	struct sleeper *receiver;

	signal(SIGUSR1, caught);
	receiver = asleep(take_one, &self->id);
	sleeper_signal(receiver, SIGUSR1);
	EXPECT_EQ(-EINTR, sleeper_end(receiver));
	ASSERT_EQ(0, put(self->id, 1, "x", 0));
	EXPECT_EQ(1, (int)stat_of(self->id).msg_qnum);
}

static int raise_limit_as_nobody(void *arg)
{
	int id = *(int *)arg;
	struct msqid_ds ds;

	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		sem_die("cannot become nobody: %s", strerror(errno));
	ds = stat_of(id);
	ds.msg_qbytes = file_number(MSGMNB) + 1;
	return msgctl(id, IPC_SET, &ds) ? -errno : 0;
}

/* The limit on bytes beyond msgmnb needs a privilege. */
TEST_F(msg, limit_on_bytes)
{
	struct msqid_ds ds = stat_of(self->id);

	if (!sem_real_root())
		SKIP(return, "needs root");
	ds.msg_perm.uid = NOBODY;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(-EPERM, run_in_child(raise_limit_as_nobody, &self->id));
	ds.msg_qbytes = file_number(MSGMNB) + 1;
	if (!task_has_capability(CAP_SYS_RESOURCE)) {
		EXPECT_EQ(-1, msgctl(self->id, IPC_SET, &ds));
		EXPECT_EQ(EPERM, errno);
		return;
	}
	EXPECT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(ds.msg_qbytes, stat_of(self->id).msg_qbytes);
}

static int send_as_nobody(void *arg)
{
	int id = *(int *)arg;
	int err;

	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		sem_die("cannot become nobody: %s", strerror(errno));
	err = put(id, 1, "x", IPC_NOWAIT);
	/* Both answers in one number. */
	return err * 1000 + take(id, 0, NULL, IPC_NOWAIT);
}

/* Rule 4: to send needs the bit to write, to receive the one to read. */
TEST_F(msg, rights)
{
	struct msqid_ds ds = stat_of(self->id);

	if (!sem_real_root())
		SKIP(return, "needs root");
	EXPECT_EQ(-EACCES * 1000 - EACCES,
		  run_in_child(send_as_nobody, &self->id));
	ds.msg_perm.mode = 0602;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(-EACCES, run_in_child(send_as_nobody, &self->id));
	ds.msg_perm.mode = 0604;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(-EACCES * 1000 + 1, run_in_child(send_as_nobody, &self->id));
	ds.msg_perm.mode = 0606;
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	EXPECT_EQ(1, run_in_child(send_as_nobody, &self->id));
}

/* IPC_INFO and MSG_INFO. */
TEST_F(msg, info)
{
	struct msginfo info;

	ASSERT_EQ(0, put(self->id, 1, "x", 0));
	ASSERT_EQ(0, put(self->id, 1, "y", 0));
	ASSERT_EQ(0, msgctl(0, IPC_INFO, (struct msqid_ds *)&info));
	EXPECT_EQ(file_number(MSGMAX), info.msgmax);
	EXPECT_EQ(file_number(MSGMNB), info.msgmnb);
	EXPECT_EQ(32000, info.msgmni);
	ASSERT_EQ(0, msgctl(0, MSG_INFO, (struct msqid_ds *)&info));
	EXPECT_EQ(1, info.msgpool);
	EXPECT_EQ(2, info.msgmap);
	EXPECT_EQ(2 * TEXT, info.msgtql);
	/* Removal gives all of it back. */
	ASSERT_EQ(0, msgctl(self->id, IPC_RMID, NULL));
	ASSERT_EQ(0, msgctl(0, MSG_INFO, (struct msqid_ds *)&info));
	EXPECT_EQ(0, info.msgpool);
	EXPECT_EQ(0, info.msgmap);
	EXPECT_EQ(0, info.msgtql);
}

/* Rule 27: columns and widths of the list. */
TEST_F(msg, list)
{
	char text[1024], want[256];
	struct msqid_ds ds;

	ASSERT_EQ(0, put(self->id, 1, "x", 0));
	ds = stat_of(self->id);
	snprintf(want, sizeof(want),
		 "%10d %10d  %4o  %10lu %10lu %5d %5d %5u %5u %5u %5u %10llu %10llu %10llu\n",
		 0, self->id, 0600, (unsigned long)TEXT, 1UL, getpid(), 0,
		 ds.msg_perm.uid, ds.msg_perm.gid, ds.msg_perm.cuid,
		 ds.msg_perm.cgid, (unsigned long long)ds.msg_stime, 0ULL,
		 (unsigned long long)ds.msg_ctime);
	ASSERT_EQ(0, file_read("/proc/sysvipc/msg", text, sizeof(text)));
	ASSERT_EQ(0, strncmp(HEADING, text, strlen(HEADING)));
	EXPECT_STREQ(want, text + strlen(HEADING));
}

/* auto_msgmni is a file without effect. */
TEST_F(msg, auto_msgmni)
{
	long before = file_number("/proc/sys/kernel/msgmni");

	EXPECT_EQ(0, file_write("/proc/sys/kernel/auto_msgmni", "1"));
	EXPECT_EQ(0, file_write("/proc/sys/kernel/auto_msgmni", "0"));
	EXPECT_GT(0, file_write("/proc/sys/kernel/auto_msgmni", "2"));
	EXPECT_EQ(before, file_number("/proc/sys/kernel/msgmni"));
}

/* Messages through several threads: none is lost, none comes twice. */
enum { PAIRS = 2, MESSAGES = 3000 };

struct traffic {
	int id;
	long sum;
};

static int send_numbers(void *arg)
{
	struct traffic *traffic = arg;
	struct { long type; long number; } message = { .type = 1 };
	int i;

	for (i = 1; i <= MESSAGES; i++) {
		message.number = i;
		if (msgsnd(traffic->id, &message, sizeof(long), 0))
			return -errno;
	}
	return 0;
}

static int receive_numbers(void *arg)
{
	struct traffic *traffic = arg;
	struct { long type; long number; } message;
	int i;

	for (i = 0; i < MESSAGES; i++) {
		if (msgrcv(traffic->id, &message, sizeof(long), 0, 0) !=
		    sizeof(long))
			return -errno;
		traffic->sum += message.number;
	}
	return 0;
}

TEST_F(msg, traffic)
{
	struct traffic traffic[2 * PAIRS];
	struct sleeper *threads[2 * PAIRS];
	struct msqid_ds ds = stat_of(self->id);
	long sum = 0;
	int i;

	/* Few fit, so that both sides sleep. */
	ds.msg_qbytes = 4 * sizeof(long);
	ASSERT_EQ(0, msgctl(self->id, IPC_SET, &ds));
	for (i = 0; i < 2 * PAIRS; i++) {
		traffic[i] = (struct traffic) { self->id, 0 };
		threads[i] = sleeper_thread(i & 1 ? send_numbers :
					    receive_numbers, &traffic[i]);
	}
	for (i = 0; i < 2 * PAIRS; i++) {
		EXPECT_EQ(0, sleeper_end(threads[i]));
		sum += traffic[i].sum;
	}
	EXPECT_EQ((long)PAIRS * MESSAGES * (MESSAGES + 1) / 2, sum);
	EXPECT_EQ(0, (int)stat_of(self->id).msg_qnum);
}

TEST_HARNESS_MAIN
