/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

/** struct table - text cells in columns that are set to the right. */
struct table {
	unsigned int columns;
	unsigned int nr;	/* cells, row by row; the first row is the heading */
	char **cells;
};

void table_init(struct table *table, unsigned int columns);
void table_add(struct table *table, const char *cell);
void table_add_rate(struct table *table, double rate);
void table_print(const struct table *table, FILE *out);
void table_free(struct table *table);

#endif
