// SPDX-License-Identifier: GPL-2.0
/* What the machine can do at most: a system call that does nothing. */
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

static int step(struct worker *worker)
{
	(void)worker;
	syscall(SYS_getppid);
	syscall(SYS_getppid);
	return 2;
}

const struct workload workload_null = {
	.name = "null",
	.about = "getppid(): the limit that the machine sets",
	.step = step,
};
