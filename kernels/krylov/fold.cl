/* fold.cl - the scalars of the Krylov methods, which one work-group computes
 * from the parts of sums that the launch before has written (krylov.h).
 *
 * Sources: C. C. Paige, M. A. Saunders 1975 (MINRES); H. A. van der Vorst 1992
 * (BiCGStab); for CG see scalars.h.
 */
#include "krylov/krylov.h"
#define SPACE global
#include "krylov/scalars.h"

static void begin(FOLDED)
{
	s[K_NORM] = s[K_SHADOW] = sqrt(one);
	s[K_RHO] = two;
	s[K_BETA] = 0;
	s[K_ALPHA] = s[K_OMEGA] = 1;
	s[K_INVERSE] = one > 0 ? two / one : 0;
	if (!(two > 0))
		finish(s, K_NOT_POSITIVE_M, two);
}

/* beta_1 = (r^T z)^1/2 */
static void minres_begin(FOLDED)
{
	begin(s, one, two);
	s[K_BETA] = s[K_PHI_BAR] = sqrt(two);
	s[K_OLD_BETA] = s[K_EPSILON_BAR] = s[K_DBAR] = s[K_SIN] = 0;
	s[K_COS] = -1;
}

/* alpha = v^T A v */
static void minres_alpha(global wide *restrict s, wide one)
{
	s[K_ALPHA] = one;
	if (!isfinite(one))
		finish(s, K_BEYOND, one);
}

/* What |A r| / |r| is negligible beside |A|: rounding keeps it from falling
 * much below the root of epsilon. To remove r, x has to change by at least
 * |r|^2 / |A r|, and rounding that alone leaves epsilon / 2 |A| |r|^2 / |A r|.
 * Where epsilon is large, r also counts as removable as long as this is below
 * the goal: with elements of float32 a small |A r| / |r| may be due to nothing
 * but small eigenvalues. */
static wide negligible(global const wide *s)
{
	const wide least = 1.5e-8, epsilon = s[K_EPSILON];

	return fmax(least, fmin(sqrt(epsilon),
	                        epsilon / 2 * s[K_NORM] / s[K_GOAL]));
}

/* Is |A r| / |r|, which is `root`, negligible beside |A|? x is then nearly a
 * least squares solution, and later iterations would lead away from it.
 *
 * Here A is the operator that is iterated with, M^-1/2 A M^-1/2, whose size the
 * original A does not tell. It is that of the tridiagonal matrix, in the
 * maximum norm (Paige and Saunders take the Frobenius norm, which grows with
 * the iterations). What the Krylov space does not reach does not count. Only if
 * r was rounded from a vector of the null space, A r itself is nothing but
 * rounding errors. They are compared with a bound that is known before. */
static bool is_exhausted(global const wide *s, wide root)
{
	const wide tolerance = negligible(s);

	return root <= tolerance * s[K_SPAN] ||
	       root <= fmin(tolerance, 8 * s[K_EPSILON]) * s[K_SIZE];
}

/* Is u^T M^-1 u = two, where u^T u = one, negative by more than the rounding
 * errors of a positive definite M^-1 of its size? */
static bool is_negative(global const wide *s, wide one, wide two)
{
	return two < -s[K_EPSILON] * one * s[K_INVERSE];
}

/* The next beta, (u^T z)^1/2, the rotation that removes it from the tridiagonal
 * matrix, and the coefficients of the step. */
static void minres_rotate(FOLDED)
{
	const wide alpha = s[K_ALPHA], c = s[K_COS], sn = s[K_SIN];
	const wide beta = sqrt(fmax(two, 0));
	const wide dbar = s[K_DBAR], gbar = sn * dbar - c * alpha;
	const wide gamma = hypot(gbar, beta);
	/* The first beta is no element of the matrix. */
	const wide above = s[K_OLD_BETA] > 0 ? s[K_BETA] : 0;

	if (!isfinite(two)) {
		finish(s, K_BEYOND, two);
		return;
	}
	if (is_negative(s, one, two)) {
		finish(s, K_NOT_POSITIVE_M, two);
		return;
	}
	s[K_SPAN] = fmax(s[K_SPAN], above + fabs(alpha) + beta);
	s[K_INVERSE] = fmax(s[K_INVERSE], one > 0 ? two / one : 0);
	if (!(gamma > 0) || is_exhausted(s, hypot(gbar, c * beta))) {
		finish(s, K_EXHAUSTED, gamma);
		return;
	}
	s[K_OLD_BETA] = s[K_BETA];
	s[K_BETA] = beta;
	s[K_OLD_EPSILON] = s[K_EPSILON_BAR];
	s[K_DELTA] = c * dbar + sn * alpha;
	s[K_EPSILON_BAR] = sn * beta;
	s[K_DBAR] = -c * beta;
	s[K_GAMMA] = gamma;
	s[K_COS] = gbar / gamma;
	s[K_SIN] = beta / gamma;
	s[K_PHI] = s[K_COS] * s[K_PHI_BAR];
	s[K_PHI_BAR] *= s[K_SIN];
	s[K_TO_RESIDUAL] = beta > 0 ? -s[K_PHI_BAR] * s[K_COS] / beta : 0;
}

/* alpha = rho / shadow^T v */
static void bicg_alpha(FOLDED)
{
	const wide bound = s[K_EPSILON] * s[K_SHADOW] * sqrt(one);

	s[K_ALPHA] = s[K_RHO] / two;
	if (!isfinite(one) || !isfinite(two))
		finish(s, K_BEYOND, two);
	else if (!(fabs(two) > bound) || !isfinite(s[K_ALPHA]))
		finish(s, K_BREAKDOWN, two);
}

/* omega = t^T r / t^T t */
static void bicg_omega(FOLDED)
{
	s[K_OMEGA] = one > 0 ? two / one : 0;
	if (!isfinite(one) || !isfinite(two))
		finish(s, K_BEYOND, one);
}

/* beta = (rho / rho before) (alpha / omega) */
static void bicg_beta(FOLDED)
{
	const wide rho = s[K_RHO];

	count(s, one);
	s[K_BETA] = two / rho * (s[K_ALPHA] / s[K_OMEGA]);
	s[K_RHO] = two;
	if (s[K_DONE] == K_GOES_ON &&
	    (fabs(two) <= s[K_EPSILON] * s[K_SHADOW] * s[K_NORM] ||
	     !isfinite(s[K_BETA])))
		finish(s, K_BREAKDOWN, two);
}

/* Adds the parts of one or two sums, each of n numbers, and computes the
 * scalars of the phase. A product that is the only sum, as spmv computes it, is
 * else the second one. Launch: one work-group. */
kernel void krylov_fold(global wide *restrict s, global const wide *part, int n,
                        int sums, int phase)
{
	local wide room[KRYLOV_ITEMS];
	wide one = 0, two = 0;

	/* sum_of_parts() has one caller here and is inlined. Otherwise PoCL 3
	 * would make room[] a static variable, which threads share. */
	for (int k = 0; k < sums; k++) {
		two = sum_of_parts(part, n, k, room);
		one = k == 0 ? two : one;
	}
	if (get_local_id(0) != 0)
		return;
	if (phase == K_PHASE_TRUE) {
		s[K_TRUE] = sqrt(one);
		s[K_LENGTH_X] = sqrt(two);
	}
	if (s[K_DONE] != K_GOES_ON)
		return;
	switch (phase) {
	case K_PHASE_BEGIN: begin(s, one, two); break;
	case K_PHASE_CG_ALPHA: cg_alpha(s, two); break;
	case K_PHASE_CG_BETA: cg_beta(s, one, two); break;
	case K_PHASE_MINRES_BEGIN: minres_begin(s, one, two); break;
	case K_PHASE_MINRES_ALPHA: minres_alpha(s, two); break;
	case K_PHASE_MINRES_ROTATE: minres_rotate(s, one, two); break;
	case K_PHASE_BICG_ALPHA: bicg_alpha(s, one, two); break;
	case K_PHASE_BICG_OMEGA: bicg_omega(s, one, two); break;
	case K_PHASE_BICG_BETA: bicg_beta(s, one, two); break;
	case K_PHASE_COUNT: count(s, one); break;
	}
}
