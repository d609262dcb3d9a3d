// SPDX-License-Identifier: GPL-2.0
/* The command run: measure what the command line asks for. */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "ipcobjects.h"
#include "ktap.h"
#include "sysparameters.h"
#include "options.h"
#include "records.h"
#include "session.h"
#include "signals.h"

/** command_run - the command run */
int command_run(int argc, char **argv)
{
	struct options options;
	int status;

	options_parse(&options, argc, argv);
	if (options.plan_only) {
		status = record_write(stdout, record_plan(&options)) ? EXIT_FAILED_POINTS : EXIT_DONE;
	} else {
		status = limits_check(&options, stderr);
		if (status == EXIT_REFUSED && options.ktap) {
			ktap_skip(stdout);
			status = EXIT_SKIPPED;
		}
		if (!status && !options.check_only) {
			signals_init();
			atexit(ipcobjects_remove_all);
			status = session_run(&options);
		}
	}
	options_free(&options);
	return status;
}
