// SPDX-License-Identifier: GPL-2.0
/* Message queues, which share the object layer: send and receive, or find by key. */
#include <sys/msg.h>

#include "ipcobjects.h"
#include "workload.h"

enum { SEND, LOOKUP };

static const char *const variants[] = { "send", "lookup", NULL };

static int setup(struct point *point)
{
	if (point->with.variant == LOOKUP &&
	    ipcobjects_create_with_key(IPC_KIND_MSG, 0, &point->key) < 0)
		return point_failed(point, "msgget(IPC_CREAT)", 0);
	point->data = NULL;
	return 0;
}

static int prepare(struct worker *worker)
{
	if (worker->point->with.variant == LOOKUP)
		return 0;
	worker->private = ipcobjects_create_queue();
	return worker->private < 0 ? worker_failed(worker, "msgget") : 0;
}

static int step(struct worker *worker)
{
	struct { long type; char text[8]; } message = { .type = 1 };

	if (worker->point->with.variant == LOOKUP) {
		if (msgget(worker->point->key, 0) < 0)
			return worker_failed(worker, "msgget");
		return 1;
	}
	if (msgsnd(worker->private, &message, sizeof(message.text), 0))
		return worker_failed(worker, "msgsnd");
	if (msgrcv(worker->private, &message, sizeof(message.text), 0, 0) < 0)
		return worker_failed(worker, "msgrcv");
	return 2;
}

const struct workload workload_msg = {
	.name = "msg",
	.about = "a message sent to an own queue and received, or msgget of an existing key",
	.variants = variants,
	.setup = setup,
	.prepare = prepare,
	.step = step,
};
