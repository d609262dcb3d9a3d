// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs, step by step on model and implementation: each call goes on
 * until it returns or sleeps, and then everything must be the same.
 */
#include "trial.h"
#include "world.h"

static struct world w;
static bool time_stands;

/* Until everybody sleeps or has nothing to do, in any order */
static void run_all(void)
{
	int i, n, ready[MODEL_TASKS];

	for (;;) {
		for (i = n = 0; i < MODEL_TASKS; i++) {
			struct task_struct *t = w.tasks[i].task;

			if (!t)
				continue;
			/* A limit of zero can be slept on for no time */
			if (steps_limit(t) <= steps_now)
				steps_expire(t);
			if (steps_state(t) == STEPS_READY)
				ready[n++] = i;
		}
		if (!n)
			return;
		steps_run(w.tasks[ready[dice_roll(&w.dice, n)]].task);
	}
}

static void step_op(const struct step *step, struct tally *tally)
{
	if (!world_idle(&w, step->task))
		return;
	world_call_op(&w, step);
	tally_count_op(tally, step,
		       model_op(&w.model, step->task, step->set, step->sops, step->n,
				step->limit == LIMIT_ZERO));
}

static void step_ctl(const struct step *step)
{
	static unsigned short values[MODEL_SEMS];
	int *result = &w.model.tasks[step->task].result;
	int i;

	if (step->kind == STEP_REMOVE ? w.semid[step->set] < 0 :
					!world_idle(&w, step->task))
		return;
	if (step->kind == STEP_SETVAL) {
		world_call_ctl(&w, step->task, step->set, step->n, SETVAL, step->value);
		*result = model_set_value(&w.model, step->task, step->set, step->n,
					  step->value);
	} else if (step->kind == STEP_SETALL) {
		for (i = 0; i < MODEL_SEMS; i++)
			values[i] = step->values[i];
		world_call_ctl(&w, step->task, step->set, 0, SETALL,
			       (unsigned long)values);
		*result = model_set_all(&w.model, step->task, step->set, step->values);
	} else {
		if (sys_semctl(w.semid[step->set], 0, IPC_RMID, 0))
			SHIM_DIE("IPC_RMID failed");
		model_remove(&w.model, step->set);
		w.semid[step->set] = -1;
	}
}

/* Signals and timeouts, for those who sleep */
static void step_give_up(const struct step *step, struct tally *tally)
{
	struct task_struct *t = w.tasks[step->task].task;

	if (!t || steps_state(t) != STEPS_ASLEEP)
		return;
	if (step->kind == STEP_SIGNAL) {
		steps_signal(t);
		model_give_up(&w.model, step->task, -EINTR);
		tally->signalled++;
	} else if (steps_limit(t) != KTIME_MAX) {
		steps_expire(t);
		model_give_up(&w.model, step->task, -EAGAIN);
		tally->timed_out++;
	}
}

static void step_exit(int task)
{
	if (!w.tasks[task].task)
		return;
	if (!world_idle(&w, task)) {
		steps_signal(w.tasks[task].task);
		model_give_up(&w.model, task, -EINTR);
		run_all();
	}
	world_call_exit(&w, task);
	model_exit(&w.model, task);
	run_all();
	world_reap(&w, task);
}

static void do_step(const struct step *step, struct tally *tally)
{
	switch (step->kind) {
	case STEP_CREATE:
		if (w.semid[step->set] < 0)
			world_create(&w, step->set, step->n, step->value);
		break;
	case STEP_START:
		if (!w.tasks[step->task].task)
			world_start(&w, step);
		break;
	case STEP_EXIT:
		step_exit(step->task);
		break;
	case STEP_OP:
		step_op(step, tally);
		break;
	case STEP_SIGNAL:
	case STEP_TIMEOUT:
		step_give_up(step, tally);
		break;
	case STEP_SETVAL:
	case STEP_SETALL:
	case STEP_REMOVE:
		step_ctl(step);
		break;
	case STEP_SECOND:
		w.model.now = ++steps_seconds;
		break;
	case STEP_READ:
		/* world_agrees() reads everything */
		break;
	}
	if (!time_stands)
		steps_now++;
	run_all();
	if (w.tasks[step->task].task)
		w.tasks[step->task].task->signal = false;
}

/*
 * Arrivals at different semaphores must have different times, or their order is
 * anybody's.  Those at one semaphore keep it even if the clock stands still.
 */
static bool time_may_stand(const struct program *p)
{
	int i;

	for (i = 0; i < p->nsteps; i++)
		if (p->steps[i].kind == STEP_CREATE && p->steps[i].n > 1)
			return false;
	return p->seed % 2 == 0;
}

bool trial_run(const struct program *p, struct tally *tally)
{
	long allocated = shim_allocated();
	static bool first = true;
	static struct model before;
	bool good = true;
	char why[160];
	int i;

	world_open(&w, p->seed);
	time_stands = time_may_stand(p);
	steps_clock_stands = time_stands || p->seed % 4 == 0;
	for (i = 0; i < p->nsteps && good; i++) {
		before = w.model;
		do_step(&p->steps[i], tally);
		tally_count_ends(tally, &before, &w.model);
		good = world_agrees(&w, why, sizeof(why));
		if (!good)
			trial_complain("after step %d: %s", i, why);
	}
	for (i = 0; i < MODEL_TASKS && good; i++) {
		step_exit(i);
		good = world_agrees(&w, why, sizeof(why));
		if (!good)
			trial_complain("after task %d exited at the end: %s", i, why);
	}
	if (!good)
		return false;
	world_close(&w);
	/* The first program leaves what there is once */
	if (!first && shim_allocated() != allocated) {
		trial_complain("%ld bytes were not freed", shim_allocated() - allocated);
		return false;
	}
	first = false;
	return true;
}

int main(int argc, char **argv)
{
	static const struct taste taste = {
		.steps = 120, .tasks = 6, .sets = MODEL_SETS, .sems = MODEL_SEMS,
		.mixed = true,
	};

	return trial_main(argc, argv, &taste, program_generate);
}
