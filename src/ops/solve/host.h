/* host.h - what host.c, host_real.h and factor.c share: a matrix of known
 * structure as one or two triangles, by which products and solutions with it
 * are computed. */
#ifndef OPS_SOLVE_HOST_H
#define OPS_SOLVE_HOST_H

#include "ops/lapack/stack.h"
#include "ops/solve/structure.h"

/* What a triangle has on its diagonal: the elements as they are, ones, or
 * zeros. */
enum diagonal { READ, ONES, ZEROS };

/* What is within this power of two of the ends of its type's range is
 * scaled. */
enum { SOLVE_MARGIN = 32 };

/* One of A's matrices. */
struct prepared {
	enum solve_kind kind;
	size_t n;
	bool turned;			/* systems with A^T are solved */
	const void *t;			/* the triangle or triangles */
	void *own;			/* KIND_SPD: L. KIND_SYMMETRIC: L and
					 * D's diagonal, followed by the n
					 * numbers beside that. Freed */
	int exponent;			/* KIND_SPD, KIND_SYMMETRIC: the factors
					 * are those of 2^-exponent A */
	int32_t *swaps;			/* KIND_FACTORS: row i is swapped
					 * with row swaps[i]. KIND_SYMMETRIC:
					 * sytrs_3's pivots. Freed */
	long double norm;		/* 1-norm of op(A) */
	double rcond;			/* in that norm */
};

/* factor.c: factors a symmetric matrix into p->own; checks that the diagonal of
 * a triangle, or of factors that the client gave, has no zero. Returns
 * ERR_NOT_POSITIVE with the order of the leading minor that is not positive,
 * ERR_SINGULAR with the index of D's zero block or of the diagonal's first
 * zero, ERR_MEMORY, or ERR_NONE. */
struct failure_detail solve_factor(const struct lapack *l, enum dtype t,
                                   struct prepared *p);

/* The call on the host. */
struct host_solve {
	enum solve_kind kind;
	struct prepared *matrix;	/* the matrices of A's stack */
	struct failure_detail *why;	/* why each matrix has failed */
	struct host_look *look;		/* at each system */
};

/* How accurate a system's solution is. */
struct host_look {
	double ratio;			/* |b - A x| / (|A| |x|), 1-norms */
	double forward;			/* bound on |x - x_true| / |x| */
	int steps;			/* of refinement */
	bool overflown;			/* x has NaN or infinity */
};

#endif
