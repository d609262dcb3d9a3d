// SPDX-License-Identifier: GPL-2.0
/* Log-linear histograms. Adding a value allocates nothing and touches two lines. */
#include <math.h>
#include <string.h>

#include "histogram.h"

static unsigned int bucket_of(uint64_t value)
{
	unsigned int shift, bucket;

	if (value < 2 * HISTOGRAM_STEPS)
		return value;
	shift = 63 - __builtin_clzll(value) - __builtin_ctz(HISTOGRAM_STEPS);
	bucket = shift * HISTOGRAM_STEPS + (value >> shift);
	return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

/** histogram_lowest - the lowest value that falls into @bucket */
uint64_t histogram_lowest(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < 2 * HISTOGRAM_STEPS)
		return bucket;
	shift = bucket / HISTOGRAM_STEPS - 1;
	return (uint64_t)(bucket - shift * HISTOGRAM_STEPS) << shift;
}

/** histogram_clear - make @histogram empty; this touches all of its memory */
void histogram_clear(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min = UINT64_MAX;
}

/** histogram_add - count @value */
void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->counts[bucket_of(value)]++;
	histogram->total++;
	if (value < histogram->min)
		histogram->min = value;
	if (value > histogram->max)
		histogram->max = value;
}

/** histogram_merge - count all values of @from in @into, too */
void histogram_merge(struct histogram *into, const struct histogram *from)
{
	unsigned int i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->counts[i] += from->counts[i];
	into->total += from->total;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

static uint64_t middle_of(const struct histogram *histogram, unsigned int bucket)
{
	uint64_t low = histogram_lowest(bucket);
	uint64_t middle = low + (histogram_lowest(bucket + 1) - low) / 2;

	if (middle < histogram->min)
		return histogram->min;
	return middle < histogram->max ? middle : histogram->max;
}

/**
 * histogram_quantile - the smallest value that @share of all values do not exceed
 * @share: 0 to 1; 0.5 is the median
 *
 * Return: the middle of that value's bucket; 0 if there are no values.
 */
uint64_t histogram_quantile(const struct histogram *histogram, double share)
{
	uint64_t rank = ceil(share * histogram->total), seen = 0;
	unsigned int i;

	if (!histogram->total)
		return 0;
	if (rank < 1)
		rank = 1;
	for (i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		seen += histogram->counts[i];
		if (seen >= rank)
			break;
	}
	return middle_of(histogram, i);
}
