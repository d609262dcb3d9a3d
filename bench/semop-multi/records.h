/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORDS_H
#define RECORDS_H

#include <jansson.h>
#include <stdio.h>

#include "kernel.h"
#include "measure.h"
#include "options.h"

json_t *record_plan(const struct options *options);
json_t *record_machine(const struct running_kernel *kernel, const struct options *options,
		       json_t *box, json_t *state);
json_t *record_repetition(const struct running_kernel *kernel, const struct point *point,
			  unsigned int run, const struct options *options,
			  const struct result *result);
json_t *disturbances_record(const struct disturbance *disturbances, unsigned int nr);
int record_write(FILE *out, json_t *record);

#endif
