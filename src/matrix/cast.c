/* cast.c - matrix_convert(): converts between element types. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/size.h"
#include "base/slice.h"
#include "matrix/half.h"
#include "matrix/matrix.h"

enum { BLOCK = 512 };		/* elements: two blocks stay in an L1 cache */

/* Defines a function that converts at most n elements, up to the first that the
 * other type cannot represent, and returns how many it converted. The loop is
 * plain, so that compilers vectorise it. */
#define CAST(name, from_type, to_type, is_value, value)                 \
static size_t name(void *to, const void *from, size_t n)                \
{                                                                       \
	const from_type *x = from;                                      \
	to_type *y = to;                                                \
									\
	for (size_t i = 0; i < n; i++) {                                \
		if (!is_value(x[i]))                                    \
			return i;                                       \
		y[i] = (to_type)value(x[i]);                            \
	}                                                               \
	return n;                                                       \
}

#define ANY(x) true
#define SAME(x) (x)
#define TRUTH(x) ((x) != 0)
#define IS_INT32(x) ((double)(x) >= INT32_MIN && \
                     (double)(x) <= INT32_MAX && (x) == (int32_t)(x))
#define IS_INT64(x) ((x) >= -0x1p63 && (x) < 0x1p63 && \
                     (double)(x) == (double)(int64_t)(x))

CAST(f4_f8, float, double, ANY, SAME)
CAST(i4_f4, int32_t, float, ANY, SAME)
CAST(i4_f8, int32_t, double, ANY, SAME)
CAST(i8_f4, int64_t, float, ANY, SAME)
CAST(i8_f8, int64_t, double, ANY, SAME)
CAST(i4_i8, int32_t, int64_t, ANY, SAME)
CAST(b1_i8, uint8_t, int64_t, ANY, TRUTH)
CAST(f4_i4, float, int32_t, IS_INT32, SAME)
CAST(f4_i8, float, int64_t, IS_INT64, SAME)
CAST(f8_i4, double, int32_t, IS_INT32, SAME)
CAST(f8_i8, double, int64_t, IS_INT64, SAME)
CAST(i8_i4, int64_t, int32_t, IS_INT32, SAME)

/* Conversions from the 16-bit types. */
#define HALF_IS_INT32(x) IS_INT32(half_value(x))
#define HALF_IS_INT64(x) IS_INT64(half_value(x))
#define BFLOAT_IS_INT32(x) IS_INT32(bfloat_value(x))
#define BFLOAT_IS_INT64(x) IS_INT64(bfloat_value(x))
CAST(f2_f4, uint16_t, float, ANY, half_value)
CAST(f2_f8, uint16_t, double, ANY, half_value)
CAST(f2_i4, uint16_t, int32_t, HALF_IS_INT32, half_value)
CAST(f2_i8, uint16_t, int64_t, HALF_IS_INT64, half_value)
CAST(b2_f4, uint16_t, float, ANY, bfloat_value)
CAST(b2_f8, uint16_t, double, ANY, bfloat_value)
CAST(b2_i4, uint16_t, int32_t, BFLOAT_IS_INT32, bfloat_value)
CAST(b2_i8, uint16_t, int64_t, BFLOAT_IS_INT64, bfloat_value)

/* Returns x as a double. Beyond 2^53 the bits that do not fit become one sticky
 * bit, so that rounding the double to few bits rounds x once. */
static double sticky(int64_t x)
{
	const uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
	const uint64_t low = 2047, rest = (size & low) != 0;
	const double kept = (double)(size >> 53 == 0 ? size :
	                             (size & ~low) | rest << 11);

	return x < 0 ? -kept : kept;
}

/* Conversions to the 16-bit types. A finite number that would become infinite
 * is refused: one that is at least half a step beyond the largest finite number
 * of the type. */
#define STAYS(x, bound) (!(fabs((double)(x)) >= (bound) && \
                           fabs((double)(x)) <= DBL_MAX))
#define STAYS_HALF(x) STAYS(x, 0x1.ffep15)
#define STAYS_BFLOAT(x) STAYS(x, 0x1.ffp127)
#define HALF_OF_INT64(x) half_of(sticky(x))
#define BFLOAT_OF_INT64(x) bfloat_of(sticky(x))
#define HALF_OF_BFLOAT(x) half_of(bfloat_value(x))
#define BFLOAT_OF_HALF(x) bfloat_of(half_value(x))
#define BFLOAT_STAYS_HALF(x) STAYS_HALF(bfloat_value(x))
CAST(f4_f2, float, uint16_t, STAYS_HALF, half_of)
CAST(f8_f2, double, uint16_t, STAYS_HALF, half_of)
CAST(i4_f2, int32_t, uint16_t, STAYS_HALF, half_of)
CAST(i8_f2, int64_t, uint16_t, STAYS_HALF, HALF_OF_INT64)
CAST(b2_f2, uint16_t, uint16_t, BFLOAT_STAYS_HALF, HALF_OF_BFLOAT)
CAST(f4_b2, float, uint16_t, STAYS_BFLOAT, bfloat_of)
CAST(f8_b2, double, uint16_t, STAYS_BFLOAT, bfloat_of)
CAST(i4_b2, int32_t, uint16_t, ANY, bfloat_of)
CAST(i8_b2, int64_t, uint16_t, ANY, BFLOAT_OF_INT64)
CAST(f2_b2, uint16_t, uint16_t, ANY, BFLOAT_OF_HALF)

/* A finite number must not become infinite. The first such number is searched
 * after the loop, so that this conversion, which most large operands need, is
 * vectorised. */
static size_t f8_f4(void *to, const void *from, size_t n)
{
	const double *x = from;
	float *y = to;
	int beyond = 0;

	for (size_t i = 0; i < n; i++) {
		y[i] = (float)x[i];
		beyond |= fabsf(y[i]) > FLT_MAX && fabs(x[i]) <= DBL_MAX;
	}
	for (size_t i = 0; beyond && i < n; i++)
		if (fabsf(y[i]) > FLT_MAX && fabs(x[i]) <= DBL_MAX)
			return i;
	return n;
}

typedef size_t cast(void *to, const void *from, size_t n);

CAST(f4_f4, float, float, ANY, SAME)
CAST(f8_f8, double, double, ANY, SAME)

/* From a real type to the complex type of such parts. */
static cast *const copies[DTYPE_COUNT] = {
	[FLOAT32] = f4_f4, [FLOAT64] = f8_f8
};

static cast *const casts[DTYPE_COUNT][DTYPE_COUNT] = {
	[FLOAT32] = { [FLOAT64] = f4_f8, [INT32] = f4_i4, [INT64] = f4_i8,
	              [FLOAT16] = f4_f2, [BFLOAT16] = f4_b2 },
	[FLOAT64] = { [FLOAT32] = f8_f4, [INT32] = f8_i4, [INT64] = f8_i8,
	              [FLOAT16] = f8_f2, [BFLOAT16] = f8_b2 },
	[INT32] = { [FLOAT32] = i4_f4, [FLOAT64] = i4_f8, [INT64] = i4_i8,
	            [FLOAT16] = i4_f2, [BFLOAT16] = i4_b2 },
	[INT64] = { [FLOAT32] = i8_f4, [FLOAT64] = i8_f8, [INT32] = i8_i4,
	            [FLOAT16] = i8_f2, [BFLOAT16] = i8_b2 },
	[BOOL] = { [INT64] = b1_i8 },
	[FLOAT16] = { [FLOAT32] = f2_f4, [FLOAT64] = f2_f8, [INT32] = f2_i4,
	              [INT64] = f2_i8, [BFLOAT16] = f2_b2 },
	[BFLOAT16] = { [FLOAT32] = b2_f4, [FLOAT64] = b2_f8, [INT32] = b2_i4,
	               [INT64] = b2_i8, [FLOAT16] = b2_f2 },
};

/* The conversion between the parts of two types; NULL: there is none, because
 * complex numbers are not made real. */
static cast *cast_for(enum dtype from, enum dtype to)
{
	if (dtype_is_complex(from) && !dtype_is_complex(to))
		return NULL;
	return dtype_part(from) == dtype_part(to) ? copies[dtype_part(to)] :
	       casts[dtype_part(from)][dtype_part(to)];
}

static int refuse(const struct matrix *m, size_t i, enum dtype to,
                  struct err *e)
{
	char text[NUMBER_TEXT + 1] = "";
	const double x = matrix_get(m, i);

	if (m->dtype == INT64)
		snprintf(text, sizeof text, "%lld", (long long)
		         ((const int64_t *)matrix_data(m))[i]);
	else if (x - x == 0)
		text[m->dtype == FLOAT32 ? number_print_float(text, (float)x) :
		     dtype_is_half(m->dtype) ?
		     half_print(text, m->dtype, (float)x) :
		     number_print_double(text, x)] = 0;
	else
		snprintf(text, sizeof text, "%g", x);
	return err_set(e, ERR_FORMAT, "element %zu is %s, which is no %s", i,
	               text, dtype_name(to));
}

/* Writes n parts to y: as they are, or as the real parts of complex elements
 * whose imaginary parts are 0. */
static void put(char *y, const void *parts, size_t n, size_t bytes,
                bool widened)
{
	if (!widened) {
		memcpy(y, parts, n * bytes);
		return;
	}
	memset(y, 0, 2 * n * bytes);
	for (size_t i = 0; i < n; i++)
		memcpy(y + 2 * i * bytes, (const char *)parts + i * bytes,
		       bytes);
}

/* Converts all elements; those of a complex matrix are pairs of parts. `to` may
 * use `from`'s memory if the elements become no wider, because a block is
 * written only after all of it has been read. */
static int cast_all(const struct matrix *to, const struct matrix *from,
                    struct err *e)
{
	cast *const fn = cast_for(from->dtype, to->dtype);
	const size_t pair = dtype_is_complex(from->dtype) ? 2 : 1;
	const bool widened = dtype_is_complex(to->dtype) && pair == 1;
	const size_t n = matrix_elements(from) * pair;
	const size_t x_bytes = dtype_bytes(from->dtype) / pair;
	const size_t part = dtype_bytes(dtype_part(to->dtype));
	const size_t y_bytes = part * (widened ? 2 : 1);
	const char *x = matrix_data(from);
	char *y = matrix_data(to);
	double block[BLOCK];

	for (size_t i = 0; i < n; i += BLOCK) {
		const size_t some = size_min(n - i, BLOCK);
		const size_t good = fn(block, x + i * x_bytes, some);

		put(y + i * y_bytes, block, good, part, widened);
		if (good < some)
			return refuse(from, (i + good) / pair, to->dtype, e);
		if ((i + BLOCK) % SLICE_STEPS == 0 && slice_next(e))
			return -1;
	}
	return 0;
}

static int check(const struct matrix *m, enum dtype to, struct err *e)
{
	if (!cast_for(m->dtype, to))
		return err_set(e, ERR_FORMAT, "%s is not made of %s",
		               dtype_name(to), dtype_name(m->dtype));
	if (m->layout != DENSE && dtype_is_half(to))
		return err_set(e, ERR_FORMAT, "sparse matrices are not "
		               "stored as %s", dtype_name(to));
	if (m->rounded && dtype_is_integer(to))
		return err_set(e, ERR_FORMAT, "an integer is beyond what %s "
		               "holds", dtype_name(to));
	return 0;
}

/* Does nobody else see the elements? */
static bool is_own(const struct matrix *m)
{
	return m->memory && m->memory->refs == 1 && !m->memory->whole &&
	       !m->memory->given;
}

int matrix_convert(struct matrix *m, enum dtype to, struct memory_pool *p,
                   struct err *e)
{
	const bool here = dtype_bytes(to) <= dtype_bytes(m->dtype) &&
	                  is_own(m) && !dtype_is_integer(to);
	struct matrix out = *m;
	size_t bytes;
	int rc;

	if (m->dtype == to)
		return 0;
	out.dtype = to;
	if (check(m, to, e) < 0 || matrix_bytes(&out, &bytes, e) < 0)
		return -1;
	if (!here)
		out.memory = memory_new(p, bytes, e);
	if (!out.memory)
		return -1;
	if (here)
		memory_forget_contents(out.memory);
	rc = cast_all(&out, m, e);
	if (!here)
		memory_unref(rc ? out.memory : m->memory);
	if (rc == 0)
		*m = out;
	return rc;
}

int matrix_convert_operand(struct matrix *m, enum dtype to, const char *name,
                           struct memory_pool *p, struct err *e)
{
	struct err why = { 0 };
	char pointer[ERR_POINTER];

	if (matrix_convert(m, to, p, &why) == 0)
		return 0;
	err_pointer(pointer, "", name);
	return err_set_at(e, why.code, pointer, "%s: %.200s", name, why.text);
}
