/* complex.c - P A = L U of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. A pivot is the element of its column whose
 * |real| + |imag| is largest, as in LAPACK. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/lu/complex.h"

void lu_complex_factor(const struct lapack_call *c, const void *a, size_t m,
                       size_t n, cplx *lu, int *pivots, cplx *copy)
{
	complex_load(a, c->a->dtype, m, n, copy);
	if (m > 0 && n > 0)
		complex_factor(c->l, copy, m, n, lu, pivots);
}

void lu_complex_order(const int *pivots, size_t k, size_t m, int64_t *p)
{
	for (size_t i = 0; i < m; i++)
		p[i] = (int64_t)i;
	for (size_t i = 0; i < k; i++) {
		const int64_t with = p[pivots[i] - 1];

		p[pivots[i] - 1] = p[i];
		p[i] = with;
	}
}

/* A, its factors and the order of its rows, and room for a vector. */
struct parts {
	const cplx *a, *lu;
	const int64_t *p;
	size_t m, n;
	cplx *y, *z;
};

/* r = L U x - P A x */
static void defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *q = how;
	const size_t k = size_min(q->m, q->n), m = q->m;

	memset(r, 0, m * sizeof *r);
	memset(q->y, 0, k * sizeof *q->y);
	for (size_t j = 0; j < q->n; j++)
		for (size_t i = 0; x[j] != 0 && i < size_min(j + 1, k); i++)
			q->y[i] += q->lu[j * m + i] * x[j];
	for (size_t j = 0; j < k; j++) {
		r[j] += q->y[j];
		for (size_t i = j + 1; i < m; i++)
			r[i] += q->lu[j * m + i] * q->y[j];
	}
	complex_times(q->a, m, q->n, x, q->z);
	for (size_t i = 0; i < m; i++)
		r[i] -= q->z[q->p[i]];
}

double lu_complex_judge(const struct lapack_call *c, size_t m, size_t n,
                        const cplx *a, cplx *lu, const int64_t *p, cplx *room)
{
	const size_t most = size_max(m, n);
	struct parts q = { .a = a, .lu = lu, .p = p, .m = m, .n = n,
	                   .y = room, .z = room + most };

	if (m == 0 || n == 0)
		return 0;
	complex_round(lu, m * n, c->a->dtype);
	return complex_ratio(complex_defect(c, m, n, defect, &q,
	                                    room + 2 * most),
	                     complex_norm1(a, m, n)) /
	       ((double)n * dtype_epsilon(c->a->dtype));
}

static size_t pivots_of(const struct args *a)
{
	return size_min(matrix_rows(&a->in[0]), matrix_cols(&a->in[0]));
}

/* Stores the m x k lower or the k x n upper factor, whose other elements are 0
 * and, on L's diagonal, 1. */
static void put_factor(const struct lapack_call *c, size_t index, int output,
                       const cplx *lu, size_t m, size_t n, cplx *room)
{
	const size_t k = size_min(m, n), rows = output == LU_L ? m : k;
	const size_t cols = output == LU_L ? k : n;
	void *const to = lapack_out(c->a, output, index);

	for (size_t j = 0; to && j < cols; j++)
		for (size_t i = 0; i < rows; i++)
			room[j * rows + i] = output == LU_L ?
			    (i > j ? lu[j * m + i] : i == j) :
			    i <= j ? lu[j * m + i] : 0;
	if (to)
		complex_store(room, rows, rows, cols, c->a->dtype, to);
}

static void put_sign(const struct lapack_call *c, size_t index,
                     const cplx *lu, const int *pivots, size_t m, size_t n)
{
	cplx sign = 1;
	bool singular = false;
	bool *const to = lapack_out(c->a, LU_SINGULAR, index);

	for (size_t i = 0; i < size_min(m, n); i++) {
		cplx u = lu[i * m + i];

		complex_round(&u, 1, c->a->dtype);	/* as it is answered */
		singular |= u == 0;
		sign *= u == 0 ? 0 : u / cabs(u);
		if (pivots[i] != (int)i + 1)
			sign = -sign;
	}
	if (to)
		*to = singular;
	if (c->a->out[LU_SIGN].memory)
		matrix_set_complex(&c->a->out[LU_SIGN], index, creal(sign),
		                   cimag(sign));
}

static void put_pivots(const struct lapack_call *c, size_t index,
                       const int *pivots, const int64_t *p, size_t k,
                       size_t m)
{
	int64_t *const to = lapack_out(c->a, LU_PIVOTS, index);
	int64_t *const order = lapack_out(c->a, LU_P, index);

	for (size_t i = 0; to && i < k; i++)
		to[i] = pivots[i] - 1;
	if (order)
		memcpy(order, p, m * sizeof *p);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t m = matrix_rows(&c->a->in[0]);
	const size_t n = matrix_cols(&c->a->in[0]), k = pivots_of(c->a);
	const void *const a = lapack_in(c->a, 0, index);
	struct complex_room r = { room };
	cplx *const lu = complex_array(&r, m * n, sizeof *lu);
	cplx *const copy = complex_array(&r, m * n, sizeof *lu);
	cplx *const more = complex_array(&r, 4 * size_max(m, n), sizeof *lu);
	int64_t *const p = complex_array(&r, m, sizeof *p);
	int *const pivots = complex_array(&r, k, sizeof *pivots);
	void *const to = lapack_out(c->a, LU_LU, index);
	/* Does `copy` remain a copy of A? */
	const bool kept = c->a->param[LU_PIVOT] == LU_PARTIAL &&
	                  !lapack_out(c->a, LU_L, index) &&
	                  !lapack_out(c->a, LU_U, index);
	struct failure_detail d = { .code = ERR_NONE };

	if (c->a->param[LU_PIVOT] == LU_NONE)
		d = lu_complex_plain(c, a, m, n, lu, pivots, copy);
	else
		lu_complex_factor(c, a, m, n, lu, pivots, copy);
	if (d.code != ERR_NONE)
		return d;
	lu_complex_order(pivots, k, m, p);
	put_pivots(c, index, pivots, p, k, m);
	put_sign(c, index, lu, pivots, m, n);
	if (to)
		complex_store(lu, m, m, n, c->a->dtype, to);
	put_factor(c, index, LU_L, lu, m, n, copy);
	put_factor(c, index, LU_U, lu, m, n, copy);
	if (complex_is_judged(c) && !kept)
		complex_load(a, c->a->dtype, m, n, copy);
	if (complex_is_judged(c))
		complex_told(c, index)->residual = lu_complex_judge(c, m, n,
		    copy, lu, p, more);
	return d;
}

int lu_complex(struct seq *s, struct args *a)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = size_max(m, n), .one = one,
		.room = 2 * COMPLEX_BYTES(m * n) +
		        5 * COMPLEX_BYTES(size_max(m, n)),
	}, s, a);
}
