/* decide.c - tests that the dominant eigenvalue is found for matrices that
 * would mislead an iteration, that "converged" means what it promises, and that
 * the reported reliability of an answer is right. */
#include <math.h>

#include "tests/ops/eigen/eigen.h"

static const char *const iterations[] = { "auto", "krylov", "power" };

/* The companion matrix of the polynomial with these roots, the largest of which
 * is the answer. */
static struct matrix companion(const double *root, size_t n)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);
	long double c[32] = { 1 };	/* falling powers */

	for (size_t k = 1; k <= n; k++)
		for (size_t i = k; i > 0; i--)
			c[i] -= root[k - 1] * c[i - 1];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, i == 0 ? (double)-c[j + 1] :
			           (double)(i == j + 1));
	return a;
}

START_TEST(companion_matrices_of_integer_roots_have_the_largest)
{
	/* the error allowed: for n = 20 the balanced condition is 5e13 */
	static const struct { size_t n; double slack; } cases[] = {
		{ 5, 1e-12 }, { 9, 1e-10 }, { 12, 1e-7 }, { 20, 1e-2 },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		for (size_t m = 0; m < 2; m++) {
			double root[32];
			struct matrix a;
			struct args r;

			for (size_t k = 0; k < cases[i].n; k++)
				root[k] = (double)k + 1;
			a = companion(root, cases[i].n);
			op_run("eigen", &a, 1, &r, "method", iterations[m],
			       NULL);
			eigen_assert_complex(&a, &r, (double)cases[i].n, 0,
			    m == 0 ? cases[i].slack : cases[i].slack + 2e-8);
			ck_assert_double_gt(r.verdict.condition, 1);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

/* Makes the matrix with -1 below the diagonal, and 1 on the diagonal and on
 * `above` diagonals over it. */
static struct matrix grcar(size_t n, size_t above)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, i == j + 1 ? -1 :
			           j >= i && j <= i + above);
	return a;
}

START_TEST(toeplitz_matrices_far_from_normal_are_answered)
{
	static const size_t n[] = { 10, 40, 100, 200 };

	for (size_t i = 0; i < COUNT(n); i++)
		for (size_t above = 3; above <= 5; above += 2) {
			struct matrix a = grcar(n[i], above);
			double re, im, gap;
			struct args r;

			eigen_reference(&a, &re, &im, &gap);
			op_run("eigen", &a, 1, &r, NULL);
			eigen_assert_complex(&a, &r, re, im, fmin(1, 1e-15 *
			    (double)n[i] * r.verdict.condition));
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

/* Checks that an answer which power or krylov calls converged has a residual
 * within tol, exactly as it is defined. */
START_TEST(converged_means_a_residual_within_tol)
{
	for (unsigned seed = 1; seed <= 30; seed++)
		for (size_t m = 0; m < COUNT(iterations); m++) {
			const size_t n = 2 + seed;
			struct matrix a = eigen_random_matrix(FLOAT64,
			    (int)seed % 3, n, seed);
			struct err e = { 0 };
			struct args r;

			if (op_try("eigen", &a, 1, &r, &e, "method",
			           iterations[m], NULL) == 0) {
				eigen_assert_complex(&a, &r,
				    eigen_get(&r, VALUE),
				    matrix_get_imaginary(&r.out[VALUE], 0), 0);
				args_fini(&r);
			} else {
				ck_assert_int_eq(e.code, ERR_CONVERGENCE);
				ck_assert_int_eq(m, 2);
			}
			matrix_fini(&a);
		}
}
END_TEST

/* The largest eigenvalues of these graphs and second differences are
 * clustered. */
enum crowd { DIFFERENCE, PATH, RING };

static double crowd_element(enum crowd c, size_t n, size_t i, size_t j)
{
	const size_t apart = i > j ? i - j : j - i;
	const bool beside = apart == 1 || (c == RING && apart == n - 1);

	return apart == 0 ? (c == DIFFERENCE ? 2 : 0) :
	       beside ? (c == DIFFERENCE ? -1 : 1) : 0;
}

static double crowd_top(enum crowd c, size_t n)
{
	const double path = 2 * cos(acos(-1) / (double)(n + 1));

	return c == RING ? 2 : c == PATH ? path : 2 + path;
}

static void crowded(enum crowd c, size_t n)
{
	const bool bipartite = c == PATH || (c == RING && n % 2 == 0);
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);
	struct args r;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, crowd_element(c, n, i, j));
	op_run("eigen", &a, 1, &r, NULL);
	eigen_assert_complex(&a, &r, crowd_top(c, n), 0, 1e-14);
	ck_assert_int_eq(r.want >> TIE & 1, bipartite);
	/* The similarity method, which suffices for short paths and for
	 * rings, reports no condition. */
	ck_assert(r.verdict.condition == 1 || c == RING ||
	          (c == PATH && n <= 10));
	args_fini(&r);
	matrix_fini(&a);
}

START_TEST(crowded_spectra_are_answered)
{
	static const size_t n[] = { 3, 10, 100, 250, 512, 513, 700, 2000 };

	for (size_t i = 0; i < COUNT(n); i++) {
		crowded(DIFFERENCE, n[i]);
		crowded(PATH, n[i]);
		crowded(RING, n[i]);
	}
	crowded(DIFFERENCE, 2);
	crowded(PATH, 2);
}
END_TEST

/* The second difference on a ring of odd length is symmetric but not
 * tridiagonal in any order, and its largest eigenvalue is double. */
START_TEST(full_decomposition_takes_over_symmetric_matrices_too)
{
	const size_t n = 601;
	const double top = 2 + 2 * cos(acos(-1) / (double)n);
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);
	struct args r;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, i == j ? 2 :
			           -crowd_element(RING, n, i, j));
	op_run("eigen", &a, 1, &r, NULL);
	eigen_assert_complex(&a, &r, top, 0, 1e-14);
	ck_assert_int_eq(r.want >> TIE & 1, 1);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* For this matrix the bracket closes in the first round. */
START_TEST(a_bracket_that_closes_at_once_leaves_no_residual)
{
	static const double swap[] = { 0, 1, 1, 0 };
	struct matrix a = matrix_of(FLOAT64, swap, 2, (size_t)2, (size_t)2);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	ck_assert_double_eq(eigen_get(&r, VALUE), 1);
	ck_assert_double_le(r.verdict.residual, 1);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* A general matrix for which Krylov's method does not converge. */
START_TEST(full_decomposition_takes_over_where_krylov_stalls)
{
	const size_t n = 530;
	struct matrix a = eigen_random_matrix(FLOAT64, 2, n, 3);
	double re, im, gap;
	struct args r;

	eigen_reference(&a, &re, &im, &gap);
	op_run("eigen", &a, 1, &r, "max_iterations", "300", NULL);
	eigen_assert_complex(&a, &r, re, im, 1e-8);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

/* Products of these elements underflow. */
START_TEST(elements_as_far_apart_as_float64_goes_count)
{
	static const double x[][4] = {
		{ 0, 1e300, 1e-300, 0 }, { 1, 1e-200, -1e200, 1 },
		{ 0.024, 1.7e121, 4.9e-122, 0.5 }, { 0, 1e150, 6e-151, 0 },
	};
	const double root = sqrt(0.476 * 0.476 + 4 * 1.7 * 0.49);
	const double re[] = { 1, 1, (0.524 + root) / 2, sqrt(0.6) };
	static const double im[] = { 0, 1, 0, 0 };

	for (size_t i = 0; i < COUNT(re); i++)
		for (size_t m = 0; m < 2; m++) {
			struct matrix a = matrix_of(FLOAT64, x[i], 2,
			    (size_t)2, (size_t)2);
			struct args r;

			op_run("eigen", &a, 1, &r, "method", iterations[m],
			       NULL);
			ck_assert_double_eq_tol(eigen_get(&r, VALUE), re[i],
			                        1e-8);
			ck_assert_double_eq_tol(matrix_get_imaginary(
			    &r.out[VALUE], 0), im[i], 1e-8);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

static double condition_of(const double *x, size_t n)
{
	struct matrix a = matrix_of(FLOAT64, x, 2, n, n);
	double condition;
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	condition = r.verdict.condition;
	args_fini(&r);
	matrix_fini(&a);
	return condition;
}

START_TEST(conditions_are_told)
{
	/* right (1, 0), left (d, c) with d = 1 - 0.5 and c = 1000 */
	static const double triangle[] = { 1, 1000, 0, 0.5 };
	/* the same under a reflection that mixes both */
	static const double general[] = { 500.75, -499.75, 500.25, -499.25 };
	static const double symmetric[] = { 2, -1, -1, 2 };
	static const double defective[] = { 1, 1, 0, 1 };
	const double wanted = hypot(1000, 0.5) / 0.5;

	ck_assert_double_eq_tol(condition_of(triangle, 2), wanted, 1e-9);
	ck_assert_double_eq_tol(condition_of(general, 2), wanted, 1e-6);
	ck_assert_double_eq(condition_of(symmetric, 2), 1);
	ck_assert_double_gt(condition_of(defective, 2), 1e300);
}
END_TEST

void eigen_decision_tests(TCase *c)
{
	tcase_add_test(c, companion_matrices_of_integer_roots_have_the_largest);
	tcase_add_test(c, toeplitz_matrices_far_from_normal_are_answered);
	tcase_add_test(c, converged_means_a_residual_within_tol);
	tcase_add_test(c, crowded_spectra_are_answered);
	tcase_add_test(c, full_decomposition_takes_over_where_krylov_stalls);
	tcase_add_test(c, full_decomposition_takes_over_symmetric_matrices_too);
	tcase_add_test(c, a_bracket_that_closes_at_once_leaves_no_residual);
	tcase_add_test(c, elements_as_far_apart_as_float64_goes_count);
	tcase_add_test(c, conditions_are_told);
}
