// SPDX-License-Identifier: GPL-2.0
/* The command line. */
#include <argp.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "mempolicy.h"
#include "options.h"

const char *argp_program_version = "semop-multi 1.0";

enum { KEY_PLAN = 256, KEY_CHECK, KEY_LIST, KEY_INTERVAL, KEY_STRICT, KEY_EXPLAIN,
       KEY_RESUME, KEY_KTAP };

static const char before[] =
	"Measure how many System V semaphore operations a second N threads do.\v"
	"Prints the kernel and the box, then one block a policy: a row for each number of threads, "
	"a column for each workload and placement, in operations a second over all threads (the "
	"median where there are several runs, whose statistics follow). Each call of semop counts as one operation.\n"
	"\n"
	"Threads are pinned and under their policy before any of them starts; they warm up, then "
	"their counters are read twice and the difference is divided by the time measured between. "
	"A call that fails ends its point: it is printed as failed, with the call and its error.\n"
	"\n"
	"Real-time threads that spin shut out whatever runs below their priority on their CPUs, the "
	"kernel's own threads included. Durations of over 20 seconds a point provoke RCU stall reports.\n";

static const char columns[] =
	"Columns:\n"
	"  threads: how many there are\n"
	"  a workload, and its placement where there are several: operations a second\n"
	"Of several runs:\n"
	"  runs: how many have a figure\n"
	"  median, mean, sd, min, max: of them; sd is the standard deviation\n"
	"  ci_low, ci_high: 95 % confidence interval of the mean\n"
	"  fairness: Jain's index of what the threads did, 1 if all did the same\n"
	"With --latency, in microseconds:\n"
	"  operations: how many were timed\n"
	"  min, max: the fastest and the slowest\n"
	"  p50, p99, p99.9, p99.99: what this share of them did not exceed\n"
	"With --explain, for a thousand operations:\n"
	"  context-switches, cpu-migrations, page-faults: of the threads\n"
	"  lock:contention_begin: locks of the kernel that were waited for\n"
	"  sem:...: what the kernel's semaphores report\n";

static const char statuses[] =
	"Exit status: 0 all points measured, 1 some points failed, 2 wrong usage, 3 the system does "
	"not permit it (real-time policy, kernel.sem, number of tasks), 4 the same with --ktap, 5 the "
	"state of the machine is refused (--strict), 130 ended by a signal (what "
	"was measured so far is printed; semaphores are removed).\n"
	"\n"
	"Examples:\n"
	"  semop-multi\n"
	"  semop-multi -t 10-100:10,200-500:100 -p other,fifo -o single,multi -r 5\n"
	"  semop-multi -o multi -k 4 -t 8 -d 5 --json=records.jsonl";

static const struct argp_option known[] = {
	{ "threads", 't', "LIST", 0, "Numbers of threads, like 4 or 1,2,10-100:10 (default 1,2,4,8)", 1 },
	{ "workload", 'o', "LIST", 0, "Workloads, as NAME or NAME:VARIANT; listed below (default single)", 1 },
	{ "policy", 'p', "LIST", 0, "Policies: other, fifo[:PRIORITY], rr[:PRIORITY] (default other; priority 1 to 98, default 10)", 1 },
	{ "duration", 'd', "SECONDS", 0, "Measured time of each point (default 1)", 2 },
	{ "warm-up", 'w', "SECONDS", 0, "Time before that which does not count (default 0.2)", 2 },
	{ "runs", 'r', "N", 0, "Repetitions of the whole (default 1)", 2 },
	{ "placement", 'a', "HOW", 0, "CPUs of the threads: spread over nodes, compact, node:N, a list like 0-3,8, or none (default spread); several as node:0/node:1/spread, each a column", 3 },
	{ "memory", 'm', "HOW", 0, "Memory of the threads and sets: local, interleave, node:N, or none (default none: the system's)", 3 },
	{ "semaphores", 'k', "K", 0, "Semaphores in one operation of multi (default 2)", 3 },
	{ "background", 'b', "N", 0, "Sleepers or objects beside the threads; see the workloads", 3 },
	{ "set-size", 's', "N", 0, "Semaphores in the set that a workload varies; see the workloads", 3 },
	{ "latency", 'l', NULL, 0, "Take the time of each operation: least, percentiles, most, and the whole histogram in the record", 3 },
	{ "interval", KEY_INTERVAL, "MICROSECONDS", 0, "Pause of each thread after each step (default none)", 3 },
	{ "disturb", 'D', "LIST", 0, "SCHED_OTHER threads beside the measured ones, as NAME or NAME:THREADS; listed below", 3 },
	{ "json", 'J', "FILE", 0, "Append a JSON record for each repetition to FILE; - puts them on standard output in place of the table", 4 },
	{ "resume", KEY_RESUME, NULL, 0, "Leave out what FILE of --json holds already", 4 },
	{ "explain", KEY_EXPLAIN, NULL, 0, "Count events of the kernel that explain a difference, in the records and a table", 4 },
	{ "strict", KEY_STRICT, NULL, 0, "Refuse to measure in a bad state of the machine (status 5); see semop-multi check", 4 },
	{ "ktap", KEY_KTAP, NULL, 0, "Print a KTAP result for each point in place of the table; what is not permitted is skipped", 4 },
	{ "quiet", 'q', NULL, 0, "No progress on standard error", 4 },
	{ "plan", KEY_PLAN, NULL, 0, "Print as JSON what would be measured, and stop", 4 },
	{ "list", KEY_LIST, NULL, 0, "Print the workloads, with their variants, and stop", 4 },
	{ "check", KEY_CHECK, NULL, 0, "See whether the system permits it, and stop (status 0 or 3)", 4 },
	{ }
};

static void __attribute__((format(printf, 1, 2), noreturn)) usage(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("semop-multi: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(EXIT_USAGE);
}

static unsigned int parse_count(const char *option, const char *text, unsigned long max)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || value < 1 || value > max)
		usage("bad --%s '%s': write a number from 1 to %lu", option, text, max);
	return value;
}

static double parse_seconds(const char *option, const char *text, double min)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value) || value < min || value > 86400)
		usage("bad --%s '%s': write seconds from %g to 86400", option, text, min);
	return value;
}

static void parse_threads(struct options *options, const char *text)
{
	char why[256];

	threadlist_free(&options->threads);
	if (threadlist_parse(&options->threads, text, why, sizeof(why)))
		usage("%s", why);
}

static void add_placement(struct options *options, const char *text)
{
	struct placement *placement = &options->placements[options->nr_placements];
	char why[256];
	unsigned int i;

	if (options->nr_placements == MAX_PLACEMENTS)
		usage("more than %d placements", MAX_PLACEMENTS);
	for (i = 0; i < options->nr_placements; i++)
		if (!strcmp(options->placements[i].name, text))
			usage("placement '%s' is there twice", text);
	if (placement_parse(placement, text, why, sizeof(why)))
		usage("%s", why);
	options->nr_placements++;
}

static void forget_placements(struct options *options)
{
	while (options->nr_placements)
		placement_free(&options->placements[--options->nr_placements]);
}

static void add_policy(struct options *options, const char *text)
{
	if (options->nr_policies == MAX_POLICIES)
		usage("more than %d policies", MAX_POLICIES);
	if (policy_parse(&options->policies[options->nr_policies++], text))
		usage("unknown policy '%s': write other, fifo[:PRIORITY] or rr[:PRIORITY], priority 1 to %d",
		      text, POLICY_MAX_PRIORITY);
}

static unsigned int parse_variant(const struct workload *workload, const char *text)
{
	unsigned int i;

	for (i = 0; workload->variants && workload->variants[i]; i++)
		if (!strcmp(workload->variants[i], text))
			return i;
	usage("workload %s has no variant '%s': see --help", workload->name, text);
}

static void add_workload(struct options *options, const char *text)
{
	size_t length = strcspn(text, ":");
	struct selection *selection = &options->selections[options->nr_selections];

	if (options->nr_selections++ == MAX_SELECTIONS)
		usage("more than %d workloads", MAX_SELECTIONS);
	selection->workload = workload_find(text, length);
	if (!selection->workload)
		usage("unknown workload '%s': see --help for the list", text);
	selection->variant = text[length] ?
		parse_variant(selection->workload, text + length + 1) : 0;
}

static void add_disturbance(struct options *options, const char *text)
{
	if (options->nr_disturbances == MAX_DISTURBANCES)
		usage("more than %d disturbers", MAX_DISTURBANCES);
	if (disturbance_parse(&options->disturbances[options->nr_disturbances++], text))
		usage("unknown disturber '%s': see --help for the list; write NAME or NAME:THREADS", text);
}

static void for_each_item(struct options *options, char *list, const char *between,
			  void (*add)(struct options *options, const char *text))
{
	char *item;

	while ((item = strsep(&list, between)))
		add(options, item);
}

static void __attribute__((noreturn)) list_workloads(void)
{
	const struct workload *const *at;
	char name[64];
	unsigned int i;

	for (at = workloads; *at; at++) {
		i = 0;
		do {
			workload_describe(*at, i, name, sizeof(name));
			puts(name);
		} while ((*at)->variants && (*at)->variants[++i]);
	}
	exit(EXIT_DONE);
}

/* What is measured, and how often; false: @key is none of these. */
static bool parse_what(struct options *options, int key, char *argument)
{
	switch (key) {
	case 't':
		parse_threads(options, argument);
		return true;
	case 'o':
		options->nr_selections = 0;
		for_each_item(options, argument, ",", add_workload);
		return true;
	case 'p':
		options->nr_policies = 0;
		for_each_item(options, argument, ",", add_policy);
		return true;
	case 'd':
		options->duration = parse_seconds("duration", argument, 0.01);
		return true;
	case 'w':
		options->warm_up = parse_seconds("warm-up", argument, 0);
		return true;
	case 'r':
		options->runs = parse_count("runs", argument, 10000);
		return true;
	}
	return false;
}

/* Under which circumstances; false: @key is none of these. */
static bool parse_how(struct options *options, int key, char *argument)
{
	switch (key) {
	case 'a':
		forget_placements(options);
		for_each_item(options, argument, "/", add_placement);
		return true;
	case 'm':
		options->memory = argument;
		return true;
	case 'k':
		options->semaphores = parse_count("semaphores", argument, 65535);
		return true;
	case 'b':
		options->background = parse_count("background", argument, 1000000);
		return true;
	case 's':
		options->set_size = parse_count("set-size", argument, 65535);
		return true;
	case 'l':
		options->latency = true;
		return true;
	case KEY_INTERVAL:
		options->interval_us = parse_count("interval", argument, 1000000000);
		return true;
	case 'D':
		options->nr_disturbances = 0;
		for_each_item(options, argument, ",", add_disturbance);
		return true;
	}
	return false;
}

/* Whatever way an option was written, replay reads it in one. */
static void remember(struct options *options, int key, const char *argument)
{
	const struct argp_option *option;
	char *word;

	for (option = known; option->name && option->key != key; option++)
		;
	if (!option->name || key == 'J' || key == 'q' || key == KEY_RESUME || key == KEY_KTAP)
		return;
	options->arguments = reallocarray(options->arguments, options->nr_arguments + 1,
					  sizeof(*options->arguments));
	if (!options->arguments ||
	    asprintf(&word, "--%s%s%s", option->name, argument ? "=" : "", argument ? argument : "") < 0)
		usage("not enough memory");
	options->arguments[options->nr_arguments++] = word;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	remember(options, key, argument);
	if (parse_what(options, key, argument) || parse_how(options, key, argument))
		return 0;
	switch (key) {
	case 'J':
		options->json = argument;
		return 0;
	case KEY_RESUME:
		options->resume = true;
		return 0;
	case KEY_EXPLAIN:
		options->explain = true;
		return 0;
	case KEY_STRICT:
		options->strict = true;
		return 0;
	case KEY_KTAP:
		options->ktap = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case KEY_PLAN:
		options->plan_only = true;
		return 0;
	case KEY_CHECK:
		options->check_only = true;
		return 0;
	case KEY_LIST:
		list_workloads();
	case ARGP_KEY_ARG:
		usage("unexpected argument '%s': neither a command (run, check, compare, report, replay) nor an option, see --help", argument);
	}
	return ARGP_ERR_UNKNOWN;
}

/* The end of --help: the list of workloads, made from the workloads themselves. */
static char *help_filter(int key, const char *text, void *input)
{
	const struct workload *const *at;
	const char *name;
	unsigned int i;
	size_t size;
	char *help;
	FILE *out;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	out = open_memstream(&help, &size);
	fprintf(out, "%s\nWorkloads:\n", text);
	for (at = workloads; *at; at++) {
		fprintf(out, "  %s: %s", (*at)->name, (*at)->about);
		for (i = 0; (*at)->variants && (*at)->variants[i]; i++)
			fprintf(out, "%s%s", i ? ", " : " [", (*at)->variants[i]);
		fputs((*at)->variants ? "]\n" : "\n", out);
	}
	fputs("\nCommands, each with a --help of its own:\n", out);
	for (i = 0; commands[i].name; i++)
		fprintf(out, "  semop-multi %s: %s\n", commands[i].name, commands[i].about);
	fputs("\nDisturbers:\n", out);
	for (i = 0; (text = disturber_about(i, &name)); i++)
		fprintf(out, "  %s: %s\n", name, text);
	fprintf(out, "\n%s\n%s", columns, statuses);
	fclose(out);
	return help;
}

static void check_multiples(const struct options *options)
{
	const struct workload *workload;
	unsigned int i;
	size_t j;

	for (i = 0; i < options->nr_selections; i++) {
		workload = options->selections[i].workload;
		for (j = 0; workload->multiple && j < options->threads.nr; j++)
			if (options->threads.counts[j] % workload->multiple)
				usage("workload %s needs thread counts that are multiples of %u, not %u",
				      workload->name, workload->multiple, options->threads.counts[j]);
	}
}

/* argp sorts the words that it is given, and lists are cut up where they stand. */
static char **copy_words(int argc, char **argv)
{
	char **copy = calloc(argc + 1, sizeof(*copy));
	int i;

	if (!copy)
		usage("not enough memory");
	for (i = 0; i < argc; i++)
		copy[i] = strdup(argv[i]);
	return copy;
}

/**
 * options_parse - understand the command line, or end the program with status 2
 * @options: filled in; to be freed with options_free()
 */
void options_parse(struct options *options, int argc, char **argv)
{
	static const struct argp argp = {
		.options = known, .parser = parse_option, .doc = before, .help_filter = help_filter,
	};
	char one[] = "single", other[] = "other", why[256];

	*options = (struct options){
		.duration = 1, .warm_up = 0.2, .runs = 1, .semaphores = 2, .memory = "none",
		.argc = argc, .argv = copy_words(argc, argv),
	};
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, options);
	if (!options->nr_selections)
		add_workload(options, one);
	if (!options->nr_policies)
		add_policy(options, other);
	if (!options->threads.nr)
		parse_threads(options, "1,2,4,8");
	if (!options->nr_placements)
		add_placement(options, "spread");
	check_multiples(options);
	if (options->resume && (!options->json || !strcmp(options->json, "-")))
		usage("--resume goes on with the file of --json=FILE: name it");
	if (options->ktap && options->json && !strcmp(options->json, "-"))
		usage("--ktap and --json=- both want standard output: name a file");
	if (memory_apply(options->memory, why, sizeof(why)))
		usage("%s", why);
}

/** options_parameters - what a workload is run with, its own defaults filled in */
struct parameters options_parameters(const struct options *options, unsigned int selection,
				     unsigned int threads)
{
	const struct selection *selected = &options->selections[selection];
	const struct workload *workload = selected->workload;
	struct parameters with = { .threads = threads, .variant = selected->variant };

	if (workload->varies_semaphores)
		with.semaphores = options->semaphores;
	if (workload->background)
		with.background = options->background ? options->background : workload->background;
	if (workload->set_size)
		with.set_size = options->set_size ? options->set_size : workload->set_size;
	return with;
}

/** options_free - give back what options_parse() allocated */
void options_free(struct options *options)
{
	threadlist_free(&options->threads);
	forget_placements(options);
	while (options->nr_arguments)
		free(options->arguments[--options->nr_arguments]);
	free(options->arguments);
	while (options->argc)
		free(options->argv[--options->argc]);
	free(options->argv);
}
