// SPDX-License-Identifier: GPL-2.0
/* The box: its processor and memory nodes, printed the way numactl --hardware does. */
#include <numa.h>
#include <string.h>
#include <unistd.h>

#include "box.h"

static json_t *processor_model(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[512], *value;
	json_t *model = NULL;

	while (file && !model && fgets(line, sizeof(line), file)) {
		value = strchr(line, ':');
		if (strncmp(line, "model name", 10) || !value)
			continue;
		value += strspn(value, ": \t");
		value[strcspn(value, "\n")] = '\0';
		model = json_string(value);
	}
	if (file)
		fclose(file);
	return model ? model : json_string("unknown processor");
}

static json_t *node_cpus(int node)
{
	struct bitmask *cpus = numa_allocate_cpumask();
	json_t *list = json_array();
	unsigned int cpu;

	if (!numa_node_to_cpus(node, cpus))
		for (cpu = 0; cpu < cpus->size; cpu++)
			if (numa_bitmask_isbitset(cpus, cpu))
				json_array_append_new(list, json_integer(cpu));
	numa_bitmask_free(cpus);
	return list;
}

static json_t *node_distances(int node)
{
	json_t *list = json_array();
	int other;

	for (other = 0; other <= numa_max_node(); other++)
		if (numa_bitmask_isbitset(numa_nodes_ptr, other))
			json_array_append_new(list, json_integer(numa_distance(node, other)));
	return list;
}

static json_t *describe_nodes(void)
{
	json_t *nodes = json_array();
	long long size, free_bytes;
	int node;

	if (numa_available() < 0)
		return nodes;
	for (node = 0; node <= numa_max_node(); node++) {
		if (!numa_bitmask_isbitset(numa_nodes_ptr, node))
			continue;
		size = numa_node_size64(node, &free_bytes);
		json_array_append_new(nodes, json_pack("{s:i, s:o, s:I, s:I, s:o}",
			"node", node, "cpus", node_cpus(node), "size_mb", (json_int_t)(size >> 20),
			"free_mb", (json_int_t)(free_bytes >> 20), "distances", node_distances(node)));
	}
	return nodes;
}

/** box_describe - the processor, the CPUs online and the nodes, as JSON */
json_t *box_describe(void)
{
	return json_pack("{s:o, s:I, s:o}", "processor", processor_model(),
			 "cpus", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
			 "nodes", describe_nodes());
}

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void print_node(FILE *out, const json_t *node)
{
	json_int_t nr = number(node, "node");
	size_t i;
	json_t *cpu;

	fprintf(out, "node %lld cpus:", nr);
	json_array_foreach(json_object_get(node, "cpus"), i, cpu)
		fprintf(out, " %lld", json_integer_value(cpu));
	fprintf(out, "\nnode %lld size: %lld MB\n", nr, number(node, "size_mb"));
	fprintf(out, "node %lld free: %lld MB\n", nr, number(node, "free_mb"));
}

static void print_distances(FILE *out, const json_t *nodes)
{
	size_t i, j;
	json_t *node, *distance;

	fputs("node distances:\nnode ", out);
	json_array_foreach(nodes, i, node)
		fprintf(out, "%3lld ", number(node, "node"));
	json_array_foreach(nodes, i, node) {
		fprintf(out, "\n%3lld: ", number(node, "node"));
		json_array_foreach(json_object_get(node, "distances"), j, distance)
			fprintf(out, "%3lld ", json_integer_value(distance));
	}
	fputc('\n', out);
}

/** box_print_nodes - the nodes of a box, as numactl --hardware does */
void box_print_nodes(FILE *out, const json_t *nodes)
{
	size_t nr = json_array_size(nodes), i;
	json_int_t first, last;
	json_t *node;

	if (!nr) {
		fputs("no NUMA support in this kernel\n", out);
		return;
	}
	first = number(json_array_get(nodes, 0), "node");
	last = number(json_array_get(nodes, nr - 1), "node");
	if (first == last)
		fprintf(out, "available: %zu nodes (%lld)\n", nr, first);
	else
		fprintf(out, "available: %zu nodes (%lld-%lld)\n", nr, first, last);
	json_array_foreach(nodes, i, node)
		print_node(out, node);
	print_distances(out, nodes);
}

/** box_print - the head of a table: kernel, box, nodes */
void box_print(FILE *out, const struct running_kernel *kernel, const json_t *box)
{
	fprintf(out, "kernel: %s%s, %s\n", kernel->release,
		kernel->coarse ? " (coarse: one lock a set)" : "", kernel->version);
	fprintf(out, "box: %lld CPUs, %s", number(box, "cpus"),
		json_string_value(json_object_get(box, "processor")));
	if (!strcmp(kernel->hypervisor, "TCG"))
		fputs(", emulated by QEMU TCG: figures compare kernels, not machines", out);
	else if (strcmp(kernel->hypervisor, "none"))
		fprintf(out, ", under %s", kernel->hypervisor);
	fputc('\n', out);
	box_print_nodes(out, json_object_get(box, "nodes"));
}
