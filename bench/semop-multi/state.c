// SPDX-License-Identifier: GPL-2.0
/* The state of the machine: what is set up on it, and what it is doing. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"
#include "state.h"
#include "usage.h"

#define WATCH_NS	300000000	/* how long the CPUs are watched for */

static json_t *first_line(const char *path)
{
	char line[2048];
	FILE *file = fopen(path, "re");
	json_t *text = NULL;

	if (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		text = json_string(line);
	}
	if (file)
		fclose(file);
	return text ? text : json_null();
}

/* "[always] madvise never" is what the kernel prints for a choice. */
static json_t *chosen(const char *path)
{
	json_t *line = first_line(path), *word;
	const char *text = json_string_value(line), *from = text ? strchr(text, '[') : NULL;

	if (!from)
		return line;
	word = json_stringn(from + 1, strcspn(from + 1, "]"));
	json_decref(line);
	return word;
}

static json_t *mitigations(void)
{
	static const char directory[] = "/sys/devices/system/cpu/vulnerabilities";
	json_t *all = json_object(), *line;
	struct dirent *entry;
	char path[512];
	DIR *list = opendir(directory);

	while (list && (entry = readdir(list))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		line = first_line(path);
		if (strcmp(json_string_value(line) ?: "", "Not affected"))
			json_object_set(all, entry->d_name, line);
		json_decref(line);
	}
	if (list)
		closedir(list);
	return all;
}

/** state_watch - add the CPUs in use now, and those taken away by a hypervisor */
void state_watch(json_t *state)
{
	const struct timespec pause = { .tv_nsec = WATCH_NS };
	struct usage before;
	struct load load;

	usage_read(&before);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	usage_since(&before, &load);
	json_object_set_new(state, "busy_cpus", json_real(load.others));
	json_object_set_new(state, "stolen_cpus", json_real(load.stolen));
}

/* Those of all CPUs, each once: "performance", or "performance, powersave". */
static json_t *governors(void)
{
	char path[96], all[256] = "";
	const char *governor;
	size_t used = 0;
	json_t *line;
	long cpu;

	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_governor", cpu);
		line = first_line(path);
		governor = json_string_value(line);
		if (governor && !strstr(all, governor) && used < sizeof(all))
			used += snprintf(all + used, sizeof(all) - used, "%s%s", used ? ", " : "", governor);
		json_decref(line);
	}
	return *all ? json_string(all) : json_null();
}

/* One driver says whether it boosts, another whether it does not. */
static json_t *boost(void)
{
	json_t *line = first_line("/sys/devices/system/cpu/cpufreq/boost"), *not;

	if (!json_is_null(line))
		return line;
	not = first_line("/sys/devices/system/cpu/intel_pstate/no_turbo");
	if (json_is_string(not))
		line = json_string(strcmp(json_string_value(not), "0") ? "0" : "1");
	json_decref(not);
	return line;
}

static json_t *debugging(void)
{
	static const char *const signs[][2] = {
		{ "/proc/lockdep", "lockdep" }, { "/sys/kernel/debug/kmemleak", "kmemleak" },
		{ "/proc/lock_stat", "lock_stat" },
	};
	json_t *found = json_array();
	struct utsname uts = { };
	size_t i;

	uname(&uts);
	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (!access(signs[i][0], F_OK))
			json_array_append_new(found, json_string(signs[i][1]));
	if (strstr(uts.release, "kasan"))
		json_array_append_new(found, json_string("kasan"));
	if (strstr(uts.release, "kcsan"))
		json_array_append_new(found, json_string("kcsan"));
	return found;
}

/** state_collect - everything that may move a figure, as JSON; null is "not available" */
json_t *state_collect(void)
{
	struct running_kernel kernel;
	json_t *state = json_object();
	struct usage usage;

	kernel_identify(&kernel);
	usage_read(&usage);
	json_object_set_new(state, "kernel", json_string(kernel.release));
	json_object_set_new(state, "realtime", json_boolean(!strcmp(kernel.flavour, "rt")));
	json_object_set_new(state, "hypervisor", json_string(kernel.hypervisor));
	json_object_set_new(state, "debugging", debugging());
	json_object_set_new(state, "command_line", first_line("/proc/cmdline"));
	json_object_set_new(state, "mitigations", mitigations());
	json_object_set_new(state, "governor", governors());
	json_object_set_new(state, "boost", boost());
	json_object_set_new(state, "smt", first_line("/sys/devices/system/cpu/smt/active"));
	json_object_set_new(state, "isolated_cpus", first_line("/sys/devices/system/cpu/isolated"));
	json_object_set_new(state, "numa_balancing", first_line("/proc/sys/kernel/numa_balancing"));
	json_object_set_new(state, "thp", chosen("/sys/kernel/mm/transparent_hugepage/enabled"));
	json_object_set_new(state, "rt_runtime_us", first_line("/proc/sys/kernel/sched_rt_runtime_us"));
	json_object_set_new(state, "kernel_sem", first_line("/proc/sys/kernel/sem"));
	json_object_set_new(state, "clock_source", first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
	json_object_set_new(state, "load", first_line("/proc/loadavg"));
	json_object_set_new(state, "stolen_s", json_real(usage.stolen));
	return state;
}
