/* tridiagonal.c - one symmetric matrix on the device, through a tridiagonal
 * one, against LAPACK: which eigenvalues, which outputs, and which matrices are
 * refused. tests/ops/tridiagonal has the accuracy for every kind of matrix. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static void check(const struct matrix *a, const struct args *r,
                  const struct args *other)
{
	const size_t k = r->out[VALUES].dim[0];
	const double unit = 30 * (double)matrix_rows(a) *
	                    dtype_epsilon(a->dtype) * eigen_norm(a, 0);

	ck_assert_int_eq(r->out[VALUES].dtype, a->dtype);
	ck_assert_uint_eq(k, other->out[VALUES].dim[0]);
	for (size_t i = 0; i < k; i++)
		ck_assert_double_le(fabs(eigen_re(r, i) - eigen_re(other, i)),
		                    unit);
	ck_assert_double_eq(r->verdict.condition, 1);
	if (r->out[VECTORS].ndim == MATRIX_ABSENT)
		return;
	ck_assert_int_eq(r->out[VECTORS].dtype, a->dtype);
	ck_assert_uint_eq(matrix_cols(&r->out[VECTORS]), k);
	eigen_assert_several(a, NULL, r, 0, VECTORS);
	ck_assert_double_lt(r->verdict.residual, 30);
	ck_assert_double_lt(r->verdict.orthogonality, 30);
}

/* The eigenvalues that `which` names, k of them unless k is NULL. */
static void against_lapack(const struct matrix *a, const char *variant,
                           const char *which, const char *k, const char *sigma,
                           const char *outputs, const char *structure)
{
	const char *const k_name = k ? "k" : "which";
	const char *const sigma_name = sigma ? "sigma" : "which";
	struct args r, other;

	op_run("eigen", a, 1, &r, "which", which, k_name, k ? k : which,
	       sigma_name, sigma ? sigma : which, "method", "tridiagonal",
	       "variant", variant, "return", outputs, "structure", structure,
	       NULL);
	op_run("eigen", a, 1, &other, "which", which, k_name, k ? k : which,
	       sigma_name, sigma ? sigma : which, "method", "lapack",
	       "variant", variant, "return", outputs, "structure", structure,
	       NULL);
	check(a, &r, &other);
	args_fini(&r);
	args_fini(&other);
}

static void every_which(enum dtype t, size_t n, const char *variant,
                        const char *outputs, const char *structure)
{
	static const struct { const char *which, *k, *sigma; } asked[] = {
		{ "all", NULL, NULL }, { "largest", "5", NULL },
		{ "smallest", "1", NULL }, { "largest-real", "33", NULL },
		{ "smallest-real", "2", NULL }, { "nearest", "7", "0.5" },
	};
	struct matrix a = eigen_random_matrix(t, 0, n, 3);

	for (size_t i = 0; i < COUNT(asked); i++)
		if (!asked[i].k || (size_t)atoi(asked[i].k) <= n)
			against_lapack(&a, variant, asked[i].which,
			               asked[i].k, asked[i].sigma, outputs,
			               structure);
	matrix_fini(&a);
}

START_TEST(every_which_agrees_with_lapack)
{
	static const size_t sizes[] = { 1, 2, 5, 64, 97, 130 };

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		const enum dtype t = reals[i % 2];

		every_which(t, sizes[i / 2], "fused-group",
		            "eigenvalues,eigenvectors", "auto");
		every_which(t, sizes[i / 2], "fused-group", "eigenvalues",
		            "symmetric");
	}
	every_which(FLOAT64, 70, "seed-v0", "eigenvalues,eigenvectors",
	            "symmetric");
}
END_TEST

/* On GPUs auto takes this method, and LAPACK for a matrix that is not
 * symmetric. */
START_TEST(auto_answers_symmetric_and_other_matrices)
{
	for (size_t i = 0; i < 4; i++) {
		struct matrix a = eigen_random_matrix(reals[i % 2],
		                                      i < 2 ? 0 : 2, 101, 5);
		struct args r, other;

		op_run("eigen", &a, 1, &r, "which", "largest", "k", "4",
		       "variant", "fused-group", NULL);
		op_run("eigen", &a, 1, &other, "which", "largest", "k", "4",
		       "variant", "fused-group", "method", "lapack", NULL);
		ck_assert_uint_eq(r.out[VALUES].dim[0],
		                  other.out[VALUES].dim[0]);
		ck_assert_int_eq(r.out[VALUES].dtype, other.out[VALUES].dtype);
		eigen_assert_several(&a, NULL, &r, 0, VECTORS);
		args_fini(&r);
		args_fini(&other);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(left_eigenvectors_are_the_right_ones)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 40, 9);
	struct args r;

	op_run("eigen", &a, 1, &r, "which", "smallest", "k", "3", "method",
	       "tridiagonal", "return",
	       "eigenvalues,eigenvectors,left_eigenvectors", NULL);
	ck_assert_mem_eq(matrix_data(&r.out[VECTORS]),
	                 matrix_data(&r.out[LEFT]), 40 * 3 * sizeof(double));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

static void refused(const struct matrix *a, const char *structure,
                    enum err_code code)
{
	struct err e = { 0 };
	struct args r;

	ck_assert_int_eq(op_try("eigen", a, 1, &r, &e, "which", "all",
	                        "method", "tridiagonal", "structure",
	                        structure, NULL), -1);
	ck_assert_msg(e.code == code, "%s", e.text);
	args_fini(&r);
}

START_TEST(other_matrices_are_refused)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix a = eigen_random_matrix(reals[i], 2, 40, 7);
		struct matrix b = eigen_random_matrix(reals[i], 0, 40, 7);
		struct matrix stack = random_matrix(reals[i], 1, 3, (size_t)2,
		                                    (size_t)3, (size_t)3);

		refused(&a, "auto", ERR_MATHEMATICS);
		refused(&a, "symmetric", ERR_MATHEMATICS);
		refused(&b, "general", ERR_PARAMETER);
		refused(&stack, "auto", ERR_PARAMETER);
		matrix_set(&b, 17, NAN);
		refused(&b, "auto", ERR_NONFINITE);
		matrix_fini(&a);
		matrix_fini(&b);
		matrix_fini(&stack);
	}
}
END_TEST

START_TEST(a_matrix_may_differ_from_its_transpose_by_rounding_errors)
{
	eigen_takes_the_mean(50, "method", "tridiagonal");
}
END_TEST

START_TEST(an_eigenvalue_beyond_its_type_is_refused)
{
	struct matrix a = random_matrix(FLOAT32, 1, 2, (size_t)5, (size_t)5);

	for (size_t i = 0; i < 25; i++)
		matrix_set(&a, i, FLT_MAX);
	refused(&a, "auto", ERR_MATHEMATICS);
	matrix_fini(&a);
}
END_TEST

START_TEST(quality_full_is_exact)
{
	for (size_t i = 0; i < COUNT(reals); i++) {
		struct matrix a = eigen_random_matrix(reals[i], 0, 45, 2);
		struct args r;

		op_run("eigen", &a, 1, &r, "which", "all", "method",
		       "tridiagonal", "quality", "full", "return",
		       "eigenvalues,eigenvectors", NULL);
		ck_assert_double_lt(r.verdict.residual, 30);
		ck_assert_double_gt(r.verdict.residual, 0);
		ck_assert_double_lt(r.verdict.orthogonality, 30);
		ck_assert_double_gt(r.verdict.orthogonality, 0);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

void eigen_tridiagonal_tests(TCase *c)
{
	tcase_add_test(c, every_which_agrees_with_lapack);
	tcase_add_test(c, auto_answers_symmetric_and_other_matrices);
	tcase_add_test(c, left_eigenvectors_are_the_right_ones);
	tcase_add_test(c, other_matrices_are_refused);
	tcase_add_test(c,
	    a_matrix_may_differ_from_its_transpose_by_rounding_errors);
	tcase_add_test(c, an_eigenvalue_beyond_its_type_is_refused);
	tcase_add_test(c, quality_full_is_exact);
}
