/* minres.c - MINRES, for symmetric A, definite or not, and symmetric positive
 * definite M: Lanczos vectors v, whose tridiagonal matrix is made triangular by
 * plane rotations as it grows. u are the vectors before M^-1 and scaling.
 * Beside x, r = b - A x is updated, for the norm that belongs to the recurrence
 * is that of M^-1 (C. C. Paige, M. A. Saunders 1975).
 */
#include "ops/krylov/krylov.h"

/* The vectors in own[]. u and w stand for two each, which change places. */
enum { V, U, W = 3 };

static void swap(struct buf *pair)
{
	const struct buf first = pair[0];

	pair[0] = pair[1];
	pair[1] = first;
}

static void iterate(struct krylov *k)
{
	struct buf *const own = k->own;
	struct buf z;

	/* q = A v, alpha = v^T q */
	krylov_times_dot(k, own[V], k->q, K_PHASE_MINRES_ALPHA);
	/* u_new = q - beta / beta_old u_old - alpha / beta u */
	krylov_work(k, 3, 1);
	seq_launch(k->s, "krylov_minres_lanczos", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(k->q), ARG_BUF(own[U + 1]),
	           ARG_BUF(own[U]), KRYLOV_BLOCKS(k));
	swap(&own[U]);
	z = krylov_apply(k, own[U + 1], k->z);
	krylov_dots(k, own[U + 1], z, own[U + 1], K_PHASE_MINRES_ROTATE);
	/* w, x, r and the next v */
	krylov_work(k, 7, 4);
	seq_launch(k->s, "krylov_minres_step", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(own[U + 1]), ARG_BUF(z),
	           ARG_BUF(own[W + 1]), ARG_BUF(own[W]), ARG_BUF(own[V]),
	           ARG_BUF(k->x), ARG_BUF(k->r), KRYLOV_BLOCKS(k),
	           ARG_BUF(k->part));
	swap(&own[W]);
	krylov_fold(k, k->groups, 1, K_PHASE_COUNT);
}

static void run(struct krylov *k)
{
	struct buf *const own = k->own, z = krylov_apply(k, k->r, k->z);

	krylov_clear(k, own[U]);
	krylov_copy(k, k->r, own[U + 1]);
	krylov_clear(k, own[W]);
	krylov_clear(k, own[W + 1]);
	krylov_dots(k, k->r, z, k->r, K_PHASE_MINRES_BEGIN);
	seq_launch(k->s, "krylov_minres_begin", KRYLOV_GRID(k),
	           ARG_BUF(k->state), ARG_BUF(z), ARG_BUF(own[V]),
	           KRYLOV_BLOCKS(k));
	krylov_iterate(k, iterate);
}

const struct krylov_way krylov_minres = {
	METHOD_MINRES, "minres", .symmetric = true, .own = 5, .run = run,
};
