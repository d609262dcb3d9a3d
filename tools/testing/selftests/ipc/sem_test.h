/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the semaphore tests share: an IPC namespace for each test, calls that
 * return -errno, and sleepers whose results come back through pipes.
 *
 * A helper that cannot do its work prints why and ends the test as failed;
 * callers need no check. Counts are polled with a deadline: no test sleeps in
 * order to synchronise.
 */
#ifndef SEM_TEST_H
#define SEM_TEST_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/types.h>
#include <time.h>

/*
 * Emulated debug kernels are slow: limits only end what hangs. Programs
 * include kselftest_harness.h before this file, whose limit holds then.
 */
#define SEM_DEADLINE_SECONDS	300
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	900

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

/* semctl(2) leaves the definition to the caller. */
union semun {
	int val;
	struct semid_ds *buf;
	unsigned short *array;
	struct seminfo *__buf;
};

/* First line of a test or a fixture's setup. */
#define ENTER_NS_OR_SKIP() do { \
	int __err = sem_enter_ns(); \
	if (__err) \
		SKIP(return, "no IPC namespace: %s", strerror(-__err)); \
} while (0)

/* kernel.sem, in the order of the file. */
struct sem_limits {
	int msl;
	int mns;
	int opm;
	int mni;
};

/* SEM_DEADLINE_SECONDS, or what SEM_TEST_DEADLINE in the environment says. */
int sem_deadline(void);

/* Prints the message as a KTAP comment and ends the process as failed. */
void sem_die(const char *fmt, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

/*
 * Moves the caller into a new IPC namespace, and for that into a new user
 * namespace (as its root) where it lacks the privilege. Returns 0 or -errno;
 * tests SKIP on an error.
 */
int sem_enter_ns(void);
/* Moves the caller into a new user namespace, as its root; 0 or -errno. */
int sem_enter_user_ns(void);
/* Whether the program was started by root of the machine. */
bool sem_real_root(void);

/* kernel.sem of the caller's namespace; sem_set_limits() returns -errno. */
void sem_get_limits(struct sem_limits *limits);
int sem_set_limits(const struct sem_limits *limits);

/* In a test: changes kernel.sem, or skips where the user may not. */
#define SET_LIMITS_OR_SKIP(limits) do { \
	int __err = sem_set_limits(limits); \
	if (__err == -EACCES || __err == -EPERM) \
		SKIP(return, "kernel.sem cannot be set"); \
	ASSERT_EQ(0, __err); \
} while (0)

/*
 * Keeps of the caller's capabilities only those in the mask (1ULL << CAP_*).
 * Without any, root is an owner like others: mode bits count.
 */
void sem_limit_caps(unsigned long long mask);

/* A new private set with mode 0600. */
int sem_new(int nsems);

/* The system calls; all return -errno on failure. */
int sem_ops(int id, const struct sembuf *ops, size_t nops);
int sem_ops_timed(int id, const struct sembuf *ops, size_t nops,
		  const struct timespec *timeout);
int sem_op(int id, int num, int op, int flags);
int sem_val(int id, int num);
int sem_pid(int id, int num);
int sem_ncnt(int id, int num);
int sem_zcnt(int id, int num);
int sem_setval(int id, int num, int val);
int sem_getall(int id, unsigned short *vals);
int sem_setall(int id, const unsigned short *vals);
int sem_stat(int id, struct semid_ds *ds);
int sem_rm(int id);
int sem_nsems(int id);

/* Poll until exactly @n sleepers are counted on a semaphore. */
void sem_wait_ncnt(int id, int num, int n);
void sem_wait_zcnt(int id, int num, int n);
/* All sleepers of a set, and polling for them. */
int sem_sleepers(int id);
void sem_wait_sleepers(int id, int n);

/*
 * A sleeper is a process (or thread) that makes one call and reports its
 * result. It then stays until sleeper_end(), so that neither its undo
 * adjustments nor its pid go away before the test wants it.
 */
typedef int (*sleeper_fn)(void *arg);

struct sleeper {
	pid_t pid;		/* the process, also of a thread */
	pid_t tid;
	bool is_thread;
	pthread_t thread;
	int result_fd;		/* the sleeper writes its result */
	int release_fd;		/* closed to let it go */
	bool has_result;
	int result;
};

/* @fn runs in a child; a process gets a copy of @arg, a thread the original. */
struct sleeper *sleeper_fork(sleeper_fn fn, void *arg);
struct sleeper *sleeper_thread(sleeper_fn fn, void *arg);
/* A forked sleeper has no file descriptors but its own, and here @fd. */
struct sleeper *sleeper_fork_keeping(sleeper_fn fn, void *arg, int fd);
/* A child that calls semtimedop(); @timeout may be NULL. */
struct sleeper *sleeper_ops(int id, const struct sembuf *ops, size_t nops,
			    const struct timespec *timeout);
/* The same as a thread; @ops and @timeout must stay valid. */
struct sleeper *sleeper_thread_ops(int id, const struct sembuf *ops,
				   size_t nops, const struct timespec *timeout);
/* Like sleeper_ops(), for one sop, and returns only when it is asleep. */
struct sleeper *sleeper_asleep(int id, int num, int op, int flags);
/* Like sleeper_ops() without timeout, returns only when it is asleep. */
struct sleeper *sleeper_ops_asleep(int id, const struct sembuf *ops,
				   size_t nops);

/* Whether the result has arrived already. */
bool sleeper_done(struct sleeper *s);
/* The result; waits for it. */
int sleeper_result(struct sleeper *s);
/* Sends a signal to the sleeper (to this very thread). */
void sleeper_signal(struct sleeper *s, int sig);
/* Lets it exit, waits until it is gone and frees it; returns the result. */
int sleeper_end(struct sleeper *s);
/* Kills a process that may still be asleep, waits for it and frees it. */
void sleeper_kill(struct sleeper *s);

/* Runs @fn in a child of its own and returns its result. */
int run_in_child(sleeper_fn fn, void *arg);

#endif /* SEM_TEST_H */
