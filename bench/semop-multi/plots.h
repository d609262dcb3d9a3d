/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLOTS_H
#define PLOTS_H

#include "chart.h"
#include "dataset.h"

struct chart *plot_values(const struct dataset *dataset, const struct row *block);
struct chart *plot_ratios(const struct dataset *dataset, const struct row *block);
struct chart *plot_latencies(const struct dataset *dataset, const struct row *row);
void plot_free(struct chart *chart);

#endif
