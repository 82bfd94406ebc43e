/* jacobi_state.h - what jacobi's kernels and host code exchange: indices into a
 * small array of float64. Norms are 2-norms. */
#ifndef KERNELS_SHARED_JACOBI_STATE_H
#define KERNELS_SHARED_JACOBI_STATE_H

enum jacobi_state {
	STATE_DONE,	/* enum jacobi_done; not 0: later rounds do nothing */
	STATE_ROUNDS,	/* updates of x so far */
	STATE_NORM,	/* |b - A x| of the last round that computed it */
	STATE_GOAL,	/* converged if the norm is at most this */
	STATE_LIMIT,	/* diverged if it is more: float64's largest number */
	STATE_OVERFLOWS,	/* an element of the answer is not finite */
	STATE_UNDERFLOWS,	/* one is subnormal and rounded */
	STATE_LENGTH
};

enum jacobi_done { DONE_NOT, DONE_CONVERGED, DONE_DIVERGED };

#define JACOBI_GROUP 128	/* items of a work-group, rows of a block */

#endif
