/* factors.c - preconditioners; see krylov.h and kernels/krylov/factors.cl. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/krylov/krylov.h"

enum {
	NARROW = 2048,			/* the most rows of a level that
					 * shares its launch with others */
	SHIFTS = 12			/* of the diagonal that are tried */
};
#define FIRST_SHIFT 1e-3

/* --- levels */

/* A level is one more than the highest of those that the row depends on: of the
 * columns before the diagonal or, for the upper sweep, behind it. Returns the
 * number of levels. */
static int32_t find_levels(const struct krylov *k, bool upper, int32_t *level)
{
	const int64_t *start = sparse_starts(k->m);
	const int32_t *column = sparse_columns(k->m);
	int32_t most = 0;

	for (size_t t = 0; t < k->n; t++) {
		const size_t i = upper ? k->n - 1 - t : t;
		const int64_t corner = k->look.corner[i];
		const int64_t end = upper ? start[i + 1] : corner;
		int32_t own = 0;

		for (int64_t at = upper ? corner + 1 : start[i]; at < end; at++)
			if (level[column[at]] >= own)
				own = level[column[at]] + 1;
		level[i] = own;
		most = own > most ? own : most;
	}
	return k->n > 0 ? most + 1 : 0;
}

/* Sorts the rows by their levels. */
static void sort_rows(const int32_t *level, size_t n, struct krylov_sweep *w,
                      int32_t *order)
{
	for (size_t i = 0; i < n; i++)
		w->begin[level[i] + 1]++;
	for (size_t l = 0; l < w->n; l++)
		w->begin[l + 1] += w->begin[l];
	for (size_t i = 0; i < n; i++)
		order[w->begin[level[i]]++] = (int32_t)i;
	for (size_t l = w->n; l > 0; l--)
		w->begin[l] = w->begin[l - 1];
	w->begin[0] = 0;
}

static int sweep_by_levels(struct krylov *k, struct krylov_sweep *w,
                           bool upper)
{
	int32_t *level = malloc((2 * k->n + 1) * sizeof *level);

	if (level) {
		w->n = (size_t)find_levels(k, upper, level);
		w->begin = calloc(w->n + 2, sizeof *w->begin);
	}
	if (!level || !w->begin) {
		free(level);
		return err_set(seq_err(k->s), ERR_MEMORY, "solve: no memory "
		               "for the levels of %zu rows", k->n);
	}
	sort_rows(level, k->n, w, level + k->n);
	w->order = seq_constant(k->s, level + k->n, k->n * sizeof *level);
	w->level = seq_constant(k->s, w->begin, (w->n + 1) * sizeof *w->begin);
	free(level);
	return 0;
}

/* A work-item alone takes the rows in order. */
static int sweep_in_order(struct krylov *k, struct krylov_sweep *w)
{
	w->n = 1;
	w->begin = calloc(2, sizeof *w->begin);
	if (!w->begin)
		return err_set(seq_err(k->s), ERR_MEMORY, "solve: no memory "
		               "for a level");
	w->begin[1] = (int32_t)k->n;
	w->level = seq_constant(k->s, w->begin, 2 * sizeof *w->begin);
	return 0;
}

static int sweep_init(struct krylov *k, struct krylov_sweep *w, bool upper)
{
	return k->wish.shared ? sweep_in_order(k, w) :
	                        sweep_by_levels(k, w, upper);
}

static size_t rows_of(const struct krylov_sweep *w, size_t level)
{
	return (size_t)(w->begin[level + 1] - w->begin[level]);
}

/* Returns the end of the levels that one launch takes from `from` on. */
static size_t sweep_end(const struct krylov_sweep *w, size_t from)
{
	size_t to = from + 1;

	if (rows_of(w, from) > NARROW)
		return to;
	while (to < w->n && rows_of(w, to) <= NARROW)
		to++;
	return to;
}

static struct grid sweep_grid(const struct krylov *k,
                              const struct krylov_sweep *w, size_t from,
                              size_t to)
{
	const size_t rows = to == from + 1 && w->order.id ?
	                    rows_of(w, from) : 1;

	return GRID1(size_max(rows, 1), k->items);
}

/* The arguments for the levels of a launch. */
#define SWEEP(k, w, from, to) ARG_BUF((w)->order), ARG_BUF((w)->level), \
	ARG_INT(from), ARG_INT(to), ARG_INT((k)->n)

/* --- incomplete factors */

static void work(struct krylov *k)
{
	seq_work(k->s, (double)k->m->nnz, (double)k->m->nnz / 2 *
	         (double)(dtype_bytes(k->m->dtype) + sizeof(int32_t)));
}

static void lower(struct krylov *k, struct buf r, struct buf z)
{
	const struct krylov_factors *f = &k->factors;
	const struct krylov_sweep *w = &f->lower;

	work(k);
	for (size_t l = 0, to; l < w->n; l = to) {
		to = sweep_end(w, l);
		seq_launch(k->s, "krylov_lower", sweep_grid(k, w, l, to),
		           ARG_BUF(k->state), ARG_BUF(k->times.m.index),
		           SWEEP(k, w, l, to), ARG_BUF(f->corner),
		           ARG_BUF(f->lu), ARG_BUF(r), ARG_BUF(z));
	}
}

static void upper(struct krylov *k, struct buf z)
{
	const struct krylov_factors *f = &k->factors;
	const struct krylov_sweep *w = &f->upper;

	work(k);
	for (size_t l = 0, to; l < w->n; l = to) {
		to = sweep_end(w, l);
		seq_launch(k->s, "krylov_upper", sweep_grid(k, w, l, to),
		           ARG_BUF(k->state), ARG_BUF(k->times.m.index),
		           SWEEP(k, w, l, to), ARG_BUF(f->corner),
		           ARG_BUF(f->lu), ARG_BUF(f->pivot), ARG_BUF(z));
	}
}

/* Factors A with a diagonal times 1 + shift; returns the row that has no pivot,
 * or n. */
static size_t factor(struct krylov *k, bool positive)
{
	const struct krylov_factors *f = &k->factors;
	const struct krylov_sweep *w = &f->lower;
	int32_t fault = (int32_t)k->n;
	const struct buf at = seq_constant(k->s, &fault, sizeof fault);

	seq_launch(k->s, "krylov_factor_begin", GRID1(k->n, k->items),
	           ARG_BUF(k->times.m.index), ARG_INT(k->n),
	           ARG_BUF(k->times.m.values), ARG_BUF(f->corner),
	           ARG_DOUBLE(f->shift), ARG_BUF(f->lu));
	for (size_t l = 0, to; l < w->n; l = to) {
		to = sweep_end(w, l);
		seq_launch(k->s, "krylov_factor", sweep_grid(k, w, l, to),
		           ARG_BUF(k->times.m.index), SWEEP(k, w, l, to),
		           ARG_BUF(f->corner), ARG_BUF(f->lu),
		           ARG_BUF(f->pivot), ARG_INT(positive), ARG_BUF(at));
	}
	seq_read(k->s, at, 0, &fault, sizeof fault);
	return (size_t)fault;
}

/* A shift makes pivots positive that are not because of what the factors leave
 * out (T. A. Manteuffel 1980). */
static size_t factor_shifted(struct krylov *k)
{
	size_t fault = factor(k, true);

	for (int i = 0; i < SHIFTS && fault < k->n && !seq_failed(k->s); i++) {
		k->factors.shift = ldexp(FIRST_SHIFT, i);
		fault = factor(k, true);
	}
	return fault;
}

static int refuse_row(const char *name, size_t row, const char *why,
                      struct err *e)
{
	err_set_at(e, ERR_ZERO_PIVOT, "/a", "solve: %s: row %zu, counted from "
	           "0, %s", name, row, why);
	return 1;
}

static int refuse_diagonal(const struct krylov *k, struct err *e)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->look.corner[i] < 0)
			return refuse_row("incomplete factors", i, "has no "
			                  "entry on the diagonal", e);
	return 0;
}

static int factors(struct krylov *k, enum krylov_preconditioner kind,
                   struct err *e)
{
	const bool cholesky = kind == PRECONDITION_ICHOL0;
	struct krylov_factors *f = &k->factors;
	const size_t each = dtype_bytes(k->m->dtype);
	size_t fault;

	if (cholesky && !k->look.symmetric)
		return err_set_at(e, ERR_MATHEMATICS, "/a", "solve: ichol0 "
		                  "needs a symmetric matrix"), 1;
	if (refuse_diagonal(k, e))
		return 1;
	f->corner = seq_constant(k->s, k->look.corner, k->n * sizeof(int32_t));
	f->lu = seq_scratch(k->s, k->m->nnz * each);
	f->pivot = seq_scratch(k->s, k->n * each);
	if (sweep_init(k, &f->lower, false) < 0 ||
	    sweep_init(k, &f->upper, true) < 0)
		return -1;
	fault = cholesky ? factor_shifted(k) : factor(k, false);
	if (seq_failed(k->s))
		return -1;
	return fault == k->n ? 0 :
	       refuse_row(cholesky ? "ichol0" : "ilu0", fault, cholesky ?
	                  "has no positive pivot, also with a larger diagonal"
	                  : "has the pivot zero", e);
}

static int diagonal(struct krylov *k, struct err *e)
{
	const enum dtype t = k->m->dtype;
	double *d;
	float *f;

	if (k->look.bare < k->n)
		return refuse_row("jacobi", k->look.bare, "has no diagonal "
		                  "element, or zero", e);
	d = malloc((k->n + 1) * sizeof *d);
	f = (float *)d;
	if (!d)
		return err_set(seq_err(k->s), ERR_MEMORY, "solve: no memory "
		               "for %zu diagonal elements", k->n);
	for (size_t i = 0; i < k->n; i++) {
		const double x = ldexp(1 / matrix_get(k->m,
		    (size_t)k->look.corner[i]), k->exponent);

		if (t == FLOAT32)
			f[i] = (float)x;
		else
			d[i] = x;
	}
	k->factors.diagonal = seq_constant(k->s, d, k->n * dtype_bytes(t));
	free(d);
	return 0;
}

int krylov_factors_init(struct krylov *k, enum krylov_preconditioner kind,
                        struct err *e)
{
	int rc = 0;

	k->factors = (struct krylov_factors){ .kind = kind };
	if (kind == PRECONDITION_JACOBI)
		rc = diagonal(k, e);
	else if (kind != PRECONDITION_NONE)
		rc = factors(k, kind, e);
	if (rc != 0)
		krylov_factors_fini(&k->factors);
	return rc;
}

void krylov_factors_fini(struct krylov_factors *f)
{
	free(f->lower.begin);
	free(f->upper.begin);
	*f = (struct krylov_factors){ .kind = PRECONDITION_NONE };
}

struct buf krylov_apply(struct krylov *k, struct buf r, struct buf z)
{
	if (k->factors.diagonal.id) {
		krylov_work(k, 2, 1);
		seq_launch(k->s, "krylov_diagonal", KRYLOV_GRID(k),
		           ARG_BUF(k->state), ARG_BUF(k->factors.diagonal),
		           ARG_BUF(r), ARG_BUF(z), KRYLOV_BLOCKS(k));
		return z;
	}
	if (!k->factors.lu.id)
		return r;
	lower(k, r, z);
	upper(k, z);
	return z;
}

struct buf krylov_diagonal_of(const struct krylov *k)
{
	return k->factors.diagonal;
}
