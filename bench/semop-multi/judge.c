// SPDX-License-Identifier: GPL-2.0
/* Kernels against a baseline: may they be compared, and do they differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"

/**
 * dataset_set_baseline - compare with the column of this title
 *
 * Return: 0, or -1 with @why filled in.
 */
int dataset_set_baseline(struct dataset *dataset, const char *title, char *why, size_t size)
{
	unsigned int i;
	size_t used;

	for (i = 0; i < dataset->nr_columns; i++)
		if (!strcmp(dataset->columns[i].title, title)) {
			dataset->baseline = i;
			return 0;
		}
	used = snprintf(why, size, "no kernel '%s' in these records: there are", title);
	for (i = 0; i < dataset->nr_columns && used < size; i++)
		used += snprintf(why + used, size - used, " %s", dataset->columns[i].title);
	return -1;
}

static const json_t *at(const json_t *machine, const char *outer, const char *inner)
{
	const json_t *value = json_object_get(machine, outer);

	return inner ? json_object_get(value, inner) : value;
}

static bool has_common(const struct dataset *dataset)
{
	unsigned int column;
	size_t i;

	for (i = 0; i < dataset->nr_rows; i++)
		for (column = 0; column < dataset->nr_columns; column++)
			if (column != dataset->baseline && dataset->rows[i].cells[column].nr &&
			    dataset->rows[i].cells[dataset->baseline].nr)
				return true;
	return false;
}

/* In what the rows of the baseline and those of others differ that are most alike. */
static const char *nearest_difference(const struct dataset *dataset)
{
	const struct row *a, *b, *end = dataset->rows + dataset->nr_rows;
	const char *nearest = NULL, *difference;
	size_t rank, highest = 0;

	for (a = dataset->rows; a < end; a++)
		for (b = dataset->rows; a->cells[dataset->baseline].nr && b < end; b++) {
			if (b->cells[dataset->baseline].nr)
				continue;
			difference = row_difference(a, b, &rank);
			if (!nearest || rank > highest) {
				nearest = difference ? difference : "number of threads";
				highest = rank;
			}
		}
	return nearest;
}

/* Why @column and the baseline cannot stand side by side; NULL: their machines are alike. */
static const char *other_machine(const struct dataset *dataset, const struct column *column)
{
	static const struct {
		const char *outer, *inner, *name;
	} properties[] = {
		{ "hypervisor", NULL, "hypervisor" },
		{ "box", "processor", "processor" },
		{ "box", "cpus", "number of CPUs" },
		{ "state", "debugging", "kernel debugging" },
		{ "state", "governor", "frequency governor" },
		{ "state", "boost", "frequency boost" },
		{ "state", "smt", "SMT" },
	};
	const json_t *machine = dataset->columns[dataset->baseline].machine, *a, *b;
	size_t i;

	if (!machine || !column->machine)
		return NULL;
	for (i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
		a = at(machine, properties[i].outer, properties[i].inner);
		b = at(column->machine, properties[i].outer, properties[i].inner);
		if ((a || b) && !json_equal(a, b))
			return properties[i].name;
	}
	if (json_array_size(at(machine, "box", "nodes")) !=
	    json_array_size(at(column->machine, "box", "nodes")))
		return "number of nodes";
	return NULL;
}

/** dataset_notes - what differs between machines that may still be compared */
void dataset_notes(const struct dataset *dataset, FILE *out)
{
	static const char *const keys[] = {
		"mitigations", "numa_balancing", "thp", "rt_runtime_us", "isolated_cpus", "clock_source",
	};
	static const char *const names[] = {
		"mitigations", "NUMA balancing", "transparent huge pages", "real-time throttling",
		"isolated CPUs", "clock source",
	};
	const struct column *base = &dataset->columns[dataset->baseline], *column;
	const json_t *a, *b;
	size_t i;

	for (column = dataset->columns; column < dataset->columns + dataset->nr_columns; column++)
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			a = at(base->machine, "state", keys[i]);
			b = at(column->machine, "state", keys[i]);
			if (a && b && !json_equal(a, b))
				fprintf(out, "semop-multi: note: %s and %s were measured with other %s\n",
					base->title, column->title, names[i]);
		}
}

/**
 * dataset_comparable - whether the figures of all columns may stand side by side
 *
 * Return: 0, or -1 with the reason in @why.
 */
int dataset_comparable(const struct dataset *dataset, char *why, size_t size)
{
	const char *difference;
	unsigned int i;

	if (!dataset->nr_rows) {
		snprintf(why, size, "no figures in these records");
		return -1;
	}
	if (dataset->nr_columns < 2) {
		snprintf(why, size, "only %s in these records: name a second file",
			 dataset->columns[0].title);
		return -1;
	}
	for (i = 0; i < dataset->nr_columns; i++) {
		difference = other_machine(dataset, &dataset->columns[i]);
		if (!difference)
			continue;
		snprintf(why, size, "%s and %s were measured on machines with another %s: not comparable; say --anyway if you must",
			 dataset->columns[dataset->baseline].title, dataset->columns[i].title, difference);
		return -1;
	}
	if (has_common(dataset))
		return 0;
	difference = nearest_difference(dataset);
	snprintf(why, size, "no point was measured for both %s and another column: the nearest ones differ in %s",
		 dataset->columns[dataset->baseline].title, difference ? difference : "everything");
	return -1;
}

static void judge(struct dataset *dataset, struct row *row, unsigned int column)
{
	const struct cell *base = &row->cells[dataset->baseline], *cell = &row->cells[column];
	struct verdict *verdict = &row->verdicts[column];

	*verdict = (struct verdict){ .p = 1, .p_adjusted = 1 };
	if (column == dataset->baseline || !base->nr || !cell->nr || base->nr_failed ||
	    cell->nr_failed || base->summary.unusable || cell->summary.unusable)
		return;
	verdict->judged = true;
	verdict->ratio = cell->summary.median / base->summary.median;
	verdict->enough = base->nr >= STATS_ENOUGH && cell->nr >= STATS_ENOUGH;
	verdict->p = stats_mann_whitney(base->values, base->nr, cell->values, cell->nr);
}

/** dataset_judge - compare every column with the baseline, row by row */
void dataset_judge(struct dataset *dataset)
{
	double *p = calloc(dataset->nr_rows * dataset->nr_columns + 1, sizeof(*p));
	unsigned int column;
	size_t i, nr = 0;

	if (!p)
		abort();
	for (i = 0; i < dataset->nr_rows; i++)
		for (column = 0; column < dataset->nr_columns; column++) {
			judge(dataset, &dataset->rows[i], column);
			if (dataset->rows[i].verdicts[column].enough)
				p[nr++] = dataset->rows[i].verdicts[column].p;
		}
	stats_adjust(p, nr);
	for (nr = 0, i = 0; i < dataset->nr_rows; i++)
		for (column = 0; column < dataset->nr_columns; column++)
			if (dataset->rows[i].verdicts[column].enough)
				dataset->rows[i].verdicts[column].p_adjusted = p[nr++];
	free(p);
}

/**
 * dataset_noise - how far figures of one kernel, measured twice, lie apart
 * @column: to be held against the baseline
 * @typical: receives the median over points, in per cent
 * @most: receives the largest
 *
 * Return: how many points there are; 0 if @column is another kernel than the baseline.
 */
size_t dataset_noise(const struct dataset *dataset, unsigned int column, double *typical,
		     double *most)
{
	const struct column *base = &dataset->columns[dataset->baseline];
	double *apart;
	size_t i, nr = 0;

	if (column == dataset->baseline || strcmp(base->kernel, dataset->columns[column].kernel) ||
	    strcmp(base->value, dataset->columns[column].value))
		return 0;
	apart = calloc(dataset->nr_rows + 1, sizeof(*apart));
	if (!apart)
		abort();
	for (i = 0; i < dataset->nr_rows; i++)
		if (dataset->rows[i].verdicts[column].judged)
			apart[nr++] = 100 * fabs(dataset->rows[i].verdicts[column].ratio - 1);
	if (nr) {
		*typical = stats_median(apart, nr);	/* which sorts them */
		*most = apart[nr - 1];
	}
	free(apart);
	return nr;
}

/** verdict_text - "" where two kernels differ, else why nothing can be said */
const char *verdict_text(const struct verdict *verdict)
{
	if (!verdict->judged)
		return "";
	if (!verdict->enough)
		return "n too small";
	return verdict->p_adjusted < STATS_LEVEL ? "" : "~";
}

/** cell_fairness - the median over runs of how evenly the threads were served */
double cell_fairness(const struct cell *cell)
{
	double values[cell->nr + 1];
	size_t i, nr = 0;

	for (i = 0; i < cell->nr; i++)
		if (!isnan(cell->fairness[i]))
			values[nr++] = cell->fairness[i];
	return nr ? stats_median(values, nr) : NAN;
}
