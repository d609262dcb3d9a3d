/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RESUME_H
#define RESUME_H

#include "kernel.h"
#include "results.h"

int resume_load(struct results *results, const struct running_kernel *kernel, char *why, size_t size);

#endif
