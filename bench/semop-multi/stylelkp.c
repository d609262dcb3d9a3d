// SPDX-License-Identifier: GPL-2.0
/* Comparisons in the look of the kernel test robot: baseline left, %change between, candidate right. */
#include <string.h>

#include "compare.h"

#define SHOWN_FROM 2	/* per cent of deviation */

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

static void print_pair(const struct dataset *dataset, unsigned int column, FILE *out)
{
	const struct row *row;
	char what[256];

	fprintf(out, "\n%12s%6s%11s  %12s\n", dataset->columns[dataset->baseline].title, "", "",
		dataset->columns[column].title);
	fprintf(out, "%18s%11s  %18s\n", "%stddev", "%change", "%stddev");
	fputs("------------------  ---------  ------------------\n", out);
	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++) {
		print_side(dataset, &row->cells[dataset->baseline], out);
		print_change(&row->verdicts[column], out);
		print_side(dataset, &row->cells[column], out);
		row_describe(row, what, sizeof(what));
		fprintf(out, "   %s.%s, %d threads\n", dataset->metric, what, row->threads);
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
