/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which cache lines does a thread touch?  Everything that is compiled with
 * -fsanitize=thread reports its accesses, atomic ones and locks too, to the
 * functions in trace.c, which are linked instead of ThreadSanitizer's.
 */
#ifndef SEM_SHIM_TRACE_H
#define SEM_SHIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_LINE	64
#define TRACE_LINES	4096	/* of one thread, at most half as many used */

/* What a thread did to one cache line */
struct trace_line {
	uintptr_t address;	/* 0: none */
	void *written_by;	/* where it wrote for the first time, or NULL */
	uintptr_t written_at;	/* which byte */
	void *touched_by;	/* where it touched it for the first time */
};

struct trace {
	struct trace_line lines[TRACE_LINES];
	int count;
};

/* From now on the calling thread's accesses go to @trace; NULL: nowhere */
void trace_to(struct trace *trace);

/* What was done to the line, or NULL */
const struct trace_line *trace_find(const struct trace *trace, uintptr_t address);

/* The blocks that kernel code has allocated */
void trace_alloc(const void *block, size_t size, void *caller);
void trace_free(const void *block);

/*
 * What lies at @address?  Into @text: the size of the block, who allocated it,
 * and the offset; or the symbol.
 */
void trace_name(uintptr_t address, char *text, size_t size);
/* Function, file, line and its text of an address in the program */
void trace_where(const void *pc, char *text, size_t size);

#endif
