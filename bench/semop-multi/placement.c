// SPDX-License-Identifier: GPL-2.0
/* Placement of workers: none, spread, compact, node:N, or a CPU list such as 0-3,8. */
#include <ctype.h>
#include <numa.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "placement.h"

/* A CPU that this process may use: its node, and the how-manieth of its node it is. */
struct place {
	int cpu, node, nth;
};

/* libnuma calls this, if it is there, in place of printing warnings of its own. */
void numa_warn(int number, char *format, ...)
{
	(void)number;
	(void)format;
}

static bool has_numa(void)
{
	return numa_available() >= 0;
}

static int node_of(int cpu)
{
	int node = has_numa() ? numa_node_of_cpu(cpu) : 0;

	return node < 0 ? 0 : node;
}

static int by_node(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->node != b->node ? a->node - b->node : a->cpu - b->cpu;
}

static int by_turn(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->nth != b->nth ? a->nth - b->nth : a->node - b->node;
}

/* All CPUs of @allowed, node by node. */
static struct place *list_places(const struct bitmask *allowed, size_t *nr)
{
	struct place *places = calloc(numa_bitmask_weight(allowed) + 1, sizeof(*places));
	unsigned int cpu;
	size_t i;

	*nr = 0;
	if (!places)
		return NULL;
	for (cpu = 0; cpu < allowed->size; cpu++)
		if (numa_bitmask_isbitset(allowed, cpu))
			places[(*nr)++] = (struct place){ .cpu = cpu, .node = node_of(cpu) };
	qsort(places, *nr, sizeof(*places), by_node);
	for (i = 1; i < *nr; i++)
		if (places[i].node == places[i - 1].node)
			places[i].nth = places[i - 1].nth + 1;
	return places;
}

/* libnuma's own parser prints, or stops at nonsense silently: only clean lists reach it. */
static struct bitmask *parse_cpu_list(const char *text)
{
	size_t length = strlen(text);

	if (!length || length > 4095 || strspn(text, "0123456789,-") != length ||
	    !isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[length - 1]))
		return NULL;
	return numa_parse_cpustring_all(text);
}

static int append(struct placement *placement, int cpu)
{
	int *grown = reallocarray(placement->cpus, placement->nr + 1, sizeof(*grown));

	if (!grown)
		return -1;
	grown[placement->nr++] = cpu;
	placement->cpus = grown;
	return 0;
}

static int append_list(struct placement *placement, const struct bitmask *allowed,
		       const char *text)
{
	struct bitmask *wanted = parse_cpu_list(text);
	unsigned int cpu;
	int error = wanted ? 0 : -1;

	for (cpu = 0; !error && cpu < wanted->size; cpu++) {
		if (!numa_bitmask_isbitset(wanted, cpu))
			continue;
		error = cpu < allowed->size && numa_bitmask_isbitset(allowed, cpu) ?
			append(placement, cpu) : -1;
	}
	if (wanted)
		numa_bitmask_free(wanted);
	return error;
}

static int append_places(struct placement *placement, const struct bitmask *allowed,
			 bool spread, int node)
{
	size_t i, nr;
	struct place *places = list_places(allowed, &nr);
	int error = places ? 0 : -1;

	if (places && spread)
		qsort(places, nr, sizeof(*places), by_turn);
	for (i = 0; !error && i < nr; i++)
		if (node < 0 || places[i].node == node)
			error = append(placement, places[i].cpu);
	free(places);
	return error;
}

static int append_named(struct placement *placement, const struct bitmask *allowed,
			const char *text)
{
	char *end;
	long node;

	if (!strcmp(text, "spread"))
		return append_places(placement, allowed, true, -1);
	if (!strcmp(text, "compact"))
		return append_places(placement, allowed, false, -1);
	if (strncmp(text, "node:", 5))
		return append_list(placement, allowed, text);
	if (!isdigit((unsigned char)text[5]))
		return -1;
	node = strtol(text + 5, &end, 10);
	if (*end || node > (has_numa() ? numa_max_node() : 0))
		return -1;
	return append_places(placement, allowed, false, node);
}

/**
 * placement_parse - work out the CPUs for the workers
 * @placement: filled in; to be freed with placement_free() even after a failure
 * @text: none, spread, compact, node:N or a CPU list
 * @why: receives what is wrong
 * @size: room in @why
 *
 * Return: 0, or -1 with @why filled in.
 */
int placement_parse(struct placement *placement, const char *text, char *why, size_t size)
{
	struct bitmask *allowed;
	int error;

	*placement = (struct placement){ .name = strdup(text) };
	if (!strcmp(text, "none"))
		return 0;
	allowed = numa_allocate_cpumask();
	if (numa_sched_getaffinity(0, allowed) < 0)
		error = -1;
	else
		error = append_named(placement, allowed, text);
	numa_bitmask_free(allowed);
	if (!error && placement->nr)
		return 0;
	snprintf(why, size,
		 "bad placement '%s': write none, spread, compact, node:N or a list of CPUs that this process may use",
		 text);
	return -1;
}

/**
 * placement_apply - pin the calling thread to the CPU of worker number @worker
 *
 * Return: 0, or -1 with errno set.
 */
int placement_apply(const struct placement *placement, unsigned int worker)
{
	cpu_set_t *set;
	size_t size;
	int cpu, error;

	if (!placement->nr)
		return 0;
	cpu = placement->cpus[worker % placement->nr];
	set = CPU_ALLOC(cpu + 1);
	if (!set)
		return -1;
	size = CPU_ALLOC_SIZE(cpu + 1);
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	error = sched_setaffinity(0, size, set);
	CPU_FREE(set);
	return error;
}

static struct bitmask *everywhere;	/* where the program was allowed to run when it began */

/**
 * placement_enter - keep the calling thread on the CPUs of @placement
 *
 * What the kernel allocates for sets then lies on a node that the workers run on.
 */
void placement_enter(const struct placement *placement)
{
	struct bitmask *cpus;
	size_t i;

	if (!placement->nr)
		return;
	if (!everywhere) {
		everywhere = numa_allocate_cpumask();
		numa_sched_getaffinity(0, everywhere);
	}
	cpus = numa_allocate_cpumask();
	for (i = 0; i < placement->nr; i++)
		numa_bitmask_setbit(cpus, placement->cpus[i]);
	numa_sched_setaffinity(0, cpus);
	numa_bitmask_free(cpus);
}

/** placement_leave - let the calling thread run everywhere again */
void placement_leave(void)
{
	if (everywhere)
		numa_sched_setaffinity(0, everywhere);
}

/** placement_free - give back what placement_parse() allocated */
void placement_free(struct placement *placement)
{
	free(placement->name);
	free(placement->cpus);
	*placement = (struct placement){ };
}
