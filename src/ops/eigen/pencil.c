/* pencil.c - turns A x = lambda B x, where B = L L^T is symmetric and positive
 * definite, into a problem of one matrix:
 *
 *     L^-1 A L^-T y = lambda y,   x = L^-T y
 *
 * See many.h. */
#include "ops/eigen/many.h"

static void transpose(double *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++) {
			const double x = a[j * n + i];

			a[j * n + i] = a[i * n + j];
			a[i * n + j] = x;
		}
}

void eigen_make_symmetric(double *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++) {
			const double x = (a[j * n + i] + a[i * n + j]) / 2;

			a[j * n + i] = a[i * n + j] = x;
		}
}

int eigen_pencil_reduce(const struct lapack *l, size_t n, double *a,
                        double *b, bool symmetric)
{
	const int m = (int)n;
	const double one = 1;
	const int minor = l->d.potrf(LAPACK_COLUMNS, 'L', m, b, m);

	if (minor > 0)
		return minor;
	/* The first turn makes (L^-1 A)^T = A^T L^-T of A. The second makes
	 * (L^-1 A^T L^-T)^T = L^-1 A L^-T of that. */
	for (int side = 0; side < 2; side++) {
		l->d.trsm("L", "L", "N", "N", &m, &m, &one, b, &m, a, &m);
		transpose(a, n);
	}
	if (symmetric)
		eigen_make_symmetric(a, n);
	return 0;
}

void eigen_pencil_back(const struct lapack *l, size_t n, const double *b,
                       double *y, size_t columns)
{
	const int m = (int)n, sides = (int)columns;
	const double one = 1;

	l->d.trsm("L", "L", "T", "N", &m, &sides, &one, b, &m, y, &m);
}
