/* promise.c - matrices whose elements differ by many orders of magnitude: the
 * residual of every eigenpair, with the matrix as given, is within tol |A|. */
#include <complex.h>
#include <math.h>

#include "tests/ops/complex.h"
#include "tests/ops/eigen/eigen.h"

/* Random numbers times powers of ten with exponents from -2 reach to 0. */
static struct matrix apart(size_t n, double reach, unsigned seed)
{
	struct matrix a = random_matrix(FLOAT64, seed, 2, n, n);
	struct matrix powers = random_matrix(FLOAT64, seed + 500, 2, n, n);

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&a, i, matrix_get(&a, i) *
		           pow(10, reach * (matrix_get(&powers, i) - 1)));
	matrix_fini(&powers);
	return a;
}

START_TEST(residuals_are_within_tol_of_the_norm)
{
	static const char *const qualities[] = { "estimate", "full", "none" };

	for (unsigned seed = 1; seed <= 60; seed++) {
		struct matrix a = apart(3 + seed % 13, 10 + seed, seed);
		struct args r;

		op_run("eigen", &a, 1, &r, "which", "all", "return",
		       "eigenvalues,eigenvectors", "quality",
		       qualities[seed % 3], NULL);
		for (size_t j = 0; j < matrix_rows(&a); j++)
			ck_assert_double_le(eigen_residual_of(&a, NULL, &r, 0,
			    VECTORS, j), 1e-8 * eigen_norm(&a, 0));
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

/* A random matrix with columns, or rows, of very different sizes. */
static struct matrix lines_apart(enum dtype t, size_t n, bool columns,
                                 unsigned seed)
{
	struct matrix a = dtype_is_complex(t) ? random_complex(t, seed, n, n) :
	                  random_matrix(t, seed, 2, n, n);
	struct matrix powers = random_matrix(FLOAT64, seed + 500, 1, n);

	for (size_t i = 0; i < n * n; i++)
		complex_set(&a, i, complex_at(&a, i) * exp2(rint(60 *
		    matrix_get(&powers, columns ? i % n : i / n))));
	matrix_fini(&powers);
	return a;
}

/* |A v - l v| for column j of `vectors` and element j of `values` */
static double residual_of(const struct matrix *a, const struct args *r,
                          int values, int vectors, size_t j)
{
	const struct matrix *v = &r->out[vectors];
	const size_t n = matrix_rows(a), columns = matrix_elements(v) / n;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		number x = -complex_at(&r->out[values], j) *
		           complex_at(v, i * columns + j);

		for (size_t k = 0; k < n; k++)
			x += complex_element(a, i, k) *
			     complex_at(v, k * columns + j);
		sum = hypot(sum, cabs(x));
	}
	return sum;
}

/* The Frobenius norm, which the other norms exceed by a factor of n^1/2. */
static double size_of(const struct matrix *a)
{
	double sum = 0;

	for (size_t i = 0; i < matrix_elements(a); i++)
		sum = hypot(sum, cabs(complex_at(a, i)));
	return sum;
}

static const enum dtype types[] = { FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 };

/* Balancing makes some residuals as large as the matrix, and real eigenvalues
 * of pairs of complex ones. */
START_TEST(lines_of_different_sizes_keep_the_promise)
{
	for (unsigned seed = 1; seed <= 160; seed++) {
		const enum dtype t = types[seed % 4];
		struct matrix a = lines_apart(t, 2 + seed % 11, seed / 4 % 2,
		                              seed);
		const double tol = eigen_default_tol(dtype_part(t));
		const double size = sqrt((double)matrix_rows(&a)) * size_of(&a);
		struct args r;

		op_run("eigen", &a, 1, &r, "which", "all", "return",
		       "eigenvalues,eigenvectors", NULL);
		for (size_t j = 0; j < matrix_rows(&a); j++)
			ck_assert_double_le(residual_of(&a, &r, VALUES,
			    VECTORS, j), tol * size);
		args_fini(&r);
		op_run("eigen", &a, 1, &r, NULL);
		ck_assert_double_eq(eigen_get(&r, CONVERGED), 1);
		ck_assert_double_le(residual_of(&a, &r, VALUE, VECTOR, 0),
		    tol * cabs(complex_at(&r.out[VALUE], 0)) +
		    100 * dtype_epsilon(t) * size);
		args_fini(&r);
		matrix_fini(&a);
	}
}
END_TEST

/* No computed pair has a residual of 10^-18 |A|. */
START_TEST(a_complex_tol_below_rounding_is_met_up_to_rounding)
{
	struct matrix a = random_complex(COMPLEX128, 3, 8, 8);
	struct args r;

	op_run("eigen", &a, 1, &r, "tol", "1e-18", NULL);
	ck_assert_double_eq(eigen_get(&r, CONVERGED), 1);
	args_fini(&r);
	op_run("eigen", &a, 1, &r, "tol", "1e-18", "which", "largest", NULL);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

void eigen_promise_tests(TCase *c)
{
	tcase_add_test(c, residuals_are_within_tol_of_the_norm);
	tcase_add_test(c, lines_of_different_sizes_keep_the_promise);
	tcase_add_test(c, a_complex_tol_below_rounding_is_met_up_to_rounding);
}
