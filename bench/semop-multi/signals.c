// SPDX-License-Identifier: GPL-2.0
/* Signals that end the program are blocked everywhere and looked at where it is safe. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "ipcobjects.h"
#include "signals.h"

static int signal_fd = -1;
static bool interrupted;

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2 };
static const int crashing[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static void on_crash(int signal)
{
	ipcobjects_remove_all();
	raise(signal);	/* the default action is back: SA_RESETHAND */
}

/** signals_init - block the ending signals; call it before any thread is created */
void signals_init(void)
{
	struct sigaction crash = { .sa_handler = on_crash, .sa_flags = SA_RESETHAND };
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signal_fd < 0) {
		perror("semop-multi: signalfd");
		exit(1);
	}
	for (i = 0; i < sizeof(crashing) / sizeof(crashing[0]); i++)
		sigaction(crashing[i], &crash, NULL);
	signal(SIGPIPE, SIG_IGN);	/* a write then fails, and the program ends cleanly */
}

/** signals_interrupted - whether an ending signal has come; once true it stays so */
bool signals_interrupted(void)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof(info)) > 0)
		interrupted = true;
	return interrupted;
}

/**
 * signals_wait - sleep until a time, an event or an ending signal
 * @until: clock_now() to sleep to
 * @event: file descriptor that becomes readable with the event
 *
 * Return: what ended the wait.
 */
enum wake_reason signals_wait(uint64_t until, int event)
{
	struct pollfd fds[] = {
		{ .fd = signal_fd, .events = POLLIN },
		{ .fd = event, .events = POLLIN },
	};
	struct timespec left;
	uint64_t now;

	for (;;) {
		if (signals_interrupted())
			return WAKE_SIGNAL;
		now = clock_now();
		if (now >= until)
			return WAKE_TIME;
		left.tv_sec = (until - now) / NSEC_PER_SEC;
		left.tv_nsec = (until - now) % NSEC_PER_SEC;
		if (ppoll(fds, 2, &left, NULL) > 0 && fds[1].revents)
			return WAKE_EVENT;
	}
}
