// SPDX-License-Identifier: GPL-2.0
/*
 * How a wait ends: timeouts, signals, and both against completion and removal
 * (rules 13 and 14). Each kind of sleeper goes through all of it.
 */
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sem_kernel.h"
#include "sem_test.h"

#define NSEC_PER_SEC	1000000000LL

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static void caught(int sig)
{
	(void)sig;
}

static void catch_signal(int sig, int flags)
{
	struct sigaction action = { .sa_handler = caught, .sa_flags = flags };

	if (sigaction(sig, &action, NULL))
		sem_die("sigaction: %s", strerror(errno));
}

/*
 * A set of two semaphores with the values of @start, on which @ops wait until
 * @wake has been done; then the values are those of @end.
 */
FIXTURE(kind)
{
	int id;
};

FIXTURE_VARIANT(kind)
{
	unsigned short start[2];
	unsigned short end[2];
	int nops;
	struct sembuf ops[3];
	struct sembuf wake;
	int blocked_on;
	bool for_zero;
};

FIXTURE_VARIANT_ADD(kind, take)
{
	.nops = 1,
	.ops = { { 0, -1, 0 } },
	.wake = { 0, 1, 0 },
};

FIXTURE_VARIANT_ADD(kind, take_undo)
{
	.nops = 1,
	.ops = { { 1, -3, SEM_UNDO } },
	.wake = { 1, 5, 0 },
	.end = { 0, 2 },
	.blocked_on = 1,
};

FIXTURE_VARIANT_ADD(kind, zero)
{
	.start = { 1, 0 },
	.nops = 1,
	.ops = { { 0, 0, 0 } },
	.wake = { 0, -1, 0 },
	.for_zero = true,
};

FIXTURE_VARIANT_ADD(kind, take_both)
{
	.start = { 1, 0 },
	.nops = 2,
	.ops = { { 0, -1, 0 }, { 1, -1, 0 } },
	.wake = { 1, 1, 0 },
	.blocked_on = 1,
};

FIXTURE_VARIANT_ADD(kind, take_both_undo)
{
	.start = { 0, 2 },
	.nops = 2,
	.ops = { { 1, -1, SEM_UNDO }, { 0, -1, SEM_UNDO } },
	.wake = { 0, 1, 0 },
	.end = { 0, 1 },
};

FIXTURE_VARIANT_ADD(kind, zero_then_post)
{
	.start = { 1, 0 },
	.nops = 2,
	.ops = { { 0, 0, 0 }, { 0, 1, 0 } },
	.wake = { 0, -1, 0 },
	.end = { 1, 0 },
	.for_zero = true,
};

FIXTURE_VARIANT_ADD(kind, both_zero)
{
	.start = { 0, 1 },
	.nops = 2,
	.ops = { { 0, 0, 0 }, { 1, 0, 0 } },
	.wake = { 1, -1, 0 },
	.blocked_on = 1,
	.for_zero = true,
};

FIXTURE_VARIANT_ADD(kind, same_semaphore_twice)
{
	.start = { 1, 0 },
	.nops = 3,
	.ops = { { 0, -1, 0 }, { 0, -1, 0 }, { 1, 1, 0 } },
	.wake = { 0, 1, 0 },
	.end = { 0, 1 },
};

FIXTURE_SETUP(kind)
{
	int err = sem_enter_ns();

	if (err)
		SKIP(return, "no IPC namespace: %s", strerror(-err));
	self->id = sem_new(2);
	ASSERT_EQ(0, sem_setall(self->id, variant->start));
}

FIXTURE_TEARDOWN(kind)
{
}

static int blocked_count(int id, const FIXTURE_VARIANT(kind) *variant)
{
	if (variant->for_zero)
		return sem_zcnt(id, variant->blocked_on);
	return sem_ncnt(id, variant->blocked_on);
}

/* Nothing was done and nobody is queued. */
static void expect_untouched(struct __test_metadata *_metadata, int id,
			     const FIXTURE_VARIANT(kind) *variant)
{
	unsigned short vals[2];

	sem_wait_sleepers(id, 0);
	ASSERT_EQ(0, sem_getall(id, vals));
	EXPECT_EQ(variant->start[0], vals[0]);
	EXPECT_EQ(variant->start[1], vals[1]);
}

static void expect_completed(struct __test_metadata *_metadata, int id,
			     const FIXTURE_VARIANT(kind) *variant)
{
	unsigned short vals[2];

	EXPECT_EQ(0, sem_sleepers(id));
	ASSERT_EQ(0, sem_getall(id, vals));
	EXPECT_EQ(variant->end[0], vals[0]);
	EXPECT_EQ(variant->end[1], vals[1]);
}

static struct sleeper *asleep(int id, const FIXTURE_VARIANT(kind) *variant)
{
	return sleeper_ops_asleep(id, variant->ops, variant->nops);
}

static struct sleeper *asleep_timed(int id,
				    const FIXTURE_VARIANT(kind) *variant,
				    long long ns)
{
	struct timespec timeout = {
		.tv_sec = ns / NSEC_PER_SEC,
		.tv_nsec = ns % NSEC_PER_SEC,
	};
	struct sleeper *s = sleeper_ops(id, variant->ops, variant->nops,
					&timeout);

	sem_wait_sleepers(id, 1);
	return s;
}

/* Rule 13: a timeout gives EAGAIN, never early, and changes nothing. */
TEST_F(kind, timeout_is_never_early)
{
	static const long durations[] = {
		1, 999, 1000, 30000, 100000, 1000000, 9999999, 25000000,
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(durations); i++) {
		struct timespec timeout = { .tv_nsec = durations[i] };
		long long start = now_ns();

		EXPECT_EQ(-EAGAIN, sem_ops_timed(self->id, variant->ops,
						 variant->nops, &timeout));
		EXPECT_LE(start + durations[i], now_ns());
		EXPECT_EQ(durations[i], timeout.tv_nsec);
		expect_untouched(_metadata, self->id, variant);
	}
}

/* Rule 13: {0, 0} answers EAGAIN at once if it must wait, else it succeeds. */
TEST_F(kind, zero_timeout)
{
	struct timespec timeout = { };

	EXPECT_EQ(-EAGAIN, sem_ops_timed(self->id, variant->ops,
					 variant->nops, &timeout));
	expect_untouched(_metadata, self->id, variant);
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	EXPECT_EQ(0, sem_ops_timed(self->id, variant->ops, variant->nops,
				   &timeout));
	expect_completed(_metadata, self->id, variant);
}

/* Rule 13: the longest timeouts wait; none of them overflows. */
TEST_F(kind, longest_timeouts)
{
	static const long seconds[] = { LONG_MAX, LONG_MAX / 2, INT_MAX };
	static const long nanoseconds[] = { 0, 999999999 };
	size_t i, j;

	for (i = 0; i < ARRAY_LEN(seconds); i++) {
		for (j = 0; j < ARRAY_LEN(nanoseconds); j++) {
			struct timespec timeout = {
				seconds[i], nanoseconds[j]
			};
			struct sleeper *s;

			ASSERT_EQ(0, sem_setall(self->id, variant->start));
			s = sleeper_ops(self->id, variant->ops, variant->nops,
					&timeout);
			sem_wait_sleepers(self->id, 1);
			EXPECT_FALSE(sleeper_done(s));
			ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
			EXPECT_EQ(0, sleeper_result(s));
			expect_completed(_metadata, self->id, variant);
			sleeper_end(s);
		}
	}
}

/* Rule 13: a call that is completed before its timeout succeeds. */
TEST_F(kind, completed_before_timeout)
{
	struct sleeper *s = asleep_timed(self->id, variant, 600 * NSEC_PER_SEC);

	EXPECT_EQ(1, blocked_count(self->id, variant));
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	EXPECT_EQ(0, sleeper_result(s));
	expect_completed(_metadata, self->id, variant);
	sleeper_end(s);
}

/* Rule 13: a signal that is caught gives EINTR and changes nothing. */
TEST_F(kind, signal_interrupts)
{
	struct sleeper *s;

	catch_signal(SIGUSR1, 0);
	s = asleep(self->id, variant);
	sleeper_signal(s, SIGUSR1);
	EXPECT_EQ(-EINTR, sleeper_end(s));
	expect_untouched(_metadata, self->id, variant);

	s = asleep_timed(self->id, variant, 600 * NSEC_PER_SEC);
	sleeper_signal(s, SIGUSR1);
	EXPECT_EQ(-EINTR, sleeper_end(s));
	expect_untouched(_metadata, self->id, variant);
}

/* Rule 13: SA_RESTART has no effect. */
TEST_F(kind, signal_never_restarts)
{
	struct sleeper *s;

	catch_signal(SIGUSR1, SA_RESTART);
	s = asleep(self->id, variant);
	sleeper_signal(s, SIGUSR1);
	EXPECT_EQ(-EINTR, sleeper_end(s));
	expect_untouched(_metadata, self->id, variant);

	s = asleep_timed(self->id, variant, 600 * NSEC_PER_SEC);
	sleeper_signal(s, SIGUSR1);
	EXPECT_EQ(-EINTR, sleeper_end(s));
	expect_untouched(_metadata, self->id, variant);
}

/* Rules 13, 14: signals that are ignored or blocked wake nobody. */
TEST_F(kind, unseen_signals_do_not_interrupt)
{
	sigset_t blocked;
	struct sleeper *s;
	int i;

	signal(SIGUSR2, SIG_IGN);
	catch_signal(SIGUSR1, 0);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &blocked, NULL));

	s = asleep(self->id, variant);
	for (i = 0; i < 100; i++) {
		sleeper_signal(s, SIGUSR2);
		sleeper_signal(s, SIGUSR1);
		/* SIGCHLD and SIGWINCH are ignored by default. */
		sleeper_signal(s, SIGCHLD);
		sleeper_signal(s, SIGWINCH);
	}
	EXPECT_EQ(1, blocked_count(self->id, variant));
	EXPECT_FALSE(sleeper_done(s));
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	EXPECT_EQ(0, sleeper_result(s));
	expect_completed(_metadata, self->id, variant);
	sleeper_end(s);
}

/* Rule 13; signal(7): being stopped and continued interrupts the call. */
TEST_F(kind, stop_and_continue_interrupts)
{
	struct sleeper *s = asleep(self->id, variant);
	int status;

	ASSERT_EQ(0, kill(s->pid, SIGSTOP));
	ASSERT_EQ(s->pid, waitpid(s->pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	ASSERT_EQ(0, kill(s->pid, SIGCONT));
	EXPECT_EQ(-EINTR, sleeper_end(s));
	expect_untouched(_metadata, self->id, variant);
}

/* Rule 13: a killed sleeper leaves the queue and the values as they were. */
TEST_F(kind, kill_takes_the_sleeper_away)
{
	struct sleeper *s = asleep(self->id, variant);

	sleeper_kill(s);
	expect_untouched(_metadata, self->id, variant);
	s = asleep_timed(self->id, variant, 600 * NSEC_PER_SEC);
	sleeper_kill(s);
	expect_untouched(_metadata, self->id, variant);
	/* The next one is served, not the one that went away. */
	s = asleep(self->id, variant);
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	EXPECT_EQ(0, sleeper_result(s));
	expect_completed(_metadata, self->id, variant);
	sleeper_end(s);
}

/* Rule 13: one thread's signal is that thread's alone. */
TEST_F(kind, signal_to_one_thread)
{
	struct sleeper *first, *second;

	catch_signal(SIGUSR1, 0);
	first = sleeper_thread_ops(self->id, variant->ops, variant->nops, NULL);
	sem_wait_sleepers(self->id, 1);
	second = sleeper_thread_ops(self->id, variant->ops, variant->nops,
				    NULL);
	sem_wait_sleepers(self->id, 2);
	sleeper_signal(first, SIGUSR1);
	EXPECT_EQ(-EINTR, sleeper_end(first));
	EXPECT_EQ(1, sem_sleepers(self->id));
	EXPECT_FALSE(sleeper_done(second));
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	EXPECT_EQ(0, sleeper_result(second));
	expect_completed(_metadata, self->id, variant);
	sleeper_end(second);
}

struct group {
	int id;
	const FIXTURE_VARIANT(kind) *variant;
	int exit_code;
};

/* A process whose other threads sleep when it exits. */
static int exit_with_sleeping_threads(void *arg)
{
	struct group *group = arg;
	int i;

	for (i = 0; i < 4; i++)
		sleeper_thread_ops(group->id, group->variant->ops,
				   group->variant->nops, NULL);
	sem_wait_sleepers(group->id, 4);
	return 0;
}

/* Rule 13: exit ends the sleeping threads of the process. */
TEST_F(kind, exit_with_sleeping_threads)
{
	struct group group = { .id = self->id, .variant = variant };

	EXPECT_EQ(0, run_in_child(exit_with_sleeping_threads, &group));
	expect_untouched(_metadata, self->id, variant);
}

/* A sleeper pinned to @cpu, where it runs only if the test lets it. */
struct pinned {
	int id;
	int cpu;
	const FIXTURE_VARIANT(kind) *variant;
	struct timespec timeout;
};

static int pinned_call(void *arg)
{
	struct pinned *call = arg;
	int err = task_pin(call->cpu);

	if (err)
		return err;
	return sem_ops_timed(call->id, call->variant->ops, call->variant->nops,
			     call->timeout.tv_sec || call->timeout.tv_nsec ?
			     &call->timeout : NULL);
}

/*
 * Rule 13: completion beats a signal, and a removal. The test rules the CPU,
 * so the sleeper cannot run between the three.
 */
TEST_F(kind, completion_beats_signal_and_removal)
{
	struct pinned call = { .id = self->id, .variant = variant };
	struct sleeper *s;

	catch_signal(SIGUSR1, 0);
	call.cpu = sched_getcpu();
	s = sleeper_fork(pinned_call, &call);
	sem_wait_sleepers(self->id, 1);
	ASSERT_EQ(0, task_pin(call.cpu));
	if (task_rule_cpu() < 0) {
		sleeper_kill(s);
		SKIP(return, "no right to use SCHED_FIFO");
	}
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	EXPECT_EQ(0, kill(s->pid, SIGUSR1));
	expect_completed(_metadata, self->id, variant);
	EXPECT_EQ(0, sem_rm(self->id));
	EXPECT_EQ(0, sleeper_end(s));
}

/*
 * Rule 13: completion beats a timeout. The time has run out, but the sleeper
 * has not been able to notice when its operation is completed.
 */
TEST_F(kind, completion_beats_timeout)
{
	struct pinned call = {
		.id = self->id,
		.variant = variant,
		.timeout = { .tv_nsec = 200000000 },
	};
	struct sleeper *s;
	long long end;

	call.cpu = sched_getcpu();
	ASSERT_EQ(0, task_pin(call.cpu));
	s = sleeper_fork(pinned_call, &call);
	while (!sem_sleepers(self->id) && !sleeper_done(s))
		sched_yield();
	if (task_rule_cpu() < 0) {
		sleeper_kill(s);
		SKIP(return, "no right to use SCHED_FIFO");
	}
	/* From here on the sleeper does not run. */
	if (!sem_sleepers(self->id)) {
		/* It had timed out before: a very slow machine. */
		EXPECT_EQ(-EAGAIN, sleeper_end(s));
		return;
	}
	/* Not much longer: the scheduler does not starve others for a second */
	end = now_ns() + call.timeout.tv_nsec + 20000000;
	while (now_ns() < end)
		;
	EXPECT_EQ(1, sem_sleepers(self->id));
	ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
	expect_completed(_metadata, self->id, variant);
	EXPECT_EQ(0, sleeper_end(s));
}

/* How the calls of a race ended. */
struct outcomes {
	int done;
	int timed_out;
	int interrupted;
	int removed;
	int other;
};

static void count_outcome(struct outcomes *outcomes, int result)
{
	if (!result)
		outcomes->done++;
	else if (result == -EAGAIN)
		outcomes->timed_out++;
	else if (result == -EINTR)
		outcomes->interrupted++;
	else if (result == -EIDRM || result == -EINVAL)
		outcomes->removed++;
	else
		outcomes->other++;
}

/* One timed waiter of a race, a thread; the set comes round by round. */
struct racer {
	pthread_barrier_t *barrier;
	volatile int *id;
	int rounds;
	const FIXTURE_VARIANT(kind) *variant;
	struct outcomes outcomes;
};

#define RACE_TIMEOUT_NS	100000

static int race_main(void *arg)
{
	const struct timespec timeout = { .tv_nsec = RACE_TIMEOUT_NS };
	struct racer *racer = arg;
	int i;

	for (i = 0; i < racer->rounds; i++) {
		pthread_barrier_wait(racer->barrier);
		count_outcome(&racer->outcomes,
			      sem_ops_timed(*racer->id, racer->variant->ops,
					    racer->variant->nops, &timeout));
		pthread_barrier_wait(racer->barrier);
	}
	return 0;
}

static void spin_ns(long ns)
{
	long long end = now_ns() + ns;

	while (now_ns() < end)
		;
}

/*
 * How long to wait in the next round before the event that races a waiter: the
 * edge between its two outcomes moves with the load and with debug kernels,
 * which start the waiter late, and is followed from both sides.
 */
static long follow_edge(long delay_ns, bool event_was_late)
{
	long step = delay_ns / 32 + 500;

	if (event_was_late)
		return delay_ns > step ? delay_ns - step : 0;
	return delay_ns < 50000000 ? delay_ns + step : delay_ns;
}

/*
 * Rule 14: with no signal a timeout that races IPC_RMID is EAGAIN or EIDRM,
 * never EINTR.
 */
TEST_F_TIMEOUT(kind, timeout_against_removal, 600)
{
	enum { ROUNDS = 1500, WAITERS = 2 };
	struct outcomes total = { };
	struct racer racers[WAITERS];
	struct sleeper *threads[WAITERS];
	pthread_barrier_t barrier;
	volatile int id = self->id;
	long delay_ns = RACE_TIMEOUT_NS;
	int i, j, removed_before = 0;

	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, WAITERS + 1));
	for (i = 0; i < WAITERS; i++) {
		racers[i] = (struct racer) {
			&barrier, &id, ROUNDS, variant, { }
		};
		threads[i] = sleeper_thread(race_main, &racers[i]);
	}
	for (i = 0; i < ROUNDS; i++) {
		id = sem_new(2);
		ASSERT_EQ(0, sem_setall(id, variant->start));
		pthread_barrier_wait(&barrier);
		spin_ns(delay_ns);
		ASSERT_EQ(0, sem_rm(id));
		pthread_barrier_wait(&barrier);
		for (j = 0, total.removed = 0; j < WAITERS; j++)
			total.removed += racers[j].outcomes.removed;
		delay_ns = follow_edge(delay_ns,
				       total.removed == removed_before);
		removed_before = total.removed;
	}
	for (i = 0; i < WAITERS; i++) {
		sleeper_end(threads[i]);
		total.timed_out += racers[i].outcomes.timed_out;
		total.interrupted += racers[i].outcomes.interrupted;
		total.done += racers[i].outcomes.done;
		total.other += racers[i].outcomes.other;
	}
	TH_LOG("%d timed out, %d removed, %d EINTR", total.timed_out,
	       total.removed, total.interrupted);
	EXPECT_LT(0, total.timed_out);
	EXPECT_LT(0, total.removed);
	EXPECT_EQ(0, total.done);
	EXPECT_EQ(0, total.other);
	if (total.interrupted && !sem_kernel_is_ours() &&
	    _metadata->exit_code == KSFT_PASS) {
		snprintf(_metadata->results->reason,
			 sizeof(_metadata->results->reason),
			 "%d of %d got EINTR without a signal",
			 total.interrupted, ROUNDS * WAITERS);
		_metadata->exit_code = KSFT_XFAIL;
		return;
	}
	EXPECT_EQ(0, total.interrupted);
}

/* Rule 13: a timeout that races completion loses no post and invents none. */
TEST_F_TIMEOUT(kind, timeout_against_completion, 600)
{
	enum { ROUNDS = 1500 };
	struct outcomes total;
	struct racer racer;
	struct sleeper *thread;
	pthread_barrier_t barrier;
	volatile int id = self->id;
	long delay_ns = RACE_TIMEOUT_NS;
	int i, done_before = 0;

	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, 2));
	racer = (struct racer) { &barrier, &id, ROUNDS, variant, { } };
	thread = sleeper_thread(race_main, &racer);
	for (i = 0; i < ROUNDS; i++) {
		const unsigned short *want;
		unsigned short vals[2];
		bool timed_out;

		ASSERT_EQ(0, sem_setall(id, variant->start));
		pthread_barrier_wait(&barrier);
		spin_ns(delay_ns);
		ASSERT_EQ(0, sem_ops(id, &variant->wake, 1));
		pthread_barrier_wait(&barrier);
		ASSERT_EQ(0, sem_getall(id, vals));
		timed_out = racer.outcomes.done == done_before;
		want = timed_out ? variant->start : variant->end;
		if (timed_out)
			vals[variant->wake.sem_num] -= variant->wake.sem_op;
		EXPECT_EQ(want[0], vals[0]);
		EXPECT_EQ(want[1], vals[1]);
		ASSERT_EQ(KSFT_PASS, _metadata->exit_code);
		delay_ns = follow_edge(delay_ns, timed_out);
		done_before = racer.outcomes.done;
	}
	sleeper_end(thread);
	total = racer.outcomes;
	TH_LOG("%d done, %d timed out", total.done, total.timed_out);
	EXPECT_LT(0, total.done);
	EXPECT_LT(0, total.timed_out);
	EXPECT_EQ(ROUNDS, total.done + total.timed_out);
}

/* A waiter that notes whether it had to sleep, round by round. */
struct sleep_racer {
	pthread_barrier_t *barrier;
	int id;
	int rounds;
	const FIXTURE_VARIANT(kind) *variant;
	volatile bool slept;
	volatile int result;
};

static long times_slept(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static int sleep_race_main(void *arg)
{
	/* Much longer than any round: who runs out of it was forgotten. */
	const struct timespec timeout = { .tv_sec = 10 };
	struct sleep_racer *racer = arg;
	int i;

	for (i = 0; i < racer->rounds && !racer->result; i++) {
		long before;

		pthread_barrier_wait(racer->barrier);
		before = times_slept();
		racer->result = sem_ops_timed(racer->id, racer->variant->ops,
					      racer->variant->nops, &timeout);
		racer->slept = times_slept() > before;
		pthread_barrier_wait(racer->barrier);
	}
	return 0;
}

/* Rule 11: what comes just when a waiter goes to sleep is not lost. */
TEST_F_TIMEOUT(kind, post_against_sleep, 600)
{
	enum { ROUNDS = 3000 };
	pthread_barrier_t barrier;
	struct sleep_racer racer = {
		&barrier, self->id, ROUNDS, variant, false, 0
	};
	struct sleeper *thread;
	long delay_ns = 10000;
	int i, slept = 0;

	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, 2));
	thread = sleeper_thread(sleep_race_main, &racer);
	for (i = 0; i < ROUNDS && !racer.result; i++) {
		ASSERT_EQ(0, sem_setall(self->id, variant->start));
		pthread_barrier_wait(&barrier);
		spin_ns(delay_ns);
		ASSERT_EQ(0, sem_ops(self->id, &variant->wake, 1));
		pthread_barrier_wait(&barrier);
		slept += racer.slept;
		delay_ns = follow_edge(delay_ns, racer.slept);
	}
	sleeper_end(thread);
	TH_LOG("%d of %d rounds slept", slept, i);
	EXPECT_EQ(0, racer.result);
	EXPECT_EQ(ROUNDS, i);
	EXPECT_LT(0, slept);
	EXPECT_LT(slept, ROUNDS);
}

/* Rules 13, 14: a signal against a removal is EINTR or EIDRM, and ends. */
TEST_F(kind, signal_against_removal)
{
	enum { ROUNDS = 300 };
	struct outcomes total = { };
	int i;

	catch_signal(SIGUSR1, 0);
	for (i = 0; i < ROUNDS; i++) {
		struct sleeper *s;
		int id = sem_new(2);

		ASSERT_EQ(0, sem_setall(id, variant->start));
		s = sleeper_thread_ops(id, variant->ops, variant->nops, NULL);
		sem_wait_sleepers(id, 1);
		if (i & 1) {
			sleeper_signal(s, SIGUSR1);
			ASSERT_EQ(0, sem_rm(id));
		} else {
			ASSERT_EQ(0, sem_rm(id));
			sleeper_signal(s, SIGUSR1);
		}
		count_outcome(&total, sleeper_end(s));
	}
	EXPECT_EQ(ROUNDS, total.interrupted + total.removed);
	EXPECT_LE(ROUNDS / 2, total.removed);
}

TEST_HARNESS_MAIN
