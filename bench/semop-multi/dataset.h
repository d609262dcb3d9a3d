/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DATASET_H
#define DATASET_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stats.h"

#define MAX_COLUMNS 16

/** enum columns - what the columns are: a kernel each, or each kernel's values of a property. */
enum columns {
	COLUMNS_AUTO,		/* kernels, but placements where one kernel has several */
	COLUMNS_KERNEL, COLUMNS_PLACEMENT, COLUMNS_MEMORY, COLUMNS_POLICY, COLUMNS_FLAVOUR,
};

/** struct column - one kernel of one file, or one value of a property measured on it. */
struct column {
	char title[192];	/* its name, with the file where two have the same name */
	char kernel[65];
	char value[64];		/* of the property; "" where columns are kernels */
	char release[256];	/* of all flavours, as uname -r says */
	unsigned int file;
	json_t *machine;	/* the first machine record; borrowed; NULL: there is none */
};

/** struct cell - the runs of one kernel at one point. */
struct cell {
	double *values;
	double *fairness;	/* of the threads, for each run */
	size_t nr, nr_failed;
	json_t *events;		/* of the kernel in all runs, by name; NULL: not counted */
	double operations;	/* beside them */
	json_t *histogram;	/* the latencies of all runs; NULL: there are none */
	struct summary summary;	/* where nr is not 0 */
};

/** struct verdict - a kernel against the baseline at one point. */
struct verdict {
	bool judged;		/* both have figures */
	bool enough;		/* and runs enough for a test */
	double ratio, p, p_adjusted;
};

/** struct row - a point: the same for all kernels. */
struct row {
	char flavour[16], workload[64], policy[16], placement[64], memory[16];
	bool timed, explained;	/* which cost time */
	bool tells_placement, tells_costs;	/* not all rows of these records have the usual one */
	int priority, threads, semaphores, background, set_size, interval_us;
	char disturb[128];
	struct cell cells[MAX_COLUMNS];
	struct verdict verdicts[MAX_COLUMNS];
};

/** struct dataset - the figures of some files, ready to be compared. */
struct dataset {
	const char *metric;	/* rate, or a figure of the latencies such as p99.9 */
	bool less_is_better;
	struct column columns[MAX_COLUMNS];
	enum columns columns_are;
	unsigned int nr_columns, baseline;
	struct row *rows;
	size_t nr_rows;
	json_t **files;
	const char *const *paths;
	unsigned int nr_files, nr_left_out;	/* runs of guests with a kernel report */
};

int columns_parse(const char *name);
int dataset_load(struct dataset *dataset, const char *const *paths, unsigned int nr,
		 const char *metric, enum columns columns, char *why, size_t size);
int dataset_set_baseline(struct dataset *dataset, const char *title, char *why, size_t size);
void dataset_notes(const struct dataset *dataset, FILE *out);
int dataset_comparable(const struct dataset *dataset, char *why, size_t size);
size_t dataset_noise(const struct dataset *dataset, unsigned int column, double *typical,
		     double *most);
void dataset_judge(struct dataset *dataset);
const char *verdict_text(const struct verdict *verdict);
const char *row_difference(const struct row *a, const struct row *b, size_t *rank);
bool row_same_block(const struct row *a, const struct row *b);
void row_describe(const struct row *row, char *text, size_t size);
double cell_events(const struct cell *cell, const char *name);
double cell_fairness(const struct cell *cell);
void dataset_free(struct dataset *dataset);

#endif
