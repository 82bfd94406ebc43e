/* convert.c - see convert.h. */
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "matrix/convert.h"

enum { TILE = 32 };		/* 2 tiles of float64 are half an L1 cache */

struct element element_of(enum dtype d)
{
	static const char kinds[DTYPE_COUNT] = {
		[FLOAT32] = 'f', [FLOAT64] = 'f', [INT32] = 'i',
		[INT64] = 'i', [BOOL] = 'b',
	};

	return (struct element){ kinds[d], (unsigned char)dtype_bytes(d), 0 };
}

enum dtype element_dtype(struct element x)
{
	return x.kind == 'f' && x.bytes == 4 ? FLOAT32 : FLOAT64;
}

bool element_native(struct element x)
{
	return x.kind == 'f' && !x.big_endian;
}

size_t element_offset(const struct matrix *m, struct element x)
{
	return matrix_elements(m) * (dtype_bytes(m->dtype) - x.bytes);
}

/* Each reads all of element i before it writes any of it. */
#define WIDEN(name, type, bits, swap)                                   \
static void name(double *to, const char *from, size_t n, bool big)      \
{                                                                       \
	for (size_t i = 0; i < n; i++) {                                \
		uint##bits##_t u;                                       \
		type x;                                                 \
		double d;                                               \
									\
		memcpy(&u, from + i * sizeof u, sizeof u);              \
		u = big ? (uint##bits##_t)swap(u) : u;                  \
		memcpy(&x, &u, sizeof x);                               \
		d = (double)x;                                          \
		memcpy(to + i, &d, sizeof d);                           \
	}                                                               \
}

#define SAME(u) (u)
WIDEN(widen_i1, int8_t, 8, SAME)
WIDEN(widen_u1, uint8_t, 8, SAME)
WIDEN(widen_i2, int16_t, 16, __builtin_bswap16)
WIDEN(widen_u2, uint16_t, 16, __builtin_bswap16)
WIDEN(widen_i4, int32_t, 32, __builtin_bswap32)
WIDEN(widen_u4, uint32_t, 32, __builtin_bswap32)
WIDEN(widen_i8, int64_t, 64, __builtin_bswap64)
WIDEN(widen_u8, uint64_t, 64, __builtin_bswap64)
WIDEN(swap_f8, double, 64, __builtin_bswap64)

static void widen_b1(double *to, const char *from, size_t n, bool big)
{
	(void)big;
	for (size_t i = 0; i < n; i++)
		to[i] = from[i] != 0;
}

static void swap_f4(double *to, const char *from, size_t n, bool big)
{
	uint32_t *u = (void *)to;

	(void)from;
	for (size_t i = 0; big && i < n; i++)
		u[i] = __builtin_bswap32(u[i]);
}

void convert_elements(const struct matrix *m, struct element x)
{
	static const struct {
		char kind;
		unsigned char bytes;
		void (*fn)(double *to, const char *from, size_t n, bool big);
	} rows[] = {
		{ 'f', 4, swap_f4 },  { 'f', 8, swap_f8 },
		{ 'i', 1, widen_i1 }, { 'u', 1, widen_u1 },
		{ 'i', 2, widen_i2 }, { 'u', 2, widen_u2 },
		{ 'i', 4, widen_i4 }, { 'u', 4, widen_u4 },
		{ 'i', 8, widen_i8 }, { 'u', 8, widen_u8 },
		{ 'b', 1, widen_b1 },
	};
	char *data = matrix_data(m);

	for (size_t i = 0; i < COUNT(rows) && !element_native(x); i++)
		if (rows[i].kind == x.kind && rows[i].bytes == x.bytes)
			rows[i].fn((double *)data, data + element_offset(m, x),
			           matrix_elements(m), x.big_endian);
}

/* A plane of the array: the first index against the last, all others fixed.
 * to[i * to_step + j] = from[i + j * from_step], in tiles that stay in the
 * cache both ways. */
#define PLANE(name, type)                                                  \
static void name(void *to, const void *from, size_t m, size_t n,           \
                 size_t to_step, size_t from_step)                         \
{                                                                          \
	for (size_t i0 = 0; i0 < m; i0 += TILE)                            \
		for (size_t j0 = 0; j0 < n; j0 += TILE)                    \
			for (size_t i = i0; i < size_min(m, i0 + TILE); i++) \
				for (size_t j = j0;                        \
				     j < size_min(n, j0 + TILE); j++)      \
					((type *)to)[i * to_step + j] =    \
					    ((const type *)from)           \
					    [i + j * from_step];           \
}

PLANE(plane4, uint32_t)
PLANE(plane8, uint64_t)

/* Where plane k begins: k counts the middle indices, the last one fastest. */
static size_t plane_begin(const struct matrix *m, size_t k)
{
	size_t at = 0, step = matrix_elements(m) / m->dim[m->ndim - 1];

	for (int d = m->ndim - 2; d >= 1; d--) {
		step /= m->dim[d];
		at += k % m->dim[d] * step;
		k /= m->dim[d];
	}
	return at;
}

static void reorder(const struct matrix *to, const struct matrix *from)
{
	size_t rows = to->dim[0], cols = to->dim[to->ndim - 1];
	size_t n = matrix_elements(to), planes = n / rows / cols;
	size_t size = dtype_bytes(to->dtype);
	char *t = matrix_data(to);
	const char *f = matrix_data(from);

	for (size_t k = 0; k < planes; k++)
		(size == 4 ? plane4 : plane8)(t + k * cols * size,
		    f + plane_begin(to, k) * size, rows, cols,
		    n / rows, n / cols);
}

int convert_fortran(struct matrix *m, struct memory_pool *p, struct err *e)
{
	struct matrix out = *m;

	if (m->ndim < 2 || matrix_elements(m) == 0)
		return 0;
	out.memory = NULL;
	if (matrix_alloc(&out, p, e) < 0)
		return -1;
	reorder(&out, m);
	memory_unref(m->memory);
	*m = out;
	return 0;
}
