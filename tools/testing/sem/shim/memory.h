/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory: the kernel's, which can be made to fail, and the user's, of which a
 * part can be made to fault.
 */
#ifndef SEM_SHIM_MEMORY_H
#define SEM_SHIM_MEMORY_H

/* The lowest bits are for zones in the kernel, and taken by its xarray */
#define GFP_ZONEMASK		0x0fu
#define __GFP_DIRECT_RECLAIM	0x10u
#define __GFP_ZERO		0x20u
#define __GFP_NOWARN		0x40u
#define __GFP_ACCOUNT		0x80u
#define __GFP_NORETRY		0x100u
#define __GFP_NOFAIL		0x200u
#define GFP_NOWAIT		0x400u
#define GFP_ATOMIC		0x800u
#define __GFP_BITS_SHIFT	12
#define __GFP_BITS_MASK		((1u << __GFP_BITS_SHIFT) - 1)
#define ___GFP_LAST_BIT		__GFP_BITS_SHIFT
#define GFP_KERNEL		__GFP_DIRECT_RECLAIM
#define GFP_KERNEL_ACCOUNT	(GFP_KERNEL | __GFP_ACCOUNT)
#define SLAB_PANIC		0
#define SLAB_RECLAIM_ACCOUNT	0
#define NUMA_NO_NODE		(-1)

static inline bool gfpflags_allow_blocking(gfp_t gfp)
{
	return gfp & __GFP_DIRECT_RECLAIM;
}

/* The caller must be in a state in which it may sleep */
void might_sleep(void);

/*
 * shim_fail_alloc(n): the nth allocation from now on fails, 0: none.  Returns
 * how many were left of what the last call asked for, 0 if one failed.
 */
long shim_fail_alloc(long n);
/* Bytes that kernel code has allocated and not freed */
long shim_allocated(void);

void *shim_alloc(size_t size, gfp_t gfp) __attribute__((warn_unused_result));
void kfree(const void *p);
/* As kfree(), but may sleep: never under a lock */
void kvfree(const void *p);

static inline void *shim_alloc_array(size_t n, size_t size, gfp_t gfp)
{
	return size && n > SIZE_MAX / size ? NULL : shim_alloc(n * size, gfp);
}

#define kmalloc(size, gfp)		shim_alloc(size, gfp)
#define kzalloc(size, gfp)		shim_alloc(size, (gfp) | __GFP_ZERO)
#define kvmalloc(size, gfp)		shim_alloc(size, gfp)
#define kvzalloc(size, gfp)		shim_alloc(size, (gfp) | __GFP_ZERO)
#define kmalloc_array(n, size, gfp)	shim_alloc_array(n, size, gfp)
#define kvmalloc_array(n, size, gfp)	shim_alloc_array(n, size, gfp)
#define kmalloc_noprof			kmalloc
#define kzalloc_noprof			kzalloc
#define kvmalloc_node_noprof(size, gfp, node)	shim_alloc(size, gfp)
#define alloc_hooks(call)		call
#define alloc_hooks_tag(tag, call)	call
#define alloc_tag_record(tag)		do { } while (0)

struct kmem_cache {
	size_t size;
	void (*init)(void *object);
};

struct kmem_cache *kmem_cache_create(const char *name, size_t size, size_t align,
				     unsigned int flags, void (*init)(void *));
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *cache, void *object);
#define kmem_cache_alloc_lru(cache, lru, gfp)	kmem_cache_alloc(cache, gfp)
#define kmemleak_update_trace(p)		do { } while (0)

struct list_lru;

static inline void might_alloc(gfp_t gfp)
{
	if (gfpflags_allow_blocking(gfp))
		might_sleep();
}

/* User memory between these two faults; so does the first page */
extern char *shim_fault_start, *shim_fault_end;

/* Like the kernel's, return how many bytes were not copied */
unsigned long copy_from_user(void *to, const void *from, unsigned long n);
unsigned long copy_to_user(void *to, const void *from, unsigned long n);

/* Piece by piece; between begin and end nothing else may be done */
bool shim_user_reachable(const void *p, unsigned long n);

static inline bool user_read_access_begin(const void *p, unsigned long n)
{
	might_sleep();
	return true;
}

#define user_read_access_end()		do { } while (0)
#define unsafe_get_user(x, p, fault)					\
do {									\
	if (!shim_user_reachable((p), sizeof(*(p))))			\
		goto fault;						\
	(x) = *(p);							\
} while (0)

#endif
