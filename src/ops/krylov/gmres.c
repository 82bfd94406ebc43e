/* gmres.c - GMRES with restarts and M from the right, for general A: an
 * orthonormal basis of the Krylov space, in which |b - A x| is minimized
 * (kernels/krylov/gmres.cl). A run is one cycle, from a true residual to the
 * next. */
#include "ops/krylov/krylov.h"

enum { W };				/* in own[]: it and q change places */

static int restart(const struct krylov *k)
{
	return k->wish.restart;
}

/* w loses its components along the first n vectors, which become a column of
 * R. */
static void orthogonalize(struct krylov *k, struct buf w, int n, bool first)
{
	const int m = restart(k);

	krylov_work(k, n + 1, 0);
	seq_launch(k->s, "gmres_project", KRYLOV_GRID(k), ARG_BUF(k->state),
	           KRYLOV_BLOCKS(k), ARG_INT(n), ARG_BUF(k->basis), ARG_BUF(w),
	           ARG_BUF(k->part));
	seq_launch(k->s, "gmres_fold", GRID1(k->items, k->items),
	           ARG_BUF(k->state), ARG_BUF(k->small), ARG_INT(m),
	           ARG_INT(n), ARG_INT(first), ARG_BUF(k->part),
	           ARG_INT(k->groups));
	krylov_work(k, n + 1, 1);
	seq_launch(k->s, "gmres_subtract", KRYLOV_GRID(k), ARG_BUF(k->state),
	           KRYLOV_BLOCKS(k), ARG_INT(n), ARG_BUF(k->basis),
	           ARG_BUF(k->small), ARG_INT(m), ARG_BUF(w),
	           ARG_BUF(k->part));
}

/* w = w / |w| becomes vector n. */
static void normalize(struct krylov *k, struct buf w, int n)
{
	krylov_work(k, 1, 2);
	seq_launch(k->s, "gmres_normalize", KRYLOV_GRID(k), ARG_BUF(k->state),
	           KRYLOV_BLOCKS(k), ARG_INT(n), ARG_BUF(k->basis),
	           ARG_BUF(w));
}

static void begin(struct krylov *k)
{
	krylov_copy(k, k->r, k->own[W]);
	seq_launch(k->s, "krylov_norms", KRYLOV_GRID(k), ARG_BUF(k->r),
	           ARG_BUF(k->r), KRYLOV_BLOCKS(k), ARG_BUF(k->part));
	seq_launch(k->s, "gmres_begin", GRID1(k->items, k->items),
	           ARG_BUF(k->state), ARG_BUF(k->small), ARG_INT(restart(k)),
	           ARG_BUF(k->part), ARG_INT(k->groups));
	normalize(k, k->own[W], 0);
}

/* The next column: w = A M^-1 v. There are n vectors now. */
static void grow(struct krylov *k, int n)
{
	const struct buf v = k->own[W], w = k->q;

	krylov_times(k, krylov_apply(k, v, k->z), w);
	orthogonalize(k, w, n, true);
	orthogonalize(k, w, n, false);
	seq_launch(k->s, "gmres_rotate", GRID1(k->items, k->items),
	           ARG_BUF(k->state), ARG_BUF(k->small), ARG_INT(restart(k)),
	           ARG_INT(n), ARG_BUF(k->part), ARG_INT(k->groups));
	normalize(k, w, n);
	k->own[W] = w;
	k->q = v;
}

/* x = x + M^-1 V y for the n columns that there are. */
static void finish(struct krylov *k, int n)
{
	const double done = k->now[K_DONE];
	struct buf z;

	krylov_set(k, K_DONE, K_GOES_ON);
	seq_launch(k->s, "gmres_solve", GRID1(1, 1), ARG_BUF(k->state),
	           ARG_BUF(k->small), ARG_INT(restart(k)), ARG_INT(n));
	krylov_work(k, n, 1);
	seq_launch(k->s, "gmres_combine", KRYLOV_GRID(k), ARG_BUF(k->small),
	           ARG_INT(restart(k)), KRYLOV_BLOCKS(k), ARG_INT(n),
	           ARG_BUF(k->basis), ARG_BUF(k->q));
	z = krylov_apply(k, k->q, k->z);
	seq_launch(k->s, "krylov_add", KRYLOV_GRID(k), ARG_BUF(k->state),
	           ARG_BUF(z), ARG_BUF(k->x), KRYLOV_BLOCKS(k));
	krylov_set(k, K_DONE, done);
}

static void run(struct krylov *k)
{
	const double before = k->now[K_ITERATIONS];
	int n = 0;

	begin(k);
	while (!seq_failed(k->s) && k->now[K_DONE] == K_GOES_ON) {
		grow(k, ++n);
		if (n == restart(k) || n % krylov_burst(k) == 0)
			krylov_read(k);
	}
	if (!seq_failed(k->s) && k->now[K_DONE] != K_BEYOND)
		finish(k, (int)(k->now[K_ITERATIONS] - before));
}

const struct krylov_way krylov_gmres = {
	METHOD_GMRES, "gmres", .own = 1, .run = run,
};
