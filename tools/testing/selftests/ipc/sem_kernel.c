// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sem_kernel.h"
#include "sem_test.h"

bool sem_kernel_is_ours(void)
{
	struct utsname name;

	if (!access("/sys/module/kernel/parameters/sem_coarse", F_OK))
		return true;
	/* Without /sys the name is all there is. */
	return !uname(&name) && strstr(name.release, "-fine-");
}

int task_pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ? -errno : 0;
}

int task_rule_cpu(void)
{
	struct sched_param param = { .sched_priority = 10 };
	int cpu = sched_getcpu();
	int err;

	if (cpu < 0)
		return -errno;
	err = task_pin(cpu);
	if (err)
		return err;
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		return -errno;
	return cpu;
}

bool task_has_capability(int capability)
{
	char text[4096], *line;

	if (file_read("/proc/self/status", text, sizeof(text)))
		return false;
	line = strstr(text, "\nCapEff:");
	return line && strtoull(line + strlen("\nCapEff:"), NULL, 16) >>
		       capability & 1;
}

int file_read(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read(fd, buf, size - 1);
	if (len < 0)
		len = -errno;
	else
		buf[len] = '\0';
	close(fd);
	return len < 0 ? len : 0;
}

int file_write(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd, err = 0;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		err = -errno;
	close(fd);
	return err;
}

long file_number(const char *path)
{
	char text[64], *end;
	long value;
	int err = file_read(path, text, sizeof(text));

	if (err)
		sem_die("%s: %s", path, strerror(-err));
	value = strtol(text, &end, 10);
	if (end == text)
		sem_die("%s holds no number but '%s'", path, text);
	return value;
}
