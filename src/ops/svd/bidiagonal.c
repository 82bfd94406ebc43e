/* bidiagonal.c - svd of stacks of matrices on the device by kernels/svd/
 * bidiagonal.cl: the geometry of its launches, which is that of eigen's
 * batch_ql.c. */
#include "base/size.h"
#include "ops/svd/svd.h"

enum {
	MOST = 256, SMALL = 64,		/* rows and columns */
	FEWEST = 4,			/* least matrices of a call, unless they
					 * are small */
	ITEMS = 128,			/* most work-items of a work-group with
					 * several matrices */
	LEADERS = 32,
	BANKS = 32,			/* of local memory */
	LOCAL = 48 << 10,		/* most bytes of local memory used */
	VECTORS = 10, INTEGERS = 7,	/* of a matrix in local memory, as in
					 * the kernel */
	ALIVE = 3,			/* further integers of a work-group */
	GROUPS_PER_UNIT = 4,		/* most work-groups of a compute unit in
					 * a launch with global memory */
};

struct plan {
	size_t m, n;			/* m >= n */
	size_t lanes, many;		/* work-items of a matrix, matrices of
					 * a work-group */
	size_t step;			/* elements of a matrix's X, U and V,
					 * with padding that keeps the
					 * work-items of two small matrices off
					 * the same banks */
	size_t local;			/* bytes */
	bool large;			/* X, U and V are in global memory */
};

static size_t lanes_of(size_t m)
{
	size_t lanes = 4;

	while (lanes < m && lanes < BANKS)
		lanes *= 2;
	return m <= lanes ? lanes : size_round_up(m, BANKS);
}

static size_t step_of(const struct plan *p)
{
	const size_t all = 2 * p->n * (p->m | 1) + p->n * (p->n | 1);

	return p->lanes >= BANKS ? all :
	       all + (BANKS + p->lanes - all % BANKS) % BANKS;
}

static size_t local_of(const struct plan *p, size_t many, size_t matrices,
                       enum dtype t)
{
	return many * ((matrices + VECTORS * p->n) * dtype_bytes(t) +
	               (p->n + INTEGERS) * sizeof(int32_t)) +
	       ALIVE * sizeof(int32_t);
}

static struct plan plan_of(const struct args *a, const struct sheet *d)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const size_t room = size_min(LOCAL, sheet_local_room(d));
	struct plan p = { .m = size_max(z.m, z.n), .n = z.all, .many = 1 };

	p.lanes = lanes_of(p.m);
	p.step = step_of(&p);
	p.large = local_of(&p, 1, p.step, a->dtype) > room;
	while (!p.large && 2 * p.many * p.lanes <= ITEMS &&
	       local_of(&p, 2 * p.many, p.step, a->dtype) <= room)
		p.many *= 2;
	p.local = local_of(&p, p.many, p.large ? 0 : p.step, a->dtype);
	return p;
}

static size_t items_of(const struct plan *p)
{
	return p->many * p->lanes + LEADERS;
}

bool svd_bidiagonal_fits(const struct args *a, const struct sheet *d)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const bool square = a->param[SVD_VECTORS] != SVD_FULL || z.m == z.n;
	struct plan p;

	if (!square || z.stack == 0 || z.all == 0 ||
	    z.stack > INT32_MAX / MOST || size_max(z.m, z.n) > MOST ||
	    (size_max(z.m, z.n) > SMALL && z.stack < FEWEST))
		return false;
	p = plan_of(a, d);
	return items_of(&p) <= d->max_work_group_size &&
	       p.local <= sheet_local_room(d);
}

/* The work-groups of a launch: enough for all matrices or, if each needs a
 * workspace in global memory, a limited number. */
static size_t groups_of(const struct args *a, const struct plan *p,
                        const struct sheet *d)
{
	const size_t all = size_blocks(svd_sizes_of(a).stack, p->many);

	return p->large ? size_min(all, GROUPS_PER_UNIT *
	                           size_max(d->compute_units, 1)) : all;
}

static size_t room_of(const struct args *a, const struct sheet *d)
{
	const struct plan p = plan_of(a, d);

	return p.large ? groups_of(a, &p, d) * p.step * dtype_bytes(a->dtype) :
	                 0;
}

void svd_bidiagonal_need(struct need *n, const struct args *a,
                         const struct sheet *d)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const size_t room = room_of(a, d);

	need_buffer(n, z.stack * sizeof(int32_t));
	if (room > 0)
		need_buffer(n, room);
	if (!dense_has(a, SVD_S))
		need_buffer(n, z.stack * z.k * dtype_bytes(a->dtype));
}

/* A = U S V^T */
static void launch(struct seq *s, const struct args *a, struct buf status)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const struct plan p = plan_of(a, seq_sheet(s));
	const size_t items = items_of(&p), bytes = room_of(a, seq_sheet(s));
	const size_t groups = groups_of(a, &p, seq_sheet(s));
	const struct buf space = bytes > 0 ? seq_scratch(s, bytes) : status;
	const struct buf values = dense_has(a, SVD_S) ?
	    seq_output(s, &a->out[SVD_S]) :
	    seq_scratch(s, z.stack * z.k * dtype_bytes(a->dtype));

	seq_work(s, a->op->flops(a), a->op->bytes(a));
	for (size_t i = 0; i < z.stack; i += groups * p.many) {
		const size_t left = size_blocks(z.stack - i, p.many);

		seq_launch(s, p.large ? "svd_bidiagonal_large" :
		           "svd_bidiagonal",
		           GRID1(size_min(groups, left) * items, items),
		           ARG_BUF(seq_input(s, &a->in[0])), ARG_INT(z.m),
		           ARG_INT(z.n), ARG_INT(z.k), ARG_INT(i),
		           ARG_INT(z.stack), ARG_INT(p.many), ARG_INT(p.lanes),
		           ARG_INT(p.step), ARG_INT(dense_has(a, SVD_U)),
		           ARG_INT(dense_has(a, SVD_VH)),
		           ARG_BUF(svd_output_or(s, a, SVD_U, values)),
		           ARG_BUF(values),
		           ARG_BUF(svd_output_or(s, a, SVD_VH, values)),
		           ARG_BUF(status), ARG_BUF(space), ARG_LOCAL(p.local));
		seq_progress(s, (double)i / (double)z.stack);
	}
}

int svd_bidiagonal(struct seq *s, struct args *a)
{
	return svd_bidiagonal_fits(a, seq_sheet(s)) ?
	       svd_device(s, a, launch) : svd_host(s, a);
}
