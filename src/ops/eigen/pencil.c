/* pencil.c - reduces the three eigenproblems of a pair of matrices with a
 * symmetric positive definite B = L L^T to the eigenproblem of one matrix C, as
 * LAPACK's xSYGST does:
 *
 *     A x = lambda B x     C = L^-1 A L^-T,  x = L^-T z,  y = L^-T w
 *     A B x = lambda x     C = L^T A L,      x = L^-T z,  y = L w
 *     B A x = lambda x     C = L^T A L,      x = L z,     y = L^-T w
 *
 * where x and y are the right and the left eigenvectors of the pair, and z and
 * w those of C: C z = lambda z and w^H C = lambda w^H. A need not be symmetric.
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

int eigen_pencil_reduce(const struct lapack *l, enum eigen_form form, size_t n,
                        double *a, double *b, bool symmetric)
{
	const int m = (int)n;
	const double one = 1;
	const int minor = l->d.potrf(LAPACK_COLUMNS, 'L', m, b, m);

	if (minor > 0)
		return minor;
	/* After the first pass, A holds (L^-1 A)^T or (L^T A)^T; the second
	 * pass does the same to that. */
	for (int side = 0; side < 2; side++) {
		if (form == EIGEN_DEFINITE)
			l->d.trsm("L", "L", "N", "N", &m, &m, &one, b, &m, a,
			          &m);
		else
			l->d.trmm("L", "L", "T", "N", &m, &m, &one, b, &m, a,
			          &m);
		transpose(a, n);
	}
	if (symmetric)
		eigen_make_symmetric(a, n);
	return 0;
}

bool eigen_pencil_divides(enum eigen_form form, bool left)
{
	return form != (left ? EIGEN_DEFINITE_ABX : EIGEN_DEFINITE_BAX);
}

void eigen_pencil_back(const struct lapack *l, enum eigen_form form, bool left,
                       size_t n, const double *b, double *z, size_t columns)
{
	const int m = (int)n, sides = (int)columns;
	const double one = 1;

	if (eigen_pencil_divides(form, left))
		l->d.trsm("L", "L", "T", "N", &m, &sides, &one, b, &m, z, &m);
	else
		l->d.trmm("L", "L", "N", "N", &m, &sides, &one, b, &m, z, &m);
}
