// SPDX-License-Identifier: GPL-2.0
/* The outcomes of a session. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "stats.h"

/** results_count - how many repetitions of points @options ask for */
size_t results_count(const struct options *options)
{
	return (size_t)options->nr_policies * options->nr_selections * options->threads.nr *
	       options->nr_placements * options->runs;
}

/**
 * results_init - room for every repetition of every point of @options
 *
 * Return: 0, or -1 with errno set.
 */
int results_init(struct results *results, const struct options *options)
{
	*results = (struct results){ .options = options };
	results->outcomes = calloc(results_count(options), sizeof(*results->outcomes));
	return results->outcomes ? 0 : -1;
}

/**
 * spot_next - go to the next spot in the order of measuring
 *
 * Repetitions are outermost: a machine that drifts hits all points alike. Placements are
 * innermost, since they are there to be compared.
 *
 * Return: false after the last one.
 */
bool spot_next(const struct options *options, struct spot *spot)
{
	if (++spot->placement < options->nr_placements)
		return true;
	spot->placement = 0;
	if (++spot->count < options->threads.nr)
		return true;
	spot->count = 0;
	if (++spot->selection < options->nr_selections)
		return true;
	spot->selection = 0;
	if (++spot->policy < options->nr_policies)
		return true;
	spot->policy = 0;
	return ++spot->run < options->runs;
}

/** spot_workload - the workload, and the placement where there are several */
void spot_workload(const struct options *options, const struct spot *spot, char *text, size_t size)
{
	const struct selection *selection = &options->selections[spot->selection];
	size_t used;

	workload_describe(selection->workload, selection->variant, text, size);
	used = strlen(text);
	if (options->nr_placements > 1)
		snprintf(text + used, size - used, " %s", options->placements[spot->placement].name);
}

/** results_at - where the outcome of one repetition of one point lies */
struct outcome *results_at(const struct results *results, const struct spot *spot)
{
	const struct options *options = results->options;
	size_t at = spot->policy;

	at = at * options->nr_selections + spot->selection;
	at = at * options->threads.nr + spot->count;
	at = at * options->nr_placements + spot->placement;
	at = at * options->runs + spot->run;
	return &results->outcomes[at];
}

static double fairness_of(const uint64_t *per_thread, unsigned int threads)
{
	double shares[threads];
	unsigned int i;

	for (i = 0; i < threads; i++)
		shares[i] = per_thread[i];
	return stats_jain(shares, threads);
}

/** results_store - keep what @result came to */
void results_store(struct results *results, struct outcome *outcome, const struct result *result,
		   unsigned int threads)
{
	outcome->rate = result->rate;
	outcome->failure = result->failure;
	outcome->operations = result->operations;
	outcome->fairness = result->failure.op ? NAN : fairness_of(result->per_thread, threads);
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

/** results_free - give back what results_init() allocated */
void results_free(struct results *results)
{
	free(results->outcomes);
	results->outcomes = NULL;
}
