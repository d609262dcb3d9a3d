/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One interface to what the three kinds of System V objects have in common:
 * keys, ids, owners and modes.
 */
#ifndef IPC_KINDS_H
#define IPC_KINDS_H

#include <sys/ipc.h>
#include <sys/types.h>

/* All functions return -errno on failure. */
struct ipc_kind {
	const char *name;
	const char *next_id;	/* path of the sysctl */
	const char *proc;	/* path of the list */
	/* The id of an object of the default size, or of a larger one. */
	int (*get)(key_t key, int flags);
	int (*get_larger)(key_t key, int flags);	/* NULL: no size */
	int (*perm)(int id, struct ipc_perm *perm);
	int (*set_perm)(int id, const struct ipc_perm *perm);
	/* By index; the id is returned. */
	int (*stat_index)(int index, struct ipc_perm *perm);
	int (*stat_any_index)(int index, struct ipc_perm *perm);
	int (*rmid)(int id);
	/* How many there are; the highest index. */
	int (*count)(void);
	int (*highest)(void);
	/* The limit on their number. */
	int (*get_max)(void);
	int (*set_max)(int max);
};

extern const struct ipc_kind ipc_sem, ipc_msg, ipc_shm;

#endif /* IPC_KINDS_H */
