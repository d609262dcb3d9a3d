// SPDX-License-Identifier: GPL-2.0
/* Comparisons in the look of the kernel test robot: baseline left, %change between, candidate right. */
#include <math.h>
#include <string.h>

#include "compare.h"

#define SHOWN_FROM 2	/* per cent of deviation */
#define SHOWN_EVENTS 0.005	/* in a thousand operations: what rounds to 0 is left out */

static void print_side(const struct dataset *dataset, const struct cell *cell, FILE *out)
{
	char value[32], deviation[16] = "";
	double percent;

	format_cell(dataset, cell, value, sizeof(value));
	if (cell->nr > 1 && !cell->nr_failed && !cell->summary.unusable) {
		percent = 100 * cell->summary.sd / cell->summary.mean;
		if (percent >= SHOWN_FROM)
			snprintf(deviation, sizeof(deviation), "\u00b1%3.0f%%", percent);
	}
	fprintf(out, "%12s %s%*s", value, deviation, *deviation ? 0 : 5, "");
}

static void print_change(const struct verdict *verdict, FILE *out)
{
	char change[32] = "";

	if (verdict->judged && verdict->enough && *verdict_text(verdict))
		snprintf(change, sizeof(change), "~");
	else if (verdict->judged)
		snprintf(change, sizeof(change), "%+.1f%%", 100 * (verdict->ratio - 1));
	fprintf(out, "%11s%s", change, verdict->judged && !verdict->enough ? " n" : "  ");
}

/* What explains the difference: an event of either kernel that did not stay away from both. */
static void print_event(const struct cell *left, const struct cell *right, const char *name,
			const char *what, FILE *out)
{
	double a = cell_events(left, name), b = cell_events(right, name);
	char texts[2][32] = { "-", "-" }, change[32] = "";

	if (!(a >= SHOWN_EVENTS) && !(b >= SHOWN_EVENTS))
		return;
	if (!isnan(a))
		snprintf(texts[0], sizeof(texts[0]), "%.2f", a);
	if (!isnan(b))
		snprintf(texts[1], sizeof(texts[1]), "%.2f", b);
	if (a >= SHOWN_EVENTS && !isnan(b))
		snprintf(change, sizeof(change), "%+.1f%%", 100 * (b / a - 1));
	fprintf(out, "%12s %5s%11s  %12s %5s   %s.%s\n", texts[0], "", change, texts[1], "", name, what);
}

static void print_events(const struct cell *left, const struct cell *right, const char *what,
			 FILE *out)
{
	const char *name;
	json_t *count;

	json_object_foreach(left->events, name, count)
		print_event(left, right, name, what, out);
	json_object_foreach(right->events, name, count)
		if (!json_object_get(left->events, name))
			print_event(left, right, name, what, out);
}

static void print_pair(const struct dataset *dataset, unsigned int column, FILE *out)
{
	const struct row *row;
	char what[512];
	size_t used;

	fprintf(out, "\n%12s%6s%11s  %12s\n", dataset->columns[dataset->baseline].title, "", "",
		dataset->columns[column].title);
	fprintf(out, "%18s%11s  %18s\n", "%stddev", "%change", "%stddev");
	fputs("------------------  ---------  ------------------\n", out);
	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++) {
		print_side(dataset, &row->cells[dataset->baseline], out);
		print_change(&row->verdicts[column], out);
		print_side(dataset, &row->cells[column], out);
		row_describe(row, what, sizeof(what));
		used = strlen(what);
		snprintf(what + used, sizeof(what) - used, ", %d threads", row->threads);
		fprintf(out, "   %s.%s\n", dataset->metric, what);
		print_events(&row->cells[dataset->baseline], &row->cells[column], what, out);
	}
}

/** style_lkp - a block for each kernel, against the baseline */
void style_lkp(const struct dataset *dataset, FILE *out)
{
	unsigned int i;

	print_columns(dataset, out);
	for (i = 0; i < dataset->nr_columns; i++)
		if (i != dataset->baseline)
			print_pair(dataset, i, out);
	fputc('\n', out);
	print_legend(dataset, out);
}
