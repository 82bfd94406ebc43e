/* complex.c - solves A X = B with complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. A general matrix is factored by ZGETRF, the solution
 * computed by ZGETRS, refined and its error bounded as ZGERFS does
 * (complex_refine.h), and the condition number estimated by ZGECON. With a
 * triangular matrix, ZTRSM substitutes, ZTRRFS bounds the error, and ZTRCON
 * estimates the condition number; there are no factors and no refinement. If
 * the client names the structure, only one triangle of A is read. A symmetric
 * or positive definite matrix is hermitian here. Factors that the client gives
 * are used as they are; what they tell of A is in complex_factors.c. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/lapack/exported.h"
#include "ops/solve/complex_refine.h"
#include "ops/solve/complex_system.h"

#define SMALLEST 0x1p-900
#define LARGEST 0x1p960

static const void *operand(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->in[i];
	const int as = i == SOLVE_B ? 1 : 0;

	return (const char *)matrix_data(m) + systems_matrix(a, as, index) *
	       matrix_rows(m) * matrix_cols(m) * dtype_bytes(m->dtype);
}

/* Sets the triangle that is not read: to the conjugate transpose of the other
 * one for a hermitian matrix, and to 0 for a triangular one. */
static void complete(cplx *a, size_t n, enum solve_kind kind)
{
	const bool mirrored = kind == KIND_SPD || kind == KIND_SYMMETRIC;

	for (size_t j = 0; j < n && kind != KIND_GENERAL; j++) {
		if (mirrored)
			a[j * n + j] = creal(a[j * n + j]);
		for (size_t i = 0; i < j; i++)
			if (kind == KIND_UPPER)
				a[i * n + j] = 0;
			else
				a[j * n + i] = mirrored ? conj(a[i * n + j]) :
				                          0;
	}
}

/* Returns a power of two that brings A, whose elements are so small that
 * LAPACK's bounds and the inverses of its pivots overflow or count them as 0,
 * near 1, or makes elements smaller that are so large that A's norm may
 * overflow; for other matrices 1. With `upper` only that triangle is looked at
 * and multiplied by it. */
static double scale(cplx *a, size_t n, bool upper)
{
	double most = 0, up;

	for (size_t j = 0; j < n; j++)
		most = fmax(most, complex_largest_part(a + j * n,
		                                       upper ? j + 1 : n));
	if (most == 0 || (most >= SMALLEST && most < LARGEST))
		return 1;
	/* At most 2^1000, so that b is finite where x is. */
	up = ldexp(1, most >= LARGEST ? -64 :
	           -ilogb(most) < 1000 ? -ilogb(most) : 1000);
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < (upper ? j + 1 : n); i++)
			a[j * n + i] *= up;
	return up;
}

/* Reads the pivots that belong to the client's factors. Returns the index of
 * the first that is not the number of a row, or n. */
static size_t read_pivots(const struct lapack_call *c, size_t index, size_t n,
                          int *pivots)
{
	const struct matrix *p = &c->a->in[SOLVE_PIVOTS];
	const size_t first = systems_matrix(c->a, 0, index) * n;

	for (size_t i = 0; i < n; i++) {
		const double at = matrix_get(p, first + i);

		if (!(at >= 0 && at < (double)n) || at != rint(at))
			return i;
		pivots[i] = (int)at + 1;
	}
	return n;
}

/* Returns ERR_SINGULAR with the place of the first zero on the diagonal, or
 * ERR_NONE if there is none. */
static struct failure_detail find_zero(const cplx *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i * (n + 1)] == 0)
			return (struct failure_detail){ .code = ERR_SINGULAR,
			                                .at = (int32_t)i };
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail take_factors(const struct lapack_call *c,
                                          size_t index,
                                          struct complex_system *y)
{
	const struct complex_plan *h = complex_how(c);
	const size_t bad = read_pivots(c, index, h->n, y->pivots);

	complex_load(operand(c->a, SOLVE_FACTORS, index), c->a->dtype, h->n,
	             h->n, y->lu);
	if (bad < h->n)
		return (struct failure_detail){ .code = ERR_MATHEMATICS,
		                                .at = (int32_t)bad };
	y->up = scale(y->lu, h->n, true);
	return find_zero(y->lu, h->n);
}

static struct failure_detail factor(const struct lapack_call *c, size_t index,
                                    struct complex_system *y)
{
	const struct complex_plan *h = complex_how(c);
	const size_t bytes = h->n * h->n * sizeof *y->a;
	int info = 0;

	complex_load(operand(c->a, SOLVE_A, index), c->a->dtype, h->n, h->n,
	             y->a);
	complete(y->a, h->n, h->kind);
	y->up = scale(y->a, h->n, false);
	if (complex_is_triangle(h))
		return find_zero(y->a, h->n);
	memcpy(y->lu, y->a, bytes);
	if (h->kind == KIND_SPD)
		info = complex_cholesky(c->l, 'L', y->lu, h->n);
	if (info > 0)
		return (struct failure_detail){ .code = ERR_NOT_POSITIVE,
		                                .at = info };
	info = complex_factor(c->l, y->a, h->n, h->n, y->lu, y->pivots);
	if (info > 0)
		return (struct failure_detail){ .code = ERR_SINGULAR,
		                                .at = info - 1 };
	return (struct failure_detail){ .code = ERR_NONE };
}

/* Overwrites X, which holds B, by the solution. */
static void substitute(const struct lapack_call *c,
                       const struct complex_system *y)
{
	const struct complex_plan *h = complex_how(c);
	const int n = (int)h->n, sides = (int)h->sides;
	const char uplo[] = { complex_triangle(h), '\0' };
	const char *const trans = h->turned ? "T" : "N";
	const cplx one = 1;

	if (complex_is_triangle(h))
		ztrsm_("L", uplo, trans, "N", &n, &sides, &one, y->a, &n, y->x,
		       &n);
	else
		c->l->z.getrs(LAPACK_COLUMNS, *trans, n, sides, y->lu, n,
		              y->pivots, y->x, n);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n;
	struct complex_room r = { room };
	struct complex_system y = {
		.a = complex_array(&r, n * n, sizeof(cplx)),
		.lu = complex_array(&r, n * n, sizeof(cplx)),
		.b = complex_array(&r, n * h->sides, sizeof(cplx)),
		.x = complex_array(&r, n * h->sides, sizeof(cplx)),
		.pivots = complex_array(&r, n, sizeof(int)),
	};
	const struct complex_spare spare = {
		.elements = complex_array(&r, 2 * n, sizeof(cplx)),
		.numbers = complex_array(&r, 3 * n + 2 * h->sides,
		                         sizeof(double)),
		.refined = complex_array(&r, complex_refine_room(n, h->sides),
		                         1),
	};
	struct failure_detail d = { .code = ERR_NONE };

	if (n == 0 || h->sides == 0)
		return d;
	d = solve_nonfinite(c->a, index);
	if (d.code != ERR_NONE)
		return d;
	d = (h->kind == KIND_FACTORS ? take_factors : factor)(c, index, &y);
	if (d.code != ERR_NONE)
		return d;
	complex_load(operand(c->a, SOLVE_B, index), c->a->dtype, n, h->sides,
	             y.b);
	for (size_t i = 0; i < n * h->sides && y.up != 1; i++)
		y.b[i] *= y.up;
	memcpy(y.x, y.b, n * h->sides * sizeof(cplx));
	substitute(c, &y);
	complex_improve(c, index, &y, &spare);
	complex_store(y.x, n, n, h->sides, c->a->dtype,
	              lapack_out(c->a, 0, index));
	return d;
}

int solve_complex(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const struct complex_plan h = {
		.n = y.n, .sides = y.sides, .kind = solve_named(a),
		.turned = solve_turned(a),
	};

	return complex_run(&(struct lapack_call){
		.rows = y.n, .one = one, .how = &h,
		.room = 2 * COMPLEX_BYTES(y.n * y.n) +
		        2 * COMPLEX_BYTES(y.n * y.sides) +
		        COMPLEX_BYTES(5 * y.n + 2 * y.sides) +
		        2 * COMPLEX_BYTES(y.n) + COMPLEX_BYTES(0) +
		        complex_refine_room(y.n, y.sides),
	}, s, a);
}
