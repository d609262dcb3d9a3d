// SPDX-License-Identifier: GPL-2.0
#include "world.h"

/* An id that nobody has */
#define NO_SEMID	INT_MAX

static const struct __kernel_timespec zero, later = { .tv_sec = 1000000 };

void world_open(struct world *w, uint64_t seed)
{
	int i;

	memset(w, 0, sizeof(*w));
	dice_seed(&w->dice, ~seed);
	for (i = 0; i < MODEL_SETS; i++) {
		w->semid[i] = -1;
		w->last_semid[i] = NO_SEMID;
	}
	w->ns = shim_new_namespace();
	current->nsproxy->ipc_ns = w->ns;
	w->model.now = steps_seconds;
}

void world_close(struct world *w)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++)
		if (w->tasks[i].task)
			world_reap(w, i);
	shim_end_namespace(w->ns);
	current->nsproxy->ipc_ns = &init_ipc_ns;
}

bool world_idle(const struct world *w, int task)
{
	struct task_struct *t = w->tasks[task].task;

	return t && steps_state(t) == STEPS_IDLE;
}

void world_create(struct world *w, int set, int nsems, bool last_id)
{
	long id;

	if (last_id && w->last_semid[set] != NO_SEMID)
		w->ns->ids[0].next_id = w->last_semid[set];
	id = sys_semget(IPC_PRIVATE, nsems, 0600);
	if (id < 0)
		SHIM_DIE("semget() failed: %ld", id);
	w->semid[set] = w->last_semid[set] = id;
	model_create(&w->model, set, nsems);
}

void world_start(struct world *w, const struct step *step)
{
	static const unsigned int flags[] = {
		[START_PROCESS] = 0,
		[START_THREAD] = SHIM_THREAD | CLONE_SYSVSEM,
		[START_PROCESS_SHARING] = CLONE_SYSVSEM,
	};
	struct world_task *t = &w->tasks[step->task];
	bool alone = step->n == START_PROCESS || !world_idle(w, step->other) ||
		     step->other == step->task;
	struct task_struct *parent = alone ? current : w->tasks[step->other].task;
	int err = steps_new(parent, alone ? 0 : flags[step->n], &t->task);

	if (err)
		SHIM_DIE("no task: %d", err);
	t->call.result = 0;
	model_start_task(&w->model, step->task, task_pid_nr(t->task),
			 alone ? -1 : step->other);
}

static void do_op(void *arg)
{
	struct call *call = arg;

	call->result = sys_semtimedop(call->semid, call->sops, call->nsops,
				      call->limit);
}

void world_call_op(struct world *w, const struct step *step)
{
	struct world_task *t = &w->tasks[step->task];
	struct call *call = &t->call;
	int i;

	call->semid = w->last_semid[step->set];
	call->nsops = step->n;
	call->limit = step->limit == LIMIT_ZERO ? &zero :
		      step->limit == LIMIT_LATER ? &later : NULL;
	for (i = 0; i < step->n; i++) {
		const struct model_sop *sop = &step->sops[i];

		call->sops[i].sem_num = sop->num;
		call->sops[i].sem_op = sop->op;
		call->sops[i].sem_flg =
			(sop->flags & MODEL_NOWAIT ? IPC_NOWAIT : 0) |
			(sop->flags & MODEL_UNDO ? SEM_UNDO : 0);
	}
	steps_give(t->task, do_op, call);
}

static void do_ctl(void *arg)
{
	struct call *call = arg;

	call->result = sys_semctl(call->semid, call->num, call->cmd, call->arg);
}

void world_call_ctl(struct world *w, int task, int set, int num, int cmd,
		    unsigned long arg)
{
	struct world_task *t = &w->tasks[task];

	t->call.semid = w->last_semid[set];
	t->call.num = num;
	t->call.cmd = cmd;
	t->call.arg = arg;
	steps_give(t->task, do_ctl, &t->call);
}

static void do_exit_sem(void *arg)
{
	exit_sem(current);
}

void world_call_exit(struct world *w, int task)
{
	steps_give(w->tasks[task].task, do_exit_sem, NULL);
}

void world_reap(struct world *w, int task)
{
	steps_free(w->tasks[task].task);
	w->tasks[task].task = NULL;
}

/*
 * Comparing
 */

static bool agree_on(const char *what, int set, int num, long model, long real,
		     char *why, size_t size)
{
	if (model == real)
		return true;
	snprintf(why, size, "%s of semaphore %d in set %d is %ld, must be %ld",
		 what, num, set, real, model);
	return false;
}

static bool agree_on_sems(struct world *w, int set, char *why, size_t size)
{
	struct model_set *s = &w->model.sets[set];
	unsigned short values[MODEL_SEMS];
	int id = w->semid[set], i;

	if (sys_semctl(id, 0, GETALL, (unsigned long)values)) {
		snprintf(why, size, "GETALL fails on set %d", set);
		return false;
	}
	for (i = 0; i < s->nsems; i++) {
		if (!agree_on("GETALL", set, i, s->sems[i].value, values[i], why, size) ||
		    !agree_on("GETVAL", set, i, s->sems[i].value,
			      sys_semctl(id, i, GETVAL, 0), why, size) ||
		    !agree_on("GETPID", set, i, s->sems[i].pid,
			      sys_semctl(id, i, GETPID, 0), why, size) ||
		    !agree_on("GETNCNT", set, i,
			      model_waiters(&w->model, set, i, false),
			      sys_semctl(id, i, GETNCNT, 0), why, size) ||
		    !agree_on("GETZCNT", set, i,
			      model_waiters(&w->model, set, i, true),
			      sys_semctl(id, i, GETZCNT, 0), why, size))
			return false;
	}
	return true;
}

static bool agree_on_set(struct world *w, int set, char *why, size_t size)
{
	struct model_set *s = &w->model.sets[set];
	struct semid64_ds stat;
	long err = sys_semctl(w->semid[set], 0, IPC_STAT, (unsigned long)&stat);

	if (!s->exists) {
		if (err == -EINVAL)
			return true;
		snprintf(why, size, "set %d is still there", set);
		return false;
	}
	if (err) {
		snprintf(why, size, "IPC_STAT of set %d fails: %ld", set, err);
		return false;
	}
	return agree_on_sems(w, set, why, size) &&
	       agree_on("sem_nsems", set, 0, s->nsems, stat.sem_nsems, why, size) &&
	       agree_on("sem_otime", set, 0, s->otime, stat.sem_otime, why, size) &&
	       agree_on("sem_ctime", set, 0, s->ctime, stat.sem_ctime, why, size);
}

static bool agree_on_task(struct world *w, int task, char *why, size_t size)
{
	struct model_task *m = &w->model.tasks[task];
	bool asleep = !world_idle(w, task);

	if (m->asleep != asleep)
		snprintf(why, size, asleep ? "task %d sleeps, must have got %d" :
			 "task %d got %d, must sleep", task,
			 asleep ? m->result : (int)w->tasks[task].call.result);
	else if (!asleep && m->result != w->tasks[task].call.result)
		snprintf(why, size, "task %d got %ld, must get %d", task,
			 w->tasks[task].call.result, m->result);
	else
		return true;
	return false;
}

bool world_agrees(struct world *w, char *why, size_t size)
{
	int i;

	for (i = 0; i < MODEL_TASKS; i++)
		if (w->tasks[i].task && !agree_on_task(w, i, why, size))
			return false;
	for (i = 0; i < MODEL_SETS; i++)
		if (w->semid[i] >= 0 && !agree_on_set(w, i, why, size))
			return false;
	return true;
}
