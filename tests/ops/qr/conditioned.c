/* conditioned.c - matrices of any condition number, and how far R is from
 * LAPACK's, for the tests of qr. */
#include <math.h>

#include "ops/qr/qr.h"
#include "tests/ops/qr/qr.h"

/* Multiplies the rows, or the columns, of the m x n matrix x by I - 2 u u^T /
 * u^T u. */
static void reflect(struct matrix *x, bool rows, unsigned seed)
{
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const size_t length = rows ? m : n, others = rows ? n : m;
	const size_t along = rows ? n : 1, across = rows ? 1 : n;
	struct matrix u = random_matrix(FLOAT64, seed, 1, length);
	double square = 0;

	for (size_t i = 0; i < length; i++)
		square += pow(matrix_get(&u, i), 2);
	for (size_t j = 0; j < others; j++) {
		double sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += matrix_get(&u, i) *
			       matrix_get(x, j * across + i * along);
		for (size_t i = 0; i < length; i++) {
			const size_t at = j * across + i * along;

			matrix_set(x, at, matrix_get(x, at) - 2 * sum /
			           square * matrix_get(&u, i));
		}
	}
	matrix_fini(&u);
}

struct matrix qr_conditioned(enum dtype t, size_t m, size_t n, size_t rank,
                             double condition)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, m, n);
	struct matrix y = random_matrix(t, 1, 2, m, n);

	for (size_t e = 0; e < m * n; e++)
		matrix_set(&x, e, e / n == e % n && e / n < rank ?
		           pow(condition, -(double)(e / n) /
		                          (double)(n - 1)) : 0);
	for (unsigned i = 0; i < 6; i++)
		reflect(&x, i % 2, 3 + i);
	for (size_t e = 0; e < m * n; e++)
		matrix_set(&y, e, matrix_get(&x, e));
	matrix_fini(&x);
	return y;
}

double qr_off_lapack(const struct matrix *x, const struct matrix *r)
{
	const size_t n = matrix_cols(x);
	double sum = 0, all = 0;
	struct args a;

	op_run("qr", x, 1, &a, "variant", "host", "mode", "raw", NULL);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			const double own = matrix_get(&a.out[QR_H], i * n + j);

			sum += pow(own - matrix_get(r, i * n + j), 2);
			all += own * own;
		}
	args_fini(&a);
	return sqrt(sum / all);
}
