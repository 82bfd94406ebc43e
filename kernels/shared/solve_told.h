/* solve_told.h - what the kernels of solve and their host code leave for each
 * other. Included by C and by OpenCL C.
 *
 * How far an answer is to be trusted is found out by probes: right-hand sides
 * that are solved beside B's own, in three turns (N. Higham, F. Tisseur, A
 * block algorithm for matrix 1-norm estimation, 2000; s is a power of two near
 * |A|, so that nothing overflows, e_i a column of the identity):
 *
 *     Y = A^-1 s (+-1)            two columns of fixed signs, with x = A^-1 B
 *     Z = A^-T s sign(Y)          and G = A^-T s e_i, where row i of Y has its
 *                                 largest element
 *     s A^-1 e_j, A^-1 W sign(G)  with the first refinement; column j of A^-T
 *                                 is where Z has its largest element
 *
 * The largest of |Y e_k|_1 / n, |Z| and |s A^-1 e_j|_1 is nearly s |A^-1| in
 * the 1-norm. Row i of |A^-1| W, which is |G|^T W / s, or the largest element
 * of A^-1 W sign(G), is nearly the norm of |A^-1| W, for the vector W that
 * LAPACK's xGERFS bounds the forward error with.
 */
#ifndef KERNELS_SHARED_SOLVE_TOLD_H
#define KERNELS_SHARED_SOLVE_TOLD_H

#define SOLVE_PROBES 2		/* columns of Y */
#define SOLVE_TURNED 4		/* and of the other two turns */

/* Of a matrix and all its systems, an array of `wide` (lu.h). Those of all
 * matrices of a's stack are followed by a number for each matrix of b's: not 0
 * if it holds a NaN or an infinity. */
enum solve_told {
	TOLD_NONFINITE,	/* not 0: A holds a NaN or an infinity */
	TOLD_COLUMN,	/* the first one with a zero pivot, or -1 */
	TOLD_NORM,	/* |A|, the 1-norm */
	TOLD_CONDITION,	/* |A| |A^-1|, estimated */
	TOLD_RESIDUAL,	/* the largest |b - A x| / (|A| |x|), 1-norms */
	TOLD_POWER,	/* the largest element of A^-1 W sign(G) */
	TOLD_FORWARD,	/* the largest forward error, estimated */
	TOLD_STEPS,	/* of refinement, the most of any column */
	TOLD_STALLED,	/* columns that stopped at a large backward error */
	TOLD_ACTIVE,	/* columns that are to be refined further */
	TOLD_BACK,	/* columns whose last step is to be undone */
	TOLD_PROBES,	/* where work-groups go side by side, two each: |Y|_1
			 * by columns, over n; max |Z|; |s A^-1 e_j|_1; the
			 * largest elements of A^-1 W sign(G) */
	TOLD_LENGTH = TOLD_PROBES + 2 * SOLVE_TURNED
};

/* Of a column of right-hand sides, `wide` too. */
enum solve_column {
	COLUMN_BACKWARD,	/* max |b - A x|_i / (|A| |x| + |b|)_i */
	COLUMN_RATIO,		/* |b - A x|_1 / |x|_1 */
	COLUMN_MAX,		/* max |x_i| */
	COLUMN_SUM,		/* |x|_1 */
	COLUMN_STATE,		/* enum solve_state */
	COLUMN_STEPS,		/* of refinement that were kept */
	COLUMN_LENGTH
};

enum solve_state {
	STATE_ACTIVE,		/* one more step */
	STATE_BACK,		/* the last step is to be undone */
	STATE_DONE
};

/* Steps of refinement, at most. */
#define SOLVE_STEPS 10

#endif
