// SPDX-License-Identifier: GPL-2.0
#include "trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread struct trace *tracing;

void trace_to(struct trace *trace)
{
	tracing = trace;
}

/* Where the line is, or is to be */
static unsigned int place_of(const struct trace *trace, uintptr_t address)
{
	unsigned int i = address / TRACE_LINE % TRACE_LINES;

	while (trace->lines[i].address && trace->lines[i].address != address)
		i = (i + 1) % TRACE_LINES;
	return i;
}

const struct trace_line *trace_find(const struct trace *trace, uintptr_t address)
{
	const struct trace_line *line = &trace->lines[place_of(trace, address)];

	return line->address ? line : NULL;
}

static struct trace_line *line_of(struct trace *trace, uintptr_t address)
{
	unsigned int i = place_of(trace, address);

	if (!trace->lines[i].address && ++trace->count > TRACE_LINES / 2) {
		fputs("trace: more lines than TRACE_LINES\n", stderr);
		abort();
	}
	trace->lines[i].address = address;
	return &trace->lines[i];
}

static void record(const volatile void *p, size_t size, bool writes, void *pc)
{
	struct trace *trace = tracing;
	uintptr_t at = (uintptr_t)p, end = at + size, address;

	if (!trace || !size)
		return;
	for (address = at / TRACE_LINE * TRACE_LINE; address < end; address += TRACE_LINE) {
		struct trace_line *line = line_of(trace, address);

		if (!line->touched_by)
			line->touched_by = pc;
		if (writes && !line->written_by) {
			line->written_by = pc;
			line->written_at = at > address ? at : address;
		}
	}
}

#define PC	__builtin_return_address(0)

/*
 * What the compiler calls
 */

void __tsan_init(void);
void __tsan_init(void)
{
}

#define PLAIN(size)							\
void __tsan_read##size(void *p);					\
void __tsan_read##size(void *p) { record(p, size, false, PC); }		\
void __tsan_write##size(void *p);					\
void __tsan_write##size(void *p) { record(p, size, true, PC); }		\
void __tsan_unaligned_read##size(void *p);				\
void __tsan_unaligned_read##size(void *p) { record(p, size, false, PC); } \
void __tsan_unaligned_write##size(void *p);				\
void __tsan_unaligned_write##size(void *p) { record(p, size, true, PC); }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *p, unsigned long size);
void __tsan_read_range(void *p, unsigned long size)
{
	record(p, size, false, PC);
}

void __tsan_write_range(void *p, unsigned long size);
void __tsan_write_range(void *p, unsigned long size)
{
	record(p, size, true, PC);
}

/* Whatever order was asked for, the strongest is right */
#define FETCH(bits, type, op)						\
type __tsan_atomic##bits##_fetch_##op(volatile type *p, type v, int order); \
type __tsan_atomic##bits##_fetch_##op(volatile type *p, type v, int order) \
{									\
	record(p, sizeof(type), true, PC);				\
	return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);		\
}

/* One that fails has asked for the line all the same */
#define EXCHANGE(bits, type, strength)					\
int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *p,	\
		type *old, type new, int order, int failure);		\
int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *p,	\
		type *old, type new, int order, int failure)		\
{									\
	record(p, sizeof(type), true, PC);				\
	return __atomic_compare_exchange_n(p, old, new, 0,		\
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
}

#define ATOMIC(bits, type)						\
type __tsan_atomic##bits##_load(const volatile type *p, int order);	\
type __tsan_atomic##bits##_load(const volatile type *p, int order)	\
{									\
	record(p, sizeof(type), false, PC);				\
	return __atomic_load_n(p, __ATOMIC_SEQ_CST);			\
}									\
void __tsan_atomic##bits##_store(volatile type *p, type v, int order);	\
void __tsan_atomic##bits##_store(volatile type *p, type v, int order)	\
{									\
	record(p, sizeof(type), true, PC);				\
	__atomic_store_n(p, v, __ATOMIC_SEQ_CST);			\
}									\
type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order); \
type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) \
{									\
	record(p, sizeof(type), true, PC);				\
	return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);		\
}									\
FETCH(bits, type, add)							\
FETCH(bits, type, sub)							\
FETCH(bits, type, and)							\
FETCH(bits, type, or)							\
FETCH(bits, type, xor)							\
EXCHANGE(bits, type, strong)						\
EXCHANGE(bits, type, weak)

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* The linker lets calls of memset() and its like come here (--wrap) */
void *__real_memset(void *p, int c, size_t n);
void *__wrap_memset(void *p, int c, size_t n);
void *__wrap_memset(void *p, int c, size_t n)
{
	record(p, n, true, PC);
	return __real_memset(p, c, n);
}

void *__real_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n)
{
	record(to, n, true, PC);
	record(from, n, false, PC);
	return __real_memcpy(to, from, n);
}

void *__real_memmove(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n);
void *__wrap_memmove(void *to, const void *from, size_t n)
{
	record(to, n, true, PC);
	record(from, n, false, PC);
	return __real_memmove(to, from, n);
}

/*
 * Names
 */

struct block {
	uintptr_t start;
	size_t size;
	void *caller;
	struct block *next;
};

static pthread_mutex_t blocks_lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks;

void trace_alloc(const void *start, size_t size, void *caller)
{
	struct block *block = malloc(sizeof(*block));

	if (!block)
		abort();
	*block = (struct block){ (uintptr_t)start, size, caller };
	pthread_mutex_lock(&blocks_lock);
	block->next = blocks;
	blocks = block;
	pthread_mutex_unlock(&blocks_lock);
}

void trace_free(const void *start)
{
	struct block **link = &blocks, *block;

	pthread_mutex_lock(&blocks_lock);
	while ((*link)->start != (uintptr_t)start)
		link = &(*link)->next;
	block = *link;
	*link = block->next;
	pthread_mutex_unlock(&blocks_lock);
	free(block);
}

/* Line @number of @file, without its indentation */
static void read_line(const char *file, int number, char *text, size_t size)
{
	FILE *from = fopen(file, "r");
	size_t skip;

	*text = 0;
	if (!from)
		return;
	while (number-- && fgets(text, size, from))
		;
	fclose(from);
	text[strcspn(text, "\n")] = 0;
	skip = strspn(text, "\t ");
	memmove(text, text + skip, strlen(text + skip) + 1);
}

/* The innermost function that is not one of the shim's */
void trace_where(const void *pc, char *text, size_t size)
{
	char command[120], function[100], place[300], line[120];
	FILE *from;

	snprintf(text, size, "%p", pc);
	/* A return address: the call is before it */
	snprintf(command, sizeof(command), "addr2line -i -f -e /proc/%d/exe %p",
		 getpid(), (char *)pc - 1);
	from = popen(command, "r");
	if (!from)
		return;
	while (fgets(function, sizeof(function), from) && fgets(place, sizeof(place), from)) {
		char *number = strrchr(place, ':'), *file = strrchr(place, '/');

		if (!number || !file)
			continue;
		*number++ = 0;
		function[strcspn(function, "\n")] = 0;
		read_line(place, atoi(number), line, sizeof(line));
		snprintf(text, size, "%s() %s:%d: %s", function, file + 1, atoi(number),
			 line);
		if (!strstr(place, "/shim/"))
			break;
	}
	pclose(from);
}

void trace_name(uintptr_t address, char *text, size_t size)
{
	struct block *block;
	char where[200];
	Dl_info info;

	pthread_mutex_lock(&blocks_lock);
	for (block = blocks; block; block = block->next)
		if (address >= block->start && address < block->start + block->size)
			break;
	pthread_mutex_unlock(&blocks_lock);
	if (block) {
		trace_where(block->caller, where, sizeof(where));
		snprintf(text, size, "byte %zu of a block of %zu from %s",
			 (size_t)(address - block->start), block->size, where);
	} else if (dladdr((void *)address, &info) && info.dli_sname) {
		snprintf(text, size, "%s, byte %zu", info.dli_sname,
			 (size_t)(address - (uintptr_t)info.dli_saddr));
	} else {
		snprintf(text, size, "address %#lx", address);
	}
}
