/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IPCOBJECTS_H
#define IPCOBJECTS_H

#include <stddef.h>
#include <sys/types.h>

enum ipc_kind { IPC_KIND_SEM, IPC_KIND_MSG, IPC_KIND_SHM };

int ipcobjects_create_set(int nsems);
int ipcobjects_create_with_key(enum ipc_kind kind, size_t size, key_t *key);
int ipcobjects_create_queue(void);
int ipcobjects_create_segment(size_t size);
void ipcobjects_remove_all(void);

#endif
