// SPDX-License-Identifier: GPL-2.0
/* Who had the CPUs: this program, others, or a hypervisor. */
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "usage.h"

static double seconds_of(const struct rusage *usage)
{
	return usage->ru_utime.tv_sec + usage->ru_stime.tv_sec +
	       1e-6 * (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

static double own_seconds(void)
{
	struct rusage self = { }, children = { };

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return seconds_of(&self) + seconds_of(&children);
}

/** usage_read - the CPU times up to now */
void usage_read(struct usage *usage)
{
	double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
	const double ticks = sysconf(_SC_CLK_TCK);
	FILE *file = fopen("/proc/stat", "re");

	if (file && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
			   &iowait, &irq, &softirq, &steal) < 4)
		user = 0;
	if (file)
		fclose(file);
	usage->busy = (user + nice + system + irq + softirq) / ticks;
	usage->stolen = steal / ticks;
	usage->own = own_seconds();
	usage->at = clock_now();
}

/** usage_since - what others had of the CPUs since @before */
void usage_since(const struct usage *before, struct load *load)
{
	struct usage now;

	usage_read(&now);
	load->seconds = fmax(now.at - before->at, 1) / NSEC_PER_SEC;
	load->others = fmax(now.busy - before->busy - (now.own - before->own), 0) / load->seconds;
	load->stolen = (now.stolen - before->stolen) / load->seconds;
}

/** load_record - a load as JSON */
json_t *load_record(const struct load *load)
{
	return json_pack("{s:f, s:f, s:f}", "seconds", load->seconds, "others_cpus", load->others,
			 "stolen_cpus", load->stolen);
}
