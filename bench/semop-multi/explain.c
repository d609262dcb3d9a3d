// SPDX-License-Identifier: GPL-2.0
/* --explain: events of the kernel that explain a difference, counted for this process. */
#include <dirent.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "explain.h"

static struct counter {
	char name[48];
	int fd;
} counters[MAX_EXPLANATIONS];
static unsigned int nr_counters;

/* Threads that are created later count, too. */
static void add(const char *name, unsigned int type, unsigned long long config)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config, .inherit = 1,
	};
	int fd;

	if (nr_counters == MAX_EXPLANATIONS)
		return;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return;
	snprintf(counters[nr_counters].name, sizeof(counters[0].name), "%s", name);
	counters[nr_counters++].fd = fd;
}

static void add_tracepoint(const char *group, const char *event)
{
	char path[400], name[160];
	unsigned long long id;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s/id", group, event);
	file = fopen(path, "re");
	if (!file)
		return;
	snprintf(name, sizeof(name), "%s:%s", group, event);
	if (fscanf(file, "%llu", &id) == 1)
		add(name, PERF_TYPE_TRACEPOINT, id);
	fclose(file);
}

/* Every tracepoint of the semaphores, whatever this kernel has. */
static void add_semaphore_tracepoints(void)
{
	struct dirent **entries;
	int i, nr = scandir("/sys/kernel/tracing/events/sem", &entries, NULL, alphasort);

	for (i = 0; i < nr; i++) {
		add_tracepoint("sem", entries[i]->d_name);	/* files that are none have no id */
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/**
 * explain_open - begin to count, before any thread is created
 *
 * Return: how many kinds of events this kernel lets us count.
 */
unsigned int explain_open(void)
{
	add("context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	add("cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS);
	add("page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	add_tracepoint("lock", "contention_begin");
	add_semaphore_tracepoints();
	return nr_counters;
}

/** explain_read - how often each event has happened */
void explain_read(struct explanation *now)
{
	unsigned int i;

	for (i = 0; i < nr_counters; i++)
		if (read(counters[i].fd, &now->counts[i], sizeof(now->counts[i])) < 0)
			now->counts[i] = 0;
}

/** explain_difference - what happened between two readings */
void explain_difference(const struct explanation *from, const struct explanation *to,
			struct explanation *events)
{
	unsigned int i;

	for (i = 0; i < nr_counters; i++)
		events->counts[i] = to->counts[i] - from->counts[i];
}

/** explain_record - what happened between two readings, as JSON */
json_t *explain_record(const struct explanation *from, const struct explanation *to)
{
	json_t *record = json_object();
	struct explanation events;
	unsigned int i;

	explain_difference(from, to, &events);
	for (i = 0; i < nr_counters; i++)
		json_object_set_new(record, counters[i].name, json_integer(events.counts[i]));
	return record;
}

/** explain_from_record - the counts that explain_record() has written; after explain_open() */
void explain_from_record(const json_t *record, struct explanation *events)
{
	unsigned int i;

	for (i = 0; i < nr_counters; i++)
		events->counts[i] = json_integer_value(json_object_get(record, counters[i].name));
}

/** explain_nr - how many cells explain_heading() and explain_row() add */
unsigned int explain_nr(void)
{
	return nr_counters;
}

/** explain_heading - the names of the events */
void explain_heading(struct table *table)
{
	unsigned int i;

	for (i = 0; i < nr_counters; i++)
		table_add(table, counters[i].name);
}

/** explain_row - events for each thousand operations; no operations: no figures */
void explain_row(struct table *table, const struct explanation *events, uint64_t operations)
{
	char cell[32] = "-";
	unsigned int i;

	for (i = 0; i < nr_counters; i++) {
		if (operations)
			snprintf(cell, sizeof(cell), "%.2f", 1e3 * events->counts[i] / operations);
		table_add(table, cell);
	}
}
