/* solve.c - A X = B, or with A^T, by PxGETRF and PxGETRS, with one step of
 * iterative refinement (refine.c). A is transposed while it is handed out. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "mpi/measure.h"
#include "mpi/routines.h"
#include "mpi/solve.h"
#include "ops/failure.h"
#include "ops/lapack/stack.h"
#include "ops/lu/factor.h"
#include "ops/scalapack.h"
#include "ops/solve/iterative.h"

/* Fails the call, in process 0, in the operation's own words. */
static enum err_code fail(struct work *w, enum err_code code, int column)
{
	const struct failure f = { .detail = { .code = (int32_t)code,
	                                       .at = column } };

	if (w->a)
		solve_describe(w->a, &f, w->err);
	return code;
}

int solve_prepare(struct work *w, struct err *e)
{
	const struct matrix *a = &w->a->in[SOLVE_A], *b = &w->a->in[SOLVE_B];

	w->order = (struct order){
		.kind = WORK_SOLVE, .dtype = w->a->dtype,
		.quality = w->a->quality, .m = matrix_rows(a),
		.n = matrix_rows(a), .k = matrix_cols(b),
	};
	for (int i = SOLVE_A; i <= SOLVE_B; i++) {
		const struct matrix *m = &w->a->in[i];
		const size_t n = matrix_elements(m);

		if (lapack_find_nonfinite(m->dtype, matrix_data(m), n) < n)
			fail(w, ERR_NONFINITE, 0);
	}
	(void)e;
	return w->err->code ? -1 : 0;
}

static enum err_code begin(struct solving *s, struct work *w)
{
	const size_t n = w->order.n, sides = w->order.k;
	const enum dtype t = w->order.dtype;
	enum err_code code;

	*s = (struct solving){ .w = w, .n = n, .sides = sides };
	code = dist_new(&s->a, w->g, t, n, n);
	if (code == ERR_NONE)
		code = dist_new(&s->b, w->g, t, n, sides);
	s->pivots = calloc(s->a.rows + SCALAPACK_BLOCK + 1, sizeof *s->pivots);
	s->sums = malloc(2 * size_max(n, sides) * sizeof *s->sums);
	return grid_agree(w->g, s->pivots && s->sums ? code : ERR_MEMORY);
}

static void end(struct solving *s)
{
	dist_fini(&s->a);
	dist_fini(&s->lu);
	dist_fini(&s->b);
	dist_fini(&s->x);
	dist_fini(&s->r);
	free(s->pivots);
	free(s->sums);
}

static enum err_code hand_out(struct solving *s, int operand, struct dist *to)
{
	const struct args *a = s->w->a;
	const int64_t begun_ns = work_begin();
	struct strided x = { .each = dtype_bytes(s->w->order.dtype),
	                     .columns = to->n, .row = to->n, .col = 1 };
	enum err_code code;

	if (a)
		x.data = matrix_data(&a->in[operand]);
	if (a && operand == SOLVE_A && solve_turned(a)) {
		x.row = 1;
		x.col = to->n;
	}
	code = dist_scatter(to, work_get_strided, &x);
	work_end(s->w, STAGE_UP, begun_ns, operand == SOLVE_A ? 0.1 : 0.12);
	return code;
}

static enum err_code factor(struct solving *s)
{
	const double n = (double)s->n;
	enum err_code code = dist_copy(&s->lu, &s->a);
	int64_t begun_ns;
	int info;

	if (code == ERR_NONE)
		code = dist_copy(&s->x, &s->b);
	if (code == ERR_NONE)
		code = dist_copy(&s->r, &s->b);
	if (code != ERR_NONE)
		return code;
	begun_ns = work_begin();
	info = routine_getrf(&s->lu, s->pivots);
	work_routine(s->w, "getrf", begun_ns, lu_flops(n, n), 0.8);
	return info > 0 ? fail(s->w, ERR_SINGULAR, info - 1) : ERR_NONE;
}

static enum err_code substitute(struct solving *s)
{
	const double n = (double)s->n;
	const int64_t begun_ns = work_begin();

	routine_getrs(false, &s->lu, s->pivots, &s->x);
	solve_refine(s);
	work_routine(s->w, "getrs", begun_ns, 6 * n * n * (double)s->sides,
	             0.9);
	return grid_look(s->w->g);
}

/* The largest |b - A x| / (|A| |x|) of all columns, in 1-norms. */
static double ratio(struct solving *s, double norm)
{
	double *const defect = s->sums, *const size = s->sums + s->sides;
	double most = 0;

	solve_defect(s);
	measure_columns(&s->r, defect);
	measure_columns(&s->x, size);
	for (size_t j = 0; j < s->sides; j++)
		if (defect[j] != 0)
			most = verdict_worse(most, defect[j] / norm / size[j]);
	return most;
}

static enum err_code judge(struct solving *s)
{
	const double eps = dtype_epsilon(s->w->order.dtype);
	const int64_t begun_ns = work_begin();
	double norm, rcond = 0, forward = 0, most;
	enum err_code code;

	measure_columns(&s->a, s->sums);
	norm = measure_largest(s->sums, s->n);
	code = solve_rcond(s, norm, &rcond);
	if (code != ERR_NONE)
		return code;
	most = ratio(s, norm);
	code = solve_forward_error(s, &forward);
	work_end(s->w, STAGE_COMPUTE, begun_ns, 0.95);
	if (s->w->a) {
		struct verdict *v = &s->w->a->verdict;

		v->residual = most / ((double)s->n * eps / 2);
		v->forward_error = forward;
		v->refinements = 1;
		verdict_add_rcond(v, rcond, eps);
	}
	return code;
}

static enum err_code collect(struct solving *s)
{
	const int64_t begun_ns = work_begin();
	struct dense to = { .row_bytes = s->sides * dtype_bytes(s->x.dtype) };
	enum err_code code;

	if (s->w->a)
		to.data = matrix_data(&s->w->a->out[SOLVE_X]);
	code = dist_gather(&s->x, work_put_dense, &to);
	work_end(s->w, STAGE_DOWN, begun_ns, 1);
	return code;
}

static enum err_code solve(struct solving *s)
{
	enum err_code code = hand_out(s, SOLVE_A, &s->a);

	if (code == ERR_NONE)
		code = hand_out(s, SOLVE_B, &s->b);
	if (code == ERR_NONE)
		code = factor(s);
	if (code == ERR_NONE)
		code = substitute(s);
	if (code == ERR_NONE && s->w->order.quality != QUALITY_NONE)
		code = judge(s);
	return code == ERR_NONE ? collect(s) : code;
}

enum err_code solve_empty(struct work *w)
{
	w->a->verdict.residual = 0;
	return ERR_NONE;
}

enum err_code solve_work(struct work *w)
{
	struct solving s;
	enum err_code code = begin(&s, w);

	if (code == ERR_NONE)
		code = solve(&s);
	end(&s);
	return code;
}
