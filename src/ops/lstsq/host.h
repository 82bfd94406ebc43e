/* host.h - what the files of lstsq's variant `host` share. */
#ifndef OPS_LSTSQ_HOST_H
#define OPS_LSTSQ_HOST_H

#include "matrix/matrix.h"
#include "ops/lapack/lapack.h"

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
	LSTSQ_UNPROVED,			/* the rank may be less than k */
	LSTSQ_INACCURATE		/* the matrix is too ill-conditioned, or
					 * its scale too large or small */
};

/* host_normal.c: solves one system by the normal equations if A is proved to
 * have full rank, and sets x, the rank, `first` and `next`. `room` has
 * lstsq_normal_room() float64 numbers. */
enum lstsq_outcome lstsq_by_normal(const struct lapack *l,
                                   const struct lstsq_plan *h,
                                   struct lstsq_system *y, double *room);
size_t lstsq_normal_room(const struct lstsq_plan *h);

/* host_qr.c: the same for float64 systems by the QR factorization, for which no
 * matrix is too ill-conditioned. `room` has lstsq_qr_room() numbers. */
enum lstsq_outcome lstsq_by_qr(const struct lapack *l,
                               const struct lstsq_plan *h,
                               struct lstsq_system *y, double *room);
size_t lstsq_qr_room(const struct lapack *l, const struct lstsq_plan *h);

/* triangle.c: an n x n triangle, column-major, and whether it is proved that
 * its condition number is less than `most` (extremes.h). `room` has
 * LSTSQ_TRIANGLE_ROOM(n) numbers. */
struct lstsq_triangle {
	const struct lapack *l;
	char uplo;			/* 'U' for G = U^T U, 'L' for G =
					 * L L^T */
	size_t n, ld;
	const double *x;
};

#define LSTSQ_TRIANGLE_ROOM(n) (2 * EXTREMES_VECTORS * (n))

bool lstsq_triangle_proves(const struct lstsq_triangle *t, const double *start,
                           double *room, double largest, double most,
                           double *first);

/* v = G v or, if `inverse`, G^-1 v, for `columns` columns of n numbers. */
void lstsq_triangle_apply(const struct lstsq_triangle *t, bool inverse,
                          double *v, size_t columns);

#endif
