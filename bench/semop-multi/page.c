// SPDX-License-Identifier: GPL-2.0
/* A report as one HTML file: charts, tables, the machines, the commands. */
#include <math.h>
#include <string.h>

#include "pageparts.h"
#include "pagestyle.h"
#include "plots.h"
#include "usage.h"

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
	page_table(page, first, done);
	page_statistics(page, first);
	page_events(page, first);
	fputs("</section>\n", page->out);
}

/* The most that others used of the CPUs, in a session or while a sweep's guest ran. */
static double largest_load(const struct dataset *dataset, const char *key, const char *boot_key)
{
	const json_t *record, *value;
	double largest = 0;
	unsigned int file;
	size_t i;

	for (file = 0; file < dataset->nr_files; file++)
		json_array_foreach(dataset->files[file], i, record) {
			value = json_object_get(json_object_get(record, "load"), key);
			if (!value)
				value = json_object_get(record, boot_key);
			largest = fmax(largest, json_number_value(value));
		}
	return largest;
}

static void put_loads(const struct page *page)
{
	double others = largest_load(page->dataset, "others_cpus", "others");
	double stolen = largest_load(page->dataset, "stolen_cpus", "stolen");

	if (others > USAGE_LOADED)
		fprintf(page->out, " The machine was loaded: others used up to %.1f CPUs meanwhile.", others);
	if (stolen > USAGE_LOADED)
		fprintf(page->out, " A hypervisor took up to %.1f CPUs away meanwhile.", stolen);
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
		if (dataset_noise(dataset, i, &typical, &most)) {
			fputc(' ', page->out);
			put_escaped(page->out, dataset->columns[dataset->baseline].title);
			fputs(" and ", page->out);
			put_escaped(page->out, dataset->columns[i].title);
			fprintf(page->out, " are one kernel: their figures differ by %.1f %% (median; at most %.1f %%), which is the noise.",
				typical, most);
		}
	if (dataset->nr_left_out)
		fprintf(page->out, " Left out: %u runs in guests whose kernel log holds a report.",
			dataset->nr_left_out);
	put_loads(page);
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
	page_machines(page);
	page_commands(page);
	fputs("</main>\n</body>\n</html>\n", page->out);
}
