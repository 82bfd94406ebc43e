/* reduced.c - the n x n problem that has the singular values and the solution
 * of an m x n least squares problem, on the host; the outputs; and the
 * verdict. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/pages.h"
#include "ops/dense.h"
#include "ops/lapack/lapack.h"
#include "ops/lstsq/normal.h"
#include "ops/qr/probe.h"

/* Squared lengths outside of 1 / RANGE to RANGE may have lost digits to
 * underflow or overflow. */
static const double RANGE = 1e270;

/* U and the workspaces, as xGELSD takes them. */
struct room {
	double *u, *work;
	int *integers;
	int length;			/* of work */
};

static void room_fini(struct room *w)
{
	free(w->u);
	free(w->work);
	free(w->integers);
}

/* Allocates u for ld x ld elements, and the workspaces in the lengths that
 * LAPACK asks for. Returns false if there is no memory. */
static bool room_init(struct room *w, const struct lapack *l, size_t n,
                      size_t ld, size_t sides)
{
	const int rows = (int)n;
	double length = 1;
	int integers = 1, rank;

	l->d.gelsd(LAPACK_COLUMNS, rows, rows, (int)sides, NULL, rows, NULL,
	           rows, NULL, -1, &rank, &length, -1, &integers);
	w->length = (int)length + 1;
	w->u = pages_new(ld * ld * sizeof *w->u);
	w->work = malloc((size_t)w->length * sizeof *w->work);
	w->integers = malloc(((size_t)integers + 1) * sizeof *w->integers);
	return w->u && w->work && w->integers;
}

/* Replaces the ld x ld array u by the transpose of its upper left n x n part,
 * with rows of n elements: row-major becomes column-major. */
static void turn(double *u, size_t n, size_t ld)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const double upper = u[j * ld + i];

			u[j * ld + i] = u[i * ld + j];
			u[i * ld + j] = upper;
		}
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < n; j++)
			u[i * n + j] = u[i * ld + j];
}

static bool solve(const struct qr_normal *g, const struct args *a,
                  size_t sides, const struct lapack *l, const struct room *w,
                  struct lstsq_rank *r)
{
	const int n = (int)g->n;
	const double rcond = fmax(dense_rcond(a, LSTSQ_RCOND), DBL_MIN);
	int rank = 0, info;

	turn(w->u, g->n, g->ld);
	seq_host_begin(g->s);
	info = l->d.gelsd(LAPACK_COLUMNS, n, n, (int)sides, w->u, n, r->x, n,
	                  r->s, rcond, &rank, w->work, w->length, w->integers);
	seq_host_end(g->s);
	r->rank = (size_t)rank;
	r->first = r->s[0];
	r->next = r->rank < g->n ? r->s[r->rank] : 0;
	return info == 0;
}

bool lstsq_reduced(const struct qr_normal *g, const struct args *a,
                   size_t sides, struct buf z, struct lstsq_rank *r)
{
	const struct lapack *l = lapack_load(g->s, g->n, seq_err(g->s));
	struct room w = { 0 };
	bool good;

	if (!l)
		return false;
	r->s = malloc(g->n * sizeof *r->s);
	r->x = malloc(g->n * sides * sizeof *r->x);
	good = room_init(&w, l, g->n, g->ld, sides) && r->s && r->x;
	if (!good)
		err_set(seq_err(g->s), ERR_MEMORY, "lstsq: no memory for a "
		        "%zux%zu matrix", g->n, g->n);
	seq_read(g->s, g->u[0], 0, w.u, g->ld * g->ld * sizeof *w.u);
	seq_read(g->s, z, 0, r->x, g->n * sides * sizeof *r->x);
	good = good && !seq_failed(g->s) && solve(g, a, sides, l, &w, r);
	room_fini(&w);
	return good;
}

void lstsq_rank_fini(struct lstsq_rank *r)
{
	free(r->s);
	free(r->x);
}

static bool is_in_range(double x)
{
	return x == 0 || (x < RANGE && x > 1 / RANGE);
}

bool lstsq_is_finite(const struct qr_normal *g, size_t sides,
                     const struct lstsq_values *v)
{
	const size_t each = g->n + 1, count = g->stack * sides;
	bool good = true;

	for (size_t c = 0; c < count; c++)
		good &= is_in_range(v->before[c * each + each - 1]);
	for (size_t i = 0; i < count * each; i++)
		good &= isfinite(v->after[i]) != 0;
	for (size_t i = 0; i < count * g->n; i++)
		good &= isfinite(v->x[i]) != 0;
	return good;
}

/* Returns |x| without overflow or underflow of the squares. */
static double norm(const double *x, size_t n)
{
	double most = 0, unit, sum = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i]));
	unit = probe_unit(most);
	for (size_t i = 0; i < n; i++)
		sum += x[i] * unit * (x[i] * unit);
	return sqrt(sum) / unit;
}

double lstsq_ratio(const struct qr_normal *g, size_t sides,
                   const struct lstsq_values *v, const struct lstsq_rank *r)
{
	const size_t n = g->n, each = n + 1;
	const double eps = dtype_epsilon(g->dtype) / 2 *
	                   (double)size_max(g->m, sides);
	double most = 0;

	for (size_t i = 0; i < g->stack * sides; i++) {
		const double of_b = sqrt(v->before[i * each + n]);
		const double of_x = norm(v->x + i * n, n);
		const double gradient = norm(v->after + i * each, n);
		const double size = r->first * (r->first * of_x + of_b);

		if (gradient > 0)
			most = fmax(most, gradient / size /
			                  (eps + r->next / r->first));
	}
	return most;
}

void lstsq_give(const struct qr_normal *g, size_t sides, struct buf rounded,
                struct args *a, const struct lstsq_rank *r)
{
	const size_t bytes = g->stack * g->n * sides * dtype_bytes(a->dtype);

	if (dense_has(a, LSTSQ_X))
		seq_copy(g->s, rounded, 0,
		         seq_output(g->s, &a->out[LSTSQ_X]), 0, bytes);
	for (size_t i = 0; i < g->stack && dense_has(a, LSTSQ_RANK); i++)
		matrix_set(&a->out[LSTSQ_RANK], i, (double)r->rank);
	for (size_t i = 0; i < g->n && dense_has(a, LSTSQ_S); i++)
		matrix_set(&a->out[LSTSQ_S], i, r->s[i]);
}
