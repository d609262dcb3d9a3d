// SPDX-License-Identifier: GPL-2.0
/*
 * The file systems: the host's over 9p, read-only, below a layer of memory
 * that takes all writes and goes away with the guest.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "init.h"

#define ROOT	"/root"
#define P9	"trans=virtio,version=9p2000.L,msize=512000,access=any,"

static void make_directory(const char *path)
{
	if (mkdir(path, 0755) && errno != EEXIST)
		die("mkdir", path);
}

static void make_directories(const char *path)
{
	char *copy = strdup(path), *slash = copy;

	if (!copy)
		die("memory for", path);
	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		make_directory(copy);
		*slash = '/';
	}
	make_directory(copy);
	free(copy);
}

static void mount_or_die(const char *what, const char *where, const char *type,
			 unsigned long flags, const char *options)
{
	if (mount(what, where, type, flags, options))
		die("mount", where);
}

void mount_first(void)
{
	make_directory("/dev");
	make_directory("/proc");
	mount_or_die("dev", "/dev", "devtmpfs", 0, NULL);
	mount_or_die("proc", "/proc", "proc", 0, NULL);
}

void mount_host_root(void)
{
	make_directory("/lower");
	make_directory("/memory");
	make_directory(ROOT);
	mount_or_die("host", "/lower", "9p", MS_RDONLY,
		     P9 "cache=loose,ignoreqv");
	mount_or_die("memory", "/memory", "tmpfs", 0, "size=80%,nr_inodes=0");
	make_directory("/memory/upper");
	make_directory("/memory/work");
	mount_or_die("root", ROOT, "overlay", 0,
		     "lowerdir=/lower,upperdir=/memory/upper,workdir=/memory/work");
}

/* What is shared keeps its path and no cache, so that both sides agree. */
void mount_shares(char **shares)
{
	char where[4096], tag[32];
	int i;

	for (i = 0; shares && shares[i]; i++) {
		snprintf(where, sizeof(where), ROOT "%s", shares[i]);
		snprintf(tag, sizeof(tag), "share%d", i);
		make_directories(where);
		mount_or_die(tag, where, "9p", 0, P9 "cache=mmap");
	}
}

/* All controllers for the groups that the command makes below the root. */
static void enable_controllers(void)
{
	static const char *const controllers[] = {
		"+cpuset", "+cpu", "+memory", "+pids",
	};
	int fd = open(ROOT "/sys/fs/cgroup/cgroup.subtree_control",
		      O_WRONLY | O_CLOEXEC);
	size_t i;

	if (fd < 0)
		die("open", "cgroup.subtree_control");
	for (i = 0; i < sizeof(controllers) / sizeof(controllers[0]); i++)
		if (write(fd, controllers[i], strlen(controllers[i])) < 0)
			die("cgroup controller", controllers[i]);
	close(fd);
}

void mount_kernel_filesystems(void)
{
	mount_or_die("proc", ROOT "/proc", "proc", 0, NULL);
	mount_or_die("sys", ROOT "/sys", "sysfs", 0, NULL);
	mount_or_die("dev", ROOT "/dev", "devtmpfs", 0, NULL);
	make_directory(ROOT "/dev/pts");
	make_directory(ROOT "/dev/shm");
	make_directory(ROOT "/dev/mqueue");
	mount_or_die("pts", ROOT "/dev/pts", "devpts", 0,
		     "mode=620,ptmxmode=666,gid=5");
	mount_or_die("shm", ROOT "/dev/shm", "tmpfs", 0, "mode=1777");
	mount_or_die("mqueue", ROOT "/dev/mqueue", "mqueue", 0, NULL);
	mount_or_die("cgroup", ROOT "/sys/fs/cgroup", "cgroup2", 0, NULL);
	mount_or_die("debug", ROOT "/sys/kernel/debug", "debugfs", 0, NULL);
	mount_or_die("tracing", ROOT "/sys/kernel/tracing", "tracefs", 0, NULL);
	symlink("/proc/self/fd", ROOT "/dev/fd");
	symlink("/proc/self/fd/0", ROOT "/dev/stdin");
	symlink("/proc/self/fd/1", ROOT "/dev/stdout");
	symlink("/proc/self/fd/2", ROOT "/dev/stderr");
	enable_controllers();
}

void enter_root(void)
{
	if (chdir(ROOT))
		die("chdir", ROOT);
	mount_or_die(".", "/", NULL, MS_MOVE, NULL);
	if (chroot(".") || chdir("/"))
		die("chroot", ROOT);
}
