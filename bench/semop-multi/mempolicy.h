/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MEMPOLICY_H
#define MEMPOLICY_H

#include <stddef.h>

int memory_apply(const char *how, char *why, size_t size);

#endif
