/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

#include "dataset.h"

/** struct page - a report as one file that needs nothing else. */
struct page {
	const struct dataset *dataset;
	const char *title;
	json_t *manifest;	/* of a sweep; NULL: none */
	FILE *out;
};

void page_write(const struct page *page);

#endif
