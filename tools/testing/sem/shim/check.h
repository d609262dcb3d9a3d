/* SPDX-License-Identifier: GPL-2.0 */
/* Inside the shim: rules about locks and sleeping. */
#ifndef SEM_SHIM_CHECK_H
#define SEM_SHIM_CHECK_H

#ifdef SHIM_BENCH
static inline void shim_acquiring(const spinlock_t *lock) {}
static inline void shim_acquired(spinlock_t *lock) {}
static inline void shim_releasing(spinlock_t *lock) {}
#else
void shim_acquiring(const spinlock_t *lock);
void shim_acquired(spinlock_t *lock);
void shim_releasing(spinlock_t *lock);
#endif

/* Called with the message before shim_die() ends the process */
extern void (*shim_last_words)(const char *message);

#endif
