// SPDX-License-Identifier: GPL-2.0
/* --resume: what a file of records holds already is not measured again. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "recordfile.h"
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

static bool is_number(const json_t *record, const char *key, unsigned int number)
{
	return json_integer_value(json_object_get(record, key)) == number;
}

static bool is_point(const json_t *record, const struct options *options, unsigned int policy,
		     unsigned int selection, unsigned int count)
{
	struct parameters with = options_parameters(options, selection,
						    options->threads.counts[count]);
	char workload[64];

	workload_describe(options->selections[selection].workload, with.variant, workload,
			  sizeof(workload));
	return is_text(record, "workload", workload) &&
	       is_text(record, "policy", policy_short_name(&options->policies[policy])) &&
	       is_number(record, "priority", options->policies[policy].priority) &&
	       is_number(record, "threads", with.threads) &&
	       is_number(record, "semaphores", with.semaphores) &&
	       is_number(record, "background", with.background) &&
	       is_number(record, "set_size", with.set_size) &&
	       is_number(record, "interval_us", options->interval_us);
}

static void take(struct results *results, const json_t *record)
{
	const struct options *options = results->options;
	unsigned int policy, selection, count;
	json_int_t run = json_integer_value(json_object_get(record, "run"));
	struct outcome *outcome;

	if (run < 1 || run > options->runs || !json_object_get(record, "rate"))
		return;
	for (policy = 0; policy < options->nr_policies; policy++)
		for (selection = 0; selection < options->nr_selections; selection++)
			for (count = 0; count < options->threads.nr; count++) {
				if (!is_point(record, options, policy, selection, count))
					continue;
				outcome = results_at(results, policy, selection, count, run - 1);
				results->resumed += outcome->state == OUTCOME_MISSING;
				outcome->state = OUTCOME_MEASURED;
				outcome->rate = json_number_value(json_object_get(record, "rate"));
				outcome->operations = json_integer_value(json_object_get(record, "operations"));
			}
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
