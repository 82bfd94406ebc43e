/* raw.c - the verdict on h and tau, which mode=raw answers: the reflections are
 * applied to R X and, for the orthogonality, to vectors of their own
 * (kernels/qr/raw.cl). */
#include "ops/qr/judge_launch.h"
#include "ops/qr/qr.h"
#include "shared/qr_raw.h"

enum {
	ITEMS = 64,
	ROWS = 64, PARTS = 64,		/* of the rows in a step: at least ROWS
					 * each, at most PARTS */
	GROUPS = 256			/* about so many groups sum V^T V */
};

/* The reflections of h, and the sizes of the kernels' work on them. */
struct raw {
	const struct qr_sizes *z;
	struct buf h, t;
	size_t blocks;			/* of RAW_NB columns */
	size_t each, parts;		/* rows of a part, and their number */
};

static struct raw raw_of(const struct judge *j, const struct qr_sizes *z)
{
	const size_t each = size_max(ROWS, size_blocks(z->m, PARTS));

	return (struct raw){
		.z = z, .h = judge_matrix(j, &j->a->out[QR_H]),
		.blocks = size_blocks(z->k, RAW_NB), .each = each,
		.parts = size_blocks(z->m, each),
	};
}

/* Computes the triangle T of every block. */
static void make_t(const struct judge *j, struct raw *r)
{
	const struct qr_sizes *z = r->z;
	const size_t all = z->stack * r->blocks;
	const size_t chunks = size_min(size_max(GROUPS / all, 1), PARTS);
	const struct buf parts = judge_room(j, all * chunks * RAW_SQUARE);

	r->t = judge_room(j, all * RAW_SQUARE);
	if (j->need)
		return;
	seq_work(j->s, 2.0 * z->stack * z->m * z->k * RAW_NB, 0);
	seq_launch(j->s, "qr_raw_gram",
	           GRID1(all * chunks * RAW_ITEMS, RAW_ITEMS), ARG_BUF(r->h),
	           ARG_INT(z->m), ARG_INT(z->n), ARG_INT(z->k),
	           ARG_INT(r->blocks), ARG_INT(chunks), ARG_BUF(parts));
	seq_launch(j->s, "qr_raw_t", GRID1(all * RAW_ITEMS, RAW_ITEMS),
	           ARG_BUF(parts), ARG_BUF(judge_matrix(j, &j->a->out[QR_TAU])),
	           ARG_INT(z->k), ARG_INT(r->blocks), ARG_INT(chunks),
	           ARG_BUF(r->t));
}

/* Returns R X or, without `times_r`, X, as vectors of m elements. */
static struct vectors start(const struct judge *j, const struct raw *r,
                            const struct vectors *x, bool times_r)
{
	const struct qr_sizes *z = r->z;
	const size_t count = z->stack * x->count * z->m;
	const struct vectors y = { .b = judge_room(j, count), .length = z->m,
	                           .count = x->count };

	if (!j->need)
		seq_launch(j->s, "qr_raw_start", GRID1(count, ITEMS),
		           ARG_BUF(r->h), ARG_INT(z->m), ARG_INT(z->n),
		           ARG_INT(z->k), ARG_BUF(j->unit), ARG_INT(times_r),
		           ARG_BUF(x->b), ARG_INT(x->count), ARG_LONG(count),
		           ARG_BUF(y.b));
	return y;
}

/* X = Q X and Y = Q Y, by the blocks from the last to the first. */
static void apply(const struct judge *j, const struct raw *r,
                  const struct vectors *x, const struct vectors *y)
{
	const struct qr_sizes *z = r->z;
	const size_t sets = size_blocks(x->count, RAW_BESIDE) +
	                    size_blocks(y->count, RAW_BESIDE);
	const size_t groups = z->stack * sets * r->parts;
	struct buf from = judge_room(j, groups * RAW_PRODUCTS);
	struct buf to = judge_room(j, groups * RAW_PRODUCTS);

	for (size_t i = r->blocks + 1; i-- > 0 && !j->need; ) {
		const struct buf was = from;

		seq_work(j->s, 4.0 * z->stack * z->m * RAW_NB *
		               (x->count + y->count), 0);
		seq_launch(j->s, "qr_raw_step",
		           GRID1(groups * RAW_ITEMS, RAW_ITEMS),
		           ARG_BUF(r->h), ARG_INT(z->m), ARG_INT(z->n),
		           ARG_INT(z->k), ARG_INT(i), ARG_INT(r->blocks),
		           ARG_INT(r->each), ARG_INT(r->parts), ARG_BUF(r->t),
		           ARG_BUF(from), ARG_BUF(to), ARG_BUF(x->b),
		           ARG_INT(x->count), ARG_BUF(y->b),
		           ARG_INT(y->count));
		from = to;
		to = was;
	}
}

void qr_raw_judge(struct judge *j, const struct qr_sizes *z)
{
	const struct args *a = j->a;
	const struct judged of_a = { .b = judge_matrix(j, &a->in[0]),
	                             .rows = z->m, .cols = z->n,
	                             .scaled = true };
	const struct vectors x = judge_probes(j, z->n);
	const struct vectors u = judge_probes(j, z->k);
	const bool known = !z->pivots || dense_has(a, QR_P);
	struct raw r = raw_of(j, z);
	const struct vectors qrx = start(j, &r, &x, true);
	const struct vectors qu = start(j, &r, &u, false);
	struct vectors px = x, t;
	struct buf square;

	make_t(j, &r);
	apply(j, &r, &qrx, &qu);
	judge_orthogonality(j, &qu, &u, z->m);
	if (!known)
		return;
	if (z->pivots)
		px = judge_place(j, judge_matrix(j, &a->out[QR_P]), &x);
	t = judge_times(j, &of_a, &px, &square);
	judge_residual(j, &t, &qrx, square, size_max(z->m, z->n));
}
