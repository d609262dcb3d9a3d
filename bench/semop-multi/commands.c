// SPDX-License-Identifier: GPL-2.0
/* The words that the command line may begin with. */
#include <stddef.h>

#include "commands.h"

const struct command commands[] = {
	{ "run", "measure; what is done without a command, too", command_run },
	{ "check", "the state of the machine, with advice", command_check },
	{ "compare", "kernels side by side, from records", command_compare },
	{ "report", "records as one HTML file with charts", command_report },
	{ "replay", "measure again what records were made by", command_replay },
	{ }
};
