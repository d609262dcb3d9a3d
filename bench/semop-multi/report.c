// SPDX-License-Identifier: GPL-2.0
/* The command report: one HTML file, and images. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "images.h"
#include "options.h"
#include "page.h"

#define MAX_FILES 8

enum { KEY_BASELINE = 256, KEY_METRIC, KEY_COLUMNS, KEY_TITLE };

struct request {
	const char *paths[MAX_FILES];
	unsigned int nr_paths;
	int columns;
	const char *output, *images, *baseline, *metric, *title;
};

static const struct argp_option known[] = {
	{ "output", 'o', "FILE", 0, "Where the page goes (default report.html, in the directory of a sweep if one is given)", 1 },
	{ "images", 'i', "DIRECTORY", 0, "Draw PNG and SVG files with gnuplot, too", 1 },
	{ "baseline", KEY_BASELINE, "KERNEL", 0, "What the others are compared with (default stock, else the first)", 1 },
	{ "columns", KEY_COLUMNS, "WHAT", 0, "What stands side by side: kernel, placement, memory, policy or flavour (default kernel, but placement where one kernel has several)", 1 },
	{ "metric", KEY_METRIC, "NAME", 0, "rate (default), or of the latencies: min, p50, p99, p99.9, p99.99, max", 1 },
	{ "title", KEY_TITLE, "TEXT", 0, "Heading of the page", 1 },
	{ }
};

static const char about[] =
	"Write a report of records, as one HTML file that needs nothing else, and print its path.\v"
	"RECORDS are files of semop-multi --json or the directories of sweeps. The page has, for each "
	"flavour, policy and workload, the rates against the number of threads, the ratios, the "
	"latencies where they were taken, and the table; then the machine and the commands.\n"
	"\n"
	"Exit status: 0 done, 1 it cannot be written, 2 wrong usage or damaged records.";

static void complain(int status, const char *why)
{
	fprintf(stderr, "semop-multi report: %s\n", why);
	exit(status);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct request *request = state->input;

	switch (key) {
	case 'o':
		request->output = argument;
		break;
	case 'i':
		request->images = argument;
		break;
	case KEY_BASELINE:
		request->baseline = argument;
		break;
	case KEY_COLUMNS:
		request->columns = columns_parse(argument);
		if (request->columns < 0)
			complain(EXIT_USAGE, "unknown --columns: write kernel, placement, memory, policy or flavour");
		break;
	case KEY_METRIC:
		request->metric = argument;
		break;
	case KEY_TITLE:
		request->title = argument;
		break;
	case ARGP_KEY_ARG:
		if (request->nr_paths == MAX_FILES)
			complain(EXIT_USAGE, "more than 8 files");
		request->paths[request->nr_paths++] = argument;
		break;
	case ARGP_KEY_NO_ARGS:
		complain(EXIT_USAGE, "nothing to report: name files of records or a sweep's directory");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static bool is_directory(const char *path)
{
	struct stat stat_of_path;

	return !stat(path, &stat_of_path) && S_ISDIR(stat_of_path.st_mode);
}

static json_t *read_manifest(const char *path)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s/manifest.json", path);
	return json_load_file(name, 0, NULL);
}

static void write_page(const struct request *request, const struct dataset *dataset,
		       const char *output)
{
	struct page page = {
		.dataset = dataset, .manifest = read_manifest(request->paths[0]),
		.title = request->title ? request->title : "System V semaphores: operations measured",
	};
	char name[4200], why[4400];
	bool whole;

	snprintf(name, sizeof(name), "%s.new", output);
	page.out = fopen(name, "we");
	if (page.out) {
		page_write(&page);
		whole = !ferror(page.out);
		if (!fclose(page.out) && whole && !rename(name, output)) {
			json_decref(page.manifest);
			return;
		}
	}
	snprintf(why, sizeof(why), "cannot write %s: %s", output, strerror(errno));
	unlink(name);
	complain(EXIT_FAILED_POINTS, why);
}

/** command_report - the command report */
int command_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = known, .parser = parse_option, .args_doc = "RECORDS...", .doc = about,
	};
	struct request request = { .metric = "rate" };
	struct dataset dataset;
	char why[512], output[4096];

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &request);
	if (dataset_load(&dataset, request.paths, request.nr_paths, request.metric,
			 request.columns, why, sizeof(why)) ||
	    (request.baseline && dataset_set_baseline(&dataset, request.baseline, why, sizeof(why))))
		complain(EXIT_USAGE, why);
	if (!dataset.nr_rows)
		complain(EXIT_USAGE, "no figures in these records");
	dataset_judge(&dataset);
	if (request.output)
		snprintf(output, sizeof(output), "%s", request.output);
	else
		snprintf(output, sizeof(output), "%s%sreport.html",
			 is_directory(request.paths[0]) ? request.paths[0] : "",
			 is_directory(request.paths[0]) ? "/" : "");
	write_page(&request, &dataset, output);
	if (request.images && images_write(&dataset, request.images, why, sizeof(why)))
		complain(EXIT_FAILED_POINTS, why);
	printf("%s\n", output);
	dataset_free(&dataset);
	return fflush(stdout) ? EXIT_FAILED_POINTS : EXIT_DONE;
}
