/* several.c - all eigenvalues, or those that `which` names, by LAPACK: their
 * order, residuals and left vectors, pairs of matrices, stacks, refusals. */
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const size_t sizes[] = { 1, 2, 3, 5, 10, 33, 64, 65, 130 };

static void assert_orthogonal(const struct args *r)
{
	const struct matrix *v = &r->out[VECTORS];
	const size_t n = matrix_rows(v);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double sum = -(double)(i == j);

			for (size_t l = 0; l < n; l++)
				sum += matrix_get(v, l * n + i) *
				       matrix_get(v, l * n + j);
			ck_assert_double_le(fabs(sum), 30 * (double)n *
			                    dtype_epsilon(r->dtype));
		}
}

START_TEST(all_of_a_symmetric_matrix_ascend_and_are_orthogonal)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			const size_t n = sizes[i];
			struct matrix a = eigen_random_matrix(reals[t], 0, n,
			                                      7);
			struct args r, only;

			op_run("eigen", &a, 1, &r, "which", "all", "return",
			       "eigenvalues,eigenvectors", "quality", "full",
			       NULL);
			op_run("eigen", &a, 1, &only, "which", "all", NULL);
			ck_assert_int_eq(r.out[VALUES].dtype, reals[t]);
			ck_assert_int_eq(only.out[VECTORS].ndim,
			                 MATRIX_ABSENT);
			eigen_assert_several(&a, NULL, &r, 0, VECTORS);
			assert_orthogonal(&r);
			for (size_t k = 0; k < n; k++) {
				ck_assert(k == 0 || eigen_re(&r, k) >=
				                    eigen_re(&r, k - 1));
				ck_assert_double_eq_tol(eigen_re(&r, k),
				    eigen_re(&only, k), 60 * eigen_norm(&a, 0) *
				    dtype_epsilon(reals[t]));
			}
			ck_assert_double_lt(r.verdict.residual, 30);
			ck_assert_double_lt(r.verdict.orthogonality, 30);
			ck_assert_double_eq(r.verdict.condition, 1);
			args_fini(&r);
			args_fini(&only);
			matrix_fini(&a);
		}
}
END_TEST

START_TEST(all_of_a_general_matrix_descend_by_modulus)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			const size_t n = sizes[i];
			struct matrix a = eigen_random_matrix(reals[t], 2, n,
			                                      9);
			double trace = 0;
			struct args r;

			op_run("eigen", &a, 1, &r, "which", "all", "return",
			       "eigenvalues,eigenvectors,left_eigenvectors",
			       NULL);
			eigen_assert_several(&a, NULL, &r, 0, VECTORS);
			eigen_assert_several(&a, NULL, &r, 0, LEFT);
			for (size_t k = 0; k < n; k++) {
				const double x = eigen_re(&r, k);
				const double y = eigen_im(&r, k);

				trace += x - matrix_get(&a, k * n + k);
				ck_assert(k == 0 || hypot(x, y) <=
				          hypot(eigen_re(&r, k - 1),
				                eigen_im(&r, k - 1)));
				ck_assert(y >= 0 || (x == eigen_re(&r, k - 1) &&
				          y == -eigen_im(&r, k - 1)));
			}
			ck_assert_double_le(fabs(trace), 30 * (double)n *
			    eigen_norm(&a, 0) * dtype_epsilon(reals[t]));
			ck_assert_double_ge(r.verdict.condition, 1);
			ck_assert_double_lt(r.verdict.residual, 30);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

/* Returns the key of an eigenvalue. The answer for `which` must be those
 * eigenvalues of which=all that have the smallest keys. */
static double key_of(size_t which, double re, double im)
{
	return which == 0 ? -hypot(re, im) : which == 1 ? hypot(re, im) :
	       which == 2 ? -re : which == 3 ? re : hypot(re - 0.3, im);
}

/* Asks for 4 eigenvalues, and asserts that as many of all eigenvalues have keys
 * up to the largest answered one. */
static void k_of(int mode, size_t n, size_t which)
{
	static const char *const names[] = { "largest", "smallest",
		"largest-real", "smallest-real", "nearest" };
	const bool nearest = which == 4;
	struct matrix a = eigen_random_matrix(FLOAT64, mode, n, 5);
	struct args all, r;
	double farthest = -INFINITY;
	size_t k, nearer = 0;

	op_run("eigen", &a, 1, &all, "which", "all", NULL);
	op_run("eigen", &a, 1, &r, "which", names[which], "k", "4",
	       nearest ? "sigma" : "which", nearest ? "0.3" : names[which],
	       NULL);
	k = matrix_elements(&r.out[VALUES]);
	ck_assert(k == 4 || (k == 5 && mode == 2));
	ck_assert_uint_eq(matrix_cols(&r.out[VECTORS]), k);
	eigen_assert_several(&a, NULL, &r, 0, VECTORS);
	for (size_t i = 0; i < k; i++)
		farthest = fmax(farthest, key_of(which, eigen_re(&r, i),
		                                 eigen_im(&r, i)));
	for (size_t i = 0; i < n; i++)
		nearer += key_of(which, eigen_re(&all, i), eigen_im(&all, i)) <=
		          farthest + 1e-9;
	ck_assert_uint_eq(nearer, k);
	args_fini(&r);
	args_fini(&all);
	matrix_fini(&a);
}

START_TEST(which_names_the_eigenvalues)
{
	for (size_t which = 0; which < 5; which++) {
		k_of(0, 20, which);
		k_of(0, 90, which);
		k_of(2, 20, which);
		k_of(2, 90, which);
	}
}
END_TEST

/* The eigenvalues are 1 +- 2i and 3 +- i. */
START_TEST(a_conjugate_pair_is_not_cut)
{
	static const double x[] = { 1, 2, 0, 0, -2, 1, 0, 0,
	                            0, 0, 3, 1, 0, 0, -1, 3 };
	static const struct { const char *k; size_t count; } cases[] = {
		{ "1", 2 }, { "2", 2 }, { "3", 4 }, { "4", 4 },
	};
	struct matrix a = matrix_of(FLOAT64, x, 2, (size_t)4, (size_t)4);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct args r;

		op_run("eigen", &a, 1, &r, "which", "largest", "k",
		       cases[i].k, NULL);
		ck_assert_uint_eq(matrix_elements(&r.out[VALUES]),
		                  cases[i].count);
		ck_assert_double_eq_tol(eigen_re(&r, 0), 3, 1e-14);
		ck_assert_double_eq_tol(eigen_im(&r, 1), -1, 1e-14);
		eigen_assert_several(&a, NULL, &r, 0, VECTORS);
		args_fini(&r);
	}
	matrix_fini(&a);
}
END_TEST

/* Makes a symmetric positive definite matrix. */
static struct matrix spd(enum dtype t, size_t n, unsigned seed)
{
	struct matrix b = random_matrix(t, seed, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const double x = matrix_get(&b, i * n + j) /
			                 (double)n + 2 * (i == j);

			matrix_set(&b, i * n + j, x);
			matrix_set(&b, j * n + i, x);
		}
	return b;
}

START_TEST(pairs_of_matrices_are_answered)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			for (int mode = 0; mode <= 2; mode += 2) {
				const size_t n = sizes[i];
				struct matrix m[] = {
					eigen_random_matrix(reals[t], mode, n,
					                    3),
					spd(reals[t], n, 4),
				};
				struct args r;

				op_run("eigen", m, 2, &r, "which", "all",
				       "return", "eigenvalues,eigenvectors,"
				       "left_eigenvectors", NULL);
				eigen_assert_several(&m[0], &m[1], &r, 0,
				                     VECTORS);
				eigen_assert_several(&m[0], &m[1], &r, 0, LEFT);
				ck_assert_double_lt(r.verdict.residual, 30);
				args_fini(&r);
				matrix_fini(&m[0]);
				matrix_fini(&m[1]);
			}
}
END_TEST

START_TEST(b_must_be_symmetric_and_positive_definite)
{
	static const double a[] = { 1, 0, 0, 1 }, minor[] = { 1, 2, 2, 1 };
	static const double skew[] = { 1, 2, 1, 4 };
	const double nan[] = { 1, NAN, NAN, 1 };
	const struct { const double *b; enum err_code code; const char *word; }
	cases[] = {
		{ minor, ERR_NOT_POSITIVE, "order 2" },
		{ skew, ERR_MATHEMATICS, "(1, 0) and (0, 1)" },
		{ nan, ERR_NONFINITE, "NaN" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct matrix m[] = {
			matrix_of(FLOAT64, a, 2, (size_t)2, (size_t)2),
			matrix_of(FLOAT64, cases[i].b, 2, (size_t)2,
			          (size_t)2),
		};
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("eigen", m, 2, &r, &e, "which", "all", NULL),
		           &e, cases[i].code);
		ck_assert_str_eq(e.pointer, "/b");
		ck_assert_msg(strstr(e.text, cases[i].word), "%s", e.text);
		matrix_fini(&m[0]);
		matrix_fini(&m[1]);
	}
}
END_TEST

START_TEST(structure_is_found_or_demanded)
{
	/* One is symmetric but for a rounding error, the other is not. */
	const double near[] = { 2, 1, 1 + DBL_EPSILON, 2 };
	static const double far[] = { 2, 1, 1.5, 2 };
	struct matrix a = matrix_of(FLOAT64, near, 2, (size_t)2, (size_t)2);
	struct matrix b = matrix_of(FLOAT64, far, 2, (size_t)2, (size_t)2);
	struct err e = { 0 };
	struct args r;

	op_run("eigen", &a, 1, &r, "which", "all", NULL);
	ck_assert_double_gt(eigen_re(&r, 0), eigen_re(&r, 1));
	args_fini(&r);
	op_run("eigen", &a, 1, &r, "which", "all", "structure", "symmetric",
	       NULL);
	ck_assert_double_lt(eigen_re(&r, 0), eigen_re(&r, 1));
	args_fini(&r);
	ck_refused(op_try("eigen", &b, 1, &r, &e, "which", "all", "structure",
	                  "symmetric", NULL), &e, ERR_MATHEMATICS);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(parameters_that_do_not_go_together_are_refused)
{
	static const char *const wrong[][4] = {
		{ "which", "all", "k", "1" },
		{ "which", "dominant", "k", "1" },
		{ "which", "largest", "k", "3" },
		{ "which", "largest", "sigma", "1" },
		{ "which", "nearest", "k", "1" },
		{ "which", "all", "method", "krylov" },
		{ "which", "dominant", "method", "lapack" },
		{ "which", "largest", "method", "jacobi" },
		{ "which", "dominant", "structure", "symmetric" },
		{ "which", "all", "return", "eigenvector" },
		{ "which", "dominant", "return", "eigenvalues" },
	};

	eigen_assert_refused(wrong, COUNT(wrong));
}
END_TEST

/* Of the three 3 x 3 matrices, the first is symmetric, the second has a
 * conjugate pair that k = 1 would cut, and the third holds NaN. */
START_TEST(matrices_of_a_stack_fail_alone_and_end_with_nan)
{
	double x[] = { 1, 2, 0, 2, 1, 0, 0, 0, 1,
	               0, 5, 0, -5, 0, 0, 0, 0, 1,
	               1, 2, 3, 4, NAN, 6, 7, 8, 9 };
	struct matrix a = matrix_of(FLOAT64, x, 3, (size_t)3, (size_t)3,
	                            (size_t)3);
	struct args r;

	op_run("eigen", &a, 1, &r, "which", "largest", NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert(args_has_failed(&r, 2));
	ck_assert_uint_eq(matrix_cols(&r.out[VALUES]), 2);
	ck_assert_double_eq_tol(eigen_re(&r, 0), 3, 1e-14);
	ck_assert_double_nan(eigen_re(&r, 1));
	ck_assert_double_eq_tol(eigen_im(&r, 2), 5, 1e-14);
	ck_assert_double_eq_tol(eigen_im(&r, 3), -5, 1e-14);
	ck_assert_double_nan(eigen_re(&r, 4));
	ck_assert_double_nan(matrix_get(&r.out[VECTORS], 1));
	args_fini(&r);
	/* Without the second matrix, the outputs are real and have one
	 * column. */
	for (size_t i = 9; i < 18; i++)
		matrix_set(&a, i, x[i - 9]);
	op_run("eigen", &a, 1, &r, "which", "largest", NULL);
	ck_assert_int_eq(r.out[VALUES].dtype, FLOAT64);
	ck_assert_uint_eq(matrix_cols(&r.out[VALUES]), 1);
	ck_assert_uint_eq(matrix_cols(&r.out[VECTORS]), 1);
	ck_assert_double_eq_tol(eigen_re(&r, 1), 3, 1e-14);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(scales_at_the_ends_of_the_range_are_no_obstacle)
{
	static const double scales[] = { 1e300, 1e-300, 0x1p-1074 };

	for (size_t i = 0; i < COUNT(scales); i++)
		for (int mode = 0; mode < 2; mode++) {
			const double s = scales[i];
			const double x[] = { 2 * s, s, (mode ? 2 : 1) * s,
			                     2 * s };
			const double top = mode ? 2 + sqrt(2) : 3;
			struct matrix a = matrix_of(FLOAT64, x, 2, (size_t)2,
			                            (size_t)2);
			struct args r;

			op_run("eigen", &a, 1, &r, "which", "largest-real",
			       NULL);
			ck_assert_double_le(fabs(eigen_re(&r, 0) - top * s),
			                    fmax(1e-14 * s, 0x1p-1074));
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

/* The matrices have the eigenvalues +-1 and 1 +- i, and elements whose
 * quotients underflow. */
START_TEST(elements_that_are_far_apart_count)
{
	static const double x[][4] = { { 0, 1e300, 1e-300, 0 },
		{ 1, 1e-200, -1e200, 1 } };

	for (size_t i = 0; i < COUNT(x); i++) {
		struct matrix a = matrix_of(FLOAT64, x[i], 2, (size_t)2,
		                            (size_t)2);
		struct args r;

		op_run("eigen", &a, 1, &r, "which", "all", NULL);
		ck_assert_double_eq_tol(eigen_re(&r, 0), 1, 1e-14);
		ck_assert_double_eq_tol(eigen_im(&r, 0), (double)i, 1e-14);
		ck_assert_double_eq_tol(fabs(eigen_re(&r, 1)), 1, 1e-14);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

void eigen_several_tests(TCase *c)
{
	tcase_add_test(c, all_of_a_symmetric_matrix_ascend_and_are_orthogonal);
	tcase_add_test(c, all_of_a_general_matrix_descend_by_modulus);
	tcase_add_test(c, which_names_the_eigenvalues);
	tcase_add_test(c, a_conjugate_pair_is_not_cut);
	tcase_add_test(c, pairs_of_matrices_are_answered);
	tcase_add_test(c, b_must_be_symmetric_and_positive_definite);
	tcase_add_test(c, structure_is_found_or_demanded);
	tcase_add_test(c, parameters_that_do_not_go_together_are_refused);
	tcase_add_test(c, matrices_of_a_stack_fail_alone_and_end_with_nan);
	tcase_add_test(c, scales_at_the_ends_of_the_range_are_no_obstacle);
	tcase_add_test(c, elements_that_are_far_apart_count);
}
