// SPDX-License-Identifier: GPL-2.0
/* Every System V object of a measurement, so that none outlives the program. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "ipcobjects.h"

#define MAX_OBJECTS 65536	/* a fixed table, because a crash handler walks it */

static struct {
	enum ipc_kind kind;
	int id;
} objects[MAX_OBJECTS];
static _Atomic int nr_objects;	/* after the object itself, for the crash handler */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static void remove_one(enum ipc_kind kind, int id)
{
	if (kind == IPC_KIND_SEM)
		semctl(id, 0, IPC_RMID);
	else if (kind == IPC_KIND_MSG)
		msgctl(id, IPC_RMID, NULL);
	else
		shmctl(id, IPC_RMID, NULL);
}

static int create(enum ipc_kind kind, key_t key, size_t size)
{
	int flags = IPC_CREAT | IPC_EXCL | 0600;

	if (kind == IPC_KIND_SEM)
		return semget(key, size, flags);
	if (kind == IPC_KIND_MSG)
		return msgget(key, flags);
	return shmget(key, size, flags);
}

static int remember(enum ipc_kind kind, int id)
{
	int slot;

	if (id < 0)
		return -1;
	pthread_mutex_lock(&adding);
	slot = atomic_load(&nr_objects);
	if (slot < MAX_OBJECTS) {
		objects[slot].kind = kind;
		objects[slot].id = id;
		atomic_store(&nr_objects, slot + 1);
	}
	pthread_mutex_unlock(&adding);
	if (slot < MAX_OBJECTS)
		return id;
	remove_one(kind, id);
	errno = ENOSPC;
	return -1;
}

/**
 * ipcobjects_create_set - create a private set
 *
 * Return: the id, or -1 with errno set.
 */
int ipcobjects_create_set(int nsems)
{
	return remember(IPC_KIND_SEM, create(IPC_KIND_SEM, IPC_PRIVATE, nsems));
}

/** ipcobjects_create_queue - create a private message queue */
int ipcobjects_create_queue(void)
{
	return remember(IPC_KIND_MSG, create(IPC_KIND_MSG, IPC_PRIVATE, 0));
}

/** ipcobjects_create_segment - create a private segment of shared memory */
int ipcobjects_create_segment(size_t size)
{
	return remember(IPC_KIND_SHM, create(IPC_KIND_SHM, IPC_PRIVATE, size));
}

/**
 * ipcobjects_create_with_key - create an object under a key that nobody uses
 * @kind: of the object
 * @size: semaphores of a set, bytes of a segment
 * @key: receives the key
 *
 * Return: the id, or -1 with errno set.
 */
int ipcobjects_create_with_key(enum ipc_kind kind, size_t size, key_t *key)
{
	int id;

	do {
		if (getrandom(key, sizeof(*key), 0) != sizeof(*key))
			return -1;
		if (*key == IPC_PRIVATE)
			*key = 1;
		id = create(kind, *key, size);
	} while (id < 0 && errno == EEXIST);
	return remember(kind, id);
}

/** ipcobjects_remove_all - remove what was created; safe in a signal handler */
void ipcobjects_remove_all(void)
{
	int slot = atomic_load(&nr_objects);

	while (slot-- > 0)
		remove_one(objects[slot].kind, objects[slot].id);
	atomic_store(&nr_objects, 0);
}
