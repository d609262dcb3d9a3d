// SPDX-License-Identifier: GPL-2.0
/* After the command: time for late reports, and kmemleak where it is there. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "init.h"

#define KMEMLEAK	"/sys/kernel/debug/kmemleak"

static void wait_ms(int ms)
{
	struct timespec left = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000L,
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

static void scan(void)
{
	int fd = open(KMEMLEAK, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "scan", 4) < 0)
		die("scan with", KMEMLEAK);
	close(fd);
}

/*
 * kmemleak leaves objects younger than five seconds alone, and an object that
 * moved between lists during a scan looks lost until the next one.
 */
static void collect_leaks(void)
{
	char text[4096];
	ssize_t n;
	int fd;

	wait_ms(5500);
	scan();
	scan();
	fd = open(KMEMLEAK, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("open", KMEMLEAK);
	while ((n = read(fd, text, sizeof(text))) > 0)
		port_send(FRAME_LEAKS, text, n);
	close(fd);
}

void reports_collect(int settle_ms)
{
	wait_ms(settle_ms);
	if (!access(KMEMLEAK, F_OK))
		collect_leaks();
}
