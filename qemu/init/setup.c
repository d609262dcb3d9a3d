// SPDX-License-Identifier: GPL-2.0
/* Limits high enough for tens of thousands of tasks, and the loopback device. */
#include <fcntl.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "init.h"

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("write", path);
	close(fd);
}

static void set_limit(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = { .rlim_cur = soft, .rlim_max = hard };

	if (setrlimit(resource, &limit))
		die("setrlimit", "");
}

/* The soft limit on files stays low: some programs close all up to it. */
void raise_limits(void)
{
	write_file("/proc/sys/kernel/pid_max", "4194304");
	write_file("/proc/sys/kernel/threads-max", "400000");
	write_file("/proc/sys/vm/max_map_count", "1048576");
	set_limit(RLIMIT_NPROC, RLIM_INFINITY, RLIM_INFINITY);
	set_limit(RLIMIT_SIGPENDING, RLIM_INFINITY, RLIM_INFINITY);
	set_limit(RLIMIT_MEMLOCK, RLIM_INFINITY, RLIM_INFINITY);
	set_limit(RLIMIT_MSGQUEUE, RLIM_INFINITY, RLIM_INFINITY);
	set_limit(RLIMIT_RTPRIO, 99, 99);
	set_limit(RLIMIT_NOFILE, 16384, 1048576);
}

void bring_up_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die("socket for", "lo");
	request.ifr_flags = IFF_UP | IFF_RUNNING;
	if (ioctl(fd, SIOCSIFFLAGS, &request))
		die("bring up", "lo");
	close(fd);
	if (sethostname("guest", strlen("guest")))
		die("set", "hostname");
}
