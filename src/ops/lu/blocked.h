/* blocked.h - P A = L U on a CPU, left in T as kernels/lu/cpu.h lays it
 * out, for lu and solve: right-hand sides beside A come out as L^-1 P B. */
#ifndef OPS_LU_BLOCKED_H
#define OPS_LU_BLOCKED_H

#include "ops/lu/factor.h"

/* The factorization of one matrix of the stack. */
struct blocked {
	struct seq *s;
	const struct factors *f;	/* lu is not used */
	size_t which;			/* matrix of the stack */
	size_t vw, nb;			/* columns: vector, panel */
	size_t pivots, panels;
	size_t ld;			/* rows of a block of T */
	size_t own, added;		/* blocks: A's, the right-hand sides' */
	struct buf t, state;
};

/* Allocates T for one matrix and so many right-hand sides. Neither the stack
 * nor its matrices are empty. */
struct blocked blocked_of(struct seq *s, const struct factors *f,
                          size_t sides);

/* Counts the memory that blocked_of() would take; the result has no buffers. */
struct blocked blocked_need(struct need *n, const struct factors *f,
                            size_t sides, enum dtype t);

/* Rows of a block of T for a matrix of so many rows, with padding. */
size_t blocked_rows(size_t rows);

/* To be called before each matrix. The caller then fills T with A[which] and
 * the added blocks with right-hand sides, as lu_load in kernels/lu/cpu/lu.cl
 * does. */
void blocked_begin(struct blocked *b);

/* T = L, U and L^-1 P B. Waits for the device once in each SPAN_FLOPS. */
void blocked_factor(struct blocked *b);

#endif
