/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

enum wake_reason { WAKE_TIME, WAKE_EVENT, WAKE_SIGNAL };

void signals_init(void);
bool signals_interrupted(void);
enum wake_reason signals_wait(uint64_t until, int event);

#endif
