/* f64.c - see f64.h. */
#include "base/size.h"
#include "ops/matmul/f64.h"
#include "shared/matmul_tensor.h"

/* kernel; rows, cols, slab; items, groups; launch_ns, tile_ns, k_ns */
const struct f64_tile f64_tiles[] = {
	{ "matmul_tensor_f64_128x128", 128, 128, 16, 384, 1, 5800, 3400, 70 },
	{ "matmul_tensor_f64_128x64", 128, 64, 32, 384, 1, 2400, 3700, 35.6 },
	{ "matmul_tensor_f64_64x64", 64, 64, 16, 256, 2, 5600, 1330, 19.2 },
	{ "matmul_tensor_f64_32x64", 32, 64, 32, 256, 2, 3400, 1580, 14.5 },
	{ "matmul_tensor_f64_32x32", 32, 32, 32, 256, 2, 2500, 300, 8 },
	{ 0 }
};

/* Nanoseconds on an H200: the launch that adds the splits of k, and the one
 * that adds Stream-K's partial sums. */
static const double sum_ns = 5000, fix_up_ns = 12000;

/* Least k of a split: a shorter one does not pay for adding its sums. */
enum { LEAST_SPLIT = 256 };

/* Stream-K changes the order of sums, hence bits. A product that takes longer
 * than so many nanoseconds may be one device's part of what several compute,
 * which must not show in the bits of C: it does without Stream-K. */
static const double most_stream_k_ns = 5e6;

static size_t tiles_of(const struct f64_tile *w, const struct product *p)
{
	return p->stack * size_blocks(p->m, w->rows) *
	       size_blocks(p->n, w->cols);
}

static size_t units_of(const struct sheet *d)
{
	return size_max(d->compute_units, 1);
}

/* k of a split, so that as many work-groups as are resident at once have a
 * tile's split. */
static size_t depth_of(const struct sheet *d, const struct f64_tile *w,
                       const struct product *p)
{
	const size_t k_splits =
	    size_min(units_of(d) * w->groups / tiles_of(w, p),
	             p->k / LEAST_SPLIT);

	return size_round_up(size_blocks(p->k, size_max(k_splits, 1)),
	                     TENSOR_DEPTH);
}

/* Work-groups that are resident at once. */
static size_t resident_groups(const struct sheet *d, const struct f64_tile *w)
{
	return units_of(d) * w->groups;
}

/* Estimated time in nanoseconds until the compute unit with most tiles ends. */
static double time_of(const struct sheet *d, const struct f64_plan *plan,
                      const struct product *p)
{
	const size_t tiles = tiles_of(plan->shape, p) * plan->k_splits;
	const struct f64_tile *w = plan->shape;
	const double tile = w->tile_ns +
	                    (double)size_min(plan->depth, p->k) * w->k_ns;

	if (plan->stream_k > 0)
		return w->launch_ns + fix_up_ns +
		       (double)tiles / (double)units_of(d) * tile;
	return w->launch_ns + (double)size_blocks(tiles, units_of(d)) * tile +
	       (plan->k_splits > 1 ? sum_ns : 0);
}

/* Stream-K takes the tiles beyond a multiple of the resident work-groups, and
 * as many more as there are work-groups: so each of these gets more than one
 * tile's slabs and less than two, and no tile has partial sums of more than two
 * work-groups. It is taken only if it is faster. */
static struct f64_plan plan_of(const struct sheet *d, const struct f64_tile *w,
                               const struct product *p)
{
	const size_t depth = depth_of(d, w, p), tiles = tiles_of(w, p);
	const size_t resident = resident_groups(d, w);
	const struct f64_plan plain = {
		.shape = w, .depth = depth, .k_splits = size_blocks(p->k, depth)
	};
	const struct f64_plan stream_k = {
		.shape = w, .depth = depth, .k_splits = 1,
		.stream_k = resident + tiles % resident
	};
	const double time = time_of(d, &plain, p);

	if (p->stack > 1 || tiles < resident || tiles % resident == 0 ||
	    time > most_stream_k_ns || time_of(d, &stream_k, p) >= time)
		return plain;
	return stream_k;
}

struct f64_plan f64_plan_of(const struct sheet *d, const struct product *p)
{
	struct f64_plan best = plan_of(d, f64_tiles, p);

	for (const struct f64_tile *w = f64_tiles + 1; w->kernel; w++) {
		const struct f64_plan next = plan_of(d, w, p);

		if (time_of(d, &next, p) < time_of(d, &best, p))
			best = next;
	}
	return best;
}

struct f64_plan f64_plan_large(const struct product *p)
{
	return (struct f64_plan){
		.shape = f64_tiles, .depth = size_round_up(p->k, TENSOR_DEPTH),
		.k_splits = 1
	};
}

size_t f64_fix_up_bytes(const struct sheet *d, const struct f64_plan *plan)
{
	const struct f64_tile *w = plan->shape;

	return plan->stream_k == 0 ? 0 :
	       resident_groups(d, w) * w->rows * w->cols * sizeof(double);
}

/* C += the partial sums in fix_up. */
static void add_fix_up(struct seq *s, const struct f64_plan *plan,
                       const struct f64_product *x, struct buf fix_up,
                       size_t groups)
{
	const struct f64_tile *w = plan->shape;
	const struct product *p = &x->p;

	seq_launch(s, "matmul_tensor_f64_rest",
	           GRID2(w->rows * w->cols / TENSOR_REST_EACH, groups,
	                 TENSOR_REST_ITEMS, 1),
	           ARG_BUF(fix_up), ARG_BUF(x->c), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(x->c_at), ARG_INT(x->c_row),
	           ARG_INT(plan->stream_k), ARG_INT(groups), ARG_INT(w->rows),
	           ARG_INT(w->cols), ARG_INT(w->slab));
}

void f64_multiply(struct seq *s, const struct f64_plan *plan,
                  const struct f64_product *x)
{
	const struct f64_tile *w = plan->shape;
	const struct product *p = &x->p;
	const size_t most = plan->groups > 0 ? plan->groups :
	                                       resident_groups(seq_sheet(s), w);
	const size_t groups = size_min(tiles_of(w, p) * plan->k_splits, most);
	struct buf fix_up = x->c;

	if (plan->stream_k > 0)
		fix_up = seq_scratch(s, f64_fix_up_bytes(seq_sheet(s), plan));
	seq_work(s, product_flops(p), product_bytes(p, FLOAT64));
	seq_launch(s, w->kernel, GRID1(groups * w->items, w->items),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack), ARG_INT(p->m),
	           ARG_INT(p->n), ARG_INT(p->k), ARG_LONG(p->a_row),
	           ARG_LONG(p->a_col), ARG_LONG(p->b_row), ARG_LONG(p->b_col),
	           ARG_LONG(x->a_at), ARG_LONG(x->b_at), ARG_LONG(x->c_at),
	           ARG_INT(x->c_row), ARG_INT(plan->depth), ARG_INT(x->minus),
	           ARG_BUF(fix_up), ARG_INT(plan->stream_k));
	if (plan->stream_k > 0)
		add_fix_up(s, plan, x, fix_up, groups);
}
