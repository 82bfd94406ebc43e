/* bicgstab.c - BiCGStab with M from the right, for general A:
 *
 *     p = r + beta (p - omega v),  y = M^-1 p,  v = A y
 *     alpha = rho / shadow^T v,    r = r - alpha v
 *     z = M^-1 r,  t = A z,        omega = t^T r / t^T t
 *     x = x + alpha y + omega z,   r = r - omega t,  rho = shadow^T r
 */
#include "ops/krylov/krylov.h"

enum { P, V, SHADOW, Y };		/* in own[] */

static void iterate(struct krylov *k)
{
	struct buf *const own = k->own;
	struct buf y, z;

	krylov_work(k, 3, 1);
	seq_launch(k->s, "krylov_bicg_direction", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(k->r), ARG_BUF(own[V]),
	           ARG_BUF(own[P]), KRYLOV_BLOCKS(k));
	y = krylov_apply(k, own[P], own[Y]);
	krylov_times(k, y, own[V]);
	krylov_dots(k, own[SHADOW], own[V], own[V], K_PHASE_BICG_ALPHA);
	krylov_work(k, 2, 1);
	seq_launch(k->s, "krylov_bicg_half", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(own[V]), ARG_BUF(k->r),
	           KRYLOV_BLOCKS(k));
	z = krylov_apply(k, k->r, k->z);
	krylov_times(k, z, k->q);
	krylov_dots(k, k->q, k->r, k->q, K_PHASE_BICG_OMEGA);
	krylov_work(k, 6, 2);
	seq_launch(k->s, "krylov_bicg_step", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(y), ARG_BUF(z), ARG_BUF(k->q),
	           ARG_BUF(own[SHADOW]), ARG_BUF(k->x), ARG_BUF(k->r),
	           KRYLOV_BLOCKS(k), ARG_BUF(k->part));
	krylov_fold(k, k->groups, 2, K_PHASE_BICG_BETA);
}

static void run(struct krylov *k)
{
	krylov_clear(k, k->own[P]);
	krylov_clear(k, k->own[V]);
	krylov_copy(k, k->r, k->own[SHADOW]);
	krylov_dots(k, k->r, k->r, k->r, K_PHASE_BEGIN);
	krylov_iterate(k, iterate);
}

const struct krylov_way krylov_bicgstab = {
	METHOD_BICGSTAB, "bicgstab", .own = 4, .run = run,
};
