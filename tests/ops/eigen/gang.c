/* gang.c - all eigenpairs of a symmetric matrix by several devices: as exact as
 * by one, whatever the sizes, the number of devices and the spectrum; and what
 * happens if one of them fails. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/gang/columns.h"
#include "tests/ops/eigen/eigen.h"
#include "tests/ops/gang.h"

static const char *const devices[] = { "2", "3" };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const char both[] = "eigenvalues,eigenvectors";

/* |X^T X - I| in the Frobenius norm. */
static double off_orthogonal(const struct matrix *x)
{
	const size_t n = matrix_rows(x);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double dot = -(double)(i == j);

			for (size_t k = 0; k < n; k++)
				dot += matrix_get(x, k * n + i) *
				       matrix_get(x, k * n + j);
			sum += dot * dot;
		}
	return sqrt(sum);
}

/* |A X - X diag(lambda)| in the Frobenius norm. */
static double residual(const struct matrix *a, const struct args *r)
{
	double sum = 0;

	for (size_t j = 0; j < matrix_rows(a); j++)
		sum += pow(eigen_residual_of(a, NULL, r, 0, VECTORS, j), 2);
	return sqrt(sum);
}

/* Asserts that the eigenvalues are LAPACK's, and that the vectors are as exact
 * as one device's must be. */
static void check(const struct matrix *a, const char *parts)
{
	const double size = (double)matrix_rows(a);
	const double unit = 30 * size * dtype_epsilon(a->dtype);
	struct args r, other;

	op_run("eigen", a, 1, &r, "which", "all", "return", both, "devices",
	       parts, NULL);
	op_run("eigen", a, 1, &other, "which", "all", "return", "eigenvalues",
	       "method", "lapack", NULL);
	ck_assert_int_eq(r.out[VALUES].dtype, a->dtype);
	ck_assert_int_eq(r.out[VECTORS].dtype, a->dtype);
	for (size_t i = 0; i < matrix_rows(a); i++)
		ck_assert_double_le(fabs(eigen_re(&r, i) - eigen_re(&other, i)),
		                    unit * eigen_norm(a, 0));
	eigen_assert_several(a, NULL, &r, 0, VECTORS);
	ck_assert_double_le(off_orthogonal(&r.out[VECTORS]), unit);
	ck_assert_msg(r.verdict.residual < 30 && r.verdict.orthogonality < 30 &&
	              r.verdict.condition == 1, "%s devices, %s, n = %g: "
	              "ratios %g, %g, condition %g", parts,
	              dtype_name(a->dtype), size, r.verdict.residual,
	              r.verdict.orthogonality, r.verdict.condition);
	args_fini(&r);
	args_fini(&other);
}

static void check_size(size_t n)
{
	for (size_t i = 0; i < COUNT(devices) * COUNT(reals); i++) {
		struct matrix a;

		if (n <= 64 * (size_t)(atoi(devices[i / 2]) - 1))
			continue;
		a = eigen_random_matrix(reals[i % 2], 0, n, (unsigned)n);
		check(&a, devices[i / 2]);
		matrix_fini(&a);
	}
}

/* The last panel and the last block may have a single row. */
START_TEST(matrices_of_every_size)
{
	static const size_t n[] = { 65, 97, 128, 129, 193 };

	for (size_t i = 0; i < COUNT(n); i++)
		check_size(n[i]);
}
END_TEST

/* Every block is copied to a device and back. */
START_TEST(devices_with_memory_of_their_own)
{
	device_copies = device_lanes = true;
	check_size(200);
	device_copies = device_lanes = false;
}
END_TEST

/* The last block is shorter than the others. */
START_TEST(columns_are_found_by_their_numbers)
{
	for (size_t parts = 1; parts <= 4; parts++) {
		const struct columns all = { .n = 300, .width = 64,
		                             .parts = parts };

		for (size_t part = 0; part < parts; part++) {
			const struct columns c = columns_part(&all, part);

			for (size_t j = 0; j < 300; j++) {
				const size_t own = columns_from(&c, j);

				ck_assert_uint_le(own, c.own);
				ck_assert(own == c.own ||
				          columns_global(&c, own) >= j);
				ck_assert(own == 0 ||
				          columns_global(&c, own - 1) < j);
			}
		}
	}
}
END_TEST

/* --- spectra of many kinds; element (i, j) for i >= j */

static double zero(size_t i, size_t j)
{
	return 0 * (double)(i + j);
}

static double diagonal(size_t i, size_t j)
{
	return i == j ? (double)((i * 37) % 101) - 50 : 0;
}

/* I - 2 v v^T: the eigenvalue 1, n - 1 times, and another one. */
static double cluster(size_t i, size_t j)
{
	return (double)(i == j) - cos((double)i) * cos((double)j) / 80;
}

static double graded(size_t i, size_t j)
{
	return cos((double)(i * j)) * pow(10, -(double)(i + j) / 30);
}

static double of_rank_3(size_t i, size_t j)
{
	return cos((double)i) * cos((double)j) + (double)(i % 2 * (j % 2)) +
	       (double)(i % 5 * (j % 5));
}

/* A block diagonal matrix. */
static double blocks(size_t i, size_t j)
{
	return i / 20 == j / 20 ? cos((double)(i * j)) : 0;
}

static double huge(size_t i, size_t j)
{
	return cos((double)(i * j)) * FLT_MAX / 200;
}

static double tiny(size_t i, size_t j)
{
	return cos((double)(i * j)) * FLT_MIN * 16;
}

static struct matrix symmetric_matrix(enum dtype t, size_t n,
                                      double (*element)(size_t, size_t))
{
	struct matrix a = random_matrix(t, 1, 2, n, n);

	for (size_t e = 0; e < n * n; e++)
		matrix_set(&a, e, element(size_max(e / n, e % n),
		                          size_min(e / n, e % n)));
	return a;
}

START_TEST(spectra_of_every_kind)
{
	static double (*const elements[])(size_t, size_t) = {
		zero, diagonal, cluster, graded, of_rank_3, blocks, huge, tiny,
	};

	for (size_t i = 0; i < COUNT(elements) * COUNT(reals); i++) {
		struct matrix a = symmetric_matrix(reals[i % 2], 150,
		                                   elements[i / 2]);

		check(&a, devices[i / 2 % 2]);
		matrix_fini(&a);
	}
}
END_TEST

/* The elements are float32, so that sums in float64 show their rounding
 * errors. */
START_TEST(the_estimates_are_near_the_exact_ratios)
{
	struct matrix a = eigen_random_matrix(FLOAT32, 0, 200, 4);
	const double unit = 200 * dtype_epsilon(FLOAT32) / 2;
	struct args r;

	op_run("eigen", &a, 1, &r, "which", "all", "return", both, "devices",
	       "3", NULL);
	ck_assert_double_lt(fabs(log(r.verdict.residual * unit *
	                             eigen_norm(&a, 0) / residual(&a, &r))),
	                    log(1.3));
	ck_assert_double_lt(fabs(log(r.verdict.orthogonality * unit /
	                             off_orthogonal(&r.out[VECTORS]))),
	                    log(3));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

static void assert_same(const struct matrix *x, const struct matrix *y)
{
	ck_assert_uint_eq(matrix_size(x), matrix_size(y));
	ck_assert_mem_eq(matrix_data(x), matrix_data(y), matrix_size(x));
}

START_TEST(only_wanted_outputs_are_answered)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 150, 6);
	struct args all, values, left;

	op_run("eigen", &a, 1, &all, "which", "all", "devices", "2", "return",
	       "eigenvalues,eigenvectors,left_eigenvectors", NULL);
	op_run("eigen", &a, 1, &values, "which", "all", "devices", "2", NULL);
	op_run("eigen", &a, 1, &left, "which", "all", "devices", "2", "return",
	       "left_eigenvectors", "structure", "symmetric", NULL);
	ck_assert_int_eq(values.out[VECTORS].ndim, MATRIX_ABSENT);
	ck_assert_int_eq(left.out[VALUES].ndim, MATRIX_ABSENT);
	for (size_t i = 0; i < 150; i++)
		ck_assert_double_eq_tol(eigen_re(&all, i),
		                        eigen_re(&values, i), 1e-12);
	assert_same(&all.out[VECTORS], &all.out[LEFT]);
	assert_same(&all.out[LEFT], &left.out[LEFT]);
	ck_assert(isnan(values.verdict.residual) &&
	          isnan(left.verdict.residual));
	ck_assert_double_eq(left.verdict.orthogonality,
	                    all.verdict.orthogonality);
	args_fini(&all);
	args_fini(&values);
	args_fini(&left);
	matrix_fini(&a);
}
END_TEST

START_TEST(rounding_errors_of_the_client_are_allowed)
{
	eigen_takes_the_mean(150, "devices", "2");
}
END_TEST

START_TEST(no_gang_is_formed_unasked)
{
	struct args a = {
		.op = op_find("eigen"), .dtype = FLOAT64, .want = 1u << VALUES,
		.in = { { .dtype = FLOAT64, .ndim = 2,
		          .dim = { 20000, 20000 } },
		        { .ndim = MATRIX_ABSENT } },
	};
	const int which = op_param(a.op, "which");
	const int asked = op_param(a.op, "devices");
	struct gang_plan g;

	a.param[which] = 1;			/* all */
	a.param[asked] = NAN;
	a.op->gang(&a, 2, &g);
	ck_assert_uint_eq(g.width, 0);
	a.param[asked] = 2;
	a.op->gang(&a, 2, &g);
	ck_assert(g.width > 0 && g.asked == 2);
}
END_TEST

START_TEST(when_one_fails_none_waits_for_it)
{
	static const int looks[] = { 1, 40, 400 };
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 200, 3);

	for (size_t i = 0; i < COUNT(looks) * 3; i++) {
		struct err e = { 0 };
		struct args r;

		gang_fails = (int)i % 3;
		gang_fails_at = looks[i / 3];
		ck_assert_int_eq(op_try("eigen", &a, 1, &r, &e, "which", "all",
		                        "return", both, "devices", "3", NULL),
		                 -1);
		ck_assert_int_eq(e.code, ERR_DISMISSED);
	}
	check(&a, "3");
	matrix_fini(&a);
}
END_TEST

/* The memory of one device is more than that of each of three. */
START_TEST(each_takes_less_memory_than_one_device)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 300, 3);
	size_t one;
	struct args r;

	device_copies = true;
	op_run("eigen", &a, 1, &r, "which", "all", "return", both, "method",
	       "tridiagonal", NULL);
	args_fini(&r);
	one = test_memory;
	op_run("eigen", &a, 1, &r, "which", "all", "return", both, "devices",
	       "3", NULL);
	args_fini(&r);
	device_copies = false;
	ck_assert_uint_lt(test_memory, one);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_eigen_gang(void)
{
	TCase *t = tcase_create("eigen_gang");

	tcase_set_timeout(t, 0);
	tcase_add_test(t, matrices_of_every_size);
	tcase_add_test(t, devices_with_memory_of_their_own);
	tcase_add_test(t, columns_are_found_by_their_numbers);
	tcase_add_test(t, spectra_of_every_kind);
	tcase_add_test(t, the_estimates_are_near_the_exact_ratios);
	tcase_add_test(t, only_wanted_outputs_are_answered);
	tcase_add_test(t, rounding_errors_of_the_client_are_allowed);
	eigen_gang_refusal_tests(t);
	tcase_add_test(t, no_gang_is_formed_unasked);
	tcase_add_test(t, when_one_fails_none_waits_for_it);
	tcase_add_test(t, each_takes_less_memory_than_one_device);
	return t;
}
