// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../kselftest.h"
#include "sem_kernel.h"
#include "sem_stress.h"
#include "sem_test.h"

#define MAX_WATCHED	64
#define MAX_WORKERS	1024
#define MAX_SHOWN_SEMS	32

struct stress_options stress = {
	.stall_seconds = 180,
	.seed = 1,
};

static int planned_results;
static unsigned long *ticks;	/* shared with children */

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static int watched[MAX_WATCHED];
static int nr_watched;
static struct stress_worker *registered[MAX_WORKERS];

static void usage(const char *program)
{
	fprintf(stderr,
		"usage: %s [-n ROUNDS] [-t THREADS] [-s SEED] [-w SECONDS]\n",
		program);
	exit(2);
}

static int positive(const char *program, char option, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > INT_MAX) {
		fprintf(stderr, "%s: -%c needs a positive number, not '%s'\n",
			program, option, text);
		usage(program);
	}
	return value;
}

static void parse_options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "n:t:s:w:")) != -1) {
		switch (opt) {
		case 'n':
			stress.rounds = positive(argv[0], opt, optarg);
			break;
		case 't':
			stress.threads = positive(argv[0], opt, optarg);
			break;
		case 's':
			stress.seed = positive(argv[0], opt, optarg);
			break;
		case 'w':
			stress.stall_seconds = positive(argv[0], opt, optarg);
			break;
		default:
			usage(argv[0]);
		}
	}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0],
			argv[optind]);
		usage(argv[0]);
	}
	if (stress.threads > MAX_WORKERS / 2) {
		fprintf(stderr, "%s: -t takes at most %d\n", argv[0],
			MAX_WORKERS / 2);
		exit(2);
	}
}

static void show_set(int id)
{
	struct semid_ds ds = { };
	int err = sem_stat(id, &ds);
	int nsems = ds.sem_nsems;
	int num;

	ksft_print_msg("set %d, %d semaphores, IPC_STAT %d\n", id, nsems, err);
	for (num = 0; num < nsems && num < MAX_SHOWN_SEMS; num++)
		ksft_print_msg("  %d: value %d ncnt %d zcnt %d pid %d\n", num,
			       sem_val(id, num), sem_ncnt(id, num),
			       sem_zcnt(id, num), sem_pid(id, num));
}

static void show_tasks(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	char path[PATH_MAX], line[256];
	FILE *file;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/syscall",
			 entry->d_name);
		file = fopen(path, "r");
		if (file && fgets(line, sizeof(line), file))
			ksft_print_msg("task %s in system call %s",
				       entry->d_name, line);
		if (file)
			fclose(file);
	}
	if (dir)
		closedir(dir);
}

/* Workers and tasks first: to ask for the sets' state may hang as well. */
static void show_state(void)
{
	int i;

	for (i = 0; i < MAX_WORKERS; i++) {
		struct stress_worker *worker = registered[i];

		if (worker && !worker->finished)
			ksft_print_msg("worker %d: %lu steps, now %s\n",
				       worker->index, worker->steps,
				       worker->doing ? worker->doing : "new");
	}
	show_tasks();
	fflush(stdout);
	for (i = 0; i < nr_watched; i++)
		show_set(watched[i]);
	fflush(stdout);
}

/* How long it has stood still, counted by one call a second. */
static int count_stalled(unsigned long steps, unsigned long *seen, int *stalled)
{
	*stalled = steps == *seen ? *stalled + 1 : 0;
	*seen = steps;
	return *stalled;
}

/* The longest time for which a worker, or else the main thread, has stood. */
static int longest_stall(void)
{
	static unsigned long ticks_seen;
	static int ticks_stalled;
	int i, workers = 0, longest = 0;

	pthread_mutex_lock(&registry_lock);
	for (i = 0; i < MAX_WORKERS; i++) {
		struct stress_worker *worker = registered[i];
		int stalled;

		if (!worker || __atomic_load_n(&worker->finished,
					       __ATOMIC_ACQUIRE))
			continue;
		workers++;
		stalled = count_stalled(__atomic_load_n(&worker->steps,
							__ATOMIC_RELAXED),
					&worker->steps_seen, &worker->stalled);
		if (stalled > longest)
			longest = stalled;
	}
	pthread_mutex_unlock(&registry_lock);
	if (workers)
		ticks_stalled = 0;
	else
		longest = count_stalled(__atomic_load_n(ticks,
							__ATOMIC_RELAXED),
					&ticks_seen, &ticks_stalled);
	return longest;
}

static void *watchdog(void *unused)
{
	(void)unused;
	while (longest_stall() < stress.stall_seconds)
		sleep(1);
	ksft_print_msg("somebody has been stuck for %d s\n",
		       stress.stall_seconds);
	/* SIGALRM ends the program if the state cannot be read. */
	alarm(30);
	show_state();
	ksft_test_result_fail("nobody gets stuck\n");
	_exit(KSFT_FAIL);
}

static void start_watchdog(void)
{
	sigset_t all, before;
	pthread_t thread;
	int err;

	sigfillset(&all);
	sigdelset(&all, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = pthread_create(&thread, NULL, watchdog, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		sem_die("pthread_create: %s", strerror(err));
}

static void caught(int sig)
{
	(void)sig;
}

int stress_scaled(int rounds)
{
	const char *text = getenv("SEM_STRESS_PERCENT");
	long percent = text ? strtol(text, NULL, 10) : 100;

	if (percent < 1) {
		fprintf(stderr, "SEM_STRESS_PERCENT: a percentage, not '%s'\n",
			text);
		exit(2);
	}
	rounds = rounds * percent / 100;
	return rounds ?: 1;
}

void stress_begin(int argc, char **argv, int results, int rounds, int threads)
{
	struct sigaction action = { .sa_handler = caught };
	int err;

	stress.rounds = stress_scaled(rounds);
	stress.threads = threads;
	parse_options(argc, argv);
	ksft_print_header();
	err = sem_enter_ns();
	if (err)
		ksft_exit_skip("no IPC namespace: %s\n", strerror(-err));
	planned_results = results;
	ksft_set_plan(results);
	ksft_print_msg("%d rounds, %d threads, seed %u\n", stress.rounds,
		       stress.threads, stress.seed);
	if (sigaction(SIGUSR1, &action, NULL))
		sem_die("sigaction: %s", strerror(errno));
	ticks = stress_shared(sizeof(*ticks));
	start_watchdog();
}

static void print_result(int code, const char *fmt, va_list ap)
{
	char text[256];

	vsnprintf(text, sizeof(text), fmt, ap);
	ksft_test_result_code(code, text, NULL);
}

void stress_result(bool ok, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_result(ok ? KSFT_PASS : KSFT_FAIL, fmt, ap);
	va_end(ap);
}

void stress_result_known(bool ok, const char *fmt, ...)
{
	int code = KSFT_PASS;
	va_list ap;

	if (!ok)
		code = sem_kernel_is_ours() ? KSFT_FAIL : KSFT_XFAIL;
	va_start(ap, fmt);
	print_result(code, fmt, ap);
	va_end(ap);
}

void stress_say(const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	ksft_print_msg("%s\n", text);
}

void stress_end(void)
{
	ksft_finished();
}

void *stress_shared(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		sem_die("mmap of %zu bytes: %s", size, strerror(errno));
	return mem;
}

void stress_watch(int id)
{
	pthread_mutex_lock(&registry_lock);
	if (nr_watched < MAX_WATCHED)
		watched[nr_watched++] = id;
	pthread_mutex_unlock(&registry_lock);
}

void stress_unwatch(int id)
{
	int i;

	pthread_mutex_lock(&registry_lock);
	for (i = 0; i < nr_watched && watched[i] != id; i++)
		;
	if (i < nr_watched)
		watched[i] = watched[--nr_watched];
	pthread_mutex_unlock(&registry_lock);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *worker_main(void *arg)
{
	struct stress_worker *worker = arg;

	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	worker->fn(worker);
	__atomic_store_n(&worker->finished, true, __ATOMIC_RELEASE);
	return NULL;
}

static void register_worker(struct stress_worker *worker)
{
	int i;

	pthread_mutex_lock(&registry_lock);
	for (i = 0; i < MAX_WORKERS && registered[i]; i++)
		;
	if (i == MAX_WORKERS)
		sem_die("more than %d workers", MAX_WORKERS);
	registered[i] = worker;
	pthread_mutex_unlock(&registry_lock);
}

static void unregister_worker(struct stress_worker *worker)
{
	int i;

	pthread_mutex_lock(&registry_lock);
	for (i = 0; i < MAX_WORKERS; i++)
		if (registered[i] == worker)
			registered[i] = NULL;
	pthread_mutex_unlock(&registry_lock);
}

struct stress_worker *stress_start(int first, int n,
				   void (*fn)(struct stress_worker *worker),
				   void *arg)
{
	struct stress_worker *workers = calloc(n, sizeof(*workers));
	int i, err;

	if (!workers)
		sem_die("out of memory");
	pthread_mutex_lock(&gate);
	for (i = 0; i < n; i++) {
		struct stress_worker *worker = &workers[i];

		worker->index = first + i;
		worker->random = stress.seed * 7919 + worker->index * 104729;
		worker->arg = arg;
		worker->fn = fn;
		register_worker(worker);
		err = pthread_create(&worker->thread, NULL, worker_main,
				     worker);
		if (err)
			sem_die("pthread_create: %s", strerror(err));
	}
	pthread_mutex_unlock(&gate);
	return workers;
}

void stress_join(struct stress_worker *workers, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		unregister_worker(&workers[i]);
	}
	free(workers);
}

void stress_signal_storm(struct stress_worker *workers, int n)
{
	int i, finished;

	do {
		finished = 0;
		for (i = 0; i < n; i++) {
			if (__atomic_load_n(&workers[i].finished,
					    __ATOMIC_ACQUIRE))
				finished++;
			else
				pthread_kill(workers[i].thread, SIGUSR1);
		}
		sched_yield();
	} while (finished < n);
}

void stress_step(struct stress_worker *worker, const char *doing)
{
	worker->doing = doing;
	__atomic_store_n(&worker->steps, worker->steps + 1, __ATOMIC_RELAXED);
}

void stress_tick(void)
{
	__atomic_fetch_add(ticks, 1, __ATOMIC_RELAXED);
}

unsigned int stress_random(unsigned int *state, unsigned int below)
{
	/* A full-period generator; its low bits are poor. */
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % below;
}
