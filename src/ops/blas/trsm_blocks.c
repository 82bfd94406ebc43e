/* trsm_blocks.c - see trsm_blocks.h. */
#include "base/size.h"
#include "ops/blas/trsm_blocks.h"

enum { NB = BLAS_TRSM_BLOCK, ITEMS = 64 };

size_t blas_trsm_blocks_bytes(size_t n, enum dtype t)
{
	return size_blocks(n, NB) * NB * NB * dtype_bytes(t);
}

/* Returns block number k of the inverses. */
static struct blas_part inverse(struct buf inverses, size_t k)
{
	return (struct blas_part){ inverses, k * NB * NB, NB, NB * NB, false };
}

/* Inverts `count` diagonal blocks of n rows, of which the first is block k. */
static void invert(struct seq *s, const struct blas_trsm *g,
                   const struct blas_part *t, struct buf inverses, size_t k,
                   size_t count, size_t n)
{
	const struct blas_part x = inverse(inverses, k);
	struct blas_trsm each = *g;
	struct blas_part tkk = *t;

	if (count == 0 || n == 0)
		return;
	each.stack = count;
	each.n = each.sides = n;
	each.lower_x = !g->upper;
	tkk.at += k * NB * (t->ld + 1);
	tkk.step = NB * (t->ld + 1);
	blas_trsm(s, &each, &tkk, &x);
}

/* Rows of a matrix with `ld` elements in a row, from row `first` on. */
static struct blas_part rows(const struct blas_part *x, size_t first)
{
	struct blas_part y = *x;

	y.at += first * x->ld;
	return y;
}

/* Solves for block k, and updates the rows that are still to be solved. */
static void step(struct seq *s, const struct blas_trsm *g,
                 const struct blas_part *t, const struct blas_part *x,
                 const struct blas_part *z, struct buf inverses, size_t k)
{
	const size_t j = k * NB, w = size_min(NB, g->n - j), end = j + w;
	const size_t i = g->upper ? 0 : end;
	const struct blas_part by = inverse(inverses, k);
	const struct blas_part xj = rows(x, j), zj = rows(z, j);
	const struct blas_part xi = rows(x, i);
	struct blas_part tij = *t;
	struct blas_gemm c = {
		.stack = 1, .m = w, .n = g->lower_x ? end : g->sides, .k = w,
		.alpha = 1, .tensor = g->tensor,
	};

	tij.at += t->transposed ? j * t->ld + i : i * t->ld + j;
	blas_gemm(s, &c, &by, &xj, &zj);
	c.m = g->upper ? j : g->n - end;
	c.alpha = -1;
	c.beta = 1;
	blas_gemm(s, &c, &tij, &zj, &xi);
}

void blas_trsm_blocks(struct seq *s, const struct blas_trsm *g,
                      const struct blas_part *t, const struct blas_part *x,
                      const struct blas_part *z, struct buf inverses)
{
	const size_t blocks = g->sides ? size_blocks(g->n, NB) : 0;
	const size_t whole = g->n / NB, count = blocks * NB * NB;

	if (blocks == 0)
		return;
	seq_launch(s, "blas_identity", GRID1(count, ITEMS), ARG_BUF(inverses),
	           ARG_INT(NB), ARG_LONG(count));
	invert(s, g, t, inverses, 0, whole, NB);
	invert(s, g, t, inverses, whole, blocks - whole, g->n - whole * NB);
	for (size_t k = 0; k < blocks; k++)
		step(s, g, t, x, z, inverses, g->upper ? blocks - 1 - k : k);
}

struct blas_gemm blas_trsm_blocks_most(const struct blas_trsm *g)
{
	return (struct blas_gemm){
		.stack = 1, .m = g->n, .n = g->sides, .k = NB, .alpha = -1,
		.beta = 1,
	};
}
