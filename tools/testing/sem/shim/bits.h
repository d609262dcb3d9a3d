/* SPDX-License-Identifier: GPL-2.0 */
/* Bit operations and bitmaps. */
#ifndef SEM_SHIM_BITS_H
#define SEM_SHIM_BITS_H

#define BIT_MASK(nr)	(1UL << ((nr) % BITS_PER_LONG))
#define BIT_WORD(nr)	((nr) / BITS_PER_LONG)
#define BITMAP_FIRST_WORD_MASK(start)	(~0UL << ((start) & (BITS_PER_LONG - 1)))

#define for_each_set_bit(bit, addr, size)				\
	for ((bit) = find_first_bit(addr, size); (bit) < (size);	\
	     (bit) = find_next_bit(addr, size, (bit) + 1))

static inline unsigned int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline unsigned int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned long __fls(unsigned long x)
{
	return BITS_PER_LONG - 1 - __builtin_clzl(x);
}

static inline unsigned long __ffs(unsigned long x)
{
	return __builtin_ctzl(x);
}

static inline unsigned long fls_long(unsigned long x)
{
	return fls64(x);
}

static inline u32 rol32(u32 word, unsigned int shift)
{
	return (word << (shift & 31)) | (word >> ((-shift) & 31));
}

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static inline unsigned int ilog2(u64 n)
{
	return fls64(n) - 1;
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n <= 1 ? 1 : 1UL << fls64(n - 1);
}

static inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1UL << (fls64(n) - 1);
}

static inline bool test_bit(long nr, const unsigned long *addr)
{
	return READ_ONCE(addr[BIT_WORD(nr)]) & BIT_MASK(nr);
}

static inline void __set_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] |= BIT_MASK(nr);
}

static inline void __clear_bit(long nr, unsigned long *addr)
{
	addr[BIT_WORD(nr)] &= ~BIT_MASK(nr);
}

static inline bool __test_and_set_bit(long nr, unsigned long *addr)
{
	bool was = addr[BIT_WORD(nr)] & BIT_MASK(nr);

	__set_bit(nr, addr);
	return was;
}

static inline bool __test_and_clear_bit(long nr, unsigned long *addr)
{
	bool was = addr[BIT_WORD(nr)] & BIT_MASK(nr);

	__clear_bit(nr, addr);
	return was;
}

unsigned long shim_find_bit(const unsigned long *addr, unsigned long size,
			    unsigned long start, unsigned long flip);

#define find_next_bit(addr, size, start)	shim_find_bit(addr, size, start, 0)
#define find_first_bit(addr, size)		shim_find_bit(addr, size, 0, 0)
#define find_next_zero_bit(addr, size, start)	shim_find_bit(addr, size, start, ~0UL)
#define find_first_zero_bit(addr, size)		shim_find_bit(addr, size, 0, ~0UL)

static inline void bitmap_fill(unsigned long *map, unsigned int bits)
{
	memset(map, 0xff, BITS_TO_LONGS(bits) * sizeof(*map));
}

static inline void bitmap_clear(unsigned long *map, unsigned int start, int n)
{
	while (n--)
		__clear_bit(start++, map);
}

static inline bool bitmap_empty(const unsigned long *map, unsigned int bits)
{
	return find_first_bit(map, bits) >= bits;
}

static inline bool bitmap_full(const unsigned long *map, unsigned int bits)
{
	return find_first_zero_bit(map, bits) >= bits;
}

/* A bit of a word as a lock */
void bit_spin_lock(int nr, unsigned long *addr);
void bit_spin_unlock(int nr, unsigned long *addr);
#define __bit_spin_unlock	bit_spin_unlock
#define bit_spin_is_locked(nr, addr)	test_bit(nr, addr)
#define preempt_disable()	do { } while (0)
#define preempt_enable()	do { } while (0)
#define in_interrupt()		0

#endif
