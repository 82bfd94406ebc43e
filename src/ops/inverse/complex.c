/* complex.c - A^-1 of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/inverse/inverse.h"
#include "ops/lapack/complex.h"
#include "ops/lapack/exported.h"

enum { BLOCK = 64 };			/* LAPACK's workspace is n x BLOCK */

#define LAPACK_BODY "ops/inverse/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* Inverts a matrix in complex64, in the answer itself. Returns false for one
 * that is left to complex128: near the ends of float32's range, or with a
 * condition at which complex64 leaves few digits. */
static bool invert_c(const struct lapack_call *c, size_t index, cplx_c *work,
                     int *pivots)
{
	const size_t n = c->rows;
	const int k = (int)n;
	struct parts_c q = {
		.a = lapack_in(c->a, 0, index), .n = n, .y = work,
		.x = lapack_out(c->a, 0, index),
	};

	q.of_a = complex_norm1_by_rows_c(q.a, n, n, (float *)work);
	memcpy(q.x, q.a, n * n * sizeof *q.x);
	if (!complex_factor_c(c->l, n, n, q.x, n, q.of_a, pivots) ||
	    complex_is_doubtful(q.x, n, n))
		return false;
	c->l->c.getri(LAPACK_COLUMNS, k, q.x, k, pivots, work, BLOCK * k);
	q.of_x = complex_norm1_by_rows_c(q.x, n, n, (float *)work);
	if (!(condition_of_c(&q) < 1 / COMPLEX_FEW_DIGITS))
		return false;
	if (complex_is_judged(c))
		judge_c(c, index, &q, work + n);
	return true;
}

/* Inverts a matrix of either type in complex128. */
static struct failure_detail invert(const struct lapack_call *c, size_t index,
                                    struct complex_room *r, cplx *work,
                                    int *pivots)
{
	const size_t n = c->rows;
	const int k = (int)n;
	const enum dtype t = c->a->dtype;
	const bool wide = t == COMPLEX64;
	void *const answer = lapack_out(c->a, 0, index);
	cplx *const copy = complex_array(r, n * n, sizeof *copy);
	struct parts q = {
		.a = copy, .n = n, .y = work,
		.x = wide ? complex_array(r, n * n, sizeof(cplx)) : answer,
	};
	int power;

	complex_load(lapack_in(c->a, 0, index), t, 1, n * n, copy);
	power = complex_lower(copy, n * n);
	if (complex_factor(c->l, copy, n, n, q.x, pivots) > 0)
		return (struct failure_detail){ .code = ERR_SINGULAR };
	c->l->z.getri(LAPACK_COLUMNS, k, q.x, k, pivots, work, BLOCK * k);
	if (wide)
		complex_narrow(q.x, n * n, answer);
	if (complex_is_judged(c)) {
		complex_round(q.x, n * n, t);
		q.of_a = complex_norm1_by_rows(copy, n, n, (double *)work);
		q.of_x = complex_norm1_by_rows(q.x, n, n, (double *)work);
		judge(c, index, &q, work + n);
	}
	complex_raise(q.x, n * n, -power);
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	struct complex_room r = { room };
	cplx *const work = complex_array(&r, BLOCK * n, sizeof *work);
	int *const pivots = complex_array(&r, n, sizeof *pivots);

	if (n == 0 || (c->a->dtype == COMPLEX64 &&
	               invert_c(c, index, (cplx_c *)work, pivots)))
		return (struct failure_detail){ .code = ERR_NONE };
	return invert(c, index, &r, work, pivots);
}

int inverse_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = n, .operands = 1, .one = one,
		.room = (a->dtype == COMPLEX64 ? 2 : 1) *
		        COMPLEX_BYTES(n * n) +
		        COMPLEX_BYTES((BLOCK + 1) * n) + 64,
	}, s, a);
}
