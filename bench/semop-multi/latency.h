/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LATENCY_H
#define LATENCY_H

#include <jansson.h>

#include "histogram.h"
#include "table.h"
#include "workload.h"

enum { LATENCY_MIN, LATENCY_P50, LATENCY_P99, LATENCY_P999, LATENCY_P9999, LATENCY_MAX, NR_LATENCIES };

/** struct latency - a histogram in a few figures. */
struct latency {
	uint64_t operations;
	double ns[NR_LATENCIES];
};

void latency_choose(bool timed);
int latency_prepare(struct worker *worker);
struct histogram *latency_collect(struct point *point);
void latency_free(struct point *point);
void latency_sleep(const struct point *point);

void latency_summarise(const struct histogram *histogram, struct latency *latency);
void latency_over_runs(const struct latency *runs, unsigned int nr, struct latency *latency);
json_t *latency_record(const struct histogram *histogram);
void latency_from_record(const json_t *record, struct latency *latency);
void latency_heading(struct table *table);
void latency_row(struct table *table, const struct latency *latency);

#endif
