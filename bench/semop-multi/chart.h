/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CHART_H
#define CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_TICKS 256

/** struct chart_point - a value and the ends of its error bar, which may be the value itself. */
struct chart_point {
	double x, y, low, high;
};

/** struct chart_series - a line of a chart. */
struct chart_series {
	const char *name;
	unsigned int colour;	/* of the page's palette */
	struct chart_point *points;
	size_t nr;
};

struct chart_tick {
	double at;
	char label[24];
};

/** struct chart - lines over an x axis whose ticks are given; the y axis finds its own. */
struct chart {
	char title[256];
	const char *x_label, *y_label;
	bool x_log, y_log;
	bool dots;		/* each point is to be seen */
	struct chart_tick x_ticks[MAX_TICKS];
	size_t nr_x_ticks;
	struct chart_series *series;
	size_t nr_series;
};

void chart_svg(const struct chart *chart, FILE *out);
void chart_number(double value, char *text, size_t size);
void put_escaped(FILE *out, const char *text);

#endif
