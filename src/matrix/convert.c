/* convert.c - see convert.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "matrix/arrival.h"
#include "matrix/convert.h"
#include "matrix/touch.h"

enum { TILE = 32 };		/* 2 tiles of float64 are half an L1 cache */

struct element element_of(enum dtype d)
{
	static const char kinds[DTYPE_COUNT] = {
		[FLOAT32] = 'f', [FLOAT64] = 'f', [INT32] = 'i',
		[INT64] = 'i', [BOOL] = 'b', [FLOAT16] = 'f',
		[BFLOAT16] = 'V',
		[COMPLEX64] = 'c', [COMPLEX128] = 'c',
	};

	return (struct element){ kinds[d], (unsigned char)dtype_bytes(d), 0 };
}

enum dtype element_dtype(struct element x)
{
	if (x.kind == 'V')
		return BFLOAT16;
	if (x.kind == 'c')
		return x.bytes == 16 ? COMPLEX128 : COMPLEX64;
	if (x.kind == 'f')
		return x.bytes == 8 ? FLOAT64 :
		       x.bytes == 4 ? FLOAT32 : FLOAT16;
	return x.kind == 'i' && x.bytes == 4 ? INT32 : INT64;
}

bool element_native(struct element x)
{
	const struct element ours = element_of(element_dtype(x));

	return x.kind == ours.kind && x.bytes == ours.bytes && !x.big_endian;
}

size_t element_offset(const struct matrix *m, struct element x)
{
	return matrix_elements(m) * (dtype_bytes(m->dtype) - x.bytes);
}

int element_take(struct matrix *m, struct element x, size_t got,
                 const void *bytes, size_t n, struct err *e)
{
	const size_t at = element_offset(m, x) + got;
	const size_t charged = m->memory->charged, all = matrix_size(m);

	/* The last bytes charge the memory of the converted elements, too. */
	if (arrival_charge(m->memory, at + n == all ? all : got + n, e))
		return -1;
	if (element_native(x))
		touch_range(m->memory, charged, m->memory->charged);
	memcpy((char *)m->memory->data + at, bytes, n);
	return 0;
}

/* In-place conversions: each reads all of element i before it writes any of
 * it. */
#define WIDEN(name, to_type, type, bits, swap, value)                   \
static void name(void *to, const char *from, size_t n, bool big)        \
{                                                                       \
	for (size_t i = 0; i < n; i++) {                                \
		uint##bits##_t u;                                       \
		type x;                                                 \
		to_type y;                                              \
									\
		memcpy(&u, from + i * sizeof u, sizeof u);              \
		u = big ? (uint##bits##_t)swap(u) : u;                  \
		memcpy(&x, &u, sizeof x);                               \
		y = (to_type)value(x);                                  \
		memcpy((char *)to + i * sizeof y, &y, sizeof y);        \
	}                                                               \
}

#define SAME(u) (u)
#define TRUTH(u) ((u) != 0)
WIDEN(widen_b1, int64_t, uint8_t, 8, SAME, TRUTH)
WIDEN(widen_i1, int64_t, int8_t, 8, SAME, SAME)
WIDEN(widen_u1, int64_t, uint8_t, 8, SAME, SAME)
WIDEN(widen_i2, int64_t, int16_t, 16, __builtin_bswap16, SAME)
WIDEN(widen_u2, int64_t, uint16_t, 16, __builtin_bswap16, SAME)
WIDEN(widen_u4, int64_t, uint32_t, 32, __builtin_bswap32, SAME)
WIDEN(swap_2, uint16_t, uint16_t, 16, __builtin_bswap16, SAME)
WIDEN(swap_4, uint32_t, uint32_t, 32, __builtin_bswap32, SAME)
WIDEN(swap_8, uint64_t, uint64_t, 64, __builtin_bswap64, SAME)
WIDEN(round_u8, double, uint64_t, 64, __builtin_bswap64, SAME)

/* Complex elements are pairs of reals. */
static void swap_4s(void *to, const char *from, size_t n, bool big)
{
	swap_4(to, from, 2 * n, big);
}

static void swap_8s(void *to, const char *from, size_t n, bool big)
{
	swap_8(to, from, 2 * n, big);
}

typedef void convert_fn(void *to, const char *from, size_t n, bool big);

static convert_fn *find_conversion(struct element x)
{
	static const struct {
		char kind;
		unsigned char bytes;
		convert_fn *fn;
	} rows[] = {
		{ 'f', 2, swap_2 },   { 'V', 2, swap_2 },
		{ 'f', 4, swap_4 },   { 'f', 8, swap_8 },
		{ 'i', 1, widen_i1 }, { 'u', 1, widen_u1 },
		{ 'i', 2, widen_i2 }, { 'u', 2, widen_u2 },
		{ 'i', 4, swap_4 },   { 'u', 4, widen_u4 },
		{ 'i', 8, swap_8 },   { 'u', 8, swap_8 },
		{ 'b', 1, widen_b1 },
		{ 'c', 8, swap_4s },  { 'c', 16, swap_8s },
	};

	for (size_t i = 0; i < COUNT(rows) && !element_native(x); i++)
		if (rows[i].kind == x.kind && rows[i].bytes == x.bytes)
			return rows[i].fn;
	return NULL;
}

static int convert_all(convert_fn *fn, const struct matrix *m,
                       struct element x, struct err *e)
{
	const size_t n = fn ? matrix_elements(m) : 0;
	const size_t bytes = dtype_bytes(m->dtype);
	char *const data = matrix_data(m);
	const char *const from = data + element_offset(m, x);

	for (size_t i = 0; i < n; i += SLICE_STEPS) {
		fn(data + i * bytes, from + i * x.bytes,
		   size_min(n - i, SLICE_STEPS), x.big_endian);
		if (slice_next(e))
			return -1;
	}
	return 0;
}

static int find_negative(const struct matrix *m, bool *negative, struct err *e)
{
	const int64_t *data = matrix_data(m);
	const size_t n = matrix_elements(m);

	for (size_t i = 0; i < n && !*negative; i++) {
		*negative = data[i] < 0;
		if (slice_every(i, e))
			return -1;
	}
	return 0;
}

int convert_elements(struct matrix *m, struct element x, struct err *e)
{
	if (convert_all(find_conversion(x), m, x, e))
		return -1;
	if (x.kind != 'u' || x.bytes != 8)
		return 0;
	/* Unsigned values beyond int64 are negative when read as int64. */
	if (find_negative(m, &m->rounded, e))
		return -1;
	if (!m->rounded)
		return 0;
	m->dtype = FLOAT64;
	x.big_endian = false;
	return convert_all(round_u8, m, x, e);
}

/* A plane of the array: the first index against the last, all others fixed. */
struct plane {
	char *to;
	const char *from;
	size_t m, n, to_step, from_step;
};

struct pair { uint64_t x[2]; };

/* Transposes a tile, small enough to stay in the cache for both the reads and
 * the writes: to[i * to_step + j] = from[i + j * from_step] */
#define PLANE(name, type)                                                  \
static void name(const struct plane *p, size_t i0, size_t j0)              \
{                                                                          \
	const size_t m = size_min(p->m, i0 + TILE);                        \
	const size_t n = size_min(p->n, j0 + TILE);                        \
	const type *from = (const void *)p->from;                          \
	type *to = (void *)p->to;                                          \
									   \
	for (size_t i = i0; i < m; i++)                                    \
		for (size_t j = j0; j < n; j++)                            \
			to[i * p->to_step + j] =                           \
			    from[i + j * p->from_step];                    \
}

PLANE(plane2, uint16_t)
PLANE(plane4, uint32_t)
PLANE(plane8, uint64_t)
PLANE(plane16, struct pair)

/* The offset, in elements of the source, at which plane k begins. k counts the
 * middle indices, the last one fastest. */
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

static int reorder_plane(const struct plane *p, size_t element,
                         struct err *e)
{
	void (*const fn)(const struct plane *p, size_t i0, size_t j0) =
	    element == 2 ? plane2 : element == 4 ? plane4 :
	    element == 8 ? plane8 : plane16;
	size_t tiles = 0;

	for (size_t i = 0; i < p->m; i += TILE)
		for (size_t j = 0; j < p->n; j += TILE) {
			fn(p, i, j);
			if (++tiles % (SLICE_STEPS / TILE / TILE) == 0 &&
			    slice_next(e))
				return -1;
		}
	return slice_next(e);
}

static int reorder(const struct matrix *to, const struct matrix *from,
                   struct err *e)
{
	const size_t size = dtype_bytes(to->dtype), n = matrix_elements(to);
	struct plane p = { .m = to->dim[0], .n = to->dim[to->ndim - 1] };
	const size_t planes = n / p.m / p.n;

	p.to_step = n / p.m;
	p.from_step = n / p.n;
	for (size_t k = 0; k < planes; k++) {
		p.to = (char *)matrix_data(to) + k * p.n * size;
		p.from = (const char *)matrix_data(from) +
		         plane_begin(to, k) * size;
		if (reorder_plane(&p, size, e))
			return -1;
	}
	return 0;
}

int convert_fortran(struct matrix *m, struct memory_pool *p, struct err *e)
{
	struct matrix out = *m;

	if (m->ndim < 2 || matrix_elements(m) == 0)
		return 0;
	out.memory = NULL;
	if (matrix_alloc(&out, p, e) < 0)
		return -1;
	if (reorder(&out, m, e)) {
		memory_unref(out.memory);
		return -1;
	}
	memory_unref(m->memory);
	*m = out;
	return 0;
}
