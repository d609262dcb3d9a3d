/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BOX_H
#define BOX_H

#include <jansson.h>
#include <stdio.h>

#include "kernel.h"

json_t *box_describe(void);
void box_print_nodes(FILE *out, const json_t *nodes);
void box_print(FILE *out, const struct running_kernel *kernel, const json_t *box);

#endif
