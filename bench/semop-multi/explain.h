/* SPDX-License-Identifier: GPL-2.0 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <jansson.h>
#include <stdint.h>

#include "table.h"

#define MAX_EXPLANATIONS 24

/** struct explanation - how often each known event happened. */
struct explanation {
	uint64_t counts[MAX_EXPLANATIONS];
};

unsigned int explain_open(void);
void explain_read(struct explanation *now);
unsigned int explain_nr(void);
void explain_heading(struct table *table);
void explain_row(struct table *table, const struct explanation *events, uint64_t operations);
void explain_difference(const struct explanation *from, const struct explanation *to,
			struct explanation *events);
void explain_from_record(const json_t *record, struct explanation *events);
json_t *explain_record(const struct explanation *from, const struct explanation *to);

#endif
