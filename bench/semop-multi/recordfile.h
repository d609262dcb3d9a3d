/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECORDFILE_H
#define RECORDFILE_H

#include <jansson.h>
#include <stddef.h>

double record_fairness(const json_t *record);
json_t *recordfile_read(const char *path, char *why, size_t size);

#endif
