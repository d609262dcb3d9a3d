// SPDX-License-Identifier: GPL-2.0
/*
 * Random calls on small sets, compared after each with a model of the rules
 * for order and hand-off. A failing run prints its steps in the language of
 * sem_script.h. SEM_TEST_STEPS in the environment makes the runs longer,
 * SEM_TEST_SEED other ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kselftest_harness.h"
#include "sem_test.h"

#define MAX_SEMS	3
#define MAX_SOPS	4
#define MAX_WAITING	7
#define SEMVMX		32767
#define BLOCKED		1
#define MAX_SHOWN	2000

struct call {
	struct sembuf sops[MAX_SOPS];
	int nsops;
	int number;
	struct sleeper *sleeper;
	int result;		/* BLOCKED until the model completes it */
};

/* The model of one set; waiting[] is in order of arrival. */
struct model {
	int nsems;
	int val[MAX_SEMS];
	pid_t pid[MAX_SEMS];
	bool pid_open[MAX_SEMS];	/* several calls may have been the last */
	struct call *waiting[MAX_WAITING];
	int nwaiting;
	struct call *completed[MAX_WAITING];
	int ncompleted;
};

struct run {
	int id;
	struct model model;
	unsigned int random;
	int numbers;
	char *steps;
	size_t steps_len;
	FILE *log;
};

static bool alters(const struct call *call)
{
	int i;

	for (i = 0; i < call->nsops; i++)
		if (call->sops[i].sem_op)
			return true;
	return false;
}

/*
 * What the call would do now: 0, BLOCKED (and on which sop) or -errno. Values
 * change only if it can proceed.
 */
static int model_try(struct model *model, const struct call *call,
		     pid_t pid, int *blocking)
{
	int val[MAX_SEMS];
	int i;

	memcpy(val, model->val, sizeof(val));
	for (i = 0; i < call->nsops; i++) {
		const struct sembuf *sop = &call->sops[i];
		int *v = &val[sop->sem_num];

		if (sop->sem_op ? *v + sop->sem_op < 0 : *v != 0) {
			*blocking = i;
			return sop->sem_flg & IPC_NOWAIT ? -EAGAIN : BLOCKED;
		}
		if (*v + sop->sem_op > SEMVMX)
			return -ERANGE;
		*v += sop->sem_op;
	}
	memcpy(model->val, val, sizeof(val));
	for (i = 0; i < call->nsops; i++) {
		model->pid[call->sops[i].sem_num] = pid;
		model->pid_open[call->sops[i].sem_num] = false;
	}
	return 0;
}

static void model_complete(struct model *model, int index, int result)
{
	struct call *call = model->waiting[index];

	call->result = result;
	model->completed[model->ncompleted++] = call;
	model->nwaiting--;
	memmove(&model->waiting[index], &model->waiting[index + 1],
		(model->nwaiting - index) * sizeof(model->waiting[0]));
}

/*
 * Completes all non-altering calls that can proceed. They have no order among
 * each other, so where two end on one semaphore its pid is open.
 */
static bool model_complete_zero_waiters(struct model *model)
{
	int served[MAX_SEMS] = { 0 };
	int i, sop, num, blocking;
	int before = model->nwaiting;

	for (i = 0; i < model->nwaiting; ) {
		struct call *call = model->waiting[i];

		if (alters(call) || model_try(model, call, call->sleeper->pid,
					      &blocking)) {
			i++;
			continue;
		}
		for (num = 0; num < model->nsems; num++) {
			for (sop = 0; sop < call->nsops; sop++)
				if (call->sops[sop].sem_num == num)
					break;
			served[num] += sop < call->nsops;
		}
		model_complete(model, i, 0);
	}
	for (num = 0; num < model->nsems; num++)
		model->pid_open[num] |= served[num] > 1;
	return model->nwaiting < before;
}

/* Completes the first altering call that can end. */
static bool model_complete_altering(struct model *model)
{
	int i, result, blocking;

	for (i = 0; i < model->nwaiting; i++) {
		struct call *call = model->waiting[i];

		if (!alters(call))
			continue;
		result = model_try(model, call, call->sleeper->pid, &blocking);
		if (result == BLOCKED)
			continue;
		model_complete(model, i, result);
		return true;
	}
	return false;
}

static void model_settle(struct model *model)
{
	model->ncompleted = 0;
	while (model_complete_zero_waiters(model) ||
	       model_complete_altering(model))
		;
}

static void model_set(struct model *model, int num, int val)
{
	model->val[num] = val;
	model->pid[num] = getpid();
	model->pid_open[num] = false;
}

static void __attribute__((noreturn))
run_failed(struct run *run, const char *what, int num, int seen, int want)
{
	const char *last;

	fflush(run->log);
	last = run->steps;
	if (run->steps_len > MAX_SHOWN)
		last += run->steps_len - MAX_SHOWN;
	sem_die("%s of %d is %d, expected %d, after:\n#   %s", what, num, seen,
		want, last);
}

static int random_below(struct run *run, int limit)
{
	run->random = run->random * 1103515245 + 12345;
	return (run->random >> 16) % limit;
}

static void log_sops(struct run *run, const struct call *call)
{
	int i;

	for (i = 0; i < call->nsops; i++)
		fprintf(run->log, " %+d@%d%s", call->sops[i].sem_op,
			call->sops[i].sem_num,
			call->sops[i].sem_flg & IPC_NOWAIT ? "n" : "");
	fputs("; ", run->log);
}

/*
 * When a non-altering call that waits for several semaphores is looked at
 * again is not laid down, so these get no IPC_NOWAIT.
 */
static void random_call(struct run *run, struct call *call)
{
	static const int sop_counts[] = { 1, 1, 1, 1, 2, 2, 3, 4 };
	int i;

	call->nsops = sop_counts[random_below(run, ARRAY_LEN(sop_counts))];
	for (i = 0; i < call->nsops; i++) {
		call->sops[i].sem_num = random_below(run, run->model.nsems);
		call->sops[i].sem_op = random_below(run, 6) - 3;
		call->sops[i].sem_flg = 0;
	}
	if (alters(call) && !random_below(run, 8))
		call->sops[random_below(run, call->nsops)].sem_flg = IPC_NOWAIT;
}

/*
 * Polls until the call is done or counted, whichever it does. The sum is not
 * read in one instant: a sleeper that the call moves to another semaphore may
 * be seen twice, but not a second time.
 */
static bool wait_done_or_asleep(struct run *run, struct call *call, int asleep)
{
	time_t end = time(NULL) + sem_deadline();

	while (time(NULL) <= end) {
		if (sleeper_done(call->sleeper))
			return true;
		if (sem_sleepers(run->id) == asleep &&
		    sem_sleepers(run->id) == asleep)
			return false;
		usleep(200);
	}
	run_failed(run, "number of sleepers", 0, sem_sleepers(run->id), asleep);
}

static void end_call(struct run *run, struct call *call)
{
	int seen = sleeper_end(call->sleeper);

	if (seen != call->result)
		run_failed(run, "result", call->number, seen, call->result);
	free(call);
}

static void step_new_call(struct run *run)
{
	struct model *model = &run->model;
	struct call *call = calloc(1, sizeof(*call));
	int blocking;
	bool blocks, done;

	random_call(run, call);
	call->number = ++run->numbers;
	fprintf(run->log, "%d:", call->number);
	log_sops(run, call);
	call->sleeper = sleeper_ops(run->id, call->sops, call->nsops, NULL);
	call->result = model_try(model, call, call->sleeper->pid, &blocking);
	blocks = call->result == BLOCKED;
	done = wait_done_or_asleep(run, call, model->nwaiting + 1);
	if (done == blocks)
		run_failed(run, "return", call->number, done, !done);
	if (done) {
		model_settle(model);
		end_call(run, call);
	} else {
		model->ncompleted = 0;
		model->waiting[model->nwaiting++] = call;
	}
}

static void step_do(struct run *run)
{
	struct model *model = &run->model;
	struct call call = { 0 };
	int i, seen, want, blocking;

	random_call(run, &call);
	for (i = 0; i < call.nsops; i++)
		call.sops[i].sem_flg = IPC_NOWAIT;
	fputs("do", run->log);
	log_sops(run, &call);
	want = model_try(model, &call, getpid(), &blocking);
	model_settle(model);
	seen = sem_ops(run->id, call.sops, call.nsops);
	if (seen != want)
		run_failed(run, "return", 0, seen, want);
}

static int random_value(struct run *run)
{
	return random_below(run, 10) ? random_below(run, 4) :
				       SEMVMX - random_below(run, 2);
}

static void step_set(struct run *run)
{
	struct model *model = &run->model;
	int num = random_below(run, model->nsems);
	int val = random_value(run);

	fprintf(run->log, "set %d@%d; ", val, num);
	model_set(model, num, val);
	model_settle(model);
	if (sem_setval(run->id, num, val))
		run_failed(run, "return of SETVAL", num, -1, 0);
}

static void step_setall(struct run *run)
{
	struct model *model = &run->model;
	unsigned short vals[MAX_SEMS];
	int num;

	fputs("setall", run->log);
	for (num = 0; num < model->nsems; num++) {
		vals[num] = random_value(run);
		model_set(model, num, vals[num]);
		fprintf(run->log, " %d", vals[num]);
	}
	fputs("; ", run->log);
	model_settle(model);
	if (sem_setall(run->id, vals))
		run_failed(run, "return of SETALL", 0, -1, 0);
}

static void step_kill(struct run *run)
{
	struct model *model = &run->model;
	int index;

	model->ncompleted = 0;
	if (!model->nwaiting)
		return;
	index = random_below(run, model->nwaiting);
	fprintf(run->log, "kill %d; ", model->waiting[index]->number);
	sleeper_kill(model->waiting[index]->sleeper);
	model_complete(model, index, 0);
	free(model->completed[--model->ncompleted]);
}

/*
 * Calls that wait for the zero of several semaphores are left out: where they
 * are counted may lag behind values that did not become zero.
 */
static void check_counts(struct run *run)
{
	struct model *model = &run->model;
	int ncnt[MAX_SEMS] = { 0 }, zcnt[MAX_SEMS] = { 0 };
	int i, num, blocking;

	for (i = 0; i < model->nwaiting; i++) {
		struct call *call = model->waiting[i];
		struct sembuf *sop;

		if (call->nsops > 1 && !alters(call))
			return;
		model_try(model, call, 0, &blocking);
		sop = &call->sops[blocking];
		if (sop->sem_op)
			ncnt[sop->sem_num]++;
		else
			zcnt[sop->sem_num]++;
	}
	for (num = 0; num < model->nsems; num++) {
		if (sem_ncnt(run->id, num) != ncnt[num])
			run_failed(run, "GETNCNT", num, sem_ncnt(run->id, num),
				   ncnt[num]);
		if (sem_zcnt(run->id, num) != zcnt[num])
			run_failed(run, "GETZCNT", num, sem_zcnt(run->id, num),
				   zcnt[num]);
	}
}

static void compare(struct run *run)
{
	struct model *model = &run->model;
	int num, i, seen;

	seen = sem_sleepers(run->id);
	if (seen != model->nwaiting)
		run_failed(run, "sleepers", 0, seen, model->nwaiting);
	for (num = 0; num < model->nsems; num++) {
		seen = sem_val(run->id, num);
		if (seen != model->val[num])
			run_failed(run, "value", num, seen, model->val[num]);
		seen = sem_pid(run->id, num);
		if (seen != model->pid[num] && !model->pid_open[num])
			run_failed(run, "sempid", num, seen, model->pid[num]);
	}
	check_counts(run);
	for (i = 0; i < model->ncompleted; i++)
		end_call(run, model->completed[i]);
}

static void random_step(struct run *run)
{
	int dice = random_below(run, 20);

	if (dice < 9 && run->model.nwaiting < MAX_WAITING)
		step_new_call(run);
	else if (dice < 17)
		step_do(run);
	else if (dice < 18)
		step_set(run);
	else if (dice < 19)
		step_setall(run);
	else
		step_kill(run);
	compare(run);
}

static int number_from_env(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text && atoi(text) > 0 ? atoi(text) : otherwise;
}

static void random_run(int nsems, int seed, int steps)
{
	struct run run = {
		.id = sem_new(nsems),
		.model.nsems = nsems,
		.random = seed + number_from_env("SEM_TEST_SEED", 0) * 1000,
	};

	run.log = open_memstream(&run.steps, &run.steps_len);
	steps = number_from_env("SEM_TEST_STEPS", steps);
	while (steps--)
		random_step(&run);
	while (run.model.nwaiting)
		step_kill(&run);
	fclose(run.log);
	free(run.steps);
	sem_rm(run.id);
}

FIXTURE(model) {
	int unused;
};

FIXTURE_VARIANT(model) {
	int nsems;
};

FIXTURE_SETUP(model)
{
	ENTER_NS_OR_SKIP();
}

FIXTURE_TEARDOWN(model)
{
}

/* Rules 6, 7, 8, 9, 10, 11, 12, 15: one semaphore. */
FIXTURE_VARIANT_ADD(model, one_semaphore) {
	.nsems = 1,
};

/* Rules 6, 7, 8, 9, 10, 11, 12, 15: two semaphores. */
FIXTURE_VARIANT_ADD(model, two_semaphores) {
	.nsems = 2,
};

/* Rules 6, 7, 8, 9, 10, 11, 12, 15: three semaphores. */
FIXTURE_VARIANT_ADD(model, three_semaphores) {
	.nsems = 3,
};

TEST_F(model, agrees)
{
	int seed;

	for (seed = 1; seed <= 8; seed++)
		random_run(variant->nsems, seed, 60);
}

TEST_HARNESS_MAIN
