/* host.h - what the files of lstsq's variant `host` share. */
#ifndef OPS_LSTSQ_HOST_H
#define OPS_LSTSQ_HOST_H

#include "matrix/matrix.h"
#include "ops/lapack/lapack.h"
#include "ops/lstsq/extremes.h"

/* What all systems of a call have in common. */
struct lstsq_plan {
	size_t m, n, k, sides;		/* k = min(m, n) */
	size_t columns;			/* LAPACK's NRHS: max(sides, 1) */
	enum dtype dtype;
	double rcond;
	size_t work;			/* elements of LAPACK's workspace */
	size_t integers;		/* bytes of its integer workspace */
	double *start;			/* for extremes.h; NULL if the singular
					 * values are wanted */
};

/* The matrices of one system, and its results. */
struct lstsq_system {
	const void *a, *b;		/* the operands' elements, row-major */
	void *x;			/* row-major, n x sides; NULL if not
					 * wanted */
	int rank, info;
	double first, next;		/* s_1, of which `first` may be a lower
					 * bound if the rank is k; and
					 * s_(rank + 1) or 0 */
};

/* Why there is no solution without the singular values. */
enum lstsq_outcome {
	LSTSQ_SOLVED,
	LSTSQ_UNPROVED,			/* the rank is not proved */
	LSTSQ_INACCURATE		/* the matrix is too ill-conditioned, or
					 * its scale too large or small */
};

/* host_normal.c: solves one system by the normal equations if the rank of A is
 * proved, and sets x, the rank, `first` and `next`. `room` has
 * lstsq_normal_room() float64 numbers. */
enum lstsq_outcome lstsq_by_normal(const struct lapack *l,
                                   const struct lstsq_plan *h,
                                   struct lstsq_system *y, double *room);
size_t lstsq_normal_room(const struct lstsq_plan *h);

/* host_qr.c: the same for float64 systems of full rank by the QR factorization,
 * for which no matrix is too ill-conditioned. `room` has lstsq_qr_room()
 * numbers. */
enum lstsq_outcome lstsq_by_qr(const struct lapack *l,
                               const struct lstsq_plan *h,
                               struct lstsq_system *y, double *room);
size_t lstsq_qr_room(const struct lapack *l, const struct lstsq_plan *h);

/* triangle.c: an n x n triangle U or L, column-major, of G = U^T U ('U') or
 * L L^T ('L'). */
struct lstsq_triangle {
	const struct lapack *l;
	char uplo;
	size_t n, ld;
	const double *x;
};

/* v = G v or, if `inverse`, G^-1 v, for `columns` columns of n numbers. */
void lstsq_triangle_apply(const struct lstsq_triangle *t, bool inverse,
                          double *v, size_t columns);

/* Finds the rank from the triangle by extremes_find(). The caller has set
 * e->above, e->below, e->accurate and e->largest. `room` is scratch memory for
 * EXTREMES_ROOM(n) numbers. */
bool lstsq_triangle_rank(const struct lstsq_triangle *t,
                         const struct lstsq_plan *h, struct extremes e,
                         double *room, struct extremes_found *f);

#endif
