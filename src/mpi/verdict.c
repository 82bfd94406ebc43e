/* verdict.c - how good eigenpairs are: residual and orthogonality, as
 * ops/eigen/judge.c defines them. Process 0 estimates them alone, in O(n^2)
 * operations, from the front's memory; with quality=full all processes compute
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/eigen.h"
#include "mpi/measure.h"
#include "mpi/routines.h"
#include "ops/eigen/judge.h"

static void tell(const struct spectrum *s, double residual,
                 double orthogonality, double norm)
{
	const double unit = (double)s->n * dtype_epsilon(s->w->order.dtype);
	struct verdict *v = &s->w->a->verdict;

	v->residual = residual == 0 ? 0 : residual / (norm * unit);
	v->orthogonality = orthogonality / unit;
}

/* --- the estimate */

static double at(const struct spectrum *s, const void *x, size_t i)
{
	return s->w->order.dtype == FLOAT32 ? (double)((const float *)x)[i] :
	                                      ((const double *)x)[i];
}

static double norm2(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

/* u = V g, w = V diag(lambda) g, where g are random weights */
static void combine(const struct spectrum *s, const void *v, double *u,
                    double *w)
{
	for (size_t i = 0; i < s->n; i++) {
		u[i] = w[i] = 0;
		for (size_t k = 0; k < s->count; k++) {
			const double x = at(s, v, i * s->count + k) *
			                 eigen_weight(s->order[k]);

			u[i] += x;
			w[i] += x * s->values[s->order[k]];
		}
	}
}

/* w = A u - w; returns the largest row sum of |A|. */
static double subtract(const struct spectrum *s, const void *a,
                       const double *u, double *w)
{
	double most = 0;

	for (size_t i = 0; i < s->n; i++) {
		double sum = 0, size = 0;

		for (size_t j = 0; j < s->n; j++) {
			const double x = at(s, a, i * s->n + j);

			sum += x * u[j];
			size += fabs(x);
		}
		w[i] = sum - w[i];
		most = fmax(most, size);
	}
	return most;
}

/* t = V^T u - g */
static void turn_back(const struct spectrum *s, const void *v,
                      const double *u, double *t)
{
	for (size_t k = 0; k < s->count; k++)
		t[k] = -eigen_weight(s->order[k]);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->count; k++)
			t[k] += at(s, v, i * s->count + k) * u[i];
}

static enum err_code estimate(const struct spectrum *s)
{
	const void *const v = eigen_vectors(s);
	const double root = sqrt((double)s->count);
	double *const u = malloc(3 * s->n * sizeof *u), *w, *t, norm;

	if (!u)
		return ERR_MEMORY;
	w = u + s->n;
	t = w + s->n;
	combine(s, v, u, w);
	norm = subtract(s, matrix_data(&s->w->a->in[EIGEN_A]), u, w);
	turn_back(s, v, u, t);
	tell(s, norm2(w, s->n) / root, norm2(t, s->count) / root, norm);
	free(u);
	return ERR_NONE;
}

/* --- exactly */

/* Marks the chosen eigenvalues by 1, in every process. */
static void share_choice(const struct spectrum *s, double *chosen)
{
	memset(chosen, 0, s->n * sizeof *chosen);
	for (size_t k = 0; s->w->a && k < s->count; k++)
		chosen[s->order[k]] = 1;
	grid_sum(s->w->g, chosen, s->n);
}

/* R = R - V diag(lambda) */
static void subtract_scaled(const struct spectrum *s, struct dist *r)
{
	for (size_t j = 0; j < r->cols; j++)
		for (size_t i = 0; i < r->rows; i++)
			dist_set(r, i, j, dist_element(r, i, j) -
			         s->values[dist_col(r, j)] *
			         dist_element(&s->z, i, j));
}

/* The largest row sum of |G - I| for the chosen rows and columns. */
static double deviation(const struct dist *g, const double *chosen,
                        double *sums)
{
	memset(sums, 0, g->m * sizeof *sums);
	for (size_t j = 0; j < g->cols; j++)
		for (size_t i = 0; i < g->rows; i++) {
			const size_t row = dist_row(g, i), col = dist_col(g, j);

			if (chosen[row] != 0 && chosen[col] != 0)
				sums[row] += fabs(dist_element(g, i, j) -
				                  (row == col));
		}
	grid_sum(g->g, sums, g->m);
	return measure_largest(sums, g->m);
}

static double residual(struct spectrum *s, struct dist *r,
                       const double *chosen, double *sums)
{
	double most = 0;

	routine_gemm(false, 1, &s->a, &s->z, 0, r);
	subtract_scaled(s, r);
	measure_squares(r, sums);
	for (size_t i = 0; i < s->n; i++)
		if (chosen[i] != 0)
			most = verdict_worse(most, sqrt(sums[i]));
	return most;
}

static enum err_code compute(struct spectrum *s)
{
	struct dist r = { 0 };
	double *const sums = malloc(2 * s->n * sizeof *sums);
	double norm, most, orthogonality;
	double *const chosen = sums ? sums + s->n : NULL;
	enum err_code code = grid_agree(s->w->g, sums ? ERR_NONE : ERR_MEMORY);

	if (code == ERR_NONE)
		code = dist_new(&r, s->w->g, s->w->order.dtype, s->n, s->n);
	if (code == ERR_NONE)
		code = eigen_hand_out(s);
	if (code == ERR_NONE) {
		share_choice(s, chosen);
		measure_rows(&s->a, sums);
		norm = measure_largest(sums, s->n);
		most = residual(s, &r, chosen, sums);
		routine_gemm(true, 1, &s->z, &s->z, 0, &r);
		orthogonality = deviation(&r, chosen, sums);
		if (s->w->a)
			tell(s, most, orthogonality, norm);
	}
	dist_fini(&r);
	free(sums);
	return code;
}

enum err_code eigen_verdict(struct spectrum *s)
{
	const int64_t begun_ns = work_begin();
	enum err_code code;

	if (s->w->order.quality == QUALITY_FULL)
		return compute(s);
	code = grid_agree(s->w->g, s->w->a && s->count > 0 ? estimate(s) :
	                                                     ERR_NONE);
	work_end(s->w, STAGE_COMPUTE, begun_ns, 1);
	return code;
}
