/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WORKER_H
#define WORKER_H

#include "workload.h"

int worker_start(struct worker *worker);

#endif
