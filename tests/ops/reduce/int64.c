/* int64.c - reductions of integers are exact up to 2^63, in all
 * variants and along any axis, or refused. */
#include <float.h>
#include <math.h>

#include "tests/ops/reduce/reduce.h"

__extension__ typedef __int128 wide;

static const size_t lengths[] = {
	1, 2, 3, 5, 10, 31, 32, 33, 50, 255, 256, 257, 8191, 8193, 16391
};

/* 62 random bits and a sign, so that the sum of a few fits into 64 bits. */
static int64_t element(size_t i)
{
	uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (int64_t)(x ^ x >> 31) >> 2;
}

/* Pairs that nearly cancel, among them both limits of int64. */
static struct matrix integers(size_t n)
{
	struct matrix m = random_matrix(INT64, 1, 1, n);
	int64_t *v = matrix_data(&m);

	for (size_t i = 0; i < n; i++)
		v[i] = element(i / 2) * (i % 2 ? -1 : 1) + (int64_t)(i % 5);
	if (n > 2) {
		v[n / 2] = INT64_MIN;
		v[n - 1] = INT64_MAX;
	}
	return m;
}

static struct matrix answer(const struct matrix *m, enum reduce_op op,
                            const char *axis, const struct variant *v)
{
	return reduce(m, INT64, op, axis, v->name);
}

static int64_t whole(const struct matrix *m, enum reduce_op op,
                     const struct variant *v)
{
	struct matrix r = answer(m, op, NULL, v);
	const int64_t x = *(int64_t *)matrix_data(&r);

	ck_assert_int_eq(r.dtype, INT64);
	matrix_fini(&r);
	return x;
}

/* Squares are added in float64, by some variants without compensation. */
static void real_is(const struct matrix *m, enum reduce_op op,
                    const struct variant *v, long double want)
{
	struct matrix r = answer(m, op, NULL, v);
	const double x = matrix_get(&r, 0);
	const double most = op == REDUCE_NORM2 && v->auto_for == 0 ?
	                    (double)matrix_elements(m) : 2;

	ck_assert_int_eq(r.dtype, FLOAT64);
	ck_assert_msg(fabsl(x - want) <= most * DBL_EPSILON * fabsl(want),
	              "%s %s of %zu: %.17g, wanted %.20Lg", v->name,
	              reduce_names[op], matrix_elements(m), x, want);
	matrix_fini(&r);
}

static void all_are_exact(const struct variant *variant)
{
	for (size_t k = 0; k < COUNT(lengths); k++) {
		const size_t n = lengths[k];
		struct matrix m = integers(n);
		const int64_t *v = matrix_data(&m);
		size_t least = 0, most = 0;
		long double squares = 0;
		wide sum = 0, norm1 = 0;

		for (size_t i = 0; i < n; i++) {
			sum += v[i];
			norm1 += v[i] < 0 ? -(wide)v[i] : v[i];
			squares += (long double)v[i] * v[i];
			least = v[i] < v[least] ? i : least;
			most = v[i] > v[most] ? i : most;
		}
		ck_assert_int_eq(whole(&m, REDUCE_SUM, variant), (int64_t)sum);
		ck_assert_int_eq(whole(&m, REDUCE_MIN, variant), v[least]);
		ck_assert_int_eq(whole(&m, REDUCE_MAX, variant), v[most]);
		ck_assert_int_eq(whole(&m, REDUCE_ARGMIN, variant),
		                 (int64_t)least);
		ck_assert_int_eq(whole(&m, REDUCE_ARGMAX, variant),
		                 (int64_t)most);
		real_is(&m, REDUCE_MEAN, variant, (long double)sum / n);
		real_is(&m, REDUCE_NORM1, variant, norm1);
		real_is(&m, REDUCE_NORM2, variant, sqrtl(squares));
		real_is(&m, REDUCE_NORMINF, variant,
		        fmaxl(-(long double)v[least], v[most]));
		matrix_fini(&m);
	}
}

START_TEST(integers_of_64_bits_are_exact)
{
	each_variant("reduce", all_are_exact);
}
END_TEST

static struct matrix vector(enum dtype t, const int64_t *v, size_t n)
{
	struct matrix m = random_matrix(INT64, 1, 1, n);
	struct err e = { 0 };

	memcpy(matrix_data(&m), v, n * sizeof *v);
	ck_ok(matrix_convert(&m, t, test_pool, &e), &e);
	return m;
}

/* n elements that are 1 except for some at the end, and their reduction. */
static const struct {
	enum reduce_op op;
	int64_t x[4];
	bool beyond;
	int64_t value;			/* of 1, ..., 1 and these */
} edges[] = {
	{ REDUCE_SUM, { INT64_MAX, 1, -1, -1 }, false, INT64_MAX - 1 },
	{ REDUCE_SUM, { INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN }, false,
	  -2 },
	{ REDUCE_SUM, { INT64_MAX, 0, 0, 1 }, true, 0 },
	{ REDUCE_SUM, { INT64_MIN, -1, 0, 0 }, true, 0 },
	{ REDUCE_SUM, { INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN }, true, 0 },
	{ REDUCE_PROD, { (int64_t)1 << 62, -2, 1, 1 }, false, INT64_MIN },
	{ REDUCE_PROD, { (int64_t)1 << 62, 2, -1, 1 }, false, INT64_MIN },
	{ REDUCE_PROD, { INT64_MIN, -1, -1, 1 }, false, INT64_MIN },
	{ REDUCE_PROD, { INT64_MIN, 1, 1, 1 }, false, INT64_MIN },
	{ REDUCE_PROD, { 3037000499, -3037000499, 1, 1 }, false,
	  -INT64_C(9223372030926249001) },
	{ REDUCE_PROD, { INT64_MAX, INT64_MIN, 0, 5 }, false, 0 },
	{ REDUCE_PROD, { 0, INT64_MAX, INT64_MAX, 5 }, false, 0 },
	{ REDUCE_PROD, { (int64_t)1 << 62, 2, 1, 1 }, true, 0 },
	{ REDUCE_PROD, { INT64_MIN, -1, 1, 1 }, true, 0 },
	{ REDUCE_PROD, { INT64_MIN, 2, 1, 1 }, true, 0 },
	{ REDUCE_PROD, { (int64_t)1 << 32, (int64_t)1 << 32, 1, 1 }, true, 0 },
	{ REDUCE_PROD, { 3037000500, 3037000500, 1, 1 }, true, 0 },
};

static void refused_as(const struct matrix *m, enum dtype t,
                       enum reduce_op op, const char *axis,
                       const struct variant *v, const char *word)
{
	struct err e = { 0 };
	struct args a;

	ck_refused(op_try("reduce", m, 1, &a, &e, "op", reduce_names[op],
	                  "variant", v->name, "dtype", dtype_name(t),
	                  axis ? "axis" : NULL, axis, NULL), &e,
	           ERR_MATHEMATICS);
	ck_assert_msg(strstr(e.text, word) && strstr(e.text, "beyond int64"),
	              "%s", e.text);
	ck_assert_str_eq(e.pointer, "/a");
}

/* Only the answer must fit: intermediate results may exceed int64 in any order
 * of the elements. */
static void edges_are_told(const struct variant *variant)
{
	static const size_t sizes[] = { 4, 40, 9000 };

	for (size_t k = 0; k < COUNT(edges) * COUNT(sizes); k++) {
		const size_t n = sizes[k % COUNT(sizes)], i = k / COUNT(sizes);
		struct matrix m = random_matrix(INT64, 1, 1, n);
		int64_t *v = matrix_data(&m);
		const bool sum = edges[i].op == REDUCE_SUM;

		for (size_t j = 0; j < n; j++)
			v[j] = sum ? 0 : 1;
		for (size_t j = 0; j < 4; j++)
			v[j * (n - 1) / 3] = edges[i].x[j];
		if (edges[i].beyond)
			refused_as(&m, INT64, edges[i].op, NULL, variant,
			           sum ? "sum" : "product");
		else
			ck_assert_int_eq(whole(&m, edges[i].op, variant),
			                 edges[i].value);
		matrix_fini(&m);
	}
}

START_TEST(answers_beyond_int64_are_refused)
{
	each_variant("reduce", edges_are_told);
}
END_TEST

/* The overflow is in one line of many. */
static void line_is_told(const struct variant *variant)
{
	static const int64_t x[] = {
		1, 2, INT64_MAX, 4,
		5, 6, 7, 8,
	};
	struct matrix m = vector(INT64, x, 8), r;

	m.ndim = 2;
	m.dim[0] = 2;
	m.dim[1] = 4;
	refused_as(&m, INT64, REDUCE_SUM, "0", variant, "number 2 along");
	refused_as(&m, INT64, REDUCE_PROD, "1", variant, "number 0 along");
	r = answer(&m, REDUCE_MEAN, "0", variant);
	ck_assert_double_eq(matrix_get(&r, 2), 0x1p62);
	matrix_fini(&r);
	matrix_fini(&m);
}

START_TEST(the_line_that_is_beyond_int64_is_named)
{
	each_variant("reduce", line_is_told);
}
END_TEST

static void products_of_int32(const struct variant *variant)
{
	static const int64_t x[] = { INT32_MIN, INT32_MIN, -2, 1 };
	struct matrix m = vector(INT32, x, 3), n = vector(INT32, x, 2);
	struct matrix r;

	r = reduce(&m, INT32, REDUCE_PROD, NULL, variant->name);
	ck_assert_int_eq(*(int64_t *)matrix_data(&r), INT64_MIN);
	matrix_fini(&r);
	r = reduce(&n, INT32, REDUCE_PROD, NULL, variant->name);
	ck_assert_int_eq(*(int64_t *)matrix_data(&r), (int64_t)1 << 62);
	matrix_fini(&r);
	matrix_fini(&n);
	n = vector(INT32, (const int64_t[]){ INT32_MIN, INT32_MIN, 2 }, 3);
	refused_as(&n, INT32, REDUCE_PROD, NULL, variant, "product");
	matrix_fini(&m);
	matrix_fini(&n);
}

START_TEST(products_of_int32_are_exact_in_int64)
{
	each_variant("reduce", products_of_int32);
}
END_TEST

/* Without a dtype the operand's type is used. JSON's numbers are float64, but
 * whole ones are added as integers where float64 would not hold the sum. */
static const struct {
	enum dtype given;
	bool text;
	enum reduce_op op;
	double x[2];
	enum dtype answer;
	int64_t value;
} kinds[] = {
	{ INT64, false, REDUCE_MAX, { 1, 2 }, INT64, 2 },
	{ INT32, false, REDUCE_SUM, { 1, 2 }, INT64, 3 },
	{ FLOAT32, true, REDUCE_SUM, { 1, 2 }, FLOAT32, 3 },
	{ FLOAT64, true, REDUCE_SUM, { 1, 2 }, FLOAT64, 3 },
	{ FLOAT64, true, REDUCE_SUM, { 0x1p53, 1 }, INT64,
	  ((int64_t)1 << 53) + 1 },
	{ FLOAT64, true, REDUCE_SUM, { 0x1p62, 0x1p61 }, INT64,
	  ((int64_t)3 << 61) },
	{ FLOAT64, true, REDUCE_SUM, { 0x1p62, 0x1p62 }, FLOAT64, INT64_MAX },
	{ FLOAT64, true, REDUCE_SUM, { 0x1p53, 0.5 }, FLOAT64,
	  (int64_t)1 << 53 },
	{ FLOAT64, false, REDUCE_SUM, { 0x1p53, 1 }, FLOAT64,
	  (int64_t)1 << 53 },
	{ FLOAT64, true, REDUCE_PROD, { 0x1p52 + 1, 3 }, INT64,
	  3 * (((int64_t)1 << 52) + 1) },
	{ FLOAT64, true, REDUCE_PROD, { 0x1p52, 0x1p52 }, FLOAT64, INT64_MAX },
	{ FLOAT64, true, REDUCE_MAX, { 0x1p53, 1 }, FLOAT64,
	  (int64_t)1 << 53 },
};

START_TEST(the_operand_decides_the_type)
{
	struct matrix m = matrix_of(kinds[_i].given, kinds[_i].x, 1, (size_t)2);
	struct args a;

	m.text = kinds[_i].text;
	op_run("reduce", &m, 1, &a, "op", reduce_names[kinds[_i].op], NULL);
	ck_assert_int_eq(a.out[0].dtype, kinds[_i].answer);
	if (kinds[_i].answer == INT64)
		ck_assert_int_eq(*(int64_t *)matrix_data(&a.out[0]),
		                 kinds[_i].value);
	else if (kinds[_i].value != INT64_MAX)
		ck_assert_double_eq(matrix_get(&a.out[0], 0),
		                    (double)kinds[_i].value);
	args_fini(&a);
	matrix_fini(&m);
}
END_TEST

/* Integers that were rounded when read are refused, unless float64 is asked
 * for. */
START_TEST(rounded_integers_are_refused)
{
	static const char *const names[] = { "reduce", "transpose" };
	struct matrix m = random_matrix(FLOAT64, 1, 1, (size_t)3);

	m.rounded = true;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct err e = { 0 };
		struct args a;

		ck_refused(op_try(names[i], &m, 1, &a, &e, NULL), &e,
		           ERR_FORMAT);
		ck_assert_str_eq(e.pointer, "/a");
		op_run(names[i], &m, 1, &a, "dtype", "float64", NULL);
		args_fini(&a);
		e = (struct err){ 0 };
		ck_refused(op_try(names[i], &m, 1, &a, &e, "dtype", "int64",
		                  NULL), &e, ERR_FORMAT);
	}
	matrix_fini(&m);
}
END_TEST

void reduce_int64_tests(TCase *tc)
{
	tcase_add_test(tc, integers_of_64_bits_are_exact);
	tcase_add_test(tc, answers_beyond_int64_are_refused);
	tcase_add_test(tc, the_line_that_is_beyond_int64_is_named);
	tcase_add_test(tc, products_of_int32_are_exact_in_int64);
	tcase_add_loop_test(tc, the_operand_decides_the_type, 0, COUNT(kinds));
	tcase_add_test(tc, rounded_integers_are_refused);
}
