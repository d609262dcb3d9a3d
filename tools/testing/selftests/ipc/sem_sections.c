// SPDX-License-Identifier: GPL-2.0
/*
 * How long calls keep preemption or interrupts off (rule 26), with few and with
 * many semaphores or sleepers. With PREEMPT_RT the time must not grow. Without,
 * operations on whole sets and completions in great number may keep preemption
 * off for as long as they take, which has a bound for each semaphore or sleeper;
 * nothing else may.
 *
 * Two instruments: the kernel's preemptoff and irqsoff tracers; and, on a machine
 * whose time is instructions (GUEST_ACCEL=icount in the environment says so), how
 * late a FIFO thread wakes that sleeps for short times only. Both see what anybody
 * does, so each call is made three times and the median of the longest counts.
 * What the machine itself does in as much time is measured beside it.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define TRACING		"/sys/kernel/tracing/"
#define FEW		4
#define TIMES		3
#define SLACK_US	60	/* a clock interrupt more or less */
#define BOUND_US	3	/* for each semaphore or sleeper, where it may grow */
#define MAX_SLEEPERS	1000
#define PERIOD_NS	100000
#define OPERATIONS	2000

struct scene {
	int many;		/* semaphores, or sleepers */
	int set;
	unsigned short *values;
	pthread_t sleepers[MAX_SLEEPERS];
	int nr_sleepers;
	int two;		/* the sleepers wait on two semaphores */
};

/* A call whose sections are measured. */
struct probe {
	const char *name;
	int many;
	bool whole;	/* may keep preemption off for as long as it takes */
	void (*begin)(struct scene *scene);
	int (*call)(struct scene *scene);
	void (*again)(struct scene *scene);	/* between two calls */
};

struct longest {
	long call[TIMES];
	long idle[TIMES];	/* without the call, in as much time */
};

static void *sleep_again(void *arg)
{
	static const struct sembuf ops[] = { { 0, -1, 0 }, { 1, -1, 0 } };
	struct scene *scene = arg;

	while (!sem_ops(scene->set, ops, 1 + scene->two))
		;
	return NULL;
}

static void start_sleepers(struct scene *scene)
{
	pthread_attr_t attr;
	int i, err = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32 * 1024);
	for (i = 0; i < scene->many && !err; i++)
		err = pthread_create(&scene->sleepers[i], &attr, sleep_again,
				     scene);
	if (err)
		sem_die("pthread_create: %s", strerror(err));
	pthread_attr_destroy(&attr);
	scene->nr_sleepers = scene->many;
	sem_wait_ncnt(scene->set, 0, scene->many);
}

static void make_set(struct scene *scene, int nsems)
{
	scene->set = sem_new(nsems);
	scene->values = calloc(nsems, sizeof(*scene->values));
	if (!scene->values)
		sem_die("out of memory");
}

static void begin_set(struct scene *scene)
{
	make_set(scene, scene->many);
}

static void begin_sleepers(struct scene *scene)
{
	make_set(scene, 3);
	start_sleepers(scene);
}

static void begin_sleepers_on_two(struct scene *scene)
{
	scene->two = 1;
	begin_sleepers(scene);
}

static void end_scene(struct scene *scene)
{
	int i;

	if (scene->set >= 0)
		sem_rm(scene->set);
	for (i = 0; i < scene->nr_sleepers; i++)
		pthread_join(scene->sleepers[i], NULL);
	free(scene->values);
}

static int get_all(struct scene *scene)
{
	return sem_getall(scene->set, scene->values);
}

static int set_all(struct scene *scene)
{
	return sem_setall(scene->set, scene->values);
}

static int create(struct scene *scene)
{
	scene->set = semget(IPC_PRIVATE, scene->many, 0600);
	return scene->set < 0 ? -errno : 0;
}

static void remove_again(struct scene *scene)
{
	sem_rm(scene->set);
	scene->set = -1;
}

static int remove_set(struct scene *scene)
{
	return sem_rm(scene->set);
}

static void create_again(struct scene *scene)
{
	free(scene->values);
	make_set(scene, scene->many);
}

/* On a semaphore where nobody sleeps, long enough to be seen */
static int operate(struct scene *scene)
{
	int i, err = 0;

	for (i = 0; i < OPERATIONS && !err; i++)
		err = sem_op(scene->set, 2, i & 1 ? -1 : 1, 0);
	return err;
}

/* Wakes all of them. */
static int post(struct scene *scene)
{
	const struct sembuf ops[] = {
		{ 0, scene->many, 0 }, { 1, scene->many, 0 },
	};

	return sem_ops(scene->set, ops, 1 + scene->two);
}

static void await_sleepers(struct scene *scene)
{
	sem_wait_ncnt(scene->set, 0, scene->many);
}

/* Another one with as many adjustments, which waits at the gate to end. */
static int gate[2], ready[2];

static void adjust_and_wait(struct scene *scene)
{
	char nothing;
	int num;

	close(gate[1]);
	for (num = 0; num < scene->many; num++)
		if (sem_op(scene->set, num, 1, SEM_UNDO))
			_exit(1);
	if (write(ready[1], "", 1) != 1 || read(gate[0], &nothing, 1) < 0)
		_exit(1);
	_exit(0);
}

static void start_undoer(struct scene *scene)
{
	char nothing;
	pid_t pid;

	if (pipe(gate) || pipe(ready))
		sem_die("pipe: %s", strerror(errno));
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		sem_die("fork: %s", strerror(errno));
	if (!pid)
		adjust_and_wait(scene);
	if (read(ready[0], &nothing, 1) != 1)
		sem_die("no adjustments were made");
	close(gate[0]);
	close(ready[0]);
	close(ready[1]);
}

static void begin_undo(struct scene *scene)
{
	begin_set(scene);
	start_undoer(scene);
}

static int end_undoer(struct scene *scene)
{
	int status;

	(void)scene;
	close(gate[1]);
	if (wait(&status) < 0)
		return -errno;
	return status ? -ECHILD : 0;
}

static void trace(const char *file, const char *text)
{
	char path[128];
	int err;

	snprintf(path, sizeof(path), TRACING "%s", file);
	err = file_write(path, text);
	if (err)
		sem_die("%s: %s", path, strerror(-err));
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* How late the FIFO thread was at most, since somebody set it to 0 */
static long latest_us;
static bool watch;

static void *wake_up_again(void *unused)
{
	const struct sched_param param = { .sched_priority = 95 };
	struct timespec next;
	long late;

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		sem_die("SCHED_FIFO: %s", strerror(errno));
	while (__atomic_load_n(&watch, __ATOMIC_RELAXED)) {
		long long at = now_ns() + PERIOD_NS;

		next.tv_sec = at / 1000000000LL;
		next.tv_nsec = at % 1000000000LL;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		late = (now_ns() - at) / 1000;
		if (late > __atomic_load_n(&latest_us, __ATOMIC_RELAXED))
			__atomic_store_n(&latest_us, late, __ATOMIC_RELAXED);
	}
	return unused;
}

static void reset_latest(void)
{
	__atomic_store_n(&latest_us, 0, __ATOMIC_RELAXED);
}

static long read_latest(void)
{
	return __atomic_load_n(&latest_us, __ATOMIC_RELAXED);
}

static void reset_tracer(void)
{
	trace("tracing_max_latency", "0");
}

static long read_tracer(void)
{
	return file_number(TRACING "tracing_max_latency");
}

/* What sees the longest time. */
struct instrument {
	const char *name;
	void (*reset)(void);
	long (*read_us)(void);
};

static void call_nothing(long long ns)
{
	long long end = now_ns() + ns;

	while (now_ns() < end)
		getppid();
}

static void measure_once(const struct instrument *instrument,
			 const struct probe *probe, struct scene *scene,
			 long *call_us, long *idle_us)
{
	long long began, took;
	int err;

	instrument->reset();
	began = now_ns();
	err = probe->call(scene);
	took = now_ns() - began;
	*call_us = instrument->read_us();
	if (err)
		sem_die("%s: %s", probe->name, strerror(-err));
	instrument->reset();
	call_nothing(took);
	*idle_us = instrument->read_us();
}

static int compare_longs(const void *a, const void *b)
{
	return (*(const long *)a > *(const long *)b) -
	       (*(const long *)a < *(const long *)b);
}

static long median(const long *values)
{
	return values[TIMES / 2];
}

static struct longest measure(const struct instrument *instrument,
			      const struct probe *probe, int many)
{
	struct longest longest;
	struct scene scene = { .many = many, .set = -1 };
	int i;

	if (probe->begin)
		probe->begin(&scene);
	for (i = 0; i < TIMES; i++) {
		if (i && probe->again)
			probe->again(&scene);
		measure_once(instrument, probe, &scene, &longest.call[i],
			     &longest.idle[i]);
	}
	end_scene(&scene);
	qsort(longest.call, TIMES, sizeof(long), compare_longs);
	qsort(longest.idle, TIMES, sizeof(long), compare_longs);
	return longest;
}

static bool is_realtime_kernel(void)
{
	struct utsname name;

	return !uname(&name) && strstr(name.version, "PREEMPT_RT");
}

/* Returns by how many microseconds the limit is missed, 0 if it is kept. */
static long measure_with(const struct instrument *instrument,
			 const struct probe *probe, bool may_grow)
{
	struct longest few = measure(instrument, probe, FEW);
	struct longest many = measure(instrument, probe, probe->many);
	long usual = median(many.call), limit = median(few.call);

	if (limit < median(many.idle))
		limit = median(many.idle);
	limit += may_grow ? (long)probe->many * BOUND_US : limit + SLACK_US;
	ksft_print_msg("section: %s, %s, %d: few %ld many %ld idle %ld worst %ld limit %ld us\n",
		       instrument->name, probe->name, probe->many,
		       median(few.call), usual, median(many.idle),
		       many.call[TIMES - 1], limit);
	return usual > limit ? usual - limit : 0;
}

static bool has_tracer(const char *name)
{
	char tracers[256];

	return !file_read(TRACING "available_tracers", tracers,
			  sizeof(tracers)) && strstr(tracers, name);
}

static long trace_with(const char *tracer, const struct probe *probe,
		       bool may_grow)
{
	const struct instrument instrument = {
		tracer, reset_tracer, read_tracer,
	};
	long missed;

	trace("current_tracer", tracer);
	trace("tracing_on", "1");
	missed = measure_with(&instrument, probe, may_grow);
	trace("current_tracer", "nop");
	return missed;
}

FIXTURE(sections) {
	int unused;
};

FIXTURE_VARIANT(sections) {
	struct probe probe;
};

FIXTURE_SETUP(sections)
{
	ENTER_NS_OR_SKIP();
}

FIXTURE_TEARDOWN(sections)
{
}

TEST_F(sections, preemption_off)
{
	bool may_grow = variant->probe.whole && !is_realtime_kernel();

	if (!has_tracer("preemptoff"))
		SKIP(return, "the kernel has no preemptoff tracer");
	EXPECT_EQ(trace_with("preemptoff", &variant->probe, may_grow), 0);
}

TEST_F(sections, interrupts_off)
{
	if (!has_tracer("irqsoff"))
		SKIP(return, "the kernel has no irqsoff tracer");
	EXPECT_EQ(trace_with("irqsoff", &variant->probe, false), 0);
}

TEST_F(sections, wake_up_late)
{
	const struct instrument instrument = {
		"wake-up", reset_latest, read_latest,
	};
	bool may_grow = variant->probe.whole && !is_realtime_kernel();
	const char *accel = getenv("GUEST_ACCEL");
	pthread_t thread;

	if (!accel || strcmp(accel, "icount"))
		SKIP(return, "time is not instructions here");
	watch = true;
	ASSERT_EQ(pthread_create(&thread, NULL, wake_up_again, NULL), 0);
	EXPECT_EQ(measure_with(&instrument, &variant->probe, may_grow), 0);
	watch = false;
	pthread_join(thread, NULL);
}

/* Rule 26: all values of a large set are read. */
FIXTURE_VARIANT_ADD(sections, getall) {
	.probe = {
		.name = "GETALL", .many = 32000,
		.whole = true,
		.begin = begin_set, .call = get_all,
	},
};

/* Rule 26: all values of a large set are set. */
FIXTURE_VARIANT_ADD(sections, setall) {
	.probe = {
		.name = "SETALL", .many = 32000,
		.whole = true,
		.begin = begin_set, .call = set_all,
	},
};

/* Rule 26: a large set is made. */
FIXTURE_VARIANT_ADD(sections, create) {
	.probe = {
		.name = "semget of a new set", .many = 32000,
		.call = create, .again = remove_again,
	},
};

/* Rule 26: a large set is removed. */
FIXTURE_VARIANT_ADD(sections, remove) {
	.probe = {
		.name = "IPC_RMID", .many = 32000,
		.whole = true,
		.begin = begin_set, .call = remove_set, .again = create_again,
	},
};

/* Rule 26: an operation in a large set. */
FIXTURE_VARIANT_ADD(sections, operate) {
	.probe = {
		.name = "semop in a large set", .many = 32000,
		.begin = begin_set, .call = operate,
	},
};

/* Rule 26: a process with many adjustments ends. */
FIXTURE_VARIANT_ADD(sections, undo) {
	.probe = {
		.name = "exit with adjustments", .many = 1000,
		.whole = true,
		.begin = begin_undo, .call = end_undoer, .again = start_undoer,
	},
};

/* Rule 26: many are woken. */
FIXTURE_VARIANT_ADD(sections, post) {
	.probe = {
		.name = "post to sleepers", .many = 1000,
		.whole = true,
		.begin = begin_sleepers, .call = post, .again = await_sleepers,
	},
};

/* Rule 26: many that sleep on two semaphores are woken. */
FIXTURE_VARIANT_ADD(sections, post_two) {
	.probe = {
		.name = "post to sleepers on two", .many = 1000,
		.whole = true,
		.begin = begin_sleepers_on_two, .call = post, .again = await_sleepers,
	},
};

/* Rule 26: an operation beside many that sleep on two others. */
FIXTURE_VARIANT_ADD(sections, operate_beside) {
	.probe = {
		.name = "semop beside sleepers on two", .many = 1000,
		.begin = begin_sleepers_on_two, .call = operate,
	},
};

TEST_HARNESS_MAIN
