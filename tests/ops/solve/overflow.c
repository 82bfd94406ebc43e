/* overflow.c - verdicts where numbers overflow or underflow: an x that is not
 * finite is never called good, and large and small elements alone do not make a
 * matrix ill-conditioned. Also where a NaN or an infinity is said to be. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "matrix/complex.h"
#include "ops/failure.h"
#include "tests/ops/complex.h"
#include "tests/ops/lu/lu.h"

static const enum dtype all[] = { FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 };
static const char *const structures[] = { "lower", "upper", "spd",
	"symmetric", "general" };
static const struct matrix absent = { .ndim = MATRIX_ABSENT };

static struct matrix filled(enum dtype t, size_t m, size_t n, number x)
{
	struct matrix a = random_matrix(t, 1, 2, m, n);

	for (size_t i = 0; i < m * n; i++)
		complex_set(&a, i, x);
	return a;
}

static struct matrix multiple_of_identity(enum dtype t, size_t n, number x)
{
	struct matrix a = filled(t, n, n, 0);

	for (size_t i = 0; i < n; i++)
		complex_set(&a, i * (n + 1), x);
	return a;
}

static bool is_finite(const struct matrix *x)
{
	for (size_t i = 0; i < matrix_elements(x); i++)
		if (!isfinite(creal(complex_at(x, i))) ||
		    !isfinite(cimag(complex_at(x, i))))
			return false;
	return true;
}

static void ck_is_told(const struct args *r)
{
	ck_assert(!is_finite(&r->out[0]));
	ck_assert_double_eq(r->verdict.rcond, 0);
	ck_assert_double_eq(r->verdict.ill_conditioned, 1);
	ck_assert(!isfinite(r->verdict.forward_error));
	ck_assert(!isfinite(r->verdict.residual));
}

static void free_all(struct matrix *in, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (in[i].ndim != MATRIX_ABSENT)
			matrix_fini(&in[i]);
}

/* --- answers that are not finite */

/* A bidiagonal triangle with ones on the diagonal and 10 beside it, whose
 * inverse has elements of 10^(n - 1). */
static struct matrix growing(enum dtype t, size_t n, bool lower)
{
	struct matrix a = multiple_of_identity(t, n, 1);

	for (size_t i = 1; i < n; i++)
		complex_set(&a, lower ? i * n + i - 1 : (i - 1) * n + i, -10);
	return a;
}

static void check_growing(enum dtype t, bool lower, bool turned)
{
	const size_t n = 330;
	struct matrix in[4] = { growing(t, n, lower), filled(t, n, 2, 1),
	                        absent, absent };
	const char *const way = turned ? "true" : "false";
	struct args r;

	op_run("solve", in, 2, &r, "structure", lower ? "lower" : "upper",
	       "transpose_a", way, NULL);
	ck_is_told(&r);
	args_fini(&r);
	if (lower)
		goto end;
	in[2] = in[0];
	in[0] = absent;
	in[3] = random_matrix(INT64, 1, 1, n);
	for (size_t i = 0; i < n; i++)
		matrix_set(&in[3], i, (double)i);
	op_run("solve", in, 4, &r, "transpose_a", way, NULL);
	ck_is_told(&r);
	args_fini(&r);
end:
	free_all(in, 4);
}

START_TEST(a_solution_that_overflows_is_told)
{
	for (size_t t = 0; t < COUNT(all); t++)
		for (int way = 0; way < 4; way++)
			check_growing(all[t], way & 1, way & 2);
}
END_TEST

START_TEST(one_such_solution_of_a_stack_is_told)
{
	const size_t n = 330;

	for (size_t t = 0; t < COUNT(all); t++) {
		struct matrix in[2] = { random_matrix(all[t], 1, 3, (size_t)2,
		                                      n, n),
		                        filled(all[t], n, 1, 1) };
		struct matrix bad = growing(all[t], n, true);
		struct args r;

		for (size_t i = 0; i < n * n; i++) {
			complex_set(&in[0], i, complex_at(&bad, i));
			complex_set(&in[0], n * n + i, i % (n + 1) == 0);
		}
		op_run("solve", in, 2, &r, "structure", "lower", NULL);
		ck_is_told(&r);
		args_fini(&r);
		matrix_fini(&bad);
		free_all(in, 2);
	}
}
END_TEST

/* 1 / tiny is beyond the type. With b = tiny, x is 1. */
static void check_tiny(enum dtype t, const char *structure)
{
	const double tiny = dtype_part(t) == FLOAT32 ? 1e-41 : 1e-310;
	struct matrix in[2] = { multiple_of_identity(t, 2, tiny),
	                        filled(t, 2, 1, 1) };
	struct args r;

	op_run("solve", in, 2, &r, "structure", structure, NULL);
	ck_is_told(&r);
	args_fini(&r);
	complex_set(&in[1], 0, tiny);
	complex_set(&in[1], 1, tiny);
	op_run("solve", in, 2, &r, "structure", structure, NULL);
	if (is_finite(&r.out[0])) {
		ck_assert_double_eq_tol(r.verdict.rcond, 1, 1e-3);
		ck_assert(isnan(r.verdict.ill_conditioned));
		ck_assert_double_lt(r.verdict.forward_error, 1e-3);
	} else {
		ck_is_told(&r);
	}
	args_fini(&r);
	free_all(in, 2);
}

START_TEST(inverses_beyond_the_type_are_told)
{
	for (size_t t = 0; t < COUNT(all); t++)
		for (size_t k = 0; k < COUNT(structures); k++)
			check_tiny(all[t], structures[k]);
}
END_TEST

START_TEST(infinities_of_a_triangle_have_no_forward_error)
{
	static const double values[] = { 1e-200, 0, 1, 1 };
	static const double sides[] = { 1e200, 1 };
	struct matrix in[2] = {
		matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)2),
		matrix_of(FLOAT64, sides, 1, (size_t)2),
	};
	struct args r;

	op_run("solve", in, 2, &r, "structure", "lower", NULL);
	ck_is_told(&r);
	args_fini(&r);
	free_all(in, 2);
}
END_TEST

START_TEST(an_inverse_that_overflows_is_told)
{
	for (size_t t = 0; t < COUNT(all); t++) {
		const bool single = dtype_part(all[t]) == FLOAT32;
		struct matrix a[] = {
			growing(all[t], single ? 40 : 310, true),
			multiple_of_identity(all[t], 2, 1),
		};

		complex_set(&a[1], 0, single ? 1e-41 : 1e-310);
		for (size_t k = 0; k < COUNT(a); k++) {
			struct args r;

			op_run("inverse", &a[k], 1, &r, NULL);
			ck_is_told(&r);
			args_fini(&r);
		}
		free_all(a, COUNT(a));
	}
}
END_TEST

/* --- large and small elements */

/* (ones + I) scale, whose condition in the 1-norm is 2 n - 1. */
static void check_scale(const struct variant *v, enum dtype t, size_t n,
                        double scale, const char *structure)
{
	struct matrix in[2] = { filled(t, n, n, scale),
	                        filled(t, n, 1, scale) };
	const double wanted = 1 / (2.0 * (double)n - 1);
	struct args r;

	for (size_t i = 0; i < n; i++)
		complex_set(&in[0], i * (n + 1), 2 * scale);
	op_run("solve", in, 2, &r, "structure", structure, "variant",
	       v ? v->name : "complex", NULL);
	ck_assert_msg(r.verdict.rcond > 0.9 * wanted &&
	              r.verdict.rcond < 3 * wanted &&
	              r.verdict.forward_error < 20 * (double)(n * n) *
	              dtype_epsilon(t),
	              "%s, %s, n %zu, scale %g, %s: rcond %g, forward error "
	              "%g", v ? v->name : "complex", dtype_name(t), n, scale,
	              structure, r.verdict.rcond, r.verdict.forward_error);
	ck_assert(isnan(r.verdict.ill_conditioned));
	ck_assert(isnan(r.verdict.stalled));
	args_fini(&r);
	free_all(in, 2);
}

static void check_scales(const struct variant *v, enum dtype t, size_t n)
{
	static const double factors[] = { 2.5, 1000, 1e8 };
	static const char *const kinds[] = { "general", "spd", "symmetric" };
	const bool single = dtype_part(t) == FLOAT32;
	const double most = single ? 3.4e38 : 1.7e308;
	const double least = single ? 1.2e-38 : 2.3e-308;

	for (size_t i = 0; i < COUNT(factors); i++)
		for (size_t k = 0; k < COUNT(kinds); k++) {
			check_scale(v, t, n, most / factors[i] / (double)n / 2,
			            kinds[k]);
			check_scale(v, t, n, least * factors[i], kinds[k]);
			/* Here the norm is beyond float32. */
			if (single)
				check_scale(v, t, n, 0.45 * most, kinds[k]);
		}
}

static void scales(const struct variant *v)
{
	static const size_t sizes[] = { 4, 40, 140 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		check_scales(v, FLOAT32, sizes[i]);
		check_scales(v, FLOAT64, sizes[i]);
	}
}

START_TEST(the_size_of_elements_does_not_change_the_condition)
{
	each_variant("solve", scales);
	for (size_t t = 2; t < COUNT(all); t++)
		check_scales(NULL, all[t], 10);
}
END_TEST

/* --- complex factors */

static void check_factors(enum dtype t, size_t n, size_t sides, bool turned)
{
	struct matrix a = random_complex(t, 5, n, n), in[4];
	const char *const way = turned ? "true" : "false";
	struct args lu, r, whole;

	op_run("lu", &a, 1, &lu, NULL);
	in[0] = absent;
	in[1] = random_complex(t, 8, n, sides);
	in[2] = matrix_ref(&lu.out[0]);
	in[3] = matrix_ref(&lu.out[1]);
	op_run("solve", in, 4, &r, "transpose_a", way, NULL);
	in[0] = a;
	op_run("solve", in, 2, &whole, "transpose_a", way, NULL);
	ck_assert_double_gt(r.verdict.rcond, whole.verdict.rcond / 3);
	ck_assert_double_lt(r.verdict.rcond, whole.verdict.rcond * 10);
	ck_assert_double_lt(r.verdict.residual, THRESHOLD);
	ck_assert_double_gt(r.verdict.forward_error, 0);
	ck_assert_double_lt(r.verdict.forward_error,
	                    1e3 * (double)n * dtype_epsilon(t) /
	                    r.verdict.rcond);
	for (size_t i = 0; i < n * sides; i++)
		ck_assert_double_le(cabs(complex_at(&r.out[0], i) -
		                         complex_at(&whole.out[0], i)),
		    2 * r.verdict.forward_error * 1e2 *
		    (1 + cabs(complex_at(&whole.out[0], i))));
	args_fini(&whole);
	args_fini(&r);
	args_fini(&lu);
	free_all(in, 4);
}

START_TEST(complex_factors_tell_how_exact_the_solution_is)
{
	for (size_t t = 2; t < COUNT(all); t++)
		for (int turned = 0; turned < 2; turned++) {
			check_factors(all[t], 1, 1, turned);
			check_factors(all[t], 7, 2, turned);
			check_factors(all[t], 60, 20, turned);
		}
}
END_TEST

/* OpenBLAS multiplies by the inverse of a pivot, which overflows here. */
START_TEST(complex_factors_of_subnormal_matrices_are_finite)
{
	struct matrix a = filled(COMPLEX128, 2, 2, 1e-309);
	struct args r;

	complex_set(&a, 0, 2e-309);
	complex_set(&a, 2, complex_of(0, 1e-309));
	complex_set(&a, 3, 3e-309);
	op_run("lu", &a, 1, &r, NULL);
	ck_assert(is_finite(&r.out[0]));
	ck_assert_double_lt(cabs(complex_at(&r.out[0], 2) -
	                         complex_of(0, 0.5)), 1e-12);
	ck_assert_double_lt(cabs(complex_at(&r.out[0], 3) -
	                         complex_of(3e-309, -5e-310)), 1e-320);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* --- where a NaN is */

static void check_place(const struct matrix *in, int count, const char *text,
                        const char *pointer, const char *structure)
{
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("solve", in, count, &r, &e, "structure", structure,
	                  NULL), &e, ERR_NONFINITE);
	ck_assert_msg(strstr(e.text, text) != NULL, "%s", e.text);
	ck_assert_str_eq(e.pointer, pointer);
}

static void check_places(enum dtype t)
{
	struct matrix in[4] = { multiple_of_identity(t, 3, 2),
	                        filled(t, 3, 2, 1), absent,
	                        random_matrix(INT64, 1, 1, (size_t)3) };
	struct args r;

	for (size_t i = 0; i < 3; i++)
		matrix_set(&in[3], i, (double)i);
	complex_set(&in[1], 5, INFINITY);
	check_place(in, 2, "operand b has a NaN or an infinity in row 2, "
	            "column 1,", "/b", "general");
	complex_set(&in[1], 5, 1);
	complex_set(&in[0], 5, NAN);
	check_place(in, 2, "operand a has a NaN or an infinity in row 1, "
	            "column 2,", "/a", "auto");
	check_place(in, 2, "row 1, column 2,", "/a", "upper");
	for (size_t k = 0; k < 4; k++)
		if (k != 1) {
			op_run("solve", in, 2, &r, "structure", structures[k],
			       NULL);
			ck_assert_double_eq_tol(creal(complex_at(&r.out[0],
			                                         5)), 0.5,
			                        1e-6);
			args_fini(&r);
		}
	in[2] = in[0];
	in[0] = absent;
	check_place(in, 4, "operand factors has a NaN or an infinity in row "
	            "1, column 2,", "/factors", "auto");
	free_all(in, 4);
}

START_TEST(a_nan_is_named_where_it_is_read)
{
	for (size_t t = 0; t < COUNT(all); t++)
		check_places(all[t]);
}
END_TEST

void solve_add_overflow_tests(TCase *t)
{
	tcase_add_test(t, a_solution_that_overflows_is_told);
	tcase_add_test(t, one_such_solution_of_a_stack_is_told);
	tcase_add_test(t, inverses_beyond_the_type_are_told);
	tcase_add_test(t, infinities_of_a_triangle_have_no_forward_error);
	tcase_add_test(t, an_inverse_that_overflows_is_told);
	tcase_add_test(t,
	    the_size_of_elements_does_not_change_the_condition);
	tcase_add_test(t, complex_factors_tell_how_exact_the_solution_is);
	tcase_add_test(t, complex_factors_of_subnormal_matrices_are_finite);
	tcase_add_test(t, a_nan_is_named_where_it_is_read);
}
