// SPDX-License-Identifier: GPL-2.0
/*
 * Which cache lines do operations share that have no semaphore in common?
 * Threads, up to more than any test machine has CPUs, each do the same on
 * semaphores of their own, with all accesses traced (shim/trace.h). A line that
 * one writes and another touches would travel between CPUs with each operation.
 */
#include <linux/ipc_namespace.h>
#include <sched.h>

#include "shim/trace.h"
#include "system.h"
#include "threads.h"

#define MOST		64	/* threads */
#define WARM		3	/* operations before the traced ones, ... */
#define TRACED		4	/* ... and those */
#define KEY		0x5e3a
#define LISTED		6	/* lines named for each finding */

struct worker {
	int number;
	struct task_struct *task;
	uintptr_t stack, stack_end;
	struct trace trace;
};

/* How the tasks are related */
enum relation {
	THREADS,	/* of one process, whose undo adjustments are shared */
	PROCESSES,
};

enum rule {
	OWN_LINES,	/* no line written that another thread touches */
	NO_WRITES,	/* nothing written at all, but for the task's own */
	ONE_LINE,	/* one such line: sem_otime, once a second */
	MUST_SHARE,	/* or the tracer is blind */
	MAY_SHARE,	/* told, and that is all */
};

struct workload {
	const char *name;
	enum relation relation;
	long (*op)(int number);
	enum rule fine, stock;
	bool new_second;	/* begins before the traced operations */
	long (*before)(int number);
	bool granted;		/* what comes before sleeps until it is let go */
};

static struct worker workers[MOST];
static int count;
static const struct workload *load;
static pthread_barrier_t gate;
static int semid;

/*
 * The operations
 */

static long give_and_take(struct sembuf *sops, int nsops)
{
	long err = sys_semop(semid, sops, nsops);
	int i;

	for (i = 0; i < nsops; i++)
		sops[i].sem_op = -sops[i].sem_op;
	return err ?: sys_semop(semid, sops, nsops);
}

static long op_single(int number)
{
	struct sembuf sops[] = { { 2 * number, 1, 0 } };

	return give_and_take(sops, 1);
}

static long op_multi(int number)
{
	struct sembuf sops[] = { { 2 * number, 1, 0 }, { 2 * number + 1, 1, 0 } };

	return give_and_take(sops, 2);
}

static long op_undo(int number)
{
	struct sembuf sops[] = { { 2 * number, 1, SEM_UNDO } };

	return give_and_take(sops, 1);
}

static long op_multi_undo(int number)
{
	struct sembuf sops[] = { { 2 * number, 1, SEM_UNDO },
				 { 2 * number + 1, 1, SEM_UNDO } };

	return give_and_take(sops, 2);
}

/* A sleeper on two semaphores ties them together, until it leaves */
static long sleep_on_two(int number)
{
	struct sembuf sops[] = { { 2 * number, -1, 0 }, { 2 * number + 1, -1, 0 } };
	struct __kernel_timespec limit = { .tv_nsec = 1 };
	long err = sys_semtimedop(semid, sops, 2, &limit);

	return err == -EAGAIN ? op_multi(number) : -EINVAL;
}

static long sleep_until_granted(int number)
{
	struct sembuf sops[] = { { 2 * number, -1, 0 }, { 2 * number + 1, -1, 0 } };

	return sys_semop(semid, sops, 2);
}

static void grant(int number)
{
	struct sembuf sops[] = { { 2 * number, 1, 0 }, { 2 * number + 1, 1, 0 } };

	while (sys_semctl(semid, 2 * number, GETNCNT, 0) < 1)
		sched_yield();
	if (sys_semop(semid, sops, 2))
		SHIM_DIE("nothing can be granted");
}

static long op_same(int number)
{
	return op_single(0);
}

static long find_by_key(int number)
{
	return sys_semget(KEY, 0, 0) == semid ? 0 : -ENOENT;
}

static long find_by_id(int number)
{
	return sys_semctl(semid, 2 * number, GETVAL, 0);
}

static long find_and_refuse(int number)
{
	struct sembuf sop = { 2 * number, -1, IPC_NOWAIT };

	return sys_semop(semid, &sop, 1) == -EAGAIN ? 0 : -EINVAL;
}

static const struct workload loads[] = {
	{ "single", THREADS, op_single, OWN_LINES, MAY_SHARE },
	{ "single", PROCESSES, op_single, OWN_LINES, MAY_SHARE },
	{ "multi", THREADS, op_multi, OWN_LINES, MUST_SHARE },
	{ "multi", PROCESSES, op_multi, OWN_LINES, MUST_SHARE },
	{ "multi, after sleeping", THREADS, op_multi, OWN_LINES, MUST_SHARE, false,
	  sleep_on_two },
	{ "multi, after a grant", THREADS, op_multi, OWN_LINES, MUST_SHARE, false,
	  sleep_until_granted, true },
	{ "undo", THREADS, op_undo, OWN_LINES, MUST_SHARE },
	{ "undo", PROCESSES, op_undo, OWN_LINES, MAY_SHARE },
	{ "multi with undo", THREADS, op_multi_undo, OWN_LINES, MUST_SHARE },
	{ "multi with undo", PROCESSES, op_multi_undo, OWN_LINES, MUST_SHARE },
	{ "single, new second", THREADS, op_single, ONE_LINE, MAY_SHARE, true },
	{ "lookup by key", PROCESSES, find_by_key, NO_WRITES, MUST_SHARE },
	{ "lookup by id, GETVAL", PROCESSES, find_by_id, NO_WRITES, MUST_SHARE },
	{ "lookup by id, EAGAIN", PROCESSES, find_and_refuse, NO_WRITES, MAY_SHARE },
	{ "all on one semaphore", THREADS, op_same, MUST_SHARE, MUST_SHARE },
};

/*
 * Running them
 */

static void do_ops(int number, int n)
{
	long err;

	while (n--) {
		err = load->op(number);
		if (err)
			SHIM_DIE("%s fails: %ld", load->name, err);
	}
}

static void find_stack(struct worker *w)
{
	pthread_attr_t attr;
	void *start;
	size_t size;

	if (pthread_getattr_np(pthread_self(), &attr) ||
	    pthread_attr_getstack(&attr, &start, &size))
		SHIM_DIE("where is the stack?");
	pthread_attr_destroy(&attr);
	w->stack = (uintptr_t)start;
	w->stack_end = w->stack + size;
}

static void work(void *arg)
{
	struct worker *w = arg;

	w->task = current;
	find_stack(w);
	if (load->before && load->before(w->number))
		SHIM_DIE("%s: what comes before fails", load->name);
	do_ops(w->number, WARM);
	pthread_barrier_wait(&gate);
	/* Here the date may change */
	pthread_barrier_wait(&gate);
	trace_to(&w->trace);
	do_ops(w->number, TRACED);
	trace_to(NULL);
	pthread_barrier_wait(&gate);
	/* Here the traces are compared */
	pthread_barrier_wait(&gate);
}

static void make_set(void)
{
	semid = sys_semget(KEY, 2 * MOST, IPC_CREAT | IPC_EXCL | 0600);
	if (semid < 0)
		SHIM_DIE("no set: %d", semid);
}

static void remove_set(void)
{
	if (sys_semctl(semid, 0, IPC_RMID, 0))
		SHIM_DIE("IPC_RMID fails");
}

/* Up to the point where the traces are complete, with all tasks still there */
static void start_workers(struct task_struct **tasks)
{
	unsigned int flags = load->relation == THREADS ? SHIM_THREAD | CLONE_SYSVSEM : 0;
	int i;

	pthread_barrier_init(&gate, NULL, count + 1);
	for (i = 0; i < count; i++) {
		memset(&workers[i], 0, sizeof(workers[i]));
		workers[i].number = i;
		tasks[i] = threads_run(flags, work, &workers[i]);
	}
	for (i = 0; i < count && load->granted; i++)
		grant(i);
	pthread_barrier_wait(&gate);
	if (load->new_second)
		__atomic_add_fetch(&shim_seconds, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
}

static void end_workers(struct task_struct **tasks)
{
	int i;

	pthread_barrier_wait(&gate);
	for (i = 0; i < count; i++)
		threads_join(tasks[i]);
	pthread_barrier_destroy(&gate);
}

/*
 * Looking at what they did
 */

static uintptr_t listed[LISTED];
static int listed_count;

static void list_line(const struct worker *w, const struct trace_line *line,
		      const struct worker *other)
{
	char what[400], where[200];
	int i;

	for (i = 0; i < listed_count; i++)
		if (listed[i] == line->address)
			return;
	if (listed_count == LISTED)
		return;
	listed[listed_count++] = line->address;
	trace_name(line->written_at, what, sizeof(what));
	trace_where(line->written_by, where, sizeof(where));
	printf("#     %s\n#         written in %s\n", what, where);
	if (other) {
		line = trace_find(&other->trace, line->address);
		trace_where(line->touched_by, where, sizeof(where));
		printf("#         touched by another thread in %s\n", where);
	}
}

static bool is_private(const struct worker *w, uintptr_t address)
{
	uintptr_t task = (uintptr_t)w->task;

	return (address >= w->stack && address < w->stack_end) ||
	       (address >= task && address < task + sizeof(*w->task));
}

static const struct worker *who_else_touches(const struct worker *w, uintptr_t address)
{
	int i;

	for (i = 0; i < count; i++)
		if (&workers[i] != w && trace_find(&workers[i].trace, address))
			return &workers[i];
	return NULL;
}

/* How many lines of this worker's break the rule? */
static int count_lines(const struct worker *w, enum rule rule, bool list)
{
	int i, n = 0;

	for (i = 0; i < TRACE_LINES; i++) {
		const struct trace_line *line = &w->trace.lines[i];
		const struct worker *other;

		if (!line->written_by || is_private(w, line->address))
			continue;
		other = who_else_touches(w, line->address);
		if (!other && rule != NO_WRITES)
			continue;
		if (list)
			list_line(w, line, other);
		n++;
	}
	return n;
}

static bool allowed(enum rule rule, int lines)
{
	switch (rule) {
	case ONE_LINE:
		return lines <= 1;
	case MUST_SHARE:
		return lines > 0;
	case MAY_SHARE:
		return true;
	default:
		return lines == 0;
	}
}

/* The most lines that one thread shares, or writes if it must not write */
static int measure(enum rule rule)
{
	struct task_struct *tasks[MOST];
	int i, n, most = 0;
	bool list;

	make_set();
	start_workers(tasks);
	for (i = 0; i < count; i++) {
		n = count_lines(&workers[i], rule, false);
		most = max(most, n);
	}
	list = most && !listed_count;
	for (i = 0; i < count && list; i++)
		count_lines(&workers[i], rule, true);
	end_workers(tasks);
	remove_set();
	return most;
}

static bool test(int number)
{
	static const int counts[] = { 2, 8, MOST };
	enum rule rule = SHIM_STOCK ? load->stock : load->fine;
	int lines[ARRAY_SIZE(counts)];
	bool good = true;
	size_t i;

	listed_count = 0;
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		count = counts[i];
		lines[i] = measure(rule);
		good &= allowed(rule, lines[i]);
	}
	printf("%sok %d %-24s %-9s %10d %10d %10d\n", good ? "" : "not ", number,
	       load->name, load->relation == THREADS ? "threads" : "processes",
	       lines[0], lines[1], lines[2]);
	return good;
}

int main(int argc, char **argv)
{
	bool all_good = true;
	size_t i;

	if (argc > 1) {
		fprintf(stderr, "usage: coherence\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	threads_start();
	__atomic_store_n(&threads_date_stands, true, __ATOMIC_RELAXED);
	printf("KTAP version 1\n1..%zu\n", ARRAY_SIZE(loads));
	printf("# %s: cache lines that a thread writes in an operation and another thread touches;\n"
	       "# for a lookup, all lines that it writes but for the task's own\n"
	       "# %42s %10d %10d %10d\n", SHIM_STOCK ? "stock" : "fine", "threads:", 2, 8, MOST);
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		load = &loads[i];
		all_good &= test(i + 1);
	}
	threads_stop();
	return !all_good;
}
