// SPDX-License-Identifier: GPL-2.0
/* Line charts as inline SVG; the page's style sheet colours them. */
#include <math.h>
#include <string.h>

#include "chart.h"

enum { WIDTH = 480, HEIGHT = 300, LEFT = 58, RIGHT = 468, TOP = 34, BOTTOM = 252 };

struct axis {
	double from, to;	/* logarithms on a logarithmic axis */
	bool log;
};

static double scaled(const struct axis *axis, double value)
{
	double at = axis->log ? log10(fmax(value, 1e-12)) : value;

	at = (at - axis->from) / (axis->to - axis->from);
	return fmin(fmax(at, 0), 1);
}

static double x_of(const struct axis *axis, double value)
{
	return LEFT + 8 + scaled(axis, value) * (RIGHT - LEFT - 16);
}

static double y_of(const struct axis *axis, double value)
{
	return BOTTOM - scaled(axis, value) * (BOTTOM - TOP);
}

/** put_escaped - write @text so that HTML takes it for text */
void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(*text, out);
	}
}

/** chart_number - a number for an axis: 250, 1.5k, 2M */
void chart_number(double value, char *text, size_t size)
{
	if (value >= 1e6)
		snprintf(text, size, "%.3gM", value / 1e6);
	else if (value >= 1e3)
		snprintf(text, size, "%.3gk", value / 1e3);
	else
		snprintf(text, size, "%.3g", value);
}

static void span_y(const struct chart *chart, struct axis *axis)
{
	double low = HUGE_VAL, high = 0;
	const struct chart_point *point;
	size_t i, j;

	for (i = 0; i < chart->nr_series; i++)
		for (j = 0; j < chart->series[i].nr; j++) {
			point = &chart->series[i].points[j];
			low = fmin(low, fmin(point->y, point->low > 0 ? point->low : point->y));
			high = fmax(high, fmax(point->y, point->high));
		}
	if (!(high > 0))
		low = high = 1;
	axis->log = chart->y_log && low > 0;
	axis->from = axis->log ? log10(low) - 0.05 : 0;
	axis->to = axis->log ? log10(high) + 0.05 : high * 1.05;
}

static void span_x(const struct chart *chart, struct axis *axis)
{
	double low = chart->x_ticks[0].at, high = chart->x_ticks[chart->nr_x_ticks - 1].at;

	axis->log = chart->x_log;
	axis->from = axis->log ? log10(low) : low;
	axis->to = axis->log ? log10(high) : high;
	if (axis->to <= axis->from)
		axis->to = axis->from + 1;
}

static double nice_step(double span)
{
	double step = pow(10, floor(log10(span / 4)));

	if (span / step > 20)
		return step * 5;
	return span / step > 8 ? step * 2 : step;
}

static void put_y_tick(const struct axis *y, double value, FILE *out)
{
	char label[24];

	chart_number(value, label, sizeof(label));
	fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
		LEFT, RIGHT, y_of(y, value), y_of(y, value), LEFT - 6, y_of(y, value) + 4, label);
}

static void put_y_axis(const struct axis *y, FILE *out)
{
	static const double parts[] = { 1, 2, 5 };
	bool few = y->to - y->from < 2;
	double value, step;
	int exponent;
	size_t i;

	if (!y->log) {
		step = nice_step(y->to);
		for (value = 0; value <= y->to; value += step)
			put_y_tick(y, value, out);
		return;
	}
	for (exponent = floor(y->from); exponent <= y->to; exponent++)
		for (i = 0; i < (few ? 3 : 1); i++) {
			value = parts[i] * pow(10, exponent);
			if (log10(value) >= y->from && log10(value) <= y->to)
				put_y_tick(y, value, out);
		}
}

/* A tick whose label would run into the one before has none. */
static void put_x_axis(const struct chart *chart, const struct axis *x, FILE *out)
{
	double last = -100, at, half;
	size_t i;

	for (i = 0; i < chart->nr_x_ticks; i++) {
		at = x_of(x, chart->x_ticks[i].at);
		fprintf(out, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n",
			at, at, BOTTOM, BOTTOM + 4);
		half = 4 * strlen(chart->x_ticks[i].label);
		if (at - last < 6 + 2 * half)
			continue;
		fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			fmin(at, WIDTH - half), BOTTOM + 17, chart->x_ticks[i].label);
		last = at;
	}
	fprintf(out, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", LEFT, RIGHT,
		BOTTOM, BOTTOM);
	fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", RIGHT,
		BOTTOM + 34, chart->x_label);
}

static void put_point(const struct chart_series *series, const struct chart_point *point,
		      const struct axis *x, const struct axis *y, FILE *out)
{
	double at = x_of(x, point->x);
	char text[24];

	if (point->high > point->low)
		fprintf(out, "<line class=\"c%u bar\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
			series->colour, at, at, y_of(y, point->low), y_of(y, point->high));
	chart_number(point->y, text, sizeof(text));
	fprintf(out, "<circle class=\"c%u dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\"><title>", series->colour,
		at, y_of(y, point->y));
	put_escaped(out, series->name);
	fprintf(out, ": %s</title></circle>\n", text);
}

static void put_series(const struct chart_series *series, const struct axis *x,
		       const struct axis *y, bool dots, FILE *out)
{
	size_t i;

	fprintf(out, "<polyline class=\"c%u line\" points=\"", series->colour);
	for (i = 0; i < series->nr; i++)
		fprintf(out, "%.1f,%.1f ", x_of(x, series->points[i].x), y_of(y, series->points[i].y));
	fputs("\"/>\n", out);
	for (i = 0; dots && i < series->nr; i++)
		put_point(series, &series->points[i], x, y, out);
}

static void put_legend(const struct chart *chart, FILE *out)
{
	unsigned int at = LEFT;
	size_t i;

	for (i = 0; i < chart->nr_series; i++) {
		fprintf(out, "<line class=\"c%u line\" x1=\"%u\" x2=\"%u\" y1=\"%d\" y2=\"%d\"/>",
			chart->series[i].colour, at, at + 18, BOTTOM + 30, BOTTOM + 30);
		fprintf(out, "<text class=\"key\" x=\"%u\" y=\"%d\">", at + 23, BOTTOM + 34);
		put_escaped(out, chart->series[i].name);
		fputs("</text>\n", out);
		at += 38 + 7 * strlen(chart->series[i].name);
	}
}

/** chart_svg - write @chart, which has ticks, as an svg element */
void chart_svg(const struct chart *chart, FILE *out)
{
	struct axis x, y;
	size_t i;

	span_x(chart, &x);
	span_y(chart, &y);
	fprintf(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
	put_escaped(out, chart->title);
	fprintf(out, "\">\n<text class=\"tick\" x=\"4\" y=\"%d\">%s</text>\n", TOP - 14, chart->y_label);
	put_y_axis(&y, out);
	put_x_axis(chart, &x, out);
	for (i = 0; i < chart->nr_series; i++)
		put_series(&chart->series[i], &x, &y, chart->dots, out);
	put_legend(chart, out);
	fputs("</svg>\n", out);
}
