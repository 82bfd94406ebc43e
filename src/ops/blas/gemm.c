/* gemm.c - see gemm.h. */
#include <stdbool.h>

#include "base/size.h"
#include "ops/blas/gemm.h"
#include "shared/blas_tile.h"

enum { ITEMS = BLAS_SIDE * BLAS_SIDE, SMALL = 64, LARGE = 128 };

/* Large tiles read less for each product. They are taken on GPUs where so many
 * are left that all compute units have one. */
static bool is_large(const struct seq *s, const struct blas_gemm *g)
{
	const struct sheet *d = seq_sheet(s);

	if (g->tile)
		return g->tile == LARGE;
	return d->type == DEVICE_GPU && size_blocks(g->m, LARGE) *
	       size_blocks(g->n, LARGE) * g->stack / (g->lower ? 2 : 1) >=
	       d->compute_units;
}

#define PART_ARGS(p)                                                         \
	ARG_BUF((p)->b), ARG_LONG((p)->at), ARG_LONG((p)->step),             \
	ARG_LONG((p)->transposed ? 1 : (p)->ld),                             \
	ARG_LONG((p)->transposed ? (p)->ld : 1)

static struct arg real_arg(enum dtype t, const double *x, float *single)
{
	*single = (float)*x;
	return t == FLOAT64 ? (struct arg){ sizeof *x, x, 0 } :
	                      (struct arg){ sizeof *single, single, 0 };
}

void blas_gemm(struct seq *s, const struct blas_gemm *g,
               const struct blas_part *a, const struct blas_part *b,
               const struct blas_part *c)
{
	const bool large = is_large(s, g);
	const size_t tile = large ? LARGE : SMALL;
	const size_t groups = g->stack * size_blocks(g->m, tile) *
	                      size_blocks(g->n, tile);
	const double share = g->lower ? 0.5 : 1;
	float singles[2];

	if (groups == 0)
		return;
	seq_work(s, share * 2.0 * g->stack * g->m * g->n * g->k, 0);
	seq_launch(s, large ? "blas_gemm_128" : "blas_gemm_64",
	           GRID1(groups * ITEMS, ITEMS), PART_ARGS(a), PART_ARGS(b),
	           ARG_BUF(c->b), ARG_LONG(c->at), ARG_LONG(c->step),
	           ARG_LONG(c->ld), ARG_INT(g->m), ARG_INT(g->n),
	           ARG_INT(g->k), ARG_INT(g->lower),
	           real_arg(seq_dtype(s), &g->alpha, &singles[0]),
	           real_arg(seq_dtype(s), &g->beta, &singles[1]));
}
