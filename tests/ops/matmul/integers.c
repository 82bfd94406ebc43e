/* integers.c - products of integers are exact up to the ends of their type, or
 * refused, in every variant that multiplies integers. */
#include <limits.h>

#include "ops/variant.h"
#include "tests/ops/matmul/matmul.h"

__extension__ typedef __int128 wide;

static void each_integer_variant(void (*fn)(const struct variant *v))
{
	int seen = 0;

	for (const struct variant *v = op_find("matmul")->variants; v->name;
	     v++)
		if (v->dtypes & DTYPE_INTEGERS &&
		    !variant_lacks(v, device_sheet(test_device))) {
			fn(v);
			seen++;
		}
	ck_assert_int_gt(seen, 0);
}

static int64_t get(const struct matrix *m, size_t i)
{
	return m->dtype == INT32 ? ((const int32_t *)matrix_data(m))[i] :
	                           ((const int64_t *)matrix_data(m))[i];
}

static void set(struct matrix *m, size_t i, int64_t x)
{
	if (m->dtype == INT32)
		((int32_t *)matrix_data(m))[i] = (int32_t)x;
	else
		((int64_t *)matrix_data(m))[i] = x;
}

/* Makes a matrix of random integers of either sign and up to that many bits. */
static struct matrix integers(enum dtype t, unsigned seed, int bits, size_t m,
                              size_t n)
{
	struct matrix x = random_matrix(t, seed, 2, m, n);

	for (size_t i = 0; i < m * n; i++) {
		uint64_t r = (seed * 1000003 + i + 1) *
		             UINT64_C(0x9e3779b97f4a7c15);

		r = (r ^ r >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		set(&x, i, (int64_t)(r >> 1) >> (63 - bits));
		if (r & 1)
			set(&x, i, -get(&x, i));
	}
	return x;
}

/* Tests one product op(A) op(B), where op(A) is m x k. */
static void one(const struct variant *v, enum dtype t, int bits, size_t m,
                size_t n, size_t k, bool ta, bool tb)
{
	struct matrix in[] = {
		integers(t, 1, bits, ta ? k : m, ta ? m : k),
		integers(t, 2, bits, tb ? n : k, tb ? k : n),
	};
	struct args r;

	op_run("matmul", in, 2, &r, "variant", v->name, "dtype",
	       dtype_name(t), "transpose_a", ta ? "true" : "false",
	       "transpose_b", tb ? "true" : "false", NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			wide sum = 0;

			for (size_t p = 0; p < k; p++)
				sum += (wide)get(&in[0], ta ? p * m + i :
				                              i * k + p) *
				       get(&in[1], tb ? j * k + p : p * n + j);
			ck_assert(get(&r.out[0], i * n + j) == sum);
		}
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

/* The sizes are around the edges of tiles, and k = 300 is deeper than a packed
 * panel. */
static void every_size(const struct variant *v)
{
	static const size_t sizes[][3] = {
		{ 0, 3, 2 }, { 2, 3, 0 }, { 1, 1, 1 }, { 2, 3, 5 },
		{ 6, 16, 16 }, { 7, 17, 15 }, { 97, 33, 300 }, { 65, 63, 64 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int how = 0; how < 4; how++) {
			const size_t *s = sizes[i];

			one(v, INT32, 10, s[0], s[1], s[2], how & 1, how & 2);
			one(v, INT64, 26, s[0], s[1], s[2], how & 1, how & 2);
		}
}

START_TEST(every_shape_is_exact)
{
	each_integer_variant(every_size);
}
END_TEST

/* Multiplies the row x by the column y. The products of elements may be far
 * beyond 64 bits. */
static int product(const struct variant *v, enum dtype t, size_t n,
                   const int64_t *x, const int64_t *y, int64_t *value,
                   struct err *e)
{
	struct matrix in[] = {
		random_matrix(t, 1, 2, (size_t)1, n),
		random_matrix(t, 2, 2, n, (size_t)1),
	};
	struct args r;
	int rc;

	for (size_t i = 0; i < n; i++) {
		set(&in[0], i, x[i]);
		set(&in[1], i, y[i]);
	}
	rc = op_try("matmul", in, 2, &r, e, "variant", v->name, "dtype",
	            dtype_name(t), NULL);
	if (rc == 0)
		*value = get(&r.out[0], 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	return rc;
}

#define DOT(...) (const int64_t[]){ __VA_ARGS__ }

static void held(const struct variant *v, enum dtype t, size_t n,
                 const int64_t *x, const int64_t *y, int64_t want)
{
	struct err e = { 0 };
	int64_t value = 0;

	ck_ok(product(v, t, n, x, y, &value, &e), &e);
	ck_assert_int_eq(value, want);
}

static void beyond(const struct variant *v, enum dtype t, size_t n,
                   const int64_t *x, const int64_t *y)
{
	struct err e = { 0 };
	int64_t value;

	ck_assert_int_eq(product(v, t, n, x, y, &value, &e), -1);
	ck_assert_int_eq(e.code, ERR_MATHEMATICS);
	ck_assert_ptr_nonnull(strstr(e.text, dtype_name(t)));
}

static void ends(const struct variant *v)
{
	const int64_t most = INT64_MAX, least = INT64_MIN;

	held(v, INT32, 2, DOT(INT_MAX, 1), DOT(1, 0), INT_MAX);
	held(v, INT32, 2, DOT(INT_MIN, 1), DOT(1, 0), INT_MIN);
	beyond(v, INT32, 2, DOT(INT_MAX, 1), DOT(1, 1));
	beyond(v, INT32, 2, DOT(INT_MIN, 1), DOT(1, -1));
	/* 2^62 + 2^62 wraps to the negative. */
	beyond(v, INT32, 2, DOT(INT_MIN, INT_MIN), DOT(INT_MIN, INT_MIN));
	/* 2^62 - 2^31 (2^31 - 1) = 2^31, which is one too many; less 1. */
	beyond(v, INT32, 2, DOT(INT_MIN, INT_MIN), DOT(INT_MIN, INT_MAX));
	held(v, INT32, 3, DOT(INT_MIN, INT_MIN, 1), DOT(INT_MIN, INT_MAX, -1),
	     INT_MAX);
	held(v, INT64, 1, DOT(most), DOT(1), most);
	held(v, INT64, 1, DOT(least), DOT(1), least);
	beyond(v, INT64, 1, DOT(least), DOT(-1));
	beyond(v, INT64, 2, DOT(most, 1), DOT(1, 1));
	beyond(v, INT64, 2, DOT(least, 1), DOT(1, -1));
	/* These partial sums overflow 64 and 128 bits, but the sums do not. */
	held(v, INT64, 3, DOT(most, 5, most), DOT(2, 1, -2), 5);
	/* 2^127 - 2^64 (2^63 - 1) = 2^64, less 2 (2^63) is 0. */
	held(v, INT64, 7, DOT(least, least, least, least, least, least, 9),
	     DOT(least, least, most, most, 1, 1, 1), 9);
	/* 2^64 and 2^128 wrap to 0. */
	beyond(v, INT64, 1, DOT(INT64_C(1) << 32), DOT(INT64_C(1) << 32));
	beyond(v, INT64, 4, DOT(least, least, least, least),
	       DOT(least, least, least, least));
}

START_TEST(what_is_beyond_the_type_is_refused)
{
	each_integer_variant(ends);
}
END_TEST

START_TEST(without_a_dtype_integers_become_float64)
{
	struct matrix in[] = {
		integers(INT32, 1, 10, 3, 4), integers(INT32, 2, 10, 4, 2),
	};
	struct args r;

	op_run("matmul", in, 2, &r, NULL);
	ck_assert_int_eq(r.out[0].dtype, FLOAT64);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* The stack dimensions 2 x 1 and 3 broadcast to 2 x 3. */
static void stacks(const struct variant *v)
{
	struct matrix a = random_matrix(INT64, 1, 4, (size_t)2, (size_t)1,
	                                (size_t)2, (size_t)3);
	struct matrix b = random_matrix(INT64, 1, 3, (size_t)3, (size_t)3,
	                                (size_t)2);
	struct args r;

	for (size_t i = 0; i < 12; i++)
		set(&a, i, (int64_t)i - 5);
	for (size_t i = 0; i < 18; i++)
		set(&b, i, (int64_t)(i * i % 11) - 3);
	op_run("matmul", ((struct matrix[]){ a, b }), 2, &r, "variant",
	       v->name, "dtype", "int64", NULL);
	for (size_t z = 0; z < 24; z++) {
		const size_t s = z / 4, i = z / 2 % 2, j = z % 2;
		int64_t sum = 0;

		for (size_t p = 0; p < 3; p++)
			sum += get(&a, s / 3 * 6 + i * 3 + p) *
			       get(&b, s % 3 * 6 + p * 2 + j);
		ck_assert_int_eq(get(&r.out[0], z), sum);
	}
	args_fini(&r);
	matrix_fini(&a);
	matrix_fini(&b);
}

START_TEST(stacks_broadcast)
{
	each_integer_variant(stacks);
}
END_TEST

void matmul_add_integers(TCase *t)
{
	tcase_add_test(t, every_shape_is_exact);
	tcase_add_test(t, what_is_beyond_the_type_is_refused);
	tcase_add_test(t, without_a_dtype_integers_become_float64);
	tcase_add_test(t, stacks_broadcast);
}
