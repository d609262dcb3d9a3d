/* SPDX-License-Identifier: GPL-2.0 */
#ifndef POLICY_H
#define POLICY_H

#include <stdbool.h>
#include <stddef.h>

#define POLICY_DEFAULT_PRIORITY	10
#define POLICY_MAX_PRIORITY	98	/* one is left above it for the controller */

/** struct policy - a scheduling policy for the workers. */
struct policy {
	int policy;
	int priority;	/* 0 for SCHED_OTHER */
};

int policy_parse(struct policy *policy, const char *text);
const char *policy_short_name(const struct policy *policy);
void policy_describe(const struct policy *policy, char *text, size_t size);
bool policy_is_realtime(const struct policy *policy);
int policy_apply(const struct policy *policy);
int policy_raise_controller(const struct policy *workers);
void policy_lower_controller(void);
int policy_permitted(const struct policy *policy);

#endif
