/* trtri.c - see trtri.h. */
#include "ops/blas/trtri.h"

#include "base/size.h"
#include "shared/blas_tile.h"

enum { NB = BLAS_NB };

/* The blocks that begin at row i and column j, and then every `step` rows and
 * columns further on. */
static struct blas_part blocks(const struct blas_trtri *g, struct buf b,
                               size_t i, size_t j, size_t step)
{
	return (struct blas_part){ .b = b, .at = i * g->n + j, .ld = g->n,
	                           .step = step * (g->n + 1) };
}

/* X_ii = L_ii^-1 for `count` blocks of `rows` rows, the first at row i. */
static void diagonal(struct seq *s, const struct blas_trtri *g, size_t i,
                     size_t rows, size_t count)
{
	const struct blas_trsm solve = { .stack = count, .n = rows,
	                                 .sides = rows };
	const struct blas_part l = blocks(g, g->l, i, i, rows);
	const struct blas_part x = blocks(g, g->x, i, i, rows);

	if (rows > 0 && count > 0)
		blas_trsm(s, &solve, &l, &x);
}

/* X21 -= X22 (L21 X11), where X21 is 0 before, for `count` pairs of blocks: the
 * first pair is at row i, and X11 has `rows` rows, X22 `lower`. */
static void join(struct seq *s, const struct blas_trtri *g, size_t i,
                 size_t rows, size_t lower, size_t count)
{
	const size_t j = i + rows, step = 2 * rows;
	const struct blas_part l21 = blocks(g, g->l, j, i, step);
	const struct blas_part x11 = blocks(g, g->x, i, i, step);
	const struct blas_part x22 = blocks(g, g->x, j, j, step);
	const struct blas_part x21 = blocks(g, g->x, j, i, step);
	const struct blas_part room = blocks(g, g->room, j, i, step);
	struct blas_gemm p = {
		.stack = count, .m = lower, .n = rows, .k = rows, .alpha = 1,
		.tensor = g->tensor,
	};

	if (lower == 0 || count == 0)
		return;
	blas_gemm(s, &p, &l21, &x11, &room);
	p.k = lower;
	p.alpha = -1;
	p.beta = 1;
	blas_gemm(s, &p, &x22, &room, &x21);
}

void blas_trtri(struct seq *s, const struct blas_trtri *g)
{
	const size_t n = g->n;

	diagonal(s, g, 0, NB, n / NB);
	diagonal(s, g, n / NB * NB, n % NB, 1);
	for (size_t rows = NB; rows < n; rows *= 2) {
		const size_t pairs = n / (2 * rows), at = pairs * 2 * rows;

		join(s, g, 0, rows, rows, pairs);
		join(s, g, at, rows, n - at - size_min(n - at, rows), 1);
	}
}
