/* divide.c - see divide.h. The rank-one tearing of Cuppen (1981) makes T the
 * sum of two diagonal blocks and a correction,
 *
 *     T = diag(T1, T2) + |e| v v^T,   v = (0, ..., 0, 1, sign e, 0, ..., 0),
 *
 * down to leaves, whose eigenpairs Jacobi's method computes. Then the nodes of
 * a level are merged side by side (merge.h).
 *
 * T is extended by diagonal elements above its spectrum to an order that halves
 * evenly down to the leaves. No rotation and no product mixes them with T: they
 * are deflated everywhere, and sort behind the eigenvalues of T. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/tridiagonal/divide.h"
#include "ops/tridiagonal/merge.h"
#include "shared/divide_room.h"

enum { LEAF_ITEMS = 64 };		/* work-items of a leaf */

static struct divide divide_of(size_t n, enum dtype t, bool vectors)
{
	struct divide x = {
		.n = n, .leaf = n, .vectors = vectors,
		.eps = vectors && t == FLOAT32 ? FLT_EPSILON : DBL_EPSILON,
	};
	size_t nodes = 1;

	while (x.leaf > DIVIDE_LEAF) {
		nodes *= 2;
		x.leaf = size_blocks(n, nodes);
	}
	x.order = x.leaf * nodes;
	return x;
}

/* --- on the host */

static bool is_finite(size_t n, const double *d, const double *e)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(d[i]) || (i + 1 < n && !isfinite(e[i])))
			return false;
	return true;
}

static double largest(size_t n, const double *d, const double *e)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fmax(fabs(d[i]), i + 1 < n ? fabs(e[i]) : 0));
	return most;
}

/* T, scaled and extended: both arrays have `order` elements. */
struct extended {
	double *d, *e;
	int exponent;			/* T is 2^exponent times this */
};

/* Returns a number above all eigenvalues, by Gershgorin's theorem. */
static double above_spectrum(size_t n, const struct extended *t)
{
	double bound = -INFINITY;

	for (size_t i = 0; i < n; i++)
		bound = fmax(bound, t->d[i] + fabs(t->e[i]) +
		                    (i > 0 ? fabs(t->e[i - 1]) : 0));
	return bound + 1.0 / 16;
}

static void extend(const struct divide *x, const double *d, const double *e,
                   struct extended *t)
{
	const double most = largest(x->n, d, e);
	double above;

	t->exponent = most > 0 ? ilogb(most) + 1 : 0;
	for (size_t i = 0; i < x->order; i++) {
		t->d[i] = i < x->n ? ldexp(d[i], -t->exponent) : 0;
		t->e[i] = i + 1 < x->n ? ldexp(e[i], -t->exponent) : 0;
	}
	above = above_spectrum(x->n, t);
	for (size_t i = x->n; i < x->order; i++)
		t->d[i] = above;
}

/* Makes the leaves' diagonals those of the torn matrix. */
static void tear(const struct divide *x, struct extended *t)
{
	for (size_t i = x->leaf; i < x->order; i += x->leaf) {
		t->d[i - 1] -= fabs(t->e[i - 1]);
		t->d[i] -= fabs(t->e[i - 1]);
	}
}

/* --- on the device */

static size_t square_bytes(const struct divide *x, enum dtype t)
{
	return x->order * x->order * dtype_bytes(t);
}

static void make_buffers(struct seq *s, struct divide *x)
{
	const size_t bytes = square_bytes(x, seq_dtype(s));
	const struct blas_gemm most = divide_most(x);
	const float zero = 0;		/* all bits 0: a zero of both types */

	x->room = seq_scratch(s, DIVIDE_ARRAYS * x->order * sizeof(double));
	x->lists = seq_scratch(s, DIVIDE_LISTS * x->order * sizeof(int32_t));
	if (!x->vectors)
		return;
	x->q = seq_scratch(s, bytes);
	x->p = seq_scratch(s, bytes);
	x->u = seq_scratch(s, bytes);
	seq_fill(s, x->q, 0, bytes, &zero, sizeof zero);
	x->tensor = blas_tensor_of(s, &most);
}

/* Computes the eigenpairs of all leaves. */
static void solve_leaves(struct seq *s, const struct divide *x,
                         const struct extended *t)
{
	const size_t n = x->order, bytes = n * sizeof(double);
	const size_t square = DIVIDE_LEAF * (DIVIDE_LEAF + 1) * sizeof(double);
	const struct buf d = seq_constant(s, t->d, bytes);
	const struct buf e = seq_constant(s, t->e, bytes);

	seq_copy(s, e, 0, x->room, DIVIDE_COUPLING * bytes, bytes);
	seq_launch(s, "divide_leaves",
	           GRID1(n / x->leaf * LEAF_ITEMS, LEAF_ITEMS), ARG_BUF(d),
	           ARG_BUF(e), ARG_INT(x->leaf), ARG_INT(n), ARG_BUF(x->room),
	           ARG_BUF(x->vectors ? x->q : d), ARG_INT(x->vectors),
	           ARG_LOCAL(square), ARG_LOCAL(square),
	           ARG_LOCAL(DIVIDE_LEAF * sizeof(double)),
	           ARG_LOCAL(LEAF_ITEMS * sizeof(double)));
}

/* Sorts the eigenvalues, reads them to d, and writes the eigenvectors to z in
 * the same order. */
static void finish(struct seq *s, const struct divide *x, int exponent,
                   double *d, struct buf z)
{
	const size_t n = x->order;

	divide_sort(s, x, n);
	seq_launch(s, "divide_values", GRID1(n, 64), ARG_BUF(x->room),
	           ARG_BUF(x->lists), ARG_INT(n));
	if (x->vectors)
		seq_launch(s, "divide_vectors", GRID2(x->n, x->n, 64, 4),
		           ARG_BUF(x->q), ARG_BUF(x->lists), ARG_INT(n),
		           ARG_INT(x->n), ARG_BUF(z));
	seq_read(s, x->room, DIVIDE_D * n * sizeof(double), d,
	         x->n * sizeof *d);
	for (size_t i = 0; i < x->n && !seq_failed(s); i++)
		d[i] = ldexp(d[i], exponent);
}

static int decompose(struct seq *s, struct divide *x, double *d,
                     const double *e, struct buf z)
{
	double *room;
	struct extended t;

	if (!is_finite(x->n, d, e))
		return err_set(seq_err(s), ERR_NONFINITE, "the tridiagonal "
		               "matrix has a NaN or an infinity");
	room = malloc(2 * x->order * sizeof *room);
	if (!room)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for a "
		               "tridiagonal matrix of order %zu", x->n);
	t = (struct extended){ room, room + x->order, 0 };
	extend(x, d, e, &t);
	tear(x, &t);
	make_buffers(s, x);
	solve_leaves(s, x, &t);
	free(room);
	for (size_t size = 2 * x->leaf; size <= x->order; size *= 2)
		divide_merge(s, x, size);
	finish(s, x, t.exponent, d, z);
	return seq_failed(s) ? -1 : 0;
}

int tridiagonal_decompose(struct seq *s, size_t n, double *d,
                          const double *e, struct buf z)
{
	struct divide x = divide_of(n, seq_dtype(s), true);

	return n == 0 ? 0 : decompose(s, &x, d, e, z);
}

int tridiagonal_values(struct seq *s, size_t n, double *d, const double *e)
{
	struct divide x = divide_of(n, seq_dtype(s), false);

	return n == 0 ? 0 : decompose(s, &x, d, e, (struct buf){ 0 });
}

/* --- memory */

static void add_need(struct need *need, const struct sheet *d, enum dtype t,
                     const struct divide *x)
{
	const size_t n = x->order;
	const struct blas_gemm most = divide_most(x);

	if (n == 0)
		return;
	need_buffer(need, DIVIDE_ARRAYS * n * sizeof(double));
	need_buffer(need, DIVIDE_LISTS * n * sizeof(int32_t));
	need_scratch(need, 2 * n * sizeof(double), n * sizeof(double));
	if (!x->vectors)
		return;
	need_scratch(need, 3 * square_bytes(x, t), square_bytes(x, t));
	blas_gemm_need(need, d, t, &most);
}

void tridiagonal_decompose_need(struct need *need, const struct sheet *d,
                                enum dtype t, size_t n)
{
	const struct divide x = divide_of(n, t, true);

	add_need(need, d, t, &x);
}

void tridiagonal_values_need(struct need *need, const struct sheet *d,
                             enum dtype t, size_t n)
{
	const struct divide x = divide_of(n, t, false);

	add_need(need, d, t, &x);
}
