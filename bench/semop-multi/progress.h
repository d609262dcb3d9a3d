/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** struct progress - how far the session is, on standard error. */
struct progress {
	bool quiet, terminal;
	unsigned int done, points;
	uint64_t began;
};

void progress_begin(struct progress *progress, unsigned int points, bool quiet);
void progress_point(struct progress *progress, const char *point, const char *came_to);
void progress_skip(struct progress *progress);
void progress_end(struct progress *progress);

#endif
