// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation fails in turn, in each call that allocates, and so does the
 * security module: the call must say so, leave everything as it was, and
 * succeed when asked again.
 */
#include <linux/ipc_namespace.h>

#include "steps.h"
#include "system.h"

#define MANY_SEMS	300	/* more than have room on the stack */
#define MANY_SOPS	100

static bool failed;
static int semid;
static struct task_struct *task;

#define expect(x)	expect_true(x, #x, __LINE__)

static void expect_true(bool good, const char *what, int line)
{
	if (good)
		return;
	printf("# line %d: not true: %s\n", line, what);
	failed = true;
}

static void used(int *sets, int *sems)
{
	struct seminfo info;

	expect(sys_semctl(0, 0, SEM_INFO, (unsigned long)&info) >= 0);
	*sets = info.semusz;
	*sems = info.semaem;
}

/*
 * The calls: each begins where its end() left, and returns what the system
 * call does
 */

struct call {
	const char *name;
	long (*call)(void);
	void (*end)(void);
};

static long get_private(void)
{
	return sys_semget(IPC_PRIVATE, MANY_SEMS, 0600);
}

static long get_by_key(void)
{
	return sys_semget(0x5e3a, 1, IPC_CREAT | IPC_EXCL | 0600);
}

static void remove_last(void)
{
	struct semid64_ds stat;
	struct seminfo info;
	int index = sys_semctl(0, 0, SEM_INFO, (unsigned long)&info);

	expect(sys_semctl(sys_semctl(index, 0, SEM_STAT, (unsigned long)&stat), 0,
			  IPC_RMID, 0) == 0);
}

static long undo_one(void)
{
	struct sembuf sop = { 1, 1, SEM_UNDO };

	return sys_semop(semid, &sop, 1);
}

static long undo_many(void)
{
	static struct sembuf sops[MANY_SOPS];
	int i;

	for (i = 0; i < MANY_SOPS; i++)
		sops[i] = (struct sembuf){ MANY_SEMS - 1 - i, 2, SEM_UNDO };
	return sys_semop(semid, sops, MANY_SOPS);
}

static void end_undo(void)
{
	unsigned short values[MANY_SEMS];
	int i;

	exit_sem(current);
	expect(sys_semctl(semid, 0, GETALL, (unsigned long)values) == 0);
	for (i = 0; i < MANY_SEMS; i++)
		if (values[i])
			expect(values[i] == 0);
}

static long set_all(void)
{
	static unsigned short values[MANY_SEMS];

	return sys_semctl(semid, 0, SETALL, (unsigned long)values);
}

static long get_all(void)
{
	static unsigned short values[MANY_SEMS];

	return sys_semctl(semid, 0, GETALL, (unsigned long)values);
}

static long clone_sharing_undo(void)
{
	return steps_new(current, CLONE_SYSVSEM, &task);
}

static void leave(void *arg)
{
	exit_sem(current);
}

static void end_clone(void)
{
	steps_give(task, leave, NULL);
	while (steps_state(task) != STEPS_IDLE)
		steps_run(task);
	steps_free(task);
	exit_sem(current);
}

static long list(void)
{
	char *text = shim_read_proc("sysvipc/sem", 1);

	free(text);
	return text ? 0 : -ENOMEM;
}

static void nothing(void)
{
}

static const struct call calls[] = {
	{ "semget() of a private set", get_private, remove_last },
	{ "semget() with a key", get_by_key, remove_last },
	{ "semop() with the first SEM_UNDO", undo_one, end_undo },
	{ "semop() with many sops and SEM_UNDO", undo_many, end_undo },
	{ "SETALL", set_all, nothing },
	{ "GETALL", get_all, nothing },
	{ "clone() with CLONE_SYSVSEM", clone_sharing_undo, end_clone },
	{ "reading /proc/sysvipc/sem", list, nothing },
};

/* Returns how many allocations there were to fail */
static int fail_each_allocation(const struct call *call)
{
	int n, sets, sems, sets_after, sems_after;
	long allocated, result;

	/* What stays for good is there after the first time */
	expect(call->call() >= 0);
	call->end();
	used(&sets, &sems);
	allocated = shim_allocated();

	for (n = 1; n < 1000; n++) {
		shim_fail_alloc(n);
		result = call->call();
		if (shim_fail_alloc(0))
			break;
		if (result < 0) {
			expect(result == -ENOMEM);
			/* What was prepared may stay until the task ends */
			exit_sem(current);
		} else {
			/* It could do without */
			call->end();
		}
		used(&sets_after, &sems_after);
		expect(sets_after == sets && sems_after == sems);
		expect(shim_allocated() == allocated);
	}
	expect(result >= 0);
	call->end();
	expect(shim_allocated() == allocated);
	return n - 1;
}

static void test_security_module(void)
{
	long allocated = shim_allocated();
	struct sembuf sop = { 0, 1, 0 };
	unsigned short values[MANY_SEMS] = {};
	struct semid64_ds stat;

	expect(sys_semctl(semid, 0, IPC_STAT, (unsigned long)&stat) == 0);
	shim_lsm_answer = -EPERM;
	expect(sys_semget(IPC_PRIVATE, 1, 0600) == -EPERM);
	expect(sys_semop(semid, &sop, 1) == -EPERM);
	expect(sys_semctl(semid, 0, GETVAL, 0) == -EPERM);
	expect(sys_semctl(semid, 0, IPC_RMID, 0) == -EPERM);
	expect(sys_semctl(semid, 0, IPC_STAT, (unsigned long)&stat) == -EPERM);
	expect(sys_semctl(0, 0, SEM_INFO, (unsigned long)values) == -EPERM);
	expect(sys_semctl(semid, 0, SETALL, (unsigned long)values) == -EPERM);
	/* This one has always said that */
	expect(sys_semctl(semid, 0, SETVAL, 1) == -EACCES);
	shim_lsm_answer = 0;
	expect(sys_semctl(semid, 0, GETVAL, 0) == 0);
	expect(shim_allocated() == allocated);
}

int main(void)
{
	bool good = true;
	size_t i;
	int n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	steps_start();
	semid = sys_semget(IPC_PRIVATE, MANY_SEMS, 0600);
	printf("KTAP version 1\n1..%zu\n", ARRAY_SIZE(calls) + 1);
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		failed = false;
		n = fail_each_allocation(&calls[i]);
		expect(n > 0);
		printf("%sok %zu %s: %d allocations failed in turn\n",
		       failed ? "not " : "", i + 1, calls[i].name, n);
		good &= !failed;
	}
	failed = false;
	test_security_module();
	printf("%sok %zu a security module that refuses\n", failed ? "not " : "", i + 1);
	return !(good && !failed);
}
