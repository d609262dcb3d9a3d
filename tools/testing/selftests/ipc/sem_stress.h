/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the stress programs share: options, worker threads behind a start
 * gate, a watchdog, and results in KTAP.
 *
 * Work is bounded by rounds, never by time. The watchdog ends a program in
 * which a worker has not got on for a long time, after it has printed what
 * each worker was doing and the state of the watched sets.
 */
#ifndef SEM_STRESS_H
#define SEM_STRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct stress_options {
	int rounds;		/* -n */
	int threads;		/* -t */
	int stall_seconds;	/* -w: one that stands so long is stuck */
	unsigned int seed;	/* -s */
};

extern struct stress_options stress;

/* One thread of the program; fields above the line belong to it alone. */
struct stress_worker {
	int index;
	unsigned int random;
	void *arg;
	/* read by the watchdog and by whoever sends signals */
	const char *doing;
	unsigned long steps;
	bool finished;
	/* the watchdog's own */
	unsigned long steps_seen;
	int stalled;
	void (*fn)(struct stress_worker *worker);
	pthread_t thread;
};

/*
 * Reads the options over the given defaults, prints the KTAP plan for
 * @results results, enters an IPC namespace and starts the watchdog. Ends the
 * program on bad options (status 2) or where there is no namespace (SKIP).
 */
void stress_begin(int argc, char **argv, int results, int rounds, int threads);
/* Prints one result of the plan. */
void stress_result(bool ok, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The same for a failure that stock kernels are known for. */
void stress_result_known(bool ok, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line of information. */
void stress_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints the totals and ends the program. */
void stress_end(void) __attribute__((noreturn));

/* Zeroed memory that forked children share. */
void *stress_shared(size_t size);

/* The sets whose state the watchdog prints. */
void stress_watch(int id);
void stress_unwatch(int id);

/* Starts @n workers at one time; they get the indices from @first. */
struct stress_worker *stress_start(int first, int n,
				   void (*fn)(struct stress_worker *worker),
				   void *arg);
/* Waits for their end and frees them. */
void stress_join(struct stress_worker *workers, int n);
/* Sends SIGUSR1, which is caught, to all in turn until all have finished. */
void stress_signal_storm(struct stress_worker *workers, int n);

/* Tells the watchdog that the worker gets on, and with what (a literal). */
void stress_step(struct stress_worker *worker, const char *doing);
/*
 * The same for the main thread and forked children, which are watched while
 * no worker is at work.
 */
void stress_tick(void);

/* The part that SEM_STRESS_PERCENT in the environment asks for; at least 1. */
int stress_scaled(int rounds);

/* A number from 0 to @below - 1. */
unsigned int stress_random(unsigned int *state, unsigned int below);

#endif /* SEM_STRESS_H */
