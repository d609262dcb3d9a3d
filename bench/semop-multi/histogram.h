/* SPDX-License-Identifier: GPL-2.0 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

/*
 * Each power of two is cut into 128 buckets of equal width: a value is known to 0.8 %, and the
 * middle of its bucket is at most 0.4 % off. Below 256 each value has a bucket of its own.
 */
#define HISTOGRAM_STEPS		128u
#define HISTOGRAM_BUCKETS	(HISTOGRAM_STEPS * 35)	/* up to 2^41, half an hour in ns */

/** struct histogram - how often each value occurred, with the extremes as they were. */
struct histogram {
	uint64_t total, min, max;
	uint64_t counts[HISTOGRAM_BUCKETS];
};

void histogram_clear(struct histogram *histogram);
void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);
uint64_t histogram_quantile(const struct histogram *histogram, double share);
uint64_t histogram_lowest(unsigned int bucket);

#endif
