/* cg.c - conjugate gradients, for symmetric positive definite A and M:
 *
 *     z = M^-1 r,  p = z + beta p,  q = A p,  alpha = r^T z / p^T q
 *     x = x + alpha p,  r = r - alpha q,  beta = r^T z / (r^T z before)
 */
#include "ops/krylov/krylov.h"

/* p = z + beta p */
static void direction(struct krylov *k, struct buf z)
{
	const struct buf d = krylov_diagonal_of(k);

	krylov_work(k, d.id ? 3 : 2, 1);
	seq_launch(k->s, "krylov_cg_direction", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(z), ARG_BUF(d),
	           ARG_BUF(k->own[0]), KRYLOV_BLOCKS(k));
}

static void iterate(struct krylov *k)
{
	const struct buf d = krylov_diagonal_of(k), p = k->own[0];
	struct buf z = k->r;

	krylov_times_dot(k, p, k->q, K_PHASE_CG_ALPHA);
	/* x = x + alpha p, r = r - alpha q */
	krylov_work(k, d.id ? 5 : 4, 2);
	seq_launch(k->s, "krylov_cg_step", KRYLOV_GRID(k), ARG_BUF(k->state),
	           ARG_BUF(p), ARG_BUF(k->q), ARG_BUF(d), ARG_BUF(k->x),
	           ARG_BUF(k->r), KRYLOV_BLOCKS(k), ARG_BUF(k->part));
	if (k->factors.lu.id) {
		z = krylov_apply(k, k->r, k->z);
		krylov_dots(k, k->r, z, k->r, K_PHASE_CG_BETA);
	} else {
		krylov_fold(k, k->groups, 2, K_PHASE_CG_BETA);
	}
	direction(k, z);
}

static void run(struct krylov *k)
{
	const struct buf z = krylov_apply(k, k->r, k->z);

	krylov_clear(k, k->own[0]);
	krylov_dots(k, k->r, z, k->r, K_PHASE_BEGIN);
	direction(k, krylov_diagonal_of(k).id ? k->r : z);
	krylov_iterate(k, iterate);
}

const struct krylov_way krylov_cg = {
	METHOD_CG, "cg", .symmetric = true, .own = 1, .run = run,
};
