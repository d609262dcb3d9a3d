/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdio.h>

#include "dataset.h"

/** struct style - a way to show a comparison. */
struct style {
	const char *name, *about;
	void (*print)(const struct dataset *dataset, FILE *out);
};

extern const struct style styles[];	/* ends with a name of NULL */

void style_mail(const struct dataset *dataset, FILE *out);
void style_lkp(const struct dataset *dataset, FILE *out);
void style_markdown(const struct dataset *dataset, FILE *out);
void style_csv(const struct dataset *dataset, FILE *out);
void style_json(const struct dataset *dataset, FILE *out);

void format_value(const struct dataset *dataset, double value, char *text, size_t size);
void format_cell(const struct dataset *dataset, const struct cell *cell, char *text, size_t size);
void format_verdict(const struct verdict *verdict, char *text, size_t size);
void print_columns(const struct dataset *dataset, FILE *out);
void print_legend(const struct dataset *dataset, FILE *out);

#endif
