/* size.h - arithmetic of sizes that detects overflow. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* *out = a b; false when the product does not fit. */
static inline bool size_mul(size_t a, size_t b, size_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

/* *out = a + b; false when the sum does not fit. */
static inline bool size_add(size_t a, size_t b, size_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

static inline size_t size_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The number of blocks of size b that cover a: a / b, rounded up. */
static inline size_t size_blocks(size_t a, size_t b)
{
	return a / b + (a % b != 0);
}

/* The least multiple of b that is not below a. */
static inline size_t size_round_up(size_t a, size_t b)
{
	return size_blocks(a, b) * b;
}

#endif
