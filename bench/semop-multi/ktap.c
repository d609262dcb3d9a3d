// SPDX-License-Identifier: GPL-2.0
/* KTAP, for the runners of kselftests: each repetition of a point is a test. */
#include "ktap.h"

static unsigned int tests;

/** ktap_begin - before the first of @points points */
void ktap_begin(FILE *out, unsigned int points)
{
	tests = 0;
	fprintf(out, "KTAP version 1\n1..%u\n", points);
	fflush(out);
}

/** ktap_point - a point has been measured, or has failed for a reason */
void ktap_point(FILE *out, const char *point, const char *failure, double rate)
{
	tests++;
	if (failure)
		fprintf(out, "not ok %u %s # %s\n", tests, point, failure);
	else
		fprintf(out, "ok %u %s # %.*f/s\n", tests, point, rate < 1000, rate);
	fflush(out);
}

/** ktap_skip - nothing can be measured here */
void ktap_skip(FILE *out)
{
	fputs("KTAP version 1\n1..0 # SKIP the system does not permit it\n", out);
}
