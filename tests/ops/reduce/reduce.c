/* reduce.c - reductions give what NumPy's give. */
#include <float.h>
#include <math.h>

#include "tests/ops/reduce/reduce.h"

const char *const reduce_names[REDUCE_OPS] = {
	"sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf",
	"argmin", "argmax"
};

const enum dtype reduce_dtypes[REDUCE_DTYPES] = {
	FLOAT32, FLOAT64, INT32, INT64
};

const size_t reduce_lengths[REDUCE_LENGTHS] = {
	0, 1, 2, 3, 5, 10, 31, 32, 33, 50, 63, 64, 65, 8191, 8192, 8193, 8223,
	8224, 8225, 16384, 16385, 100003
};

double reduce_factor(size_t i)
{
	return i % 4001 == 3 ? -2 : i % 3 ? 1 : -1;
}

bool reduce_of_nothing(enum reduce_op op)
{
	return op == REDUCE_SUM || op == REDUCE_PROD || op == REDUCE_NORM1 ||
	       op == REDUCE_NORM2 || op == REDUCE_NORMINF;
}

const char *const *reduce_variants(void)
{
	static const char *names[8];
	size_t n = 0;

	for (const struct variant *v = op_reduce.variants; v->name; v++)
		if (strncmp(v->name, "canonical", 9) == 0 &&
		    !variant_lacks(v, device_sheet(test_device)))
			names[n++] = v->name;
	ck_assert_uint_lt(n, COUNT(names));
	names[n] = NULL;
	return names;
}

struct matrix reduce(const struct matrix *in, enum dtype t, enum reduce_op op,
                     const char *axis, const char *variant)
{
	struct matrix out = { .ndim = MATRIX_ABSENT };
	struct args a;

	op_run("reduce", in, 1, &a, "op", reduce_names[op], "dtype",
	       dtype_name(t), "variant", variant, axis ? "axis" : NULL, axis,
	       NULL);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (a.out[i].ndim != MATRIX_ABSENT) {
			ck_assert_int_eq(out.ndim, MATRIX_ABSENT);
			out = a.out[i];
			memory_ref(out.memory);
		}
	args_fini(&a);
	ck_assert_int_ne(out.ndim, MATRIX_ABSENT);
	return out;
}

double reduce_value(const struct matrix *in, enum dtype t, enum reduce_op op,
                    const char *variant)
{
	struct matrix out = reduce(in, t, op, NULL, variant);
	double value;

	ck_assert_int_eq(out.ndim, 0);
	value = matrix_get(&out, 0);
	matrix_fini(&out);
	return value;
}

/* Operation, elements, answer; the elements begin at index 40, so that they are
 * read in vectors as well. */
static const struct {
	enum reduce_op op;
	double x[4], wanted;
} rows[] = {
	{ REDUCE_SUM, { 1, 2, 3, 4 }, 10 },
	{ REDUCE_SUM, { INFINITY, 1, 2, 3 }, INFINITY },
	{ REDUCE_SUM, { INFINITY, -INFINITY, 2, 3 }, NAN },
	{ REDUCE_SUM, { 1, NAN, 2, 3 }, NAN },
	{ REDUCE_PROD, { 2, -3, 4, 1 }, -24 },
	{ REDUCE_PROD, { 0, INFINITY, 4, 1 }, NAN },
	{ REDUCE_PROD, { -2, INFINITY, 4, 1 }, -INFINITY },
	{ REDUCE_MIN, { 4, -2, 3, -1 }, -2 },
	{ REDUCE_MIN, { 4, NAN, -INFINITY, -1 }, NAN },
	{ REDUCE_MIN, { 4, INFINITY, -INFINITY, -1 }, -INFINITY },
	{ REDUCE_MAX, { -4, -2, -3, -9 }, -2 },
	{ REDUCE_MAX, { INFINITY, 2, NAN, 1 }, NAN },
	{ REDUCE_MAX, { 0x1p-149, 0, -1, -2 }, 0x1p-149 },
	{ REDUCE_MEAN, { 1, 2, 3, 6 }, 3 },
	{ REDUCE_NORM1, { -1, 2, -3, 0 }, 6 },
	{ REDUCE_NORM1, { -INFINITY, INFINITY, -3, 0 }, INFINITY },
	{ REDUCE_NORM2, { 2, -3, -6, 0 }, 7 },
	{ REDUCE_NORM2, { 0, 0, 0, 0 }, 0 },
	{ REDUCE_NORM2, { -INFINITY, 1, 0, 0 }, INFINITY },
	{ REDUCE_NORM2, { NAN, INFINITY, 0, 0 }, NAN },
	{ REDUCE_NORMINF, { 2, -8, 6, 0 }, 8 },
	{ REDUCE_NORMINF, { 2, NAN, 6, INFINITY }, NAN },
	{ REDUCE_ARGMIN, { 3, 1, 1, 2 }, 1 },
	{ REDUCE_ARGMIN, { 0.0, -0.0, 1, 2 }, 0 },
	{ REDUCE_ARGMIN, { 0, NAN, NAN, -INFINITY }, 1 },
	{ REDUCE_ARGMAX, { 3, 7, 7, 2 }, 1 },
	{ REDUCE_ARGMAX, { -0.0, 0.0, -1, -2 }, 0 },
	{ REDUCE_ARGMAX, { INFINITY, NAN, 1, -NAN }, 1 },
};

START_TEST(special_values_are_numpys)
{
	EACH_VARIANT(v)
		for (int t = 0; t < 2; t++) {
			enum dtype d = reduce_dtypes[t];
			struct matrix m = matrix_of(d, rows[_i].x, 1,
			                            (size_t)4);
			double got = reduce_value(&m, d, rows[_i].op, *v);

			ck_assert_msg(got == rows[_i].wanted ||
			              (got != got &&
			               rows[_i].wanted != rows[_i].wanted),
			              "%s %s: %g, wanted %g", *v,
			              reduce_names[rows[_i].op], got,
			              rows[_i].wanted);
			matrix_fini(&m);
		}
}
END_TEST

/* At every index around the edges of three blocks. */
START_TEST(the_first_nan_or_tie_is_found_anywhere)
{
	static const size_t places[] = {
		0, 1, 15, 16, 31, 32, 8191, 8192, 8193, 16383, 16384, 16390
	};

	for (size_t p = 0; p < COUNT(places); p++)
		EACH_VARIANT(v) {
			struct matrix m = random_matrix(FLOAT32, 2, 1,
			                                (size_t)16391);
			double at = (double)places[p];

			matrix_set(&m, 16390, 5);
			matrix_set(&m, places[p], 5);
			ck_assert_double_eq(reduce_value(&m, FLOAT32,
			    REDUCE_ARGMAX, *v), at);
			matrix_set(&m, places[p], NAN);
			ck_assert_double_eq(reduce_value(&m, FLOAT32,
			    REDUCE_ARGMIN, *v), at);
			ck_assert_double_nan(reduce_value(&m, FLOAT32,
			    REDUCE_MIN, *v));
			matrix_fini(&m);
		}
}
END_TEST

START_TEST(minus_zero_is_below_zero)
{
	static const double zeros[] = { 0.0, -0.0 };
	struct matrix m = matrix_of(FLOAT64, zeros, 1, (size_t)2);

	EACH_VARIANT(v) {
		ck_assert(signbit(reduce_value(&m, FLOAT64, REDUCE_MIN, *v)));
		ck_assert(!signbit(reduce_value(&m, FLOAT64, REDUCE_MAX, *v)));
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(norm2_neither_overflows_nor_vanishes)
{
	static const double sizes[] = {
		1e300, 1e-300, 0x1p-1074, 0x1p1000, 1e160, 1e-160, 1
	};

	for (size_t k = 0; k < COUNT(sizes); k++)
		EACH_VARIANT(v) {
			struct matrix m = random_matrix(FLOAT64, 1, 1,
			                                (size_t)10000);
			double got;

			for (size_t i = 0; i < 10000; i++)
				matrix_set(&m, i, i % 2 ? sizes[k] :
				                          -sizes[k]);
			got = reduce_value(&m, FLOAT64, REDUCE_NORM2, *v);
			ck_assert_msg(fabs(got - 100 * sizes[k]) <=
			              2 * DBL_EPSILON * got, "%g of 10000 %g",
			              got, sizes[k]);
			matrix_fini(&m);
		}
}
END_TEST

struct matrix reduce_operand(enum dtype t, enum reduce_op op, size_t n)
{
	struct matrix m = random_matrix(t, 7 + (unsigned)n, 1, n);

	for (size_t i = 0; i < n; i++) {
		double x = matrix_get(&m, i);

		if (dtype_is_integer(t) && op == REDUCE_PROD)
			x = reduce_factor(i);
		else if (dtype_is_integer(t))
			x = (double)((int64_t)(i * 7919 % 2003) - 1001);
		else if (op == REDUCE_PROD)
			x = 1 + (i % 2 ? 1e-4 : -1e-4) * fabs(x);
		matrix_set(&m, i, x);
	}
	return m;
}

void reduce_check_norm2(const char *variant)
{
	static const double x[] = {
		3, 3e300, 3e-300, 0, INFINITY,
		4, 4e300, 4e-300, 0, 1,
	};
	static const double wanted[] = { 5, 5e300, 5e-300, 0, INFINITY };
	struct matrix m = matrix_of(FLOAT64, x, 2, (size_t)2, (size_t)5);
	struct matrix r = reduce(&m, FLOAT64, REDUCE_NORM2, "0", variant);

	for (size_t i = 0; i < 5; i++) {
		double got = matrix_get(&r, i);

		ck_assert(got == wanted[i] || fabs(got - wanted[i]) <=
		          2 * DBL_EPSILON * wanted[i]);
	}
	matrix_fini(&r);
	matrix_fini(&m);
}

START_TEST(norm2_scales_every_line_by_itself)
{
	EACH_VARIANT(v)
		reduce_check_norm2(*v);
}
END_TEST

START_TEST(int32_is_exact_in_int64)
{
	struct matrix m = random_matrix(INT32, 1, 1, (size_t)9001);

	for (size_t i = 0; i < 9001; i++)
		matrix_set(&m, i, i % 3 ? INT32_MAX : INT32_MIN);
	EACH_VARIANT(v) {
		struct matrix r = reduce(&m, INT32, REDUCE_SUM, NULL, *v);

		ck_assert_int_eq(r.dtype, INT64);
		ck_assert_int_eq(*(int64_t *)matrix_data(&r),
		                 6000 * (int64_t)INT32_MAX +
		                 3001 * (int64_t)INT32_MIN);
		matrix_fini(&r);
		ck_assert_double_eq(reduce_value(&m, INT32, REDUCE_NORMINF,
		                                 *v), 0x1p31);
		ck_assert_double_eq(reduce_value(&m, INT32, REDUCE_MIN, *v),
		                    INT32_MIN);
		r = reduce(&m, INT32, REDUCE_MEAN, NULL, *v);
		ck_assert_int_eq(r.dtype, FLOAT64);
		matrix_fini(&r);
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(nothing_has_a_sum_but_no_greatest)
{
	struct matrix m = random_matrix(FLOAT32, 1, 2, (size_t)0, (size_t)3);

	for (int op = 0; op < REDUCE_OPS; op++) {
		struct err e = { 0 };
		struct args a;
		int rc = op_try("reduce", &m, 1, &a, &e, "op", reduce_names[op],
		                "axis", "0", NULL);

		if (!reduce_of_nothing(op)) {
			ck_assert_int_eq(rc, -1);
			ck_assert_int_eq(e.code, ERR_MATHEMATICS);
			continue;
		}
		ck_ok(rc, &e);
		ck_assert_uint_eq(matrix_elements(&a.out[1]), 3);
		for (size_t i = 0; i < 3; i++)
			ck_assert_double_eq(matrix_get(&a.out[1], i),
			                    op == REDUCE_PROD);
		args_fini(&a);
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(no_lines_give_no_answers)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)0, (size_t)3);

	for (int op = 0; op < REDUCE_OPS; op++) {
		struct matrix r = reduce(&m, FLOAT64, op, "1",
		                         "canonical-group");

		ck_assert_int_eq(r.ndim, 1);
		ck_assert_uint_eq(r.dim[0], 0);
		matrix_fini(&r);
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(a_scalar_is_its_own_sum)
{
	double five = 5;
	struct matrix m = matrix_of(FLOAT64, &five, 0), r;

	ck_assert_double_eq(reduce_value(&m, FLOAT64, REDUCE_SUM,
	                                 "canonical-group"), 5);
	r = reduce(&m, FLOAT64, REDUCE_SUM, "-1", "canonical-group");
	ck_assert_int_eq(r.ndim, 0);
	ck_assert_double_eq(matrix_get(&r, 0), 5);
	matrix_fini(&r);
	matrix_fini(&m);
}
END_TEST

START_TEST(axes_outside_the_shape_are_refused)
{
	static const char *const axes[] = { "2", "-3", "7" };
	struct matrix m = random_matrix(FLOAT32, 1, 2, (size_t)2, (size_t)3);

	for (size_t i = 0; i < COUNT(axes); i++) {
		struct err e = { 0 };
		struct args a;

		ck_refused(op_try("reduce", &m, 1, &a, &e, "axis", axes[i],
		                  NULL), &e, ERR_SHAPE);
		ck_assert_str_eq(e.pointer, "/axis");
		ck_assert_ptr_nonnull(strstr(e.text, axes[i]));
		ck_assert_ptr_nonnull(strstr(e.text, "-2 to 1"));
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(every_variant_has_every_operation_of_the_table)
{
	for (const struct variant *v = op_reduce.variants; v->name; v++)
		ck_assert_uint_eq(v->dtypes, op_reduce.dtypes &
		                  (strstr(v->name, "canonical") ? ~0u :
		                   ~(unsigned)DTYPE_COMPLEXES));
	for (int i = 0; i < REDUCE_OPS; i++)
		ck_assert_str_eq(op_reduce.params[0].choices[i],
		                 reduce_names[i]);
}
END_TEST

START_TEST(any_failing_call_is_reported)
{
	struct matrix m = random_matrix(FLOAT64, 1, 1, (size_t)20000);

	op_survives_failing_calls("reduce", &m, 1);
	matrix_fini(&m);
}
END_TEST

TCase *tcase_reduce(void)
{
	TCase *tc = tcase_create("reduce");

	reduce_far_tests(tc);
	reduce_exact_tests(tc);
	reduce_order_tests(tc);
	reduce_seed_tests(tc);
	reduce_int64_tests(tc);
	tcase_add_loop_test(tc, special_values_are_numpys, 0, COUNT(rows));
	tcase_add_test(tc, the_first_nan_or_tie_is_found_anywhere);
	tcase_add_test(tc, minus_zero_is_below_zero);
	tcase_add_test(tc, norm2_neither_overflows_nor_vanishes);
	tcase_add_test(tc, norm2_scales_every_line_by_itself);
	tcase_add_test(tc, int32_is_exact_in_int64);
	tcase_add_test(tc, nothing_has_a_sum_but_no_greatest);
	tcase_add_test(tc, no_lines_give_no_answers);
	tcase_add_test(tc, a_scalar_is_its_own_sum);
	tcase_add_test(tc, axes_outside_the_shape_are_refused);
	tcase_add_test(tc, every_variant_has_every_operation_of_the_table);
	tcase_add_test(tc, any_failing_call_is_reported);
	return tc;
}
