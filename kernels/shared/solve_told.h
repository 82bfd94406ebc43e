/* solve_told.h - what solve's kernels and host code exchange. Included by C and
 * by OpenCL C.
 *
 * The accuracy of an answer is estimated by probes: additional right-hand sides
 * that are solved beside B's own, in three turns (N. Higham, F. Tisseur, A
 * block algorithm for matrix 1-norm estimation, 2000; e_i is a column of the
 * identity):
 *
 *     Y = A^-1 s (+-1)            two columns of fixed signs, with x = A^-1 B
 *     Z = A^-T s sign(Y)          and G = A^-T s e_i, where row i of Y has its
 *                                 largest element
 *     s A^-1 e_j, A^-1 W sign(G)  with the first refinement; column j of A^-T
 *                                 is where Z has its largest element
 *
 * The largest of |Y e_k|_1 / n, |Z| and |s A^-1 e_j|_1 is nearly s |A^-1| in
 * the 1-norm. The norm of |A^-1| W, where W is the vector by which LAPACK's
 * xGERFS bounds the forward error, is nearly row i of |A^-1| W, which is |G|^T
 * W / s, or the largest element of A^-1 W sign(G).
 *
 * s is a power of two near the square root of |A|, and W is kept multiplied by
 * s / |A|, so that the solutions are about |A|^-1/2 and their products with
 * elements of A about |A|^1/2, times at most the condition: for every |A|
 * neither overflows nor underflows unless the condition is large. */
#ifndef KERNELS_SHARED_SOLVE_TOLD_H
#define KERNELS_SHARED_SOLVE_TOLD_H

#define SOLVE_PROBES 2		/* columns of Y */
#define SOLVE_TURNED 4		/* columns of each of the other two turns */

/* For a matrix with all its systems, an array of `wide` (lu.h). The arrays of
 * all of a's matrices are followed by a number for each of b's: not 0 if that
 * contains NaN or infinity. */
enum solve_told {
	TOLD_NONFINITE,	/* not 0: A holds a NaN or an infinity */
	TOLD_COLUMN,	/* the first column with a zero pivot, or -1 */
	TOLD_NORM,	/* |A|, the 1-norm */
	TOLD_CONDITION,	/* |A| |A^-1|, estimated */
	TOLD_RESIDUAL,	/* the largest |b - A x| / (|A| |x|), 1-norms */
	TOLD_POWER,	/* the largest element of A^-1 W sign(G), for the
			 * multiplied W */
	TOLD_FORWARD,	/* the largest forward error, estimated */
	TOLD_STEPS,	/* of refinement, the most of any column */
	TOLD_STALLED,	/* columns that stopped at a large backward error */
	TOLD_ACTIVE,	/* columns that are to be refined further */
	TOLD_BACK,	/* columns whose last step is to be undone */
	TOLD_PROBES,	/* work-groups' results for the probes, two each: |Y|_1
			 * by columns, over n; max |Z|; |s A^-1 e_j|_1; the
			 * largest elements of A^-1 W sign(G) */
	TOLD_LENGTH = TOLD_PROBES + 2 * SOLVE_TURNED
};

/* For a column of right-hand sides, also `wide`. */
enum solve_column {
	COLUMN_BACKWARD,	/* max |b - A x|_i / (|A| |x| + |b|)_i */
	COLUMN_RATIO,		/* |b - A x|_1 / |x|_1 */
	COLUMN_MAX,		/* max |x_i| */
	COLUMN_SUM,		/* |x|_1 */
	COLUMN_STATE,		/* enum solve_state */
	COLUMN_STEPS,		/* of refinement, without undone ones */
	COLUMN_LENGTH
};

enum solve_state {
	STATE_ACTIVE,		/* another step follows */
	STATE_BACK,		/* the last step is to be undone */
	STATE_DONE
};

/* The largest number of steps of refinement. */
#define SOLVE_STEPS 10

/* Returns +1 or -1 for row i of probe c, the same every time (the finalizer of
 * Appleby's MurmurHash3). */
static inline int solve_sign(int i, int c)
{
	unsigned h = (unsigned)i * SOLVE_PROBES + (unsigned)c + 1;

	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return (h ^ h >> 16) & 1 ? 1 : -1;
}

#endif
