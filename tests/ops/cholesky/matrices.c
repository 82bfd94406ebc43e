/* matrices.c - see cholesky.h. */
#include <math.h>
#include <stdlib.h>

#include "tests/ops/cholesky/cholesky.h"

struct matrix cholesky_definite(enum dtype t, size_t stack, size_t n)
{
	struct matrix a = random_matrix(t, 7, 3, stack, n, n);

	for (size_t e = 0; e < matrix_elements(&a); e++) {
		const size_t i = e / n % n, j = e % n;

		if (i == j)
			matrix_set(&a, e, (double)n);
		if (i < j)
			matrix_set(&a, e, NAN);
	}
	return a;
}

double cholesky_error(const struct matrix *a, const struct matrix *l,
                      size_t index)
{
	const size_t n = matrix_rows(a), at = index * n * n;
	double *const factor = real_elements(l, at, n * n);
	double most = 0, norm = 0;

	for (size_t j = 0; j < n; j++) {
		double sum = 0, error = 0;

		for (size_t i = j; i < n; i++) {
			const double x = matrix_get(a, at + i * n + j);
			double product = 0;

			for (size_t k = 0; k <= j; k++)
				product += factor[i * n + k] *
				           factor[j * n + k];
			error += fabs(x - product);
			sum += fabs(x);
		}
		most = fmax(most, error);
		norm = fmax(norm, sum);
	}
	free(factor);
	return n ? most / ((double)n * norm * dtype_epsilon(a->dtype)) : 0;
}

void cholesky_is_lower(const struct matrix *l, size_t index)
{
	const size_t n = matrix_rows(l), at = index * n * n;

	for (size_t i = 0; i < n; i++) {
		ck_assert_double_gt(matrix_get(l, at + i * n + i), 0);
		for (size_t j = i + 1; j < n; j++)
			ck_assert_double_eq(matrix_get(l, at + i * n + j), 0);
	}
}
