// SPDX-License-Identifier: GPL-2.0
/* What the state of the machine means for figures, and what to do about it. */
#include <string.h>

#include "state.h"
#include "usage.h"

enum level { GOOD, NOTE, BAD };

/** struct item - a line of the state: its key, its name, and who judges it. */
struct item {
	const char *key, *name;
	enum level (*judge)(const json_t *value, const char **advice);
};

static bool is(const json_t *value, const char *text)
{
	const char *string = json_string_value(value);

	return string && !strcmp(string, text);
}

static enum level judge_debugging(const json_t *value, const char **advice)
{
	*advice = "a debug kernel measures its own checks: boot one without them";
	return json_array_size(value) ? BAD : GOOD;
}

static enum level judge_hypervisor(const json_t *value, const char **advice)
{
	*advice = "figures compare kernels that run under it, they do not bound a machine";
	return is(value, "none") ? GOOD : NOTE;
}

static enum level judge_mitigations(const json_t *value, const char **advice)
{
	*advice = "each system call pays for them; compare kernels with the same ones";
	return json_object_size(value) ? NOTE : GOOD;
}

static enum level judge_governor(const json_t *value, const char **advice)
{
	*advice = "the frequency moves with the load; type: cpupower frequency-set -g performance";
	return json_is_null(value) || is(value, "performance") ? GOOD : BAD;
}

static enum level judge_boost(const json_t *value, const char **advice)
{
	*advice = "few busy CPUs run faster than many; type: echo 0 >/sys/devices/system/cpu/cpufreq/boost";
	return is(value, "1") ? NOTE : GOOD;
}

static enum level judge_smt(const json_t *value, const char **advice)
{
	*advice = "two threads may share a core; place them with --placement";
	return is(value, "1") ? NOTE : GOOD;
}

static enum level judge_numa_balancing(const json_t *value, const char **advice)
{
	*advice = "memory moves while it is measured; type: sysctl -w kernel.numa_balancing=0";
	return json_is_null(value) || is(value, "0") ? GOOD : NOTE;
}

static enum level judge_throttle(const json_t *value, const char **advice)
{
	*advice = "real-time threads are held up once a second; type: sysctl -w kernel.sched_rt_runtime_us=-1";
	return json_is_null(value) || is(value, "-1") ? GOOD : NOTE;
}

static enum level judge_clock(const json_t *value, const char **advice)
{
	*advice = "reading it costs a microsecond or more, which --latency adds to each operation";
	return is(value, "hpet") || is(value, "acpi_pm") || is(value, "jiffies") ? NOTE : GOOD;
}

static enum level judge_busy(const json_t *value, const char **advice)
{
	*advice = "the machine is loaded by other programs: wait until they have ended";
	return json_real_value(value) > USAGE_LOADED ? BAD : GOOD;
}

static enum level judge_stolen(const json_t *value, const char **advice)
{
	*advice = "the hypervisor gives CPUs to others: measure on a host of your own";
	return json_real_value(value) > USAGE_LOADED ? BAD : GOOD;
}

static enum level judge_nothing(const json_t *value, const char **advice)
{
	(void)value;
	*advice = NULL;
	return GOOD;
}

static const struct item items[] = {
	{ "kernel", "kernel", judge_nothing },
	{ "realtime", "realtime kernel", judge_nothing },
	{ "hypervisor", "hypervisor", judge_hypervisor },
	{ "debugging", "kernel debugging", judge_debugging },
	{ "command_line", "kernel command line", judge_nothing },
	{ "mitigations", "mitigations", judge_mitigations },
	{ "governor", "frequency governor", judge_governor },
	{ "boost", "frequency boost", judge_boost },
	{ "smt", "SMT", judge_smt },
	{ "isolated_cpus", "isolated CPUs", judge_nothing },
	{ "numa_balancing", "NUMA balancing", judge_numa_balancing },
	{ "thp", "transparent huge pages", judge_nothing },
	{ "rt_runtime_us", "real-time throttling, us", judge_throttle },
	{ "kernel_sem", "kernel.sem", judge_nothing },
	{ "clock_source", "clock source", judge_clock },
	{ "load", "load average", judge_nothing },
	{ "stolen_s", "stolen since boot, s", judge_nothing },
	{ "busy_cpus", "CPUs in use", judge_busy },
	{ "stolen_cpus", "CPUs stolen", judge_stolen },
};

#define NR_ITEMS (sizeof(items) / sizeof(items[0]))

static void print_object(const json_t *value, FILE *out)
{
	const char *key;
	json_t *inner;
	int nr = 0;

	json_object_foreach((json_t *)value, key, inner)
		fprintf(out, "%s%s", nr++ ? ", " : "", key);
	if (!nr)
		fputs("none", out);
}

static void print_value(const json_t *value, FILE *out)
{
	size_t i;
	json_t *inner;

	if (json_is_string(value))
		fputs(*json_string_value(value) ? json_string_value(value) : "none", out);
	else if (json_is_real(value))
		fprintf(out, "%.2f", json_real_value(value));
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", out);
	else if (json_is_object(value))
		print_object(value, out);
	else if (!json_is_array(value))
		fputs("not available", out);
	else if (!json_array_size(value))
		fputs("none", out);
	else
		json_array_foreach(value, i, inner)
			fprintf(out, "%s%s", i ? ", " : "", json_string_value(inner));
}

/** state_print - each item, with advice where there is some; returns how many are bad */
unsigned int state_print(const json_t *state, FILE *out)
{
	static const char *const marks[] = { "", "note: ", "BAD: " };
	const char *advice;
	const json_t *value;
	enum level level;
	unsigned int bad = 0;
	size_t i;

	for (i = 0; i < NR_ITEMS; i++) {
		value = json_object_get(state, items[i].key);
		if (!value)
			continue;	/* a record has no glance at the CPUs */
		level = items[i].judge(value, &advice);
		bad += level == BAD;
		fprintf(out, "%-26s", items[i].name);
		print_value(value, out);
		fputc('\n', out);
		if (level != GOOD)
			fprintf(out, "%26s%s%s\n", "", marks[level], advice);
	}
	return bad;
}

/** state_refuse - why nothing should be measured in this state; NULL: it is well */
const char *state_refuse(const json_t *state)
{
	const char *advice;
	size_t i;

	for (i = 0; i < NR_ITEMS; i++)
		if (items[i].judge(json_object_get(state, items[i].key), &advice) == BAD)
			return advice;
	return NULL;
}

/** state_refuse_now - as state_refuse(), of the state now */
const char *state_refuse_now(void)
{
	json_t *state = state_collect();
	const char *refused;

	state_watch(state);
	refused = state_refuse(state);
	json_decref(state);
	return refused;
}
