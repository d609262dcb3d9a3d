// SPDX-License-Identifier: GPL-2.0
/* Progress: one line that is rewritten on a terminal, plain lines elsewhere. */
#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "progress.h"

/** progress_begin - before the first of @points points */
void progress_begin(struct progress *progress, unsigned int points, bool quiet)
{
	*progress = (struct progress){
		.quiet = quiet, .terminal = isatty(STDERR_FILENO), .points = points,
		.began = clock_now(),
	};
}

/** progress_point - one more point is done */
void progress_point(struct progress *progress, const char *point, const char *came_to)
{
	uint64_t elapsed = clock_now() - progress->began;
	unsigned int left;

	progress->done++;
	if (progress->quiet)
		return;
	left = elapsed / progress->done * (progress->points - progress->done) / NSEC_PER_SEC;
	if (progress->terminal)
		fprintf(stderr, "\r[%u/%u, %u:%02u left] %s: %s\033[K", progress->done,
			progress->points, left / 60, left % 60, point, came_to);
	else
		fprintf(stderr, "[%u/%u, %u:%02u left] %s: %s\n", progress->done,
			progress->points, left / 60, left % 60, point, came_to);
}

/** progress_skip - a point need not be measured */
void progress_skip(struct progress *progress)
{
	progress->points--;
}

/** progress_end - clear the line */
void progress_end(struct progress *progress)
{
	if (!progress->quiet && progress->terminal)
		fputs("\r\033[K", stderr);
}
