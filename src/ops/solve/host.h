/* host.h - what host.c, host_real.h and factor.c share: a matrix of known
 * structure as triangles, with which it is multiplied and its systems are
 * solved. */
#ifndef OPS_SOLVE_HOST_H
#define OPS_SOLVE_HOST_H

#include "ops/lapack/stack.h"
#include "ops/solve/structure.h"

/* How a triangle's diagonal counts. */
enum diagonal { READ, ONES, ZEROS };

/* One of A's matrices. */
struct prepared {
	enum solve_kind kind;
	size_t n;
	bool turned;			/* A^T is what is solved with */
	const void *t;			/* the triangle or triangles */
	void *own;			/* SPD: L; SYMMETRIC: L and the diagonal
					 * of D, then n numbers of what is
					 * beside that; freed */
	int32_t *swaps;			/* FACTORS: row i and swaps[i];
					 * SYMMETRIC: sytrs_3's; freed */
	double norm, rcond;		/* 1-norms of op(A) */
};

/* factor.c: factors a symmetric matrix into p->own. ERR_NOT_POSITIVE and
 * ERR_SINGULAR tell where; triangles, and factors that were given, are singular
 * where the diagonal has a zero. */
struct failure_detail solve_factor(const struct lapack *l, enum dtype t,
                                   struct prepared *p);

/* The call on the host. */
struct host_solve {
	enum solve_kind kind;
	struct prepared *matrix;	/* of A's stack */
	struct failure_detail *why;	/* likewise */
	struct host_look *look;		/* of every system */
};

/* What a system's solution is worth. */
struct host_look {
	double ratio;			/* |b - A x| / (|A| |x|), 1-norms */
	double forward;			/* bound on |x - x_true| / |x| */
	int steps;			/* of refinement */
};

#endif
