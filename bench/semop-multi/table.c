// SPDX-License-Identifier: GPL-2.0
/* Tables in the look of the 2013 mail thread: plain columns, numbers to the right. */
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define GAP 2

/** table_init - begin a table; the cells of the heading are added first */
void table_init(struct table *table, unsigned int columns)
{
	*table = (struct table){ .columns = columns };
}

/** table_add - add the next cell */
void table_add(struct table *table, const char *cell)
{
	char **grown = reallocarray(table->cells, table->nr + 1, sizeof(*grown));

	if (!grown)
		abort();
	table->cells = grown;
	table->cells[table->nr] = strdup(cell);
	if (!table->cells[table->nr++])
		abort();
}

/** table_add_rate - add a rate, with decimals where it is small */
void table_add_rate(struct table *table, double rate)
{
	char cell[32];

	snprintf(cell, sizeof(cell), "%.*f", rate < 10 ? 3 : rate < 1000 ? 1 : 0, rate);
	table_add(table, cell);
}

static int column_width(const struct table *table, unsigned int column)
{
	size_t width = 0, length;
	unsigned int i;

	for (i = column; i < table->nr; i += table->columns) {
		length = strlen(table->cells[i]);
		if (length > width)
			width = length;
	}
	return width;
}

static int length_without_blanks(const char *cell)
{
	int length = strlen(cell);

	while (length && cell[length - 1] == ' ')
		length--;
	return length;
}

/** table_print - print heading and rows */
void table_print(const struct table *table, FILE *out)
{
	unsigned int i, column;
	const char *cell;
	int length;

	for (i = 0; i < table->nr; i++) {
		column = i % table->columns;
		cell = table->cells[i];
		length = strlen(cell);
		fprintf(out, "%*s%*s", column ? GAP : 0, "",
			column_width(table, column) - length, "");
		if (column < table->columns - 1)
			fputs(cell, out);
		else
			fprintf(out, "%.*s\n", length_without_blanks(cell), cell);
	}
}

/** table_free - give back the cells */
void table_free(struct table *table)
{
	while (table->nr)
		free(table->cells[--table->nr]);
	free(table->cells);
	table->cells = NULL;
}
