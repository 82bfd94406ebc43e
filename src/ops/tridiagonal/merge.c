/* merge.c - launches the kernels for one level; kernels/tridiagonal has the
 * mathematics. */
#include "base/size.h"
#include "ops/tridiagonal/merge.h"
#include "shared/divide_room.h"

enum {
	DEFLATE = 256,			/* work-items of a node */
	/* For nodes of at most WHOLE rows, Q = P U is computed as a whole. For
	 * larger nodes, blocks of zeros and deflated columns are left out. The
	 * host must wait for the device to know the sizes of these. */
	WHOLE = 256,
	NODES = 64,			/* most nodes of a level for which the
					 * sizes are read */
};

/* The extent of the products of a level. A pole is an eigenvalue of the halves
 * that was not deflated (shared/divide_room.h); the first columns of P in a
 * node belong to its poles. `poles` and `fewest` are the largest and the
 * smallest number of poles of a node, `upper` is the largest number of columns
 * of P that are not 0 in the rows of the upper half, and `skipped` is the
 * smallest number of columns that are 0 in the rows of the lower half. */
struct extent {
	size_t poles, fewest, upper, skipped;
};

static size_t group_of(size_t size)
{
	return size <= 64 ? 32 : size <= 512 ? 64 : 128;
}

#define ROOM(x, size) \
	ARG_BUF((x)->room), ARG_BUF((x)->lists), ARG_INT((x)->order), \
	ARG_INT(size)

void divide_sort(struct seq *s, const struct divide *x, size_t size)
{
	const size_t group = group_of(size);

	seq_launch(s, "divide_order", GRID1(x->order * group, group),
	           ROOM(x, size), ARG_LOCAL(group * sizeof(int32_t)));
}

static void deflate(struct seq *s, const struct divide *x, size_t size)
{
	seq_launch(s, "divide_deflate",
	           GRID1(x->order / size * DEFLATE, DEFLATE), ROOM(x, size),
	           ARG_DOUBLE(x->eps), ARG_LOCAL(DEFLATE * sizeof(double)),
	           ARG_LOCAL(DEFLATE * 4 * sizeof(int32_t)));
}

/* Solves the secular equations. Computes all roots, then the z for which these
 * roots are exact, and the norms of all eigenvectors. */
static void solve(struct seq *s, const struct divide *x, size_t size)
{
	const size_t group = group_of(size);
	const struct grid g = GRID1(x->order * group, group);

	seq_launch(s, "divide_roots", g, ROOM(x, size),
	           ARG_LOCAL(group * 4 * sizeof(double)));
	seq_launch(s, "divide_fit", g, ROOM(x, size),
	           ARG_LOCAL(group * sizeof(double)));
	seq_launch(s, "divide_scale", g, ROOM(x, size),
	           ARG_LOCAL(group * 4 * sizeof(double)));
}

static struct extent extent_of(struct seq *s, const struct divide *x,
                               size_t size)
{
	const size_t nodes = x->order / size;
	int32_t counts[NODES][COUNT_LENGTH] = { 0 };
	struct extent t = { 0, size, 0, size };

	if (size <= WHOLE || nodes > NODES)
		return (struct extent){ size, size, size, 0 };
	seq_read(s, x->lists, DIVIDE_COUNTS * x->order * sizeof counts[0][0],
	         counts, nodes * sizeof counts[0]);
	for (size_t i = 0; i < nodes; i++) {
		const int32_t *c = counts[i];

		t.poles = size_max(t.poles, c[COUNT_POLES]);
		t.fewest = size_min(t.fewest, c[COUNT_POLES]);
		t.upper = size_max(t.upper, c[COUNT_UPPER] + c[COUNT_FULL]);
		t.skipped = size_min(t.skipped, c[COUNT_UPPER]);
	}
	return t;
}

/* Q = P U. The columns of P from `upper` on are 0 in the upper half of the
 * rows, and those before `skipped` are 0 in the lower half. */
static void multiply(struct seq *s, const struct divide *x, size_t size,
                     const struct extent *t)
{
	const size_t ld = x->order, step = size * ld + size, half = size / 2;
	struct blas_gemm g = { .stack = ld / size, .m = half, .n = t->poles,
	                       .k = t->upper, .alpha = 1,
	                       .tensor = &x->tensor };
	struct blas_part p = { x->p, 0, ld, step, false };
	struct blas_part u = { x->u, 0, ld, step, false };
	struct blas_part q = { x->q, 0, ld, step, false };

	if (t->upper == size && t->skipped == 0) {
		g.m = size;
		blas_gemm(s, &g, &p, &u, &q);
		return;
	}
	blas_gemm(s, &g, &p, &u, &q);
	g.k = t->poles - t->skipped;
	p.at = half * ld + t->skipped;
	u.at = t->skipped * ld;
	q.at = half * ld;
	blas_gemm(s, &g, &p, &u, &q);
}

/* Computes Q = P U, and copies the deflated columns from P to Q. */
static void update(struct seq *s, const struct divide *x, size_t size)
{
	const struct extent t = extent_of(s, x, size);

	if (t.poles > 0)
		multiply(s, x, size, &t);
	if (t.fewest < size)
		seq_launch(s, "divide_keep",
		           GRID2(size - t.fewest, x->order, 64, 4),
		           ARG_BUF(x->lists), ARG_INT(x->order), ARG_INT(size),
		           ARG_INT(t.fewest), ARG_BUF(x->p), ARG_BUF(x->q));
}

void divide_merge(struct seq *s, const struct divide *x, size_t size)
{
	const size_t group = group_of(size);

	divide_sort(s, x, size);
	deflate(s, x, size);
	solve(s, x, size);
	if (!x->vectors)
		return;
	seq_launch(s, "divide_gather", GRID1(x->order * group, group),
	           ROOM(x, size), ARG_BUF(x->q), ARG_BUF(x->p));
	seq_launch(s, "divide_rotation", GRID2(size, x->order, 64, 4),
	           ROOM(x, size), ARG_BUF(x->u));
	update(s, x, size);
}

struct blas_gemm divide_most(const struct divide *x)
{
	return (struct blas_gemm){ .stack = 1, .m = x->order / 2,
	                           .n = x->order, .k = x->order, .alpha = 1 };
}
