/* finite.c - the search for NaN and infinity; see stack.h. */
#include <string.h>

#include "base/size.h"
#include "ops/lapack/stack.h"

/* Defines a function that returns whether an element is NaN or infinite. Only
 * these have an exponent whose bits are all ones: adding 1 to such an exponent
 * carries into the sign bit. Four vectors of 16 bytes are tested at a time. */
#define ANY_NONFINITE(bits, ones, one)                                       \
typedef uint##bits##_t lanes_##bits                                          \
	__attribute__((vector_size(16), aligned(bits / 8), may_alias));      \
                                                                             \
static bool any_nonfinite_##bits(const uint##bits##_t *x, size_t n)          \
{                                                                            \
	enum { LANES = 128 / bits };                                         \
	lanes_##bits p = { 0 }, q = { 0 }, r = { 0 }, s = { 0 };             \
	uint##bits##_t any = 0;                                              \
	size_t i = 0;                                                        \
                                                                             \
	for (; i + 4 * LANES <= n; i += 4 * LANES) {                         \
		const lanes_##bits *v = (const void *)(x + i);               \
                                                                             \
		p |= (v[0] & (ones)) + (one);                                \
		q |= (v[1] & (ones)) + (one);                                \
		r |= (v[2] & (ones)) + (one);                                \
		s |= (v[3] & (ones)) + (one);                                \
	}                                                                    \
	for (; i < n; i++)                                                   \
		any |= (x[i] & (ones)) + (one);                              \
	p |= q | r | s;                                                      \
	for (int k = 0; k < LANES; k++)                                      \
		any |= p[k];                                                 \
	return any >> (bits - 1) != 0;                                       \
}

ANY_NONFINITE(32, 0x7f800000u, 0x00800000u)
ANY_NONFINITE(64, UINT64_C(0x7ff) << 52, UINT64_C(1) << 52)

static bool any_nonfinite(enum dtype t, const void *x, size_t n)
{
	return t == FLOAT32 ? any_nonfinite_32(x, n) : any_nonfinite_64(x, n);
}

/* Whole blocks are tested before an element is looked for. */
size_t lapack_find_nonfinite(enum dtype t, const void *x, size_t n)
{
	enum { BLOCK = 1024 };
	const char *at = x;
	const size_t one = dtype_bytes(t);
	size_t i = 0;

	if (dtype_is_complex(t))
		return lapack_find_nonfinite(dtype_part(t), x, 2 * n) / 2;
	while (i < n && !any_nonfinite(t, at + i * one,
	                               size_min(BLOCK, n - i)))
		i += size_min(BLOCK, n - i);
	while (i < n && !any_nonfinite(t, at + i * one, 1))
		i++;
	return i;
}
