// SPDX-License-Identifier: GPL-2.0
/* Reads files of JSON Lines; what is damaged is named by file and line. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recordfile.h"
#include "stats.h"

/* A sweep's directory stands for the records in it. */
static FILE *open_records(const char *path, char *name, size_t size)
{
	struct stat stat_of_path;

	snprintf(name, size, "%s", path);
	if (!stat(path, &stat_of_path) && S_ISDIR(stat_of_path.st_mode))
		snprintf(name, size, "%s/records.jsonl", path);
	return fopen(name, "re");
}

static json_t *parse_line(const char *line, const char **why)
{
	json_error_t error;
	json_t *record = json_loads(line, 0, &error);

	if (json_is_string(json_object_get(record, "type"))) {
		*why = NULL;
		return record;
	}
	*why = record ? "not a record with a type" : "not JSON";
	json_decref(record);
	return NULL;
}

/* A last line without its end is what a crash leaves: it is not counted. */
static int read_lines(FILE *file, json_t *records, const char *name, char *why, size_t size)
{
	char *line = NULL;
	const char *complaint = NULL;
	size_t room = 0;
	ssize_t length;
	unsigned int number = 0;
	json_t *record;

	while (!complaint && (length = getline(&line, &room, file)) > 0) {
		number++;
		if (line[length - 1] != '\n')
			break;
		record = parse_line(line, &complaint);
		if (record) {
			json_object_set_new(record, "line", json_integer(number));
			json_array_append_new(records, record);
		}
	}
	if (complaint)
		snprintf(why, size, "%s:%u: damaged: %s", name, number, complaint);
	else if (ferror(file))
		snprintf(why, size, "cannot read %s: %s", name, strerror(errno));
	free(line);
	return complaint || ferror(file) ? -1 : 0;
}

/**
 * recordfile_read - all records of a file or of a sweep's directory
 * @path: of either
 * @why: receives what is wrong
 * @size: room in @why
 *
 * Return: an array, each record of it with its "line"; NULL with @why filled in.
 */
json_t *recordfile_read(const char *path, char *why, size_t size)
{
	char name[4096];
	json_t *records;
	FILE *file = open_records(path, name, sizeof(name));

	if (!file) {
		snprintf(why, size, "cannot read %s: %s", name, strerror(errno));
		return NULL;
	}
	records = json_array();
	if (read_lines(file, records, name, why, size)) {
		json_decref(records);
		records = NULL;
	}
	fclose(file);
	return records;
}

/** record_fairness - how evenly the threads of a repetition were served; NaN: not known */
double record_fairness(const json_t *record)
{
	json_t *list = json_object_get(record, "per_thread"), *share;
	size_t i, nr = json_array_size(list);
	double *shares, fairness = NAN;

	shares = nr ? calloc(nr, sizeof(*shares)) : NULL;
	if (!shares)
		return NAN;
	json_array_foreach(list, i, share)
		shares[i] = json_number_value(share);
	fairness = stats_jain(shares, nr);
	free(shares);
	return fairness;
}
