/* blocked.h - P A = L U on a CPU, left in T as kernels/lu/cpu.h lays it
 * out, for lu and solve: right-hand sides beside A come out as L^-1 P B. */
#ifndef OPS_LU_BLOCKED_H
#define OPS_LU_BLOCKED_H

#include "ops/lu/factor.h"

/* One matrix on its way. */
struct blocked {
	struct seq *s;
	const struct factors *f;	/* lu is not used */
	size_t which;			/* of the stack */
	size_t vw, nb;			/* columns: vector, panel */
	size_t pivots, panels;
	size_t ld;			/* rows of a block of T */
	size_t own, added;		/* blocks: A's, the right-hand sides' */
	struct buf t, state;
};

/* Room for one matrix and so many right-hand sides; pivots and the stack are
 * not empty. */
struct blocked blocked_of(struct seq *s, const struct factors *f,
                          size_t sides);

/* What that takes; the geometry alone. */
struct blocked blocked_need(struct need *n, const struct factors *f,
                            size_t sides, enum dtype t);

/* Rows of a block of T for so many of a matrix. */
size_t blocked_rows(size_t rows);

/* Before another matrix is factored. T = A[which], and the blocks added, are
 * the caller's to fill, as kernels/lu/cpu/lu.cl does it. */
void blocked_begin(struct blocked *b);

/* T = L, U and L^-1 P B. Waits now and then. */
void blocked_factor(struct blocked *b);

#endif
