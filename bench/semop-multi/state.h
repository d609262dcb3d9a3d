/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STATE_H
#define STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

json_t *state_collect(void);
void state_watch(json_t *state);
unsigned int state_print(const json_t *state, FILE *out);
const char *state_refuse(const json_t *state);
const char *state_refuse_now(void);

#endif
