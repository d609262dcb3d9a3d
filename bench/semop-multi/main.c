// SPDX-License-Identifier: GPL-2.0
/* semop-multi: how many System V semaphore operations a second N threads do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

int main(int argc, char **argv)
{
	const struct command *command;
	char name[64];

	for (command = commands; argc > 1 && command->name; command++) {
		if (strcmp(argv[1], command->name))
			continue;
		snprintf(name, sizeof(name), "semop-multi %s", command->name);
		argv[1] = name;
		return command->run(argc - 1, argv + 1);
	}
	return commands[0].run(argc, argv);
}
