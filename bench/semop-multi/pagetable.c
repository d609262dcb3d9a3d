// SPDX-License-Identifier: GPL-2.0
/* The tables of a report's page. */
#include <math.h>

#include "chart.h"
#include "compare.h"
#include "pageparts.h"

static void put_cell(const struct page *page, const struct cell *cell)
{
	const struct summary *summary = &cell->summary;
	char text[64], low[32], high[32];

	format_cell(page->dataset, cell, text, sizeof(text));
	if (cell->nr < 2 || cell->nr_failed) {
		fprintf(page->out, "<td>%s</td>", text);
		return;
	}
	format_value(page->dataset, summary->min, low, sizeof(low));
	format_value(page->dataset, summary->max, high, sizeof(high));
	fprintf(page->out, "<td title=\"%zu runs, %s to %s\">%s</td>", summary->n, low, high, text);
}

static void put_verdict(const struct page *page, const struct verdict *verdict)
{
	bool better = page->dataset->less_is_better ? verdict->ratio < 1 : verdict->ratio > 1;
	char text[64];

	format_verdict(verdict, text, sizeof(text));
	fprintf(page->out, "<td class=\"%s\">%s</td>",
		!verdict->judged || *verdict_text(verdict) ? "open" : better ? "better" : "worse", text);
}

static void put_heading(const struct page *page, const char *title, const char *under)
{
	fputs("<th>", page->out);
	put_escaped(page->out, title);
	if (under) {
		fputc('/', page->out);
		put_escaped(page->out, under);
	}
	fputs("</th>", page->out);
}

static void put_table_head(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	unsigned int i;

	fputs("<div class=\"scroll\"><table>\n<tr><th>threads</th>", page->out);
	for (i = 0; i < dataset->nr_columns; i++)
		put_heading(page, dataset->columns[i].title, NULL);
	for (i = 0; i < dataset->nr_columns; i++)
		if (i != dataset->baseline)
			put_heading(page, dataset->columns[i].title,
				    dataset->columns[dataset->baseline].title);
	fputs("</tr>\n", page->out);
}

/** page_table - the rows of the block that begins at row @first, which are then done */
void page_table(const struct page *page, size_t first, bool *done)
{
	const struct dataset *dataset = page->dataset;
	const struct row *row;
	unsigned int column;
	size_t i;

	put_table_head(page);
	for (i = first; i < dataset->nr_rows; i++) {
		row = &dataset->rows[i];
		if (done[i] || !row_same_block(&dataset->rows[first], row))
			continue;
		done[i] = true;
		fprintf(page->out, "<tr><td>%d</td>", row->threads);
		for (column = 0; column < dataset->nr_columns; column++)
			put_cell(page, &row->cells[column]);
		for (column = 0; column < dataset->nr_columns; column++)
			if (column != dataset->baseline)
				put_verdict(page, &row->verdicts[column]);
		fputs("</tr>\n", page->out);
	}
	fputs("</table></div>\n", page->out);
}

static void put_number(const struct page *page, double value)
{
	char text[32] = "-";

	if (isfinite(value))
		format_value(page->dataset, value, text, sizeof(text));
	fprintf(page->out, "<td>%s</td>", text);
}

static void put_statistics_row(const struct page *page, const struct row *row, unsigned int column)
{
	const struct summary *summary = &row->cells[column].summary;
	const struct verdict *verdict = &row->verdicts[column];
	const double unit = page->dataset->less_is_better ? 1000 : 1;

	fprintf(page->out, "<tr><td>%d</td><td>", row->threads);
	put_escaped(page->out, page->dataset->columns[column].title);
	fprintf(page->out, "</td><td>%zu</td>", summary->n);
	put_number(page, summary->mean);
	put_number(page, summary->sd);
	put_number(page, summary->min);
	put_number(page, summary->max);
	if (isfinite(summary->low))
		fprintf(page->out, "<td>%.4g to %.4g</td>", summary->low / unit, summary->high / unit);
	else
		fputs("<td>-</td>", page->out);
	fprintf(page->out, "<td>%.3f</td>", cell_fairness(&row->cells[column]));
	if (verdict->judged && verdict->enough)
		fprintf(page->out, "<td>%.2g</td></tr>\n", verdict->p_adjusted);
	else
		fprintf(page->out, "<td>%s</td></tr>\n", verdict->judged ? verdict_text(verdict) : "-");
}

/** page_statistics - what the medians of a block rest on, to be unfolded */
void page_statistics(const struct page *page, size_t first)
{
	const struct dataset *dataset = page->dataset;
	const struct row *row;
	unsigned int column;

	fputs("<details><summary>Statistics</summary><div class=\"scroll\"><table>\n"
	      "<tr><th>threads</th><th></th><th>runs</th><th>mean</th><th>sd</th><th>min</th><th>max</th>"
	      "<th>95 % interval of the mean</th><th>fairness</th><th>p, corrected</th></tr>\n", page->out);
	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
		for (column = 0; column < dataset->nr_columns; column++)
			if (row_same_block(&dataset->rows[first], row) && row->cells[column].nr)
				put_statistics_row(page, row, column);
	fputs("</table></div></details>\n", page->out);
}
