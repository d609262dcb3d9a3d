/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of a report's page. */
#ifndef PAGEPARTS_H
#define PAGEPARTS_H

#include "page.h"

void page_table(const struct page *page, size_t first, bool *done);
void page_statistics(const struct page *page, size_t first);
void page_events(const struct page *page, size_t first);
void page_machines(const struct page *page);
void page_commands(const struct page *page);

#endif
