// SPDX-License-Identifier: GPL-2.0
/* The command replay: what a file of records was made by is done once more. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "box.h"
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
	{ "anyway", KEY_ANYWAY, NULL, 0, "On another kernel or box, too", 1 },
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
	const json_t *old = json_object_get(machine, "box");
	json_t *box = box_describe();
	struct running_kernel kernel;
	char why[300];

	kernel_identify(&kernel);
	if (!release || strcmp(release, kernel.release) ||
	    json_is_true(json_object_get(machine, "coarse")) != kernel.coarse) {
		snprintf(why, sizeof(why), "the records are of %s, this is %s: boot it, or say --anyway",
			 release ? release : "an unknown kernel", kernel.release);
		complain(why);
	}
	if (!json_equal(json_object_get(old, "processor"), json_object_get(box, "processor")) ||
	    !json_equal(json_object_get(old, "cpus"), json_object_get(box, "cpus")))
		complain("the records are of another box: go there, or say --anyway");
	json_decref(box);
}

static char **arguments_of(const json_t *arguments, const char *json, int *argc)
{
	size_t i, nr = json_array_size(arguments);
	char **argv = calloc(nr + 4, sizeof(*argv));

	if (!argv)
		abort();
	argv[(*argc)++] = "semop-multi";
	for (i = 0; i < nr; i++)
		argv[(*argc)++] = strdup(json_string_value(json_array_get(arguments, i)) ?: "");
	if (json) {
		argv[(*argc)++] = "-J";
		argv[(*argc)++] = strdup(json);
	}
	return argv;
}

/* A sweep is many sessions on several kernels, which is not for this program to boot. */
static void check_path(const char *path)
{
	static const char manifest[] = "/manifest.json";
	char why[8500], name[4200];
	size_t length = strlen(path);

	snprintf(name, sizeof(name), "%s%s", path, manifest);
	if (!access(name, F_OK))
		snprintf(name, sizeof(name), "%s", path);
	else if (length > strlen(manifest) && !strcmp(path + length - strlen(manifest), manifest))
		snprintf(name, sizeof(name), "%.*s", (int)(length - strlen(manifest)), path);
	else
		return;
	snprintf(why, sizeof(why), "%s is a sweep: type make sweep REPLAY=%s", name, name);
	complain(why);
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
	check_path(request.path);
	records = recordfile_read(request.path, why, sizeof(why));
	if (!records)
		complain(why);
	machine = find_machine(records);
	if (!json_is_array(json_object_get(machine, "arguments")))
		complain("no arguments in these records: they are of an older semop-multi, or not of semop-multi --json");
	if (!request.anyway && !request.print)
		check_kernel(machine);
	again = arguments_of(json_object_get(machine, "arguments"), request.json, &nr);
	json_decref(records);
	if (!request.print)
		return command_run(nr, again);
	for (i = 0; i < nr; i++)
		printf("%s%s", again[i], i + 1 < nr ? " " : "\n");
	return EXIT_DONE;
}
