/* scalars.h - the end of an iteration, and the scalars of conjugate gradients
 * (M. R. Hestenes, E. Stiefel 1952). The state, indexed by enum krylov_slot, is
 * in the address space SPACE, which the includer defines. Included by kernels
 * only. */
#ifndef KERNELS_KRYLOV_SCALARS_H
#define KERNELS_KRYLOV_SCALARS_H

#include "krylov/krylov.h"

#define FOLDED SPACE wide *restrict s, wide one, wide two

static void finish(SPACE wide *s, int why, wide witness)
{
	s[K_DONE] = why;
	s[K_WITNESS] = witness;
}

/* Ends an iteration that found |r|^2 = square, and the method if that is small
 * enough, or the last. */
static void count(SPACE wide *s, wide square)
{
	const wide norm = sqrt(square), iterations = s[K_ITERATIONS] + 1;

	s[K_ITERATIONS] = iterations;
	s[K_NORM] = norm;
	s[K_HISTORY + (int)iterations % KRYLOV_KEPT] = norm;
	if (norm <= s[K_GOAL])
		finish(s, K_SMALL, norm);
	else if (!isfinite(norm))
		finish(s, K_BEYOND, norm);
	else if (iterations >= s[K_LIMIT])
		finish(s, K_LIMIT_REACHED, norm);
}

/* alpha = r^T z / p^T q */
static void cg_alpha(SPACE wide *s, wide one)
{
	s[K_ALPHA] = s[K_RHO] / one;
	if (!isfinite(one))
		finish(s, K_BEYOND, one);
	else if (!(one > 0))
		finish(s, K_NOT_POSITIVE, one);
	else if (!isfinite(s[K_ALPHA]))
		finish(s, K_BREAKDOWN, one);
}

/* beta = r^T z / (r^T z before) */
static void cg_beta(FOLDED)
{
	count(s, one);
	s[K_BETA] = two / s[K_RHO];
	s[K_RHO] = two;
	if (s[K_DONE] == K_GOES_ON && !(two > 0))
		finish(s, K_NOT_POSITIVE_M, two);
}

#endif
