/* factors.c - preconditioners; see krylov.h and kernels/krylov/factors.cl. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/derived.h"
#include "ops/krylov/krylov.h"

enum {
	SHIFTS = 12,			/* of the diagonal that are tried */
	MOST_LEVELS = 4096,		/* of a launch of sweep_resident(), some
					 * 10 ms */
	FEW = 4				/* work-groups: so few take longer to
					 * wait for each other than one of them
					 * takes to compute the rows alone */
};
#define FIRST_SHIFT 1e-3

/* What is derived from a stored matrix, as numbers that are added to
 * KRYLOV_DERIVED(). A sweep takes two: its order of the rows, and its
 * levels. */
enum { DIAGONAL, CORNER, LU, PIVOT, LOWER, UPPER = LOWER + 2 };

static int number_of(const struct krylov *k, enum krylov_preconditioner kind)
{
	return KRYLOV_DERIVED(k->m->dtype, kind, k->wish.shared);
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

/* Sweeps through all levels by a kernel whose work-groups wait for each other
 * after each level. `with` is r for L z = r, and the pivots for U z = z. */
static void sweep_resident(struct krylov *k, const char *kernel,
                           const struct krylov_sweep *w, struct buf with,
                           struct buf z)
{
	const struct krylov_factors *f = &k->factors;
	const struct grid g = krylov_resident_grid(k, w);

	for (size_t l = 0, to; l < w->n; l = to) {
		to = size_min(l + MOST_LEVELS, w->n);
		seq_launch(k->s, kernel, g, ARG_BUF(k->state),
		           ARG_BUF(k->times.m.index), SWEEP(k, w, l, to),
		           ARG_BUF(k->met), ARG_BUF(f->corner),
		           ARG_BUF(f->lu), ARG_BUF(with), ARG_BUF(z));
	}
}

/* Does the same by a launch for each wide level, and for narrow levels that
 * follow each other. */
static void sweep_by_levels(struct krylov *k, const char *kernel,
                            const struct krylov_sweep *w, struct buf with,
                            struct buf z)
{
	const struct krylov_factors *f = &k->factors;

	for (size_t l = 0, to; l < w->n; l = to) {
		to = krylov_sweep_end(w, l);
		seq_launch(k->s, kernel, krylov_sweep_grid(k, w, l, to),
		           ARG_BUF(k->state), ARG_BUF(k->times.m.index),
		           SWEEP(k, w, l, to), ARG_BUF(f->corner),
		           ARG_BUF(f->lu), ARG_BUF(with), ARG_BUF(z));
	}
}

/* The first of the kernels is for sweep_by_levels(), the second for
 * sweep_resident(). */
static void sweep(struct krylov *k, const char *const kernels[],
                  const struct krylov_sweep *w, struct buf with, struct buf z)
{
	const struct grid g = krylov_resident_grid(k, w);
	const bool resident = k->wish.resident && g.global[0] > FEW * k->items;

	work(k);
	if (resident)
		sweep_resident(k, kernels[1], w, with, z);
	else
		sweep_by_levels(k, kernels[0], w, with, z);
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
		to = krylov_sweep_end(w, l);
		seq_launch(k->s, "krylov_factor",
		           krylov_sweep_grid(k, w, l, to),
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

/* Makes the buffers of the factors. Returns whether they are known. */
static bool make_buffers(struct krylov *k, int number)
{
	const size_t each = dtype_bytes(k->m->dtype);
	struct krylov_factors *f = &k->factors;
	bool known[3];

	f->corner = seq_derived(k->s, k->m, number + CORNER,
	                        k->n * sizeof(int32_t), &known[0]);
	f->lu = seq_derived(k->s, k->m, number + LU, k->m->nnz * each,
	                    &known[1]);
	f->pivot = seq_derived(k->s, k->m, number + PIVOT, k->n * each,
	                       &known[2]);
	return known[0] && known[1] && known[2];
}

static struct krylov_made *made_of(const struct krylov *k,
                                   enum krylov_preconditioner kind)
{
	return !k->known ? NULL :
	       &k->known->made[k->wish.shared][kind == PRECONDITION_ICHOL0];
}

/* Takes the factors that an earlier call has made, or else returns false. */
static bool find_factors(struct krylov *k, enum krylov_preconditioner kind)
{
	const int number = number_of(k, kind);
	struct krylov_made *made = made_of(k, kind);
	struct krylov_factors *f = &k->factors;
	bool all;

	if (!made || !made->done)
		return false;
	f->shift = made->shift;
	f->lower = made->lower;
	f->upper = made->upper;
	f->kept = true;
	all = make_buffers(k, number);
	all &= krylov_sweep_find(k, &f->lower, number + LOWER);
	all &= krylov_sweep_find(k, &f->upper, number + UPPER);
	if (all)
		return true;
	free(made->lower.begin);
	free(made->upper.begin);
	*made = (struct krylov_made){ 0 };
	*f = (struct krylov_factors){ .kind = kind };
	return false;
}

static int make_sweeps(struct krylov *k, enum krylov_preconditioner kind)
{
	const int number = number_of(k, kind);
	struct krylov_factors *f = &k->factors;

	make_buffers(k, number);
	seq_write(k->s, f->corner, 0, k->look.corner, k->n * sizeof(int32_t));
	return krylov_sweep_init(k, &f->lower, false, number + LOWER) < 0 ||
	       krylov_sweep_init(k, &f->upper, true, number + UPPER) < 0 ?
	       -1 : 0;
}

static void keep_factors(struct krylov *k, enum krylov_preconditioner kind)
{
	struct krylov_made *made = made_of(k, kind);
	struct krylov_factors *f = &k->factors;

	if (!made)
		return;
	*made = (struct krylov_made){ true, f->lower, f->upper, f->shift };
	f->kept = true;
}

static int factors(struct krylov *k, enum krylov_preconditioner kind,
                   struct err *e)
{
	const bool cholesky = kind == PRECONDITION_ICHOL0;
	size_t fault;

	if (cholesky && !k->look.symmetric)
		return err_set_at(e, ERR_MATHEMATICS, "/a", "solve: ichol0 "
		                  "needs a symmetric matrix"), 1;
	if (refuse_diagonal(k, e))
		return 1;
	if (find_factors(k, kind))
		return 0;
	if (make_sweeps(k, kind) < 0)
		return -1;
	fault = cholesky ? factor_shifted(k) : factor(k, false);
	if (seq_failed(k->s))
		return -1;
	if (fault == k->n)
		keep_factors(k, kind);
	return fault == k->n ? 0 :
	       refuse_row(cholesky ? "ichol0" : "ilu0", fault, cholesky ?
	                  "has no positive pivot, also with a larger diagonal"
	                  : "has the pivot zero", e);
}

static int diagonal(struct krylov *k, struct err *e)
{
	const enum dtype t = k->m->dtype;
	const size_t bytes = k->n * dtype_bytes(t);
	bool known;
	double *d;
	float *f;

	if (k->look.bare < k->n)
		return refuse_row("jacobi", k->look.bare, "has no diagonal "
		                  "element, or zero", e);
	k->factors.diagonal = seq_derived(k->s, k->m, DIAGONAL +
	    number_of(k, PRECONDITION_JACOBI), bytes, &known);
	if (known)
		return 0;
	d = malloc((k->n + 1) * sizeof *d);
	f = (float *)d;
	if (!d)
		return err_set(seq_err(k->s), ERR_MEMORY, "solve: no memory "
		               "for %zu diagonal elements", k->n);
	for (size_t i = 0; i < k->n; i++) {
		const double x = 1 / ldexp(matrix_get(k->m,
		    (size_t)k->look.corner[i]), -k->exponent);

		if (t == FLOAT32)
			f[i] = (float)x;
		else
			d[i] = x;
	}
	seq_write(k->s, k->factors.diagonal, 0, d, bytes);
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
	if (!f->kept) {
		free(f->lower.begin);
		free(f->upper.begin);
	}
	*f = (struct krylov_factors){ .kind = PRECONDITION_NONE };
}

struct buf krylov_apply(struct krylov *k, struct buf r, struct buf z)
{
	static const char *const lower[] = { "krylov_lower",
	                                     "krylov_lower_resident" };
	static const char *const upper[] = { "krylov_upper",
	                                     "krylov_upper_resident" };
	const struct krylov_factors *f = &k->factors;

	if (k->factors.diagonal.id) {
		krylov_work(k, 2, 1);
		seq_launch(k->s, "krylov_diagonal", KRYLOV_GRID(k),
		           ARG_BUF(k->state), ARG_BUF(k->factors.diagonal),
		           ARG_BUF(r), ARG_BUF(z), KRYLOV_BLOCKS(k));
		return z;
	}
	if (!k->factors.lu.id)
		return r;
	sweep(k, lower, &f->lower, r, z);
	sweep(k, upper, &f->upper, f->pivot, z);
	return z;
}

struct buf krylov_diagonal_of(const struct krylov *k)
{
	return k->factors.diagonal;
}
