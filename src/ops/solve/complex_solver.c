/* complex_solver.c - see complex_solver.h. */
#include <complex.h>
#include <math.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/solve/complex_solver.h"

/* Multiplies x by a power of two that brings its largest element near 1, and
 * stores it in complex64. Returns the inverse of the power of two. */
static double narrow(const cplx *x, size_t n, cplx_c *to)
{
	const double most = complex_largest_part(x, n);
	const double up = most > 0 && isfinite(most) ?
	                  ldexp(1, -ilogb(most) < 1000 ? -ilogb(most) : 1000) :
	                  1;

	for (size_t i = 0; i < n; i++)
		to[i] = (cplx_c)(up * x[i]);
	return 1 / up;
}

/* complex_invert() by factors in complex64. */
static void invert_quickly(const struct complex_solver *s, char trans,
                           size_t sides, cplx *x)
{
	const size_t n = s->n;
	double back[COMPLEX_NARROW];
	size_t some;

	for (size_t j = 0; j < sides; j += some, x += n * some) {
		some = size_min(COMPLEX_NARROW, sides - j);
		for (size_t k = 0; k < some; k++)
			back[k] = narrow(x + k * n, n, s->narrow + k * n);
		complex_invert_c(s->quick, trans, some, s->narrow);
		for (size_t k = 0; k < some; k++)
			for (size_t i = 0; i < n; i++)
				x[k * n + i] = back[k] *
				               (cplx)s->narrow[k * n + i];
	}
}

static void invert_quickly_c(const struct complex_solver_c *s, char trans,
                             size_t sides, cplx_c *x)
{
	(void)s, (void)trans, (void)sides, (void)x;
}

#define LAPACK_BODY "ops/solve/complex_solver_body.h"
#include "ops/lapack/each_complex.h"
