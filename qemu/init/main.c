// SPDX-License-Identifier: GPL-2.0
/* The guest's init, step by step. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "init.h"

/* The runner ends the guest when it has the last frame. */
static void power_off(void)
{
	sync();
	sleep(10);
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

void die(const char *what, const char *which)
{
	char text[512];

	snprintf(text, sizeof(text), "%s %s: %s", what, which, strerror(errno));
	dprintf(STDERR_FILENO, "guest init: %s\n", text);
	if (port_fd() >= 0)
		port_send_text(FRAME_FAILED, text);
	power_off();
	__builtin_unreachable();
}

void step(const char *name)
{
	port_send_text(FRAME_STEP, name);
}

/*
 * Real-time workers may take every CPU for themselves: what they print and
 * the end of the command must still get out. Children start as usual.
 */
static void outrank_workers(void)
{
	struct sched_param param = { .sched_priority = 99 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		die("priority of", "init");
}

static void report_status(const struct command *command)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", command->status);
	port_send_text(FRAME_STATUS, text);
}

int main(void)
{
	struct request request;
	struct command command;

	mount_first();
	port_open();
	step("receive the request");
	request_receive(&request);
	step("mount the host's file system");
	mount_host_root();
	step("mount shared directories");
	mount_shares(request.shares);
	step("mount the kernel's file systems");
	mount_kernel_filesystems();
	step("enter the root");
	enter_root();
	step("raise limits");
	raise_limits();
	step("bring up the loopback device");
	bring_up_loopback();
	step("start the command");
	outrank_workers();
	command_start(&command, &request);
	step("run the command");
	relay_run(&command);
	step("collect reports");
	reports_collect(request.settle_ms);
	relay_kernel_log();
	report_status(&command);
	power_off();
	return 0;
}
