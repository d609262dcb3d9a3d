// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: the input is a list of system calls with whatever arguments,
 * by a task that is woken by its timeout or a signal when it sleeps. Sanitizers
 * and the shim's rules watch; the order of the checks of semop(), the range of
 * values and the memory in use are asserted.
 */
#include <linux/ipc_namespace.h>
#include <sys/mman.h>

#include "steps.h"
#include "system.h"

#define MAX_CALLS	16
#define SMALL		3	/* semaphores in one set, ... */
#define LARGE		40	/* ... and in the other */
#define ROOM		(4 * PAGE_SIZE)

#define CHECK(x)	do { if (!(x)) SHIM_DIE("not true: %s", #x); } while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What there is to read from */
struct input {
	const uint8_t *data;
	size_t left;
};

/* "User memory", where 32-bit pointers reach it; what follows it faults */
static char *user;
static int semids[2];
static struct task_struct *task;
static long result;

static uint32_t take(struct input *in, int bytes)
{
	uint32_t value = 0;

	while (bytes-- && in->left) {
		value = value << 8 | *in->data++;
		in->left--;
	}
	return value;
}

/*
 * One call, its arguments chosen
 */

enum what {
	CALL_SEMOP,
	CALL_SEMTIMEDOP,
	CALL_SEMTIMEDOP_32,
	CALL_SEMCTL,
	CALL_COMPAT_SEMCTL,
	CALL_COMPAT_OLD_SEMCTL,
	CALL_SEMGET,
	KINDS,
};

static struct {
	enum what what;
	int semid, num, cmd;
	unsigned int n;
	void *buffer;		/* sops, or what semctl() gets */
	void *timeout;
	bool interrupt;		/* rather than let time out */
} call;

static void do_call(void *arg)
{
	switch (call.what) {
	case CALL_SEMOP:
		result = sys_semop(call.semid, call.buffer, call.n);
		break;
	case CALL_SEMTIMEDOP:
		result = sys_semtimedop(call.semid, call.buffer, call.n, call.timeout);
		break;
	case CALL_SEMTIMEDOP_32:
		result = sys_semtimedop_time32(call.semid, call.buffer, call.n,
					       call.timeout);
		break;
	case CALL_SEMCTL:
		result = sys_semctl(call.semid, call.num, call.cmd,
				    (unsigned long)call.buffer);
		break;
	case CALL_COMPAT_SEMCTL:
		result = sys_compat_semctl(call.semid, call.num, call.cmd,
					   (int)(unsigned long)call.buffer);
		break;
	case CALL_COMPAT_OLD_SEMCTL:
		result = sys_compat_old_semctl(call.semid, call.num, call.cmd,
					       (int)(unsigned long)call.buffer);
		break;
	default:
		result = sys_semget(call.num, call.n, call.cmd);
	}
}

static int choose_semid(struct input *in)
{
	uint32_t dice = take(in, 1);

	if (dice < 200)
		return semids[dice & 1];
	return dice < 220 ? (int)dice - 210 : (int)take(in, 4);
}

/* Where user memory of @size begins: inside, or with its end in what faults */
static char *choose_buffer(struct input *in, size_t size)
{
	uint32_t dice = take(in, 1);

	if (dice < 4)
		return (char *)(unsigned long)dice;
	if (dice < 16)
		return user + ROOM - min(size, ROOM) + dice;
	return user + (dice & 7);
}

static struct sembuf choose_sop(struct input *in)
{
	struct sembuf sop = { .sem_num = take(in, 1), .sem_op = (int8_t)take(in, 1) };
	uint32_t flags = take(in, 1);

	if (sop.sem_num > 200)
		sop.sem_num = take(in, 2);
	if (sop.sem_op > 100 || sop.sem_op < -100)
		sop.sem_op = take(in, 2);
	sop.sem_flg = (flags & 1 ? IPC_NOWAIT : 0) | (flags & 2 ? SEM_UNDO : 0) |
		      (flags & 4 ? 0x6000 : 0);
	return sop;
}

static void choose_sops(struct input *in)
{
	uint32_t dice = take(in, 1), i;
	struct sembuf sop;

	call.n = dice < 240 ? dice % 12 : dice < 250 ? take(in, 2) % 600 : take(in, 4);
	call.buffer = choose_buffer(in, call.n * sizeof(sop));
	if ((char *)call.buffer < user)
		return;
	memset(user, 0, ROOM);
	/* They may lie at odd addresses */
	for (i = 0; i < call.n && in->left; i++) {
		char *to = (char *)call.buffer + i * sizeof(sop);

		sop = choose_sop(in);
		if (to + sizeof(sop) <= user + ROOM)
			memcpy(to, &sop, sizeof(sop));
	}
}

static void choose_timeout(struct input *in)
{
	static struct __kernel_timespec limit;
	static struct old_timespec32 limit32;
	uint32_t dice = take(in, 1);

	limit.tv_sec = dice & 1 ? LLONG_MAX : (int32_t)take(in, dice & 2 ? 4 : 1);
	limit.tv_nsec = dice & 4 ? (int32_t)take(in, 4) : 0;
	limit32.tv_sec = limit.tv_sec;
	limit32.tv_nsec = limit.tv_nsec;
	call.timeout = call.what == CALL_SEMTIMEDOP ? (void *)&limit : &limit32;
	if (dice >= 240)
		call.timeout = dice & 8 ? NULL : user + ROOM - 4;
}

static void choose_ctl(struct input *in)
{
	static const int cmds[] = {
		IPC_RMID, IPC_SET, IPC_STAT, IPC_INFO, SEM_INFO, SEM_STAT, SEM_STAT_ANY,
		GETVAL, GETPID, GETNCNT, GETZCNT, GETALL, SETVAL, SETALL,
	};
	uint32_t dice = take(in, 1), i;

	call.cmd = dice < 240 ? cmds[dice % ARRAY_SIZE(cmds)] : (int)take(in, 4);
	if (take(in, 1) & 1)
		call.cmd |= 0x100;
	dice = take(in, 1);
	call.num = dice < 200 ? (int)dice % (LARGE + 2) : (int)take(in, 4);
	call.buffer = choose_buffer(in, sizeof(struct semid64_ds));
	if ((call.cmd & ~0x100) == SETVAL) {
		call.buffer = (void *)(unsigned long)take(in, dice & 1 ? 4 : 1);
		return;
	}
	if ((char *)call.buffer < user)
		return;
	for (i = 0; i < 96 && in->left && (char *)call.buffer + i < user + ROOM; i++)
		((char *)call.buffer)[i] = take(in, 1);
}

static void choose_call(struct input *in)
{
	uint32_t dice = take(in, 1);

	memset(&call, 0, sizeof(call));
	call.what = dice % KINDS;
	call.interrupt = dice & 0x80;
	call.semid = choose_semid(in);
	switch (call.what) {
	case CALL_SEMOP:
	case CALL_SEMTIMEDOP:
	case CALL_SEMTIMEDOP_32:
		choose_sops(in);
		if (call.what != CALL_SEMOP)
			choose_timeout(in);
		break;
	case CALL_SEMGET:
		call.num = take(in, 1) % 4;
		call.n = dice & 0x40 ? (int)take(in, 4) : (int)take(in, 1);
		call.cmd = take(in, 2);
		break;
	default:
		choose_ctl(in);
	}
}

/*
 * What semop() must say, by the order of its checks; 0: one of what the values
 * decide
 */

static bool readable(const void *p, size_t size)
{
	return (unsigned long)p >= PAGE_SIZE && ((char *)p + size <= user + ROOM ||
						 (char *)p > user + ROOM + PAGE_SIZE ||
						 (char *)p < user);
}

static bool bad_limit(void)
{
	long long sec, nsec;

	if (!call.timeout)
		return false;
	if (call.what == CALL_SEMTIMEDOP) {
		sec = ((struct __kernel_timespec *)call.timeout)->tv_sec;
		nsec = ((struct __kernel_timespec *)call.timeout)->tv_nsec;
	} else {
		sec = ((struct old_timespec32 *)call.timeout)->tv_sec;
		nsec = ((struct old_timespec32 *)call.timeout)->tv_nsec;
	}
	return sec < 0 || nsec < 0 || nsec >= NSEC_PER_SEC;
}

static int expected_of_semop(void)
{
	struct semid64_ds stat;
	struct sembuf sop;
	unsigned int i;

	if (call.what != CALL_SEMOP && call.timeout && !readable(call.timeout, 8))
		return -EFAULT;
	if (call.n > 500)
		return -E2BIG;
	if (!call.n)
		return -EINVAL;
	if (!readable(call.buffer, call.n * sizeof(sop)))
		return -EFAULT;
	if (call.semid < 0 || (call.what != CALL_SEMOP && bad_limit()))
		return -EINVAL;
	if (sys_semctl(call.semid, 0, IPC_STAT, (unsigned long)&stat))
		return -EINVAL;
	for (i = 0; i < call.n; i++) {
		memcpy(&sop, (char *)call.buffer + i * sizeof(sop), sizeof(sop));
		if (sop.sem_num >= stat.sem_nsems)
			return -EFBIG;
	}
	return 0;
}

static void check_semop(int expected)
{
	if (expected)
		CHECK(result == expected);
	else
		CHECK(result == 0 || result == -EAGAIN || result == -ERANGE ||
		      result == -EINTR);
}

static void check_values(void)
{
	int i, j, value;

	for (i = 0; i < 2; i++) {
		for (j = 0; j < (i ? LARGE : SMALL); j++) {
			value = sys_semctl(semids[i], j, GETVAL, 0);
			if (value == -EINVAL)
				break;
			CHECK(value >= 0 && value <= 32767);
			CHECK(sys_semctl(semids[i], j, GETNCNT, 0) == 0);
			CHECK(sys_semctl(semids[i], j, GETZCNT, 0) == 0);
		}
	}
}

static void run_task(void)
{
	while (steps_state(task) != STEPS_IDLE) {
		if (steps_state(task) == STEPS_ASLEEP) {
			if (call.interrupt || steps_limit(task) == KTIME_MAX)
				steps_signal(task);
			else
				steps_expire(task);
		}
		steps_run(task);
	}
	task->signal = false;
}

static void make_call(void)
{
	bool op = call.what <= CALL_SEMTIMEDOP_32;
	int expected = op ? expected_of_semop() : 0;

	steps_give(task, do_call, NULL);
	run_task();
	if (op)
		check_semop(expected);
	check_values();
}

static void leave(void *arg)
{
	exit_sem(current);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	long allocated = shim_allocated();
	static bool warm;
	int i;

	current->nsproxy->ipc_ns = shim_new_namespace();
	/* Low limits are met more often, and large sets cost time */
	current->nsproxy->ipc_ns->sem_ctls[0] = 250;
	current->nsproxy->ipc_ns->sem_ctls[1] = 600;
	semids[0] = sys_semget(1, SMALL, IPC_CREAT | 0600);
	semids[1] = sys_semget(IPC_PRIVATE, LARGE, 0600);
	CHECK(semids[0] >= 0 && semids[1] >= 0);
	if (steps_new(current, 0, &task))
		SHIM_DIE("no task");
	for (i = 0; i < MAX_CALLS && in.left; i++) {
		choose_call(&in);
		make_call();
	}
	steps_give(task, leave, NULL);
	run_task();
	check_values();
	steps_free(task);
	shim_end_namespace(current->nsproxy->ipc_ns);
	shim_run_work();
	/* The first run leaves what there is once */
	CHECK(!warm || shim_allocated() == allocated);
	warm = true;
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	user = mmap(NULL, ROOM + PAGE_SIZE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (user == MAP_FAILED)
		SHIM_DIE("no memory below 4 GiB");
	shim_fault_start = user + ROOM;
	shim_fault_end = user + ROOM + PAGE_SIZE;
	steps_start();
	return 0;
}
