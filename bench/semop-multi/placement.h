/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include <stddef.h>

/** struct placement - which CPU each worker is pinned to. */
struct placement {
	char *name;	/* as it was asked for */
	int *cpus;	/* worker i goes to cpus[i % nr]; nr is 0 where nothing is pinned */
	size_t nr;
};

int placement_parse(struct placement *placement, const char *text, char *why, size_t size);
int placement_apply(const struct placement *placement, unsigned int worker);
void placement_enter(const struct placement *placement);
void placement_leave(void);
void placement_free(struct placement *placement);

#endif
