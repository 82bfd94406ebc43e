/* pieces.c - see pieces.h. */
#include "base/size.h"
#include "ops/blas/pieces.h"

/* Is it C -= op(A) op(B) or C = op(A) op(B)? The kernels of tensor cores
 * compute nothing else. */
static bool is_known(const struct blas_gemm *g)
{
	return (g->alpha == -1 && g->beta == 1) ||
	       (g->alpha == 1 && g->beta == 0);
}

bool blas_is_large(const struct blas_gemm *g)
{
	return is_known(g) && size_min(g->m, g->n) >= BLAS_TENSOR_LINES &&
	       g->k >= BLAS_TENSOR_DEPTH &&
	       (double)g->m * (double)g->n * (double)g->k >= BLAS_TENSOR_WORK;
}

bool blas_on_tensor(const struct blas_gemm *g)
{
	const struct blas_tensor *t = g->tensor;

	return t && g->m <= t->m && g->n <= t->n && g->k <= t->k &&
	       blas_is_large(g);
}

/* Returns the part of op(X) that begins at row `row` and column `col`. Its step
 * leads to the next block, which lies `rows` rows and `cols` columns of op(X)
 * further on. */
static struct blas_part moved(const struct blas_part *p, size_t row,
                              size_t col, size_t rows, size_t cols)
{
	const size_t down = p->transposed ? 1 : p->ld;
	const size_t along = p->transposed ? p->ld : 1;
	struct blas_part x = *p;

	x.at += row * down + col * along;
	x.step = rows * down + cols * along;
	return x;
}

/* Returns the product for `stack` blocks of C, each m x n: the first is at (i,
 * j), and the others follow it along the diagonal. */
static struct blas_call piece_of(const struct blas_call *x, size_t i, size_t j,
                                 size_t m, size_t n, size_t stack)
{
	struct blas_call y = {
		x->g, moved(&x->a, i, 0, m, 0), moved(&x->b, 0, j, 0, n),
		moved(&x->c, i, j, m, n)
	};

	y.g.m = m;
	y.g.n = n;
	y.g.stack = stack;
	return y;
}

void blas_pieces(const struct blas_call *x, blas_piece_fn *visit, void *arg)
{
	const size_t m = x->g.m, n = x->g.n, w = size_min(n, BLAS_LOWER_COLS);
	size_t j = 0, blocks, rest;
	struct blas_call y;

	for (size_t end; j < n; j = end) {
		end = size_min(n, j + w);
		if (end >= m)
			break;
		y = piece_of(x, end, j, m - end, end - j, 1);
		y.g.lower = false;
		if (!blas_on_tensor(&y.g))
			break;
		visit(&y, arg);
	}
	blocks = w > 0 ? j / w : 0;
	rest = blocks * w;
	if (blocks > 0) {
		y = piece_of(x, 0, 0, w, w, blocks);
		visit(&y, arg);
	}
	if (rest < n) {			/* the last rectangle may be narrow */
		y = piece_of(x, rest, rest, (j == n ? n : m) - rest, n - rest,
		             1);
		visit(&y, arg);
	}
}
