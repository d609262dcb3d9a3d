// SPDX-License-Identifier: GPL-2.0
/* --resume: what a file of records holds already is not measured again. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "recordfile.h"
#include "records.h"
#include "resume.h"

/* What a crash has left of a last line would run into the next one. */
static int drop_torn_line(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), error = 0;
	off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END), whole = end;
	char last = '\n';

	while (whole > 0 && pread(fd, &last, 1, whole - 1) == 1 && last != '\n')
		whole--;
	if (whole != end)
		error = ftruncate(fd, whole);
	if (fd >= 0)
		close(fd);
	return error;
}

static bool is_text(const json_t *record, const char *key, const char *text)
{
	const char *value = json_string_value(json_object_get(record, key));

	return value && !strcmp(value, text);
}

static bool is_number(const json_t *record, const char *key, double number)
{
	const json_t *value = json_object_get(record, key);

	return json_is_number(value) && fabs(json_number_value(value) - number) < 1e-6;
}

static bool is_disturbed(const json_t *record, const struct options *options)
{
	json_t *wanted = disturbances_record(options->disturbances, options->nr_disturbances);
	bool same = json_equal(wanted, json_object_get(record, "disturb"));

	json_decref(wanted);
	return same;
}

/* What all points of a session have in common. */
static bool is_session(const json_t *record, const struct options *options)
{
	return is_number(record, "interval_us", options->interval_us) &&
	       is_number(record, "warm_up", options->warm_up) &&
	       is_number(record, "duration", options->duration) &&
	       is_text(record, "memory", options->memory) && is_disturbed(record, options) &&
	       options->latency == json_is_true(json_object_get(record, "timed")) &&
	       options->explain == json_is_true(json_object_get(record, "explained"));
}

static bool is_spot(const json_t *record, const struct options *options, const struct spot *spot)
{
	const struct policy *policy = &options->policies[spot->policy];
	struct parameters with = options_parameters(options, spot->selection,
						    options->threads.counts[spot->count]);
	char workload[64];

	workload_describe(options->selections[spot->selection].workload, with.variant, workload,
			  sizeof(workload));
	return is_number(record, "run", spot->run + 1) && is_text(record, "workload", workload) &&
	       is_text(record, "policy", policy_short_name(policy)) &&
	       is_number(record, "priority", policy->priority) &&
	       is_number(record, "threads", with.threads) &&
	       is_text(record, "placement", options->placements[spot->placement].name) &&
	       is_number(record, "semaphores", with.semaphores) &&
	       is_number(record, "background", with.background) &&
	       is_number(record, "set_size", with.set_size);
}

static void fill(struct outcome *outcome, const json_t *record)
{
	outcome->state = OUTCOME_MEASURED;
	outcome->rate = json_number_value(json_object_get(record, "rate"));
	outcome->fairness = record_fairness(record);
	outcome->operations = json_integer_value(json_object_get(record, "operations"));
	latency_from_record(json_object_get(record, "latency"), &outcome->latency);
	explain_from_record(json_object_get(record, "explain"), &outcome->events);
}

static void take(struct results *results, const json_t *record)
{
	struct outcome *outcome;
	struct spot spot = { };

	if (!json_object_get(record, "rate") || !is_session(record, results->options))
		return;
	do {
		if (!is_spot(record, results->options, &spot))
			continue;
		outcome = results_at(results, &spot);
		results->resumed += outcome->state == OUTCOME_MISSING;
		fill(outcome, record);
	} while (spot_next(results->options, &spot));
}

/**
 * resume_load - note in @results what options->json holds; a file that is not there holds nothing
 *
 * Return: 0, or -1 with @why filled in.
 */
int resume_load(struct results *results, const struct running_kernel *kernel, char *why, size_t size)
{
	const char *path = results->options->json;
	json_t *records, *record;
	size_t i;
	int error = 0;

	if (access(path, F_OK))
		return 0;
	if (drop_torn_line(path)) {
		snprintf(why, size, "cannot write %s: %s", path, strerror(errno));
		return -1;
	}
	records = recordfile_read(path, why, size);
	if (!records)
		return -1;
	json_array_foreach(records, i, record) {
		if (is_text(record, "type", "machine") &&
		    !is_text(record, "release", kernel->release)) {
			snprintf(why, size, "%s was measured on %s, this is %s: write to another file", path,
				 json_string_value(json_object_get(record, "release")) ?: "another kernel",
				 kernel->release);
			error = -1;
			break;
		}
		if (is_text(record, "type", "repetition"))
			take(results, record);
	}
	json_decref(records);
	return error;
}
