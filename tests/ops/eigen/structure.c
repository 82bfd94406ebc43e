/* structure.c - matrices that mislead iterations: cyclic,
 * reducible, rank one, far from normal, orthogonal. */
#include <math.h>

#include <lapacke.h>

#include "tests/ops/eigen/eigen.h"

/* Makes an n x n matrix whose elements the function `rule` returns. */
static struct matrix filled(size_t n, double (*rule)(size_t i, size_t j,
                                                     size_t n))
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, rule(i, j, n));
	return a;
}

static double cycle(size_t i, size_t j, size_t n)
{
	return (i + 1) % n == j;
}

static double unit(size_t i, size_t j, size_t n)
{
	(void)n;
	return i == j;
}

static double minus_outer(size_t i, size_t j, size_t n)
{
	(void)n;
	return -(double)(i + 1) * (double)(j + 1);
}

/* A bidiagonal matrix with the diagonal 1 to n - 1 and -2 n, sheared. */
static double sheared(size_t i, size_t j, size_t n)
{
	const double d = j + 1 == n ? -2.0 * (double)n : (double)(j + 1);

	return (i == j ? d : 0) +
	       (i + 1 == n && j == 0 && n > 1 ? 1 + 2.0 * (double)n : 0) +
	       (j == i + 1 && i > 0 ? 0.125 : 0);
}

/* The blocks 2 (first half) and -3 (second half) of ones, scaled. */
static double blocks(size_t i, size_t j, size_t n)
{
	const size_t h = n / 2;

	return (i < h) != (j < h) ? 0 : i < h ? 2.0 / (double)h :
	       -3.0 / (double)(n - h);
}

START_TEST(structured_matrices_of_any_size_are_answered)
{
	static const size_t orders[] = { 2, 3, 10, 63, 64, 65, 100 };
	static const struct {
		double (*rule)(size_t, size_t, size_t);
		double value;		/* NAN: see below */
	} cases[] = {
		{ cycle, 1 }, { unit, 1 }, { minus_outer, NAN },
		{ blocks, -3 },
	};

	for (size_t i = 0; i < COUNT(orders); i++)
		for (size_t k = 0; k < COUNT(cases); k++) {
			const double n = (double)orders[i];
			struct matrix a = filled(orders[i], cases[k].rule);
			struct args r;

			op_run("eigen", &a, 1, &r, NULL);
			eigen_assert_pair(&a, &r, isnan(cases[k].value) ?
			    -n * (n + 1) * (2 * n + 1) / 6 : cases[k].value,
			    1e-8);
			ck_assert_int_eq(r.want >> TIE & 1,
			                 cases[k].rule == cycle ||
			                 cases[k].rule == unit);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

START_TEST(far_from_normal_matrices_are_answered)
{
	static const size_t orders[] = { 2, 3, 10, 64, 65, 100 };

	for (size_t i = 0; i < COUNT(orders); i++) {
		struct matrix a = filled(orders[i], sheared);
		double re, im, gap;
		struct args r;

		eigen_reference(&a, &re, &im, &gap);
		op_run("eigen", &a, 1, &r, NULL);
		eigen_assert_pair(&a, &r, re, 1e-7);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

/* The companion matrix of the polynomial with the roots 1, -2, 3, -4 ... n. */
static struct matrix companion(size_t n)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);
	double c[16] = { 1 };		/* falling powers */

	for (size_t k = 1; k <= n; k++) {
		const double root = k % 2 ? (double)k : -(double)k;

		for (size_t i = k; i > 0; i--)
			c[i] -= root * c[i - 1];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, i == 0 ? -c[j + 1] :
			           (double)(i == j + 1));
	return a;
}

START_TEST(companion_matrices_have_their_largest_root)
{
	for (size_t n = 1; n <= 10; n++) {
		struct matrix a = companion(n);
		struct args r;

		op_run("eigen", &a, 1, &r, NULL);
		eigen_assert_pair(&a, &r, n % 2 ? (double)n : -(double)n,
		                  1e-5);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

/* Q of a random matrix's QR, all of whose eigenvalues have modulus 1. */
START_TEST(orthogonal_matrices_are_never_answered_wrongly)
{
	for (unsigned seed = 1; seed <= 12; seed++) {
		const size_t n = 2 + seed;
		struct matrix a = random_matrix(FLOAT64, seed, 2, n, n);
		double *tau = malloc(n * sizeof *tau), re, im;
		struct args r;

		LAPACKE_dgeqrf(LAPACK_ROW_MAJOR, (int)n, (int)n,
		               matrix_data(&a), (int)n, tau);
		LAPACKE_dorgqr(LAPACK_ROW_MAJOR, (int)n, (int)n, (int)n,
		               matrix_data(&a), (int)n, tau);
		op_run("eigen", &a, 1, &r, NULL);
		re = eigen_get(&r, VALUE);
		im = matrix_get_imaginary(&r.out[VALUE], 0);
		ck_assert_double_eq_tol(hypot(re, im), 1, 1e-12);
		eigen_assert_complex(&a, &r, re, im, 0);
		/* for n = 2 no other eigenvalue has the pair's modulus */
		ck_assert_int_eq(r.want >> TIE & 1, n > 2 || im == 0);
		args_fini(&r);
		free(tau);
		matrix_fini(&a);
	}
}
END_TEST

void eigen_structure_tests(TCase *c)
{
	tcase_add_test(c, structured_matrices_of_any_size_are_answered);
	tcase_add_test(c, far_from_normal_matrices_are_answered);
	tcase_add_test(c, companion_matrices_have_their_largest_root);
	tcase_add_test(c, orthogonal_matrices_are_never_answered_wrongly);
}
