/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DISTURB_H
#define DISTURB_H

#include "workload.h"

#define MAX_DISTURBANCES 8

struct disturber;

/** struct disturbance - a kind of disturber and how many threads of it. */
struct disturbance {
	const struct disturber *disturber;
	unsigned int threads;
};

int disturbance_parse(struct disturbance *disturbance, const char *text);
const char *disturbance_name(const struct disturbance *disturbance);
const char *disturber_about(unsigned int nr, const char **name);
void disturbances_need(const struct disturbance *disturbances, unsigned int nr,
		       struct needs *needs);
int disturb_start(struct point *point);

#endif
