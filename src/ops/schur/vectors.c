/* vectors.c - the eigenvectors of a quasi-triangular matrix on the device; see
 * schur.h and kernels/schur/vectors.cl. */
#include <float.h>

#include "base/size.h"
#include "ops/schur/schur.h"
#include "shared/schur_tile.h"

enum { ITEMS = SCHUR_LANES * SCHUR_VECTORS, ROW = 64 };

/* The eigenvectors of a quasi-triangular matrix while they are computed, with
 * the matrix's eigenvalues. */
struct task {
	const struct schur *c;
	struct buf t, y;
	const double *re, *im;
};

/* Computes the elements `first` to `end` - 1 of all eigenvectors, the block, by
 * back substitution; the elements from `end` on are known. */
static void solve(const struct task *v, size_t first, size_t end)
{
	struct seq *const s = v->c->s;
	const size_t n = v->c->n;
	const double least = DBL_MIN * ((double)n / DBL_EPSILON);
	const size_t groups = size_blocks(n - first, SCHUR_VECTORS);
	const struct blas_part t = { .b = v->t, .at = first, .ld = n,
	                             .transposed = true };
	const struct blas_part solved = { .b = v->y, .at = first * n + first,
	                                  .ld = n };
	const struct blas_part rest = { .b = v->y, .at = first * n, .ld = n };
	const struct blas_gemm g = {
		.stack = 1, .m = n - first, .n = first, .k = end - first,
		.alpha = -1, .beta = 1,
	};

	seq_launch(s, "schur_solve", GRID1(groups * ITEMS, ITEMS),
	           ARG_BUF(v->t), ARG_INT(n), ARG_INT(first), ARG_INT(end),
	           ARG_DOUBLE(least), ARG_BUF(v->c->told), ARG_BUF(v->y));
	/* R = R - Y_I T_I^T for all eigenvectors with elements in the block
	 * I */
	if (first > 0)
		blas_gemm(s, &g, &solved, &t, &rest);
}

static void solve_all(const struct task *v)
{
	struct seq *const s = v->c->s;
	const size_t n = v->c->n, bytes = n * sizeof *v->re;
	const double zero = 0;

	seq_fill(s, v->y, 0, n * bytes, &zero, sizeof zero);
	seq_write(s, v->c->told, 0, v->re, bytes);
	seq_write(s, v->c->told, bytes, v->im, bytes);
	for (size_t end = n; end > 0; ) {
		size_t first = end - size_min(SCHUR_BLOCK, end);

		/* Row `first` must not be the second one of a pair. */
		first -= v->im[first] < 0;
		solve(v, first, end);
		end = first;
	}
}

void schur_right_vectors(const struct schur *c, struct buf y)
{
	solve_all(&(struct task){ c, c->t, y, c->re, c->im });
}

void schur_left_vectors(const struct schur *c, struct buf flipped,
                        struct buf y)
{
	const size_t n = c->n;

	for (size_t i = 0; i < n; i++) {
		c->shift_re[i] = c->re[n - 1 - i];
		c->shift_im[i] = 0 - c->im[n - 1 - i];
	}
	seq_launch(c->s, "schur_flip", GRID1(n * n, ROW), ARG_BUF(c->t),
	           ARG_INT(n), ARG_BUF(flipped));
	solve_all(&(struct task){ c, flipped, c->t, c->shift_re,
	                          c->shift_im });
	seq_launch(c->s, "schur_unflip", GRID1(n * n, ROW), ARG_BUF(c->t),
	           ARG_INT(n), ARG_BUF(c->told), ARG_BUF(y));
}
