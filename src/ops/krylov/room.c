/* room.c - the buffers of an iteration; see krylov.h. */
#include "base/size.h"
#include "ops/krylov/krylov.h"
#include "ops/room.h"

enum {
	BLOCK = 8192,			/* elements that a work-item takes
					 * alone */
	EACH = 4, GROUPS = 2048		/* elements for an item of a group, at
					 * least; groups, at most */
};

void krylov_set_blocks(struct krylov *k, const struct sheet *d)
{
	const size_t least = (size_t)KRYLOV_ITEMS * EACH;

	k->items = k->wish.shared ? 1 : KRYLOV_ITEMS;
	k->block = k->wish.shared ? BLOCK :
	           size_max(least, size_round_up(size_blocks(k->n, GROUPS),
	                                         KRYLOV_ITEMS));
	k->groups = size_max(1, size_blocks(k->n, k->block));
	k->units = size_max(1, d->compute_units);
}

/* May the call come to run GMRES? */
static bool may_need_gmres(const struct krylov_wish *w)
{
	return w->method == METHOD_AUTO || w->method == METHOD_GMRES ||
	       w->method == METHOD_BICGSTAB;
}

/* Vectors in own[], of the methods that the call may come to. */
static int own_vectors(const struct krylov_wish *w)
{
	const struct krylov_way *way = krylov_way_of(w->method);
	const int most = way ? way->own : krylov_minres.own;

	return may_need_gmres(w) && most < 1 ? 1 : most;
}

void krylov_make_room(struct krylov *k, struct need *n)
{
	const size_t vector = k->n * dtype_bytes(k->m->dtype);
	const size_t m = (size_t)k->wish.restart;
	const bool gmres = may_need_gmres(&k->wish);
	struct buf *const base[] = { &k->b, &k->x, &k->r, &k->q, &k->z };

	k->parts = size_max((gmres ? m + 1 : 2) * k->groups, k->times.shares);
	if (k->wish.resident)
		k->parts = size_max(k->parts, 3 * k->units);
	k->state = room_make(k->s, n, sizeof k->now);
	k->part = room_make(k->s, n, k->parts * sizeof(double));
	for (size_t i = 0; i < COUNT(base); i++)
		*base[i] = room_make(k->s, n, vector);
	for (int i = 0; i < own_vectors(&k->wish); i++)
		k->own[i] = room_make(k->s, n, vector);
	if (!gmres)
		return;
	k->basis = room_make(k->s, n, (m + 1) * vector);
	k->small = room_make(k->s, n, GMRES_LENGTH(m) * sizeof(double));
}

/* Adds the buffers of the preconditioners that the call may try; auto first
 * looks for the larger ones. */
static void need_factors(struct need *n, const struct krylov *k)
{
	const size_t each = dtype_bytes(k->m->dtype);
	const enum krylov_preconditioner p = k->wish.preconditioner;

	if (p == PRECONDITION_NONE)
		return;
	need_buffer(n, k->n * each);
	if (p == PRECONDITION_JACOBI)
		return;
	need_buffer(n, k->n * sizeof(int32_t));
	need_buffer(n, k->m->nnz * each);
	for (int i = 0; i < 2; i++) {
		need_buffer(n, k->n * sizeof(int32_t));
		need_buffer(n, (k->n + 1) * sizeof(int32_t));
	}
	need_scratch(n, 16 * sizeof(int32_t), sizeof(int32_t));
}

void krylov_need(struct need *n, const struct sheet *d, const struct matrix *m,
                 const struct krylov_wish *wish)
{
	struct krylov k = { .wish = *wish, .m = m, .n = m->dim[0] };

	krylov_set_blocks(&k, d);
	spmv_multiplier_need(n, d, m, wish->shared);
	k.times.shares = spmv_multiplier_shares(m, wish->shared);
	krylov_make_room(&k, n);
	need_factors(n, &k);
	need_buffer(n, m->nnz * dtype_bytes(m->dtype));
}
