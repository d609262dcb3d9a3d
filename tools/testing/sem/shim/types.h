/* SPDX-License-Identifier: GPL-2.0 */
/* Types, attributes and small macros that kernel code takes for granted. */
#ifndef SEM_SHIM_TYPES_H
#define SEM_SHIM_TYPES_H

#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;
typedef unsigned int gfp_t;
typedef unsigned short umode_t;
typedef s64 time64_t;
typedef s64 ktime_t;

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

typedef int (*cmp_func_t)(const void *a, const void *b);
typedef int (*cmp_r_func_t)(const void *a, const void *b, const void *private);
typedef void (*swap_func_t)(void *a, void *b, int size);
typedef void (*swap_r_func_t)(void *a, void *b, int size, const void *private);

#define BITS_PER_LONG		64
#define BITS_PER_BYTE		8
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(h, l)		((~0UL << (l)) & (~0UL >> (63 - (h))))
#define U8_MAX			UINT8_MAX
#define U16_MAX			UINT16_MAX
#define U32_MAX			UINT32_MAX
#define S64_MAX			INT64_MAX
#define PAGE_SHIFT		12
#define PAGE_SIZE		(1UL << PAGE_SHIFT)
#define SMP_CACHE_BYTES		64
#define L1_CACHE_BYTES		64

#define __user
#define __force
#define __rcu
#define __percpu
#define __init
#define __exit
#define __ro_after_init
#define __read_mostly
#define __randomize_layout
#define __sched
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __signed_wrap
#define __private
#define __uninitialized
#define __release(x)		((void)0)
#define __acquire(x)		((void)0)
#define __bitwise
#define ACCESS_PRIVATE(p, member)	((p)->member)
#define __must_check		__attribute__((warn_unused_result))
#define __maybe_unused		__attribute__((unused))
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define __packed		__attribute__((packed))
#define __aligned(x)		__attribute__((aligned(x)))
#define __malloc
#define noinline		__attribute__((noinline))
#define noinline_for_stack	noinline
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define ____cacheline_aligned	__aligned(SMP_CACHE_BYTES)
#define ____cacheline_aligned_in_smp	____cacheline_aligned
#define fallthrough		__attribute__((fallthrough))
#define asmlinkage
#define EXPORT_SYMBOL(x)
#define EXPORT_SYMBOL_GPL(x)
#define EXPORT_PER_CPU_SYMBOL_GPL(x)

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define barrier()		__asm__ __volatile__("" : : : "memory")
#define __same_type(a, b)	__builtin_types_compatible_p(typeof(a), typeof(b))
#define BUILD_BUG_ON(x)		_Static_assert(!(x), #x)
#define BUILD_BUG_ON_ZERO(x)	(sizeof(struct { int : -!!(x); }))
#define static_assert(x, ...)	_Static_assert(x, #x)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define round_down(x, y)	((x) & ~((typeof(x))(y) - 1))
#define round_up(x, y)		((((x) - 1) | ((typeof(x))(y) - 1)) + 1)
#define BITS_TO_LONGS(n)	DIV_ROUND_UP(n, BITS_PER_LONG)
#define upper_32_bits(n)	((u32)((n) >> 32))
#define lower_32_bits(n)	((u32)(n))

#define min(a, b)		({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b)		({ typeof(a) x_ = (a); typeof(b) y_ = (b); x_ > y_ ? x_ : y_; })
#define min_t(t, a, b)		min((t)(a), (t)(b))
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define clamp(v, lo, hi)	min(max(v, lo), hi)

#define sizeof_field(t, m)	sizeof(((t *)0)->m)
#define struct_size(p, member, n) \
	(sizeof(*(p)) + sizeof((p)->member[0]) * (size_t)(n))
#define array_index_nospec(i, n)	((i) < (n) ? (i) : 0)

void shim_die(const char *file, int line, const char *fmt, ...)
	__attribute__((noreturn)) __printf(3, 4);

/* Nothing that user space does may reach one of these: the end of the test */
#define SHIM_DIE(...)		shim_die(__FILE__, __LINE__, __VA_ARGS__)
#define BUG()			SHIM_DIE("BUG")
#define BUG_ON(x)		do { if (x) SHIM_DIE("BUG_ON(%s)", #x); } while (0)
#define WARN_ON(x)		({ bool w_ = !!(x); if (w_) SHIM_DIE("WARN_ON(%s)", #x); w_; })
#define WARN_ON_ONCE(x)		WARN_ON(x)
#define WARN(x, ...)		WARN_ON(x)
#define WARN_ONCE(x, ...)	WARN_ON(x)
#define pr_info_once(...)	do { } while (0)
#define pr_debug(...)		do { } while (0)
#define pr_cont(...)		do { } while (0)

#endif
