/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MEASURE_H
#define MEASURE_H

#include "explain.h"
#include "workload.h"

/** struct result - one repetition of one point. */
struct result {
	struct failure failure;	/* if it has an op there is no figure */
	bool interrupted;	/* a signal came: neither figure nor failure */
	double seconds;		/* measured */
	double rate;		/* operations a second, all workers together */
	uint64_t operations;
	uint64_t *per_thread;	/* operations of each worker */
	struct explanation before, after;	/* where it is asked for */
	struct histogram *latency;	/* of all workers; NULL: not asked for */
};

void measure(struct point *point, double warm_up, double duration, struct result *result);
void result_free(struct result *result);

#endif
