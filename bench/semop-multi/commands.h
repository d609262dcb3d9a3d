/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMMANDS_H
#define COMMANDS_H

/** struct command - a word that the command line may begin with. */
struct command {
	const char *name, *about;
	int (*run)(int argc, char **argv);	/* argv[0] is "semop-multi NAME" */
};

extern const struct command commands[];	/* ends with a name of NULL; the first is the default */

int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_report(int argc, char **argv);
int command_replay(int argc, char **argv);

#endif
