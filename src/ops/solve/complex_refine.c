/* complex_refine.c - see complex_refine.h. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/solve/complex_refine.h"

enum { WIDTH = 32, STEPS = 5 };

enum { BLOCK = 32 };		/* columns of A that are widened at a time */

/* Elements for X and a block of A's columns in complex128. */
static size_t wide_room(size_t n, size_t sides)
{
	return n * (size_min(sides, WIDTH) + BLOCK);
}

size_t complex_refine_room(size_t n, size_t sides)
{
	return n * size_min(sides, WIDTH) *
	       (2 * sizeof(cplx) + 2 * sizeof(double)) +
	       wide_room(n, sides) * sizeof(cplx);
}

static void widen(const cplx *from, size_t n, cplx *to)
{
	memcpy(to, from, n * sizeof *to);
}

/* The lanes let the compiler use vector instructions. */
static void widen_c(const cplx_c *from, size_t n, cplx *to)
{
	enum { LANES = 4 };
	const float *const part = (const float *)from;
	double *const wide = (double *)to;
	size_t i = 0;

	for (; i + LANES <= 2 * n; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			wide[i + k] = part[i + k];
	for (; i < 2 * n; i++)
		wide[i] = part[i];
}

/* C -= op(A) X for an m x k matrix op(A), whose arrays have columns of `lda`
 * elements; those of X and C have ld. OpenBLAS's products copy A even for a
 * single column of X. */
static void subtract_product(const char *trans, size_t m, size_t width,
                             size_t k, const cplx *a, size_t lda,
                             const cplx *x, cplx *c, size_t ld)
{
	const int rows = (int)m, sides = (int)width, inner_size = (int)k;
	const int of_a = (int)lda, of_x = (int)ld, step = 1;
	const bool turned = *trans != 'N';
	const cplx one = 1, minus = -1;

	if (m == 0 || k == 0)
		return;
	if (width == 1)
		zgemv_(trans, turned ? &inner_size : &rows,
		       turned ? &rows : &inner_size, &minus, a, &of_a, x,
		       &step, &one, c, &step);
	else
		zgemm_(trans, "N", &rows, &sides, &inner_size, &minus, a,
		       &of_a, x, &of_x, &one, c, &of_x);
}

/* C -= A X for a hermitian m x m matrix, of its upper triangle. */
static void subtract_hermitian(size_t m, size_t width, const cplx *a,
                               size_t lda, const cplx *x, cplx *c, size_t ld)
{
	const int rows = (int)m, sides = (int)width, step = 1;
	const int of_a = (int)lda, of_x = (int)ld;
	const cplx one = 1, minus = -1;

	if (width == 1)
		zhemv_("U", &rows, &minus, a, &of_a, x, &step, &one, c, &step);
	else
		zhemm_("L", "U", &rows, &sides, &minus, a, &of_a, x, &of_x,
		       &one, c, &of_x);
}

static void conjugate(cplx *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = conj(x[i]);
}

/* rest -= op(A) X. In complex64 the products are those of complex128, for which
 * A is widened by blocks that stay in the cache: so the residual tells the
 * error of X also where that is smaller than a residual's rounding errors. */
static void subtract(const struct complex_refinement *q, const cplx *x,
                     size_t width, cplx *rest, cplx *room)
{
	const size_t n = q->n;

	if (!q->half) {
		subtract_product(q->across ? "T" : "N", n, width, n, q->a, n,
		                 x, rest, n);
		return;
	}
	memcpy(room, x, n * width * sizeof *x);
	conjugate(room, n * width);
	conjugate(rest, n * width);
	subtract_hermitian(n, width, q->a, n, room, rest, n);
	conjugate(rest, n * width);
}

/* rest -= A X for the hermitian A of which q->a is a triangle: of each block of
 * columns the part above the diagonal, its conjugate transpose, and the block
 * on the diagonal. */
static void subtract_half(const struct complex_refinement_c *q, cplx *wide,
                          size_t width, cplx *rest, cplx *block)
{
	const size_t n = q->n;

	for (size_t j = 0; j < n; j += BLOCK) {
		const size_t some = size_min(BLOCK, n - j), ld = j + some;

		for (size_t i = 0; i < some; i++)
			widen_c(q->a + (j + i) * n, j + i + 1, block + i * ld);
		subtract_product("N", j, width, some, block, ld, wide + j,
		                 rest, n);
		subtract_product("C", some, width, j, block, ld, wide,
		                 rest + j, n);
		subtract_hermitian(some, width, block + j, ld, wide + j,
		                   rest + j, n);
	}
}

static void subtract_c(const struct complex_refinement_c *q, const cplx_c *x,
                       size_t width, cplx *rest, cplx *room)
{
	const size_t n = q->n;
	cplx *const wide = room, *const block = room + n * width;

	widen_c(x, n * width, wide);
	if (q->half) {
		conjugate(wide, n * width);
		conjugate(rest, n * width);
		subtract_half(q, wide, width, rest, block);
		conjugate(rest, n * width);
		return;
	}
	for (size_t j = 0; j < n; j += BLOCK) {
		const size_t some = size_min(BLOCK, n - j);

		widen_c(q->a + j * n, n * some, block);
		if (q->across)
			subtract_product("T", some, width, n, block, n, wide,
			                 rest + j, n);
		else
			subtract_product("N", n, width, some, block, n,
			                 wide + j, rest, n);
	}
}

#define LAPACK_BODY "ops/solve/complex_refine_body.h"
#include "ops/lapack/each_complex.h"
