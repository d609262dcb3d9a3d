// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kselftest.h"
#include "sem_script.h"
#include "sem_test.h"

#define MAX_SLEEPERS	10
#define MAX_WORDS	64
#define MAX_SOPS	16

struct script {
	int id;
	int nsems;
	const char *step;
	struct sleeper *sleepers[MAX_SLEEPERS];
	pid_t pids[MAX_SLEEPERS];
	bool asleep[MAX_SLEEPERS];
};

/* The words of one step that are still to be read. */
struct words {
	char *word[MAX_WORDS];
	int count;
	int next;
};

static const struct {
	const char *name;
	int value;
} errnos[] = {
	{ "EAGAIN", EAGAIN }, { "EIDRM", EIDRM }, { "EINTR", EINTR },
	{ "EINVAL", EINVAL }, { "ERANGE", ERANGE },
};

static void __attribute__((noreturn, format(printf, 2, 3)))
step_failed(const struct script *script, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	sem_die("step \"%s\": %s", script->step, text);
}

static const char *peek(const struct words *words)
{
	return words->next < words->count ? words->word[words->next] : "";
}

static char *next_word(const struct script *script, struct words *words)
{
	if (words->next == words->count)
		step_failed(script, "script ends too early");
	return words->word[words->next++];
}

static int errno_named(const struct script *script, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(errnos); i++)
		if (!strcmp(name, errnos[i].name))
			return -errnos[i].value;
	step_failed(script, "script names an unknown error %s", name);
}

static int sleeper_number(const struct script *script, const char *word)
{
	int number = atoi(word);

	if (number < 1 || number >= MAX_SLEEPERS)
		step_failed(script, "script has no sleeper %s", word);
	return number;
}

static bool is_sop(const char *word)
{
	return strchr(word, '@');
}

static struct sembuf parse_sop(const struct script *script, const char *word)
{
	struct sembuf sop = { 0 };
	int op, num, end = 0;

	if (sscanf(word, "%d@%d%n", &op, &num, &end) != 2)
		step_failed(script, "script has a bad operation %s", word);
	sop.sem_op = op;
	sop.sem_num = num;
	for (word += end; *word; word++) {
		if (*word == 'n')
			sop.sem_flg |= IPC_NOWAIT;
		else if (*word == 'u')
			sop.sem_flg |= SEM_UNDO;
		else
			step_failed(script, "script has a bad flag %s", word);
	}
	return sop;
}

static int parse_sops(const struct script *script, struct words *words,
		      struct sembuf *sops)
{
	int count = 0;

	while (is_sop(peek(words))) {
		if (count == MAX_SOPS)
			step_failed(script, "script has too many operations");
		sops[count++] = parse_sop(script, next_word(script, words));
	}
	return count;
}

static int count_asleep(const struct script *script)
{
	int i, count = 0;

	for (i = 1; i < MAX_SLEEPERS; i++)
		count += script->asleep[i];
	return count;
}

static void check_sleeper_result(struct script *script, int number, int want)
{
	int seen = sleeper_result(script->sleepers[number]);

	if (seen != want)
		step_failed(script, "sleeper %d returned %d (%s), expected %d",
			    number, seen, strerror(-seen), want);
}

/* Reads the numbers after "wakes" and removes them from those asleep. */
static void expect_woken(struct script *script, struct words *words,
			 int *results)
{
	while (words->next < words->count) {
		char *word = next_word(script, words);
		char *sign = strchr(word, '=');
		int number = sleeper_number(script, word);

		if (!script->asleep[number])
			step_failed(script, "script wakes %d twice", number);
		script->asleep[number] = false;
		results[number] = sign ? errno_named(script, sign + 1) : 0;
	}
}

static void check_counted(const struct script *script)
{
	int seen = sem_sleepers(script->id);

	if (seen != count_asleep(script))
		step_failed(script, "%d sleepers left, expected %d", seen,
			    count_asleep(script));
}

static void check_sleep_on(const struct script *script)
{
	int i;

	for (i = 1; i < MAX_SLEEPERS; i++)
		if (script->asleep[i] && sleeper_done(script->sleepers[i]))
			step_failed(script, "sleeper %d returned %d", i,
				    sleeper_result(script->sleepers[i]));
}

/* Compares what a call returned, and whom it woke, with the step's outcome. */
static void check_outcome(struct script *script, struct words *words,
			  int result, bool removed)
{
	int results[MAX_SLEEPERS];
	int i, want = 0;

	for (i = 0; i < MAX_SLEEPERS; i++)
		results[i] = 1;
	if (!strcmp(peek(words), "fails")) {
		next_word(script, words);
		want = errno_named(script, next_word(script, words));
	}
	if (!strcmp(peek(words), "wakes")) {
		next_word(script, words);
		expect_woken(script, words, results);
	}
	if (result != want)
		step_failed(script, "returned %d (%s), expected %d", result,
			    strerror(-result), want);
	if (!removed)
		check_counted(script);
	for (i = 1; i < MAX_SLEEPERS; i++)
		if (results[i] <= 0)
			check_sleeper_result(script, i, results[i]);
	check_sleep_on(script);
}

static void start_sleeper(struct script *script, int number,
			  struct words *words)
{
	struct sembuf sops[MAX_SOPS];
	int count = parse_sops(script, words, sops);
	struct sleeper *sleeper;

	if (script->sleepers[number])
		step_failed(script, "script starts %d twice", number);
	sleeper = sleeper_ops_asleep(script->id, sops, count);
	script->sleepers[number] = sleeper;
	script->pids[number] = sleeper->pid;
	script->asleep[number] = true;
	check_sleep_on(script);
}

static int do_ops(struct script *script, struct words *words)
{
	struct sembuf sops[MAX_SOPS];
	int count = parse_sops(script, words, sops);

	return sem_ops(script->id, sops, count);
}

static int do_set(struct script *script, struct words *words)
{
	char *word = next_word(script, words);
	int val, num;

	if (sscanf(word, "%d@%d", &val, &num) != 2)
		step_failed(script, "script has a bad value %s", word);
	return sem_setval(script->id, num, val);
}

static int do_setall(struct script *script, struct words *words)
{
	unsigned short vals[script->nsems];
	int i;

	for (i = 0; i < script->nsems; i++)
		vals[i] = atoi(next_word(script, words));
	return sem_setall(script->id, vals);
}

static int do_end(struct script *script, struct words *words)
{
	int number = sleeper_number(script, next_word(script, words));

	if (script->asleep[number])
		step_failed(script, "script ends %d in its sleep", number);
	sleeper_end(script->sleepers[number]);
	script->sleepers[number] = NULL;
	return 0;
}

static int do_kill(struct script *script, struct words *words)
{
	int number = sleeper_number(script, next_word(script, words));

	sleeper_kill(script->sleepers[number]);
	script->sleepers[number] = NULL;
	script->asleep[number] = false;
	return 0;
}

static void check_numbers(struct script *script, struct words *words,
			  const char *name, int (*get)(int id, int num))
{
	int num, want, seen;

	for (num = 0; num < script->nsems; num++) {
		want = atoi(next_word(script, words));
		seen = get(script->id, num);
		if (seen != want)
			step_failed(script, "%s of semaphore %d is %d", name,
				    num, seen);
	}
}

static pid_t pid_named(const struct script *script, const char *word)
{
	if (!strcmp(word, "me"))
		return getpid();
	if (!strcmp(word, "none"))
		return 0;
	return script->pids[sleeper_number(script, word)];
}

static void check_pids(struct script *script, struct words *words)
{
	int num, seen;
	char *word;

	for (num = 0; num < script->nsems; num++) {
		word = next_word(script, words);
		seen = sem_pid(script->id, num);
		if (strcmp(word, "-") && seen != pid_named(script, word))
			step_failed(script, "sempid of semaphore %d is %d",
				    num, seen);
	}
}

static bool check_step(struct script *script, const char *verb,
		       struct words *words)
{
	if (!strcmp(verb, "val"))
		check_numbers(script, words, "value", sem_val);
	else if (!strcmp(verb, "ncnt"))
		check_numbers(script, words, "GETNCNT", sem_ncnt);
	else if (!strcmp(verb, "zcnt"))
		check_numbers(script, words, "GETZCNT", sem_zcnt);
	else if (!strcmp(verb, "pid"))
		check_pids(script, words);
	else
		return false;
	return true;
}

static int acting_step(struct script *script, const char *verb,
		       struct words *words)
{
	if (!strcmp(verb, "do"))
		return do_ops(script, words);
	if (!strcmp(verb, "set"))
		return do_set(script, words);
	if (!strcmp(verb, "setall"))
		return do_setall(script, words);
	if (!strcmp(verb, "rm"))
		return sem_rm(script->id);
	if (!strcmp(verb, "end"))
		return do_end(script, words);
	if (!strcmp(verb, "kill"))
		return do_kill(script, words);
	step_failed(script, "script has an unknown step");
}

static void run_step(struct script *script, struct words *words)
{
	char *verb = next_word(script, words);
	int result;

	if (verb[strlen(verb) - 1] == ':') {
		start_sleeper(script, sleeper_number(script, verb), words);
	} else if (!check_step(script, verb, words)) {
		result = acting_step(script, verb, words);
		check_outcome(script, words, result, !strcmp(verb, "rm"));
	}
	if (words->next != words->count)
		step_failed(script, "script has a word too many: %s",
			    peek(words));
}

static void split_words(struct words *words, char *step)
{
	char *word, *state;

	*words = (struct words) { .count = 0 };
	for (word = strtok_r(step, " \t", &state); word;
	     word = strtok_r(NULL, " \t", &state)) {
		if (words->count == MAX_WORDS)
			sem_die("a step of a script has too many words");
		words->word[words->count++] = word;
	}
}

static void finish_script(struct script *script)
{
	int i;

	for (i = 1; i < MAX_SLEEPERS; i++) {
		if (!script->sleepers[i])
			continue;
		if (script->asleep[i])
			sleeper_kill(script->sleepers[i]);
		else
			sleeper_end(script->sleepers[i]);
	}
	sem_rm(script->id);
}

void sem_script(int nsems, const char *text)
{
	struct script script = { .id = sem_new(nsems), .nsems = nsems };
	char *copy = strdup(text);
	char *step, *state;

	for (step = strtok_r(copy, ";", &state); step;
	     step = strtok_r(NULL, ";", &state)) {
		char *shown = strdup(step + strspn(step, " "));
		struct words words;

		script.step = shown;
		split_words(&words, step);
		alarm(sem_deadline());
		if (words.count)
			run_step(&script, &words);
		free(shown);
	}
	free(copy);
	alarm(0);
	finish_script(&script);
}
