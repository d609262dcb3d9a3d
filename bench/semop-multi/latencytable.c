// SPDX-License-Identifier: GPL-2.0
/* Latencies in figures: of a histogram, over runs, as a record and as a table's row. */
#include <stdlib.h>

#include "latency.h"
#include "stats.h"

static const char *const names[NR_LATENCIES] = { "min", "p50", "p99", "p99.9", "p99.99", "max" };
static const double shares[NR_LATENCIES] = { 0, 0.5, 0.99, 0.999, 0.9999, 1 };

/** latency_summarise - the figures of @histogram */
void latency_summarise(const struct histogram *histogram, struct latency *latency)
{
	unsigned int i;

	latency->operations = histogram->total;
	for (i = 0; i < NR_LATENCIES; i++)
		latency->ns[i] = histogram_quantile(histogram, shares[i]);
	latency->ns[LATENCY_MIN] = histogram->total ? histogram->min : 0;
	latency->ns[LATENCY_MAX] = histogram->max;
}

/**
 * latency_over_runs - the medians of @nr runs, but the least minimum and the largest maximum
 * @nr: at least 1
 */
void latency_over_runs(const struct latency *runs, unsigned int nr, struct latency *latency)
{
	double values[nr];
	unsigned int i, run;

	latency->operations = 0;
	for (run = 0; run < nr; run++)
		latency->operations += runs[run].operations;
	for (i = 0; i < NR_LATENCIES; i++) {
		for (run = 0; run < nr; run++)
			values[run] = runs[run].ns[i];
		latency->ns[i] = stats_median(values, nr);	/* which sorts them */
		if (i == LATENCY_MIN)
			latency->ns[i] = values[0];
		else if (i == LATENCY_MAX)
			latency->ns[i] = values[nr - 1];
	}
}

/** latency_record - the figures and every bucket that is not empty, as [lowest value, count] */
json_t *latency_record(const struct histogram *histogram)
{
	struct latency latency;
	json_t *record, *buckets = json_array();
	unsigned int i;

	latency_summarise(histogram, &latency);
	record = json_pack("{s:s, s:I}", "unit", "ns", "operations", (json_int_t)latency.operations);
	for (i = 0; i < NR_LATENCIES; i++)
		json_object_set_new(record, names[i], json_real(latency.ns[i]));
	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (histogram->counts[i])
			json_array_append_new(buckets, json_pack("[I, I]",
				(json_int_t)histogram_lowest(i), (json_int_t)histogram->counts[i]));
	json_object_set_new(record, "buckets_a_power_of_two", json_integer(HISTOGRAM_STEPS));
	json_object_set_new(record, "histogram", buckets);
	return record;
}

/** latency_from_record - the figures that latency_record() has written */
void latency_from_record(const json_t *record, struct latency *latency)
{
	unsigned int i;

	latency->operations = json_integer_value(json_object_get(record, "operations"));
	for (i = 0; i < NR_LATENCIES; i++)
		latency->ns[i] = json_number_value(json_object_get(record, names[i]));
}

/** latency_heading - the heading of the cells that latency_row() adds */
void latency_heading(struct table *table)
{
	unsigned int i;

	table_add(table, "operations");
	for (i = 0; i < NR_LATENCIES; i++)
		table_add(table, names[i]);
}

/** latency_row - the number of operations, then the figures in microseconds; NULL: no figures */
void latency_row(struct table *table, const struct latency *latency)
{
	char cell[32] = "-";
	unsigned int i;

	if (latency)
		snprintf(cell, sizeof(cell), "%llu", (unsigned long long)latency->operations);
	table_add(table, cell);
	for (i = 0; i < NR_LATENCIES; i++) {
		if (latency)
			snprintf(cell, sizeof(cell), "%.2f", latency->ns[i] / 1000);
		table_add(table, cell);
	}
}
