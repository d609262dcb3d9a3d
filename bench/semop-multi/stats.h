/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

double stats_median(double *values, size_t nr);

#endif
