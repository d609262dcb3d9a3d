// SPDX-License-Identifier: GPL-2.0
/*
 * Semaphores in the hands of real threads, for ThreadSanitizer and
 * AddressSanitizer to look at. Each test also knows what must have come out.
 */
#include <linux/ipc_namespace.h>
#include <sched.h>

#include "system.h"
#include "threads.h"

#define THREADS		4
#define ROUNDS		rounds
#define expect(x)	expect_true(x, #x, __LINE__)

static int rounds = 3000;
static bool failed;
static int semid;
static long done[THREADS];
static bool stop;

static void expect_true(bool good, const char *what, int line)
{
	if (good)
		return;
	printf("# line %d: not true: %s\n", line, what);
	__atomic_store_n(&failed, true, __ATOMIC_RELAXED);
}

/*
 * Short names for calls
 */

struct sop_list {
	struct sembuf sops[4];
	int n;
};

#define SOPS(...) \
	((struct sembuf[]){ __VA_ARGS__ }), \
	(sizeof((struct sembuf[]){ __VA_ARGS__ }) / sizeof(struct sembuf))

static long op(struct sembuf *sops, int n)
{
	return sys_semop(semid, sops, n);
}

static long op_for(long ns, struct sembuf *sops, int n)
{
	struct __kernel_timespec limit = { .tv_nsec = ns };

	return sys_semtimedop(semid, sops, n, &limit);
}

static long get(int num)
{
	return sys_semctl(semid, num, GETVAL, 0);
}

static void set(int num, int value)
{
	expect(sys_semctl(semid, num, SETVAL, value) == 0);
}

static void make_set(int nsems)
{
	semid = sys_semget(IPC_PRIVATE, nsems, 0600);
	expect(semid >= 0);
	memset(done, 0, sizeof(done));
	stop = false;
}

static void remove_set(void)
{
	expect(sys_semctl(semid, 0, IPC_RMID, 0) == 0);
}

static bool is_stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static void set_stopped(void)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
}

/* @count threads do @work, which gets its number */
static void run(int count, unsigned int flags, void (*work)(void *))
{
	struct task_struct *tasks[2 * THREADS];
	long i;

	for (i = 0; i < count; i++)
		tasks[i] = threads_run(flags, work, (void *)i);
	for (i = 0; i < count; i++)
		threads_join(tasks[i]);
}

static long waiters(int num, int cmd)
{
	return sys_semctl(semid, num, cmd, 0);
}

/*
 * Posts and takes: what is put in comes out
 */

static void post_and_take(void *arg)
{
	long me = (long)arg, i;

	for (i = 0; i < ROUNDS; i++) {
		if (me % 2)
			expect(op(SOPS({ 0, 1, 0 })) == 0);
		else
			expect(op(SOPS({ 0, -1, 0 })) == 0);
		/* One of its own, and two neighbours' */
		expect(op(SOPS({ 1 + me, 1, 0 })) == 0);
		expect(op(SOPS({ 1 + me, -1, 0 })) == 0);
	}
}

static void test_posts(void)
{
	make_set(1 + THREADS);
	run(THREADS, 0, post_and_take);
	expect(get(0) == 0);
	remove_set();
}

/*
 * Moving from one semaphore to another never loses anything
 */

static void move(void *arg)
{
	unsigned int seed = (long)arg * 77 + 1, i;

	for (i = 0; i < ROUNDS; i++) {
		int from = (seed = seed * 1103515245 + 12345) >> 16 & 3;
		int to = (seed = seed * 1103515245 + 12345) >> 16 & 3;

		/* Not for ever: all four can come to wait */
		if (op_for(200000, SOPS({ from, -1, i % 7 ? IPC_NOWAIT : 0 },
					{ to, 1, 0 })))
			continue;
		done[(long)arg]++;
	}
	/* Whoever still waits for one of these goes on */
	expect(op(SOPS({ 0, 100, 0 }, { 1, 100, 0 }, { 2, 100, 0 }, { 3, 100, 0 })) == 0);
}

static void test_moves(void)
{
	int i, sum = 0;

	make_set(4);
	for (i = 0; i < 4; i++)
		set(i, 3);
	run(THREADS, 0, move);
	for (i = 0; i < 4; i++)
		sum += get(i);
	expect(sum == 12 + 400 * THREADS);
	for (i = 0; i < THREADS; i++)
		expect(done[i] > 0);
	remove_set();
}

/*
 * A reader of the whole set never sees half of an operation, or of SETALL
 */

static void change_all(void *arg)
{
	unsigned short values[3];
	int i, j;

	for (i = 0; i < ROUNDS; i++) {
		if (i % 20 == 0) {
			for (j = 0; j < 3; j++)
				values[j] = i % 100;
			expect(!sys_semctl(semid, 0, SETALL, (unsigned long)values));
		}
		op(SOPS({ 0, 1, 0 }, { 1, 1, 0 }, { 2, 1, 0 }));
		op(SOPS({ 2, -1, IPC_NOWAIT }, { 1, -1, 0 }, { 0, -1, 0 }));
	}
}

static void read_all(void *arg)
{
	unsigned short values[3];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		expect(!sys_semctl(semid, 0, GETALL, (unsigned long)values));
		expect(values[0] == values[1] && values[1] == values[2]);
		expect(get(1) >= 0);
		expect(sys_semctl(semid, 1, GETPID, 0) >= 0);
	}
}

static void change_or_read_all(void *arg)
{
	((long)arg % 2 ? change_all : read_all)(arg);
}

static void test_whole_set(void)
{
	make_set(3);
	run(THREADS, 0, change_or_read_all);
	remove_set();
}

/*
 * Meeting at zero
 */

static void meet(void *arg)
{
	int i;

	for (i = 0; i < ROUNDS / 10; i++) {
		/* All come to 0, which lets all go; then all come to 1 */
		expect(op(SOPS({ 0, -1, 0 })) == 0);
		expect(op(SOPS({ 0, 0, 0 })) == 0);
		expect(op(SOPS({ 1, -1, 0 })) == 0);
		expect(op(SOPS({ 1, 0, 0 }, { 2, 1, 0 })) == 0);
	}
}

static void set_up_meetings(void *arg)
{
	int i;

	for (i = 0; i < ROUNDS / 10; i++) {
		expect(op(SOPS({ 1, THREADS, 0 }, { 0, THREADS, 0 })) == 0);
		expect(op(SOPS({ 2, -THREADS, 0 })) == 0);
	}
}

static void test_zero(void)
{
	struct task_struct *host;

	make_set(3);
	host = threads_run(0, set_up_meetings, NULL);
	run(THREADS, 0, meet);
	threads_join(host);
	expect(get(0) == 0 && get(1) == 0 && get(2) == 0);
	expect(waiters(0, GETZCNT) == 0 && waiters(1, GETZCNT) == 0);
	remove_set();
}

/*
 * Undo: who ends gives back what it has taken
 */

static void take_with_undo(void *arg)
{
	int i;

	for (i = 0; i < 3; i++) {
		expect(op(SOPS({ 0, -1, SEM_UNDO })) == 0);
		expect(op(SOPS({ 1, 2, SEM_UNDO }, { 2, -1, SEM_UNDO })) == 0);
		expect(op(SOPS({ 0, 1, SEM_UNDO }, { 3, 0, 0 })) == 0);
	}
	expect(op(SOPS({ 0, -1, SEM_UNDO })) == 0);
}

/* A process whose threads share what they owe */
static void run_undo_group(void *arg)
{
	run(2, SHIM_THREAD | CLONE_SYSVSEM, take_with_undo);
	take_with_undo(arg);
}

static void test_undo(void)
{
	int i;

	make_set(4);
	/* Enough for one in each group to take its third */
	set(0, 2 * THREADS + 1);
	set(2, 100);
	for (i = 0; i < ROUNDS / 50; i++)
		run(THREADS, 0, i % 2 ? take_with_undo : run_undo_group);
	expect(get(0) == 2 * THREADS + 1);
	expect(get(1) == 0 && get(2) == 100 && get(3) == 0);
	remove_set();
}

/*
 * Timeouts that meet posts: each post ends one wait, or is left
 */

static void take_in_time(void *arg)
{
	int i;

	for (i = 0; i < ROUNDS / 10; i++) {
		long result = i % 2 ? op_for(i % 50 * 1000, SOPS({ 0, -1, 0 })) :
			      op_for(i % 50 * 1000, SOPS({ 1, 0, 0 }, { 0, -1, 0 }));

		expect(result == 0 || result == -EAGAIN);
		if (!result)
			done[(long)arg]++;
	}
}

static void post_now_and_then(void *arg)
{
	long n = 0;

	while (!is_stopped()) {
		expect(op(SOPS({ 0, 1, 0 })) == 0);
		n++;
		if (n % 8 == 0)
			sched_yield();
		/* No more than can be counted */
		while (get(0) > 1000 && !is_stopped())
			sched_yield();
	}
	done[0] -= n;
}

static void test_timeouts(void)
{
	struct task_struct *tasks[THREADS];
	long i, sum = 0;

	make_set(2);
	tasks[0] = threads_run(0, post_now_and_then, NULL);
	for (i = 1; i < THREADS; i++)
		tasks[i] = threads_run(0, take_in_time, (void *)i);
	for (i = 1; i < THREADS; i++)
		threads_join(tasks[i]);
	set_stopped();
	threads_join(tasks[0]);
	for (i = 0; i < THREADS; i++)
		sum += done[i];
	expect(get(0) == -sum);
	expect(waiters(0, GETNCNT) == 0 && waiters(1, GETZCNT) == 0);
	remove_set();
}

/*
 * Signals that meet posts
 */

static void take_or_be_interrupted(void *arg)
{
	long *count = arg, result;

	do {
		result = op(SOPS({ 0, -1, 0 }, { 1, 1, 0 }));
		WRITE_ONCE(current->signal, false);
		expect(result == 0 || result == -EINTR || result == -EIDRM);
		if (result == -EINTR)
			__atomic_fetch_add(&count[1], 1, __ATOMIC_RELAXED);
		if (result == 0)
			__atomic_fetch_add(&count[0], 1, __ATOMIC_RELAXED);
	} while (result != -EIDRM);
}

static void test_signals(void)
{
	static long count[2];
	struct task_struct *tasks[2];
	time_t end = time(NULL) + 300;
	int i, posts = 0;

	make_set(2);
	count[0] = count[1] = 0;
	for (i = 0; i < 2; i++)
		tasks[i] = threads_run(0, take_or_be_interrupted, count);
	for (i = 0; i < ROUNDS; i++) {
		/* Now one sleeps, and the other may be on its way */
		while (!waiters(0, GETNCNT))
			sched_yield();
		if (i % 3) {
			expect(op(SOPS({ 0, 1, 0 })) == 0);
			posts++;
		}
		if (i % 2)
			threads_signal(tasks[i / 2 % 2]);
	}
	while (waiters(0, GETNCNT) != 2)
		sched_yield();
	/* Whatever became of the others, this one meets a sleeper */
	threads_signal(tasks[0]);
	while (!__atomic_load_n(&count[1], __ATOMIC_RELAXED) && time(NULL) < end)
		sched_yield();
	while (waiters(0, GETNCNT) != 2)
		sched_yield();
	expect(get(0) == 0 && get(1) == posts);
	expect(__atomic_load_n(&count[0], __ATOMIC_RELAXED) == posts);
	expect(__atomic_load_n(&count[1], __ATOMIC_RELAXED) > 0);
	remove_set();
	for (i = 0; i < 2; i++)
		threads_join(tasks[i]);
}

/*
 * Removal: all sleepers learn of it, whatever they wait for, and others too
 */

static void sleep_until_removed(void *arg)
{
	long kind = (long)arg, result;

	do {
		switch (kind % 5) {
		case 0:
			result = op(SOPS({ 0, -1, 0 }));
			break;
		case 1:
			result = op(SOPS({ 1, 0, 0 }));
			break;
		case 2:
			result = op(SOPS({ 0, -1, SEM_UNDO }, { 2, -1, SEM_UNDO }));
			break;
		case 3:
			result = op_for(100000, SOPS({ 2, -3, 0 }, { 1, 0, 0 }));
			break;
		default:
			result = op(SOPS({ 2, 1, SEM_UNDO }));
			if (!result)
				result = op(SOPS({ 2, -1, SEM_UNDO }));
		}
	} while (result == 0 || result == -EAGAIN);
	expect(result == -EIDRM || result == -EINVAL);
}

static void test_removal(void)
{
	struct task_struct *tasks[2 * THREADS];
	long i, j;

	for (i = 0; i < ROUNDS / 50; i++) {
		make_set(3);
		set(1, 1);
		for (j = 0; j < 2 * THREADS; j++)
			tasks[j] = threads_run(0, sleep_until_removed, (void *)(i + j));
		while (i % 2 && waiters(1, GETZCNT) < 1)
			sched_yield();
		remove_set();
		expect(op(SOPS({ 0, 1, 0 })) == -EINVAL);
		for (j = 0; j < 2 * THREADS; j++)
			threads_join(tasks[j]);
	}
}

/*
 * Exit with undo, while the set is removed and its id is used again
 */

static void owe_and_exit(void *arg)
{
	int id = (long)arg, i;

	for (i = 0; i < 4; i++)
		sys_semop(id, SOPS({ i % 2, 1, SEM_UNDO }, { 2, 1, SEM_UNDO }));
	exit_sem(current);
}

static void test_exit_and_removal(void)
{
	struct task_struct *tasks[THREADS];
	long i, j, id;

	for (i = 0; i < ROUNDS / 20; i++) {
		make_set(3);
		id = semid;
		for (j = 0; j < THREADS; j++)
			tasks[j] = threads_run(0, owe_and_exit, (void *)id);
		remove_set();
		/* They go on with the id, and may find a set again */
		current->nsproxy->ipc_ns->ids[0].next_id = id;
		expect(sys_semget(IPC_PRIVATE, 3, 0600) == id);
		for (j = 0; j < THREADS; j++)
			threads_join(tasks[j]);
		/* Debts to the old set are not paid to the new one */
		expect(get(0) == 0 && get(1) == 0 && get(2) == 0);
		remove_set();
	}
}

/*
 * Sets come and go, by key, while others look for them
 */

#define KEYS	8

static void come_and_go(void *arg)
{
	unsigned int seed = (long)arg + 1;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		key_t key = 1 + ((seed = seed * 1103515245 + 12345) >> 16) % KEYS;
		long id = sys_semget(key, 2, IPC_CREAT | 0600), err;

		expect(id >= 0);
		/* An id that semget() returned can be used at once, or is gone */
		err = sys_semctl(id, 0, SETVAL, 1);
		expect(err == 0 || err == -EINVAL || err == -EIDRM);
		err = sys_semop(id, SOPS({ 0, -1, IPC_NOWAIT }));
		expect(err == 0 || err == -EAGAIN || err == -EINVAL || err == -EIDRM);
		if (i % 3 == 0) {
			err = sys_semctl(id, 0, IPC_RMID, 0);
			expect(err == 0 || err == -EINVAL);
		}
		err = sys_semget(key, 0, 0);
		expect(err >= 0 || err == -ENOENT);
	}
}

static void list_sets(void *arg)
{
	struct semid64_ds stat;
	struct seminfo info;

	while (!is_stopped()) {
		char *text = shim_read_proc("sysvipc/sem", 3);
		long i, last = sys_semctl(0, 0, SEM_INFO, (unsigned long)&info);

		expect(text && !strncmp(text, "       key", 10));
		free(text);
		for (i = 0; i <= last; i++)
			sys_semctl(i, 0, SEM_STAT, (unsigned long)&stat);
	}
}

static void test_lookups(void)
{
	struct task_struct *lister;
	struct seminfo info;
	int i;

	stop = false;
	lister = threads_run(0, list_sets, NULL);
	run(THREADS, 0, come_and_go);
	set_stopped();
	threads_join(lister);
	for (i = 1; i <= KEYS; i++)
		sys_semctl(sys_semget(i, 0, 0), 0, IPC_RMID, 0);
	sys_semctl(0, 0, SEM_INFO, (unsigned long)&info);
	expect(info.semusz == 0 && info.semaem == 0);
}

/*
 * All at once
 */

static void do_anything(void *arg)
{
	unsigned int seed = (long)arg * 999 + 5;
	unsigned short values[4] = { 3, 3, 3, 3 };
	int i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned int dice = (seed = seed * 1103515245 + 12345) >> 8;
		int a = dice & 3, b = dice >> 2 & 3, undo = dice & 0x40 ? SEM_UNDO : 0;

		switch (dice >> 8 & 15) {
		case 0:
			sys_semctl(semid, a, SETVAL, 2);
			break;
		case 1:
			if (!(i % 5))
				sys_semctl(semid, 0, SETALL, (unsigned long)values);
			break;
		case 2:
			sys_semctl(semid, 0, GETALL, (unsigned long)values);
			values[0] = values[1] = values[2] = values[3] = 3;
			break;
		case 3:
			waiters(a, b ? GETNCNT : GETZCNT);
			break;
		case 4:
		case 5:
			op_for(20000, SOPS({ a, -1, undo }, { b, -1, undo }));
			break;
		case 6:
			op_for(20000, SOPS({ a, 0, 0 }));
			break;
		case 7:
			op_for(20000, SOPS({ a, 0, 0 }, { b, 1, undo }));
			break;
		case 8:
			op_for(20000, SOPS({ a, -2, undo }));
			break;
		case 9:
			op(SOPS({ a, 1, undo }, { b, 1, undo }));
			break;
		case 10:
			exit_sem(current);
			break;
		default:
			if (dice & 0x80)
				op(SOPS({ a, 1, undo }));
			else
				op(SOPS({ a, -1, undo | IPC_NOWAIT }));
		}
	}
}

static void test_anything(void)
{
	int i;

	make_set(4);
	run(THREADS, 0, do_anything);
	for (i = 0; i < 4; i++) {
		expect(get(i) >= 0 && get(i) <= 32767);
		expect(waiters(i, GETNCNT) == 0 && waiters(i, GETZCNT) == 0);
	}
	remove_set();
}

/* Many sleepers on many semaphores, some of them more than locks are nested */
static void wait_for_many(void *arg)
{
	struct sembuf sops[20];
	int i, j;

	for (i = 0; i < ROUNDS / 20; i++) {
		for (j = 0; j < 20; j++)
			sops[j] = (struct sembuf){ j, -1, 0 };
		expect(op(sops, 20) == 0);
		for (j = 0; j < 20; j++)
			sops[j].sem_op = 1;
		if ((long)arg % 2) {
			expect(op(sops, 20) == 0);
			continue;
		}
		for (j = 0; j < 20; j++)
			expect(op(&sops[j], 1) == 0);
	}
}

static void test_many_semaphores(void)
{
	int i;

	make_set(20);
	for (i = 0; i < 20; i++)
		set(i, 1);
	run(THREADS, 0, wait_for_many);
	for (i = 0; i < 20; i++)
		expect(get(i) == 1);
	remove_set();
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "what is put in comes out", test_posts },
	{ "moving from one semaphore to another loses nothing", test_moves },
	{ "an operation or SETALL is never seen half done", test_whole_set },
	{ "threads meet at zero", test_zero },
	{ "who ends gives back what it has taken", test_undo },
	{ "timeouts that meet posts", test_timeouts },
	{ "signals that meet posts", test_signals },
	{ "removal ends all sleepers", test_removal },
	{ "exit meets removal and an id that comes again", test_exit_and_removal },
	{ "sets come and go while others look for them", test_lookups },
	{ "operations on more semaphores than locks are nested", test_many_semaphores },
	{ "all kinds of calls at once", test_anything },
};

int main(int argc, char **argv)
{
	bool all_good = true;
	long allocated;
	size_t i;

	if (argc > 2 || (argc == 2 && (rounds = atoi(argv[1])) < 100)) {
		fprintf(stderr, "usage: concurrent [ROUNDS], 100 at least\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	threads_start();
	printf("KTAP version 1\n1..%zu\n", ARRAY_SIZE(tests));
	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		failed = false;
		rcu_barrier();
		allocated = shim_allocated();
		tests[i].run();
		rcu_barrier();
		/* The first one leaves what there is once */
		if (i && shim_allocated() > allocated + 16384) {
			printf("# %ld bytes were not freed\n",
			       shim_allocated() - allocated);
			failed = true;
		}
		printf("%sok %zu %s\n", failed ? "not " : "", i + 1, tests[i].name);
		all_good &= !failed;
	}
	threads_stop();
	return !all_good;
}
