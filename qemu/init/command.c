// SPDX-License-Identifier: GPL-2.0
/* Starts the command behind pipes, or behind a terminal when one was asked for. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "init.h"

/* As a shell says it: not found, and found but not to be executed. */
#define STATUS_NOT_FOUND	127
#define STATUS_NOT_EXECUTABLE	126

static void run(const struct request *request)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (chdir(request->directory)) {
		dprintf(STDERR_FILENO, "guest: %s: %s\n", request->directory,
			strerror(errno));
		_exit(STATUS_NOT_EXECUTABLE);
	}
	environ = request->envp;
	execvp(request->argv[0], request->argv);
	dprintf(STDERR_FILENO, "guest: %s: %s\n", request->argv[0],
		strerror(errno));
	_exit(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

static void take_streams(int in, int out, int err)
{
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(err, STDERR_FILENO) < 0)
		_exit(STATUS_NOT_EXECUTABLE);
}

static void start_with_pipes(struct command *command,
			     const struct request *request)
{
	int in[2], out[2], err[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) ||
	    pipe2(err, O_CLOEXEC))
		die("pipes for", request->argv[0]);
	command->pid = fork();
	if (command->pid < 0)
		die("fork", request->argv[0]);
	if (!command->pid) {
		setsid();
		take_streams(in[0], out[1], err[1]);
		run(request);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	command->in = in[1];
	command->out = out[0];
	command->err = err[0];
}

void command_resize(const struct command *command, const char *size)
{
	struct winsize window = { 0 };

	if (command->terminal &&
	    sscanf(size, "%hu %hu", &window.ws_row, &window.ws_col) == 2)
		ioctl(command->out, TIOCSWINSZ, &window);
}

static void start_with_terminal(struct command *command,
				const struct request *request)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	const char *name;

	if (master < 0 || grantpt(master) || unlockpt(master))
		die("terminal for", request->argv[0]);
	name = ptsname(master);
	command->out = master;
	command->in = dup(master);
	command->err = -1;
	command->terminal = true;
	command_resize(command, request->terminal);
	command->pid = fork();
	if (command->pid < 0)
		die("fork", request->argv[0]);
	if (!command->pid) {
		int slave;

		setsid();
		slave = open(name, O_RDWR);
		take_streams(slave, slave, slave);
		close(slave);
		run(request);
	}
}

void command_start(struct command *command, const struct request *request)
{
	memset(command, 0, sizeof(*command));
	if (request->terminal)
		start_with_terminal(command, request);
	else
		start_with_pipes(command, request);
	fcntl(command->in, F_SETFL, O_NONBLOCK);
}
