/* promise.c - matrices whose elements differ by many orders of magnitude: the
 * residual of every eigenpair, with the matrix as given, is within tol |A|. */
#include <math.h>

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

void eigen_promise_tests(TCase *c)
{
	tcase_add_test(c, residuals_are_within_tol_of_the_norm);
}
