/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guest's init: it makes the host's file system the guest's root, runs one
 * command and tells the runner over a virtio port what came out.
 */
#ifndef GUEST_INIT_H
#define GUEST_INIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A frame on the port is a byte of type, four bytes of length (little endian)
 * and that much payload. qemu/guest knows the same types.
 */
enum frame_type {
	/* from the runner */
	FRAME_REQUEST = 'R',	/* strings, see struct request */
	FRAME_STDIN = 'I',	/* an empty one is end of file */
	FRAME_WINDOW = 'W',	/* "rows columns" */
	/* to the runner */
	FRAME_STEP = 'B',	/* the name of the step that begins */
	FRAME_STDOUT = 'O',
	FRAME_STDERR = 'E',
	FRAME_KERNEL_LOG = 'K',	/* records as /dev/kmsg gives them */
	FRAME_LEAKS = 'L',	/* what kmemleak found */
	FRAME_FAILED = 'F',	/* init itself failed: the reason */
	FRAME_STATUS = 'X',	/* the command's exit status; the last frame */
};

#define FRAME_MAX	65536
#define FRAME_HEADER	5

/* port.c */
void port_open(void);
int port_fd(void);
void port_send(enum frame_type type, const void *data, size_t len);
void port_send_text(enum frame_type type, const char *text);
int port_read_frame(enum frame_type *type, char *data, size_t *len);

/*
 * What the runner asks for. It comes as strings that each begin with a letter:
 * a argument, e environment, d directory, s a shared directory, t "rows
 * columns" of a terminal, w milliseconds to wait for late reports.
 */
struct request {
	char **argv;
	char **envp;
	char **shares;
	const char *directory;
	const char *terminal;
	int settle_ms;
};

void request_receive(struct request *request);

/* main.c */
void die(const char *what, const char *which) __attribute__((noreturn));
void step(const char *name);

/* mounts.c */
void mount_first(void);
void mount_host_root(void);
void mount_shares(char **shares);
void mount_kernel_filesystems(void);
void enter_root(void);

/* setup.c */
void raise_limits(void);
void bring_up_loopback(void);

/* command.c: the command and its streams, -1 where there is none */
struct command {
	pid_t pid;
	int in;
	int out;
	int err;
	bool terminal;
	int status;
};

void command_start(struct command *command, const struct request *request);
void command_resize(const struct command *command, const char *size);

/* relay.c */
void relay_run(struct command *command);
void relay_kernel_log(void);

/* reports.c */
void reports_collect(int settle_ms);

#endif
