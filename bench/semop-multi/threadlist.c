// SPDX-License-Identifier: GPL-2.0
/* Lists of thread counts: 4 or 10-100 or 10-100:10, separated by commas. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "threadlist.h"

static bool parse_number(const char **text, unsigned int *number)
{
	const char *digit = *text;
	unsigned long value = 0;

	while (*digit >= '0' && *digit <= '9') {
		value = value * 10 + (*digit++ - '0');
		if (value > THREADLIST_MAX_THREADS)
			return false;
	}
	if (digit == *text || value == 0)
		return false;
	*text = digit;
	*number = value;
	return true;
}

static bool parse_range(const char **text, unsigned int *first, unsigned int *last,
			unsigned int *step)
{
	if (!parse_number(text, first))
		return false;
	*last = *first;
	*step = 1;
	if (**text != '-')
		return true;
	(*text)++;
	if (!parse_number(text, last) || *last < *first)
		return false;
	if (**text != ':')
		return true;
	(*text)++;
	return parse_number(text, step);
}

static bool append(struct threadlist *list, unsigned int count)
{
	unsigned int *grown;

	if (list->nr == THREADLIST_MAX_COUNTS)
		return false;
	grown = reallocarray(list->counts, list->nr + 1, sizeof(*grown));
	if (!grown)
		return false;
	grown[list->nr++] = count;
	list->counts = grown;
	return true;
}

static bool append_range(struct threadlist *list, unsigned int first, unsigned int last,
			 unsigned int step)
{
	unsigned long count;

	for (count = first; count <= last; count += step)
		if (!append(list, count))
			return false;
	return true;
}

/**
 * threadlist_parse - read a list such as 1,2,10-100:10,200-500:100
 * @list: filled in; to be freed with threadlist_free() even after a failure
 * @text: the list
 * @why: receives what is wrong
 * @size: room in @why
 *
 * Return: 0, or -1 with @why filled in.
 */
int threadlist_parse(struct threadlist *list, const char *text, char *why, size_t size)
{
	const char *at = text;
	unsigned int first, last, step;

	*list = (struct threadlist){ };
	do {
		if (!parse_range(&at, &first, &last, &step) || (*at && *at != ',')) {
			snprintf(why, size,
				 "bad thread list '%s' at '%s': write counts from 1 to %u like 4 or 1,2,10-100:10",
				 text, at, THREADLIST_MAX_THREADS);
			return -1;
		}
		if (!append_range(list, first, last, step)) {
			snprintf(why, size, "thread list '%s' has more than %u counts", text,
				 THREADLIST_MAX_COUNTS);
			return -1;
		}
	} while (*at++ == ',');
	return 0;
}

/** threadlist_max - the largest count of @list */
unsigned int threadlist_max(const struct threadlist *list)
{
	unsigned int max = 0;
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (list->counts[i] > max)
			max = list->counts[i];
	return max;
}

/** threadlist_free - give back what threadlist_parse() allocated */
void threadlist_free(struct threadlist *list)
{
	free(list->counts);
	*list = (struct threadlist){ };
}
