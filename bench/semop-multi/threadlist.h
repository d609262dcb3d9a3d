/* SPDX-License-Identifier: GPL-2.0 */
#ifndef THREADLIST_H
#define THREADLIST_H

#include <stddef.h>

#define THREADLIST_MAX_THREADS	1000000u
#define THREADLIST_MAX_COUNTS	10000u

/** struct threadlist - the thread counts to measure, in the order given. */
struct threadlist {
	unsigned int *counts;
	size_t nr;
};

int threadlist_parse(struct threadlist *list, const char *text, char *why, size_t size);
unsigned int threadlist_max(const struct threadlist *list);
void threadlist_free(struct threadlist *list);

#endif
