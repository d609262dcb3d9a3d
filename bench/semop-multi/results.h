/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdio.h>

#include "latency.h"
#include "measure.h"
#include "options.h"

enum outcome_state { OUTCOME_MISSING, OUTCOME_MEASURED, OUTCOME_FAILED };

/** struct outcome - what one repetition of one point came to. */
struct outcome {
	enum outcome_state state;
	double rate;
	double fairness;		/* of the threads */
	uint64_t operations;
	struct latency latency;		/* where it is asked for, as the next */
	struct explanation events;
	struct failure failure;
};

/** struct spot - a repetition of a point, as indices into what the options list. */
struct spot {
	unsigned int run, policy, selection, count, placement;
};

/** struct results - the outcomes of all repetitions of all points. */
struct results {
	const struct options *options;
	struct outcome *outcomes;
	unsigned int failed, resumed;
};

bool spot_next(const struct options *options, struct spot *spot);
void spot_workload(const struct options *options, const struct spot *spot, char *text, size_t size);

size_t results_count(const struct options *options);
int results_init(struct results *results, const struct options *options);
struct outcome *results_at(const struct results *results, const struct spot *spot);
void results_store(struct results *results, struct outcome *outcome, const struct result *result,
		   unsigned int threads);
void results_print(const struct results *results, FILE *out);
void results_free(struct results *results);

void failure_describe(const struct failure *failure, char *text, size_t size);

#endif
