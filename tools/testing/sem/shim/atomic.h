/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Atomic operations and marked accesses, in terms of the compiler's, which
 * ThreadSanitizer understands.  Each is a point where a controlled scheduler
 * may switch.
 */
#ifndef SEM_SHIM_ATOMIC_H
#define SEM_SHIM_ATOMIC_H

#ifdef SHIM_STEPS
void shim_point(void);
#else
static inline void shim_point(void) {}
#endif

#define READ_ONCE(x)		({ shim_point(); __atomic_load_n(&(x), __ATOMIC_RELAXED); })
#define WRITE_ONCE(x, v)	({ shim_point(); __atomic_store_n(&(x), (v), __ATOMIC_RELAXED); })
#define smp_load_acquire(p)	({ shim_point(); __atomic_load_n((p), __ATOMIC_ACQUIRE); })
#define smp_store_release(p, v)	({ shim_point(); __atomic_store_n((p), (v), __ATOMIC_RELEASE); })
#define smp_store_mb(x, v)	({ shim_point(); (void)__atomic_exchange_n(&(x), (v), __ATOMIC_SEQ_CST); })
#define data_race(x)		(x)
#define ASSERT_EXCLUSIVE_ACCESS(x)	do { } while (0)

static inline void smp_mb(void)
{
	shim_point();
#if !defined(__SANITIZE_THREAD__)
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#elif defined(__x86_64__)
	/* ThreadSanitizer has no notion of fences */
	__asm__ __volatile__("mfence" : : : "memory");
#endif
}

#define smp_rmb()			smp_mb()
#define smp_wmb()			smp_mb()
#define smp_acquire__after_ctrl_dep()	barrier()

#if defined(__x86_64__) || defined(__i386__)
/* An atomic operation is a full barrier already */
#define smp_mb__before_atomic()		barrier()
#define smp_mb__after_atomic()		barrier()
#define smp_mb__after_spinlock()	barrier()
#else
#define smp_mb__before_atomic()		smp_mb()
#define smp_mb__after_atomic()		smp_mb()
#define smp_mb__after_spinlock()	smp_mb()
#endif

#define xchg(p, v)	({ shim_point(); __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST); })
#define cmpxchg(p, old, new) ({						\
	typeof(*(p)) old_ = (old);					\
	shim_point();							\
	__atomic_compare_exchange_n((p), &old_, (new), false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
	old_;								\
})
#define try_cmpxchg(p, oldp, new) ({					\
	shim_point();							\
	__atomic_compare_exchange_n((p), (oldp), (new), false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
})

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

typedef atomic64_t atomic_long_t;

#define ATOMIC_INIT(n)		{ (n) }

#define SHIM_ATOMIC(name, type, value)					\
static inline value name##_read(const type *v)				\
{ shim_point(); return __atomic_load_n(&v->counter, __ATOMIC_RELAXED); }	\
static inline value name##_read_acquire(const type *v)			\
{ shim_point(); return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE); }	\
static inline void name##_set(type *v, value n)				\
{ shim_point(); __atomic_store_n(&v->counter, n, __ATOMIC_RELAXED); }	\
static inline void name##_set_release(type *v, value n)			\
{ shim_point(); __atomic_store_n(&v->counter, n, __ATOMIC_RELEASE); }	\
static inline void name##_add(value n, type *v)				\
{ shim_point(); __atomic_fetch_add(&v->counter, n, __ATOMIC_RELAXED); }	\
static inline void name##_or(value n, type *v)				\
{ shim_point(); __atomic_fetch_or(&v->counter, n, __ATOMIC_RELAXED); }	\
static inline void name##_andnot(value n, type *v)			\
{ shim_point(); __atomic_fetch_and(&v->counter, ~n, __ATOMIC_RELAXED); }	\
static inline void name##_inc(type *v) { name##_add(1, v); }		\
static inline void name##_dec(type *v) { name##_add(-1, v); }		\
static inline value name##_add_return(value n, type *v)			\
{ shim_point(); return __atomic_add_fetch(&v->counter, n, __ATOMIC_SEQ_CST); } \
static inline value name##_inc_return(type *v)				\
{ return name##_add_return(1, v); }					\
static inline value name##_dec_return(type *v)				\
{ return name##_add_return(-1, v); }					\
static inline bool name##_dec_and_test(type *v)				\
{ return !name##_add_return(-1, v); }					\
static inline value name##_xchg(type *v, value n)			\
{ return xchg(&v->counter, n); }					\
static inline value name##_cmpxchg(type *v, value old, value new)	\
{ return cmpxchg(&v->counter, old, new); }				\
static inline bool name##_try_cmpxchg(type *v, value *old, value new)	\
{ return try_cmpxchg(&v->counter, old, new); }

SHIM_ATOMIC(atomic, atomic_t, int)
SHIM_ATOMIC(atomic64, atomic64_t, s64)

#define atomic_long_read	atomic64_read
#define atomic_long_set		atomic64_set
#define atomic_long_add_return	atomic64_add_return

typedef struct {
	atomic_t refs;
} refcount_t;

#define REFCOUNT_INIT(n)	{ { (n) } }

static inline void refcount_set(refcount_t *r, int n)
{
	atomic_set(&r->refs, n);
}

static inline unsigned int refcount_read(const refcount_t *r)
{
	return atomic_read(&r->refs);
}

static inline __must_check bool refcount_inc_not_zero(refcount_t *r)
{
	int n = atomic_read(&r->refs);

	do {
		if (!n)
			return false;
	} while (!atomic_try_cmpxchg(&r->refs, &n, n + 1));
	return true;
}

static inline void refcount_inc(refcount_t *r)
{
	if (atomic_add_return(1, &r->refs) <= 1)
		SHIM_DIE("a reference out of nothing");
}

static inline __must_check bool refcount_dec_and_test(refcount_t *r)
{
	int n = atomic_dec_return(&r->refs);

	if (n < 0)
		SHIM_DIE("one reference too many dropped");
	return !n;
}

static inline void refcount_dec(refcount_t *r)
{
	if (refcount_dec_and_test(r))
		SHIM_DIE("the last reference dropped where others must exist");
}

#endif
