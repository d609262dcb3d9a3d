/* SPDX-License-Identifier: GPL-2.0 */
#ifndef USAGE_H
#define USAGE_H

#include <jansson.h>
#include <stdint.h>

#define USAGE_LOADED 0.2	/* CPUs in use by others, or stolen, that spoil figures */

/** struct usage - CPU time in seconds: of the machine since it booted, of this program. */
struct usage {
	double busy, stolen, own;
	uint64_t at;
};

/** struct load - what others had of the CPUs for a while, in CPUs. */
struct load {
	double seconds, others, stolen;
};

void usage_read(struct usage *usage);
void usage_since(const struct usage *before, struct load *load);
json_t *load_record(const struct load *load);

#endif
