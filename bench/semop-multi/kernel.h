/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/** struct running_kernel - what the running kernel says about itself. */
struct running_kernel {
	char name[65];		/* coarse, stock, fine, or the release */
	char release[65];
	char version[65];
	char flavour[16];	/* rt, preempt or plain */
	char hypervisor[16];	/* none, TCG, KVM, ... */
	bool coarse;		/* every set is under one lock */
};

void kernel_identify(struct running_kernel *kernel);
void kernel_name(const char *release, bool coarse, char *name, size_t size);
const char *kernel_flavour(const char *version);

#endif
