// SPDX-License-Identifier: GPL-2.0
/*
 * Small random programs whose tasks run at once, in many interleavings: at
 * each lock, atomic operation or marked access another task may go on. What
 * the calls returned, and what is left in the end, must be what the model does
 * for some order of the calls that keeps each one between its begin and its
 * end (linearizability).
 */
#include "trial.h"
#include "world.h"

#define MAX_CALLS	8	/* of one task */
#define MAX_EVENTS	(2 * MODEL_TASKS * MAX_CALLS)
#define MAX_POINTS	200000

/* What a call did; times are counted in events */
struct record {
	const struct step *step;
	int began, ended;		/* ended < 0: it still sleeps */
	int signalled, expired;		/* when, or -1 */
	bool slept;
	long result;
	unsigned short values[MODEL_SEMS];
};

static struct world w;
static struct record records[MODEL_TASKS][MAX_CALLS];
static int begun[MODEL_TASKS];		/* calls of the task, so far */
static int clock_of_events;
static struct dice schedule;

/*
 * Programs
 */

static void make_op(struct step *step, struct dice *dice, int sems)
{
	static const short ops[] = { -1, -1, -1, -2, 0, 0, 1, 1, 1, 2 };
	static const short huge[] = { 32767, 32766, -32767, -32768 };
	int i;

	step->kind = STEP_OP;
	step->n = (int[]){ 1, 1, 1, 2, 2, 2, 3 }[dice_roll(dice, 7)];
	for (i = 0; i < step->n; i++) {
		step->sops[i].num = dice_roll(dice, sems);
		step->sops[i].op = dice_roll(dice, 20) ? ops[dice_roll(dice, 10)] :
						 huge[dice_roll(dice, 4)];
		step->sops[i].flags = (dice_roll(dice, 10) ? 0 : MODEL_NOWAIT) |
				      (dice_roll(dice, 4) ? 0 : MODEL_UNDO);
	}
	i = dice_roll(dice, 8);
	step->limit = i == 0 ? LIMIT_ZERO : i < 3 ? LIMIT_LATER : LIMIT_NONE;
}

static void make_concurrent_step(struct program *p, struct dice *dice, int task,
				 int tasks, int sems, bool last)
{
	struct step *step = &p->steps[p->nsteps++];
	unsigned int what = dice_roll(dice, 100);
	int i;

	memset(step, 0, sizeof(*step));
	step->task = task;
	if (what < 70) {
		make_op(step, dice, sems);
	} else if (what < 74) {
		step->kind = STEP_SETVAL;
		step->n = dice_roll(dice, sems);
		step->value = dice_roll(dice, 3);
	} else if (what < 78) {
		step->kind = STEP_SETALL;
		for (i = 0; i < sems; i++)
			step->values[i] = dice_roll(dice, 3);
	} else if (what < 87) {
		step->kind = STEP_READ;
		step->n = dice_roll(dice, sems);
		step->value = dice_roll(dice, 5);
	} else if (what < 90) {
		/* The stock kernel can answer EINTR without a signal then */
		step->kind = SHIM_STOCK ? STEP_READ : STEP_REMOVE;
	} else if (what < 96 || !last) {
		step->kind = STEP_SIGNAL;
		step->other = task;
		step->task = dice_roll(dice, tasks);
	} else {
		step->kind = STEP_EXIT;
	}
}

static struct step *add_op(struct program *p, int task)
{
	struct step *step = &p->steps[p->nsteps++];

	*step = (struct step){ .kind = STEP_OP, .task = task };
	return step;
}

/* Looks at semaphores one after the other, while others change them */
static void make_reader(struct program *p, struct dice *dice, int task, int sems)
{
	struct step *step;
	int i;

	for (i = 0; i < 2; i++) {
		step = &p->steps[p->nsteps++];
		*step = (struct step){ .kind = STEP_READ, .task = task,
				       .value = READ_VALUE, .n = dice_roll(dice, sems) };
	}
}

/* Sleepers, and somebody who lets them go: what is most delicate */
static void make_sleepers_and_waker(struct program *p, struct dice *dice, int sleepers,
				    int sems)
{
	int waker = sleepers, i, j;
	struct step *step;

	/* The last one may look on instead */
	if (sleepers > 1 && !dice_roll(dice, 6)) {
		make_reader(p, dice, sleepers - 1, sems);
		sleepers--;
	}
	for (i = 0; i < sleepers; i++) {
		step = add_op(p, i);
		step->n = 1 + dice_roll(dice, 2);
		for (j = 0; j < step->n; j++) {
			step->sops[j].num = dice_roll(dice, sems);
			step->sops[j].op = (int[]){ -1, -1, -2, 0 }[dice_roll(dice, 4)];
			step->sops[j].flags = dice_roll(dice, 4) ? 0 : MODEL_UNDO;
		}
		step->limit = dice_roll(dice, 2) ? LIMIT_LATER : LIMIT_NONE;
	}
	for (i = 0; i < 2; i++) {
		if (!dice_roll(dice, 3)) {
			make_concurrent_step(p, dice, waker, waker + 1, sems, i == 1);
			continue;
		}
		step = add_op(p, waker);
		step->n = 1 + dice_roll(dice, 2);
		for (j = 0; j < step->n; j++) {
			step->sops[j].num = dice_roll(dice, sems);
			step->sops[j].op = 1 + dice_roll(dice, 3);
			step->sops[j].flags = dice_roll(dice, 4) ? 0 : MODEL_UNDO;
		}
	}
}

static void make_anything(struct program *p, struct dice *dice, int tasks, int sems)
{
	int n = 1 + dice_roll(dice, tasks > 3 ? 2 : 3), i, j;

	for (i = 0; i < tasks; i++)
		for (j = 0; j < n; j++)
			make_concurrent_step(p, dice, i, tasks, sems, j == n - 1);
}

/* Ups and downs of one semaphore: values that come back while somebody looks */
static void make_ups_and_downs(struct program *p, struct dice *dice, int tasks)
{
	struct step *step;
	int i, j;

	for (i = 0; i < tasks; i++) {
		for (j = 0; j < 3; j++) {
			step = add_op(p, i);
			step->n = 1;
			step->sops[0].op = j % 2 ? -1 : 1;
			step->sops[0].flags = dice_roll(dice, 8) ? 0 : MODEL_UNDO;
		}
	}
}

static void generate(struct program *p, uint64_t seed, const struct taste *taste)
{
	int tasks, sems, i;
	struct dice dice;

	dice_seed(&dice, seed);
	memset(p, 0, sizeof(*p));
	p->seed = seed;
	tasks = 2 + dice_roll(&dice, taste->tasks - 1);
	sems = 1 + dice_roll(&dice, dice_roll(&dice, 10) ? 3 : taste->sems);
	p->steps[p->nsteps++] = (struct step){ .kind = STEP_CREATE, .n = sems };
	for (i = 0; i < tasks; i++)
		p->steps[p->nsteps++] = (struct step){
			.kind = STEP_START, .task = i,
			.n = i ? dice_roll(&dice, 3) : 0, .other = 0,
		};
	if (!dice_roll(&dice, 30))
		make_ups_and_downs(p, &dice, min(tasks, 3));
	else if (tasks > 2 && dice_roll(&dice, 2))
		make_sleepers_and_waker(p, &dice, tasks - 1, min(sems, 3));
	else
		make_anything(p, &dice, tasks, sems);
	for (i = 0; i < p->nsteps && taste->stock; i++)
		program_alter_something(&p->steps[i]);
}

/* Which task takes this step?  -1: it is done before all begin */
static int actor(const struct step *step)
{
	if (step->kind == STEP_CREATE || step->kind == STEP_START)
		return -1;
	return step->kind == STEP_SIGNAL ? step->other : step->task;
}

/*
 * Running them
 */

#define MAX_CHANGES	4

/*
 * How a run is scheduled. The first calls may go one after the other, to have
 * sleepers before anything happens at once. After that either chance decides at
 * each point, or priorities do, which change at a few points: there a task is
 * put behind all others, or a sleeper is interrupted and put before them.
 */
static struct {
	int calls_in_turn;
	bool in_order;			/* of the tasks */
	int switch_one_in;		/* 0: by priorities */
	int priority[MODEL_TASKS];
	int changes;
	long change[MAX_CHANGES];
	long points;			/* so far */
	long expected;			/* as many as the last run had */
	bool change_due;
} plan;

static int calls;			/* begun by all tasks */

static bool switch_here(void)
{
	int i;

	if (calls < plan.calls_in_turn)
		return false;
	if (++plan.points > MAX_POINTS)
		SHIM_DIE("no end: some task spins");
	if (plan.switch_one_in)
		return !dice_roll(&schedule, plan.switch_one_in);
	for (i = 0; i < plan.changes; i++)
		plan.change_due |= plan.points == plan.change[i];
	return plan.change_due;
}

static void make_plan(uint64_t seed, int calls_of_all)
{
	static const int one_in[] = { 0, 0, 0, 2, 8, 30 };
	int i;

	dice_seed(&schedule, seed);
	plan.calls_in_turn = dice_roll(&schedule, 3) ?
			     dice_roll(&schedule, calls_of_all) : 0;
	plan.in_order = dice_roll(&schedule, 2);
	plan.switch_one_in = one_in[dice_roll(&schedule, 6)];
	plan.changes = 1 + dice_roll(&schedule, MAX_CHANGES);
	plan.expected = plan.points ? plan.points : 200;
	for (i = 0; i < plan.changes; i++)
		plan.change[i] = 1 + dice_roll(&schedule, plan.expected);
	for (i = 0; i < MODEL_TASKS; i++)
		plan.priority[i] = dice_roll(&schedule, 1000);
	plan.points = 0;
	plan.change_due = false;
	steps_clock_stands = !dice_roll(&schedule, 3);
	steps_switch_here = switch_here;
}

static const struct step *next_step(const struct program *p, int task, int *from)
{
	for (; *from < p->nsteps; ++*from)
		if (actor(&p->steps[*from]) == task)
			return &p->steps[(*from)++];
	return NULL;
}

static struct record *open_record(int task)
{
	struct record *r = begun[task] ? &records[task][begun[task] - 1] : NULL;

	return r && r->ended < 0 ? r : NULL;
}

static void send_signal(int task)
{
	struct record *r = open_record(task);

	/* Between two calls a handler runs, and that is all */
	if (!r || !w.tasks[task].task)
		return;
	steps_signal(w.tasks[task].task);
	if (r->signalled < 0)
		r->signalled = clock_of_events++;
}

static void begin_read(int task, const struct step *step, struct record *r)
{
	static const int commands[] = { GETVAL, GETPID, GETNCNT, GETZCNT, GETALL };

	world_call_ctl(&w, task, 0, step->n, commands[step->value],
		       (unsigned long)r->values);
}

static void begin_call(int task, const struct step *step)
{
	struct record *r = &records[task][begun[task]];
	int i;

	if (step->kind == STEP_SIGNAL) {
		send_signal(step->task);
		return;
	}
	if (begun[task] == MAX_CALLS)
		return;
	memset(r, 0, sizeof(*r));
	r->step = step;
	r->began = clock_of_events++;
	r->ended = r->signalled = r->expired = -1;
	begun[task]++;

	switch (step->kind) {
	case STEP_OP:
		world_call_op(&w, step);
		break;
	case STEP_SETVAL:
		world_call_ctl(&w, task, 0, step->n, SETVAL, step->value);
		break;
	case STEP_SETALL:
		for (i = 0; i < MODEL_SEMS; i++)
			r->values[i] = step->values[i];
		world_call_ctl(&w, task, 0, 0, SETALL, (unsigned long)r->values);
		break;
	case STEP_REMOVE:
		world_call_ctl(&w, task, 0, 0, IPC_RMID, 0);
		break;
	case STEP_READ:
		begin_read(task, step, r);
		break;
	default:
		w.tasks[task].call.result = 0;
		world_call_exit(&w, task);
	}
}

static void end_call(int task)
{
	struct record *r = open_record(task);

	r->ended = clock_of_events++;
	r->result = w.tasks[task].call.result;
	w.tasks[task].task->signal = false;
}

static void expire(int task)
{
	steps_expire(w.tasks[task].task);
	open_record(task)->expired = clock_of_events++;
}

/* The stock kernel sleeps even for no time at all */
static bool expire_overdue(void)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++) {
		if (w.tasks[i].task && steps_limit(w.tasks[i].task) <= steps_now) {
			expire(i);
			return true;
		}
	}
	return false;
}

/* The time of a sleeper is up, or it gets a signal.  -1: nobody sleeps. */
static int interrupt_somebody(void)
{
	int i, n, who[MODEL_TASKS];

	for (i = n = 0; i < MODEL_TASKS; i++)
		if (w.tasks[i].task && steps_state(w.tasks[i].task) == STEPS_ASLEEP)
			who[n++] = i;
	if (!n)
		return -1;
	i = who[dice_roll(&schedule, n)];
	if (steps_limit(w.tasks[i].task) != KTIME_MAX)
		expire(i);
	else
		send_signal(i);
	return i;
}

static void change_priorities(int running)
{
	int sleeper;

	plan.change_due = false;
	sleeper = dice_roll(&schedule, 3) ? interrupt_somebody() : -1;
	if (sleeper < 0)
		plan.priority[running] = -plan.points;
	else
		plan.priority[sleeper] = 1000 + plan.points;
}

static int choose(const int *ready, int n)
{
	int i, best = 0;

	if (calls < plan.calls_in_turn && plan.in_order)
		return ready[0];
	if (plan.switch_one_in || calls < plan.calls_in_turn)
		return ready[dice_roll(&schedule, n)];
	for (i = 1; i < n; i++)
		if (plan.priority[ready[i]] > plan.priority[ready[best]])
			best = i;
	return ready[best];
}

static int find_ready(const struct step **next, int *ready)
{
	int i, n = 0, waiting = 0;

	for (i = 0; i < MODEL_TASKS; i++) {
		struct task_struct *t = w.tasks[i].task;

		if (!t)
			continue;
		waiting += steps_state(t) == STEPS_LOCKED;
		if (steps_state(t) == STEPS_READY ||
		    (steps_state(t) == STEPS_IDLE && next[i]))
			ready[n++] = i;
	}
	if (!n && waiting)
		SHIM_DIE("deadlock: all wait for locks");
	return n;
}

static void run_task(int task)
{
	if (world_idle(&w, task))
		return;
	steps_run(w.tasks[task].task);
	if (world_idle(&w, task))
		end_call(task);
	else if (steps_state(w.tasks[task].task) == STEPS_ASLEEP)
		open_record(task)->slept = true;
	if (plan.change_due)
		change_priorities(task);
	else if (plan.switch_one_in && !dice_roll(&schedule, 20))
		interrupt_somebody();
}

static void run_all(const struct program *p)
{
	const struct step *next[MODEL_TASKS];
	int from[MODEL_TASKS] = {}, ready[MODEL_TASKS], i, n;

	calls = 0;
	for (i = 0; i < MODEL_TASKS; i++)
		next[i] = next_step(p, i, &from[i]);
	for (;;) {
		n = find_ready(next, ready);
		if (!n && expire_overdue())
			continue;
		if (!n && (dice_roll(&schedule, 3) || interrupt_somebody() < 0))
			return;
		if (!n)
			continue;
		i = choose(ready, n);
		if (world_idle(&w, i)) {
			calls++;
			begin_call(i, next[i]);
			/* After its exit a task does nothing more */
			next[i] = next[i]->kind == STEP_EXIT ? NULL :
				  next_step(p, i, &from[i]);
		}
		run_task(i);
	}
}

/*
 * Looking for an order in which the model does the same
 */

struct order {
	struct model m;
	unsigned char done[MODEL_TASKS];	/* calls that have ended */
	bool asleep[MODEL_TASKS];		/* the next one has begun */
};

struct ending {
	bool exists;
	unsigned short values[MODEL_SEMS];
	int pids[MODEL_SEMS], ncnt[MODEL_SEMS], zcnt[MODEL_SEMS];
};

static struct ending ending;

#define SEEN_SIZE	(1 << 14)
static uint64_t seen[SEEN_SIZE];
_Static_assert(sizeof(struct order) % sizeof(uint64_t) == 0, "is hashed as words");
static int seen_count;

static bool seen_before(const struct order *o)
{
	const uint64_t *p = (const uint64_t *)o;
	uint64_t hash = 14695981039346656037ULL;
	size_t i;

	for (i = 0; i < sizeof(*o) / sizeof(*p); i++) {
		hash = (hash ^ p[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	hash |= 1;
	for (i = hash % SEEN_SIZE; seen[i]; i = (i + 1) % SEEN_SIZE)
		if (seen[i] == hash)
			return true;
	/* A full table only costs time */
	if (seen_count < SEEN_SIZE / 2) {
		seen[i] = hash;
		seen_count++;
	}
	return false;
}

static const struct record *next_record(const struct order *o, int task)
{
	return o->done[task] < begun[task] ? &records[task][o->done[task]] : NULL;
}

/* Is everything done that had ended before @time? */
static bool nothing_earlier(const struct order *o, int task, int time)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++) {
		const struct record *r = next_record(o, i);

		if (i != task && r && r->ended >= 0 && r->ended < time)
			return false;
	}
	return true;
}

static bool same_read(struct model *m, const struct record *r)
{
	const struct step *step = r->step;
	const struct model_set *set = &m->sets[0];
	int i;

	if (!set->exists)
		return r->result == -EINVAL;
	switch (step->value) {
	case READ_VALUE:
		return r->result == set->sems[step->n].value;
	case READ_PID:
		return r->result == set->sems[step->n].pid;
	case READ_NCNT:
		return r->result == model_waiters(m, 0, step->n, false);
	case READ_ZCNT:
		return r->result == model_waiters(m, 0, step->n, true);
	default:
		for (i = 0; i < set->nsems; i++)
			if (r->values[i] != set->sems[i].value)
				return false;
		return r->result == 0;
	}
}

/* Was the set still being removed when the call began? */
static bool removal_overlaps(const struct record *r)
{
	int i, j;

	for (i = 0; i < MODEL_TASKS; i++)
		for (j = 0; j < begun[i]; j++)
			if (records[i][j].step->kind == STEP_REMOVE &&
			    (records[i][j].ended < 0 || records[i][j].ended > r->began))
				return true;
	return false;
}

/* Let the model do it.  False: it cannot have been like that. */
static bool apply(struct order *o, int task, const struct record *r)
{
	const struct step *step = r->step;
	struct model *m = &o->m;
	int result = 0;

	/* Found while it was there, gone when it was to be used */
	if (!m->sets[0].exists && r->result == -EIDRM && step->kind != STEP_EXIT)
		return removal_overlaps(r);
	switch (step->kind) {
	case STEP_OP:
		result = model_op(m, task, 0, step->sops, step->n,
				  step->limit == LIMIT_ZERO && !SHIM_STOCK);
		if (result == MODEL_ASLEEP) {
			o->asleep[task] = true;
			o->done[task]--;
			return true;
		}
		break;
	case STEP_SETVAL:
		result = model_set_value(m, task, 0, step->n, step->value);
		break;
	case STEP_SETALL:
		result = model_set_all(m, task, 0, step->values);
		break;
	case STEP_REMOVE:
		result = model_remove(m, 0);
		break;
	case STEP_READ:
		return same_read(m, r);
	default:
		model_exit(m, task);
	}
	return r->ended >= 0 && result == r->result;
}

/* Those whom the last event woke: did they get the same? */
static bool woken_agree(struct order *o)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++) {
		const struct record *r = next_record(o, i);

		if (!o->asleep[i] || o->m.tasks[i].asleep)
			continue;
		if (r->ended < 0 || r->result != o->m.tasks[i].result)
			return false;
		o->asleep[i] = false;
		o->done[i]++;
	}
	return true;
}

static bool same_ending(const struct order *o)
{
	const struct model_set *set = &o->m.sets[0];
	int i;

	for (i = 0; i < MODEL_TASKS; i++) {
		const struct record *r = next_record(o, i);

		if (r && (r->ended >= 0 || !o->asleep[i]))
			return false;
	}
	if (set->exists != ending.exists)
		return false;
	for (i = 0; set->exists && i < set->nsems; i++)
		if (set->sems[i].value != ending.values[i] ||
		    set->sems[i].pid != ending.pids[i] ||
		    model_waiters(&o->m, 0, i, false) != ending.ncnt[i] ||
		    model_waiters(&o->m, 0, i, true) != ending.zcnt[i])
			return false;
	return true;
}

/* A sleeper that gave up: when could that have been? */
static bool may_give_up(const struct order *o, int task, const struct record *r)
{
	int since = r->result == -EINTR ? r->signalled :
		    r->result == -EAGAIN ? r->expired : -1;

	return r->ended >= 0 && since >= 0 && nothing_earlier(o, task, since);
}

static bool find_order(const struct order *o)
{
	struct order next;
	int i;

	if (same_ending(o))
		return true;
	if (seen_before(o))
		return false;
	for (i = 0; i < MODEL_TASKS; i++) {
		const struct record *r = next_record(o, i);

		if (!r)
			continue;
		next = *o;
		if (o->asleep[i]) {
			if (!may_give_up(o, i, r))
				continue;
			model_give_up(&next.m, i, r->result);
		} else {
			if (!nothing_earlier(o, i, r->began))
				continue;
			next.done[i]++;
			if (!apply(&next, i, r))
				continue;
		}
		if (woken_agree(&next) && find_order(&next))
			return true;
	}
	return false;
}

/*
 * One run
 */

static void look_at_ending(void)
{
	int id = w.semid[0], i;
	struct semid64_ds stat;

	steps_switch_here = NULL;
	memset(&ending, 0, sizeof(ending));
	ending.exists = !sys_semctl(id, 0, IPC_STAT, (unsigned long)&stat);
	if (!ending.exists)
		return;
	sys_semctl(id, 0, GETALL, (unsigned long)ending.values);
	for (i = 0; i < (int)stat.sem_nsems; i++) {
		ending.pids[i] = sys_semctl(id, i, GETPID, 0);
		ending.ncnt[i] = sys_semctl(id, i, GETNCNT, 0);
		ending.zcnt[i] = sys_semctl(id, i, GETZCNT, 0);
		if (sys_semctl(id, i, GETVAL, 0) != ending.values[i])
			SHIM_DIE("GETVAL and GETALL of semaphore %d differ", i);
	}
}

static void show_record(int task, const struct record *r)
{
	char text[400];
	FILE *to = fmemopen(text, sizeof(text), "w");

	step_print(to, r->step);
	fclose(to);
	if (r->ended < 0)
		trial_complain("[%3d ...    ] %s: still sleeps", r->began, text);
	else
		trial_complain("[%3d ... %3d] %s: %ld%s%s", r->began, r->ended, text,
			       r->result, r->signalled >= 0 ? ", signalled" : "",
			       r->expired >= 0 ? ", timed out" : "");
}

static void show_run(uint64_t seed)
{
	int i, j;

	trial_complain("no order of these calls explains what they returned, schedule %llu:",
		       (unsigned long long)seed);
	for (i = 0; i < MODEL_TASKS; i++)
		for (j = 0; j < begun[i]; j++)
			show_record(i, &records[i][j]);
	if (!ending.exists)
		trial_complain("in the end the set is gone");
	for (i = 0; ending.exists && i < w.model.sets[0].nsems; i++)
		trial_complain("in the end semaphore %d: value %d, pid %d, ncnt %d, zcnt %d",
			       i, ending.values[i], ending.pids[i], ending.ncnt[i],
			       ending.zcnt[i]);
}

static void count(struct tally *tally)
{
	int i, j, k;

	for (i = 0; i < MODEL_TASKS; i++) {
		for (j = 0; j < begun[i]; j++) {
			const struct record *r = &records[i][j];
			bool undo = false, multi = false;

			if (r->step->kind != STEP_OP)
				continue;
			for (k = 0; k < r->step->n; k++) {
				undo |= r->step->sops[k].flags & MODEL_UNDO;
				multi |= r->step->sops[k].num != r->step->sops[0].num;
			}
			tally->ops++;
			tally->undo += undo;
			tally->multi += multi;
			tally->blocked += r->slept;
			tally->granted += r->slept && r->ended >= 0 && !r->result;
			tally->out_of_range += r->ended >= 0 && r->result == -ERANGE;
			tally->signalled += r->ended >= 0 && r->result == -EINTR;
			tally->timed_out += r->ended >= 0 && r->result == -EAGAIN &&
					    r->expired >= 0;
			tally->removed += r->ended >= 0 && (r->result == -EIDRM ||
							    r->result == -EINVAL);
			tally->refused += r->ended >= 0 && r->result == -EAGAIN;
		}
	}
}

/* Nobody is left, and the set is not either */
static void clean_up(void)
{
	int i;

	steps_switch_here = NULL;
	for (i = 0; i < MODEL_TASKS; i++) {
		struct task_struct *t = w.tasks[i].task;

		if (!t)
			continue;
		if (!world_idle(&w, i))
			steps_signal(t);
		while (!world_idle(&w, i))
			steps_run(t);
		world_call_exit(&w, i);
		while (!world_idle(&w, i))
			steps_run(t);
		world_reap(&w, i);
	}
	world_close(&w);
}

static bool run_once(const struct program *p, uint64_t seed, struct tally *tally)
{
	struct order start = {};
	int i, calls_of_all;
	bool good;

	world_open(&w, seed);
	memset(begun, 0, sizeof(begun));
	clock_of_events = 0;
	for (i = 0; i < p->nsteps; i++) {
		if (p->steps[i].kind == STEP_CREATE && w.semid[0] < 0)
			world_create(&w, 0, p->steps[i].n, false);
		if (p->steps[i].kind == STEP_START && !w.tasks[p->steps[i].task].task)
			world_start(&w, &p->steps[i]);
	}
	if (w.semid[0] >= 0) {
		for (i = calls_of_all = 0; i < p->nsteps; i++)
			calls_of_all += actor(&p->steps[i]) >= 0;
		make_plan(seed, calls_of_all + 1);
		run_all(p);
		look_at_ending();
	}

	start.m = w.model;
	memset(seen, 0, sizeof(seen));
	seen_count = 0;
	good = w.semid[0] < 0 || find_order(&start);
	count(tally);
	if (!good)
		show_run(seed);
	else
		clean_up();
	return good;
}

bool trial_run(const struct program *p, struct tally *tally)
{
	static bool first = true;
	int runs = trial_thorough ? 500 : 20, i;
	long allocated = shim_allocated();

	for (i = 0; i < runs; i++) {
		if (!run_once(p, p->seed * 1000 + i, tally))
			return false;
		if (!first && shim_allocated() != allocated) {
			trial_complain("%ld bytes were not freed",
				       shim_allocated() - allocated);
			return false;
		}
	}
	first = false;
	return true;
}

int main(int argc, char **argv)
{
	static const struct taste taste = {
		.tasks = 4, .sems = MODEL_SEMS, .mixed = !SHIM_STOCK,
	};

	return trial_main(argc, argv, &taste, generate);
}
