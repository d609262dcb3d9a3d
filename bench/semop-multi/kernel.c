// SPDX-License-Identifier: GPL-2.0
/* The running kernel's name and flavour, and what it runs under. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "kernel.h"

static bool is_coarse(void)
{
	FILE *file = fopen("/sys/module/kernel/parameters/sem_coarse", "r");
	bool coarse;

	if (!file)
		return false;
	coarse = fgetc(file) == 'Y';
	fclose(file);
	return coarse;
}

/** kernel_name - the name for tables: coarse, stock, fine, or the release itself */
void kernel_name(const char *release, bool coarse, char *name, size_t size)
{
	static const char *const ours[] = { "stock", "fine" };
	char pattern[16];
	size_t i;

	for (i = 0; i < 2 && !coarse; i++) {
		snprintf(pattern, sizeof(pattern), "-%s-", ours[i]);
		if (strstr(release, pattern)) {
			snprintf(name, size, "%s", ours[i]);
			return;
		}
	}
	snprintf(name, size, "%s", coarse ? "coarse" : release);
}

/** kernel_flavour - how preemptible a kernel is, by its uname -v */
const char *kernel_flavour(const char *version)
{
	if (strstr(version, "PREEMPT_RT"))
		return "rt";
	return strstr(version, "PREEMPT") ? "preempt" : "plain";
}

#if defined(__x86_64__) || defined(__i386__)
static void find_hypervisor(char *name, size_t size)
{
	unsigned int a, b, c, d;
	char signature[13] = "";

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 31))) {
		snprintf(name, size, "none");
		return;
	}
	__cpuid(0x40000000, a, b, c, d);
	memcpy(signature, &b, 4);
	memcpy(signature + 4, &c, 4);
	memcpy(signature + 8, &d, 4);
	while (signature[0] && signature[strlen(signature) - 1] == ' ')
		signature[strlen(signature) - 1] = '\0';
	if (!strcmp(signature, "TCGTCGTCGTCG"))
		snprintf(name, size, "TCG");
	else if (!strcmp(signature, "KVMKVMKVM"))
		snprintf(name, size, "KVM");
	else
		snprintf(name, size, "%s", signature[0] ? signature : "unknown");
}
#else
static void find_hypervisor(char *name, size_t size)
{
	snprintf(name, size, "unknown");
}
#endif

/** kernel_identify - ask the running kernel */
void kernel_identify(struct running_kernel *kernel)
{
	struct utsname uts = { };

	uname(&uts);
	snprintf(kernel->release, sizeof(kernel->release), "%s", uts.release);
	snprintf(kernel->version, sizeof(kernel->version), "%s", uts.version);
	snprintf(kernel->flavour, sizeof(kernel->flavour), "%s", kernel_flavour(uts.version));
	kernel->coarse = is_coarse();
	kernel_name(uts.release, kernel->coarse, kernel->name, sizeof(kernel->name));
	find_hypervisor(kernel->hypervisor, sizeof(kernel->hypervisor));
}
