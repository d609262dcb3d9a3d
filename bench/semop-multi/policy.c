// SPDX-License-Identifier: GPL-2.0
/* Scheduling policies: other, fifo[:PRIORITY], rr[:PRIORITY]. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"

static const struct {
	const char *name, *long_name;
	int policy;
} known[] = {
	{ "other", "SCHED_OTHER", SCHED_OTHER },
	{ "fifo", "SCHED_FIFO", SCHED_FIFO },
	{ "rr", "SCHED_RR", SCHED_RR },
};

#define NR_KNOWN (sizeof(known) / sizeof(known[0]))

static size_t find(int policy)
{
	size_t i = 0;

	while (known[i].policy != policy)
		i++;
	return i;
}

static int parse_priority(const char *text)
{
	char *end;
	long priority;

	if (*text < '0' || *text > '9')
		return -1;
	priority = strtol(text, &end, 10);
	if (*end || priority < 1 || priority > POLICY_MAX_PRIORITY)
		return -1;
	return priority;
}

/**
 * policy_parse - read one policy
 * @policy: filled in
 * @text: other, fifo, fifo:PRIORITY, rr or rr:PRIORITY
 *
 * Return: 0, or -1 if @text is no policy.
 */
int policy_parse(struct policy *policy, const char *text)
{
	size_t i, length = strcspn(text, ":");

	for (i = 0; i < NR_KNOWN; i++) {
		if (strlen(known[i].name) != length || strncmp(known[i].name, text, length))
			continue;
		policy->policy = known[i].policy;
		if (text[length])
			policy->priority = parse_priority(text + length + 1);
		else
			policy->priority = policy_is_realtime(policy) ? POLICY_DEFAULT_PRIORITY : 0;
		if (text[length] && !policy_is_realtime(policy))
			return -1;
		return policy->priority < 0 ? -1 : 0;
	}
	return -1;
}

/** policy_short_name - the name that policy_parse() takes, without the priority */
const char *policy_short_name(const struct policy *policy)
{
	return known[find(policy->policy)].name;
}

/** policy_describe - the heading of a table's block, like "SCHED_FIFO, priority 10" */
void policy_describe(const struct policy *policy, char *text, size_t size)
{
	const char *name = known[find(policy->policy)].long_name;

	if (policy_is_realtime(policy))
		snprintf(text, size, "%s, priority %d", name, policy->priority);
	else
		snprintf(text, size, "%s", name);
}

/** policy_is_realtime - whether threads of @policy shut out ordinary ones */
bool policy_is_realtime(const struct policy *policy)
{
	return policy->policy != SCHED_OTHER;
}

/**
 * policy_apply - put the calling thread under @policy
 *
 * Return: 0, or -1 with errno set.
 */
int policy_apply(const struct policy *policy)
{
	struct sched_param param = { .sched_priority = policy->priority };

	return sched_setscheduler(0, policy->policy, &param);
}

/**
 * policy_raise_controller - put the calling thread above the workers
 *
 * Workers that spin under a real-time policy would otherwise keep it from ending the
 * measurement. Ordinary workers cannot, so there a refusal does not matter.
 *
 * Return: 0, or -1 with errno set.
 */
int policy_raise_controller(const struct policy *workers)
{
	struct policy above = { .policy = SCHED_FIFO, .priority = workers->priority + 1 };

	if (policy_apply(&above) && policy_is_realtime(workers))
		return -1;
	return 0;
}

/** policy_lower_controller - undo policy_raise_controller() */
void policy_lower_controller(void)
{
	policy_apply(&(struct policy){ .policy = SCHED_OTHER });
}

/**
 * policy_permitted - find out by trying whether workers may run under @policy
 *
 * Return: 0, or -1 with errno set.
 */
int policy_permitted(const struct policy *policy)
{
	int error = 0;

	if (policy_apply(policy) || policy_raise_controller(policy))
		error = errno;
	policy_lower_controller();
	errno = error;
	return error ? -1 : 0;
}
