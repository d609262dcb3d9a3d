// SPDX-License-Identifier: GPL-2.0
/* The command replay: what a file of records was made by is done once more. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "kernel.h"
#include "options.h"
#include "recordfile.h"

enum { KEY_ANYWAY = 256, KEY_PRINT };

struct request {
	const char *path, *json;
	bool anyway, print;
};

static const struct argp_option known[] = {
	{ "json", 'J', "FILE", 0, "Append the records to FILE; - puts them on standard output", 1 },
	{ "anyway", KEY_ANYWAY, NULL, 0, "On another kernel, too", 1 },
	{ "print", KEY_PRINT, NULL, 0, "Print the command instead of running it", 1 },
	{ }
};

static const char about[] =
	"Measure again what a file of records was made by, with the same arguments.\v"
	"The file is what semop-multi --json has written; a new one takes the new records. Sweeps are "
	"measured again with: make sweep REPLAY=results/DATE\n"
	"\n"
	"Exit status: that of semop-multi run; 2 also where the kernel is another one.";

static void __attribute__((noreturn)) complain(const char *why)
{
	fprintf(stderr, "semop-multi replay: %s\n", why);
	exit(EXIT_USAGE);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct request *request = state->input;

	switch (key) {
	case 'J':
		request->json = argument;
		break;
	case KEY_ANYWAY:
		request->anyway = true;
		break;
	case KEY_PRINT:
		request->print = true;
		break;
	case ARGP_KEY_ARG:
		if (request->path)
			complain("one file at a time");
		request->path = argument;
		break;
	case ARGP_KEY_NO_ARGS:
		complain("nothing to replay: name a file of records");
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const json_t *find_machine(const json_t *records)
{
	const json_t *record;
	size_t i;

	json_array_foreach(records, i, record)
		if (!strcmp(json_string_value(json_object_get(record, "type")), "machine"))
			return record;
	return NULL;
}

static void check_kernel(const json_t *machine)
{
	const char *release = json_string_value(json_object_get(machine, "release"));
	struct running_kernel kernel;
	char why[300];

	kernel_identify(&kernel);
	if (release && !strcmp(release, kernel.release) &&
	    json_is_true(json_object_get(machine, "coarse")) == kernel.coarse)
		return;
	snprintf(why, sizeof(why), "the records are of %s, this is %s: boot it, or say --anyway",
		 release ? release : "an unknown kernel", kernel.release);
	complain(why);
}

/* Whether @word is the option that names the old file; @value_follows says where. */
static bool names_file(const char *word, bool *value_follows)
{
	*value_follows = !strcmp(word, "-J") || !strcmp(word, "--json");
	return *value_follows || !strncmp(word, "-J", 2) || !strncmp(word, "--json=", 7);
}

static char **arguments_of(const json_t *command, const char *json, int *argc)
{
	size_t i, nr = json_array_size(command);
	char **argv = calloc(nr + 4, sizeof(*argv));
	bool value_follows = false;
	const char *word;

	if (!argv)
		abort();
	argv[(*argc)++] = "semop-multi";
	for (i = 1; i < nr; i++) {
		word = json_string_value(json_array_get(command, i)) ?: "";
		if (names_file(word, &value_follows))
			i += value_follows;
		else
			argv[(*argc)++] = strdup(word);
	}
	if (json) {
		argv[(*argc)++] = "-J";
		argv[(*argc)++] = strdup(json);
	}
	return argv;
}

/** command_replay - the command replay */
int command_replay(int argc, char **argv)
{
	static const struct argp argp = {
		.options = known, .parser = parse_option, .args_doc = "RECORDS", .doc = about,
	};
	struct request request = { };
	const json_t *machine;
	json_t *records;
	char why[512], **again;
	int i, nr = 0;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &request);
	records = recordfile_read(request.path, why, sizeof(why));
	if (!records)
		complain(why);
	machine = find_machine(records);
	if (!json_array_size(json_object_get(machine, "command")))
		complain("no command in these records");
	if (!request.anyway && !request.print)
		check_kernel(machine);
	again = arguments_of(json_object_get(machine, "command"), request.json, &nr);
	json_decref(records);
	if (!request.print)
		return command_run(nr, again);
	for (i = 0; i < nr; i++)
		printf("%s%s", again[i], i + 1 < nr ? " " : "\n");
	return EXIT_DONE;
}
