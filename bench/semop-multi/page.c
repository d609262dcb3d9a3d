// SPDX-License-Identifier: GPL-2.0
/* A report as one HTML file: charts, tables, the machine, the commands. */
#include <string.h>

#include "compare.h"
#include "page.h"
#include "pagestyle.h"
#include "plots.h"

static void put_chart(FILE *out, const char *caption, struct chart *chart)
{
	if (!chart)
		return;
	fputs("<figure><figcaption>", out);
	put_escaped(out, caption);
	fputs("</figcaption>\n", out);
	chart_svg(chart, out);
	fputs("</figure>\n", out);
	plot_free(chart);
}

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

static void put_table_head(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	unsigned int i;

	fputs("<div class=\"scroll\"><table>\n<tr><th>threads</th>", page->out);
	for (i = 0; i < dataset->nr_columns; i++)
		fprintf(page->out, "<th>%s</th>", dataset->columns[i].title);
	for (i = 0; i < dataset->nr_columns; i++)
		if (i != dataset->baseline)
			fprintf(page->out, "<th>%s/%s</th>", dataset->columns[i].title,
				dataset->columns[dataset->baseline].title);
	fputs("</tr>\n", page->out);
}

static void put_table(const struct page *page, size_t first, bool *done)
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

static void put_block(const struct page *page, size_t first, bool *done)
{
	const struct dataset *dataset = page->dataset;
	const struct row *block = &dataset->rows[first], *row;
	char text[512];

	row_describe(block, text, sizeof(text));
	fputs("<section>\n<h2>", page->out);
	put_escaped(page->out, text);
	fputs("</h2>\n<div class=\"charts\">\n", page->out);
	put_chart(page->out, dataset->less_is_better ? dataset->metric : "Throughput",
		  plot_values(dataset, block));
	if (dataset->nr_columns > 1)
		put_chart(page->out, "Against the baseline", plot_ratios(dataset, block));
	for (row = block; row < dataset->rows + dataset->nr_rows; row++) {
		if (!row_same_block(block, row))
			continue;
		snprintf(text, sizeof(text), "Latency, %d thread%s", row->threads,
			 row->threads > 1 ? "s" : "");
		put_chart(page->out, text, plot_latencies(dataset, row));
	}
	fputs("</div>\n", page->out);
	put_table(page, first, done);
	fputs("</section>\n", page->out);
}

static void put_machine(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	const struct column *column;
	const json_t *box;
	char *dump;
	unsigned int i;

	fputs("<section>\n<h2>Machine</h2>\n<div class=\"scroll\"><table class=\"words\">\n"
	      "<tr><th>kernel</th><th>release</th><th>version</th><th>runs under</th><th>CPUs</th><th>processor</th></tr>\n",
	      page->out);
	for (i = 0; i < dataset->nr_columns; i++) {
		column = &dataset->columns[i];
		box = json_object_get(column->machine, "box");
		fprintf(page->out, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%lld</td><td>",
			column->title, column->release,
			json_string_value(json_object_get(column->machine, "version")) ?: "-",
			json_string_value(json_object_get(column->machine, "hypervisor")) ?: "-",
			json_integer_value(json_object_get(box, "cpus")));
		put_escaped(page->out, json_string_value(json_object_get(box, "processor")) ?: "-");
		fputs("</td></tr>\n", page->out);
	}
	fputs("</table></div>\n", page->out);
	box = dataset->nr_columns ? json_object_get(dataset->columns[0].machine, "box") : NULL;
	dump = box ? json_dumps(json_object_get(box, "nodes"), JSON_INDENT(1)) : NULL;
	if (dump) {
		fputs("<details><summary>Nodes</summary><pre>", page->out);
		put_escaped(page->out, dump);
		fputs("</pre></details>\n", page->out);
	}
	free(dump);
	fputs("</section>\n", page->out);
}

/* A word of a command line, quoted where the shell would not take it as it is. */
static void put_word(FILE *out, const char *word)
{
	const char *at;

	if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%") ==
	    strlen(word)) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (at = word; *at; at++) {
		char character[2] = { *at };

		if (*at == '\'')
			fputs("'\\''", out);
		else
			put_escaped(out, character);
	}
	fputc('\'', out);
}

static void put_command(const struct page *page, const json_t *command)
{
	const json_t *word;
	size_t i;

	if (!json_array_size(command))
		return;
	fputs("<pre>", page->out);
	json_array_foreach(command, i, word) {
		if (i)
			fputc(' ', page->out);
		put_word(page->out, json_string_value(word) ?: "");
	}
	fputs("</pre>\n", page->out);
}

static void put_commands(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	unsigned int i;

	fputs("<section>\n<h2>Commands</h2>\n", page->out);
	put_command(page, json_object_get(page->manifest, "command"));
	for (i = 0; !page->manifest && i < dataset->nr_columns; i++)
		put_command(page, json_object_get(dataset->columns[i].machine, "command"));
	fputs("</section>\n", page->out);
}

static void put_notes(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	double typical, most;
	unsigned int i;
	const char *hypervisor = dataset->nr_columns ?
		json_string_value(json_object_get(dataset->columns[0].machine, "hypervisor")) : NULL;

	fputs("<p class=\"notes\">Figures are medians of runs; bars reach from the least run to the largest. "
	      "A ratio marked ~ is one that the runs do not support (Mann-Whitney, corrected over all rows, 5 %); "
	      "n: fewer than 5 runs of a kernel.", page->out);
	if (hypervisor && !strcmp(hypervisor, "TCG"))
		fputs(" All figures come from QEMU TCG, an emulator: they compare kernels, they do not say how fast a machine is.",
		      page->out);
	for (i = 0; i < dataset->nr_columns; i++)
		if (dataset_noise(dataset, i, &typical, &most))
			fprintf(page->out, " %s and %s are one kernel: their figures differ by %.1f %% (median; at most %.1f %%), which is the noise.",
				dataset->columns[dataset->baseline].title, dataset->columns[i].title,
				typical, most);
	if (dataset->nr_left_out)
		fprintf(page->out, " Left out: %u runs in guests whose kernel log holds a report.",
			dataset->nr_left_out);
	fputs("</p>\n", page->out);
}

/** page_write - write the whole page */
void page_write(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	bool done[dataset->nr_rows + 1];
	size_t i;

	memset(done, 0, sizeof(done));
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>", page->out);
	put_escaped(page->out, page->title);
	fprintf(page->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", page_style);
	put_escaped(page->out, page->title);
	fputs("</h1>\n", page->out);
	put_notes(page);
	for (i = 0; i < dataset->nr_rows; i++)
		if (!done[i])
			put_block(page, i, done);
	put_machine(page);
	put_commands(page);
	fputs("</main>\n</body>\n</html>\n", page->out);
}
