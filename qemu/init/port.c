// SPDX-License-Identifier: GPL-2.0
/* Frames over the virtio port, and the request that comes first. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "init.h"

#define PORT	"/dev/vport0p1"

static int port = -1;

int port_fd(void)
{
	return port;
}

/* The driver announces its ports some time after it was found. */
void port_open(void)
{
	const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	int tries;

	for (tries = 0; tries < 6000; tries++) {
		port = open(PORT, O_RDWR | O_CLOEXEC);
		if (port >= 0)
			return;
		nanosleep(&pause, NULL);
	}
	die("open", PORT);
}

static void write_all(const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(port, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1);	/* no runner: the kernel ends the guest */
		data += n;
		len -= n;
	}
}

void port_send(enum frame_type type, const void *data, size_t len)
{
	static char frame[FRAME_HEADER + FRAME_MAX];

	frame[0] = (char)type;
	frame[1] = (char)len;
	frame[2] = (char)(len >> 8);
	frame[3] = (char)(len >> 16);
	frame[4] = (char)(len >> 24);
	memcpy(frame + FRAME_HEADER, data, len);
	write_all(frame, FRAME_HEADER + len);
}

void port_send_text(enum frame_type type, const char *text)
{
	port_send(type, text, strlen(text));
}

static int read_all(char *data, size_t len)
{
	while (len) {
		ssize_t n = read(port, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		data += n;
		len -= n;
	}
	return 0;
}

/* Returns -1 when the runner is gone or talks nonsense. */
int port_read_frame(enum frame_type *type, char *data, size_t *len)
{
	unsigned char header[FRAME_HEADER];

	if (read_all((char *)header, sizeof(header)))
		return -1;
	*type = header[0];
	*len = header[1] | header[2] << 8 | header[3] << 16 |
	       (size_t)header[4] << 24;
	if (*len > FRAME_MAX)
		return -1;
	return read_all(data, *len);
}

static void append(char ***list, char *string)
{
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	*list = realloc(*list, (n + 2) * sizeof(char *));
	if (!*list)
		die("memory for", "the request");
	(*list)[n] = string;
	(*list)[n + 1] = NULL;
}

static void take_string(struct request *request, char *string)
{
	switch (string[0]) {
	case 'a':
		append(&request->argv, string + 1);
		break;
	case 'e':
		append(&request->envp, string + 1);
		break;
	case 's':
		append(&request->shares, string + 1);
		break;
	case 'd':
		request->directory = string + 1;
		break;
	case 't':
		request->terminal = string + 1;
		break;
	case 'w':
		request->settle_ms = atoi(string + 1);
		break;
	}
}

/* The request may be longer than a frame; an empty frame ends it. */
void request_receive(struct request *request)
{
	enum frame_type type;
	size_t len, total = 0, at;
	char *text = NULL;

	memset(request, 0, sizeof(*request));
	do {
		text = realloc(text, total + FRAME_MAX);
		if (!text)
			die("memory for", "the request");
		if (port_read_frame(&type, text + total, &len) ||
		    type != FRAME_REQUEST)
			die("read", "the request");
		total += len;
	} while (len);

	for (at = 0; at < total; at += strlen(text + at) + 1)
		take_string(request, text + at);
	if (!request->argv || !request->directory)
		die("incomplete:", "the request");
}
