/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ways into the kernel: the system calls themselves, and the ipc(2)
 * multiplexer where the architecture has it. The C library uses one of them
 * and checks some arguments itself.
 */
#ifndef SEM_RAW_H
#define SEM_RAW_H

#include <errno.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IPC_64_BIT	0x0100

#define IPC_SEMOP	1
#define IPC_SEMGET	2
#define IPC_SEMCTL	3
#define IPC_SEMTIMEDOP	4

/* A time-out, or a pointer that cannot be read. */
struct raw_timeout {
	long long sec;
	long long nsec;
	const void *pointer;
};

static inline long raw_result(long result)
{
	return result < 0 ? -errno : result;
}

#ifdef SYS_semtimedop
static inline long raw_semtimedop(int id, const void *sops, unsigned int nsops,
				  const struct raw_timeout *timeout)
{
	struct { long sec, nsec; } ts = { 0 };
	const void *pointer = NULL;

	if (timeout) {
		ts.sec = timeout->sec;
		ts.nsec = timeout->nsec;
		pointer = timeout->pointer ? timeout->pointer : &ts;
	}
	return raw_result(syscall(SYS_semtimedop, id, sops, nsops, pointer));
}
#endif

#ifdef SYS_semtimedop_time64
static inline long raw_semtimedop_time64(int id, const void *sops,
					 unsigned int nsops,
					 const struct raw_timeout *timeout)
{
	struct { int64_t sec, nsec; } ts = { 0 };
	const void *pointer = NULL;

	if (timeout) {
		ts.sec = timeout->sec;
		ts.nsec = timeout->nsec;
		pointer = timeout->pointer ? timeout->pointer : &ts;
	}
	return raw_result(syscall(SYS_semtimedop_time64, id, sops, nsops,
				  pointer));
}
#endif

#ifdef SYS_ipc
static inline long raw_ipc_semtimedop(int id, const void *sops,
				      unsigned int nsops,
				      const struct raw_timeout *timeout)
{
	struct { long sec, nsec; } ts = { 0 };
	const void *pointer = NULL;

	if (timeout) {
		ts.sec = timeout->sec;
		ts.nsec = timeout->nsec;
		pointer = timeout->pointer ? timeout->pointer : &ts;
	}
	return raw_result(syscall(SYS_ipc, IPC_SEMTIMEDOP, id, nsops, 0, sops,
				  pointer));
}

static inline long raw_ipc_semctl(int id, int num, int cmd, long arg)
{
	return raw_result(syscall(SYS_ipc, IPC_SEMCTL, id, num, cmd, &arg, 0));
}

static inline long raw_ipc_semget(key_t key, int nsems, int flags)
{
	return raw_result(syscall(SYS_ipc, IPC_SEMGET, key, nsems, flags, 0,
				  0));
}
#endif

#ifdef SYS_semctl
static inline long raw_semctl(int id, int num, int cmd, long arg)
{
	return raw_result(syscall(SYS_semctl, id, num, cmd, arg));
}
#endif

#ifdef SYS_semget
static inline long raw_semget(key_t key, int nsems, int flags)
{
	return raw_result(syscall(SYS_semget, key, nsems, flags));
}
#endif

#endif /* SEM_RAW_H */
