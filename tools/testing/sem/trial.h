/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs programs of many seeds in a child process, and finds a small one if one
 * fails, by mismatch, crash or hang.
 */
#ifndef SEM_TRIAL_H
#define SEM_TRIAL_H

#include "program.h"

/* The test's: does the implementation get this program right? */
bool trial_run(const struct program *p, struct tally *tally);

/* A failing program is being made smaller: where chance is involved, try more */
extern bool trial_thorough;

/* Says what is wrong, once a program */
void trial_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* How to make the program of a seed */
typedef void trial_generate(struct program *p, uint64_t seed, const struct taste *taste);

int trial_main(int argc, char **argv, const struct taste *taste,
	       trial_generate *generate);

#endif
