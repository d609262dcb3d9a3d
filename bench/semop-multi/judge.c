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

static bool same_property(const struct dataset *dataset, const char *outer, const char *inner,
			  const char *name, char *why, size_t size)
{
	const struct column *first = NULL, *column;
	const json_t *a, *b;
	unsigned int i;

	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		if (!column->machine)
			continue;
		if (!first)
			first = column;
		a = at(first->machine, outer, inner);
		b = at(column->machine, outer, inner);
		if (json_equal(a, b) || (!a && !b))
			continue;
		snprintf(why, size, "%s and %s were measured on machines with another %s: not comparable",
			 first->title, column->title, name);
		return false;
	}
	return true;
}

static size_t count_common(const struct dataset *dataset)
{
	size_t i, common = 0;
	unsigned int column;

	for (i = 0; i < dataset->nr_rows; i++)
		for (column = 0; column < dataset->nr_columns; column++)
			if (column != dataset->baseline && dataset->rows[i].cells[column].nr &&
			    dataset->rows[i].cells[dataset->baseline].nr) {
				common++;
				break;
			}
	return common;
}

/**
 * dataset_comparable - whether the figures of all columns may stand side by side
 *
 * Return: 0, or -1 with the reason in @why.
 */
int dataset_comparable(const struct dataset *dataset, char *why, size_t size)
{
	if (!dataset->nr_rows) {
		snprintf(why, size, "no figures in these records");
		return -1;
	}
	if (dataset->nr_columns < 2) {
		snprintf(why, size, "only %s in these records: name a second file",
			 dataset->columns[0].title);
		return -1;
	}
	if (!same_property(dataset, "hypervisor", NULL, "hypervisor", why, size) ||
	    !same_property(dataset, "box", "cpus", "number of CPUs", why, size) ||
	    !same_property(dataset, "box", "processor", "processor", why, size))
		return -1;
	if (count_common(dataset))
		return 0;
	snprintf(why, size, "no point was measured for both %s and another kernel: flavour, workload, policy and threads have to agree",
		 dataset->columns[dataset->baseline].title);
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
