/* complex.c - solves A X = B with complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. A general matrix is factored by xGETRF, the solution
 * computed by xGETRS, refined and its error bounded as xGERFS does
 * (complex_refine.h), and the condition number estimated by xGECON; for a
 * positive definite one these are xPOTRF, xPOTRS and xPOCON. complex128 takes
 * factors in complex64 where that is quicker and as good (complex_quick.h).
 * With a triangular matrix, ZTRSM substitutes, ZTRRFS bounds the error, and
 * ZTRCON estimates the condition number; there are no factors and no
 * refinement. If the client names the structure, only one triangle of A is
 * read. A symmetric or positive definite matrix is hermitian here. Factors that
 * the client gives are used as they are; what they tell of A is in
 * complex_factors.c. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/solve/complex_quick.h"
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

/* Scales A if its norm tells that it may be needed. Returns whether it was. */
static bool bring_into_range(const struct complex_plan *h,
                             struct complex_system *y)
{
	const size_t n = h->n;

	if (y->norm >= SMALLEST * (double)n * 2 && y->norm < LARGEST)
		return false;
	if (y->a != y->copy)
		memcpy(y->copy, y->a, n * n * sizeof *y->a);
	y->a = y->copy;
	y->up = scale(y->copy, n, y->half);
	return y->up != 1;
}

/* complex64 leaves such matrices to complex128. */
static bool bring_into_range_c(const struct complex_plan *h,
                               const struct complex_system_c *y)
{
	(void)h, (void)y;
	return false;
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

#define LAPACK_BODY "ops/solve/complex_take_typed.h"
#include "ops/lapack/each_complex.h"

/* Factor A. In complex64, *left is set instead for a matrix that is left to
 * complex128, such as one that is singular or not positive definite. */
static struct failure_detail factor_c(const struct lapack_call *c,
                                      const struct complex_system_c *y,
                                      bool *left)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n;

	begin_factors_c(h, y);
	if (h->kind == KIND_SPD)
		*left = !complex_is_moderate(y->norm) ||
		        complex_cholesky_c(c->l, 'L', y->lu, n, y->ld) > 0;
	else
		*left = !complex_factor_c(c->l, n, n, y->lu, y->ld, y->norm,
		                          y->pivots);
	*left = *left || complex_is_doubtful(y->lu, n, y->ld);
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail factor(const struct lapack_call *c,
                                    const struct complex_system *y, bool *left)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n, ld = y->ld;
	const bool spd = h->kind == KIND_SPD;
	bool good = true;
	int info;

	*left = false;
	begin_factors(h, y);
	info = spd ? complex_cholesky(c->l, 'L', y->lu, n, ld) :
	       complex_factor_in_place(c->l, n, n, y->lu, ld, y->pivots,
	                               &good);
	if (!good) {
		begin_factors(h, y);
		info = complex_eliminate(y->lu, n, n, ld, y->pivots);
	}
	return (struct failure_detail){
		.code = info <= 0 ? ERR_NONE :
		        spd ? ERR_NOT_POSITIVE : ERR_SINGULAR,
		.at = spd ? info : info - 1,
	};
}

/* Does complex64 leave these right-hand sides, or solutions, to complex128:
 * with a column that is near the ends of float32's range? */
static bool leaves_c(const struct complex_plan *h, const cplx_c *x)
{
	for (size_t j = 0; j < h->sides; j++) {
		const double sum = complex_sum_c(x + j * h->n, h->n);

		if (sum != 0 && !complex_is_moderate(sum))
			return true;
	}
	return false;
}

static bool leaves(const struct complex_plan *h, const cplx *x)
{
	(void)h, (void)x;
	return false;
}

/* Solves by factors in complex64. Returns false if these are not enough. */
static bool solve_quickly(const struct lapack_call *c, size_t index,
                          struct complex_system *y,
                          const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	struct complex_quick q;

	if (c->a->dtype != COMPLEX128 || !complex_factor_quickly(c, y, &q))
		return false;
	y->rcond = complex_rcond(&q.solver, h->turned, y->norm, room->elements,
	                         room->numbers);
	if (y->rcond >= COMPLEX_FEW_DIGITS) {
		take_sides(c, index, y);
		complex_invert(&q.solver, h->turned ? 'T' : 'N', h->sides,
		               y->x);
		if (complex_improve(c, index, &q.solver, y, room)) {
			complex_store(y->x, h->n, h->n, h->sides, COMPLEX128,
			              lapack_out(c->a, 0, index));
			return true;
		}
	}
	y->rcond = 0;
	return false;
}

/* In complex64 all factors are. */
static bool solve_quickly_c(const struct lapack_call *c, size_t index,
                            const struct complex_system_c *y,
                            const struct complex_spare_c *room)
{
	(void)c, (void)index, (void)y, (void)room;
	return false;
}

#define LAPACK_BODY "ops/solve/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* Solves a triangular system, or one with given factors. */
static struct failure_detail substitute(const struct lapack_call *c,
                                        size_t index,
                                        struct complex_system *y,
                                        const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const int n = (int)h->n, sides = (int)h->sides;
	const bool factors = h->kind == KIND_FACTORS;
	const char uplo[] = { complex_triangle(h), '\0' };
	const char *const trans = h->turned ? "T" : "N";
	const cplx one = 1;
	struct failure_detail d;

	if (!factors) {
		take(c, index, y);
		y->up = scale(y->copy, h->n, false);
	}
	d = factors ? take_factors(c, index, y) : find_zero(y->a, h->n);
	if (d.code != ERR_NONE)
		return d;
	take_sides(c, index, y);
	if (factors)
		c->l->z.getrs(LAPACK_COLUMNS, *trans, n, sides, y->lu, n,
		              y->pivots, y->x, n);
	else
		ztrsm_("L", uplo, trans, "N", &n, &sides, &one, y->a, &n, y->x,
		       &n);
	if (complex_is_judged(c))
		(factors ? complex_judge_factors : complex_judge_triangle)(c,
		    index, y, room);
	complex_store(y->x, h->n, h->n, h->sides, c->a->dtype,
	              lapack_out(c->a, 0, index));
	return d;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct complex_plan *h = complex_how(c);
	struct complex_room r = { room }, again = r;
	struct complex_spare_c few;
	struct complex_spare spare;
	struct complex_system_c narrow = system_of_c(h, &r, &few);
	struct complex_system y = system_of(h, &again, &spare);
	bool left = c->a->dtype == COMPLEX128;
	struct failure_detail d = { .code = ERR_NONE };

	if (h->n == 0 || h->sides == 0)
		return d;
	if (h->kind == KIND_FACTORS || complex_is_triangle(h)) {
		d = solve_nonfinite(c->a, index);
		return d.code != ERR_NONE ? d :
		       substitute(c, index, &y, &spare);
	}
	if (!left)
		d = solve_c(c, index, &narrow, &few, &left);
	return left ? solve(c, index, &y, &spare, &left) : d;
}

int solve_complex(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	struct complex_plan h = {
		.n = y.n, .sides = y.sides, .kind = solve_named(a),
	};

	h.conjugated = complex_is_hermitian(&h) && solve_turned(a);
	h.turned = !h.conjugated && solve_turned(a);
	return complex_run(&(struct lapack_call){
		.rows = y.n, .one = one, .how = &h,
		.room = COMPLEX_BYTES(y.n * y.n) +
		        COMPLEX_BYTES(complex_ld(y.n, sizeof(cplx)) * y.n) +
		        COMPLEX_BYTES(y.n * y.n / 2) +
		        2 * COMPLEX_BYTES(y.n * y.sides) +
		        COMPLEX_BYTES(5 * y.n + 2 * y.sides) +
		        2 * COMPLEX_BYTES(y.n) + 2 * COMPLEX_BYTES(0) +
		        complex_refine_room(y.n, y.sides),
	}, s, a);
}
