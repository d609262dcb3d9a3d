/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SESSION_H
#define SESSION_H

#include "options.h"

int session_run(const struct options *options);

#endif
