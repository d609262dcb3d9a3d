/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "disturb.h"
#include "threadlist.h"
#include "workload.h"

#define MAX_POLICIES	8
#define MAX_SELECTIONS	32
#define MAX_PLACEMENTS	8

enum { EXIT_DONE, EXIT_FAILED_POINTS, EXIT_USAGE, EXIT_REFUSED, EXIT_SKIPPED, EXIT_BAD_STATE,
       EXIT_INTERRUPTED = 130 };

/** struct selection - a workload and one of its variants. */
struct selection {
	const struct workload *workload;
	unsigned int variant;
};

/** struct options - the command line, understood. */
struct options {
	struct threadlist threads;
	struct policy policies[MAX_POLICIES];
	unsigned int nr_policies;
	struct selection selections[MAX_SELECTIONS];
	unsigned int nr_selections;
	struct placement placements[MAX_PLACEMENTS];
	unsigned int nr_placements;
	const char *memory;		/* policy, as given */
	double duration, warm_up;
	unsigned int runs;
	unsigned int semaphores;
	unsigned int background;	/* 0: the workload's default */
	unsigned int set_size;		/* 0: the workload's default */
	struct disturbance disturbances[MAX_DISTURBANCES];
	unsigned int nr_disturbances;
	unsigned int interval_us;	/* 0: none */
	bool latency;
	const char *json;
	bool quiet, plan_only, check_only, strict, explain, resume, ktap;
	int argc;
	char **argv;	/* as given */
	int nr_arguments;
	char **arguments;	/* what of them says what is measured, in long options */
};

void options_parse(struct options *options, int argc, char **argv);
struct parameters options_parameters(const struct options *options, unsigned int selection,
				     unsigned int threads);
void options_free(struct options *options);

#endif
