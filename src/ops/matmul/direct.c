/* direct.c - see direct.h. */
#include "base/size.h"
#include "ops/matmul/direct.h"
#include "ops/matmul/panels.h"
#include "ops/matmul/probe.h"
#include "ops/matmul/sum.h"
#include "shared/matmul_tensor.h"

/* Up to so many parts of k are added by their last work-group, more by a
 * launch. */
enum { MOST_MEET = 8 };

static const char kernel[] = "matmul_tensor_direct";

/* What takes how long, in microseconds on an H200: the launch; BLOCK of k of a
 * tile where a compute unit has several tiles, or one, whose latency nothing
 * hides; a tile besides; to meet, and to add a part; to launch the sum, and a
 * byte of a part there. */
enum { BLOCK = 16 };
static const double launching = 5, block = 0.37, block_alone = 0.45,
                    tile = 1.2, meeting = 2, adding = 0.35, summing = 5,
                    byte = 1 / 2.5e6;

/* Parts of k, of so much each, the same in all panels. */
struct way {
	size_t depth, parts;
};

static size_t tiles_of(const struct product *p)
{
	return p->stack * size_blocks(p->m, TENSOR_DIRECT_ROWS) *
	       size_blocks(p->n, TENSOR_DIRECT_COLS);
}

static struct way way_in(const struct product *p, size_t parts)
{
	const size_t depth = size_round_up(size_blocks(p->k, parts),
	                                   TENSOR_DEPTH);

	return (struct way){ depth, size_blocks(p->k, depth) };
}

static bool meets(const struct way *w)
{
	return w->parts > 1 && w->parts <= MOST_MEET;
}

/* Bytes for the parts of all tiles, or of C. */
static size_t kept(const struct way *w, const struct product *p)
{
	const size_t elements = meets(w) ? tiles_of(p) * TENSOR_DIRECT_ROWS *
	                                   TENSOR_DIRECT_COLS :
	                        p->stack * p->m * p->n;

	return w->parts * elements * sizeof(float);
}

static double cost(const struct sheet *d, const struct product *p,
                   const struct way *w)
{
	const size_t units = size_max(d->compute_units, 1);
	const size_t each = size_blocks(tiles_of(p) * w->parts, units);
	const double blocks = (double)size_blocks(size_min(p->k, w->depth),
	                                          BLOCK);
	double t = launching + (double)each * tile +
	           (each == 1 ? block_alone : (double)each * block) * blocks;

	if (w->parts > 1)
		t += meets(w) ? meeting + adding * (double)w->parts :
		     summing + byte * (double)kept(w, p);
	return t;
}

/* k in so many parts that each compute unit has two groups, or half as many,
 * and so on. */
static struct way way_of(const struct sheet *d, const struct product *p)
{
	const size_t tiles = tiles_of(p);
	struct way best = way_in(p, 1);

	for (size_t n = 2 * d->compute_units / tiles; n > 1; n /= 2) {
		const struct way w = way_in(p, n);

		if (cost(d, p, &w) < cost(d, p, &best) &&
		    tiles <= SEQ_COUNTERS)
			best = w;
	}
	return best;
}

double direct_cost(const struct sheet *d, const struct product *p)
{
	const struct way w = way_of(d, p);

	return cost(d, p, &w);
}

/* Parts that meet lie there as whole tiles, which have at most four times as
 * many elements as a panel. */
static struct cuts cuts_of(const struct sheet *d, const struct product *p,
                           const struct way *w)
{
	return product_cuts(p, need_most(d, FLOAT32),
	                    meets(w) ? 4 * w->parts : w->parts, 1);
}

static void launch(struct seq *s, const struct panel *x, void *way)
{
	const struct way *w = way;
	const struct product *p = &x->p;
	const size_t groups = tiles_of(p) * w->parts;
	const struct buf part = w->parts > 1 ? seq_scratch(s, kept(w, p)) :
	                                       x->c;
	const struct buf count = meets(w) ? seq_counters(s) : x->c;
	const bool sum = w->parts > 1 && !meets(w);

	/* C = A B, or the products of parts of k */
	seq_work(s, product_flops(p), product_bytes(p, FLOAT32));
	seq_launch(s, kernel, GRID1(groups * TENSOR_DIRECT_ITEMS,
	           TENSOR_DIRECT_ITEMS), ARG_BUF(x->a), ARG_BUF(x->b),
	           ARG_BUF(sum ? part : x->c), ARG_BUF(x->places),
	           ARG_INT(p->stack), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_LONG(p->b_row), ARG_LONG(p->b_col), ARG_INT(w->depth),
	           ARG_BUF(part), ARG_BUF(count), ARG_INT(meets(w)));

	/* C = their sum */
	if (sum)
		matmul_sum(s, part, x->c, p->stack * p->m * p->n, w->parts);
}

static bool is_right(struct seq *s, const char *name)
{
	static const struct probe probes[] = {
		{ PROBE_ODD, false, false }, { PROBE_ALIGNED, false, false },
		{ PROBE_ODD, false, true }, { PROBE_ALIGNED, false, true },
		{ PROBE_ODD, true, false }, { PROBE_ALIGNED, true, false },
		{ PROBE_ODD, true, true }, { PROBE_ALIGNED, true, true },
		{ PROBE_DEEP, false, false },
	};

	(void)name;
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
		struct way whole = way_in(&(struct product){
			.k = probes[i].k }, 1);
		struct way parts = way_in(&(struct product){
			.k = probes[i].k }, probes[i].k / TENSOR_DEPTH);

		if (!matmul_probe(s, &probes[i], launch, &whole) ||
		    !matmul_probe(s, &probes[i], launch, &parts))
			return false;
	}
	return true;
}

bool direct_works(struct seq *s)
{
	return seq_trusts(s, kernel, is_right);
}

void direct_need(struct need *n, const struct sheet *d,
                 const struct product *p)
{
	const struct way w = way_of(d, p);
	const struct cuts c = cuts_of(d, p, &w);
	const size_t panels = size_blocks(p->stack, c.stack) *
	    size_blocks(p->m, c.rows) * size_blocks(p->n, c.cols);
	struct product first = *p;

	first.stack = c.stack;
	first.m = c.rows;
	first.n = c.cols;
	product_need(n, d, FLOAT32, p, &c);
	if (w.parts > 1)
		need_scratch(n, panels * kept(&w, &first), kept(&w, &first));
}

int direct_run(struct seq *s, const struct product *p)
{
	struct way w = way_of(seq_sheet(s), p);
	const struct cuts c = cuts_of(seq_sheet(s), p, &w);

	product_panels(s, p, &c, launch, &w);
	return seq_finish(s);
}
