// SPDX-License-Identifier: GPL-2.0
/* A session: every repetition of every point, its records and its table. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "box.h"
#include "kernel.h"
#include "ktap.h"
#include "measure.h"
#include "progress.h"
#include "records.h"
#include "results.h"
#include "resume.h"
#include "session.h"
#include "signals.h"
#include "state.h"
#include "usage.h"

#define ENOUGH_SECONDS 0.5

struct session {
	const struct options *options;
	struct running_kernel kernel;
	struct results results;
	struct progress progress;
	FILE *records;		/* NULL: none wanted */
	FILE *table;		/* NULL: something else takes standard output */
	FILE *ktap;		/* NULL: not wanted */
	struct usage before;	/* what is measured */
	struct load load;	/* while it was measured */
	bool broken;		/* an output cannot be written */
};

static int open_outputs(struct session *session)
{
	const char *json = session->options->json;

	session->table = session->options->ktap ? NULL : stdout;
	session->ktap = session->options->ktap ? stdout : NULL;
	if (!json)
		return 0;
	if (!strcmp(json, "-")) {
		session->records = stdout;
		session->table = NULL;
		return 0;
	}
	session->records = fopen(json, "ae");
	if (session->records)
		return 0;
	fprintf(stderr, "semop-multi: cannot write %s: %s\n", json, strerror(errno));
	return -1;
}

static void write_record(struct session *session, json_t *record)
{
	if (!session->records || session->broken) {
		json_decref(record);
		return;
	}
	if (record_write(session->records, record)) {
		fprintf(stderr, "semop-multi: cannot write records: %s\n", strerror(errno));
		session->broken = true;
	}
}

static void begin(struct session *session, json_t *state)
{
	json_t *box = box_describe();

	if (session->table) {
		box_print(session->table, &session->kernel, box);
		fflush(session->table);
	}
	write_record(session, record_machine(&session->kernel, session->options, box, state));
}

static void report_point(struct session *session, const struct point *point,
			 const struct spot *spot, const struct result *result)
{
	char workload[160], name[256], came_to[256];

	spot_workload(session->options, spot, workload, sizeof(workload));
	snprintf(name, sizeof(name), "%s %s %u threads run %u", policy_short_name(&point->policy),
		 workload, point->with.threads, spot->run + 1);
	if (result->failure.op)
		failure_describe(&result->failure, came_to, sizeof(came_to));
	else
		snprintf(came_to, sizeof(came_to), "%.*f/s", result->rate < 1000, result->rate);
	progress_point(&session->progress, name, came_to);
	if (session->ktap)
		ktap_point(session->ktap, name, result->failure.op ? came_to : NULL, result->rate);
	write_record(session, record_repetition(&session->kernel, point, spot->run,
						session->options, result));
}

static void run_point(struct session *session, const struct spot *spot)
{
	const struct options *options = session->options;
	struct outcome *outcome = results_at(&session->results, spot);
	struct result result;
	struct point point = {
		.workload = options->selections[spot->selection].workload,
		.with = options_parameters(options, spot->selection,
					   options->threads.counts[spot->count]),
		.policy = options->policies[spot->policy],
		.placement = &options->placements[spot->placement],
		.disturbances = options->disturbances,
		.nr_disturbances = options->nr_disturbances,
		.interval_us = options->interval_us,
		.latency = options->latency,
		.explain = options->explain,
	};

	if (outcome->state != OUTCOME_MISSING)
		return progress_skip(&session->progress);	/* --resume has found it */
	measure(&point, options->warm_up, options->duration, &result);
	if (!result.interrupted) {
		results_store(&session->results, outcome, &result, point.with.threads);
		report_point(session, &point, spot, &result);
	}
	result_free(&result);
}

static void run_all(struct session *session)
{
	struct spot spot = { };

	do {
		if (signals_interrupted() || session->broken)
			return;
		run_point(session, &spot);
	} while (spot_next(session->options, &spot));
}

/* A figure is worth what else the machine did meanwhile. */
static void print_load(const struct load *load, FILE *out)
{
	if (load->seconds < ENOUGH_SECONDS)
		return;		/* ticks are too coarse for it */
	if (load->others > USAGE_LOADED)
		fprintf(out, "\nThe machine was loaded: others used %.1f CPUs meanwhile.\n", load->others);
	if (load->stolen > USAGE_LOADED)
		fprintf(out, "\nThe hypervisor took %.1f CPUs away meanwhile.\n", load->stolen);
}

static int finish(struct session *session)
{
	progress_end(&session->progress);
	if (session->table) {
		results_print(&session->results, session->table);
		print_load(&session->load, session->table);
	}
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "semop-multi: cannot write to standard output\n");
		session->broken = true;
	}
	if (session->records && session->records != stdout && fclose(session->records)) {
		fprintf(stderr, "semop-multi: cannot write records: %s\n", strerror(errno));
		session->broken = true;
	}
	if (signals_interrupted()) {
		fputs("semop-multi: interrupted\n", stderr);
		return EXIT_INTERRUPTED;
	}
	return session->results.failed || session->broken ? EXIT_FAILED_POINTS : EXIT_DONE;
}

static int complain(int status, const char *why)
{
	fprintf(stderr, "semop-multi: %s\n", why);
	return status;
}

/* What has to be in order before anything is measured or written. */
static int prepare(struct session *session)
{
	const struct options *options = session->options;
	const char *refused = options->strict ? state_refuse_now() : NULL;
	char why[512];

	if (refused)
		return complain(EXIT_BAD_STATE, refused);
	if (results_init(&session->results, options))
		return complain(EXIT_FAILED_POINTS, "not enough memory");
	kernel_identify(&session->kernel);
	if (options->explain && !explain_open())
		return complain(EXIT_REFUSED, "this kernel lets nobody count its events: run as root, or leave --explain out");
	if (options->resume && resume_load(&session->results, &session->kernel, why, sizeof(why)))
		return complain(EXIT_USAGE, why);
	return open_outputs(session) ? EXIT_USAGE : 0;
}

/**
 * session_run - measure everything that @options ask for
 *
 * Return: the program's exit status.
 */
int session_run(const struct options *options)
{
	struct session session = { .options = options };
	int status;

	status = prepare(&session);
	if (status)
		return status;
	begin(&session, state_collect());
	progress_begin(&session.progress, results_count(options), options->quiet);
	if (session.ktap)
		ktap_begin(session.ktap, session.progress.points - session.results.resumed);
	usage_read(&session.before);
	run_all(&session);
	usage_since(&session.before, &session.load);
	if (session.records) {
		json_t *end = json_pack("{s:s, s:b, s:i, s:o, s:o}", "type", "end",
					"interrupted", signals_interrupted(),
					"failed", (int)session.results.failed,
					"state", state_collect(),
					"load", load_record(&session.load));
		write_record(&session, end);
	}
	status = finish(&session);
	results_free(&session.results);
	return status;
}
