/* cg.c - conjugate gradients, for symmetric positive definite A and M:
 *
 *     z = M^-1 r,  p = z + beta p,  q = A p,  alpha = r^T z / p^T q
 *     x = x + alpha p,  r = r - alpha q,  beta = r^T z / (r^T z before)
 */
#include <math.h>

#include "base/size.h"
#include "ops/krylov/krylov.h"
#include "shared/spmv_tile.h"

enum {
	SLICES = 8			/* of the matrix that a resident
					 * work-group has at least */
};

/* A launch of several iterations takes about LAUNCH_NS at most, each of them
 * ITERATION_NS and what its memory accesses take. */
static const double LAUNCH_NS = 20e6, ITERATION_NS = 10e3, BYTES_PER_NS = 2000;

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

/* The bytes that an iteration reads and writes: A, and ten vectors. */
static double bytes_of(const struct krylov *k)
{
	const double each = (double)dtype_bytes(k->m->dtype);

	return (double)k->m->nnz * (each + sizeof(int32_t)) +
	       (double)k->n * (10 * each + sizeof(int64_t));
}

/* Iterates in launches of several iterations (kernels/krylov/nvidia/cg.cl). */
static void iterate_resident(struct krylov *k, const struct spmv_slices *l,
                             struct buf z)
{
	const double ns = ITERATION_NS + bytes_of(k) / BYTES_PER_NS;
	const double pairs = fmin(fmax(LAUNCH_NS / ns, 2), KRYLOV_KEPT) / 2;
	const double most = 2 * floor(pairs);
	const size_t slices = size_blocks(k->n, SPMV_SLICE);
	const size_t groups = size_min(size_blocks(slices, SLICES), k->units);
	const struct spmv *m = &k->times.m;

	while (!seq_failed(k->s) && k->now[K_DONE] == K_GOES_ON) {
		seq_work(k->s, most * (2.0 * (double)k->m->nnz +
		                       10.0 * (double)k->n),
		         most * bytes_of(k));
		seq_launch(k->s, "krylov_cg_resident",
		           GRID1(groups * KRYLOV_RESIDENT_ITEMS,
		                 KRYLOV_RESIDENT_ITEMS),
		           ARG_BUF(m->index), ARG_BUF(m->values),
		           ARG_BUF(l->starts), ARG_INT(k->n),
		           ARG_BUF(l->values), ARG_BUF(l->columns),
		           ARG_BUF(k->state), ARG_BUF(k->part),
		           ARG_BUF(k->met), ARG_BUF(krylov_diagonal_of(k)),
		           ARG_BUF(z), ARG_BUF(k->own[0]), ARG_BUF(k->own[1]),
		           ARG_BUF(k->q), ARG_BUF(k->x), ARG_BUF(k->r),
		           ARG_INT(most));
		krylov_read(k);
	}
}

/* Returns the slices of A, if work-groups can iterate by them. */
static const struct spmv_slices *resident_slices(const struct krylov *k)
{
	return k->wish.resident && !k->factors.lu.id ?
	       spmv_multiplier_slices(&k->times) : NULL;
}

static void run(struct krylov *k)
{
	const struct spmv_slices *l = resident_slices(k);
	const struct buf z = krylov_apply(k, k->r, k->z);

	krylov_clear(k, k->own[0]);
	krylov_dots(k, k->r, z, k->r, K_PHASE_BEGIN);
	if (l) {
		iterate_resident(k, l, z);
		return;
	}
	direction(k, krylov_diagonal_of(k).id ? k->r : z);
	krylov_iterate(k, iterate);
}

const struct krylov_way krylov_cg = {
	METHOD_CG, "cg", .symmetric = true, .own = 2, .run = run,
};
