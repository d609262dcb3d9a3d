/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of System V semaphores, for the questions of an administrator:
 * who made or removed a set, which limit refused, who waits and for how long.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sem

#if !defined(_TRACE_SEM_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_SEM_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(sem_set,

	TP_PROTO(int semid, int key, int nsems, unsigned int uid),

	TP_ARGS(semid, key, nsems, uid),

	TP_STRUCT__entry(
		__field(int, semid)
		__field(int, key)
		__field(int, nsems)
		__field(unsigned int, uid)
	),

	TP_fast_assign(
		__entry->semid = semid;
		__entry->key = key;
		__entry->nsems = nsems;
		__entry->uid = uid;
	),

	TP_printk("semid=%d key=0x%08x nsems=%d uid=%u",
		  __entry->semid, __entry->key, __entry->nsems, __entry->uid)
);

/* The current task made a set */
DEFINE_EVENT(sem_set, sem_create,
	TP_PROTO(int semid, int key, int nsems, unsigned int uid),
	TP_ARGS(semid, key, nsems, uid)
);

/* The current task removed a set, or its namespace ended */
DEFINE_EVENT(sem_set, sem_remove,
	TP_PROTO(int semid, int key, int nsems, unsigned int uid),
	TP_ARGS(semid, key, nsems, uid)
);

/* A limit of kernel.sem refused: SEMMSL, SEMMNS, SEMMNI or SEMOPM */
TRACE_EVENT(sem_limit,

	TP_PROTO(const char *name, long wanted, long limit),

	TP_ARGS(name, wanted, limit),

	TP_STRUCT__entry(
		__string(name, name)
		__field(long, wanted)
		__field(long, limit)
	),

	TP_fast_assign(
		__assign_str(name);
		__entry->wanted = wanted;
		__entry->limit = limit;
	),

	TP_printk("%s wanted=%ld limit=%ld",
		  __get_str(name), __entry->wanted, __entry->limit)
);

/* The current task is about to sleep on this semaphore */
TRACE_EVENT(sem_block,

	TP_PROTO(int semid, unsigned int num, int op),

	TP_ARGS(semid, num, op),

	TP_STRUCT__entry(
		__field(int, semid)
		__field(unsigned int, num)
		__field(int, op)
	),

	TP_fast_assign(
		__entry->semid = semid;
		__entry->num = num;
		__entry->op = op;
	),

	TP_printk("semid=%d num=%u op=%d",
		  __entry->semid, __entry->num, __entry->op)
);

/* The current task ended the wait of another one: 0, or an error */
TRACE_EVENT(sem_grant,

	TP_PROTO(int semid, int pid, int result),

	TP_ARGS(semid, pid, result),

	TP_STRUCT__entry(
		__field(int, semid)
		__field(int, pid)
		__field(int, result)
	),

	TP_fast_assign(
		__entry->semid = semid;
		__entry->pid = pid;
		__entry->result = result;
	),

	TP_printk("semid=%d sleeper=%d result=%d",
		  __entry->semid, __entry->pid, __entry->result)
);

/* The current task gave up: the time of semtimedop() was over */
TRACE_EVENT(sem_timeout,

	TP_PROTO(int semid),

	TP_ARGS(semid),

	TP_STRUCT__entry(
		__field(int, semid)
	),

	TP_fast_assign(
		__entry->semid = semid;
	),

	TP_printk("semid=%d", __entry->semid)
);

#endif /* _TRACE_SEM_H */

#include <trace/define_trace.h>
