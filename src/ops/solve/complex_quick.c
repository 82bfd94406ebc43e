/* complex_quick.c - see complex_quick.h. */
#include <complex.h>
#include <float.h>
#include <string.h>

#include "base/size.h"
#include "ops/solve/complex_quick.h"

/* Matrices that gain from it have that many rows, and that many for each
 * right-hand side: each step of refinement costs a product with A, and there
 * are more of them. */
enum { SMALLEST = 256, ROWS_PER_SIDE = 24 };

/* Copies a general A, or the lower triangle of one whose rows y->a has, to `to`
 * in column-major order, or A as it lies if that is its order already. `strip`
 * has room for COMPLEX_NARROW of its rows. */
static void begin(const struct complex_plan *h, const struct complex_system *y,
                  cplx_c *strip, cplx_c *to, size_t ld)
{
	const bool by_rows = h->kind == KIND_GENERAL || y->half;
	const size_t n = h->n;

	for (size_t i = 0; i < n; i += COMPLEX_NARROW) {
		const size_t rows = size_min(COMPLEX_NARROW, n - i);

		for (size_t k = 0; k < rows; k++)
			complex_narrow(y->a + (i + k) * n,
			               y->half ? i + rows : n, strip + k * n);
		if (by_rows)
			lapack_transpose(strip, n, rows, y->half ? i + rows : n,
			                 sizeof *to, to + i, ld);
		else
			lapack_copy(strip, n, n, rows, sizeof *to, to + i * ld,
			            ld);
	}
	complex_clear_ends_c(to, n, n, ld);
}

/* Has the Cholesky factor a pivot so small beside A's diagonal element that it
 * may consist of rounding errors? */
static bool is_doubtful(const struct complex_system *y, size_t n,
                        const cplx_c *lower, size_t ld)
{
	for (size_t i = 0; i < n; i++) {
		const double root = crealf(lower[i * (ld + 1)]);

		if (!(root * root > creal(y->a[i * (n + 1)]) * (double)n *
		                    FLT_EPSILON))
			return true;
	}
	return false;
}

bool complex_factor_quickly(const struct lapack_call *c,
                            const struct complex_system *y,
                            struct complex_quick *q)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n, ld = complex_ld(n, sizeof(cplx_c));
	cplx_c *const lu = (cplx_c *)y->lu;	/* its second half has room for
						 * `narrow` */

	*q = (struct complex_quick){
		.solver = { .l = c->l, .n = n, .cholesky = h->kind == KIND_SPD,
		            .quick = &q->factors, .narrow = lu + n * ld },
		.factors = { .l = c->l, .n = n,
		             .cholesky = h->kind == KIND_SPD, .lu = lu,
		             .ld = ld, .pivots = y->pivots },
	};
	if (n < SMALLEST || n < ROWS_PER_SIDE * h->sides ||
	    !complex_is_moderate(y->norm))
		return false;
	begin(h, y, q->solver.narrow, lu, ld);
	if (h->kind == KIND_SPD)
		return complex_cholesky_c(c->l, 'L', lu, n, ld) == 0 &&
		       !is_doubtful(y, n, lu, ld);
	return complex_factor_c(c->l, n, n, lu, ld, y->norm, y->pivots) &&
	       !complex_is_doubtful(lu, n, ld);
}
