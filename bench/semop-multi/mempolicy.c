// SPDX-License-Identifier: GPL-2.0
/* The memory policy, which threads and the sets that they create inherit. */
#include <ctype.h>
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mempolicy.h"

static int bind_to_node(const char *text)
{
	struct bitmask *nodes;
	char *end;
	long node;

	if (!isdigit((unsigned char)*text))
		return -1;
	node = strtol(text, &end, 10);
	if (*end || node > numa_max_node() || !numa_bitmask_isbitset(numa_all_nodes_ptr, node))
		return -1;
	nodes = numa_allocate_nodemask();
	numa_bitmask_setbit(nodes, node);
	node = set_mempolicy(MPOL_BIND, nodes->maskp, nodes->size + 1);
	numa_bitmask_free(nodes);
	return node;
}

static int apply(const char *how)
{
	if (!strcmp(how, "local"))
		return set_mempolicy(MPOL_LOCAL, NULL, 0);
	if (!strcmp(how, "interleave"))
		return set_mempolicy(MPOL_INTERLEAVE, numa_all_nodes_ptr->maskp,
				     numa_all_nodes_ptr->size + 1);
	return strncmp(how, "node:", 5) ? -1 : bind_to_node(how + 5);
}

/**
 * memory_apply - put the calling thread, and those that it creates, under a memory policy
 * @how: none, local, interleave or node:N
 * @why: receives what is wrong
 * @size: room in @why
 *
 * Return: 0, or -1 with @why filled in.
 */
int memory_apply(const char *how, char *why, size_t size)
{
	if (!strcmp(how, "none"))
		return 0;
	if (numa_available() < 0) {
		snprintf(why, size, "no NUMA support in this kernel: leave --memory out");
		return -1;
	}
	if (!apply(how))
		return 0;
	snprintf(why, size, "bad memory '%s': write none, local, interleave or node:N with a node that has memory",
		 how);
	return -1;
}
