// SPDX-License-Identifier: GPL-2.0
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "steps.h"
#include "system.h"
#include "trial.h"

/* Seconds of work after which a program counts as hung */
static const struct itimerval patience = { .it_value.tv_sec = 20 };

/* What the child tells its parent */
struct report {
	uint64_t seed;
	struct tally tally;
};

static struct report *report;
static struct program program;
static bool quiet;
bool trial_thorough;

static long wanted_ops = 200000;
static uint64_t first_seed = 1;
static bool only_one, coarse, no_shrinking;
static char *name = "programs";
static int seconds;

void trial_complain(const char *fmt, ...)
{
	va_list args;

	if (quiet)
		return;
	fflush(stdout);
	fputs("# ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

/* Run in a child, which may crash.  True: it ended well. */
static bool in_child(int (*work)(void))
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (!pid) {
		if (quiet && !freopen("/dev/null", "w", stderr))
			_exit(1);
		status = work();
		fflush(NULL);
		_exit(status);
	}
	while (waitpid(pid, &status, 0) != pid)
		;
	if (WIFSIGNALED(status))
		trial_complain("killed by signal %d%s", WTERMSIG(status),
			       WTERMSIG(status) == SIGPROF ? ", it hung" : "");
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static void begin(void)
{
	static const struct program first = {
		.nsteps = 1, .steps = { { .kind = STEP_CREATE, .n = 1 } },
	};
	struct tally nothing = {};

	steps_start();
	if (coarse)
		*shim_param_sem_coarse = true;
	trial_run(&first, &nothing);
}

static int run_this_one(void)
{
	struct tally ignored = {};

	setitimer(ITIMER_PROF, &patience, NULL);
	begin();
	return !trial_run(&program, &ignored);
}

static bool fails(const struct program *p)
{
	/* The shrinker's copy is what the child runs */
	program = *p;
	return !in_child(run_this_one);
}

static struct taste taste_of_all;
static trial_generate *generate;

static int run_many(void)
{
	time_t end = seconds ? time(NULL) + seconds : 0;
	long done = 0;

	begin();
	while (end ? time(NULL) < end : report->tally.ops < wanted_ops) {
		setitimer(ITIMER_PROF, &patience, NULL);
		generate(&program, report->seed, &taste_of_all);
		if (!trial_run(&program, &report->tally))
			return 1;
		report->seed++;
		if (++done % 2000 == 0 && isatty(2))
			fprintf(stderr, "\r# %ld operations ", report->tally.ops);
	}
	return 0;
}

static void show_failure(void)
{
	static struct program smallest;

	printf("# seed %llu fails; making the program smaller\n",
	       (unsigned long long)report->seed);
	generate(&smallest, report->seed, &taste_of_all);
	quiet = true;
	trial_thorough = true;
	if (!fails(&smallest)) {
		quiet = false;
		printf("# alone it passes: what earlier programs left behind counts\n");
		return;
	}
	program_shrink(&smallest, fails);
	quiet = false;
	program_print(stdout, &smallest);
	fails(&smallest);
}

static uint64_t number(struct argp_state *state, const char *arg, uint64_t least)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(arg, &end, 0);
	if (!isdigit((unsigned char)*arg) || *end || errno || value < least)
		argp_error(state, "'%s': give a number from %llu on", arg,
			   (unsigned long long)least);
	return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'n':
		wanted_ops = number(state, arg, 1);
		break;
	case 's':
		first_seed = number(state, arg, 0);
		break;
	case 'o':
		only_one = true;
		first_seed = number(state, arg, 0);
		break;
	case 't':
		seconds = number(state, arg, 1);
		break;
	case 'c':
		coarse = true;
		if (!&shim_param_sem_coarse)
			argp_error(state, "this implementation has no coarse mode");
		break;
	case 'q':
		no_shrinking = true;
		break;
	case 'N':
		name = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{ "operations", 'n', "N", 0, "run programs of N operations in all (200000)" },
	{ "seed", 's', "SEED", 0, "seed of the first program (1)" },
	{ "one", 'o', "SEED", 0, "run the program of this seed alone" },
	{ "seconds", 't', "N", 0, "go on for N seconds instead" },
	{ "coarse", 'c', NULL, 0, "with one lock for each set" },
	{ "quick", 'q', NULL, 0, "do not make a failing program smaller" },
	{ "name", 'N', "NAME", 0, "name of the test in the output" },
	{}
};

static int run_one_seed(void)
{
	report->seed = first_seed;
	generate(&program, first_seed, &taste_of_all);
	if (in_child(run_this_one)) {
		printf("# seed %llu passes\n", (unsigned long long)first_seed);
		return 0;
	}
	show_failure();
	return 1;
}

int trial_main(int argc, char **argv, const struct taste *taste,
	       trial_generate *how)
{
	static const struct argp argp = { options, parse, NULL,
		"Runs random programs on semaphores and on their model.\v"
		"Status: 0 all agreed, 1 something was wrong, 2 wrong use." };
	bool good;

	argp_err_exit_status = 2;
	generate = how;
	taste_of_all = *taste;
	taste_of_all.stock = SHIM_STOCK;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);

	report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (report == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	if (only_one)
		return run_one_seed();

	printf("KTAP version 1\n1..1\n");
	report->seed = first_seed;
	good = in_child(run_many);
	if (!good && !no_shrinking)
		show_failure();
	printf("# seeds %llu to %llu\n", (unsigned long long)first_seed,
	       (unsigned long long)report->seed);
	tally_print(stdout, &report->tally);
	if (good && taste->mixed)
		good = tally_enough(stdout, &report->tally);
	printf("%sok 1 %s\n", good ? "" : "not ", name);
	return !good;
}
