// SPDX-License-Identifier: GPL-2.0
/*
 * While the command runs: its output, its input and the kernel's log between
 * the descriptors here and the port.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "init.h"

enum { FROM_OUT, FROM_ERR, FROM_LOG, FROM_PORT, FROM_CHILD, TO_IN, SOURCES };

/* Input that the command has not taken yet; no frame is read meanwhile. */
struct input {
	char data[FRAME_MAX];
	size_t at;
	size_t len;
};

static struct input input;

static int kernel_log(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		die("open", "/dev/kmsg");
	return fd;
}

/* Sends all records that are there; several share a frame. */
void relay_kernel_log(void)
{
	static char text[FRAME_MAX];
	size_t used = 0;

	for (;;) {
		ssize_t n;

		if (sizeof(text) - used < 8192) {
			port_send(FRAME_KERNEL_LOG, text, used);
			used = 0;
		}
		n = read(kernel_log(), text + used, sizeof(text) - used);
		if (n < 0 && errno == EPIPE) {
			port_send_text(FRAME_FAILED,
				       "kernel log: records were lost");
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += n;
	}
	if (used)
		port_send(FRAME_KERNEL_LOG, text, used);
}

/* Returns false at the stream's end. */
static bool relay_output(enum frame_type type, int *fd)
{
	static char data[FRAME_MAX];
	ssize_t n = read(*fd, data, sizeof(data));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n > 0) {
		port_send(type, data, n);
		return true;
	}
	close(*fd);
	*fd = -1;
	return false;
}

static void close_input(struct command *command)
{
	static const char end_of_file = 4;

	if (command->terminal)
		(void)!write(command->in, &end_of_file, 1);
	close(command->in);
	command->in = -1;
}

static void take_frame(struct command *command)
{
	enum frame_type type;
	size_t len;

	if (port_read_frame(&type, input.data, &len))
		_exit(1);
	if (type == FRAME_WINDOW) {
		input.data[len < FRAME_MAX ? len : FRAME_MAX - 1] = '\0';
		command_resize(command, input.data);
	} else if (type == FRAME_STDIN && command->in >= 0) {
		if (!len)
			close_input(command);
		input.at = 0;
		input.len = len;
	}
}

static void feed_input(struct command *command)
{
	ssize_t n = write(command->in, input.data + input.at,
			  input.len - input.at);

	if (n >= 0) {
		input.at += n;
	} else if (errno != EAGAIN && errno != EINTR) {
		close(command->in);
		command->in = -1;
		input.at = input.len;
	}
}

/* True once the command itself has ended; orphans are reaped by the way. */
static bool reap(struct command *command)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != command->pid)
			continue;
		ended = true;
		command->status = WIFSIGNALED(status) ?
				  128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	return ended;
}

static int watch_children(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		die("signalfd", "");
	return fd;
}

static void forget_signals(int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) > 0)
		;
}

/* What the command left running would keep its streams open: it ends too. */
static void end_leftovers(struct command *command)
{
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	while (command->out >= 0 && relay_output(FRAME_STDOUT, &command->out))
		;
	while (command->err >= 0 && relay_output(FRAME_STDERR, &command->err))
		;
}

void relay_run(struct command *command)
{
	int children = watch_children();
	bool ended = reap(command);

	while (!ended) {
		bool pending = input.at < input.len;
		struct pollfd fds[SOURCES] = {
			[FROM_OUT] = { command->out, POLLIN, 0 },
			[FROM_ERR] = { command->err, POLLIN, 0 },
			[FROM_LOG] = { kernel_log(), POLLIN, 0 },
			[FROM_PORT] = { pending ? -1 : port_fd(), POLLIN, 0 },
			[FROM_CHILD] = { children, POLLIN, 0 },
			[TO_IN] = { pending ? command->in : -1, POLLOUT, 0 },
		};

		if (poll(fds, SOURCES, -1) < 0 && errno != EINTR)
			die("poll", "");
		if (fds[FROM_LOG].revents)
			relay_kernel_log();
		if (fds[FROM_OUT].revents)
			relay_output(FRAME_STDOUT, &command->out);
		if (fds[FROM_ERR].revents)
			relay_output(FRAME_STDERR, &command->err);
		if (fds[TO_IN].revents)
			feed_input(command);
		if (fds[FROM_PORT].revents)
			take_frame(command);
		if (fds[FROM_CHILD].revents) {
			forget_signals(children);
			ended = reap(command);
		}
	}
	end_leftovers(command);
}
