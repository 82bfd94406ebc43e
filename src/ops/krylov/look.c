/* look.c - see krylov.h: one pass over the entries of A. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/sparse.h"
#include "ops/krylov/krylov.h"

/* Elements a_ij and a_ji may differ by this many units of rounding of the
 * largest element: a client may have computed them in different ways. */
enum { SLACK = 100 };

/* A's arrays. next[j] is the first place in row j, behind its diagonal, that
 * has not been compared with its mirror yet: rows are visited in ascending
 * order, and so are the columns of row j. */
struct reader {
	const struct matrix *m;
	const float *single;
	const double *twofold;
	const int64_t *start;
	const int32_t *column;
	int64_t *next;
};

static double value(const struct reader *r, int64_t k)
{
	return r->single ? (double)r->single[k] : r->twofold[k];
}

static bool reader_init(struct reader *r, const struct matrix *m)
{
	const void *values = matrix_data(m);

	*r = (struct reader){
		.m = m, .start = sparse_starts(m), .column = sparse_columns(m),
		.single = m->dtype == FLOAT32 ? values : NULL,
		.twofold = m->dtype == FLOAT32 ? NULL : values,
		.next = malloc((m->dim[0] + 1) * sizeof *r->next),
	};
	return r->next != NULL;
}

/* Adds row i to what is known; returns its first element that is not finite, or
 * the row's end. */
static int64_t look_at_row(struct krylov_look *l, const struct reader *r,
                           size_t i)
{
	const int64_t end = r->start[i + 1];
	double sum = 0;

	l->corner[i] = -1;
	r->next[i] = end;
	for (int64_t k = r->start[i]; k < end; k++) {
		const double x = value(r, k), size = fabs(x);

		if (!isfinite(x))
			return k;
		sum += size;
		l->largest = fmax(l->largest, size);
		if ((size_t)r->column[k] == i)
			l->corner[i] = (int32_t)k;
		else if ((size_t)r->column[k] > i && r->next[i] == end)
			r->next[i] = k;
	}
	l->norm = fmin(fmax(l->norm, sum), DBL_MAX);
	return end;
}

static void look_at_diagonal(struct krylov_look *l, const struct reader *r,
                             size_t i)
{
	const double x = l->corner[i] < 0 ? 0 : value(r, l->corner[i]);

	if (x == 0 && l->bare == r->m->dim[0])
		l->bare = i;
	l->positive &= x > 0;
}

static void differs(struct krylov_look *l, size_t i, size_t j, double lower,
                    double upper)
{
	l->symmetric = false;
	l->row = i;
	l->column = j;
	l->below = upper;
	l->above = lower;
}

/* Compares element (i, j), j < i, with its mirror, which must be the next one
 * of row j. */
static void compare(struct krylov_look *l, const struct reader *r, size_t i,
                    int64_t k, double slack)
{
	const size_t j = (size_t)r->column[k];
	const double x = value(r, k);
	int64_t at = r->next[j];
	double mirror = 0;

	for (; at < r->start[j + 1] && (size_t)r->column[at] < i; at++)
		if (fabs(value(r, at)) > slack)
			differs(l, j, (size_t)r->column[at], value(r, at), 0);
	if (at < r->start[j + 1] && (size_t)r->column[at] == i)
		mirror = value(r, at++);
	r->next[j] = at;
	if (fabs(x - mirror) > slack)
		differs(l, i, j, x, mirror);
}

static void look_for_symmetry(struct krylov_look *l, const struct reader *r)
{
	const double slack = SLACK * dtype_epsilon(r->m->dtype) * l->largest;
	const size_t n = r->m->dim[0];

	for (size_t i = 0; i < n && l->symmetric; i++)
		for (int64_t k = r->start[i]; k < r->start[i + 1] &&
		     (size_t)r->column[k] < i; k++)
			compare(l, r, i, k, slack);
	for (size_t j = 0; j < n && l->symmetric; j++)
		for (int64_t k = r->next[j]; k < r->start[j + 1]; k++)
			if (fabs(value(r, k)) > slack)
				differs(l, j, (size_t)r->column[k],
				        value(r, k), 0);
}

static int look(struct krylov_look *l, const struct reader *r, struct err *e)
{
	const size_t n = r->m->dim[0];

	for (size_t i = 0; i < n; i++) {
		const int64_t k = look_at_row(l, r, i);

		if (k < r->start[i + 1])
			return err_set_at(e, ERR_NONFINITE, "/a", "solve: the "
			    "element of a in row %zu, column %d, counted from "
			    "0, is %g, must be finite", i, r->column[k],
			    value(r, k));
		look_at_diagonal(l, r, i);
	}
	look_for_symmetry(l, r);
	return 0;
}

int krylov_look(struct krylov_look *l, const struct matrix *m, struct err *e)
{
	struct reader r;
	const bool fits = reader_init(&r, m);
	int rc;

	*l = (struct krylov_look){
		.corner = malloc((m->dim[0] + 1) * sizeof *l->corner),
		.symmetric = true, .positive = true, .bare = m->dim[0],
	};
	if (fits && l->corner)
		rc = look(l, &r, e);
	else
		rc = err_set(e, ERR_MEMORY, "solve: no memory for %zu rows",
		             m->dim[0]);
	free(r.next);
	return rc;
}
