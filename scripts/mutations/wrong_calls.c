// SPDX-License-Identifier: GPL-2.0
/*
 * A library to preload that gets System V semaphores wrong in one way, to show
 * that a test program notices.
 *
 * WRONG_CALLS names the way, WRONG_EVERY how often (one call in so many; by
 * default each).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_OPS	512

static const char *way;
static unsigned int every = 1;
static unsigned int calls;

__attribute__((constructor)) static void read_environment(void)
{
	const char *text = getenv("WRONG_EVERY");

	way = getenv("WRONG_CALLS");
	if (!way) {
		fputs("wrong_calls: WRONG_CALLS is not set\n", stderr);
		_exit(2);
	}
	if (text && atoi(text) > 0)
		every = atoi(text);
}

/* Whether this call is to go wrong in the way of this name. */
static int goes_wrong(const char *name)
{
	return !strcmp(way, name) &&
	       __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) % every == 0;
}

static int real(int id, const struct sembuf *ops, size_t nops,
		const struct timespec *timeout)
{
	return syscall(SYS_semtimedop, id, ops, nops, timeout);
}

/* Not at one time: each semaphore by itself. */
static int split(int id, struct sembuf *ops, size_t nops,
		 const struct timespec *timeout)
{
	size_t i;

	for (i = 0; i < nops; i++)
		if (real(id, ops + i, 1, timeout))
			return -1;
	return 0;
}

static int change(int id, struct sembuf *ops, size_t nops,
		  const struct timespec *timeout)
{
	size_t i;

	if (nops > 1 && goes_wrong("split"))
		return split(id, ops, nops, timeout);
	for (i = 0; i < nops; i++) {
		if ((ops[i].sem_flg & SEM_UNDO) && goes_wrong("no-undo"))
			ops[i].sem_flg &= ~SEM_UNDO;
		if (ops[i].sem_op > 0 && goes_wrong("lost-unit"))
			ops[i].sem_op--;
		if (ops[i].sem_op < -1 && goes_wrong("smaller-need"))
			ops[i].sem_op++;
	}
	return real(id, ops, nops, timeout);
}

int semtimedop(int id, struct sembuf *ops, size_t nops,
	       const struct timespec *timeout)
{
	struct sembuf changed[MAX_OPS];
	int result, err;

	if (nops > MAX_OPS)
		return real(id, ops, nops, timeout);
	memcpy(changed, ops, nops * sizeof(*ops));
	result = change(id, changed, nops, timeout);
	err = errno;
	if (result && err == EAGAIN && goes_wrong("eintr"))
		err = EINTR;
	if (result && err == EIDRM && goes_wrong("no-eidrm")) {
		result = 0;
		err = 0;
	}
	errno = err;
	return result;
}

int semop(int id, struct sembuf *ops, size_t nops)
{
	return semtimedop(id, ops, nops, NULL);
}

int semget(key_t key, int nsems, int flags)
{
	static int before;
	int id = syscall(SYS_semget, key, nsems, flags);

	if (id >= 0 && !(flags & IPC_CREAT) && goes_wrong("other-id"))
		return __atomic_exchange_n(&before, id, __ATOMIC_RELAXED);
	if (id >= 0)
		__atomic_store_n(&before, id, __ATOMIC_RELAXED);
	return id;
}

/* One value in the middle of an operation of another task. */
static void spoil(unsigned short *values)
{
	values[1]++;
}

int semctl(int id, int num, int cmd, ...)
{
	void *arg;
	va_list ap;
	int result;

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (cmd == IPC_RMID && goes_wrong("not-removed"))
		return 0;
	result = syscall(SYS_semctl, id, num, cmd, arg);
	if (!result && cmd == GETALL && goes_wrong("torn-read"))
		spoil(arg);
	return result;
}
