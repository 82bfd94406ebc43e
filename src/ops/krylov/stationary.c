/* stationary.c - Jacobi's method, x = x + D^-1 r, r = b - A x, whose r is the
 * true residual in every iteration. */
#include "ops/krylov/krylov.h"

static void iterate(struct krylov *k)
{
	const struct buf z = krylov_apply(k, k->r, k->z);

	krylov_work(k, 2, 1);
	seq_launch(k->s, "krylov_add", KRYLOV_GRID(k), ARG_BUF(k->state),
	           ARG_BUF(z), ARG_BUF(k->x), KRYLOV_BLOCKS(k));
	spmv_multiply(k->s, &k->times, -1, k->b, k->x, k->r);
	krylov_dots(k, k->r, k->r, k->r, K_PHASE_COUNT);
}

static void run(struct krylov *k)
{
	krylov_iterate(k, iterate);
}

const struct krylov_way krylov_stationary = {
	METHOD_JACOBI, "jacobi", .run = run,
};
