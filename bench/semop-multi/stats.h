/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stddef.h>

#define STATS_ENOUGH	5	/* runs of each kernel before a difference is judged */
#define STATS_LEVEL	0.05	/* of significance, and of what lies outside an interval */

/** struct summary - what runs of one point come to. */
struct summary {
	size_t n;
	double median, mean, sd, min, max;
	double low, high;	/* 95 % confidence interval of the mean; NaN for one run */
	bool unusable;		/* the runs differ by as much as their mean */
};

double stats_median(double *values, size_t nr);
void stats_summarise(const double *values, size_t nr, struct summary *summary);
double stats_jain(const double *shares, size_t nr);
double stats_mann_whitney(const double *a, size_t nr_a, const double *b, size_t nr_b);
void stats_adjust(double *p, size_t nr);

#endif
