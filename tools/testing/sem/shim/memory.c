// SPDX-License-Identifier: GPL-2.0
/* Allocations that can be made to fail, and copies that can fault. */

#ifdef SHIM_MSAN
#include <sanitizer/msan_interface.h>
#endif
#ifdef SHIM_TRACE
#include "trace.h"
#endif

#define ALIGNMENT	SMP_CACHE_BYTES

/* In front of each allocation */
union header {
	struct {
		size_t size;
		gfp_t gfp;
	};
	char room[ALIGNMENT];
};

static long allocated;
static long fail_after;

char *shim_fault_start, *shim_fault_end;

long shim_fail_alloc(long n)
{
	return __atomic_exchange_n(&fail_after, n, __ATOMIC_RELAXED);
}

long shim_allocated(void)
{
	return __atomic_load_n(&allocated, __ATOMIC_RELAXED);
}

static bool must_fail(void)
{
	long left = __atomic_load_n(&fail_after, __ATOMIC_RELAXED);

	if (!left)
		return false;
	return __atomic_sub_fetch(&fail_after, 1, __ATOMIC_RELAXED) == 0;
}

void *shim_alloc(size_t size, gfp_t gfp)
{
	union header *block;

	might_alloc(gfp);
	if (!(gfp & __GFP_NOFAIL) && must_fail())
		return NULL;
	block = aligned_alloc(ALIGNMENT, round_up(sizeof(*block) + size, ALIGNMENT));
	if (!block)
		return NULL;
	/* What the kernel would not have zeroed shall be seen when it is used */
	if (gfp & __GFP_ZERO)
		memset(block + 1, 0, size);
#ifndef SHIM_MSAN
	else
		memset(block + 1, 0xa5, size);
#endif
	block->size = size;
	block->gfp = gfp;
	__atomic_fetch_add(&allocated, size, __ATOMIC_RELAXED);
#ifdef SHIM_TRACE
	trace_alloc(block + 1, size, __builtin_return_address(0));
#endif
	return block + 1;
}

void kfree(const void *p)
{
	union header *block;

	if (!p)
		return;
#ifdef SHIM_TRACE
	trace_free(p);
#endif
	block = (union header *)p - 1;
	__atomic_fetch_sub(&allocated, block->size, __ATOMIC_RELAXED);
	free(block);
}

static bool may_have_pages(const void *p)
{
	return p && gfpflags_allow_blocking(((const union header *)p - 1)->gfp);
}

void kvfree(const void *p)
{
	/*
	 * What was allocated where one must not sleep has no pages of its own and
	 * may be freed anywhere. The stock find_alloc_undo() breaks the rule.
	 */
	if (may_have_pages(p) && current->held_count && !SHIM_STOCK)
		SHIM_DIE("kvfree() under a spinlock");
	kfree(p);
}

struct kmem_cache *kmem_cache_create(const char *name, size_t size, size_t align,
				     unsigned int flags, void (*init)(void *))
{
	struct kmem_cache *cache = malloc(sizeof(*cache));

	if (!cache)
		SHIM_DIE("no memory");
	cache->size = size;
	cache->init = init;
	return cache;
}

void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp)
{
	void *object = shim_alloc(cache->size, gfp);

	if (object && cache->init)
		cache->init(object);
	return object;
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	kfree(object);
}

/* How much of a piece of user memory can be reached */
static unsigned long reachable(const char *p, unsigned long n)
{
	might_sleep();
	if ((unsigned long)p < PAGE_SIZE)
		return 0;
	if (p >= shim_fault_end || p + n <= shim_fault_start)
		return n;
	return p >= shim_fault_start ? 0 : shim_fault_start - p;
}

bool shim_user_reachable(const void *p, unsigned long n)
{
	return reachable(p, n) == n;
}

unsigned long copy_from_user(void *to, const void *from, unsigned long n)
{
	unsigned long good = reachable(from, n);

	if (good)
		memcpy(to, from, good);
	memset((char *)to + good, 0, n - good);
	return n - good;
}

unsigned long copy_to_user(void *to, const void *from, unsigned long n)
{
	unsigned long good = reachable(to, n);

#ifdef SHIM_MSAN
	/* Nothing of what happens to lie in kernel memory gets out */
	__msan_check_mem_is_initialized(from, n);
#endif
	if (good)
		memcpy(to, from, good);
	return n - good;
}
