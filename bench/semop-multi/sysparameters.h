/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SYSPARAMETERS_H
#define SYSPARAMETERS_H

#include <stdio.h>

#include "options.h"

int limits_check(const struct options *options, FILE *complaints);

#endif
