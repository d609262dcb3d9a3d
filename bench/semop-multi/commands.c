// SPDX-License-Identifier: GPL-2.0
/* The words that the command line may begin with. */
#include <stddef.h>

#include "commands.h"

const struct command commands[] = {
	{ "run", "measure; what is done without a command, too", command_run },
	{ "compare", "kernels side by side, from records", command_compare },
	{ }
};
