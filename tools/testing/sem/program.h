/* SPDX-License-Identifier: GPL-2.0 */
/* Random programs: what several tasks do with semaphores, step by step. */
#ifndef SEM_PROGRAM_H
#define SEM_PROGRAM_H

#include <stdint.h>
#include <stdio.h>

#include "model.h"

enum step_kind {
	STEP_CREATE,	/* make set @set with @n semaphores; @value: with its last id */
	STEP_REMOVE,	/* remove set @set */
	STEP_START,	/* start task @task: @n is enum start_how */
	STEP_EXIT,	/* task @task exits, killed if it sleeps */
	STEP_OP,	/* task @task operates on set @set: @n sops */
	STEP_SIGNAL,	/* a signal for task @task; from task @other, if they run at once */
	STEP_TIMEOUT,	/* the time of task @task is up */
	STEP_SETVAL,	/* task @task sets semaphore @n to @value */
	STEP_SETALL,	/* task @task sets all semaphores of the set */
	STEP_SECOND,	/* the date moves on */
	STEP_READ,	/* task @task reads: @value is enum read_what, of @n */
};

enum read_what {
	READ_VALUE,
	READ_PID,
	READ_NCNT,
	READ_ZCNT,
	READ_ALL,
};

enum start_how {
	START_PROCESS,		/* a process */
	START_THREAD,		/* a thread of task @other, which shares undo */
	START_PROCESS_SHARING,	/* a process that shares undo with task @other */
};

enum limit {
	LIMIT_NONE,
	LIMIT_ZERO,	/* a timeout of zero */
	LIMIT_LATER,	/* one that STEP_TIMEOUT ends */
};

struct step {
	enum step_kind kind;
	int task, other, set, n, value;
	enum limit limit;
	union {
		struct model_sop sops[MODEL_SOPS];
		int values[MODEL_SEMS];
	};
};

#define PROGRAM_STEPS	400

struct program {
	uint64_t seed;
	int nsteps;
	struct step steps[PROGRAM_STEPS];
};

/* A generator of numbers */
struct dice {
	uint64_t state;
};

void dice_seed(struct dice *dice, uint64_t seed);
/* 0 .. n - 1 */
unsigned int dice_roll(struct dice *dice, unsigned int n);

/* What a program shall be like */
struct taste {
	int steps;		/* about so many */
	int tasks, sets, sems;	/* at most */
	bool mixed;		/* there must be enough of everything, see tally_enough() */
	bool exact;		/* no timeouts but right after an operation */
	/*
	 * Only what the stock kernel does, too.  It looks at a list of waits for
	 * zero again when a semaphore becomes zero, not when one rises: such a
	 * list does not notice that it blocks elsewhere, or ends in EAGAIN, now.
	 */
	bool stock;
};

void program_generate(struct program *p, uint64_t seed, const struct taste *taste);
/* If the step is a list of waits for zero, let it do something else, too */
void program_alter_something(struct step *step);
void step_print(FILE *to, const struct step *step);
void program_print(FILE *to, const struct program *p);

/*
 * The smallest program made from this one by leaving things out for which
 * @fails still returns true
 */
void program_shrink(struct program *p, bool (*fails)(const struct program *p));

/* What happened to the operations of programs */
struct tally {
	long ops, blocked, granted, timed_out, signalled, multi, undo, removed,
	     refused, out_of_range;
};

/* An operation returned @result, or MODEL_ASLEEP */
void tally_count_op(struct tally *t, const struct step *step, int result);
/* How those ended that slept @before and do not @after */
void tally_count_ends(struct tally *t, const struct model *before,
		      const struct model *after);
void tally_print(FILE *to, const struct tally *t);
/* Prints what there was too little of; true if there was enough of everything */
bool tally_enough(FILE *to, const struct tally *t);

#endif
