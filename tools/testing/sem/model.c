// SPDX-License-Identifier: GPL-2.0
#include "model.h"

#include <errno.h>
#include <string.h>

static struct model_debt *debt_of(struct model *m, int task, int set)
{
	return &m->debts[m->tasks[task].group][set];
}

/*
 * What would become of the sops?  @sems and @debt are copies that they are
 * applied to.  0, an error, or MODEL_ASLEEP with the sop that blocks.
 */
static int attempt(const struct model_sop *sops, int nsops, int pid,
		   struct model_set *set, struct model_debt *debt, int *blocked)
{
	int i;

	for (i = 0; i < nsops; i++) {
		struct model_sem *sem = &set->sems[sops[i].num];
		int *adjust = &debt->adjust[sops[i].num];

		if (sops[i].op == 0 ? sem->value != 0 :
				      sem->value + sops[i].op < 0) {
			*blocked = i;
			return sops[i].flags & MODEL_NOWAIT ? -EAGAIN : MODEL_ASLEEP;
		}
		sem->value += sops[i].op;
		if (sem->value > MODEL_VALUE_MAX)
			return -ERANGE;
		if (sops[i].flags & MODEL_UNDO) {
			*adjust -= sops[i].op;
			if (*adjust > MODEL_VALUE_MAX || *adjust < -MODEL_VALUE_MAX - 1)
				return -ERANGE;
		}
		sem->pid = pid;
	}
	return 0;
}

/* All or nothing */
static int perform(struct model *m, struct model_task *t)
{
	struct model_set set = m->sets[t->set];
	struct model_debt debt = m->debts[t->group][t->set];
	int result = attempt(t->sops, t->nsops, t->pid, &set, &debt, &t->blocked);

	if (result)
		return result;
	m->sets[t->set] = set;
	m->debts[t->group][t->set] = debt;
	return 0;
}

/* Who alters nothing comes first, among those who has one sop; then age */
static bool comes_before(const struct model_task *a, const struct model_task *b)
{
	int rank_a = a->alters ? 2 : a->nsops > 1;
	int rank_b = b->alters ? 2 : b->nsops > 1;

	return rank_a != rank_b ? rank_a < rank_b : a->arrival < b->arrival;
}

/* The next sleeper in order after @last that sleeps on the set */
static struct model_task *next_sleeper(struct model *m, int set,
				       const struct model_task *last)
{
	struct model_task *t, *best = NULL;

	for (t = m->tasks; t < m->tasks + MODEL_TASKS; t++) {
		if (!t->exists || !t->asleep || t->set != set)
			continue;
		if (last && !comes_before(last, t))
			continue;
		if (!best || comes_before(t, best))
			best = t;
	}
	return best;
}

/* Something changed: complete whoever can go, beginning anew after each one */
static bool settle(struct model *m, int set)
{
	struct model_task *t = NULL;
	bool granted = false;

	while ((t = next_sleeper(m, set, t))) {
		int result = perform(m, t);

		if (result == MODEL_ASLEEP)
			continue;
		t->asleep = false;
		t->result = result;
		if (!result)
			granted = true;
		t = NULL;
	}
	return granted;
}

void model_start_task(struct model *m, int task, int pid, int joins)
{
	struct model_task *t = &m->tasks[task];
	bool used[MODEL_TASKS] = {};
	int i, group = 0;

	for (i = 0; i < MODEL_TASKS; i++)
		if (m->tasks[i].exists)
			used[m->tasks[i].group] = true;
	while (used[group])
		group++;
	memset(t, 0, sizeof(*t));
	t->exists = true;
	t->pid = pid;
	t->group = joins < 0 ? group : m->tasks[joins].group;
	if (joins < 0)
		memset(m->debts[group], 0, sizeof(m->debts[group]));
}

static void pay(struct model *m, int task, int set)
{
	struct model_debt *debt = debt_of(m, task, set);
	int i;

	if (!debt->exists || !m->sets[set].exists)
		return;
	for (i = 0; i < m->sets[set].nsems; i++) {
		struct model_sem *sem = &m->sets[set].sems[i];

		if (!debt->adjust[i])
			continue;
		sem->value += debt->adjust[i];
		if (sem->value < 0)
			sem->value = 0;
		if (sem->value > MODEL_VALUE_MAX)
			sem->value = MODEL_VALUE_MAX;
		sem->pid = m->tasks[task].pid;
	}
	memset(debt, 0, sizeof(*debt));
	m->sets[set].otime = m->now;
	settle(m, set);
}

void model_exit(struct model *m, int task)
{
	int i;

	m->tasks[task].exists = false;
	for (i = 0; i < MODEL_TASKS; i++)
		if (m->tasks[i].exists && m->tasks[i].group == m->tasks[task].group)
			return;
	for (i = 0; i < MODEL_SETS; i++)
		pay(m, task, i);
}

void model_create(struct model *m, int set, int nsems)
{
	struct model_set *s = &m->sets[set];

	memset(s, 0, sizeof(*s));
	s->exists = true;
	s->nsems = nsems;
	s->ctime = m->now;
}

int model_op(struct model *m, int task, int set, const struct model_sop *sops,
	     int nsops, bool hurry)
{
	struct model_task *t = &m->tasks[task];
	int i, result;

	if (!m->sets[set].exists)
		return t->result = -EINVAL;
	t->set = set;
	t->nsops = nsops;
	t->alters = false;
	memcpy(t->sops, sops, nsops * sizeof(*sops));
	for (i = 0; i < nsops; i++)
		if (sops[i].num >= m->sets[set].nsems)
			return t->result = -EFBIG;
	for (i = 0; i < nsops; i++) {
		t->alters |= sops[i].op != 0;
		if (sops[i].flags & MODEL_UNDO)
			debt_of(m, task, set)->exists = true;
	}

	result = perform(m, t);
	if (result == MODEL_ASLEEP && !hurry) {
		t->arrival = ++m->arrivals;
		t->asleep = true;
		return result;
	}
	if (result == MODEL_ASLEEP)
		result = -EAGAIN;
	if (!result) {
		m->sets[set].otime = m->now;
		settle(m, set);
	}
	return t->result = result;
}

void model_give_up(struct model *m, int task, int why)
{
	if (!m->tasks[task].asleep)
		return;
	m->tasks[task].asleep = false;
	m->tasks[task].result = why;
}

/* New values are nobody's debt any more, and may let sleepers go */
static void overwritten(struct model *m, int set)
{
	m->sets[set].ctime = m->now;
	if (settle(m, set))
		m->sets[set].otime = m->now;
}

int model_set_value(struct model *m, int task, int set, int num, int value)
{
	struct model_set *s = &m->sets[set];
	int i;

	if (value < 0 || value > MODEL_VALUE_MAX)
		return -ERANGE;
	if (!s->exists || num >= s->nsems)
		return -EINVAL;
	s->sems[num].value = value;
	s->sems[num].pid = m->tasks[task].pid;
	for (i = 0; i < MODEL_TASKS; i++)
		m->debts[i][set].adjust[num] = 0;
	overwritten(m, set);
	return 0;
}

int model_set_all(struct model *m, int task, int set, const int *values)
{
	struct model_set *s = &m->sets[set];
	int i;

	if (!s->exists)
		return -EINVAL;
	for (i = 0; i < s->nsems; i++)
		if (values[i] > MODEL_VALUE_MAX)
			return -ERANGE;
	for (i = 0; i < s->nsems; i++) {
		s->sems[i].value = values[i];
		s->sems[i].pid = m->tasks[task].pid;
	}
	for (i = 0; i < MODEL_TASKS; i++)
		memset(m->debts[i][set].adjust, 0, sizeof(m->debts[i][set].adjust));
	overwritten(m, set);
	return 0;
}

int model_remove(struct model *m, int set)
{
	int i;

	if (!m->sets[set].exists)
		return -EINVAL;
	for (i = 0; i < MODEL_TASKS; i++) {
		memset(&m->debts[i][set], 0, sizeof(m->debts[i][set]));
		if (m->tasks[i].exists && m->tasks[i].set == set)
			model_give_up(m, i, -EIDRM);
	}
	memset(&m->sets[set], 0, sizeof(m->sets[set]));
	return 0;
}

int model_waiters(const struct model *m, int set, int num, bool for_zero)
{
	const struct model_task *t;
	int n = 0;

	for (t = m->tasks; t < m->tasks + MODEL_TASKS; t++)
		if (t->exists && t->asleep && t->set == set &&
		    t->sops[t->blocked].num == num &&
		    (t->sops[t->blocked].op == 0) == for_zero)
			n++;
	return n;
}
