/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IMAGES_H
#define IMAGES_H

#include "dataset.h"

int images_write(const struct dataset *dataset, const char *directory, char *why, size_t size);

#endif
