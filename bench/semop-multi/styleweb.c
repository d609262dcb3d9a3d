// SPDX-License-Identifier: GPL-2.0
/* Comparisons for other programs: Markdown, CSV, JSON Lines. */
#include <math.h>
#include <string.h>

#include "compare.h"

static void markdown_heading(const struct dataset *dataset, FILE *out)
{
	unsigned int i;

	fputs("| what | threads |", out);
	for (i = 0; i < dataset->nr_columns; i++)
		fprintf(out, " %s |", dataset->columns[i].title);
	for (i = 0; i < dataset->nr_columns; i++)
		if (i != dataset->baseline)
			fprintf(out, " %s/%s |", dataset->columns[i].title,
				dataset->columns[dataset->baseline].title);
	fputs("\n| --- | ---: |", out);
	for (i = 0; i < 2 * dataset->nr_columns - 1; i++)
		fputs(" ---: |", out);
	fputc('\n', out);
}

/** style_markdown - one table */
void style_markdown(const struct dataset *dataset, FILE *out)
{
	const struct row *row;
	char text[256];
	unsigned int i;

	markdown_heading(dataset, out);
	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++) {
		row_describe(row, text, sizeof(text));
		fprintf(out, "| %s | %d |", text, row->threads);
		for (i = 0; i < dataset->nr_columns; i++) {
			format_cell(dataset, &row->cells[i], text, sizeof(text));
			fprintf(out, " %s |", text);
		}
		for (i = 0; i < dataset->nr_columns; i++) {
			if (i == dataset->baseline)
				continue;
			format_verdict(&row->verdicts[i], text, sizeof(text));
			fprintf(out, " %s |", text);
		}
		fputc('\n', out);
	}
	fputc('\n', out);
	print_legend(dataset, out);
}

static void set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void add_summary(json_t *object, const struct cell *cell)
{
	const struct summary *summary = &cell->summary;

	set_number(object, "median", summary->unusable ? NAN : summary->median);
	set_number(object, "mean", summary->unusable ? NAN : summary->mean);
	set_number(object, "sd", cell->nr > 1 ? summary->sd : NAN);
	set_number(object, "min", summary->min);
	set_number(object, "max", summary->max);
	set_number(object, "ci_low", summary->low);
	set_number(object, "ci_high", summary->high);
	set_number(object, "fairness", cell_fairness(cell));
}

static void add_verdict(json_t *object, const struct verdict *verdict)
{
	set_number(object, "ratio", verdict->ratio);
	if (!verdict->enough) {
		json_object_set_new(object, "verdict", json_string("n too small"));
		return;
	}
	set_number(object, "p", verdict->p);
	set_number(object, "p_adjusted", verdict->p_adjusted);
	json_object_set_new(object, "verdict", json_string(
		*verdict_text(verdict) ? "~" : verdict->ratio > 1 ? "more" : "less"));
}

static json_t *describe(const struct dataset *dataset, const struct row *row, unsigned int column)
{
	const struct cell *cell = &row->cells[column];
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:i}",
		"metric", dataset->metric, "flavour", row->flavour, "workload", row->workload,
		"policy", row->policy, "priority", row->priority, "threads", row->threads,
		"semaphores", row->semaphores, "background", row->background,
		"set_size", row->set_size, "placement", row->placement, "memory", row->memory,
		"interval_us", row->interval_us, "disturb", row->disturb,
		"kernel", dataset->columns[column].kernel,
		"column", dataset->columns[column].title, "release", dataset->columns[column].release,
		"baseline", dataset->columns[dataset->baseline].title,
		"n", (int)cell->nr, "failed", (int)cell->nr_failed);

	if (cell->nr)
		add_summary(object, cell);
	json_object_set_new(object, "unusable", json_boolean(cell->summary.unusable));
	if (row->verdicts[column].judged)
		add_verdict(object, &row->verdicts[column]);
	return object;
}

/** style_json - a line for each kernel at each point */
void style_json(const struct dataset *dataset, FILE *out)
{
	const struct row *row;
	unsigned int i;
	json_t *object;

	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
		for (i = 0; i < dataset->nr_columns; i++) {
			object = describe(dataset, row, i);
			json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(9));
			fputc('\n', out);
			json_decref(object);
		}
}

static void csv_value(const json_t *value, FILE *out)
{
	if (json_is_string(value))
		fprintf(out, "\"%s\"", json_string_value(value));
	else if (json_is_boolean(value))
		fprintf(out, "%d", json_is_true(value));
	else if (json_is_integer(value))
		fprintf(out, "%lld", json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.9g", json_real_value(value));
}

/** style_csv - a line for each kernel at each point, under a line of names */
void style_csv(const struct dataset *dataset, FILE *out)
{
	static const char *const names[] = {
		"metric", "flavour", "workload", "policy", "priority", "threads", "semaphores",
		"background", "set_size", "placement", "memory", "interval_us", "disturb",
		"kernel", "column", "release", "baseline", "n", "failed",
		"median", "mean", "sd", "min", "max", "ci_low", "ci_high", "fairness", "unusable",
		"ratio", "p", "p_adjusted", "verdict",
	};
	const size_t nr = sizeof(names) / sizeof(names[0]);
	const struct row *row;
	unsigned int i;
	size_t j;
	json_t *object;

	for (j = 0; j < nr; j++)
		fprintf(out, "%s%s", names[j], j + 1 < nr ? "," : "\n");
	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
		for (i = 0; i < dataset->nr_columns; i++) {
			object = describe(dataset, row, i);
			for (j = 0; j < nr; j++) {
				csv_value(json_object_get(object, names[j]), out);
				fputc(j + 1 < nr ? ',' : '\n', out);
			}
			json_decref(object);
		}
}
