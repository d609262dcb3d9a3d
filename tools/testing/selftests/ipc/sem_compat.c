// SPDX-License-Identifier: GPL-2.0
/*
 * The 32-bit system calls of x86: ipc(2) and its old and new structures,
 * semtimedop with 32-bit and with 64-bit times. A 64-bit program makes them
 * too, through int 0x80 and with memory below 4 GiB.
 */
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/utsname.h>

#include "../kselftest_harness.h"
#include "sem_test.h"

#if defined(__x86_64__) || defined(__i386__)

#define NR_IPC			117
#define NR_GETPID		20
#define NR_SEMGET		393
#define NR_SEMCTL		394
#define NR_SEMTIMEDOP_TIME64	420

#define CALL_SEMOP		1
#define CALL_SEMGET		2
#define CALL_SEMCTL		3
#define CALL_SEMTIMEDOP		4

#define IPC_64_BIT		0x0100

/* long int80(nr, ebx, ecx, edx, esi, edi, ebp) */
long int80(long nr, long b, long c, long d, long si, long di, long bp);

#ifdef __x86_64__
asm(".text\n"
    "int80:\n"
    "	push	%rbx\n"
    "	push	%rbp\n"
    "	mov	%rdi, %rax\n"
    "	mov	%rsi, %rbx\n"
    "	xchg	%rcx, %rdx\n"
    "	mov	%r8, %rsi\n"
    "	mov	%r9, %rdi\n"
    "	mov	24(%rsp), %rbp\n"
    "	int	$0x80\n"
    "	movslq	%eax, %rax\n"
    "	pop	%rbp\n"
    "	pop	%rbx\n"
    "	ret\n");
#else
asm(".text\n"
    "int80:\n"
    "	push	%ebx\n"
    "	push	%esi\n"
    "	push	%edi\n"
    "	push	%ebp\n"
    "	mov	20(%esp), %eax\n"
    "	mov	24(%esp), %ebx\n"
    "	mov	28(%esp), %ecx\n"
    "	mov	32(%esp), %edx\n"
    "	mov	36(%esp), %esi\n"
    "	mov	40(%esp), %edi\n"
    "	mov	44(%esp), %ebp\n"
    "	int	$0x80\n"
    "	pop	%ebp\n"
    "	pop	%edi\n"
    "	pop	%esi\n"
    "	pop	%ebx\n"
    "	ret\n");
#endif

/* What the kernel reads and writes, as a 32-bit program has it. */
struct perm32 {
	int32_t key;
	uint16_t uid, gid, cuid, cgid;
	uint16_t mode, seq;
};

struct status32 {
	struct perm32 perm;
	int32_t otime, ctime;
	uint32_t pointers[4];
	uint16_t nsems;
	uint16_t padding;	/* behind the structure's last field */
};

struct perm64 {
	int32_t key;
	uint32_t uid, gid, cuid, cgid;
	uint16_t mode, pad1;
	uint16_t seq, pad2;
	uint32_t unused1, unused2;
};

struct status64 {
	struct perm64 perm;
	uint32_t otime, otime_high, ctime, ctime_high;
	uint32_t nsems;
	uint32_t unused3, unused4;
};

struct time32 {
	int32_t sec, nsec;
};

struct time64 {
	int64_t sec, nsec;
};

/* Everything that calls point to lies in one page below 4 GiB. */
struct low {
	struct sembuf sops[8];
	uint16_t vals[4];
	struct time32 time32;
	struct time64 time64;
	union {
		struct status32 status32;
		struct status64 status64;
		int32_t info[10];
		unsigned char bytes[128];
	};
	uint32_t arg;
};

static struct low *low;

/* Pointers into the page, and small numbers, fit into 32 bits. */
static long word(const void *pointer)
{
	return (long)pointer;
}

static long compat_ipc(int call, long first, long second, long third,
		       long pointer, long fifth)
{
	return int80(NR_IPC, call, first, second, third, pointer, fifth);
}

static int compat_semctl(int id, int num, int cmd, uint32_t arg)
{
	low->arg = arg;
	return compat_ipc(CALL_SEMCTL, id, num, cmd, word(&low->arg), 0);
}

static int compat_stat(int id, int cmd)
{
	return compat_semctl(id, 0, cmd, word(low->bytes));
}

/* One operation through the page. */
static int compat_op(int id, int num, int op, int flags)
{
	low->sops[0] = (struct sembuf) { num, op, flags };
	return compat_ipc(CALL_SEMOP, id, 1, 0, word(low->sops), 0);
}

static int call_getpid(void *arg)
{
	(void)arg;
	return int80(NR_GETPID, 0, 0, 0, 0, 0, 0) == getpid() ? 0 : -ENOSYS;
}

/* The probe may die of it, so that a child makes it. */
static bool has_compat_calls(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(call_getpid(NULL) ? 1 : 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

FIXTURE(compat) {
	int id;
};

FIXTURE_SETUP(compat)
{
	ENTER_NS_OR_SKIP();
	if (!has_compat_calls())
		SKIP(return, "no 32-bit system calls");
#ifdef MAP_32BIT
	low = mmap(NULL, sizeof(*low), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#endif
	ASSERT_TRUE(low != MAP_FAILED);
	self->id = sem_new(3);
}

FIXTURE_TEARDOWN(compat)
{
}

/* Kernels may be built without times of 32 bits. */
static bool has_time32(int id)
{
	return compat_ipc(CALL_SEMTIMEDOP, id, 0, 0, 0, 0) != -ENOSYS;
}

/* Rule 28: semget, values and removal. */
TEST_F(compat, life_of_a_set)
{
	int id = compat_ipc(CALL_SEMGET, IPC_PRIVATE, 2, 0600, 0, 0);

	ASSERT_LE(0, id);
	EXPECT_EQ(0, compat_semctl(id, 1, SETVAL, 5));
	EXPECT_EQ(5, compat_semctl(id, 1, GETVAL, 0));
	EXPECT_EQ(5, sem_val(id, 1));
	EXPECT_EQ(getpid(), compat_semctl(id, 1, GETPID, 0));
	EXPECT_EQ(0, compat_semctl(id, 1, GETNCNT, 0));
	EXPECT_EQ(0, compat_semctl(id, 1, GETZCNT, 0));
	EXPECT_EQ(0, compat_semctl(id, 0, IPC_RMID, 0));
	EXPECT_EQ(-EINVAL, compat_semctl(id, 1, GETVAL, 0));
	EXPECT_EQ(-EINVAL, sem_val(id, 1));

	id = int80(NR_SEMGET, IPC_PRIVATE, 2, 0600, 0, 0, 0);
	ASSERT_LE(0, id);
	EXPECT_EQ(0, int80(NR_SEMCTL, id, 0, SETVAL, 3, 0, 0));
	EXPECT_EQ(3, int80(NR_SEMCTL, id, 0, GETVAL, 0, 0, 0));
	EXPECT_EQ(0, int80(NR_SEMCTL, id, 0, IPC_RMID, 0, 0, 0));
}

/* Rules 2, 3, 28: errors are those of the native calls. */
TEST_F(compat, errors)
{
	EXPECT_EQ(-EINVAL, compat_ipc(CALL_SEMGET, IPC_PRIVATE, -1, 0600, 0, 0));
	EXPECT_EQ(-ENOENT, compat_ipc(CALL_SEMGET, getpid(), 1, 0600, 0, 0));
	EXPECT_EQ(-ERANGE, compat_semctl(self->id, 0, SETVAL, 32768));
	EXPECT_EQ(-ERANGE, compat_semctl(self->id, 9, SETVAL, -1));
	EXPECT_EQ(-EINVAL, compat_semctl(self->id, 3, SETVAL, 1));
	EXPECT_EQ(-EINVAL, compat_semctl(self->id, 3, GETVAL, 1));
	EXPECT_EQ(-EINVAL, compat_semctl(-1, 0, IPC_INFO, word(low->bytes)));
	EXPECT_EQ(-EINVAL, compat_semctl(self->id, 0, 99, 0));
	EXPECT_EQ(-EFAULT, compat_semctl(self->id, 0, IPC_STAT, 16));
	EXPECT_EQ(-EFAULT, compat_semctl(self->id, 0, IPC_SET, 16));
	EXPECT_EQ(-EFAULT, compat_semctl(self->id, 0, GETALL, 16));
	EXPECT_EQ(-EFAULT, compat_semctl(self->id, 0, SETALL, 16));
	EXPECT_EQ(-EFAULT, compat_ipc(CALL_SEMCTL, self->id, 0, GETVAL, 16, 0));
	EXPECT_EQ(-EINVAL, compat_ipc(CALL_SEMCTL, self->id, 0, GETVAL, 0, 0));
	EXPECT_EQ(-ENOSYS, compat_ipc(99, self->id, 0, 0, 0, 0));
}

/* Rules 6, 7, 28: semop is there through ipc(2). */
TEST_F(compat, operations)
{
	EXPECT_EQ(0, compat_op(self->id, 0, 2, 0));
	EXPECT_EQ(-EAGAIN, compat_op(self->id, 0, -3, IPC_NOWAIT));
	EXPECT_EQ(-EAGAIN, compat_op(self->id, 0, 0, IPC_NOWAIT));
	EXPECT_EQ(-ERANGE, compat_op(self->id, 0, 32767, 0));
	EXPECT_EQ(2, sem_val(self->id, 0));
	EXPECT_EQ(0, compat_op(self->id, 1, 0, IPC_NOWAIT));

	low->sops[0] = (struct sembuf) { 0, -2, 0 };
	low->sops[1] = (struct sembuf) { 1, 7, 0 };
	low->sops[2] = (struct sembuf) { 0, 0, IPC_NOWAIT };
	EXPECT_EQ(0, compat_ipc(CALL_SEMOP, self->id, 3, 0, word(low->sops), 0));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_EQ(7, sem_val(self->id, 1));
	low->sops[1].sem_num = 3;
	EXPECT_EQ(-EFBIG, compat_ipc(CALL_SEMOP, self->id, 3, 0,
				     word(low->sops), 0));
	/* The old interface carries a version in the upper half. */
	EXPECT_EQ(0, compat_ipc(1 << 16 | CALL_SEMOP, self->id, 1, 0,
				word(&low->sops[2]), 0));
}

/* Rules 1, 28: the order of checks, with 32-bit times. */
TEST_F(compat, order_with_time32)
{
	long bad = 16;

	if (!has_time32(self->id))
		SKIP(return, "needs CONFIG_COMPAT_32BIT_TIME");
	low->sops[0] = (struct sembuf) { 0, 1, 0 };
	EXPECT_EQ(-EFAULT, compat_ipc(CALL_SEMTIMEDOP, self->id, 0x10000, 0, bad,
				      bad));
	EXPECT_EQ(-E2BIG, compat_ipc(CALL_SEMTIMEDOP, -1, 0x10000, 0, bad, 0));
	EXPECT_EQ(-EINVAL, compat_ipc(CALL_SEMTIMEDOP, self->id, 0, 0, bad, 0));
	EXPECT_EQ(-EFAULT, compat_ipc(CALL_SEMTIMEDOP, -1, 1, 0, bad, 0));
	low->time32 = (struct time32) { -1, 0 };
	EXPECT_EQ(-EINVAL, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				      word(low->sops), word(&low->time32)));
	low->time32 = (struct time32) { 0, 1000000000 };
	EXPECT_EQ(-EINVAL, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				      word(low->sops), word(&low->time32)));
	low->time32 = (struct time32) { 0, -1 };
	EXPECT_EQ(-EINVAL, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				      word(low->sops), word(&low->time32)));
	EXPECT_EQ(0, sem_val(self->id, 0));
	low->time32 = (struct time32) { INT32_MAX, 999999999 };
	EXPECT_EQ(0, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				word(low->sops), word(&low->time32)));
	EXPECT_EQ(0, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				word(low->sops), 0));
	EXPECT_EQ(2, sem_val(self->id, 0));
}

/* Rules 1, 28: and with 64-bit times. */
TEST_F(compat, order_with_time64)
{
	long sops = word(low->sops), time = word(&low->time64);

	low->sops[0] = (struct sembuf) { 0, 1, 0 };
	EXPECT_EQ(-EFAULT, int80(NR_SEMTIMEDOP_TIME64, self->id, 16, 0x10000, 16,
				 0, 0));
	EXPECT_EQ(-E2BIG, int80(NR_SEMTIMEDOP_TIME64, -1, 16, 0x10000, 0, 0, 0));
	EXPECT_EQ(-EINVAL, int80(NR_SEMTIMEDOP_TIME64, self->id, 16, 0, 0, 0, 0));
	EXPECT_EQ(-EFAULT, int80(NR_SEMTIMEDOP_TIME64, -1, 16, 1, 0, 0, 0));
	low->time64 = (struct time64) { -1, 0 };
	EXPECT_EQ(-EINVAL, int80(NR_SEMTIMEDOP_TIME64, self->id, sops, 1, time,
				 0, 0));
	low->time64 = (struct time64) { 0, 1000000000 };
	EXPECT_EQ(-EINVAL, int80(NR_SEMTIMEDOP_TIME64, self->id, sops, 1, time,
				 0, 0));
	EXPECT_EQ(0, sem_val(self->id, 0));
	low->time64 = (struct time64) { INT64_MAX, 999999999 };
	EXPECT_EQ(0, int80(NR_SEMTIMEDOP_TIME64, self->id, sops, 1, time, 0, 0));
	EXPECT_EQ(0, int80(NR_SEMTIMEDOP_TIME64, self->id, sops, 1, 0, 0, 0));
	EXPECT_EQ(2, sem_val(self->id, 0));
}

/* Rules 13, 28: a time-out of 32 bits ends a sleep, and not too early. */
TEST_F(compat, times_out)
{
	struct timespec start, end;
	long long ns;

	if (!has_time32(self->id))
		SKIP(return, "needs CONFIG_COMPAT_32BIT_TIME");
	low->sops[0] = (struct sembuf) { 0, -1, 0 };
	low->time32 = (struct time32) { 0, 0 };
	EXPECT_EQ(-EAGAIN, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				      word(low->sops), word(&low->time32)));
	low->time32 = (struct time32) { 0, 30000000 };
	clock_gettime(CLOCK_MONOTONIC, &start);
	EXPECT_EQ(-EAGAIN, compat_ipc(CALL_SEMTIMEDOP, self->id, 1, 0,
				      word(low->sops), word(&low->time32)));
	clock_gettime(CLOCK_MONOTONIC, &end);
	ns = (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec -
	     start.tv_nsec;
	EXPECT_LE(30000000, ns);

	low->time64 = (struct time64) { 0, 30000000 };
	clock_gettime(CLOCK_MONOTONIC, &start);
	EXPECT_EQ(-EAGAIN, int80(NR_SEMTIMEDOP_TIME64, self->id,
				 word(low->sops), 1, word(&low->time64), 0, 0));
	clock_gettime(CLOCK_MONOTONIC, &end);
	ns = (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec -
	     start.tv_nsec;
	EXPECT_LE(30000000, ns);
	EXPECT_EQ(0, sem_ncnt(self->id, 0));
}

static int take_one(void *arg)
{
	return compat_op(*(int *)arg, 0, -1, SEM_UNDO);
}

static int take_one_timed(void *arg)
{
	low->sops[0] = (struct sembuf) { 0, -1, 0 };
	low->time32 = (struct time32) { 100000, 0 };
	return compat_ipc(CALL_SEMTIMEDOP, *(int *)arg, 1, 0, word(low->sops),
			  word(&low->time32));
}

/* Rules 10, 11, 15, 18, 28: sleepers of both kinds share a queue and undo. */
TEST_F(compat, sleeps_beside_native_ones)
{
	struct sleeper *compat, *native, *timed;
	pid_t pid;

	if (!has_time32(self->id))
		SKIP(return, "needs CONFIG_COMPAT_32BIT_TIME");
	compat = sleeper_fork(take_one, &self->id);
	sem_wait_ncnt(self->id, 0, 1);
	native = sleeper_asleep(self->id, 0, -1, 0);
	timed = sleeper_fork(take_one_timed, &self->id);
	sem_wait_ncnt(self->id, 0, 3);
	EXPECT_EQ(3, compat_semctl(self->id, 0, GETNCNT, 0));

	EXPECT_EQ(0, sem_op(self->id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_result(compat));
	EXPECT_EQ(compat->pid, sem_pid(self->id, 0));
	EXPECT_EQ(0, compat_op(self->id, 0, 1, 0));
	EXPECT_EQ(0, sleeper_end(native));
	pid = compat->pid;
	sleeper_end(compat);
	EXPECT_EQ(0, sleeper_result(timed));
	EXPECT_EQ(0, sem_val(self->id, 0));
	EXPECT_NE(pid, sem_pid(self->id, 0));
	sleeper_end(timed);
}

/* Rules 22, 28: removal ends them. */
TEST_F(compat, removal)
{
	struct sleeper *sleeper = sleeper_fork(take_one, &self->id);

	sem_wait_ncnt(self->id, 0, 1);
	EXPECT_EQ(0, compat_semctl(self->id, 0, IPC_RMID, 0));
	EXPECT_EQ(-EIDRM, sleeper_end(sleeper));
	EXPECT_EQ(-EINVAL, compat_op(self->id, 0, 1, 0));
}

/* Rule 28: arrays of values. */
TEST_F(compat, all_values)
{
	memcpy(low->vals, (uint16_t[4]) { 3, 32767, 0, 99 }, 8);
	EXPECT_EQ(0, compat_semctl(self->id, 9, SETALL, word(low->vals)));
	EXPECT_EQ(3, sem_val(self->id, 0));
	EXPECT_EQ(32767, sem_val(self->id, 1));
	memset(low->vals, 0xff, 8);
	EXPECT_EQ(0, compat_semctl(self->id, 9, GETALL, word(low->vals)));
	EXPECT_EQ(3, low->vals[0]);
	EXPECT_EQ(32767, low->vals[1]);
	EXPECT_EQ(0, low->vals[2]);
	EXPECT_EQ(0xffff, low->vals[3]);
	low->vals[2] = 32768;
	EXPECT_EQ(-ERANGE, compat_semctl(self->id, 0, SETALL, word(low->vals)));
}

static bool all_bytes_are(const unsigned char *bytes, size_t len, int value)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (bytes[i] != value)
			return false;
	return true;
}

static void check_status32(struct __test_metadata *_metadata, int fill)
{
	const size_t size = offsetof(struct status32, padding);
	struct status32 want = {
		.perm = {
			.uid = geteuid(), .gid = getegid(), .cuid = geteuid(),
			.cgid = getegid(), .mode = 0600,
			.seq = low->status32.perm.seq,
		},
		.otime = low->status32.otime,
		.ctime = low->status32.ctime,
		.nsems = 3,
	};

	EXPECT_EQ(0, memcmp(&want, &low->status32, size));
	EXPECT_NE(0, want.otime);
	EXPECT_NE(0, want.ctime);
	EXPECT_TRUE(all_bytes_are(low->bytes + sizeof(want),
				  sizeof(low->bytes) - sizeof(want), fill));
}

/* Rules 5, 17, 28: the old structure, without the IPC_64 bit. */
TEST_F(compat, old_status)
{
	int fill;

	ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
	for (fill = 0; fill < 256; fill += 85) {
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(0, compat_stat(self->id, IPC_STAT));
		check_status32(_metadata, fill);
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(self->id, compat_stat(self->id, SEM_STAT));
		check_status32(_metadata, fill);
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(self->id, compat_stat(self->id, SEM_STAT_ANY));
		check_status32(_metadata, fill);
	}
}

static void check_status64(struct __test_metadata *_metadata, int fill)
{
	struct status64 want = {
		.perm = {
			.uid = geteuid(), .gid = getegid(), .cuid = geteuid(),
			.cgid = getegid(), .mode = 0600,
			.seq = low->status64.perm.seq,
		},
		.otime = low->status64.otime,
		.ctime = low->status64.ctime,
		.nsems = 3,
	};

	EXPECT_EQ(0, memcmp(&want, &low->status64, sizeof(want)));
	EXPECT_NE(0, want.otime);
	EXPECT_NE(0, want.ctime);
	EXPECT_TRUE(all_bytes_are(low->bytes + sizeof(want),
				  sizeof(low->bytes) - sizeof(want), fill));
}

/* Rules 5, 17, 28: the new structure, with the IPC_64 bit. */
TEST_F(compat, new_status)
{
	int fill;

	ASSERT_EQ(0, sem_op(self->id, 0, 1, 0));
	for (fill = 0; fill < 256; fill += 85) {
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(0, compat_stat(self->id, IPC_STAT | IPC_64_BIT));
		check_status64(_metadata, fill);
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(self->id, compat_stat(self->id, SEM_STAT | IPC_64_BIT));
		check_status64(_metadata, fill);
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(self->id,
			  compat_stat(self->id, SEM_STAT_ANY | IPC_64_BIT));
		check_status64(_metadata, fill);
		memset(low->bytes, fill, sizeof(low->bytes));
		EXPECT_EQ(0, int80(NR_SEMCTL, self->id, 0, IPC_STAT,
				   word(low->bytes), 0, 0));
		check_status64(_metadata, fill);
	}
}

/* Rules 5, 28: the bit is accepted by ipc(2) and by the compat semctl. */
TEST_F(compat, ipc_64_bit)
{
	struct utsname name;

	ASSERT_EQ(0, sem_setval(self->id, 0, 3));
	EXPECT_EQ(3, compat_semctl(self->id, 0, GETVAL | IPC_64_BIT, 0));
	EXPECT_EQ(0, compat_semctl(self->id, 0, SETVAL | IPC_64_BIT, 4));
	EXPECT_EQ(4, sem_val(self->id, 0));
	ASSERT_EQ(0, uname(&name));
	/* On a 32-bit kernel the call is a native one. */
	EXPECT_EQ(strcmp(name.machine, "x86_64") ? -EINVAL : 0,
		  int80(NR_SEMCTL, self->id, 0, IPC_STAT | IPC_64_BIT,
			word(low->bytes), 0, 0));
}

/* Rules 4, 28: IPC_SET with both structures. */
TEST_F(compat, set_owner)
{
	struct semid_ds ds;

	memset(low->bytes, 0xff, sizeof(low->bytes));
	low->status32.perm.uid = geteuid();
	low->status32.perm.gid = getegid();
	low->status32.perm.mode = 0640;
	EXPECT_EQ(0, compat_stat(self->id, IPC_SET));
	ASSERT_EQ(0, sem_stat(self->id, &ds));
	EXPECT_EQ(0640, ds.sem_perm.mode);
	EXPECT_EQ(geteuid(), ds.sem_perm.uid);

	memset(low->bytes, 0xff, sizeof(low->bytes));
	low->status64.perm.uid = geteuid();
	low->status64.perm.gid = getegid();
	low->status64.perm.mode = 0604;
	EXPECT_EQ(0, compat_stat(self->id, IPC_SET | IPC_64_BIT));
	ASSERT_EQ(0, sem_stat(self->id, &ds));
	EXPECT_EQ(0604, ds.sem_perm.mode);
	EXPECT_EQ(getegid(), ds.sem_perm.gid);
}

/* Rule 28: uids that 16 bits do not hold are shown as the overflow uid. */
TEST_F(compat, large_uid)
{
	struct semid_ds ds = {
		.sem_perm = { .uid = 100000, .gid = 100001, .mode = 0600 },
	};
	union semun arg = { .buf = &ds };

	if (!sem_real_root())
		SKIP(return, "needs several users");
	ASSERT_EQ(0, semctl(self->id, 0, IPC_SET, arg));
	EXPECT_EQ(0, compat_stat(self->id, IPC_STAT));
	EXPECT_EQ(65534, low->status32.perm.uid);
	EXPECT_EQ(65534, low->status32.perm.gid);
	EXPECT_EQ(0, low->status32.perm.cuid);
	EXPECT_EQ(0, compat_stat(self->id, IPC_STAT | IPC_64_BIT));
	EXPECT_EQ(100000, low->status64.perm.uid);
	EXPECT_EQ(100001, low->status64.perm.gid);
}

/* Rules 3, 28: the limits. */
TEST_F(compat, info)
{
	struct sem_limits limits;

	sem_get_limits(&limits);
	memset(low->bytes, 0xff, sizeof(low->bytes));
	EXPECT_EQ(0, compat_semctl(0, 0, IPC_INFO, word(low->info)));
	EXPECT_EQ(limits.mni, low->info[1]);
	EXPECT_EQ(limits.mns, low->info[2]);
	EXPECT_EQ(limits.msl, low->info[4]);
	EXPECT_EQ(limits.opm, low->info[5]);
	EXPECT_EQ(32767, low->info[8]);
	EXPECT_TRUE(all_bytes_are(low->bytes + sizeof(low->info),
				  sizeof(low->bytes) - sizeof(low->info), 0xff));
	EXPECT_EQ(0, compat_semctl(0, 0, SEM_INFO, word(low->info)));
	EXPECT_EQ(1, low->info[7]);
	EXPECT_EQ(3, low->info[9]);
}

/* Rules 8, 9, 12, 28: the kinds of waiting, one after the other. */
TEST_F(compat, kinds_of_waiting)
{
	struct sleeper *compat, *zero;

	low->sops[0] = (struct sembuf) { 0, -1, 0 };
	EXPECT_EQ(0, compat_semctl(self->id, 1, SETVAL, 1));
	compat = sleeper_fork(take_one, &self->id);
	sem_wait_ncnt(self->id, 0, 1);
	zero = sleeper_asleep(self->id, 1, 0, 0);
	EXPECT_EQ(1, compat_semctl(self->id, 1, GETZCNT, 0));
	EXPECT_EQ(0, compat_op(self->id, 1, -1, 0));
	EXPECT_EQ(0, sleeper_end(zero));
	EXPECT_EQ(1, compat_semctl(self->id, 0, GETNCNT, 0));
	EXPECT_EQ(0, compat_semctl(self->id, 0, SETVAL, 1));
	EXPECT_EQ(0, sleeper_result(compat));
	EXPECT_EQ(0, sem_val(self->id, 0));
	sleeper_end(compat);
	EXPECT_EQ(1, sem_val(self->id, 0));
}

#else

/* Rule 28: other architectures have no ipc(2) of 32-bit x86. */
TEST(compat)
{
	SKIP(return, "32-bit calls of x86 only");
}

#endif

TEST_HARNESS_MAIN
