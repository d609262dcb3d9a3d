// SPDX-License-Identifier: GPL-2.0
/* JSON Lines: what the machine is, then one record a repetition. */
#include <argp.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "latency.h"
#include "records.h"

static json_t *optional_string(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *plan_policies(const struct options *options)
{
	json_t *list = json_array();
	unsigned int i;

	for (i = 0; i < options->nr_policies; i++)
		json_array_append_new(list, json_pack("{s:s, s:i}",
			"policy", policy_short_name(&options->policies[i]),
			"priority", options->policies[i].priority));
	return list;
}

static json_t *plan_workloads(const struct options *options)
{
	json_t *list = json_array();
	char name[64];
	unsigned int i;

	for (i = 0; i < options->nr_selections; i++) {
		workload_describe(options->selections[i].workload, options->selections[i].variant,
				  name, sizeof(name));
		json_array_append_new(list, json_string(name));
	}
	return list;
}

static json_t *plan_placements(const struct options *options)
{
	json_t *list = json_array(), *cpus;
	unsigned int i;
	size_t j;

	for (i = 0; i < options->nr_placements; i++) {
		cpus = json_array();
		for (j = 0; j < options->placements[i].nr; j++)
			json_array_append_new(cpus, json_integer(options->placements[i].cpus[j]));
		json_array_append_new(list, json_pack("{s:s, s:o}", "placement",
						      options->placements[i].name, "cpus", cpus));
	}
	return list;
}

/** record_plan - what the command line asks for */
json_t *record_plan(const struct options *options)
{
	json_t *threads = json_array();
	size_t i;

	for (i = 0; i < options->threads.nr; i++)
		json_array_append_new(threads, json_integer(options->threads.counts[i]));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:i, s:f, s:f}", "type", "plan",
			 "threads", threads, "policies", plan_policies(options),
			 "workloads", plan_workloads(options),
			 "placements", plan_placements(options), "runs", (int)options->runs,
			 "duration", options->duration, "warm_up", options->warm_up);
}

static json_t *command_line(const struct options *options)
{
	json_t *words = json_array();
	int i;

	json_array_append_new(words, json_string(program_invocation_name));
	for (i = 1; i < options->argc; i++)
		json_array_append_new(words, json_string(options->argv[i]));
	return words;
}

static json_t *arguments(const struct options *options)
{
	json_t *words = json_array();
	int i;

	for (i = 0; i < options->nr_arguments; i++)
		json_array_append_new(words, json_string(options->arguments[i]));
	return words;
}

static json_t *time_of_day(void)
{
	time_t now = time(NULL);
	struct tm local;
	char text[40];

	localtime_r(&now, &local);
	strftime(text, sizeof(text), "%FT%T%z", &local);
	return json_string(text);
}

/** record_machine - kernel, box, state and command; takes over @box and @state */
json_t *record_machine(const struct running_kernel *kernel, const struct options *options,
		       json_t *box, json_t *state)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:o, s:o}", "type", "machine",
			 "program", argp_program_version, "kernel", kernel->name, "release", kernel->release,
			 "version", kernel->version, "flavour", kernel->flavour,
			 "coarse", kernel->coarse, "hypervisor", kernel->hypervisor, "box", box,
			 "command", command_line(options), "arguments", arguments(options), "at", time_of_day(), "state", state);
}

static void add_figures(json_t *record, const struct result *result, unsigned int threads)
{
	json_t *per_thread = json_array();
	unsigned int i;

	for (i = 0; i < threads; i++)
		json_array_append_new(per_thread, json_integer(result->per_thread[i]));
	json_object_set_new(record, "seconds", json_real(result->seconds));
	json_object_set_new(record, "operations", json_integer(result->operations));
	json_object_set_new(record, "rate", json_real(result->rate));
	json_object_set_new(record, "per_thread", per_thread);
}

/** disturbances_record - the threads of each kind of disturber */
json_t *disturbances_record(const struct disturbance *disturbances, unsigned int nr)
{
	json_t *disturb = json_object();
	unsigned int i;

	for (i = 0; i < nr; i++)
		json_object_set_new(disturb, disturbance_name(&disturbances[i]),
				    json_integer(disturbances[i].threads));
	return disturb;
}

static void add_failure(json_t *record, const struct failure *failure)
{
	json_t *errno_name = optional_string(failure->error ? strerrorname_np(failure->error) : NULL);

	json_object_set_new(record, "failed", json_pack("{s:s, s:o}", "op", failure->op,
							"errno", errno_name));
}

/** record_repetition - one repetition of one point: its figures, or the call that failed */
json_t *record_repetition(const struct running_kernel *kernel, const struct point *point,
			  unsigned int run, const struct options *options,
			  const struct result *result)
{
	const struct parameters *with = &point->with;
	char workload[64];
	json_t *record;

	workload_describe(point->workload, with->variant, workload, sizeof(workload));
	record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:b, s:b}",
			   "type", "repetition", "kernel", kernel->name,
			   "release", kernel->release, "flavour", kernel->flavour,
			   "workload", workload, "policy", policy_short_name(&point->policy),
			   "priority", point->policy.priority, "threads", (int)with->threads,
			   "semaphores", (int)with->semaphores,
			   "background", (int)with->background,
			   "set_size", (int)with->set_size, "run", (int)run + 1,
			   "warm_up", options->warm_up, "duration", options->duration,
			   "timed", point->latency, "explained", point->explain);
	json_object_set_new(record, "disturb", disturbances_record(point->disturbances,
								   point->nr_disturbances));
	json_object_set_new(record, "interval_us", json_integer(point->interval_us));
	if (result->failure.op)
		add_failure(record, &result->failure);
	else
		add_figures(record, result, with->threads);
	json_object_set_new(record, "placement", json_string(point->placement->name));
	json_object_set_new(record, "memory", json_string(options->memory));
	if (point->explain && !result->failure.op)
		json_object_set_new(record, "explain",
				    explain_record(&result->before, &result->after));
	if (result->latency && !result->failure.op)
		json_object_set_new(record, "latency", latency_record(result->latency));
	return record;
}

/**
 * record_write - write @record as a line and give it back
 *
 * Return: 0, or -1 with errno set.
 */
int record_write(FILE *out, json_t *record)
{
	int error;

	if (!record) {
		errno = ENOMEM;
		return -1;
	}
	error = json_dumpf(record, out, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(record);
	if (error || fputc('\n', out) == EOF || fflush(out))
		return -1;
	return 0;
}
