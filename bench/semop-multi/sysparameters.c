// SPDX-License-Identifier: GPL-2.0
/* What the system permits, looked at before anything runs. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sem.h>

#include "sysparameters.h"

#define MAX_SET_SIZE 65536ul	/* sem_num is an unsigned short */

static void keep_larger(unsigned long *value, unsigned long other)
{
	if (other > *value)
		*value = other;
}

static void largest_needs(const struct options *options, struct needs *largest)
{
	unsigned int i;

	*largest = (struct needs){ };
	for (i = 0; i < options->nr_selections; i++) {
		const struct workload *workload = options->selections[i].workload;
		struct parameters with =
			options_parameters(options, i, threadlist_max(&options->threads));
		struct needs needs = { .tasks = with.threads };

		if (workload->needs)
			workload->needs(&with, &needs);
		disturbances_need(options->disturbances, options->nr_disturbances, &needs);
		keep_larger(&largest->sets, needs.sets);
		keep_larger(&largest->set_size, needs.set_size);
		keep_larger(&largest->semaphores, needs.semaphores);
		keep_larger(&largest->operations, needs.operations);
		keep_larger(&largest->tasks, needs.tasks);
	}
}

static int check_policies(const struct options *options, FILE *complaints)
{
	const struct policy *policy;
	unsigned int i;

	for (i = 0; i < options->nr_policies; i++) {
		policy = &options->policies[i];
		if (!policy_is_realtime(policy) || !policy_permitted(policy))
			continue;
		fprintf(complaints,
			"semop-multi: policy %s, priority %d and one above, is not permitted (%s): run as root, raise the limit (ulimit -r %d), or leave it out of --policy\n",
			policy_short_name(policy), policy->priority, strerror(errno),
			policy->priority + 1);
		return EXIT_REFUSED;
	}
	return 0;
}

/* Nothing of the system's own use may be taken: what is needed comes on top. */
static int check_sem_limits(const struct needs *needs, FILE *complaints)
{
	struct seminfo limit = { }, used = { };
	unsigned long sets, semaphores;

	if (!needs->sets)
		return 0;
	if (semctl(0, 0, IPC_INFO, &limit) < 0 || semctl(0, 0, SEM_INFO, &used) < 0) {
		fprintf(complaints, "semop-multi: no System V semaphores in this kernel: %s\n",
			strerror(errno));
		return EXIT_REFUSED;
	}
	sets = needs->sets + used.semusz;
	semaphores = needs->semaphores + used.semaem;
	if (needs->set_size <= (unsigned long)limit.semmsl &&
	    semaphores <= (unsigned long)limit.semmns &&
	    needs->operations <= (unsigned long)limit.semopm &&
	    sets <= (unsigned long)limit.semmni)
		return 0;
	fprintf(complaints,
		"semop-multi: needs %lu sets, %lu semaphores in one and %lu in all, %lu operations a call, more than kernel.sem permits; type: sysctl -w kernel.sem='%lu %lu %lu %lu'\n",
		needs->sets, needs->set_size, needs->semaphores, needs->operations,
		needs->set_size > (unsigned long)limit.semmsl ? needs->set_size : (unsigned long)limit.semmsl,
		semaphores > (unsigned long)limit.semmns ? semaphores : (unsigned long)limit.semmns,
		needs->operations > (unsigned long)limit.semopm ? needs->operations : (unsigned long)limit.semopm,
		sets > (unsigned long)limit.semmni ? sets : (unsigned long)limit.semmni);
	return EXIT_REFUSED;
}

static unsigned long read_limit(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long limit = ~0ul;

	if (file) {
		if (fscanf(file, "%lu", &limit) != 1)
			limit = ~0ul;
		fclose(file);
	}
	return limit;
}

static int check_tasks(const struct needs *needs, FILE *complaints)
{
	static const char *const names[] = { "kernel.threads-max", "kernel.pid_max" };
	static const char *const paths[] = {
		"/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max",
	};
	struct rlimit own;
	int i;

	for (i = 0; i < 2; i++) {
		if (needs->tasks < read_limit(paths[i]))
			continue;
		fprintf(complaints, "semop-multi: needs %lu tasks; type: sysctl -w %s=%lu\n",
			needs->tasks, names[i], 2 * needs->tasks);
		return EXIT_REFUSED;
	}
	if (!getrlimit(RLIMIT_NPROC, &own) && own.rlim_cur != RLIM_INFINITY &&
	    needs->tasks >= own.rlim_cur) {
		fprintf(complaints, "semop-multi: needs %lu tasks; type: ulimit -u %lu\n",
			needs->tasks, 2 * needs->tasks);
		return EXIT_REFUSED;
	}
	return 0;
}

/**
 * limits_check - see whether everything that is asked for is permitted
 * @complaints: receives one line about what is not
 *
 * Return: 0, EXIT_USAGE or EXIT_REFUSED.
 */
int limits_check(const struct options *options, FILE *complaints)
{
	struct needs needs;
	int status;

	largest_needs(options, &needs);
	if (needs.set_size > MAX_SET_SIZE) {
		fprintf(complaints,
			"semop-multi: needs a set of %lu semaphores, and semop can name %lu: ask for fewer threads or semaphores\n",
			needs.set_size, MAX_SET_SIZE);
		return EXIT_USAGE;
	}
	status = check_policies(options, complaints);
	if (!status)
		status = check_sem_limits(&needs, complaints);
	if (!status)
		status = check_tasks(&needs, complaints);
	return status;
}
