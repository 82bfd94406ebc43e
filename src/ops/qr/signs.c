/* signs.c - the signs of R's diagonal: Gaussian elimination in tiles
 * (kernels/qr/normal.cl) of X - S, where X is the upper n x n part of Q and S
 * the diagonal matrix of the signs. From its factors Householder's vectors
 * could be rebuilt (Ballard, Demmel, Grigori, Jacquelin, Knight and Nguyen
 * 2015). */
#include "ops/blas/gemm.h"
#include "ops/lu/residual.h"
#include "ops/qr/device.h"
#include "shared/qr_normal.h"

enum { TILE = QR_NORMAL_TILE, SIZE = TILE * TILE, ITEMS = QR_NORMAL_ITEMS };

size_t qr_signs_room(size_t ld)
{
	return SIZE * (1 + ld / TILE);
}

/* Eliminates the rows and columns of diagonal tile k from the tiles that are
 * both below it and to the right of it: X_ij -= X_ik (X_kk - S_k)^-1 X_kj. */
static void eliminate(struct seq *s, const struct qr_signs *t, size_t k)
{
	const size_t ld = t->ld, step = ld * ld, next = (k + 1) * TILE;
	const size_t rest = ld - next;
	const struct blas_part inverse = { t->room, 0, TILE, SIZE, false };
	const struct blas_part row = { t->x, k * TILE * ld + next, ld, step,
	                               false };
	const struct blas_part column = { t->x, next * ld + k * TILE, ld, step,
	                                  false };
	const struct blas_part product = { t->room, t->stack * SIZE, rest,
	                                   TILE * rest, false };
	const struct blas_part to = { t->x, next * (ld + 1), ld, step, false };
	struct blas_gemm g = { .stack = t->stack, .m = TILE, .n = rest,
	                       .k = TILE, .alpha = 1, .tile = TILE };

	blas_gemm(s, &g, &inverse, &row, &product);
	g.m = rest;
	g.alpha = -1;
	g.beta = 1;
	blas_gemm(s, &g, &column, &product, &to);
}

void qr_find_signs(struct seq *s, const struct qr_signs *t)
{
	const enum dtype own = seq_dtype(s);
	const bool wide = lu_wide_bytes(seq_sheet(s)) == sizeof(double);

	for (size_t k = 0; k < t->ld / TILE; k++) {
		seq_launch(s, "qr_normal_signs", GRID1(t->stack * ITEMS, ITEMS),
		           ARG_BUF(t->x), ARG_INT(t->ld), ARG_INT(k),
		           ARG_BUF(t->room), ARG_BUF(t->signs));
		if ((k + 1) * TILE == t->ld)
			break;
		seq_set_dtype(s, wide ? FLOAT64 : FLOAT32);
		eliminate(s, t, k);
		seq_set_dtype(s, own);
	}
}
