/* krylov_state.h - what the kernels and the host code of the Krylov methods
 * exchange: indices into a small array of float64, the phases of the methods in
 * which scalars are computed, and sizes. Norms are 2-norms. */
#ifndef KERNELS_SHARED_KRYLOV_STATE_H
#define KERNELS_SHARED_KRYLOV_STATE_H

/* The items of a work-group, where it has more than one, and of one that stays
 * on its multiprocessor for several iterations. */
#define KRYLOV_ITEMS 128
#define KRYLOV_RESIDENT_ITEMS 1024

/* The norms of that many iterations are kept, for the host to read. */
#define KRYLOV_KEPT 128

enum krylov_slot {
	K_DONE,		/* enum krylov_done; not 0: later kernels do nothing */
	K_ITERATIONS,	/* so far */
	K_LIMIT,	/* their largest number */
	K_NORM,		/* |r| as the recurrence has it */
	K_GOAL,		/* small enough if the norm is at most this */
	K_SIZE,		/* the size of the operator that MINRES iterates
			 * with: operator_of() in krylov.c */
	K_SPAN,		/* the largest column of its projection so far */
	K_INVERSE,	/* the largest r^T M^-1 r / r^T r so far */
	K_EPSILON,	/* of the elements */
	K_WITNESS,	/* the number that ended the iteration */
	K_TRUE,		/* |b - A x| when it was last computed */
	K_LENGTH_X,	/* |x|, then */
	K_OVERFLOWS,	/* an element of the answer is not finite */
	K_UNDERFLOWS,	/* an element of the answer is subnormal and rounded */

	/* Scalars, by the letters of the methods' equations. */
	K_ALPHA, K_BETA, K_RHO, K_OMEGA, K_SHADOW,
	K_OLD_BETA, K_OLD_EPSILON, K_DELTA, K_EPSILON_BAR, K_DBAR, K_PHI,
	K_PHI_BAR, K_COS, K_SIN, K_GAMMA, K_TO_RESIDUAL, K_STEP,

	K_HISTORY,	/* the norm after iteration i, at i % KRYLOV_KEPT */
	K_LENGTH = K_HISTORY + KRYLOV_KEPT
};

enum krylov_done {
	K_GOES_ON,
	K_SMALL,		/* the norm is at most the goal */
	K_LIMIT_REACHED,
	K_NOT_POSITIVE,		/* p^T A p is not positive: the witness */
	K_NOT_POSITIVE_M,	/* r^T M^-1 r is not positive: the witness */
	K_BREAKDOWN,		/* a divisor is zero, or nearly so */
	K_EXHAUSTED,		/* the least squares solution is reached, and
				 * its residual is not small */
	K_CYCLE,		/* GMRES: the cycle ends here */
	K_BEYOND		/* a number is not finite */
};

/* In which scalars follow from the sums of the step before. */
enum krylov_phase {
	K_PHASE_BEGIN,		/* |r| and r^T z */
	K_PHASE_TRUE,		/* |b - A x| and |x| */
	K_PHASE_CG_ALPHA, K_PHASE_CG_BETA,
	K_PHASE_MINRES_BEGIN, K_PHASE_MINRES_ALPHA, K_PHASE_MINRES_ROTATE,
	K_PHASE_BICG_ALPHA, K_PHASE_BICG_OMEGA, K_PHASE_BICG_BETA,
	K_PHASE_COUNT		/* |r| of a stationary method */
};

/* GMRES with restart m keeps, in float64: R by columns of m + 1, the rotations'
 * cosines and sines, the right-hand side g, and the coefficients that the
 * vectors are projected with, each m + 1 long. */
#define GMRES_COS(m) ((m) * ((m) + 1))
#define GMRES_SIN(m) (GMRES_COS(m) + (m) + 1)
#define GMRES_SIDE(m) (GMRES_SIN(m) + (m) + 1)
#define GMRES_NEW(m) (GMRES_SIDE(m) + (m) + 1)
#define GMRES_LENGTH(m) (GMRES_NEW(m) + (m) + 1)

#endif
