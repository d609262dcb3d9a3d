// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs, step by step on the running kernel and on the model: each
 * call goes on until it returns or is counted as a sleeper, and then both must
 * show the same.
 */
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workers.h"

#define NO_SEMID	INT_MAX

static struct model model;
static int semid[MODEL_SETS];		/* -1: there is no such set */
static int last_semid[MODEL_SETS];	/* a set that was removed leaves its id */
static long result_of[MODEL_TASKS];	/* what the last call returned */
static uint64_t answers;		/* a hash of all results */
static bool quiet;

static bool wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static bool wrong(const char *fmt, ...)
{
	va_list args;

	if (quiet)
		return false;
	fputs("# ", stdout);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	return false;
}

/*
 * Comparing
 */

static int sleepers_of_set(int set)
{
	int i, n = 0;

	for (i = 0; i < MODEL_TASKS; i++)
		n += model.tasks[i].exists && model.tasks[i].asleep &&
		     model.tasks[i].set == set;
	return n;
}

static int sleepers_in_kernel(int set)
{
	int i, n = 0;

	for (i = 0; i < model.sets[set].nsems; i++)
		n += semctl(semid[set], i, GETNCNT) + semctl(semid[set], i, GETZCNT);
	return n;
}

/* Those who shall sleep do: the kernel counts them */
static bool wait_for_sleepers(int set)
{
	int wanted = sleepers_of_set(set);
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (sleepers_in_kernel(set) != wanted) {
		if (!workers_patience(&start))
			return wrong("%d sleep on set %d, must be %d",
				     sleepers_in_kernel(set), set, wanted);
		sched_yield();
	}
	return true;
}

/* Until every task does what it does in the model */
static bool wait_for_tasks(void)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++) {
		if (!workers_exists(i) || model.tasks[i].asleep)
			continue;
		if (!workers_wait(i, &result_of[i]))
			return wrong("task %d sleeps, must have got %d", i,
				     model.tasks[i].result);
		if (result_of[i] != model.tasks[i].result)
			return wrong("task %d got %ld, must get %d", i, result_of[i],
				     model.tasks[i].result);
		answers = (answers ^ (result_of[i] + 1000)) * 1099511628211ULL;
	}
	for (i = 0; i < MODEL_SETS; i++)
		if (semid[i] >= 0 && !wait_for_sleepers(i))
			return false;
	for (i = 0; i < MODEL_TASKS; i++)
		if (workers_exists(i) && model.tasks[i].asleep &&
		    workers_done(i, &result_of[i]))
			return wrong("task %d got %ld, must sleep", i, result_of[i]);
	return true;
}

static bool agree_on(const char *what, int set, int num, long in_model, long in_kernel)
{
	answers = (answers ^ (in_kernel + 1000)) * 1099511628211ULL;
	return in_model == in_kernel ||
	       wrong("%s of semaphore %d in set %d is %ld, must be %ld", what, num, set,
		     in_kernel, in_model);
}

static bool agree_on_set(int set)
{
	const struct model_set *s = &model.sets[set];
	unsigned short values[MODEL_SEMS];
	struct semid_ds stat;
	int id = semid[set], i, pid;

	if (semctl(id, 0, GETALL, values) || semctl(id, 0, IPC_STAT, &stat))
		return wrong("set %d cannot be read: %s", set, strerror(errno));
	for (i = 0; i < s->nsems; i++) {
		/* Processes have other numbers each time, which are no answer */
		pid = semctl(id, i, GETPID);
		if (pid != s->sems[i].pid)
			return wrong("GETPID of semaphore %d in set %d is %d, must be %d",
				     i, set, pid, s->sems[i].pid);
		if (!agree_on("GETALL", set, i, s->sems[i].value, values[i]) ||
		    !agree_on("GETVAL", set, i, s->sems[i].value, semctl(id, i, GETVAL)) ||
		    !agree_on("GETNCNT", set, i, model_waiters(&model, set, i, false),
			      semctl(id, i, GETNCNT)) ||
		    !agree_on("GETZCNT", set, i, model_waiters(&model, set, i, true),
			      semctl(id, i, GETZCNT)))
			return false;
	}
	return agree_on("sem_nsems", set, 0, s->nsems, stat.sem_nsems) &&
	       agree_on("sem_otime that is there", set, 0, s->otime != 0,
			stat.sem_otime != 0);
}

static bool all_agree(void)
{
	int i;

	if (!wait_for_tasks())
		return false;
	for (i = 0; i < MODEL_SETS; i++)
		if (semid[i] >= 0 && !agree_on_set(i))
			return false;
	return true;
}

/*
 * Doing steps
 */

static bool is_idle(int task)
{
	return workers_exists(task) && !model.tasks[task].asleep;
}

/* The next set gets this id, where the kernel can do that and lets us */
static void ask_for_id(int id)
{
	int fd = open("/proc/sys/kernel/sem_next_id", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	dprintf(fd, "%d\n", id);
	close(fd);
}

static void do_create(const struct step *step)
{
	if (semid[step->set] >= 0)
		return;
	if (step->value && last_semid[step->set] != NO_SEMID)
		ask_for_id(last_semid[step->set]);
	semid[step->set] = semget(IPC_PRIVATE, step->n, 0600);
	if (semid[step->set] < 0) {
		perror("semget");
		exit(1);
	}
	last_semid[step->set] = semid[step->set];
	model_create(&model, step->set, step->n);
}

static void do_remove(int set)
{
	if (semid[set] < 0)
		return;
	if (semctl(semid[set], 0, IPC_RMID)) {
		perror("IPC_RMID");
		exit(1);
	}
	model_remove(&model, set);
	semid[set] = -1;
}

static bool do_start(const struct step *step)
{
	bool alone = step->n == START_PROCESS || step->other == step->task ||
		     !is_idle(step->other);
	bool good;

	if (workers_exists(step->task))
		return true;
	good = alone ? workers_start(step->task) :
	       workers_start_by(step->other, step->task, step->n == START_THREAD);
	if (!good)
		return wrong("task %d cannot be started", step->task);
	model_start_task(&model, step->task, workers_pid(step->task),
			 alone ? -1 : step->other);
	/* What it returned last was the order to start this one */
	if (!alone)
		model.tasks[step->other].result = 0;
	return true;
}

static void do_op(const struct step *step, struct tally *tally)
{
	struct worker_call call = { .order = ORDER_OP, .semid = last_semid[step->set],
				    .nsops = step->n, .timed = step->limit };
	int i, result;

	if (!is_idle(step->task))
		return;
	for (i = 0; i < step->n; i++) {
		const struct model_sop *sop = &step->sops[i];

		call.sops[i].sem_num = sop->num;
		call.sops[i].sem_op = sop->op;
		call.sops[i].sem_flg = (sop->flags & MODEL_NOWAIT ? IPC_NOWAIT : 0) |
				       (sop->flags & MODEL_UNDO ? SEM_UNDO : 0);
	}
	if (step->limit == LIMIT_LATER)
		call.limit.tv_nsec = 1000000;
	result = model_op(&model, step->task, step->set, step->sops, step->n,
			  step->limit == LIMIT_ZERO);
	tally_count_op(tally, step, result);
	/* Its time is up before anybody else does anything */
	if (result == MODEL_ASLEEP && step->limit == LIMIT_LATER) {
		model_give_up(&model, step->task, -EAGAIN);
		tally->timed_out++;
		tally->refused++;
	}
	workers_give(step->task, &call);
}

static void do_ctl(const struct step *step)
{
	struct worker_call call = { .semid = last_semid[step->set], .num = step->n,
				    .arg = step->value };
	int *result = &model.tasks[step->task].result;
	int i;

	if (!is_idle(step->task))
		return;
	if (step->kind == STEP_SETVAL) {
		call.order = ORDER_SETVAL;
		*result = model_set_value(&model, step->task, step->set, step->n,
					  step->value);
	} else {
		call.order = ORDER_SETALL;
		for (i = 0; i < MODEL_SEMS; i++)
			call.values[i] = step->values[i];
		*result = model_set_all(&model, step->task, step->set, step->values);
	}
	workers_give(step->task, &call);
}

static void do_signal(int task, struct tally *tally)
{
	if (!workers_exists(task) || !model.tasks[task].asleep)
		return;
	model_give_up(&model, task, -EINTR);
	tally->signalled++;
	workers_signal(task);
}

static bool do_exit(int task, struct tally *tally)
{
	if (!workers_exists(task))
		return true;
	if (model.tasks[task].asleep) {
		do_signal(task, tally);
		if (!wait_for_tasks())
			return false;
	}
	if (!workers_end(task))
		return wrong("task %d does not end", task);
	model_exit(&model, task);
	return true;
}

static bool do_step(const struct step *step, struct tally *tally)
{
	switch (step->kind) {
	case STEP_CREATE:
		do_create(step);
		return true;
	case STEP_REMOVE:
		do_remove(step->set);
		return true;
	case STEP_START:
		return do_start(step);
	case STEP_EXIT:
		return do_exit(step->task, tally);
	case STEP_OP:
		do_op(step, tally);
		return true;
	case STEP_SETVAL:
	case STEP_SETALL:
		do_ctl(step);
		return true;
	case STEP_SIGNAL:
		do_signal(step->task, tally);
		return true;
	default:
		/* Time goes by itself here, and all_agree() reads everything */
		return true;
	}
}

static bool run_steps(const struct program *p, struct tally *tally)
{
	struct tally nothing = {};
	struct model before;
	int i;

	for (i = 0; i < p->nsteps; i++) {
		before = model;
		if (!do_step(&p->steps[i], tally) || !all_agree())
			return wrong("seed %llu, after step %d",
				     (unsigned long long)p->seed, i);
		tally_count_ends(tally, &before, &model);
	}
	for (i = 0; i < MODEL_TASKS; i++)
		if (!do_exit(i, &nothing) || !all_agree())
			return wrong("seed %llu, after task %d exited at the end",
				     (unsigned long long)p->seed, i);
	return true;
}

static bool run_program(const struct program *p, struct tally *tally)
{
	bool good;
	int i;

	memset(&model, 0, sizeof(model));
	model.now = 1;
	for (i = 0; i < MODEL_SETS; i++) {
		semid[i] = -1;
		last_semid[i] = NO_SEMID;
	}
	good = run_steps(p, tally);
	for (i = 0; i < MODEL_SETS; i++)
		do_remove(i);
	workers_kill();
	return good;
}

static bool fails(const struct program *p)
{
	struct tally ignored = {};

	return !run_program(p, &ignored);
}

static void show_failure(struct program *p)
{
	printf("# making the program of seed %llu smaller\n", (unsigned long long)p->seed);
	quiet = true;
	program_shrink(p, fails);
	quiet = false;
	program_print(stdout, p);
	fails(p);
}

/*
 * Options
 */

static uint64_t first_seed = 1;
static long programs = 100;

static error_t parse(int key, char *arg, struct argp_state *state)
{
	char *end = "";

	switch (key) {
	case 's':
		first_seed = strtoull(arg, &end, 0);
		break;
	case 'n':
		programs = strtol(arg, &end, 0);
		if (programs < 1)
			argp_error(state, "-n %s: give a number of programs from 1 on", arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (*end)
		argp_error(state, "%s is no number", arg);
	return 0;
}

static const struct argp_option options[] = {
	{ "seed", 's', "SEED", 0, "seed of the first program (1)" },
	{ "programs", 'n', "N", 0, "so many programs (100)" },
	{}
};

int main(int argc, char **argv)
{
	static const struct argp argp = { options, parse, NULL,
		"Runs random programs on the kernel's semaphores and on a model.\v"
		"Status: 0 all agreed, 1 something was wrong, 2 wrong use." };
	static const struct taste taste = {
		.steps = 120, .tasks = 6, .sets = MODEL_SETS, .sems = MODEL_SEMS,
		.exact = true, .stock = true,
	};
	static struct program program;
	struct tally tally = {};
	bool good = true;
	uint64_t seed;

	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	/* Nobody else's sets, and an id to ask for; without root it goes, too */
	unshare(CLONE_NEWIPC);
	workers_open();
	printf("KTAP version 1\n1..1\n");
	for (seed = first_seed; good && seed < first_seed + programs; seed++) {
		program_generate(&program, seed, &taste);
		good = run_program(&program, &tally);
	}
	if (!good)
		show_failure(&program);
	tally_print(stdout, &tally);
	printf("# answers %016llx\n", (unsigned long long)answers);
	/* A few programs need not have enough of everything */
	if (good && programs >= 20)
		good = tally_enough(stdout, &tally);
	printf("%sok 1 programs of seeds %llu to %llu\n", good ? "" : "not ",
	       (unsigned long long)first_seed, (unsigned long long)seed - 1);
	return !good;
}
