// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "ipc_kinds.h"
#include "sem_kernel.h"
#include "sem_test.h"

#ifndef SEM_STAT_ANY
#define SEM_STAT_ANY	20
#endif
#ifndef MSG_STAT_ANY
#define MSG_STAT_ANY	13
#endif
#ifndef SHM_STAT_ANY
#define SHM_STAT_ANY	15
#endif

static int or_errno(int result)
{
	return result < 0 ? -errno : result;
}

static int write_number(const char *path, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	return file_write(path, text);
}

/* Semaphores: a set of 3, the larger one of 4. */

static int get_sem(key_t key, int flags)
{
	return or_errno(semget(key, 3, flags));
}

static int get_larger_sem(key_t key, int flags)
{
	return or_errno(semget(key, 4, flags));
}

static int stat_sem(int cmd, int id, struct ipc_perm *perm)
{
	struct semid_ds ds = { };
	union semun arg = { .buf = &ds };
	int result = or_errno(semctl(id, 0, cmd, arg));

	*perm = ds.sem_perm;
	return result;
}

static int sem_perm(int id, struct ipc_perm *perm)
{
	return stat_sem(IPC_STAT, id, perm);
}

static int set_sem_perm(int id, const struct ipc_perm *perm)
{
	struct semid_ds ds = { .sem_perm = *perm };
	union semun arg = { .buf = &ds };

	return or_errno(semctl(id, 0, IPC_SET, arg));
}

static int stat_sem_index(int index, struct ipc_perm *perm)
{
	return stat_sem(SEM_STAT, index, perm);
}

static int stat_any_sem_index(int index, struct ipc_perm *perm)
{
	return stat_sem(SEM_STAT_ANY, index, perm);
}

static int sem_usage(struct seminfo *info)
{
	union semun arg = { .__buf = info };

	return or_errno(semctl(0, 0, SEM_INFO, arg));
}

static int count_sems(void)
{
	struct seminfo info;
	int err = sem_usage(&info);

	return err < 0 ? err : info.semusz;
}

static int highest_sem(void)
{
	struct seminfo info;

	return sem_usage(&info);
}

static int get_max_sems(void)
{
	struct sem_limits limits;

	sem_get_limits(&limits);
	return limits.mni;
}

static int set_max_sems(int max)
{
	struct sem_limits limits;

	sem_get_limits(&limits);
	limits.mni = max;
	return sem_set_limits(&limits);
}

const struct ipc_kind ipc_sem = {
	.name = "sem",
	.next_id = "/proc/sys/kernel/sem_next_id",
	.proc = "/proc/sysvipc/sem",
	.get = get_sem,
	.get_larger = get_larger_sem,
	.perm = sem_perm,
	.set_perm = set_sem_perm,
	.stat_index = stat_sem_index,
	.stat_any_index = stat_any_sem_index,
	.rmid = sem_rm,
	.count = count_sems,
	.highest = highest_sem,
	.get_max = get_max_sems,
	.set_max = set_max_sems,
};

/* Message queues have no size to ask for. */

#define MSGMNI	"/proc/sys/kernel/msgmni"

static int get_msg(key_t key, int flags)
{
	return or_errno(msgget(key, flags));
}

static int stat_msg(int cmd, int id, struct ipc_perm *perm)
{
	struct msqid_ds ds = { };
	int result = or_errno(msgctl(id, cmd, &ds));

	*perm = ds.msg_perm;
	return result;
}

static int msg_perm(int id, struct ipc_perm *perm)
{
	return stat_msg(IPC_STAT, id, perm);
}

static int set_msg_perm(int id, const struct ipc_perm *perm)
{
	struct msqid_ds ds;
	int err = or_errno(msgctl(id, IPC_STAT, &ds));

	/* The limit on bytes is set along with it; whoever may not read. */
	if (err == -EACCES)
		ds.msg_qbytes = 16384;
	else if (err)
		return err;
	ds.msg_perm = *perm;
	return or_errno(msgctl(id, IPC_SET, &ds));
}

static int stat_msg_index(int index, struct ipc_perm *perm)
{
	return stat_msg(MSG_STAT, index, perm);
}

static int stat_any_msg_index(int index, struct ipc_perm *perm)
{
	return stat_msg(MSG_STAT_ANY, index, perm);
}

static int rm_msg(int id)
{
	return or_errno(msgctl(id, IPC_RMID, NULL));
}

static int count_msgs(void)
{
	struct msginfo info;
	int err = or_errno(msgctl(0, MSG_INFO, (struct msqid_ds *)&info));

	return err < 0 ? err : info.msgpool;
}

static int highest_msg(void)
{
	struct msginfo info;

	return or_errno(msgctl(0, MSG_INFO, (struct msqid_ds *)&info));
}

static int get_max_msgs(void)
{
	return file_number(MSGMNI);
}

static int set_max_msgs(int max)
{
	return write_number(MSGMNI, max);
}

const struct ipc_kind ipc_msg = {
	.name = "msg",
	.next_id = "/proc/sys/kernel/msg_next_id",
	.proc = "/proc/sysvipc/msg",
	.get = get_msg,
	.perm = msg_perm,
	.set_perm = set_msg_perm,
	.stat_index = stat_msg_index,
	.stat_any_index = stat_any_msg_index,
	.rmid = rm_msg,
	.count = count_msgs,
	.highest = highest_msg,
	.get_max = get_max_msgs,
	.set_max = set_max_msgs,
};

/* Shared memory: one page is less than either size, two are not. */

#define SHMMNI	"/proc/sys/kernel/shmmni"

static int get_shm(key_t key, int flags)
{
	return or_errno(shmget(key, 8192, flags));
}

static int get_larger_shm(key_t key, int flags)
{
	return or_errno(shmget(key, 8193, flags));
}

static int stat_shm(int cmd, int id, struct ipc_perm *perm)
{
	struct shmid_ds ds = { };
	int result = or_errno(shmctl(id, cmd, &ds));

	*perm = ds.shm_perm;
	return result;
}

static int shm_perm(int id, struct ipc_perm *perm)
{
	return stat_shm(IPC_STAT, id, perm);
}

static int set_shm_perm(int id, const struct ipc_perm *perm)
{
	struct shmid_ds ds = { .shm_perm = *perm };

	return or_errno(shmctl(id, IPC_SET, &ds));
}

static int stat_shm_index(int index, struct ipc_perm *perm)
{
	return stat_shm(SHM_STAT, index, perm);
}

static int stat_any_shm_index(int index, struct ipc_perm *perm)
{
	return stat_shm(SHM_STAT_ANY, index, perm);
}

static int rm_shm(int id)
{
	return or_errno(shmctl(id, IPC_RMID, NULL));
}

static int shm_usage(struct shm_info *info)
{
	return or_errno(shmctl(0, SHM_INFO, (struct shmid_ds *)info));
}

static int count_shms(void)
{
	struct shm_info info;
	int err = shm_usage(&info);

	return err < 0 ? err : info.used_ids;
}

static int highest_shm(void)
{
	struct shm_info info;

	return shm_usage(&info);
}

static int get_max_shms(void)
{
	return file_number(SHMMNI);
}

static int set_max_shms(int max)
{
	return write_number(SHMMNI, max);
}

const struct ipc_kind ipc_shm = {
	.name = "shm",
	.next_id = "/proc/sys/kernel/shm_next_id",
	.proc = "/proc/sysvipc/shm",
	.get = get_shm,
	.get_larger = get_larger_shm,
	.perm = shm_perm,
	.set_perm = set_shm_perm,
	.stat_index = stat_shm_index,
	.stat_any_index = stat_any_shm_index,
	.rmid = rm_shm,
	.count = count_shms,
	.highest = highest_shm,
	.get_max = get_max_shms,
	.set_max = set_max_shms,
};
