/* trsm.c - see trsm.h. */
#include "base/size.h"
#include "ops/blas/trsm.h"
#include "shared/blas_tile.h"

enum { NB = BLAS_NB, ITEMS = BLAS_ITEMS };

/* Returns whether kernels/blas/trsm_wide.cl is the faster kernel. With fewer
 * right-hand sides than it asks for, more than half of its work-items would be
 * idle. */
static bool is_wide(const struct blas_trsm *g, bool transposed)
{
	return !transposed && g->sides >= BLAS_WIDE_SIDES / 2;
}

/* Returns how many rows are solved before one product updates all rows after
 * them. A larger number means fewer products, with a larger inner dimension,
 * which tensor cores compute faster. But it also means that more rows are
 * updated by the slower products of kernels/blas/trsm.cl; or of trsm_wide.cl,
 * which for one matrix occupies few compute units. The numbers are estimates by
 * the cost model of docs/matmul.md, but for that of one matrix: on an H200,
 * 1024 rows and right-hand sides took 0.44 ms at once. */
static size_t depth_of(const struct blas_trsm *g, bool transposed)
{
	if (g->stack == 1 && is_wide(g, transposed))
		return 256;
	return g->n <= 1024 ? 1024 : g->n <= 2048 ? 512 : 256;
}

/* Returns the part of p from its row i and column j on. */
static struct blas_part from(const struct blas_part *p, size_t i, size_t j)
{
	struct blas_part q = *p;

	q.at += p->transposed ? j * p->ld + i : i * p->ld + j;
	return q;
}

static struct blas_part turned(struct blas_part p)
{
	p.transposed = !p.transposed;
	return p;
}

/* Launches step k of kernels/blas/trsm.cl for `rows` rows from row `at` on,
 * counted from the last row if T is upper triangular. Step k solves tile k and
 * stores tile k - 1, so that one step more than there are tiles is needed. */
static void step(struct seq *s, const struct blas_trsm *g,
                 const struct blas_part *t, const struct blas_part *x,
                 size_t at, size_t rows, size_t k)
{
	const size_t last = g->n - 1, tiles = size_blocks(rows, NB);
	const size_t after = k < tiles ? tiles - k - 1 : 0;
	const size_t groups = after + (k > 0);
	const int64_t sign = g->upper ? -1 : 1;
	const int64_t t_ld = sign * (int64_t)t->ld;
	const int64_t x_ld = (x->transposed ? 1 : sign) * (int64_t)x->ld;
	const size_t t_at = t->at + (g->upper ? last * (t->ld + 1) : 0);
	const size_t x_at = x->at + (g->upper ? last *
	                             (x->transposed ? 1 : x->ld) : 0);

	seq_work(s, (double)g->stack * NB * g->sides *
	            (k < tiles ? NB + 2.0 * NB * after : 0), 0);
	seq_launch(s, "blas_trsm",
	           GRID2(size_blocks(g->sides, NB) * groups * ITEMS, g->stack,
	                 ITEMS, 1),
	           ARG_BUF(t->b), ARG_LONG(t_at), ARG_LONG(t->step),
	           ARG_LONG(t->transposed ? sign : t_ld),
	           ARG_LONG(t->transposed ? t_ld : sign),
	           ARG_BUF(x->b), ARG_LONG(x_at), ARG_LONG(x->step),
	           ARG_LONG(x->transposed ? sign : x_ld),
	           ARG_LONG(x->transposed ? x_ld : 1),
	           ARG_INT(at + rows), ARG_INT(g->sides), ARG_INT(g->unit),
	           ARG_INT(at + k * NB), ARG_INT(after),
	           ARG_LOCAL(BLAS_ROOM * dtype_bytes(seq_dtype(s))),
	           ARG_FIRST(0));
}

/* Returns the number of columns of X that can have an element that is not zero
 * in the first `rows` rows; with g->lower_x the other columns are zero
 * there. */
static size_t sides_before(const struct blas_trsm *g, size_t rows)
{
	return g->lower_x ? size_min(rows, g->sides) : g->sides;
}

/* Launches kernels/blas/trsm_wide.cl for `rows` rows from row `at` on. Rows are
 * counted from the end if op(T) is upper triangular, as in step(). */
static void wide(struct seq *s, const struct blas_trsm *g,
                 const struct blas_part *t, const struct blas_part *x,
                 size_t at, size_t rows)
{
	const size_t first = g->upper ? g->n - 1 - at : at;
	const int64_t sign = g->upper ? -1 : 1;
	const int64_t t_ld = sign * (int64_t)t->ld;
	const size_t sides = sides_before(g, at + rows);
	const size_t chunks = size_blocks(sides, BLAS_WIDE_SIDES);

	seq_work(s, (double)g->stack * rows * rows * sides, 0);
	seq_launch(s, "blas_trsm_wide",
	           GRID2(chunks * BLAS_WIDE_ITEMS, g->stack,
	                 BLAS_WIDE_ITEMS, 1),
	           ARG_BUF(t->b), ARG_LONG(t->at + first * (t->ld + 1)),
	           ARG_LONG(t->step), ARG_LONG(t->transposed ? sign : t_ld),
	           ARG_LONG(t->transposed ? t_ld : sign), ARG_BUF(x->b),
	           ARG_LONG(x->at + first * x->ld), ARG_LONG(x->step),
	           ARG_LONG(sign * (int64_t)x->ld), ARG_INT(rows),
	           ARG_INT(sides), ARG_INT(g->unit),
	           ARG_INT(g->lower_x ? at : g->sides),
	           ARG_LOCAL(BLAS_WIDE_ROOM * dtype_bytes(seq_dtype(s))),
	           ARG_FIRST(0));
}

/* Computes X_i -= T_ij X_j, or, where X is transposed, X_i^T -= X_j^T T_ij^T.
 * X_i has m rows from row i on, X_j has nb rows from row j on. */
static void update(struct seq *s, const struct blas_trsm *g,
                   const struct blas_part *t, const struct blas_part *x,
                   size_t i, size_t m, size_t j, size_t nb)
{
	const struct blas_part tij = from(t, i, j), xi = from(x, i, 0);
	const struct blas_part xj = from(x, j, 0);
	struct blas_gemm c = {
		.stack = g->stack, .m = m, .n = sides_before(g, j + nb),
		.k = nb, .alpha = -1, .beta = 1, .tensor = g->tensor,
	};

	if (x->transposed) {
		const struct blas_part a = turned(xj), b = turned(tij);
		const struct blas_part to = turned(xi);

		c.m = g->sides;
		c.n = m;
		blas_gemm(s, &c, &a, &b, &to);
	} else {
		blas_gemm(s, &c, &tij, &xj, &xi);
	}
}

/* Says that those rows of X, counted as in step(), are complete. */
static void rows_done(struct seq *s, const struct blas_trsm *g,
                      const struct blas_part *x, size_t at, size_t rows)
{
	const size_t first = g->upper ? g->n - at - rows : at;
	const size_t row = g->sides * dtype_bytes(seq_dtype(s));

	seq_output_done(s, x->b, first * row, (first + rows) * row);
}

void blas_trsm(struct seq *s, const struct blas_trsm *g,
               const struct blas_part *t, const struct blas_part *x)
{
	const size_t n = g->sides && g->stack ? g->n : 0;
	const size_t depth = depth_of(g, x->transposed);
	const bool at_once = is_wide(g, x->transposed);

	for (size_t at = 0; at < n; at += depth) {
		const size_t rows = size_min(depth, n - at);
		const size_t end = at + rows, rest = n - end;
		const size_t steps = size_blocks(rows, NB) + 1;

		if (at_once)
			wide(s, g, t, x, at, rows);
		for (size_t k = 0; !at_once && k < steps; k++)
			step(s, g, t, x, at, rows, k);
		if (g->is_output)
			rows_done(s, g, x, at, rows);
		update(s, g, t, x, g->upper ? 0 : end, rest,
		       g->upper ? rest : at, rows);
	}
}

struct blas_gemm blas_trsm_most(const struct blas_trsm *g, bool transposed)
{
	const size_t k = size_min(depth_of(g, transposed), g->n);
	const size_t rest = g->n - k;

	return (struct blas_gemm){
		.stack = g->stack, .m = transposed ? g->sides : rest,
		.n = transposed ? rest : g->sides, .k = k, .alpha = -1,
		.beta = 1,
	};
}
