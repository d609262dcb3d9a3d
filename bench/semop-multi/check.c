// SPDX-License-Identifier: GPL-2.0
/* The command check: the state of the machine, with advice. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "options.h"
#include "records.h"
#include "state.h"

enum { KEY_STRICT = 256, KEY_JSON };

struct request {
	bool strict, json;
};

static const struct argp_option known[] = {
	{ "strict", KEY_STRICT, NULL, 0, "Status 5 if the state is bad for measuring", 1 },
	{ "json", KEY_JSON, NULL, 0, "Print it as JSON", 1 },
	{ }
};

static const char about[] =
	"Print what may move figures on this machine, with advice.\v"
	"\"note\" is something to know when figures are read, \"BAD\" something that spoils them. What "
	"a kernel or a virtual machine does not offer is \"not available\", which is neither.\n"
	"\n"
	"Exit status: 0 done, 2 wrong usage, 5 the state is bad and --strict was given.";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct request *request = state->input;

	switch (key) {
	case KEY_STRICT:
		request->strict = true;
		break;
	case KEY_JSON:
		request->json = true;
		break;
	case ARGP_KEY_ARG:
		fprintf(stderr, "semop-multi check: unexpected argument '%s'\n", argument);
		exit(EXIT_USAGE);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/** command_check - the command check */
int command_check(int argc, char **argv)
{
	static const struct argp argp = { .options = known, .parser = parse_option, .doc = about };
	struct request request = { };
	const char *refused;
	json_t *state;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &request);
	state = state_collect();
	state_watch(state);
	refused = state_refuse(state);
	if (request.json)
		record_write(stdout, json_incref(state));
	else
		state_print(state, stdout);
	json_decref(state);
	return refused && request.strict ? EXIT_BAD_STATE : EXIT_DONE;
}
