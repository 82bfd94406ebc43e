/* host.h - what host.c and host_real.h share: a matrix of known structure as
 * triangles, with which it is multiplied and its systems are solved. */
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
	void *own;			/* Cholesky's factor; freed */
	int32_t *swaps;			/* FACTORS: row i and swaps[i]; freed */
	double norm, rcond;		/* 1-norms of op(A) */
};

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
