/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tests ask about the kernel and the task that they run on, beyond
 * semaphores.
 */
#ifndef SEM_KERNEL_H
#define SEM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Whether the kernel has the semaphores of this tree: the known defects of
 * others are no failure (XFAIL) there.
 */
bool sem_kernel_is_ours(void);

/*
 * Makes the calling thread the only one that runs on its CPU: FIFO, pinned.
 * Whoever is pinned to the same CPU does not run until it blocks. Returns the
 * CPU or -errno.
 */
int task_rule_cpu(void);
/* Pins the calling thread to a CPU; returns 0 or -errno. */
int task_pin(int cpu);

/* Whether the calling process has it in effect (root may lack some). */
bool task_has_capability(int capability);

/* Reads and writes of small files; they return 0 or -errno. */
int file_read(const char *path, char *buf, size_t size);
int file_write(const char *path, const char *text);
/* One number; ends the test if that cannot be read. */
long file_number(const char *path);

#endif /* SEM_KERNEL_H */
