/* eigen.c - eigenvalues and eigenvectors of a symmetric matrix, by PxSYEVD, or
 * by PxSYEV if no vectors are wanted. All are computed; process 0 chooses among
 * them as the other variants do (ops/eigen/choose.c). */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "mpi/eigen.h"
#include "mpi/measure.h"
#include "mpi/routines.h"
#include "ops/failure.h"
#include "ops/lapack/stack.h"

/* ScaLAPACK counts its workspace, twice a process's share, in an int. */
enum { MOST = 1 << 30 };

/* Fails the call in the operation's own words. */
static enum err_code fail(struct work *w, struct failure_detail why)
{
	const struct failure f = { .detail = why };

	if (w->a)
		w->a->op->describe(w->a, &f, w->err);
	return (enum err_code)why.code;
}

int eigen_prepare(struct work *w, struct err *e)
{
	const struct matrix *m = &w->a->in[EIGEN_A];
	const size_t n = matrix_rows(m);
	struct failure_detail why;

	w->order = (struct order){
		.kind = WORK_EIGEN, .dtype = w->a->dtype,
		.quality = w->a->quality, .m = n, .n = n, .k = 1,
		.vectors = w->a->out[EIGEN_VECTORS].memory ||
		           w->a->out[EIGEN_LEFT_VECTORS].memory,
	};
	why = lapack_nonfinite(w->a, EIGEN_A, matrix_data(m));
	if (why.code == ERR_NONE)
		why = eigen_asymmetry(w->a, e);
	if (why.code != ERR_NONE && !e->code)
		fail(w, why);
	return e->code ? -1 : 0;
}

static enum err_code begin(struct spectrum *s, struct work *w)
{
	const size_t n = w->order.n;
	enum err_code code;

	*s = (struct spectrum){
		.w = w, .n = n, .values = malloc(n * sizeof *s->values),
		.order = malloc(n * sizeof *s->order),
	};
	code = dist_new(&s->a, w->g, w->order.dtype, n, n);
	if (code == ERR_NONE && w->order.vectors)
		code = dist_new(&s->z, w->g, w->order.dtype, n, n);
	if (code == ERR_NONE)
		code = grid_agree(w->g, s->a.ld * s->a.cols >= MOST ?
		                        ERR_TOO_LARGE : ERR_NONE);
	return grid_agree(w->g, s->values && s->order ? code : ERR_MEMORY);
}

static void end(struct spectrum *s)
{
	dist_fini(&s->a);
	dist_fini(&s->z);
	free(s->values);
	free(s->order);
}

/* Returns rows of the mean of A and its transpose, which is A where that is
 * exactly symmetric. */
static const void *get(void *arg, size_t first, size_t count, void *room)
{
	const struct matrix *m = arg;
	const size_t n = matrix_rows(m);
	const float *x = matrix_data(m);
	const double *y = matrix_data(m);

	for (size_t j = 0; j < n; j++)
		for (size_t i = first; i < first + count; i++) {
			const size_t at = i * n + j, across = j * n + i;
			const size_t to = (i - first) * n + j;

			if (m->dtype == FLOAT32)
				((float *)room)[to] = x[at] / 2 + x[across] / 2;
			else
				((double *)room)[to] = y[at] / 2 +
				                       y[across] / 2;
		}
	return room;
}

enum err_code eigen_hand_out(struct spectrum *s)
{
	struct args *const a = s->w->a;
	const int64_t begun_ns = work_begin();
	const struct matrix *m = a ? &a->in[EIGEN_A] : NULL;
	struct strided x = { .each = dtype_bytes(s->w->order.dtype),
	                     .columns = s->n, .row = s->n, .col = 1 };
	const bool mean = a && a->param[EIGEN_P_STRUCTURE] ==
	                       EIGEN_SYMMETRIC_STRUCTURE;
	enum err_code code;

	if (m)
		x.data = matrix_data(m);
	code = mean ? dist_scatter(&s->a, get, (void *)m) :
	              dist_scatter(&s->a, work_get_strided, &x);
	work_end(s->w, STAGE_UP, begun_ns, 0.1);
	return code;
}

static enum err_code decompose(struct spectrum *s)
{
	const int64_t begun_ns = work_begin();
	const bool vectors = s->w->order.vectors;
	const double n = (double)s->n;
	double failed;
	int info = 0;
	enum err_code code = routine_syev(&s->a, s->values,
	                                  vectors ? &s->z : NULL, &info);

	/* LAPACK counts 4/3 n^3 for the reduction, and at most 4 n^3 for the
	 * vectors. */
	work_routine(s->w, vectors ? "syevd" : "syev", begun_ns,
	             (vectors ? 16.0 / 3 : 4.0 / 3) * n * n * n, 0.9);
	/* Small matrices are decomposed by process 0 alone, and the others do
	 * not get the eigenvalues. */
	grid_share(s->w->g, s->values, s->n);
	failed = info != 0;
	grid_most(s->w->g, &failed, 1);
	if (code == ERR_NONE && failed != 0)
		code = fail(s->w, (struct failure_detail){
			.code = ERR_CONVERGENCE, .at = EIGEN_BY_LAPACK });
	return code;
}

/* Is the eigenvalue finite, as it is stored? */
static bool is_finite(const struct spectrum *s, double value)
{
	return s->w->order.dtype == FLOAT32 ? isfinite((float)value) :
	                                      isfinite(value);
}

static enum err_code choose(struct spectrum *s)
{
	struct eigen_choice c;
	int count;

	if (!s->w->a)
		return ERR_NONE;
	c = eigen_choice_of(s->w->a);
	count = eigen_choose(&c, s->values, NULL, s->n, s->order);
	s->count = count < 0 ? 0 : (size_t)count;
	for (size_t k = 0; k < s->count; k++)
		if (!is_finite(s, s->values[s->order[k]]))
			return fail(s->w, (struct failure_detail){
				.code = ERR_MATHEMATICS,
				.at = EIGEN_FAULT_BEYOND });
	return count < 0 ? ERR_MEMORY : ERR_NONE;
}

enum err_code eigen_work(struct work *w)
{
	struct spectrum s;
	enum err_code code = begin(&s, w);

	if (code == ERR_NONE)
		code = eigen_hand_out(&s);
	if (code == ERR_NONE)
		code = decompose(&s);
	if (code == ERR_NONE)
		code = grid_agree(w->g, choose(&s));
	if (code == ERR_NONE)
		code = eigen_answer(&s);
	if (code == ERR_NONE && w->order.vectors &&
	    w->order.quality != QUALITY_NONE)
		code = eigen_verdict(&s);
	end(&s);
	return code;
}
