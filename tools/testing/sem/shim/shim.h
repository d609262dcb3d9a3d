/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seam: what ipc/sem*.c and ipc/util.c find in user space instead of the
 * kernel.  The compiler includes this file before all others, and the kernel
 * headers that it stands for are empty files (see HEADERS in the Makefile).
 *
 * With SHIM_STEPS tasks are coroutines that one scheduler switches, which
 * decides everything and can be told a seed; without, they are threads.
 */
#ifndef SEM_SHIM_H
#define SEM_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* As gcc says it */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#define __KERNEL__ 1
/* The C library defines both of __BIG_ENDIAN and __LITTLE_ENDIAN, a kernel one */
#if __BYTE_ORDER == __LITTLE_ENDIAN
#undef __BIG_ENDIAN
#else
#undef __LITTLE_ENDIAN
#endif

#include "types.h"
#include "atomic.h"
#include "lock.h"
#include "rcu.h"
#include "bits.h"
#include "memory.h"
#include "task.h"
#include "work.h"
#include "around.h"

#endif
