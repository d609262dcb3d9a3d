// SPDX-License-Identifier: GPL-2.0
/* The blocks of the table that a session prints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "stats.h"
#include "table.h"

/** struct block - a kind of block with a row for each number of threads. */
struct block {
	const char *unit;
	unsigned int (*columns)(void);
	void (*heading)(struct table *table);
	void (*row)(const struct results *results, struct table *table, struct spot spot);
};

/* The rates of a point's runs; returns how many, or -1 if one failed. */
static int collect_rates(const struct results *results, struct spot spot, double *rates)
{
	const struct outcome *outcome;
	int nr = 0;

	for (spot.run = 0; spot.run < results->options->runs; spot.run++) {
		outcome = results_at(results, &spot);
		if (outcome->state == OUTCOME_FAILED)
			return -1;
		if (outcome->state == OUTCOME_MEASURED)
			rates[nr++] = outcome->rate;
	}
	return nr;
}

static void add_cell(const struct results *results, struct table *table, const struct spot *spot)
{
	double rates[results->options->runs];
	struct summary summary;
	int nr = collect_rates(results, *spot, rates);

	if (nr <= 0) {
		table_add(table, nr ? "failed" : "-");
		return;
	}
	stats_summarise(rates, nr, &summary);
	if (summary.unusable)
		table_add(table, "unusable");
	else
		table_add_rate(table, summary.median);
}

static void add_threads(const struct options *options, struct table *table, unsigned int count)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", options->threads.counts[count]);
	table_add(table, text);
}

/* The table of the 2013 mail thread: a column a workload and placement. */
static void print_rates(const struct results *results, unsigned int policy, FILE *out)
{
	const struct options *options = results->options;
	struct spot at = { .policy = policy };
	struct table table;
	char text[160];

	policy_describe(&options->policies[policy], text, sizeof(text));
	fprintf(out, "\n%s, operations a second\n", text);
	table_init(&table, options->nr_selections * options->nr_placements + 1);
	table_add(&table, "threads");
	for (at.selection = 0; at.selection < options->nr_selections; at.selection++)
		for (at.placement = 0; at.placement < options->nr_placements; at.placement++) {
			spot_workload(options, &at, text, sizeof(text));
			table_add(&table, text);
		}
	for (at.count = 0; at.count < options->threads.nr; at.count++) {
		add_threads(options, &table, at.count);
		for (at.selection = 0; at.selection < options->nr_selections; at.selection++)
			for (at.placement = 0; at.placement < options->nr_placements; at.placement++)
				add_cell(results, &table, &at);
	}
	table_print(&table, out);
	table_free(&table);
}

static void add_latency_row(const struct results *results, struct table *table, struct spot spot)
{
	const struct outcome *outcome;
	struct latency runs[results->options->runs], over_runs;
	unsigned int nr = 0;

	for (spot.run = 0; spot.run < results->options->runs; spot.run++) {
		outcome = results_at(results, &spot);
		if (outcome->state == OUTCOME_MEASURED)
			runs[nr++] = outcome->latency;
	}
	if (!nr)
		return latency_row(table, NULL);
	latency_over_runs(runs, nr, &over_runs);
	latency_row(table, &over_runs);
}

static unsigned int latency_columns(void)
{
	return 1 + NR_LATENCIES;
}

/* All runs together. */
static void add_explain_row(const struct results *results, struct table *table, struct spot spot)
{
	struct explanation events = { };
	const struct outcome *outcome;
	uint64_t operations = 0;
	unsigned int i;

	for (spot.run = 0; spot.run < results->options->runs; spot.run++) {
		outcome = results_at(results, &spot);
		operations += outcome->operations;
		for (i = 0; i < explain_nr(); i++)
			events.counts[i] += outcome->events.counts[i];
	}
	explain_row(table, &events, operations);
}

static const char *const statistics[] = {
	"runs", "median", "mean", "sd", "min", "max", "ci_low", "ci_high", "fairness",
};

static unsigned int statistics_columns(void)
{
	return sizeof(statistics) / sizeof(statistics[0]);
}

static void statistics_heading(struct table *table)
{
	unsigned int i;

	for (i = 0; i < statistics_columns(); i++)
		table_add(table, statistics[i]);
}

static double median_fairness(const struct results *results, struct spot spot)
{
	double values[results->options->runs], fairness;
	size_t nr = 0;

	for (spot.run = 0; spot.run < results->options->runs; spot.run++) {
		fairness = results_at(results, &spot)->fairness;
		if (results_at(results, &spot)->state == OUTCOME_MEASURED && !isnan(fairness))
			values[nr++] = fairness;
	}
	return nr ? stats_median(values, nr) : NAN;
}

static void add_number(struct table *table, const char *format, double value)
{
	char text[32] = "-";

	if (!isnan(value))
		snprintf(text, sizeof(text), format, value);
	table_add(table, text);
}

static void add_statistics_row(const struct results *results, struct table *table, struct spot spot)
{
	double rates[results->options->runs];
	struct summary summary;
	int i, nr = collect_rates(results, spot, rates);

	if (nr <= 0) {
		for (i = 0; i < (int)statistics_columns(); i++)
			table_add(table, nr && !i ? "failed" : "-");
		return;
	}
	stats_summarise(rates, nr, &summary);
	add_number(table, "%.0f", nr);
	if (summary.unusable) {
		table_add(table, "unusable");
		table_add(table, "unusable");
	} else {
		table_add_rate(table, summary.median);
		table_add_rate(table, summary.mean);
	}
	add_number(table, summary.max < 1000 ? "%.2f" : "%.0f", nr > 1 ? summary.sd : NAN);
	table_add_rate(table, summary.min);
	table_add_rate(table, summary.max);
	add_number(table, summary.max < 1000 ? "%.2f" : "%.0f", summary.low);
	add_number(table, summary.max < 1000 ? "%.2f" : "%.0f", summary.high);
	add_number(table, "%.3f", median_fairness(results, spot));
}

static const struct block statistics_block = {
	"operations a second over runs", statistics_columns, statistics_heading, add_statistics_row,
};
static const struct block latency_block = {
	"microseconds an operation", latency_columns, latency_heading, add_latency_row,
};
static const struct block explain_block = {
	"events a thousand operations", explain_nr, explain_heading, add_explain_row,
};

static void print_block(const struct results *results, const struct block *block, struct spot spot,
			FILE *out)
{
	const struct options *options = results->options;
	struct table table;
	char text[160];

	policy_describe(&options->policies[spot.policy], text, sizeof(text));
	fprintf(out, "\n%s, ", text);
	spot_workload(options, &spot, text, sizeof(text));
	fprintf(out, "%s: %s\n", text, block->unit);
	table_init(&table, 1 + block->columns());
	table_add(&table, "threads");
	block->heading(&table);
	for (spot.count = 0; spot.count < options->threads.nr; spot.count++) {
		add_threads(options, &table, spot.count);
		block->row(results, &table, spot);
	}
	table_print(&table, out);
	table_free(&table);
}

/* One for each policy, workload and placement. */
static void print_blocks(const struct results *results, const struct block *block, FILE *out)
{
	struct spot spot = { };

	do {
		if (!spot.count)
			print_block(results, block, spot, out);
	} while (spot_next(results->options, &spot) && !spot.run);
}

static void print_failures(const struct results *results, FILE *out)
{
	const struct options *options = results->options;
	struct spot spot = { };
	const struct outcome *outcome;
	char workload[160], why[256];

	fputc('\n', out);
	do {
		outcome = results_at(results, &spot);
		if (outcome->state != OUTCOME_FAILED)
			continue;
		spot_workload(options, &spot, workload, sizeof(workload));
		failure_describe(&outcome->failure, why, sizeof(why));
		fprintf(out, "failed: %s, %s, %u threads, run %u: %s\n",
			policy_short_name(&options->policies[spot.policy]), workload,
			options->threads.counts[spot.count], spot.run + 1, why);
	} while (spot_next(options, &spot));
}

/** results_print - print a block for each policy, what else is asked for, then what failed */
void results_print(const struct results *results, FILE *out)
{
	const struct options *options = results->options;
	unsigned int policy;

	for (policy = 0; policy < options->nr_policies; policy++)
		print_rates(results, policy, out);
	if (options->runs > 1)
		print_blocks(results, &statistics_block, out);
	if (options->latency)
		print_blocks(results, &latency_block, out);
	if (options->explain)
		print_blocks(results, &explain_block, out);
	if (results->failed)
		print_failures(results, out);
}
