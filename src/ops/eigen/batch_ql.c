/* batch_ql.c - stacks of symmetric matrices by kernels/eigen/ql.cl: the
 * geometry of its launches.
 *
 * Jacobi's method needs 30 to 50 n^3 operations, in about 6 n sets of
 * independent rotations with barriers between the sets. The QL method needs
 * about a quarter of the operations, but also about 1.7 n^2 rotations of the
 * tridiagonal matrix, each of which depends on the one before.
 * Extra work-items, the leaders, compute these rotations while the others
 * update V, and the device works on many matrices at once. Up to some hundred
 * rows the rotations therefore cost little. */
#include "base/size.h"
#include "ops/eigen/batch.h"

enum {
	MOST = 256,			/* rows */
	ITEMS = 128,			/* a work-group takes several matrices
					 * if they need no more work-items */
	LEADERS = 32,			/* work-items that compute rotations */
	BANKS = 32,			/* banks of local memory */
	LOCAL = 48 << 10,		/* most bytes of local memory used */
	INTEGERS = 5, ALIVE = 3,	/* integers in local memory, for each
					 * matrix and for each work-group, as
					 * in the kernel */
	GROUPS_PER_UNIT = 4,		/* in a launch of large matrices */
};

struct plan {
	size_t lanes, many;		/* work-items for each matrix, and
					 * matrices of a work-group */
	size_t step;			/* elements of A and V of one matrix,
					 * padded so that work-items of two
					 * small matrices use different banks */
	size_t local;			/* bytes of local memory */
	bool large;			/* A and V are in global memory */
};

static size_t step_of(size_t n, size_t lanes)
{
	const size_t both = 2 * n * (n | 1);

	return lanes >= BANKS ? both :
	       both + (BANKS + lanes - both % BANKS) % BANKS;
}

static size_t lanes_of(size_t n)
{
	size_t lanes = 4;

	while (lanes < n && lanes < BANKS)
		lanes *= 2;
	return n <= lanes ? lanes : size_round_up(n, BANKS);
}

/* Returns the bytes of local memory for `many` matrices, each with `matrices`
 * elements of A and V in local memory besides its vectors. */
static size_t local_of(size_t n, size_t many, size_t matrices, enum dtype t)
{
	return many * ((matrices + 8 * n) * dtype_bytes(t) +
	               (n + INTEGERS) * sizeof(int32_t)) +
	       ALIVE * sizeof(int32_t);
}

static struct plan plan_of(size_t n, enum dtype t, const struct sheet *d)
{
	const size_t room = size_min(LOCAL, sheet_local_room(d));
	struct plan p = { .lanes = lanes_of(n), .many = 1 };

	p.step = step_of(n, p.lanes);
	p.large = local_of(n, 1, p.step, t) > room;
	while (!p.large && 2 * p.many * p.lanes <= ITEMS &&
	       local_of(n, 2 * p.many, p.step, t) <= room)
		p.many *= 2;
	p.local = local_of(n, p.many, p.large ? 0 : p.step, t);
	return p;
}

static size_t items_of(const struct plan *p)
{
	return p->many * p->lanes + LEADERS;
}

static bool fits(const struct batch *b, enum dtype t, const struct sheet *d)
{
	const struct plan p = plan_of(b->n, t, d);

	return items_of(&p) <= d->max_work_group_size &&
	       p.local <= sheet_local_room(d);
}

/* Returns the number of work-groups of a launch. One launch takes the whole
 * stack, unless each work-group needs a workspace in global memory. */
static size_t groups_of(const struct batch *b, const struct plan *p,
                        const struct sheet *d)
{
	const size_t all = size_blocks(b->stack, p->many);

	return p->large ? size_min(all, GROUPS_PER_UNIT *
	                           size_max(d->compute_units, 1)) : all;
}

static size_t room(const struct batch *b, enum dtype t, const struct sheet *d)
{
	const struct plan p = plan_of(b->n, t, d);

	return p.large ? groups_of(b, &p, d) * p.step * dtype_bytes(t) : 0;
}

static void launch(struct seq *s, const struct batch *b,
                   const struct batch_buffers *to)
{
	const enum dtype t = b->a->dtype;
	const struct plan p = plan_of(b->n, t, seq_sheet(s));
	const size_t groups = groups_of(b, &p, seq_sheet(s));
	const size_t items = items_of(&p), bytes = room(b, t, seq_sheet(s));
	const struct buf space = bytes > 0 ? seq_scratch(s, bytes) : to->told;

	for (size_t i = 0; i < b->stack; i += groups * p.many) {
		const size_t left = size_blocks(b->stack - i, p.many);

		seq_launch(s, p.large ? "eigen_ql_large" : "eigen_ql",
		           GRID1(size_min(groups, left) * items, items),
		           ARG_BUF(seq_input(s, b->a)), ARG_INT(b->n),
		           ARG_INT(i), ARG_INT(b->stack), ARG_INT(p.many),
		           ARG_INT(p.lanes), ARG_INT(p.step),
		           ARG_BUF(to->values), ARG_BUF(to->vectors),
		           ARG_INT(b->vectors), ARG_INT(b->judged),
		           ARG_BUF(to->told), ARG_BUF(space),
		           ARG_LOCAL(p.local));
		seq_progress(s, (double)i / (double)b->stack);
	}
}

const struct batch_kernel eigen_batch_ql = {
	.most = MOST, .worth = MOST, .looks = true, .fits = fits,
	.launch = launch, .room = room,
};
