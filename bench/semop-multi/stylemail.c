// SPDX-License-Identifier: GPL-2.0
/* Comparisons for mails: the 2013 table, with ratios. And what all styles share. */
#include <math.h>
#include <string.h>

#include "compare.h"
#include "table.h"

/** format_value - a rate, or a latency in microseconds */
void format_value(const struct dataset *dataset, double value, char *text, size_t size)
{
	if (dataset->less_is_better)
		snprintf(text, size, "%.2f", value / 1000);
	else
		snprintf(text, size, "%.*f", fabs(value) < 10 ? 3 : fabs(value) < 1000 ? 1 : 0, value);
}

/** format_cell - the median of a cell, or why there is none */
void format_cell(const struct dataset *dataset, const struct cell *cell, char *text, size_t size)
{
	if (cell->nr_failed)
		snprintf(text, size, "failed");
	else if (!cell->nr)
		snprintf(text, size, "-");
	else if (cell->summary.unusable)
		snprintf(text, size, "unusable");
	else
		format_value(dataset, cell->summary.median, text, size);
}

/** format_verdict - a ratio, and a mark where the runs do not support it */
void format_verdict(const struct verdict *verdict, char *text, size_t size)
{
	double ratio = verdict->ratio;

	if (!verdict->judged)
		snprintf(text, size, "-  ");
	else
		snprintf(text, size, "%.*f%s", ratio < 10 ? 2 : ratio < 100 ? 1 : 0, ratio,
			 !verdict->enough ? " n" : *verdict_text(verdict) ? " ~" : "  ");
}

/** print_columns - what kernels there are */
void print_columns(const struct dataset *dataset, FILE *out)
{
	const struct column *column;
	unsigned int i;

	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		fprintf(out, "%s: %s, from %s%s\n", column->title, column->release,
			dataset->paths[column->file], i == dataset->baseline ? " (baseline)" : "");
	}
}

static bool any_verdict(const struct dataset *dataset, bool enough)
{
	const struct row *row;
	unsigned int column;

	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
		for (column = 0; column < dataset->nr_columns; column++)
			if (row->verdicts[column].judged && row->verdicts[column].enough == enough &&
			    (!enough || *verdict_text(&row->verdicts[column])))
				return true;
	return false;
}

static void print_noise(const struct dataset *dataset, FILE *out)
{
	double typical, most;
	unsigned int i;
	size_t points;

	for (i = 0; i < dataset->nr_columns; i++) {
		points = dataset_noise(dataset, i, &typical, &most);
		if (points)
			fprintf(out, "noise floor: %s and %s are one kernel, and differ by %.1f %% (median of %zu points; at most %.1f %%)\n",
				dataset->columns[dataset->baseline].title, dataset->columns[i].title,
				typical, points, most);
	}
}

/** print_legend - the marks that occur, and what else has to be known */
void print_legend(const struct dataset *dataset, FILE *out)
{
	print_noise(dataset, out);
	if (any_verdict(dataset, true))
		fputs("~: the runs do not tell the two apart (Mann-Whitney, corrected over rows, 5 %)\n", out);
	if (any_verdict(dataset, false))
		fprintf(out, "n: n too small, fewer than %d runs of a kernel\n", STATS_ENOUGH);
	if (dataset->nr_left_out)
		fprintf(out, "left out: %u runs in guests whose kernel log holds a report\n",
			dataset->nr_left_out);
}

static void heading(const struct dataset *dataset, struct table *table)
{
	const char *base = dataset->columns[dataset->baseline].title;
	char text[224];
	unsigned int i;

	table_add(table, "threads");
	for (i = 0; i < dataset->nr_columns; i++)
		table_add(table, dataset->columns[i].title);
	for (i = 0; i < dataset->nr_columns; i++) {
		if (i == dataset->baseline)
			continue;
		snprintf(text, sizeof(text), "%s/%s  ", dataset->columns[i].title, base);
		table_add(table, text);
	}
}

static void add_row(const struct dataset *dataset, struct table *table, const struct row *row)
{
	char text[64];
	unsigned int i;

	snprintf(text, sizeof(text), "%d", row->threads);
	table_add(table, text);
	for (i = 0; i < dataset->nr_columns; i++) {
		format_cell(dataset, &row->cells[i], text, sizeof(text));
		table_add(table, text);
	}
	for (i = 0; i < dataset->nr_columns; i++) {
		if (i == dataset->baseline)
			continue;
		format_verdict(&row->verdicts[i], text, sizeof(text));
		table_add(table, text);
	}
}

/* Prints the block that begins at row @first, and notes which rows are in it. */
static void print_block(const struct dataset *dataset, size_t first, bool *done, FILE *out)
{
	struct table table;
	char text[256];
	size_t i;

	row_describe(&dataset->rows[first], text, sizeof(text));
	if (dataset->less_is_better)
		fprintf(out, "\n%s: %s, microseconds\n", text, dataset->metric);
	else
		fprintf(out, "\n%s: operations a second\n", text);
	table_init(&table, 2 * dataset->nr_columns);
	heading(dataset, &table);
	for (i = first; i < dataset->nr_rows; i++) {
		if (done[i] || !row_same_block(&dataset->rows[first], &dataset->rows[i]))
			continue;
		add_row(dataset, &table, &dataset->rows[i]);
		done[i] = true;
	}
	table_print(&table, out);
	table_free(&table);
}

/** style_mail - the 2013 table: a block a policy and workload, a column a kernel */
void style_mail(const struct dataset *dataset, FILE *out)
{
	bool done[dataset->nr_rows + 1];
	size_t i;

	memset(done, 0, sizeof(done));
	print_columns(dataset, out);
	for (i = 0; i < dataset->nr_rows; i++)
		if (!done[i])
			print_block(dataset, i, done, out);
	fputc('\n', out);
	print_legend(dataset, out);
}
