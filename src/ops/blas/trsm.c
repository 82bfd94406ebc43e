/* trsm.c - see trsm.h. */
#include "base/size.h"
#include "ops/blas/trsm.h"
#include "shared/blas_tile.h"

/* Tensor cores are faster when the inner dimension of a product is larger; for
 * them DEEP rows are solved before the others are updated. */
enum { NB = BLAS_NB, DEEP = 4 * NB, SIDES = BLAS_SIDES };

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

static void block(struct seq *s, const struct blas_trsm *g,
                  const struct blas_part *t, const struct blas_part *x,
                  size_t nb)
{
	seq_work(s, (double)g->stack * nb * nb * g->sides, 0);
	seq_launch(s, "blas_trsm",
	           GRID2(g->sides, g->stack, SIDES, 1), BLAS_PART_ARGS(t),
	           BLAS_PART_ARGS(x), ARG_INT(nb), ARG_INT(g->sides),
	           ARG_INT(g->upper), ARG_INT(g->unit),
	           ARG_LOCAL(BLAS_TRIANGLE_ROOM * dtype_bytes(seq_dtype(s))));
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
		.stack = g->stack, .m = m, .n = g->sides, .k = nb,
		.alpha = -1, .beta = 1, .tensor = g->tensor,
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

/* Solves for n rows, from row `at` on, in blocks of NB rows. */
static void solve(struct seq *s, const struct blas_trsm *g,
                  const struct blas_part *t, const struct blas_part *x,
                  size_t at, size_t n)
{
	const size_t blocks = size_blocks(n, NB);

	for (size_t k = 0; k < blocks; k++) {
		const size_t in = (g->upper ? blocks - 1 - k : k) * NB;
		const size_t nb = size_min(NB, n - in), j = at + in;
		const size_t first = g->upper ? at : j + nb;
		const size_t rest = g->upper ? in : at + n - first;
		const struct blas_part tjj = from(t, j, j);
		const struct blas_part xj = from(x, j, 0);

		block(s, g, &tjj, &xj, nb);
		update(s, g, t, x, first, rest, j, nb);
	}
}

/* Returns how many rows are solved before all others are updated. */
static size_t depth_of(const struct blas_trsm *g)
{
	return g->tensor && g->tensor->k > 0 ? DEEP : NB;
}

void blas_trsm(struct seq *s, const struct blas_trsm *g,
               const struct blas_part *t, const struct blas_part *x)
{
	const size_t depth = depth_of(g);
	const size_t blocks = g->sides && g->stack ? size_blocks(g->n, depth) :
	                                             0;

	for (size_t k = 0; k < blocks; k++) {
		const size_t j = (g->upper ? blocks - 1 - k : k) * depth;
		const size_t nb = size_min(depth, g->n - j);
		const size_t first = g->upper ? 0 : j + nb;
		const size_t rest = g->upper ? j : g->n - first;

		solve(s, g, t, x, j, nb);
		update(s, g, t, x, first, rest, j, nb);
	}
}

struct blas_gemm blas_trsm_most(const struct blas_trsm *g, bool transposed)
{
	const size_t k = size_min(DEEP, g->n), rest = g->n - k;

	return (struct blas_gemm){
		.stack = g->stack, .m = transposed ? g->sides : rest,
		.n = transposed ? rest : g->sides, .k = k, .alpha = -1,
		.beta = 1,
	};
}
