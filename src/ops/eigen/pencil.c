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
 *
 * If B is ill-conditioned, the residuals depend on the order of its rows: they
 * are small if the diagonal of L does not increase (Davies, Higham and Tisseur
 * 2001), and if C's large elements, where it is symmetric, stand last, because
 * the reduction to tridiagonal form begins with the last row. So rows and
 * columns of A and B are sorted by B's diagonal, and those of L^T A L, whose
 * large elements come first then, are reversed.
 *
 * L^-1 A L^-T of an A that is not symmetric has no such order: rounding errors
 * are those of its largest elements. If B is ill-conditioned, the QZ algorithm
 * takes the pair as it is. See pencil.h. */
#include <stdlib.h>

#include "ops/eigen/pencil.h"
#include "ops/lapack/stack.h"

int eigen_pencil_init(struct eigen_pencil *p)
{
	p->rows = (struct arrange){
		.n = p->n, .bytes = sizeof *p->a,
		.order = malloc(p->n * sizeof *p->rows.order),
		.room = malloc(p->n * sizeof *p->a),
	};
	return p->rows.order && p->rows.room ? 0 : -1;
}

void eigen_pencil_fini(struct eigen_pencil *p)
{
	free(p->rows.order);
	free(p->rows.room);
}

void eigen_make_symmetric(double *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++) {
			const double x = (a[j * n + i] + a[i * n + j]) / 2;

			a[j * n + i] = a[i * n + j] = x;
		}
}

static bool is_reversed(const struct eigen_pencil *p)
{
	return p->symmetric && p->form != EIGEN_DEFINITE;
}

int eigen_pencil_reduce(const struct eigen_pencil *p, bool sorted)
{
	const int n = (int)p->n;
	const double one = 1;
	int minor;

	arrange_find(&p->rows, sorted ? p->b : NULL);
	arrange_apply(&p->rows, p->b);
	arrange_apply(&p->rows, p->a);
	minor = p->l->d.potrf(LAPACK_COLUMNS, 'L', n, p->b, n);
	if (minor > 0)
		return minor;
	/* After the first pass, A holds (L^-1 A)^T or (L^T A)^T; the second
	 * pass does the same to that. */
	for (int side = 0; side < 2; side++) {
		if (p->form == EIGEN_DEFINITE)
			p->l->d.trsm("L", "L", "N", "N", &n, &n, &one, p->b,
			             &n, p->a, &n);
		else
			p->l->d.trmm("L", "L", "T", "N", &n, &n, &one, p->b,
			             &n, p->a, &n);
		lapack_transpose_square(p->a, p->n, sizeof *p->a);
	}
	if (p->symmetric)
		eigen_make_symmetric(p->a, p->n);
	if (is_reversed(p))
		arrange_reverse(&p->rows, p->a, p->n * p->n);
	return 0;
}

bool eigen_pencil_needs_qz(const struct eigen_pencil *p)
{
	return !p->symmetric && p->form == EIGEN_DEFINITE &&
	       arrange_is_ill(&p->rows, p->b);
}

bool eigen_pencil_divides(enum eigen_form form, bool left)
{
	return form != (left ? EIGEN_DEFINITE_ABX : EIGEN_DEFINITE_BAX);
}

void eigen_pencil_back(const struct eigen_pencil *p, bool left, double *z,
                       size_t columns)
{
	const int n = (int)p->n, sides = (int)columns;
	const double one = 1;

	for (size_t j = 0; j < columns && is_reversed(p); j++)
		arrange_reverse(&p->rows, z + j * p->n, p->n);
	if (eigen_pencil_divides(p->form, left))
		p->l->d.trsm("L", "L", "T", "N", &n, &sides, &one, p->b, &n,
		             z, &n);
	else
		p->l->d.trmm("L", "L", "N", "N", &n, &sides, &one, p->b, &n,
		             z, &n);
	arrange_undo(&p->rows, z, columns);
}
