// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that make, find, use and remove sets by key at once, in many
 * interleavings. What each call returned must have been possible, given what
 * had ended before it began and what had begun before it ended.
 */
#include <linux/ipc_namespace.h>

#include "program.h"
#include "steps.h"
#include "system.h"

#define TASKS		3
#define CALLS		4	/* of each task */
#define KEYS		2
#define LIMIT		3	/* SEMMNI */
#define expect(x)	expect_true(x, #x, __LINE__)

enum what {
	FIND,		/* semget() without IPC_CREAT */
	FIND_OR_MAKE,	/* with it */
	MAKE,		/* with IPC_EXCL, too */
	USE,		/* GETVAL on the id that the task got last */
	REMOVE,		/* IPC_RMID on that */
};

struct record {
	enum what what;
	int key, id;
	int began, ended;
	long result;
};

static struct record records[TASKS * CALLS];
static int count, now;
static struct task_struct *tasks[TASKS];
static int last_id[TASKS], calls_left[TASKS];
static struct record *at_work[TASKS];
static struct dice dice;
static int switch_one_in;
static uint64_t seed;
static bool failed;

static void show(void)
{
	static const char * const names[] = { "find", "find or make", "make", "use",
					      "remove" };
	int i;

	printf("# seed %llu\n", (unsigned long long)seed);
	for (i = 0; i < count; i++)
		printf("# [%3d ... %3d] %s key %d, id %d: %ld\n", records[i].began,
		       records[i].ended, names[records[i].what], records[i].key,
		       records[i].id, records[i].result);
}

static void expect_true(bool good, const char *what, int line)
{
	if (good)
		return;
	printf("# line %d: not true: %s\n", line, what);
	failed = true;
}

static void do_call(void *arg)
{
	static const int flags[] = {
		[FIND] = 0, [FIND_OR_MAKE] = IPC_CREAT, [MAKE] = IPC_CREAT | IPC_EXCL,
	};
	struct record *r = arg;

	if (r->what == USE)
		r->result = sys_semctl(r->id, 0, GETVAL, 0);
	else if (r->what == REMOVE)
		r->result = sys_semctl(r->id, 0, IPC_RMID, 0);
	else
		r->result = sys_semget(r->key, 1, flags[r->what] | 0600);
}

static void begin(int task)
{
	static const enum what whats[] = {
		FIND, FIND_OR_MAKE, FIND_OR_MAKE, FIND_OR_MAKE, MAKE, USE, USE, USE, REMOVE,
	};
	struct record *r = &records[count++];

	r->what = whats[dice_roll(&dice, ARRAY_SIZE(whats))];
	if (r->what >= USE && last_id[task] < 0)
		r->what = FIND_OR_MAKE;
	r->key = r->what < USE ? 1 + dice_roll(&dice, KEYS) : 0;
	r->id = r->what < USE ? -1 : last_id[task];
	r->began = now++;
	r->ended = INT_MAX;
	at_work[task] = r;
	calls_left[task]--;
	steps_give(tasks[task], do_call, r);
}

static void end(int task)
{
	struct record *r = at_work[task];

	at_work[task] = NULL;
	r->ended = now++;
	if (r->what < USE && r->result >= 0)
		last_id[task] = r->id = r->result;
}

static bool switch_here(void)
{
	return !dice_roll(&dice, switch_one_in);
}

static void run_all(void)
{
	int ready[TASKS], i, n;

	for (;;) {
		for (i = n = 0; i < TASKS; i++)
			if (steps_state(tasks[i]) == STEPS_READY ||
			    (steps_state(tasks[i]) == STEPS_IDLE && calls_left[i]))
				ready[n++] = i;
		if (!n)
			break;
		i = ready[dice_roll(&dice, n)];
		if (!at_work[i])
			begin(i);
		steps_run(tasks[i]);
		if (steps_state(tasks[i]) == STEPS_IDLE)
			end(i);
	}
	for (i = 0; i < TASKS; i++)
		if (at_work[i])
			SHIM_DIE("a call does not come to an end");
}

/*
 * What must be
 */

/* May a set with this id have gone before @r ended? */
static bool may_be_removed(const struct record *r, int id)
{
	int i;

	for (i = 0; i < count; i++)
		if (records[i].what == REMOVE && records[i].id == id &&
		    records[i].began < r->ended)
			return true;
	return false;
}

static bool is_removed(const struct record *r, int id)
{
	int i;

	for (i = 0; i < count; i++)
		if (records[i].what == REMOVE && records[i].id == id &&
		    !records[i].result && records[i].ended < r->began)
			return true;
	return false;
}

/* Was a set with this key there all the time? */
static bool was_there(const struct record *r, int key)
{
	int i;

	for (i = 0; i < count; i++)
		if (records[i].key == key && records[i].result >= 0 &&
		    records[i].ended < r->began && !may_be_removed(r, records[i].id))
			return true;
	return false;
}

/* Can a set with this key have been there at some time? */
static bool may_be_there(const struct record *r, int key)
{
	int i;

	for (i = 0; i < count; i++)
		if (records + i != r && records[i].key == key &&
		    records[i].what != FIND && records[i].result >= 0 &&
		    records[i].began < r->ended && !is_removed(r, records[i].id))
			return true;
	return false;
}

static void check_get(const struct record *r)
{
	int i;

	if (r->result >= 0) {
		expect(!is_removed(r, r->result));
		for (i = 0; i < count; i++) {
			/* One id, one key; and nobody else made this set */
			if (records[i].key && records[i].result == r->result)
				expect(records[i].key == r->key);
			if (records + i != r && records[i].result == r->result &&
			    r->what == MAKE && records[i].key)
				expect(records[i].what != MAKE &&
				       records[i].ended > r->began);
		}
		if (r->what == MAKE)
			expect(!was_there(r, r->key));
		if (r->what == FIND)
			expect(may_be_there(r, r->key));
	} else if (r->result == -EEXIST) {
		expect(r->what == MAKE && may_be_there(r, r->key));
	} else {
		expect(r->result == -ENOENT && r->what == FIND);
		expect(!was_there(r, r->key));
	}
}

static void check(void)
{
	struct seminfo info;
	int i, sets = 0;

	for (i = 0; i < count; i++) {
		const struct record *r = &records[i];

		if (r->what < USE) {
			check_get(r);
		} else if (r->result == 0) {
			expect(!is_removed(r, r->id));
		} else {
			expect(r->result == -EINVAL || r->result == -EIDRM);
			expect(may_be_removed(r, r->id));
		}
	}
	for (i = 1; i <= KEYS; i++)
		sets += sys_semget(i, 1, 0) >= 0;
	sys_semctl(0, 0, SEM_INFO, (unsigned long)&info);
	expect(info.semusz == sets && info.semaem == sets);
}

static bool run_once(void)
{
	struct ipc_namespace *ns = shim_new_namespace();
	int i;

	current->nsproxy->ipc_ns = ns;
	ns->sem_ctls[3] = LIMIT;
	dice_seed(&dice, seed);
	switch_one_in = (int[]){ 2, 4, 12, 40 }[dice_roll(&dice, 4)];
	count = now = 0;
	for (i = 0; i < TASKS; i++) {
		if (steps_new(current, 0, &tasks[i]))
			SHIM_DIE("no task");
		last_id[i] = -1;
		calls_left[i] = CALLS;
	}
	steps_switch_here = switch_here;
	run_all();
	steps_switch_here = NULL;
	check();
	if (failed)
		show();
	for (i = 0; i < TASKS; i++)
		steps_free(tasks[i]);
	shim_end_namespace(ns);
	shim_run_work();
	return !failed;
}

int main(int argc, char **argv)
{
	char *end = "";
	uint64_t runs = argc > 1 ? strtoull(argv[1], &end, 0) : 20000;

	if (argc > 2 || !runs || *end) {
		fprintf(stderr, "usage: lookups [RUNS]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	steps_start();
	printf("KTAP version 1\n1..1\n");
	for (seed = 1; seed <= runs; seed++)
		if (!run_once())
			break;
	printf("%sok 1 %llu interleavings of making, finding and removing sets\n",
	       failed ? "not " : "", (unsigned long long)(failed ? seed : runs));
	return failed;
}
