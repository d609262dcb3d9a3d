// SPDX-License-Identifier: GPL-2.0
/* Statistics over repetitions. */
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static double sum_of(const double *values, size_t nr)
{
	double sum = 0;

	while (nr)
		sum += values[--nr];
	return sum;
}

static double deviation(const double *values, size_t nr, double mean)
{
	double squares = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return nr > 1 ? sqrt(squares / (nr - 1)) : 0;
}

/**
 * stats_summarise - the usual figures of @nr runs
 * @nr: at least 1
 *
 * The interval is Student's: runs are few.
 */
void stats_summarise(const double *values, size_t nr, struct summary *summary)
{
	double sorted[nr], half;

	memcpy(sorted, values, sizeof(sorted));
	summary->n = nr;
	summary->median = stats_median(sorted, nr);
	summary->min = sorted[0];
	summary->max = sorted[nr - 1];
	summary->mean = sum_of(values, nr) / nr;
	summary->sd = deviation(values, nr, summary->mean);
	half = nr > 1 ? qt(1 - STATS_LEVEL / 2, nr - 1, 1, 0) * summary->sd / sqrt(nr) : NAN;
	summary->low = summary->mean - half;
	summary->high = summary->mean + half;
	summary->unusable = nr > 1 && summary->max - summary->min >= summary->mean;
}

/** stats_jain - Jain's fairness: 1 if all shares are equal, 1 / @nr if one has everything */
double stats_jain(const double *shares, size_t nr)
{
	double sum = sum_of(shares, nr), squares = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		squares += shares[i] * shares[i];
	return squares > 0 ? sum * sum / (nr * squares) : NAN;
}

/* In how many pairs a is larger; a tie counts half. Sums t^3 - t over the ties of both together. */
static double count_pairs(const double *a, size_t nr_a, const double *b, size_t nr_b, double *ties)
{
	double all[nr_a + nr_b], larger = 0, same;
	size_t i, j;

	for (i = 0; i < nr_a; i++)
		for (j = 0; j < nr_b; j++)
			larger += a[i] > b[j] ? 1 : a[i] == b[j] ? 0.5 : 0;
	memcpy(all, a, nr_a * sizeof(*a));
	memcpy(all + nr_a, b, nr_b * sizeof(*b));
	qsort(all, nr_a + nr_b, sizeof(*all), compare);
	*ties = 0;
	for (i = 0; i < nr_a + nr_b; i = j) {
		for (j = i + 1; j < nr_a + nr_b && all[j] == all[i]; j++)
			;
		same = j - i;
		*ties += same * same * same - same;
	}
	return larger;
}

/**
 * stats_mann_whitney - two-sided p of the Mann-Whitney test
 *
 * Exact for fewer than 50 runs without ties, else by the normal approximation with corrections
 * for continuity and ties: what R's wilcox.test() does.
 */
double stats_mann_whitney(const double *a, size_t nr_a, const double *b, size_t nr_b)
{
	double n = nr_a + nr_b, ties, u = count_pairs(a, nr_a, b, nr_b, &ties);
	double middle = (double)nr_a * nr_b / 2, p, sd, z;

	if (ties == 0 && nr_a < 50 && nr_b < 50) {
		p = u > middle ? pwilcox(u - 1, nr_a, nr_b, 0, 0) : pwilcox(u, nr_a, nr_b, 1, 0);
		return fmin(2 * p, 1);
	}
	sd = sqrt((double)nr_a * nr_b / 12 * (n + 1 - ties / (n * (n - 1))));
	if (sd == 0)
		return 1;
	z = (fabs(u - middle) - 0.5) / sd;
	return z < 0 ? 1 : fmin(2 * pnorm(z, 0, 1, 0, 0), 1);
}

/**
 * stats_adjust - correct the p of @nr rows for their number, in place
 *
 * Benjamini and Hochberg: of the rows called different, at most STATS_LEVEL are so by chance.
 */
void stats_adjust(double *p, size_t nr)
{
	double least = 1;
	size_t i, at, rank;
	bool done[nr + 1];

	memset(done, 0, sizeof(done));
	for (rank = nr; rank; rank--) {
		at = nr;
		for (i = 0; i < nr; i++)
			if (!done[i] && (at == nr || p[i] > p[at]))
				at = i;
		done[at] = true;
		least = fmin(least, p[at] * nr / rank);
		p[at] = least;
	}
}
