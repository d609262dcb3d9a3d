// SPDX-License-Identifier: GPL-2.0
/*
 * Priorities (rules 10, 26): who holds a lock of the semaphores for a FIFO
 * thread is not overtaken by those in between, and who sleeps on a semaphore is
 * served in order of arrival, whatever its priority.
 *
 * Three threads share one CPU. The low one (SCHED_OTHER) is in a long call that
 * holds a lock. A timer wakes the medium one (FIFO), which wakes the high one
 * (FIFO, higher) and spins. The high one makes a call that needs the lock, and
 * that does not sleep for any other reason. Nobody uses the lock on other CPUs:
 * to wait for a holder that runs there is no inversion.
 *
 * That the low one really was preempted while it held the lock is told by the
 * scheduler's counters: the high one gave up the CPU within its call, though
 * nobody is above it, so it waited for a lock whose holder did not run; and the
 * low one lost the CPU within its own. That it was overtaken is told by the
 * medium one's spins: there must be none while the high one is in its call. No
 * time is compared, so that a machine that stands still now and then is no
 * trouble.
 */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define NSEC		1000000000LL
#define MEDIUM		50
#define HIGH		80
#define ROUNDS		32	/* the alarm goes through the call in so many steps */
#define FEW_ROUNDS	8
#define ENOUGH		2	/* rounds in which the holder was preempted */
#define MAX_PASSES	20
#define SPIN_NS		20000000LL
#define MANY_SEMS	32000
#define MANY_SLEEPERS	400

struct scene;

/* How a lock is held for long, and how somebody else comes to need it. */
struct section {
	const char *lock;
	int nsems;
	int sleepers;		/* on semaphore 0, which come back when woken */
	int first_value;	/* of semaphore 0, at the beginning of each round */
	int (*hold)(struct scene *scene);
	int (*want)(struct scene *scene);
	int (*give_back)(struct scene *scene);	/* what the high one has got */
};

/* Everything that the three threads share. */
struct scene {
	const struct section *section;
	int set;
	unsigned short *values;
	long limit;		/* of the medium one's spins */
	bool over;
	sem_t medium_go, medium_ended, high_go, high_ended;
	pthread_t medium, high;
	pthread_t sleepers[MANY_SLEEPERS];
	/* one round */
	struct timespec alarm;
	long spins;
	bool high_done;
	int high_result;
	bool blocked;		/* the high one gave up the CPU in its call */
	bool overtaken;		/* the medium one ran meanwhile */
	long long late;		/* the medium one, after its alarm */
	long long waited;	/* the high one, in its call */
};

/* What came of all rounds. */
struct outcome {
	int rounds;
	int in_call;		/* the alarm rang while the low one was in its call */
	int blocked;
	int preempted;		/* of these: the low one lost the CPU in its call */
	int overtaken;
	long long late, waited, section;
};

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC + now.tv_nsec;
}

static bool is_realtime_kernel(void)
{
	struct utsname name;

	return !uname(&name) && strstr(name.version, "PREEMPT_RT");
}

static int set_priority(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(0, priority ? SCHED_FIFO : SCHED_OTHER,
				  &param) ? -errno : 0;
}

/* In a child, so that the caller stays what it is. */
static int try_priority(void *unused)
{
	(void)unused;
	return set_priority(HIGH);
}

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore))
		if (errno != EINTR)
			sem_die("sem_wait: %s", strerror(errno));
}

static struct rusage thread_usage(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		sem_die("getrusage: %s", strerror(errno));
	return usage;
}

static void spin(struct scene *scene, long limit)
{
	while (!__atomic_load_n(&scene->high_done, __ATOMIC_RELAXED) &&
	       scene->spins < limit)
		__atomic_store_n(&scene->spins, scene->spins + 1,
				 __ATOMIC_RELAXED);
}

static void become(int priority, int cpu)
{
	int err = task_pin(cpu);

	if (!err)
		err = set_priority(priority);
	if (err)
		sem_die("priority %d on CPU %d: %s", priority, cpu,
			strerror(-err));
}

static void *medium_main(void *arg)
{
	struct scene *scene = arg;

	become(MEDIUM, sched_getcpu());
	for (;;) {
		wait_for(&scene->medium_go);
		if (scene->over)
			return NULL;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &scene->alarm,
				NULL);
		scene->late = now_ns() - (scene->alarm.tv_sec * NSEC +
					  scene->alarm.tv_nsec);
		sem_post(&scene->high_go);
		spin(scene, scene->limit);
		sem_post(&scene->medium_ended);
	}
}

static void *high_main(void *arg)
{
	struct scene *scene = arg;
	long spins, switches;
	long long began;

	become(HIGH, sched_getcpu());
	for (;;) {
		wait_for(&scene->high_go);
		if (scene->over)
			return NULL;
		switches = thread_usage().ru_nvcsw;
		spins = __atomic_load_n(&scene->spins, __ATOMIC_RELAXED);
		began = now_ns();
		scene->high_result = scene->section->want(scene);
		scene->waited = now_ns() - began;
		scene->overtaken = __atomic_load_n(&scene->spins,
						   __ATOMIC_RELAXED) != spins;
		scene->blocked = thread_usage().ru_nvcsw != switches;
		if (!scene->high_result && scene->section->give_back)
			scene->high_result = scene->section->give_back(scene);
		__atomic_store_n(&scene->high_done, true, __ATOMIC_RELAXED);
		sem_post(&scene->high_ended);
	}
}

static void *sleeper_main(void *arg)
{
	struct scene *scene = arg;

	while (!sem_op(scene->set, 0, -1, 0))
		;
	return NULL;
}

/*
 * The claim lock of a set (the lock of the set, in other kernels): SETALL takes
 * it for all semaphores, an operation on one of them needs it meanwhile.
 */
static int hold_set(struct scene *scene)
{
	return sem_setall(scene->set, scene->values);
}

static int want_own_semaphore(struct scene *scene)
{
	return sem_op(scene->set, MANY_SEMS / 2, 1, 0);
}

/* The lock of one semaphore: a post that completes many sleepers. */
static int hold_semaphore(struct scene *scene)
{
	return sem_op(scene->set, 0, MANY_SLEEPERS, 0);
}

static int want_semaphore(struct scene *scene)
{
	return sem_op(scene->set, 0, 1, 0);
}

/*
 * For comparison, what lends nobody a priority: a semaphore used as a mutex.
 * Its holder is a number, not a thread.
 */
static int hold_value(struct scene *scene)
{
	long long end;
	int err = sem_op(scene->set, 0, -1, 0);

	for (end = now_ns() + 3000000; now_ns() < end; )
		;
	return err ?: sem_op(scene->set, 0, 1, 0);
}

static int want_value(struct scene *scene)
{
	return sem_op(scene->set, 0, -1, 0);
}

static int give_value_back(struct scene *scene)
{
	return sem_op(scene->set, 0, 1, 0);
}

static pthread_t start_thread(void *(*fn)(void *arg), struct scene *scene)
{
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 128 * 1024);
	err = pthread_create(&thread, &attr, fn, scene);
	if (err)
		sem_die("pthread_create: %s", strerror(err));
	pthread_attr_destroy(&attr);
	return thread;
}

/* The caller is the low one. Whom it starts stays on its CPU: see above. */
static struct scene *scene_begin(const struct section *section)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	int i, cpu = sched_getcpu();

	if (!scene)
		sem_die("out of memory");
	scene->section = section;
	scene->set = sem_new(section->nsems);
	scene->values = calloc(section->nsems, sizeof(*scene->values));
	if (!scene->values || sem_init(&scene->medium_go, 0, 0) ||
	    sem_init(&scene->medium_ended, 0, 0) ||
	    sem_init(&scene->high_go, 0, 0) ||
	    sem_init(&scene->high_ended, 0, 0))
		sem_die("out of memory");
	if (cpu < 0 || task_pin(cpu))
		sem_die("cannot stay on CPU %d", cpu);
	for (i = 0; i < section->sleepers; i++)
		scene->sleepers[i] = start_thread(sleeper_main, scene);
	scene->medium = start_thread(medium_main, scene);
	scene->high = start_thread(high_main, scene);
	return scene;
}

static void scene_end(struct scene *scene)
{
	int i;

	scene->over = true;
	sem_post(&scene->medium_go);
	sem_post(&scene->high_go);
	pthread_join(scene->medium, NULL);
	pthread_join(scene->high, NULL);
	sem_rm(scene->set);
	for (i = 0; i < scene->section->sleepers; i++)
		pthread_join(scene->sleepers[i], NULL);
	free(scene->values);
	free(scene);
}

/* As it is at the beginning of each round. */
static void set_out(struct scene *scene)
{
	if (sem_setval(scene->set, 0, scene->section->first_value))
		sem_die("SETVAL: %s", strerror(errno));
	if (scene->section->sleepers)
		sem_wait_ncnt(scene->set, 0, scene->section->sleepers);
	scene->spins = 0;
	scene->high_done = false;
}

/* How long the low one's call takes if nobody disturbs it. */
static long long measure_section(struct scene *scene)
{
	long long began, took, least = LLONG_MAX;
	int i;

	for (i = 0; i < 3; i++) {
		set_out(scene);
		began = now_ns();
		if (scene->section->hold(scene))
			sem_die("the call fails");
		took = now_ns() - began;
		if (took < least)
			least = took;
	}
	return least;
}

/* A limit in spins and not in time: it must not run out while the CPU stands. */
static long measure_spins(struct scene *scene)
{
	long long began = now_ns(), took;

	set_out(scene);
	do {
		spin(scene, scene->spins + 1000);
		took = now_ns() - began;
	} while (took < SPIN_NS);
	return scene->spins;
}

static void add_round(struct outcome *outcome, const struct scene *scene,
		      bool in_call, bool preempted)
{
	outcome->rounds++;
	outcome->in_call += in_call;
	outcome->blocked += scene->blocked;
	outcome->preempted += scene->blocked && preempted;
	outcome->overtaken += scene->overtaken;
	if (in_call && scene->late > outcome->late)
		outcome->late = scene->late;
	if (scene->waited > outcome->waited)
		outcome->waited = scene->waited;
}

static void run_round(struct scene *scene, long long delay,
		      struct outcome *outcome)
{
	long long alarm, began, ended;
	long switches;
	int err;

	set_out(scene);
	alarm = now_ns() + 200000 + delay;
	scene->alarm.tv_sec = alarm / NSEC;
	scene->alarm.tv_nsec = alarm % NSEC;
	sem_post(&scene->medium_go);
	while (now_ns() < alarm - delay)
		;
	switches = thread_usage().ru_nivcsw;
	began = now_ns();
	err = scene->section->hold(scene);
	ended = now_ns();
	switches = thread_usage().ru_nivcsw - switches;
	wait_for(&scene->medium_ended);
	wait_for(&scene->high_ended);
	if (err || scene->high_result)
		sem_die("the calls returned %d and %d", err,
			scene->high_result);
	add_round(outcome, scene, began < alarm && alarm < ended, switches > 0);
}

/* Fewer where SEM_STRESS_PERCENT in the environment says that it is slow. */
static int rounds_of_a_pass(void)
{
	const char *text = getenv("SEM_STRESS_PERCENT");

	return text && atoi(text) < 100 ? FEW_ROUNDS : ROUNDS;
}

/* Another pass has other delays, since the lock may be held for a short part. */
static void run_pass(struct scene *scene, int pass, struct outcome *outcome)
{
	int round, rounds = rounds_of_a_pass();
	long long step = outcome->section / rounds;

	for (round = 0; round < rounds; round++)
		run_round(scene, step * round + step * pass / MAX_PASSES,
			  outcome);
}

/* Goes on for a while if no holder was preempted, which takes luck. */
static struct outcome run_scene(const struct section *section)
{
	struct scene *scene = scene_begin(section);
	struct outcome outcome = { };
	int pass = 0;

	outcome.section = measure_section(scene);
	scene->limit = measure_spins(scene);
	do
		run_pass(scene, pass, &outcome);
	while (is_realtime_kernel() && outcome.preempted < ENOUGH &&
	       ++pass < MAX_PASSES);
	scene_end(scene);
	ksft_print_msg("%s, call takes %lld us: alarm in the call in %d of %d rounds\n",
		       section->lock, outcome.section / 1000, outcome.in_call,
		       outcome.rounds);
	ksft_print_msg("holder preempted inside: %d, overtaken: %d\n",
		       outcome.preempted, outcome.overtaken);
	ksft_print_msg("medium late by up to %lld us, high waited up to %lld us\n",
		       outcome.late / 1000, outcome.waited / 1000);
	return outcome;
}

FIXTURE(priority) {
	int unused;
};

FIXTURE_VARIANT(priority) {
	struct section section;
};

FIXTURE_SETUP(priority)
{
	int err;

	ENTER_NS_OR_SKIP();
	err = run_in_child(try_priority, NULL);
	if (err)
		SKIP(return, "no real-time priority: %s", strerror(-err));
}

FIXTURE_TEARDOWN(priority)
{
}

/* Rule 26: nobody in between overtakes the holder of a set's lock. */
FIXTURE_VARIANT_ADD(priority, lock_of_the_set) {
	.section = {
		.lock = "lock of the set",
		.nsems = MANY_SEMS,
		.hold = hold_set,
		.want = want_own_semaphore,
	},
};

/* Rule 26: nobody in between overtakes the holder of a semaphore's lock. */
FIXTURE_VARIANT_ADD(priority, lock_of_a_semaphore) {
	.section = {
		.lock = "lock of a semaphore",
		.nsems = 2,
		.sleepers = MANY_SLEEPERS,
		.hold = hold_semaphore,
		.want = want_semaphore,
	},
};

/*
 * With PREEMPT_RT the holder can be preempted, and is lent the priority of who
 * waits. Without, it cannot be, so nobody ever waits for one that does not run.
 */
TEST_F(priority, holder_is_not_overtaken)
{
	struct outcome outcome = run_scene(&variant->section);

	EXPECT_EQ(outcome.overtaken, 0);
	EXPECT_GT(outcome.in_call, 0);
	EXPECT_EQ(outcome.blocked > 0, is_realtime_kernel());
	EXPECT_EQ(outcome.preempted > 0, is_realtime_kernel());
}

/*
 * Rule 10: a value lends no priority. It also shows that the tests above see a
 * holder that is overtaken.
 */
TEST(value_lends_no_priority)
{
	static const struct section mutex = {
		.lock = "value used as a mutex",
		.nsems = 1,
		.first_value = 1,
		.hold = hold_value,
		.want = want_value,
		.give_back = give_value_back,
	};
	struct outcome outcome;
	int err;

	ENTER_NS_OR_SKIP();
	err = run_in_child(try_priority, NULL);
	if (err)
		SKIP(return, "no real-time priority: %s", strerror(-err));
	outcome = run_scene(&mutex);
	EXPECT_GT(outcome.preempted, 0);
	EXPECT_GT(outcome.overtaken, outcome.blocked / 2);
}

struct waiter {
	int set;
	int priority;
	int nops;
};

/* Waits on semaphore 0, or on 0 and 1. */
static int take_with_priority(void *arg)
{
	static const struct sembuf ops[] = { { 0, -1, 0 }, { 1, -1, 0 } };
	const struct waiter *waiter = arg;
	int err = set_priority(waiter->priority);

	return err ?: sem_ops(waiter->set, ops, waiter->nops);
}

FIXTURE(arrival) {
	int set;
};

FIXTURE_VARIANT(arrival) {
	int priorities[3];	/* in order of arrival, 0 is SCHED_OTHER */
	int nops[3];
};

FIXTURE_SETUP(arrival)
{
	int err;

	ENTER_NS_OR_SKIP();
	err = run_in_child(try_priority, NULL);
	if (err)
		SKIP(return, "no real-time priority: %s", strerror(-err));
	self->set = sem_new(2);
	ASSERT_EQ(sem_setval(self->set, 1, 3), 0);
}

FIXTURE_TEARDOWN(arrival)
{
	if (self->set)
		sem_rm(self->set);
}

/* Rule 10: the highest priority comes last. */
FIXTURE_VARIANT_ADD(arrival, rising) {
	.priorities = { 0, 10, 80 },
	.nops = { 1, 1, 1 },
};

/* Rule 10: and first. */
FIXTURE_VARIANT_ADD(arrival, falling) {
	.priorities = { 80, 10, 0 },
	.nops = { 1, 1, 1 },
};

/* Rule 10: on two semaphores each. */
FIXTURE_VARIANT_ADD(arrival, rising_on_two) {
	.priorities = { 0, 10, 80 },
	.nops = { 2, 2, 2 },
};

/* Rule 10: on one and on two. */
FIXTURE_VARIANT_ADD(arrival, rising_mixed) {
	.priorities = { 0, 10, 80 },
	.nops = { 2, 1, 2 },
};

TEST_F(arrival, decides)
{
	struct sleeper *sleepers[3];
	int i, later;

	for (i = 0; i < 3; i++) {
		struct waiter waiter = {
			self->set, variant->priorities[i], variant->nops[i],
		};

		sleepers[i] = sleeper_fork(take_with_priority, &waiter);
		sem_wait_ncnt(self->set, 0, i + 1);
	}
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(sem_op(self->set, 0, 1, 0), 0);
		EXPECT_EQ(sleeper_result(sleepers[i]), 0);
		for (later = i + 1; later < 3; later++)
			EXPECT_FALSE(sleeper_done(sleepers[later]));
		EXPECT_EQ(sem_ncnt(self->set, 0), 2 - i);
	}
	for (i = 0; i < 3; i++)
		EXPECT_EQ(sleeper_end(sleepers[i]), 0);
}

TEST_HARNESS_MAIN
