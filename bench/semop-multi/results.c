// SPDX-License-Identifier: GPL-2.0
/* The outcomes of a session, and the blocks of the table made from them. */
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "stats.h"
#include "table.h"

/**
 * results_init - room for every repetition of every point of @options
 *
 * Return: 0, or -1 with errno set.
 */
int results_init(struct results *results, const struct options *options)
{
	size_t nr = (size_t)options->nr_policies * options->nr_selections * options->threads.nr *
		    options->runs;

	*results = (struct results){ .options = options };
	results->outcomes = calloc(nr, sizeof(*results->outcomes));
	return results->outcomes ? 0 : -1;
}

/** results_at - where the outcome of one repetition of one point lies */
struct outcome *results_at(const struct results *results, unsigned int policy,
			   unsigned int selection, unsigned int count, unsigned int run)
{
	const struct options *options = results->options;
	size_t at = policy;

	at = at * options->nr_selections + selection;
	at = at * options->threads.nr + count;
	at = at * options->runs + run;
	return &results->outcomes[at];
}

/** results_store - keep what @result came to */
void results_store(struct results *results, struct outcome *outcome, const struct result *result)
{
	outcome->rate = result->rate;
	outcome->failure = result->failure;
	outcome->operations = result->operations;
	if (results->options->explain)
		explain_difference(&result->before, &result->after, &outcome->events);
	if (result->latency)
		latency_summarise(result->latency, &outcome->latency);
	outcome->state = result->failure.op ? OUTCOME_FAILED : OUTCOME_MEASURED;
	results->failed += outcome->state == OUTCOME_FAILED;
}

/** failure_describe - the call and its error, for people */
void failure_describe(const struct failure *failure, char *text, size_t size)
{
	if (failure->error)
		snprintf(text, size, "%s: %s (%s)", failure->op, strerrorname_np(failure->error),
			 strerror(failure->error));
	else
		snprintf(text, size, "%s", failure->op);
}

static void add_cell(const struct results *results, struct table *table, unsigned int policy,
		     unsigned int selection, unsigned int count)
{
	const struct outcome *outcome;
	double rates[results->options->runs];
	unsigned int run, nr = 0;

	for (run = 0; run < results->options->runs; run++) {
		outcome = results_at(results, policy, selection, count, run);
		if (outcome->state == OUTCOME_FAILED) {
			table_add(table, "failed");
			return;
		}
		if (outcome->state == OUTCOME_MEASURED)
			rates[nr++] = outcome->rate;
	}
	if (nr)
		table_add_rate(table, stats_median(rates, nr));
	else
		table_add(table, "-");
}

static void print_block(const struct results *results, unsigned int policy, FILE *out)
{
	const struct options *options = results->options;
	struct table table;
	char text[64];
	unsigned int selection, count;

	policy_describe(&options->policies[policy], text, sizeof(text));
	fprintf(out, "\n%s, operations a second\n", text);
	table_init(&table, options->nr_selections + 1);
	table_add(&table, "threads");
	for (selection = 0; selection < options->nr_selections; selection++) {
		workload_describe(options->selections[selection].workload,
				  options->selections[selection].variant, text, sizeof(text));
		table_add(&table, text);
	}
	for (count = 0; count < options->threads.nr; count++) {
		snprintf(text, sizeof(text), "%u", options->threads.counts[count]);
		table_add(&table, text);
		for (selection = 0; selection < options->nr_selections; selection++)
			add_cell(results, &table, policy, selection, count);
	}
	table_print(&table, out);
	table_free(&table);
}

static void add_latency_row(const struct results *results, struct table *table,
			    unsigned int policy, unsigned int selection, unsigned int count)
{
	const struct outcome *outcome;
	struct latency runs[results->options->runs], over_runs;
	unsigned int run, nr = 0;

	for (run = 0; run < results->options->runs; run++) {
		outcome = results_at(results, policy, selection, count, run);
		if (outcome->state == OUTCOME_MEASURED)
			runs[nr++] = outcome->latency;
	}
	if (!nr)
		return latency_row(table, NULL);
	latency_over_runs(runs, nr, &over_runs);
	latency_row(table, &over_runs);
}

/* All runs together. */
static void add_explain_row(const struct results *results, struct table *table,
			    unsigned int policy, unsigned int selection, unsigned int count)
{
	struct explanation events = { };
	const struct outcome *outcome;
	uint64_t operations = 0;
	unsigned int run, i;

	for (run = 0; run < results->options->runs; run++) {
		outcome = results_at(results, policy, selection, count, run);
		operations += outcome->operations;
		for (i = 0; i < explain_nr(); i++)
			events.counts[i] += outcome->events.counts[i];
	}
	explain_row(table, &events, operations);
}

/* A block of one policy and workload, with a row for each number of threads. */
static void print_rows(const struct results *results, unsigned int policy, unsigned int selection,
		       bool latencies, FILE *out)
{
	const struct options *options = results->options;
	struct table table;
	char text[64];
	unsigned int count;

	policy_describe(&options->policies[policy], text, sizeof(text));
	fprintf(out, "\n%s, ", text);
	workload_describe(options->selections[selection].workload,
			  options->selections[selection].variant, text, sizeof(text));
	fprintf(out, "%s: %s\n", text,
		latencies ? "microseconds an operation" : "events a thousand operations");
	table_init(&table, 1 + (latencies ? 1 + NR_LATENCIES : explain_nr()));
	table_add(&table, "threads");
	if (latencies)
		latency_heading(&table);
	else
		explain_heading(&table);
	for (count = 0; count < options->threads.nr; count++) {
		snprintf(text, sizeof(text), "%u", options->threads.counts[count]);
		table_add(&table, text);
		if (latencies)
			add_latency_row(results, &table, policy, selection, count);
		else
			add_explain_row(results, &table, policy, selection, count);
	}
	table_print(&table, out);
	table_free(&table);
}

static void print_all_rows(const struct results *results, bool latencies, FILE *out)
{
	const struct options *options = results->options;
	unsigned int policy, selection;

	for (policy = 0; policy < options->nr_policies; policy++)
		for (selection = 0; selection < options->nr_selections; selection++)
			print_rows(results, policy, selection, latencies, out);
}

static void print_failure(const struct results *results, unsigned int policy,
			  unsigned int selection, unsigned int count, unsigned int run, FILE *out)
{
	const struct options *options = results->options;
	const struct outcome *outcome = results_at(results, policy, selection, count, run);
	char workload[64], why[256];

	if (outcome->state != OUTCOME_FAILED)
		return;
	workload_describe(options->selections[selection].workload,
			  options->selections[selection].variant, workload, sizeof(workload));
	failure_describe(&outcome->failure, why, sizeof(why));
	fprintf(out, "failed: %s, %s, %u threads, run %u: %s\n",
		policy_short_name(&options->policies[policy]), workload,
		options->threads.counts[count], run + 1, why);
}

/** results_print - print a block for each policy, then what failed */
void results_print(const struct results *results, FILE *out)
{
	const struct options *options = results->options;
	unsigned int policy, selection, count, run;

	for (policy = 0; policy < options->nr_policies; policy++)
		print_block(results, policy, out);
	if (options->latency)
		print_all_rows(results, true, out);
	if (options->explain)
		print_all_rows(results, false, out);
	if (!results->failed)
		return;
	fputc('\n', out);
	for (policy = 0; policy < options->nr_policies; policy++)
		for (selection = 0; selection < options->nr_selections; selection++)
			for (count = 0; count < options->threads.nr; count++)
				for (run = 0; run < options->runs; run++)
					print_failure(results, policy, selection, count, run, out);
}

/** results_free - give back what results_init() allocated */
void results_free(struct results *results)
{
	free(results->outcomes);
	results->outcomes = NULL;
}
