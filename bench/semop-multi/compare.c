// SPDX-License-Identifier: GPL-2.0
/* The command compare: kernels side by side. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare.h"
#include "options.h"

#define MAX_FILES 8

enum { KEY_BASELINE = 256, KEY_METRIC, KEY_COLUMNS, KEY_FAIL, KEY_ANYWAY };

struct request {
	const char *paths[MAX_FILES];
	unsigned int nr_paths;
	int columns;
	const struct style *style;
	const char *baseline, *metric;
	double limit;		/* per cent; NaN: none */
	bool anyway;
};

const struct style styles[] = {
	{ "mail", "the table of the 2013 mail thread, with ratios", style_mail },
	{ "lkp", "as the kernel test robot writes it: %stddev, %change", style_lkp },
	{ "markdown", "a table for a web page", style_markdown },
	{ "csv", "every figure, a line for each kernel and point", style_csv },
	{ "json", "the same as JSON Lines", style_json },
	{ }
};

static const struct argp_option known[] = {
	{ "style", 's', "STYLE", 0, "mail, lkp, markdown, csv or json (default mail)", 1 },
	{ "baseline", KEY_BASELINE, "KERNEL", 0, "What the others are compared with (default stock, else the first)", 1 },
	{ "columns", KEY_COLUMNS, "WHAT", 0, "What stands side by side: kernel, placement, memory, policy or flavour (default kernel, but placement where one kernel has several)", 1 },
	{ "metric", KEY_METRIC, "NAME", 0, "rate (default), or of the latencies: min, p50, p99, p99.9, p99.99, max", 1 },
	{ "fail-on-regression", KEY_FAIL, "PCT", 0, "Status 1 if a kernel is worse than the baseline by more than PCT per cent, unless the runs do not tell them apart", 1 },
	{ "anyway", KEY_ANYWAY, NULL, 0, "Compare what was measured on different machines", 1 },
	{ }
};

static const char about[] =
	"Compare kernels: the records of semop-multi --json, or the directory of a sweep.\v"
	"A figure is the median of its runs. Two kernels differ where the Mann-Whitney test says so, "
	"two-sided and corrected over all rows (Benjamini and Hochberg), at a level of 5 %. \"~\" "
	"marks rows where it does not, \"n too small\" those with fewer than 5 runs of a kernel, and "
	"\"unusable\" points whose runs differ by as much as their mean.\n"
	"\n"
	"Columns of mail and markdown: threads; a figure for each kernel, in operations a second or "
	"microseconds; KERNEL/BASELINE, the ratio. Of lkp: the baseline and another kernel, each with "
	"%stddev, the standard deviation in per cent of the mean from 2 on; between them %change, of the "
	"medians; then the metric, or an event of --explain for a thousand operations.\n"
	"\n"
	"Of csv and json: metric, flavour, workload, policy, priority, threads, semaphores, background, "
	"set_size, placement, memory, interval_us, disturb: the point. kernel, column, release, baseline: "
	"whose figures they are, the title of their column, and what it is compared with. n, failed: runs "
	"with a figure, and without. median, mean, sd, min, max: of the runs, in operations a second or "
	"nanoseconds. ci_low, ci_high: 95 % confidence interval of the mean. fairness: Jain's index of what "
	"the threads did. unusable: 1 if the runs differ by as much as their mean. ratio: median over that "
	"of the baseline. p, p_adjusted: of the test, before and after the correction. verdict: more, less, "
	"~ or n too small.\n"
	"\n"
	"Exit status: 0 done, 1 a regression, 2 wrong usage, damaged or incomparable records.";

static void complain(const char *why)
{
	fprintf(stderr, "semop-multi compare: %s\n", why);
	exit(EXIT_USAGE);
}

static void choose_style(struct request *request, const char *name)
{
	for (request->style = styles; request->style->name; request->style++)
		if (!strcmp(request->style->name, name))
			return;
	complain("unknown --style: write mail, lkp, markdown, csv or json");
}

static void choose_metric(struct request *request, const char *name)
{
	static const char *const names[] = { "rate", "min", "p50", "p99", "p99.9", "p99.99", "max" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name)) {
			request->metric = name;
			return;
		}
	complain("unknown --metric: write rate, min, p50, p99, p99.9, p99.99 or max");
}

static void choose_limit(struct request *request, const char *text)
{
	char *end;

	request->limit = strtod(text, &end);
	if (end == text || *end || !(request->limit >= 0 && request->limit <= 100))
		complain("bad --fail-on-regression: write per cent from 0 to 100");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct request *request = state->input;

	switch (key) {
	case 's':
		choose_style(request, argument);
		break;
	case KEY_BASELINE:
		request->baseline = argument;
		break;
	case KEY_COLUMNS:
		request->columns = columns_parse(argument);
		if (request->columns < 0)
			complain("unknown --columns: write kernel, placement, memory, policy or flavour");
		break;
	case KEY_METRIC:
		choose_metric(request, argument);
		break;
	case KEY_FAIL:
		choose_limit(request, argument);
		break;
	case KEY_ANYWAY:
		request->anyway = true;
		break;
	case ARGP_KEY_ARG:
		if (request->nr_paths == MAX_FILES)
			complain("more than 8 files");
		request->paths[request->nr_paths++] = argument;
		break;
	case ARGP_KEY_NO_ARGS:
		complain("nothing to compare: name files of records or a sweep's directory");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Runs too few for a test do not excuse a regression: they are taken at their word. */
static bool is_regression(const struct dataset *dataset, const struct verdict *verdict, double limit)
{
	double worse;

	if (!verdict->judged || (verdict->enough && verdict->p_adjusted >= STATS_LEVEL))
		return false;
	worse = dataset->less_is_better ? verdict->ratio - 1 : 1 - verdict->ratio;
	return worse * 100 > limit;
}

static bool tell_regressions(const struct dataset *dataset, double limit)
{
	const struct row *row;
	unsigned int column;
	char text[256];
	bool any = false;

	for (row = dataset->rows; row < dataset->rows + dataset->nr_rows; row++)
		for (column = 0; column < dataset->nr_columns; column++) {
			if (!is_regression(dataset, &row->verdicts[column], limit))
				continue;
			row_describe(row, text, sizeof(text));
			fprintf(stderr, "regression: %s, %d threads: %s: %+.1f %%\n", text, row->threads,
				dataset->columns[column].title,
				100 * (row->verdicts[column].ratio - 1));
			any = true;
		}
	return any;
}

/** command_compare - the command compare */
int command_compare(int argc, char **argv)
{
	static const struct argp argp = {
		.options = known, .parser = parse_option, .args_doc = "RECORDS...", .doc = about,
	};
	struct request request = { .style = styles, .metric = "rate", .limit = NAN };
	struct dataset dataset;
	char why[512];
	int status = EXIT_DONE;

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &request);
	if (dataset_load(&dataset, request.paths, request.nr_paths, request.metric,
			 request.columns, why, sizeof(why)) ||
	    (request.baseline && dataset_set_baseline(&dataset, request.baseline, why, sizeof(why))))
		complain(why);
	if (dataset_comparable(&dataset, why, sizeof(why)) && !request.anyway)
		complain(why);
	dataset_notes(&dataset, stderr);
	dataset_judge(&dataset);
	request.style->print(&dataset, stdout);
	if (!isnan(request.limit) && tell_regressions(&dataset, request.limit))
		status = EXIT_FAILED_POINTS;
	dataset_free(&dataset);
	if (fflush(stdout) || ferror(stdout)) {
		fputs("semop-multi compare: cannot write to standard output\n", stderr);
		status = EXIT_FAILED_POINTS;
	}
	return status;
}
