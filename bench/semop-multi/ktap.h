/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_H
#define KTAP_H

#include <stdio.h>

void ktap_begin(FILE *out, unsigned int points);
void ktap_point(FILE *out, const char *point, const char *failure, double rate);
void ktap_skip(FILE *out);

#endif
