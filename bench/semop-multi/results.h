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
	uint64_t operations;
	struct latency latency;		/* where it is asked for, as the next */
	struct explanation events;
	struct failure failure;
};

/** struct results - the outcomes of all repetitions of all points. */
struct results {
	const struct options *options;
	struct outcome *outcomes;
	unsigned int failed, resumed;
};

int results_init(struct results *results, const struct options *options);
struct outcome *results_at(const struct results *results, unsigned int policy,
			   unsigned int selection, unsigned int count, unsigned int run);
void results_store(struct results *results, struct outcome *outcome, const struct result *result);
void results_print(const struct results *results, FILE *out);
void results_free(struct results *results);

void failure_describe(const struct failure *failure, char *text, size_t size);

#endif
