// SPDX-License-Identifier: GPL-2.0
/* Statistics over repetitions. */
#include <stdlib.h>

#include "stats.h"

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/**
 * stats_median - the median
 * @values: sorted in place
 * @nr: at least 1
 */
double stats_median(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare);
	if (nr % 2)
		return values[nr / 2];
	return (values[nr / 2 - 1] + values[nr / 2]) / 2;
}
