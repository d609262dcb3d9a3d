// SPDX-License-Identifier: GPL-2.0
/* Records sorted into rows (points) and columns (kernels). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "recordfile.h"

static const char *text_of(const json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));

	return text ? text : "";
}

static int number_of(const json_t *record, const char *key)
{
	return json_integer_value(json_object_get(record, key));
}

static bool is_type(const json_t *record, const char *type)
{
	return !strcmp(text_of(record, "type"), type);
}

static void add_release(struct column *column, const char *release)
{
	size_t used = strlen(column->release);

	if (!strstr(column->release, release))
		snprintf(column->release + used, sizeof(column->release) - used, "%s%s",
			 used ? ", " : "", release);
}

static struct column *find_column(struct dataset *dataset, unsigned int file, const json_t *record)
{
	const char *kernel = text_of(record, "kernel");
	struct column *column;
	unsigned int i;

	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		if (column->file == file && !strcmp(column->kernel, kernel)) {
			add_release(column, text_of(record, "release"));
			return column;
		}
	}
	if (dataset->nr_columns == MAX_COLUMNS)
		return NULL;
	column = &dataset->columns[dataset->nr_columns++];
	column->file = file;
	snprintf(column->kernel, sizeof(column->kernel), "%s", kernel);
	add_release(column, text_of(record, "release"));
	return column;
}

static void describe_disturbers(const json_t *record, char *text, size_t size)
{
	json_t *disturb = json_object_get(record, "disturb"), *threads;
	const char *name;
	size_t used = 0;

	*text = '\0';
	json_object_foreach(disturb, name, threads)
		if (used < size)
			used += snprintf(text + used, size - used, "%s%s:%lld", used ? "," : "", name,
					 json_integer_value(threads));
}

static void fill_key(struct row *row, const json_t *record)
{
	memset(row, 0, sizeof(*row));
	snprintf(row->flavour, sizeof(row->flavour), "%s", text_of(record, "flavour"));
	snprintf(row->workload, sizeof(row->workload), "%s", text_of(record, "workload"));
	snprintf(row->policy, sizeof(row->policy), "%s", text_of(record, "policy"));
	row->priority = number_of(record, "priority");
	row->threads = number_of(record, "threads");
	row->semaphores = number_of(record, "semaphores");
	row->background = number_of(record, "background");
	row->set_size = number_of(record, "set_size");
	row->interval_us = number_of(record, "interval_us");
	describe_disturbers(record, row->disturb, sizeof(row->disturb));
}

/** row_same_block - whether two rows differ in nothing but the number of threads */
bool row_same_block(const struct row *a, const struct row *b)
{
	return !strcmp(a->flavour, b->flavour) && !strcmp(a->workload, b->workload) &&
	       !strcmp(a->policy, b->policy) && a->priority == b->priority &&
	       a->semaphores == b->semaphores && a->background == b->background &&
	       a->set_size == b->set_size && a->interval_us == b->interval_us &&
	       !strcmp(a->disturb, b->disturb);
}

/** row_describe - what a block has in common, like "rt, multi, fifo priority 10" */
void row_describe(const struct row *row, char *text, size_t size)
{
	size_t used = snprintf(text, size, "%s, %s, %s", row->flavour, row->workload, row->policy);

	if (row->priority && used < size)
		used += snprintf(text + used, size - used, " priority %d", row->priority);
	if (row->semaphores > 2 && used < size)
		used += snprintf(text + used, size - used, ", %d semaphores", row->semaphores);
	if (row->background && used < size)
		used += snprintf(text + used, size - used, ", background %d", row->background);
	if (row->set_size && used < size)
		used += snprintf(text + used, size - used, ", set of %d", row->set_size);
	if (row->interval_us && used < size)
		used += snprintf(text + used, size - used, ", interval %d us", row->interval_us);
	if (*row->disturb && used < size)
		snprintf(text + used, size - used, ", disturbed by %s", row->disturb);
}

static void *must_grow(void *old, size_t nr, size_t size)
{
	void *grown = reallocarray(old, nr, size);

	if (!grown)
		abort();
	return grown;
}

static struct row *find_row(struct dataset *dataset, const json_t *record)
{
	struct row key;
	size_t i;

	fill_key(&key, record);
	for (i = 0; i < dataset->nr_rows; i++)
		if (dataset->rows[i].threads == key.threads &&
		    row_same_block(&dataset->rows[i], &key))
			return &dataset->rows[i];
	dataset->rows = must_grow(dataset->rows, dataset->nr_rows + 1, sizeof(key));
	dataset->rows[dataset->nr_rows] = key;
	return &dataset->rows[dataset->nr_rows++];
}

static double fairness_of(const json_t *record)
{
	json_t *list = json_object_get(record, "per_thread"), *share;
	size_t i, nr = json_array_size(list);
	double *shares, fairness = NAN;

	if (!nr)
		return NAN;
	shares = must_grow(NULL, nr, sizeof(*shares));
	json_array_foreach(list, i, share)
		shares[i] = json_number_value(share);
	fairness = stats_jain(shares, nr);
	free(shares);
	return fairness;
}

static const json_t *metric_of(const struct dataset *dataset, const json_t *record)
{
	if (!strcmp(dataset->metric, "rate"))
		return json_object_get(record, "rate");
	return json_object_get(json_object_get(record, "latency"), dataset->metric);
}

/* -1: the record lacks what it must have. */
static int take_repetition(struct dataset *dataset, unsigned int file, const json_t *record)
{
	struct column *column = find_column(dataset, file, record);
	const json_t *value = metric_of(dataset, record);
	struct cell *cell;

	if (!column)
		return 0;	/* told by dataset_load() */
	cell = &find_row(dataset, record)->cells[column - dataset->columns];
	if (json_object_get(record, "failed")) {
		cell->nr_failed++;
		return 0;
	}
	if (!json_is_number(json_object_get(record, "rate")))
		return -1;
	if (!json_is_number(value))
		return 0;	/* latencies were not asked for */
	cell->values = must_grow(cell->values, cell->nr + 1, sizeof(double));
	cell->fairness = must_grow(cell->fairness, cell->nr + 1, sizeof(double));
	cell->values[cell->nr] = json_number_value(value);
	cell->fairness[cell->nr++] = fairness_of(record);
	if (json_object_get(record, "latency"))
		cell->histogram = json_object_get(json_object_get(record, "latency"), "histogram");
	return 0;
}

static bool has_all_keys(const json_t *record)
{
	static const char *const numbers[] = { "threads", "priority" };
	static const char *const texts[] = { "kernel", "flavour", "workload", "policy" };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!json_is_integer(json_object_get(record, numbers[i])))
			return false;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!json_is_string(json_object_get(record, texts[i])))
			return false;
	return true;
}

/* Whether a sweep's guest ended with a report of its kernel: its figures do not count. */
static bool is_bad_boot(const json_t *records, const json_t *record)
{
	const json_t *boot = json_object_get(record, "boot"), *other;
	size_t i;

	if (!boot)
		return false;
	json_array_foreach(records, i, other)
		if (is_type(other, "boot-end") && json_equal(json_object_get(other, "boot"), boot))
			return number_of(other, "status") == 70;
	return false;
}

static int take_file(struct dataset *dataset, unsigned int file, char *why, size_t size)
{
	const json_t *records = dataset->files[file], *record;
	struct column *column;
	size_t i;

	json_array_foreach(records, i, record) {
		if (is_type(record, "machine")) {
			column = find_column(dataset, file, record);
			if (column && !column->machine)
				column->machine = (json_t *)record;
		}
		if (!is_type(record, "repetition"))
			continue;
		if (is_bad_boot(records, record)) {
			dataset->nr_left_out++;
			continue;
		}
		if (has_all_keys(record) && !take_repetition(dataset, file, record))
			continue;
		snprintf(why, size, "%s:%d: damaged: a repetition without rate, kernel or point",
			 dataset->paths[file], number_of(record, "line"));
		return -1;
	}
	return 0;
}

static void title_columns(struct dataset *dataset)
{
	struct column *column;
	unsigned int i, j, same;

	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		for (same = 0, j = 0; j < dataset->nr_columns; j++)
			same += !strcmp(dataset->columns[j].kernel, column->kernel);
		if (same == 1)
			snprintf(column->title, sizeof(column->title), "%s", column->kernel);
		else
			snprintf(column->title, sizeof(column->title), "%s:%u", column->kernel,
				 column->file + 1);
		if (!strcmp(column->title, "stock"))
			dataset->baseline = i;
	}
}

static void summarise(struct dataset *dataset)
{
	struct cell *cell;
	unsigned int column;
	size_t i;

	for (i = 0; i < dataset->nr_rows; i++)
		for (column = 0; column < dataset->nr_columns; column++) {
			cell = &dataset->rows[i].cells[column];
			if (cell->nr)
				stats_summarise(cell->values, cell->nr, &cell->summary);
		}
}

/**
 * dataset_load - read files and sort their figures
 * @dataset: filled in; to be freed with dataset_free() even after a failure
 * @paths: of record files or sweeps' directories; must outlive @dataset
 * @metric: rate, or the name of a figure of the latencies
 * @why: receives what is wrong
 * @size: room in @why
 *
 * Return: 0, or -1 with @why filled in.
 */
int dataset_load(struct dataset *dataset, const char *const *paths, unsigned int nr,
		 const char *metric, char *why, size_t size)
{
	unsigned int i;

	*dataset = (struct dataset){
		.metric = metric, .less_is_better = strcmp(metric, "rate"), .paths = paths,
	};
	dataset->files = calloc(nr, sizeof(*dataset->files));
	if (!dataset->files)
		abort();
	for (i = 0; i < nr; i++) {
		dataset->files[i] = recordfile_read(paths[i], why, size);
		if (!dataset->files[i])
			return -1;
		dataset->nr_files++;
		if (take_file(dataset, i, why, size))
			return -1;
	}
	if (dataset->nr_columns == MAX_COLUMNS) {
		snprintf(why, size, "more than %d kernels: compare fewer files", MAX_COLUMNS - 1);
		return -1;
	}
	title_columns(dataset);
	summarise(dataset);
	return 0;
}

/** dataset_free - give back what dataset_load() allocated */
void dataset_free(struct dataset *dataset)
{
	unsigned int column;
	size_t i;

	for (i = 0; i < dataset->nr_rows; i++)
		for (column = 0; column < MAX_COLUMNS; column++) {
			free(dataset->rows[i].cells[column].values);
			free(dataset->rows[i].cells[column].fairness);
		}
	free(dataset->rows);
	for (i = 0; i < dataset->nr_files; i++)
		json_decref(dataset->files[i]);
	free(dataset->files);
	*dataset = (struct dataset){ };
}
