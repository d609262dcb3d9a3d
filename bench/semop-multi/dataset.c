// SPDX-License-Identifier: GPL-2.0
/* Records sorted into rows (points) and columns (kernels, or what else is compared). */
#include <math.h>
#include <stdarg.h>
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

static const char *const column_names[] = {
	[COLUMNS_AUTO] = "auto", [COLUMNS_KERNEL] = "kernel", [COLUMNS_PLACEMENT] = "placement",
	[COLUMNS_MEMORY] = "memory", [COLUMNS_POLICY] = "policy", [COLUMNS_FLAVOUR] = "flavour",
};

/** columns_parse - what columns of this name are; -1: nothing has this name */
int columns_parse(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(column_names) / sizeof(column_names[0]); i++)
		if (!strcmp(column_names[i], name))
			return i;
	return -1;
}

/* The value by which a record finds its column, beside file and kernel. */
static void value_of_column(const struct dataset *dataset, const json_t *record, char *value,
			    size_t size)
{
	*value = '\0';
	if (dataset->columns_are == COLUMNS_KERNEL)
		return;
	snprintf(value, size, "%s", text_of(record, column_names[dataset->columns_are]));
	if (dataset->columns_are == COLUMNS_POLICY && number_of(record, "priority"))
		snprintf(value, size, "%s:%d", text_of(record, "policy"),
			 number_of(record, "priority"));
}

static struct column *find_column(struct dataset *dataset, unsigned int file, const json_t *record)
{
	const char *kernel = text_of(record, "kernel");
	struct column *column;
	char value[64];
	unsigned int i;

	value_of_column(dataset, record, value, sizeof(value));
	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		if (column->file == file && !strcmp(column->kernel, kernel) &&
		    !strcmp(column->value, value)) {
			add_release(column, text_of(record, "release"));
			return column;
		}
	}
	if (dataset->nr_columns == MAX_COLUMNS)
		return NULL;
	column = &dataset->columns[dataset->nr_columns++];
	column->file = file;
	snprintf(column->kernel, sizeof(column->kernel), "%s", kernel);
	snprintf(column->value, sizeof(column->value), "%s", value);
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

static void copy_text(const json_t *record, const char *key, char *text, size_t size)
{
	snprintf(text, size, "%s", text_of(record, key));
}

/* What the columns are is no part of a row. */
static void blank_property(struct row *row, enum columns columns)
{
	if (columns == COLUMNS_PLACEMENT)
		*row->placement = '\0';
	if (columns == COLUMNS_MEMORY)
		*row->memory = '\0';
	if (columns == COLUMNS_FLAVOUR)
		*row->flavour = '\0';
	if (columns == COLUMNS_POLICY) {
		*row->policy = '\0';
		row->priority = 0;
	}
}

static void fill_key(const struct dataset *dataset, struct row *row, const json_t *record)
{
	memset(row, 0, sizeof(*row));
	copy_text(record, "flavour", row->flavour, sizeof(row->flavour));
	copy_text(record, "workload", row->workload, sizeof(row->workload));
	copy_text(record, "policy", row->policy, sizeof(row->policy));
	copy_text(record, "placement", row->placement, sizeof(row->placement));
	copy_text(record, "memory", row->memory, sizeof(row->memory));
	row->priority = number_of(record, "priority");
	row->threads = number_of(record, "threads");
	row->semaphores = number_of(record, "semaphores");
	row->background = number_of(record, "background");
	row->set_size = number_of(record, "set_size");
	row->interval_us = number_of(record, "interval_us");
	row->timed = json_is_true(json_object_get(record, "timed"));
	row->explained = json_is_true(json_object_get(record, "explained"));
	describe_disturbers(record, row->disturb, sizeof(row->disturb));
	blank_property(row, dataset->columns_are);
}

/**
 * row_difference - the first property in which two rows differ; NULL: none but threads
 * @rank: receives how far down the list it is; NULL: not wanted
 *
 * What says more about a point comes first.
 */
const char *row_difference(const struct row *a, const struct row *b, size_t *rank)
{
	const struct {
		const char *name;
		bool same;
	} properties[] = {
		{ "workload", !strcmp(a->workload, b->workload) },
		{ "flavour", !strcmp(a->flavour, b->flavour) },
		{ "policy", !strcmp(a->policy, b->policy) },
		{ "priority", a->priority == b->priority },
		{ "number of semaphores", a->semaphores == b->semaphores },
		{ "background", a->background == b->background },
		{ "set size", a->set_size == b->set_size },
		{ "placement", !strcmp(a->placement, b->placement) },
		{ "memory policy", !strcmp(a->memory, b->memory) },
		{ "disturbers", !strcmp(a->disturb, b->disturb) },
		{ "interval", a->interval_us == b->interval_us },
		{ "use of --latency", a->timed == b->timed },
		{ "use of --explain", a->explained == b->explained },
	};
	const size_t nr = sizeof(properties) / sizeof(properties[0]);
	size_t i = 0;

	while (i < nr && properties[i].same)
		i++;
	if (rank)
		*rank = i;
	return i < nr ? properties[i].name : NULL;
}

/** row_same_block - whether two rows differ in nothing but the number of threads */
bool row_same_block(const struct row *a, const struct row *b)
{
	return !row_difference(a, b, NULL);
}

static void add_word(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Words are parted by commas; an empty one is left out. */
static void add_word(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	if (used) {
		snprintf(text + used, size - used, ", ");
		used = strlen(text);
	}
	va_start(arguments, format);
	vsnprintf(text + used, size - used, format, arguments);
	va_end(arguments);
}

/** row_describe - what a block has in common, like "rt, multi, fifo priority 10" */
void row_describe(const struct row *row, char *text, size_t size)
{
	*text = '\0';
	if (*row->flavour)
		add_word(text, size, "%s", row->flavour);
	add_word(text, size, "%s", row->workload);
	if (row->priority)
		add_word(text, size, "%s priority %d", row->policy, row->priority);
	else if (*row->policy)
		add_word(text, size, "%s", row->policy);
	if (row->semaphores > 2)
		add_word(text, size, "%d semaphores", row->semaphores);
	if (row->background)
		add_word(text, size, "background %d", row->background);
	if (row->set_size)
		add_word(text, size, "set of %d", row->set_size);
	if (row->interval_us)
		add_word(text, size, "interval %d us", row->interval_us);
	if (row->tells_placement && *row->placement)
		add_word(text, size, "placement %s", row->placement);
	if (*row->memory && strcmp(row->memory, "none"))
		add_word(text, size, "memory %s", row->memory);
	if (*row->disturb)
		add_word(text, size, "disturbed by %s", row->disturb);
	if (row->tells_costs && row->timed)
		add_word(text, size, "timed");
	if (row->tells_costs && row->explained)
		add_word(text, size, "explained");
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

	fill_key(dataset, &key, record);
	for (i = 0; i < dataset->nr_rows; i++)
		if (dataset->rows[i].threads == key.threads &&
		    row_same_block(&dataset->rows[i], &key))
			return &dataset->rows[i];
	dataset->rows = must_grow(dataset->rows, dataset->nr_rows + 1, sizeof(key));
	dataset->rows[dataset->nr_rows] = key;
	return &dataset->rows[dataset->nr_rows++];
}

static json_int_t at(const json_t *buckets, size_t bucket, size_t which)
{
	return json_integer_value(json_array_get(json_array_get(buckets, bucket), which));
}

/* Buckets are [lowest value, count], in the order of values. */
static void merge_histogram(struct cell *cell, const json_t *more)
{
	json_t *old = cell->histogram, *merged;
	size_t i = 0, j = 0, nr_old = json_array_size(old), nr_more = json_array_size(more);
	json_int_t low, count;

	if (!more)
		return;
	merged = json_array();
	while (i < nr_old || j < nr_more) {
		low = j == nr_more || (i < nr_old && at(old, i, 0) <= at(more, j, 0)) ?
		      at(old, i, 0) : at(more, j, 0);
		count = 0;
		if (i < nr_old && at(old, i, 0) == low)
			count += at(old, i++, 1);
		if (j < nr_more && at(more, j, 0) == low)
			count += at(more, j++, 1);
		json_array_append_new(merged, json_pack("[I, I]", low, count));
	}
	json_decref(old);
	cell->histogram = merged;
}

static void add_events(struct cell *cell, const json_t *record)
{
	json_t *events = json_object_get(record, "explain"), *count, *old;
	const char *name;

	if (!events)
		return;
	if (!cell->events)
		cell->events = json_object();
	cell->operations += json_number_value(json_object_get(record, "operations"));
	json_object_foreach(events, name, count) {
		old = json_object_get(cell->events, name);
		json_object_set_new(cell->events, name,
				    json_real(json_number_value(old) + json_number_value(count)));
	}
}

/** cell_events - how often an event happened in a thousand operations; NaN: not counted */
double cell_events(const struct cell *cell, const char *name)
{
	const json_t *count = json_object_get(cell->events, name);

	return count && cell->operations > 0 ? 1e3 * json_number_value(count) / cell->operations : NAN;
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
	cell->fairness[cell->nr++] = record_fairness(record);
	add_events(cell, record);
	merge_histogram(cell, json_object_get(json_object_get(record, "latency"), "histogram"));
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
	size_t i;

	json_array_foreach(records, i, record) {
		if (is_type(record, "machine") && dataset->columns_are == COLUMNS_KERNEL)
			find_column(dataset, file, record);	/* though it may have no figures */
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

static void find_machine(const struct dataset *dataset, struct column *column)
{
	json_t *record;
	size_t i;

	json_array_foreach(dataset->files[column->file], i, record)
		if (is_type(record, "machine") && !strcmp(text_of(record, "kernel"), column->kernel)) {
			column->machine = record;
			return;
		}
}

/* The kernel, or the property's value with the kernel where there are several. */
static void name_column(const struct dataset *dataset, struct column *column)
{
	char title[sizeof(column->title)];
	bool one = true;
	unsigned int i;

	for (i = 0; i < dataset->nr_columns; i++)
		one = one && !strcmp(dataset->columns[i].kernel, column->kernel);
	if (!*column->value)
		snprintf(title, sizeof(title), "%s", column->kernel);
	else if (one)
		snprintf(title, sizeof(title), "%s", column->value);
	else
		snprintf(title, sizeof(title), "%s %s", column->kernel, column->value);
	memcpy(column->title, title, sizeof(title));
}

static void title_columns(struct dataset *dataset)
{
	bool twice[MAX_COLUMNS] = { };
	struct column *column;
	unsigned int i, j;
	size_t used;

	for (i = 0; i < dataset->nr_columns; i++) {
		find_machine(dataset, &dataset->columns[i]);
		name_column(dataset, &dataset->columns[i]);
	}
	for (i = 0; i < dataset->nr_columns; i++)
		for (j = 0; j < dataset->nr_columns; j++)
			if (i != j && !strcmp(dataset->columns[i].title, dataset->columns[j].title))
				twice[i] = true;
	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		used = strlen(column->title);
		if (twice[i])
			snprintf(column->title + used, sizeof(column->title) - used, ":%u",
				 column->file + 1);
		if (!strcmp(column->title, "stock"))
			dataset->baseline = i;
	}
}

/* Tables speak of these only where there is something to say. */
static void choose_words(struct dataset *dataset)
{
	const struct row *row, *first = dataset->rows;
	bool placement = false, costs = false;
	size_t i;

	for (row = first; row < first + dataset->nr_rows; row++) {
		placement = placement || (*row->placement && strcmp(row->placement, "spread"));
		costs = costs || row->timed != first->timed || row->explained != first->explained;
	}
	for (i = 0; i < dataset->nr_rows; i++) {
		dataset->rows[i].tells_placement = placement;
		dataset->rows[i].tells_costs = costs;
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

/* Columns of one kernel alone would be one column. */
static enum columns choose_columns(const struct dataset *dataset)
{
	const json_t *record, *first = NULL;
	bool several = false;
	unsigned int file;
	size_t i;

	if (dataset->nr_files > 1)
		return COLUMNS_KERNEL;
	for (file = 0; file < dataset->nr_files; file++)
		json_array_foreach(dataset->files[file], i, record) {
			if (!is_type(record, "repetition"))
				continue;
			first = first ? first : record;
			if (strcmp(text_of(record, "kernel"), text_of(first, "kernel")))
				return COLUMNS_KERNEL;
			several = several || strcmp(text_of(record, "placement"),
						    text_of(first, "placement"));
		}
	return several ? COLUMNS_PLACEMENT : COLUMNS_KERNEL;
}

/**
 * dataset_load - read files and sort their figures
 * @dataset: filled in; to be freed with dataset_free() even after a failure
 * @paths: of record files or sweeps' directories; must outlive @dataset
 * @metric: rate, or the name of a figure of the latencies
 * @columns: what the columns are to be
 * @why: receives what is wrong
 * @size: room in @why
 *
 * Return: 0, or -1 with @why filled in.
 */
int dataset_load(struct dataset *dataset, const char *const *paths, unsigned int nr,
		 const char *metric, enum columns columns, char *why, size_t size)
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
	}
	dataset->columns_are = columns == COLUMNS_AUTO ? choose_columns(dataset) : columns;
	for (i = 0; i < nr; i++)
		if (take_file(dataset, i, why, size))
			return -1;
	if (dataset->nr_columns == MAX_COLUMNS) {
		snprintf(why, size, "more than %d columns: compare fewer files", MAX_COLUMNS - 1);
		return -1;
	}
	title_columns(dataset);
	choose_words(dataset);
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
			json_decref(dataset->rows[i].cells[column].histogram);
			json_decref(dataset->rows[i].cells[column].events);
		}
	free(dataset->rows);
	for (i = 0; i < dataset->nr_files; i++)
		json_decref(dataset->files[i]);
	free(dataset->files);
	*dataset = (struct dataset){ };
}
