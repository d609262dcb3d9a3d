// SPDX-License-Identifier: GPL-2.0
/* What a report draws: rates, ratios and latencies of a dataset, as charts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "plots.h"

#define WIDE	20	/* a larger ratio of extremes takes a logarithmic axis */

static struct chart *new_chart(const struct dataset *dataset, const struct row *row, size_t points)
{
	struct chart *chart = calloc(1, sizeof(*chart));
	size_t i;

	if (!chart)
		abort();
	row_describe(row, chart->title, sizeof(chart->title));
	chart->series = calloc(dataset->nr_columns + 1, sizeof(*chart->series));	/* the last is empty */
	if (!chart->series)
		abort();
	for (i = 0; i < dataset->nr_columns; i++) {
		chart->series[i].points = calloc(points + 1, sizeof(struct chart_point));
		if (!chart->series[i].points)
			abort();
	}
	return chart;
}

/** plot_free - give a chart back */
void plot_free(struct chart *chart)
{
	size_t i;

	if (!chart)
		return;
	for (i = 0; chart->series[i].points; i++)
		free(chart->series[i].points);
	free(chart->series);
	free(chart);
}

/* The same kernel has the same colour in all charts of all reports. */
static unsigned int colour_of(const struct dataset *dataset, unsigned int column)
{
	static const char *const known[] = { "coarse", "stock", "fine" };
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!strcmp(dataset->columns[column].title, known[i]))
			return i;
	return 3 + column % 5;
}

static void add_thread_tick(struct chart *chart, int threads)
{
	struct chart_tick *tick;

	if (chart->nr_x_ticks < MAX_TICKS)
		chart->nr_x_ticks++;
	tick = &chart->x_ticks[chart->nr_x_ticks - 1];	/* too many: the axis reaches as far as the last */
	tick->at = threads;
	snprintf(tick->label, sizeof(tick->label), "%d", threads);
}

static void choose_scales(struct chart *chart)
{
	double low = HUGE_VAL, high = 0;
	size_t i, j;

	for (i = 0; i < chart->nr_series; i++)
		for (j = 0; j < chart->series[i].nr; j++) {
			low = fmin(low, chart->series[i].points[j].y);
			high = fmax(high, chart->series[i].points[j].y);
		}
	chart->y_log = high > WIDE * low;
	chart->x_log = chart->nr_x_ticks &&
		       chart->x_ticks[chart->nr_x_ticks - 1].at > WIDE * chart->x_ticks[0].at;
}

static void add_value(const struct dataset *dataset, struct chart_series *series,
		      const struct row *row, unsigned int column, bool ratio)
{
	const struct cell *cell = &row->cells[column];
	const double unit = dataset->less_is_better ? 1e-3 : 1;
	struct chart_point *point = &series->points[series->nr];

	point->x = row->threads;
	if (ratio && row->verdicts[column].judged) {
		point->y = point->low = point->high = row->verdicts[column].ratio;
		series->nr++;
	} else if (!ratio && cell->nr && !cell->nr_failed && !cell->summary.unusable) {
		point->y = unit * cell->summary.median;
		point->low = unit * cell->summary.min;
		point->high = unit * cell->summary.max;
		series->nr++;
	}
}

static int by_x(const void *left, const void *right)
{
	const struct chart_point *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

static int by_at(const void *left, const void *right)
{
	const struct chart_tick *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

static struct chart *plot(const struct dataset *dataset, const struct row *block, bool ratio)
{
	struct chart *chart = new_chart(dataset, block, dataset->nr_rows);
	struct chart_series *series;
	const struct row *row;
	unsigned int i;

	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
		if (row_same_block(row, block))
			add_thread_tick(chart, row->threads);
	qsort(chart->x_ticks, chart->nr_x_ticks, sizeof(chart->x_ticks[0]), by_at);
	for (i = 0; i < dataset->nr_columns; i++) {
		if (ratio && i == dataset->baseline)
			continue;
		series = &chart->series[chart->nr_series++];
		series->name = dataset->columns[i].title;
		series->colour = colour_of(dataset, i);
		for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
			if (row_same_block(row, block))
				add_value(dataset, series, row, i, ratio);
		qsort(series->points, series->nr, sizeof(series->points[0]), by_x);
	}
	chart->x_label = "threads";
	chart->dots = true;
	choose_scales(chart);
	return chart;
}

/** plot_values - medians against threads, the bars from the least run to the largest */
struct chart *plot_values(const struct dataset *dataset, const struct row *block)
{
	struct chart *chart = plot(dataset, block, false);

	chart->y_label = dataset->less_is_better ? "microseconds" : "operations a second";
	return chart;
}

/** plot_ratios - each kernel against the baseline */
struct chart *plot_ratios(const struct dataset *dataset, const struct row *block)
{
	struct chart *chart = plot(dataset, block, true);

	chart->y_label = "times the baseline";
	return chart;
}

/* x is the number of nines: 0 the least value, 2 the 99th percentile, 3 the 99.9th. */
static void add_curve(struct chart_series *series, const json_t *histogram)
{
	double total = 0, seen = 0;
	const json_t *bucket;
	size_t i;

	json_array_foreach(histogram, i, bucket)
		total += json_integer_value(json_array_get(bucket, 1));
	json_array_foreach(histogram, i, bucket) {
		double at = log10(total / fmax(total - seen, 0.5));
		double y = json_integer_value(json_array_get(bucket, 0)) / 1e3;

		series->points[series->nr++] = (struct chart_point){ at, y, y, y };
		seen += json_integer_value(json_array_get(bucket, 1));
	}
}

/** plot_latencies - the latencies of a row's runs by percentile; NULL: there are none */
struct chart *plot_latencies(const struct dataset *dataset, const struct row *row)
{
	static const char *const labels[] = { "0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %" };
	struct chart *chart = new_chart(dataset, row, HISTOGRAM_BUCKETS);
	unsigned int i;

	for (i = 0; i < dataset->nr_columns; i++) {
		if (!row->cells[i].histogram)
			continue;
		chart->series[chart->nr_series].name = dataset->columns[i].title;
		chart->series[chart->nr_series].colour = colour_of(dataset, i);
		add_curve(&chart->series[chart->nr_series++], row->cells[i].histogram);
	}
	if (!chart->nr_series) {
		plot_free(chart);
		return NULL;
	}
	for (i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		chart->x_ticks[i].at = i;
		snprintf(chart->x_ticks[i].label, sizeof(chart->x_ticks[i].label), "%s", labels[i]);
	}
	chart->nr_x_ticks = i;
	chart->x_label = "share of operations";
	chart->y_label = "microseconds";
	chart->y_log = true;
	return chart;
}
