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
	fputs(text, page->out);
}

static void put_statistics_row(const struct page *page, const struct row *row, unsigned int column)
{
	const struct summary *summary = &row->cells[column].summary;
	const struct verdict *verdict = &row->verdicts[column];
	const double values[] = { summary->mean, summary->n > 1 ? summary->sd : NAN, summary->min, summary->max };
	size_t i;

	fprintf(page->out, "<tr><td>%d</td><td>", row->threads);
	put_escaped(page->out, page->dataset->columns[column].title);
	fprintf(page->out, "</td><td>%zu", summary->n);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		fputs("</td><td>", page->out);
		if (!i && summary->unusable)
			fputs("unusable", page->out);
		else
			put_number(page, values[i]);
	}
	fputs("</td><td>", page->out);
	put_number(page, summary->low);
	fputs(" to ", page->out);
	put_number(page, summary->high);
	fprintf(page->out, "</td><td>%.3f</td>", cell_fairness(&row->cells[column]));
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

static bool has_event(const struct page *page, const struct row *row, const char *name)
{
	unsigned int column;

	for (column = 0; column < page->dataset->nr_columns; column++)
		if (cell_events(&row->cells[column], name) > 0)
			return true;
	return false;
}

static void put_events_row(const struct page *page, const struct row *row, const char *name)
{
	unsigned int column;
	double events;

	fprintf(page->out, "<tr><td>%d</td><td>", row->threads);
	put_escaped(page->out, name);
	fputs("</td>", page->out);
	for (column = 0; column < page->dataset->nr_columns; column++) {
		events = cell_events(&row->cells[column], name);
		if (isnan(events))
			fputs("<td>-</td>", page->out);
		else
			fprintf(page->out, "<td>%.2f</td>", events);
	}
	fputs("</tr>\n", page->out);
}

/* The names that any column of @row has. */
static json_t *names_of(const struct page *page, const struct row *row)
{
	json_t *names = json_object();
	unsigned int column;

	for (column = 0; column < page->dataset->nr_columns; column++)
		if (row->cells[column].events)
			json_object_update(names, row->cells[column].events);
	return names;
}

/** page_events - what explains the figures of a block, where it was counted; to be unfolded */
void page_events(const struct page *page, size_t first)
{
	const struct dataset *dataset = page->dataset;
	const struct row *row;
	const char *name;
	json_t *names, *count;
	unsigned int i;

	if (!dataset->rows[first].explained)
		return;
	fputs("<details><summary>Events in a thousand operations</summary><div class=\"scroll\"><table>\n"
	      "<tr><th>threads</th><th>event</th>", page->out);
	for (i = 0; i < dataset->nr_columns; i++)
		put_heading(page, dataset->columns[i].title, NULL);
	fputs("</tr>\n", page->out);
	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++) {
		if (!row_same_block(&dataset->rows[first], row))
			continue;
		names = names_of(page, row);
		json_object_foreach(names, name, count)
			if (has_event(page, row, name))
				put_events_row(page, row, name);
		json_decref(names);
	}
	fputs("</table></div></details>\n", page->out);
}
