/* lu.c - P A = L U by PxGETRF. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "mpi/measure.h"
#include "mpi/routines.h"
#include "mpi/work.h"
#include "ops/lu/complex.h"
#include "ops/lu/factor.h"
#include "ops/scalapack.h"

struct factoring {
	struct work *w;
	size_t m, n, k;
	struct dist a;			/* A, then its factors */
	int *local;			/* this process's pivots, from 1 on */
	int *pivots;			/* all k, from 0 on */
	int64_t *p;			/* the permutation: A[p] = L U */
	double *x, *y, *u, *z, *sums;	/* n, m, k, m and max(m, n) */
	/* In process 0, of what has been collected: */
	bool singular;
	int sign;			/* of the product of U's diagonal */
};

int lu_prepare(struct work *w, struct err *e)
{
	const struct matrix *m = &w->a->in[0];

	(void)e;
	w->order = (struct order){
		.kind = WORK_LU, .dtype = w->a->dtype,
		.quality = w->a->quality, .m = matrix_rows(m),
		.n = matrix_cols(m), .k = 1,
	};
	return 0;
}

static enum err_code begin(struct factoring *f, struct work *w)
{
	const size_t m = w->order.m, n = w->order.n, k = size_min(m, n);
	enum err_code code;

	*f = (struct factoring){
		.w = w, .m = m, .n = n, .k = k, .sign = 1,
		.pivots = calloc(k + 1, sizeof *f->pivots),
		.p = malloc((m + 1) * sizeof *f->p),
		.x = malloc((2 * n + 3 * m + k + 1) * sizeof *f->x),
	};
	if (f->x) {
		f->y = f->x + n;
		f->u = f->y + m;
		f->z = f->u + k;
		f->sums = f->z + m;
	}
	code = f->pivots && f->p && f->x ? ERR_NONE : ERR_MEMORY;
	if (work_is_empty(w))
		return code;
	code = grid_agree(w->g, code);
	if (code != ERR_NONE)
		return code;
	code = dist_new(&f->a, w->g, w->order.dtype, m, n);
	f->local = calloc(f->a.rows + SCALAPACK_BLOCK + 1, sizeof *f->local);
	return grid_agree(w->g, f->local ? code : ERR_MEMORY);
}

static void end(struct factoring *f)
{
	dist_fini(&f->a);
	free(f->local);
	free(f->pivots);
	free(f->p);
	free(f->x);
}

/* Hands out A, or A[p]. */
static enum err_code hand_out(struct factoring *f, struct dist *to,
                              const int64_t *order)
{
	const int64_t begun_ns = work_begin();
	struct strided s = {
		.each = dtype_bytes(f->w->order.dtype), .columns = f->n,
		.row = f->n, .col = 1, .order = order,
	};
	enum err_code code;

	if (f->w->a)
		s.data = matrix_data(&f->w->a->in[0]);
	code = dist_scatter(to, work_get_strided, &s);
	work_end(f->w, STAGE_UP, begun_ns, 0.1);
	return code;
}

/* Gives every process all pivots, and the permutation that they make. */
static void share_pivots(struct factoring *f)
{
	const struct dist *d = &f->a;

	for (size_t i = 0; d->g->col == 0 && i < d->rows; i++)
		if (dist_row(d, i) < f->k)
			f->pivots[dist_row(d, i)] = f->local[i] - 1;
	grid_sum_ints(d->g, f->pivots, f->k);
}

static void permute(struct factoring *f)
{
	for (size_t i = 0; i < f->m; i++)
		f->p[i] = (int64_t)i;
	for (size_t i = 0; i < f->k; i++) {
		const int64_t row = f->p[i];

		f->p[i] = f->p[f->pivots[i]];
		f->p[f->pivots[i]] = row;
	}
}

/* --- the answer, in process 0 */

static void *output(const struct factoring *f, int i)
{
	return f->w->a->out[i].memory ? matrix_data(&f->w->a->out[i]) : NULL;
}

/* Writes row i of L or of U, of which it has `columns` elements from `first`
 * on, to an output of `width` columns. */
static void put_row(char *to, size_t each, size_t width, size_t i,
                    const char *row, size_t first, size_t columns)
{
	char *const at = to + i * width * each;

	memset(at, 0, width * each);
	memcpy(at + first * each, row + first * each, columns * each);
}

static void put_one(char *to, enum dtype t, size_t at)
{
	if (t == FLOAT32)
		((float *)to)[at] = 1;
	else
		((double *)to)[at] = 1;
}

static void look_at_diagonal(struct factoring *f, const char *row, size_t i)
{
	const double x = f->w->order.dtype == FLOAT32 ?
	                 (double)((const float *)row)[i] :
	                 ((const double *)row)[i];

	f->singular |= x == 0;
	f->sign = x < 0 ? -f->sign : f->sign;
}

static void put(void *arg, size_t first, size_t n, const void *rows)
{
	struct factoring *f = arg;
	const size_t each = dtype_bytes(f->w->order.dtype);
	char *const lu = output(f, LU_LU), *const l = output(f, LU_L);
	char *const u = output(f, LU_U);

	if (lu)
		memcpy(lu + first * f->n * each, rows, n * f->n * each);
	for (size_t i = first; i < first + n; i++) {
		const char *row = (const char *)rows + (i - first) * f->n *
		                  each;

		if (i < f->k)
			look_at_diagonal(f, row, i);
		if (u && i < f->k)
			put_row(u, each, f->n, i, row, i, f->n - i);
		if (l)
			put_row(l, each, f->k, i, row, 0, size_min(i, f->k));
		if (l && i < f->k)
			put_one(l, f->w->order.dtype, i * f->k + i);
	}
}

static void answer(struct factoring *f)
{
	struct args *const a = f->w->a;
	int64_t *const pivots = output(f, LU_PIVOTS);
	bool odd = false;

	for (size_t i = 0; i < f->k; i++) {
		odd ^= (size_t)f->pivots[i] != i;
		if (pivots)
			pivots[i] = f->pivots[i];
	}
	if (output(f, LU_P))
		memcpy(output(f, LU_P), f->p, f->m * sizeof *f->p);
	if (output(f, LU_SINGULAR))
		matrix_set(&a->out[LU_SINGULAR], 0, f->singular);
	if (output(f, LU_SIGN))
		matrix_set(&a->out[LU_SIGN], 0, f->singular ? 0 :
		           odd ? -f->sign : f->sign);
}

static enum err_code collect(struct factoring *f)
{
	const int64_t begun_ns = work_begin();
	const enum err_code code = dist_gather(&f->a, put, f);

	if (code == ERR_NONE && f->w->a)
		answer(f);
	work_end(f->w, STAGE_DOWN, begun_ns, 1);
	return code;
}

/* --- the residual: kernels/lu/residual.cl defines it */

static void tell_residual(struct factoring *f, double defect, double norm)
{
	const double eps = dtype_epsilon(f->w->order.dtype) / 2;

	if (f->w->a)
		f->w->a->verdict.residual = defect == 0 ? 0 :
		    defect / norm / ((double)f->n * eps);
}

/* Before A is overwritten: y = A x, and the norm. */
static double measure(struct factoring *f)
{
	const int64_t begun_ns = work_begin();

	for (size_t i = 0; i < f->n; i++)
		f->x[i] = measure_sign(i);
	measure_times(&f->a, MEASURE_ALL, f->x, f->y);
	measure_rows(&f->a, f->sums);
	work_end(f->w, STAGE_COMPUTE, begun_ns, 0.1);
	return measure_largest(f->sums, f->m);
}

static void estimate(struct factoring *f, double norm)
{
	const int64_t begun_ns = work_begin();

	measure_times(&f->a, MEASURE_UPPER, f->x, f->u);
	measure_times(&f->a, MEASURE_LOWER, f->u, f->z);
	for (size_t i = 0; i < f->m; i++)
		f->sums[i] = fabs(f->y[f->p[i]] - f->z[i]);
	tell_residual(f, measure_largest(f->sums, f->m), norm);
	work_end(f->w, STAGE_COMPUTE, begun_ns, 0.9);
}

/* Makes U of the factors, and L of their copy; the first k columns of L, and
 * the first k rows of U, are used. */
static void take_apart(struct factoring *f, struct dist *l)
{
	struct dist *const u = &f->a;

	for (size_t j = 0; j < u->cols; j++)
		for (size_t i = 0; i < u->rows; i++) {
			const size_t row = dist_row(u, i), col = dist_col(u, j);

			if (row > col)
				dist_set(u, i, j, 0);
			else
				dist_set(l, i, j, row == col);
		}
}

/* |P A - L U| */
static enum err_code compare(struct factoring *f)
{
	struct dist l = { 0 }, b = { 0 };
	enum err_code code = dist_copy(&l, &f->a);
	int64_t begun_ns;
	double norm;

	if (code == ERR_NONE)
		code = dist_new(&b, f->w->g, f->w->order.dtype, f->m, f->n);
	if (code == ERR_NONE)
		code = hand_out(f, &b, f->p);
	if (code == ERR_NONE) {
		begun_ns = work_begin();
		take_apart(f, &l);
		measure_columns(&b, f->sums);
		norm = measure_largest(f->sums, f->n);
		l.n = f->k;
		routine_gemm(false, -1, &l, &f->a, 1, &b);
		measure_columns(&b, f->sums);
		tell_residual(f, measure_largest(f->sums, f->n), norm);
		work_end(f->w, STAGE_COMPUTE, begun_ns, 1);
	}
	dist_fini(&l);
	dist_fini(&b);
	return code;
}

/* --- */

static enum err_code factor(struct factoring *f)
{
	const struct order *o = &f->w->order;
	enum err_code code = hand_out(f, &f->a, NULL);
	int64_t begun_ns;
	double norm = 0;

	if (code != ERR_NONE)
		return code;
	if (o->quality == QUALITY_ESTIMATE)
		norm = measure(f);
	begun_ns = work_begin();
	routine_getrf(&f->a, f->local);
	work_routine(f->w, "getrf", begun_ns, lu_flops((double)f->m,
	             (double)f->n), 0.9);
	share_pivots(f);
	permute(f);
	if (o->quality == QUALITY_ESTIMATE)
		estimate(f, norm);
	code = collect(f);
	return code == ERR_NONE && o->quality == QUALITY_FULL ? compare(f) :
	                                                        code;
}

enum err_code lu_work(struct work *w)
{
	struct factoring f;
	enum err_code code = begin(&f, w);

	if (code == ERR_NONE)
		code = factor(&f);
	end(&f);
	return code;
}

enum err_code lu_empty(struct work *w)
{
	struct factoring f;
	const enum err_code code = begin(&f, w);

	if (code == ERR_NONE) {
		permute(&f);
		answer(&f);
		tell_residual(&f, 0, 1);
	}
	end(&f);
	return code;
}
