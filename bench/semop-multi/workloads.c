// SPDX-License-Identifier: GPL-2.0
/* The list of workloads. */
#include <stdio.h>
#include <string.h>

#include "workload.h"

#define WORKLOADS(X) \
	X(single) X(multi) X(null) X(undo) X(mutex) X(pingpong) X(getval) X(reader) \
	X(sleepers) X(waiters) X(post_many) X(lookup) X(create) X(exit) X(msg) X(shm) \
	X(fork) X(posix)

#define DECLARE(name) extern const struct workload workload_##name;
#define ADDRESS(name) &workload_##name,

WORKLOADS(DECLARE)

const struct workload *const workloads[] = { WORKLOADS(ADDRESS) NULL };

/** workload_find - the workload whose name is the first @length characters of @name, or NULL */
const struct workload *workload_find(const char *name, size_t length)
{
	const struct workload *const *at;

	for (at = workloads; *at; at++)
		if (strlen((*at)->name) == length && !strncmp((*at)->name, name, length))
			return *at;
	return NULL;
}

/** workload_variant - the name of a variant, or NULL where there are none */
const char *workload_variant(const struct workload *workload, unsigned int variant)
{
	return workload->variants ? workload->variants[variant] : NULL;
}

/** workload_describe - NAME, or NAME:VARIANT for variants other than the first */
void workload_describe(const struct workload *workload, unsigned int variant, char *text,
		       size_t size)
{
	if (variant)
		snprintf(text, size, "%s:%s", workload->name, workload->variants[variant]);
	else
		snprintf(text, size, "%s", workload->name);
}
