/* complex.c - A^-1 of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. */
#include <complex.h>
#include <math.h>

#include "ops/inverse/inverse.h"
#include "ops/lapack/complex.h"

enum { BLOCK = 64 };			/* LAPACK's workspace is n x BLOCK */

struct parts {
	const cplx *a, *x;
	size_t n;
	cplx *y;
};

/* r = A X v - v */
static void defect(const void *how, const cplx *v, cplx *r)
{
	const struct parts *q = how;

	complex_times(q->x, q->n, q->n, v, q->y);
	complex_times(q->a, q->n, q->n, q->y, r);
	for (size_t i = 0; i < q->n; i++)
		r[i] -= v[i];
}

/* room has 3 n elements. */
static void judge(const struct lapack_call *c, size_t index, const cplx *a,
                  cplx *x, cplx *room)
{
	const size_t n = c->rows;
	const struct parts q = { a, x, n, room };
	const double eps = dtype_epsilon(c->a->dtype);
	struct verdict *v = complex_told(c, index);
	double condition;

	complex_round(x, n * n, c->a->dtype);
	condition = complex_norm1(a, n, n) * complex_norm1(x, n, n);
	v->rcond = isfinite(condition) ? fmin(1 / condition, 1) : 0;
	v->residual = complex_ratio(complex_defect(c, n, n, defect, &q,
	                                           room + n),
	                            (double)n * eps * condition);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	const int k = (int)n;
	struct complex_room r = { room };
	cplx *const x = complex_array(&r, n * n, sizeof *x);
	cplx *const a = complex_array(&r, n * n, sizeof *a);
	cplx *const work = complex_array(&r, BLOCK * n, sizeof *work);
	int *const pivots = complex_array(&r, n, sizeof *pivots);
	const enum dtype t = c->a->dtype;
	int power;

	if (n == 0)
		return (struct failure_detail){ .code = ERR_NONE };
	complex_load(lapack_in(c->a, 0, index), t, n, n, a);
	power = complex_lower(a, n * n);
	if (complex_factor(c->l, a, n, n, x, pivots) > 0)
		return (struct failure_detail){ .code = ERR_SINGULAR };
	c->l->z.getri(LAPACK_COLUMNS, k, x, k, pivots, work, BLOCK * k);
	if (complex_is_judged(c))
		judge(c, index, a, x, work);
	complex_raise(x, n * n, -power);
	complex_store(x, n, n, n, t, lapack_out(c->a, 0, index));
	return (struct failure_detail){ .code = ERR_NONE };
}

int inverse_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = n, .operands = 1, .one = one,
		.room = 2 * COMPLEX_BYTES(n * n) +
		        COMPLEX_BYTES((BLOCK + 1) * n) + 64,
	}, s, a);
}
