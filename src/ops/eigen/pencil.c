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
 * If z has unit 2-norm, x^H B x is 1 where x = L^-T z, and x^H B^-1 x where
 * x = L z; the same holds for y and w. See many.h. */
#include <math.h>

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

double eigen_pencil_length(enum eigen_form form, bool left, int power)
{
	return exp2((eigen_pencil_divides(form, left) ? -power : power) / 2.0);
}

void eigen_pencil_back(const struct lapack *l, const struct eigen_factor *f,
                       bool left, double *z, size_t columns)
{
	const int m = (int)f->n, sides = (int)columns;
	const double length = eigen_pencil_length(f->form, left, f->power);

	if (eigen_pencil_divides(f->form, left))
		l->d.trsm("L", "L", "T", "N", &m, &sides, &length, f->l, &m, z,
		          &m);
	else
		l->d.trmm("L", "L", "N", "N", &m, &sides, &length, f->l, &m, z,
		          &m);
}
