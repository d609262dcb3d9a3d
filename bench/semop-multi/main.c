// SPDX-License-Identifier: GPL-2.0
/* semop-multi: how many System V semaphore operations a second N threads do. */
#include <stdio.h>
#include <stdlib.h>

#include "ipcobjects.h"
#include "limits.h"
#include "options.h"
#include "records.h"
#include "session.h"
#include "signals.h"

int main(int argc, char **argv)
{
	struct options options;
	int status;

	options_parse(&options, argc, argv);
	if (options.plan_only) {
		status = record_write(stdout, record_plan(&options)) ? EXIT_FAILED_POINTS : EXIT_DONE;
	} else {
		status = limits_check(&options, stderr);
		if (!status && !options.check_only) {
			signals_init();
			atexit(ipcobjects_remove_all);
			status = session_run(&options);
		}
	}
	options_free(&options);
	return status;
}
