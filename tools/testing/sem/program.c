// SPDX-License-Identifier: GPL-2.0
#include "program.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/*
 * Numbers
 */

void dice_seed(struct dice *dice, uint64_t seed)
{
	dice->state = seed * 0x9e3779b97f4a7c15ULL + 1;
}

unsigned int dice_roll(struct dice *dice, unsigned int n)
{
	uint64_t x;

	dice->state += 0x9e3779b97f4a7c15ULL;
	x = dice->state;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return ((x ^ (x >> 31)) >> 32) * n >> 32;
}

/*
 * Making programs
 */

struct maker {
	struct dice dice;
	const struct taste *taste;
	struct program *p;
	int sems;		/* in most sets of this program */
	int undo;		/* one sop in so many has SEM_UNDO, 0: none */
	int wide;		/* one operation in so many has many sops */
	bool huge;		/* values near the limits */
};

static struct step *add_step(struct maker *mk, enum step_kind kind)
{
	struct step *step = &mk->p->steps[mk->p->nsteps++];

	memset(step, 0, sizeof(*step));
	step->kind = kind;
	step->task = dice_roll(&mk->dice, mk->taste->tasks);
	step->set = dice_roll(&mk->dice, mk->taste->sets);
	return step;
}

static void make_sop(struct maker *mk, struct model_sop *sop)
{
	static const short small[] = { -1, -1, -1, -1, -2, -2, -3, 0, 0, 1, 1, 1, 1, 2, 2, 3 };
	static const short large[] = { -32767, -20000, 20000, 32767, 32766, -32768 };
	struct dice *dice = &mk->dice;

	sop->num = dice_roll(dice, mk->sems);
	/* Some do not exist */
	if (!dice_roll(dice, 60))
		sop->num = mk->sems;
	sop->op = small[dice_roll(dice, sizeof(small) / sizeof(*small))];
	if (mk->huge && dice_roll(dice, 3))
		sop->op = large[dice_roll(dice, sizeof(large) / sizeof(*large))];
	sop->flags = 0;
	if (!dice_roll(dice, 9))
		sop->flags |= MODEL_NOWAIT;
	if (mk->undo && !dice_roll(dice, mk->undo))
		sop->flags |= MODEL_UNDO;
}

/*
 * EFBIG with SEM_UNDO is left out: whether it leaves an undo structure behind,
 * that sets sem_otime at exit, is nobody's business.
 */
static void avoid_undo_where_efbig(struct maker *mk, struct step *step)
{
	bool too_big = false;
	int i;

	for (i = 0; i < step->n; i++)
		too_big |= step->sops[i].num >= mk->sems;
	for (i = 0; i < step->n && too_big; i++)
		step->sops[i].flags &= ~MODEL_UNDO;
}

void program_alter_something(struct step *step)
{
	int i;

	if (step->kind != STEP_OP || step->n == 1)
		return;
	for (i = 0; i < step->n; i++)
		if (step->sops[i].op)
			return;
	step->sops[step->n - 1].op = 1;
}

static void make_op(struct maker *mk)
{
	static const int counts[] = { 1, 1, 1, 1, 1, 2, 2, 2, 3, 4 };
	struct step *step = add_step(mk, STEP_OP);
	struct dice *dice = &mk->dice;
	int i;

	step->n = counts[dice_roll(dice, 10)];
	if (mk->wide && !dice_roll(dice, mk->wide))
		step->n = 2 + dice_roll(dice, MODEL_SOPS - 1);
	for (i = 0; i < step->n; i++)
		make_sop(mk, &step->sops[i]);
	avoid_undo_where_efbig(mk, step);
	if (mk->taste->stock)
		program_alter_something(step);
	i = dice_roll(dice, 20);
	step->limit = i == 0 ? LIMIT_ZERO : i < 5 ? LIMIT_LATER : LIMIT_NONE;
	if (mk->taste->exact && step->limit == LIMIT_LATER && mk->p->nsteps < PROGRAM_STEPS) {
		int task = step->task;

		add_step(mk, STEP_TIMEOUT)->task = task;
	}
}

static int make_value(struct maker *mk)
{
	static const int large[] = { 32767, 32766, 32760, 20000, 32768 };

	if (mk->huge && !dice_roll(&mk->dice, 3))
		return large[dice_roll(&mk->dice, 5)];
	return dice_roll(&mk->dice, 4);
}

static void make_step(struct maker *mk)
{
	unsigned int what = dice_roll(&mk->dice, 200);
	struct step *step;
	int i;

	if (what < 150) {
		make_op(mk);
	} else if (what < 154) {
		add_step(mk, STEP_SIGNAL);
	} else if (what < 160) {
		if (!mk->taste->exact)
			add_step(mk, STEP_TIMEOUT);
	} else if (what < 166) {
		step = add_step(mk, STEP_SETVAL);
		step->n = dice_roll(&mk->dice, mk->sems);
		step->value = make_value(mk);
	} else if (what < 169) {
		step = add_step(mk, STEP_SETALL);
		for (i = 0; i < MODEL_SEMS; i++)
			step->values[i] = make_value(mk);
	} else if (what < 171) {
		add_step(mk, STEP_REMOVE);
	} else if (what < 183) {
		step = add_step(mk, STEP_CREATE);
		step->n = mk->sems;
		step->value = !dice_roll(&mk->dice, 3);
	} else if (what < 189) {
		add_step(mk, STEP_EXIT);
	} else if (what < 198) {
		step = add_step(mk, STEP_START);
		step->n = dice_roll(&mk->dice, 3);
		step->other = dice_roll(&mk->dice, mk->taste->tasks);
	} else {
		add_step(mk, STEP_SECOND);
	}
}

void program_generate(struct program *p, uint64_t seed, const struct taste *taste)
{
	struct maker mk = { .taste = taste, .p = p };
	int i;

	dice_seed(&mk.dice, seed);
	p->seed = seed;
	p->nsteps = 0;
	mk.sems = 1 + dice_roll(&mk.dice, dice_roll(&mk.dice, 4) ? 3 : taste->sems);
	if (mk.sems > taste->sems)
		mk.sems = taste->sems;
	mk.undo = (int[]){ 0, 2, 4, 8 }[dice_roll(&mk.dice, 4)];
	mk.wide = (int[]){ 0, 3, 20 }[dice_roll(&mk.dice, 3)];
	mk.huge = !dice_roll(&mk.dice, 6);
	/* Adjustments grow to their limit where one semaphore goes up and down */
	if (mk.huge) {
		mk.sems = 1;
		mk.undo = 2;
	}

	for (i = 0; i < taste->sets; i++) {
		struct step *step = add_step(&mk, STEP_CREATE);

		step->set = i;
		step->n = mk.sems;
	}
	for (i = 0; i < taste->tasks; i++) {
		struct step *step = add_step(&mk, STEP_START);

		step->task = i;
		step->n = i && !dice_roll(&mk.dice, 3) ? 1 + dice_roll(&mk.dice, 2) : 0;
		step->other = i ? dice_roll(&mk.dice, i) : 0;
	}
	while (p->nsteps < taste->steps && p->nsteps < PROGRAM_STEPS - 1)
		make_step(&mk);
}

/*
 * Showing them
 */

static void print_sops(FILE *to, const struct step *step)
{
	int i;

	for (i = 0; i < step->n; i++)
		fprintf(to, " {%d,%+d%s%s}", step->sops[i].num, step->sops[i].op,
			step->sops[i].flags & MODEL_NOWAIT ? ",NOWAIT" : "",
			step->sops[i].flags & MODEL_UNDO ? ",UNDO" : "");
	fputs(step->limit == LIMIT_ZERO ? " timeout 0" :
	      step->limit == LIMIT_LATER ? " timeout later" : "", to);
}

void step_print(FILE *to, const struct step *step)
{
	int i;

	switch (step->kind) {
	case STEP_CREATE:
		fprintf(to, "create set %d with %d semaphores%s", step->set, step->n,
			step->value ? " and its last id" : "");
		break;
	case STEP_REMOVE:
		fprintf(to, "remove set %d", step->set);
		break;
	case STEP_START:
		fprintf(to, "start task %d", step->task);
		if (step->n != START_PROCESS)
			fprintf(to, " as a %s that shares undo with task %d",
				step->n == START_THREAD ? "thread" : "process",
				step->other);
		break;
	case STEP_EXIT:
		fprintf(to, "task %d exits", step->task);
		break;
	case STEP_OP:
		fprintf(to, "task %d on set %d:", step->task, step->set);
		print_sops(to, step);
		break;
	case STEP_SIGNAL:
		fprintf(to, "task %d gets a signal", step->task);
		break;
	case STEP_TIMEOUT:
		fprintf(to, "task %d times out", step->task);
		break;
	case STEP_SETVAL:
		fprintf(to, "task %d: SETVAL set %d, semaphore %d, to %d", step->task,
			step->set, step->n, step->value);
		break;
	case STEP_SETALL:
		fprintf(to, "task %d: SETALL set %d to", step->task, step->set);
		for (i = 0; i < MODEL_SEMS; i++)
			fprintf(to, " %d", step->values[i]);
		break;
	case STEP_SECOND:
		fprintf(to, "a second goes by");
		break;
	case STEP_READ:
		fprintf(to, "task %d: %s set %d, semaphore %d", step->task,
			(const char *[]){ "GETVAL", "GETPID", "GETNCNT", "GETZCNT",
					  "GETALL" }[step->value],
			step->set, step->n);
		break;
	}
}

void program_print(FILE *to, const struct program *p)
{
	int i;

	fprintf(to, "# program of seed %llu, %d steps\n",
		(unsigned long long)p->seed, p->nsteps);
	for (i = 0; i < p->nsteps; i++) {
		fprintf(to, "# %3d ", i);
		step_print(to, &p->steps[i]);
		fputc('\n', to);
	}
}

/*
 * Making them smaller
 */

static void leave_out(struct program *to, const struct program *from, int first,
		      int count)
{
	*to = *from;
	to->nsteps -= count;
	memmove(&to->steps[first], &to->steps[first + count],
		(to->nsteps - first) * sizeof(*to->steps));
}

static bool drop_steps(struct program *p, bool (*fails)(const struct program *p))
{
	static struct program trial;
	bool smaller = false;
	int size, i;

	for (size = p->nsteps / 2; size; size /= 2) {
		for (i = p->nsteps - size; i >= 0; i -= size) {
			leave_out(&trial, p, i, size);
			if (fails(&trial)) {
				*p = trial;
				smaller = true;
			}
		}
	}
	return smaller;
}

static bool drop_sops(struct program *p, bool (*fails)(const struct program *p))
{
	static struct program trial;
	bool smaller = false;
	int i, j;

	for (i = 0; i < p->nsteps; i++) {
		for (j = p->steps[i].kind == STEP_OP ? p->steps[i].n - 1 : -1; j >= 0; j--) {
			struct step *step = &trial.steps[i];

			if (p->steps[i].n == 1)
				break;
			trial = *p;
			step->n--;
			memmove(&step->sops[j], &step->sops[j + 1],
				(step->n - j) * sizeof(*step->sops));
			if (fails(&trial)) {
				*p = trial;
				smaller = true;
			}
		}
	}
	return smaller;
}

static bool drop_details(struct program *p, bool (*fails)(const struct program *p))
{
	static struct program trial;
	bool smaller = false;
	int i;

	for (i = 0; i < p->nsteps; i++) {
		struct step *step = &trial.steps[i];

		trial = *p;
		if (step->kind == STEP_OP && step->limit)
			step->limit = LIMIT_NONE;
		else if (step->kind == STEP_START && step->n)
			step->n = START_PROCESS;
		else
			continue;
		if (fails(&trial)) {
			*p = trial;
			smaller = true;
		}
	}
	return smaller;
}

void program_shrink(struct program *p, bool (*fails)(const struct program *p))
{
	bool smaller;

	do {
		smaller = drop_steps(p, fails);
		smaller |= drop_sops(p, fails);
		smaller |= drop_details(p, fails);
	} while (smaller);
}

/*
 * Counting
 */

static const struct {
	const char *name;
	size_t offset;
	double least;		/* share of all operations, in per cent */
} shares[] = {
	{ "blocked", offsetof(struct tally, blocked), 15 },
	{ "granted after that", offsetof(struct tally, granted), 4 },
	{ "timed out", offsetof(struct tally, timed_out), 0.5 },
	{ "signalled", offsetof(struct tally, signalled), 1 },
	{ "on several semaphores", offsetof(struct tally, multi), 20 },
	{ "with undo", offsetof(struct tally, undo), 15 },
	{ "met a removal", offsetof(struct tally, removed), 0.3 },
	{ "refused with EAGAIN", offsetof(struct tally, refused), 2 },
	{ "refused with ERANGE", offsetof(struct tally, out_of_range), 0.5 },
};

#define SHARES	(sizeof(shares) / sizeof(*shares))

static long *count_of(const struct tally *t, int i)
{
	return (long *)((char *)t + shares[i].offset);
}

void tally_count_op(struct tally *t, const struct step *step, int result)
{
	bool undo = false, multi = false;
	int i;

	for (i = 0; i < step->n; i++) {
		undo |= step->sops[i].flags & MODEL_UNDO;
		multi |= step->sops[i].num != step->sops[0].num;
	}
	t->ops++;
	t->undo += undo;
	t->multi += multi;
	t->blocked += result == MODEL_ASLEEP;
	t->removed += result == -EINVAL;
	t->refused += result == -EAGAIN;
	t->out_of_range += result == -ERANGE;
}

void tally_count_ends(struct tally *t, const struct model *before,
		      const struct model *after)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++) {
		int result = after->tasks[i].result;

		if (!before->tasks[i].asleep || after->tasks[i].asleep)
			continue;
		t->granted += result == 0;
		t->removed += result == -EIDRM;
		t->refused += result == -EAGAIN;
		t->out_of_range += result == -ERANGE;
	}
}

void tally_print(FILE *to, const struct tally *t)
{
	unsigned int i;

	fprintf(to, "# %ld operations:", t->ops);
	for (i = 0; i < SHARES; i++)
		fprintf(to, "%s %.1f %% %s", i ? "," : "",
			*count_of(t, i) * 100.0 / (t->ops ? t->ops : 1), shares[i].name);
	fputc('\n', to);
}

bool tally_enough(FILE *to, const struct tally *t)
{
	bool enough = t->ops > 0;
	unsigned int i;

	for (i = 0; i < SHARES; i++) {
		if (*count_of(t, i) * 100.0 >= shares[i].least * t->ops)
			continue;
		fprintf(to, "# too few: %s, less than %.1f %%\n", shares[i].name,
			shares[i].least);
		enough = false;
	}
	return enough;
}
