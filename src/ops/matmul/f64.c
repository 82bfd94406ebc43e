/* f64.c - see f64.h. */
#include "base/size.h"
#include "ops/matmul/f64.h"
#include "shared/matmul_tensor.h"

const struct f64_way f64_ways[] = {
	{ "matmul_tensor_f64_128x128", 128, 128, 16, 384, 1, 5800, 3400, 70 },
	{ "matmul_tensor_f64_128x64", 128, 64, 32, 384, 1, 2400, 3700, 35.6 },
	{ "matmul_tensor_f64_64x64", 64, 64, 16, 256, 2, 5600, 1330, 19.2 },
	{ "matmul_tensor_f64_32x64", 32, 64, 32, 256, 2, 3400, 1580, 14.5 },
	{ "matmul_tensor_f64_32x32", 32, 32, 32, 256, 2, 2500, 300, 8 },
	{ 0 }
};

/* What adding parts takes, and what work-groups left; ns. Less k than so much
 * is not worth a part. */
static const double sum_time = 5000, rest_time = 12000;
enum { LEAST_PART = 256 };

/* What takes longer, ns, may be one device's part of what several do, which
 * must not show in its bits. */
static const double sharing_time = 5e6;

static size_t tiles_of(const struct f64_way *w, const struct product *p)
{
	return p->stack * size_blocks(p->m, w->rows) *
	       size_blocks(p->n, w->cols);
}

static size_t units_of(const struct sheet *d)
{
	return size_max(d->compute_units, 1);
}

/* Of k, so that every compute unit has a tile, or a part of one. */
static size_t depth_of(const struct sheet *d, const struct f64_way *w,
                       const struct product *p)
{
	const size_t parts = size_min(units_of(d) * w->groups / tiles_of(w, p),
	                              p->k / LEAST_PART);

	return size_round_up(size_blocks(p->k, size_max(parts, 1)),
	                     TENSOR_DEPTH);
}

/* Work-groups that are there at once. */
static size_t places_of(const struct sheet *d, const struct f64_way *w)
{
	return units_of(d) * w->groups;
}

/* Until the compute unit that has most to do is done, ns. */
static double time_of(const struct sheet *d, const struct f64_plan *plan,
                      const struct product *p)
{
	const size_t tiles = tiles_of(plan->way, p) * plan->parts;
	const struct f64_way *w = plan->way;
	const double tile = w->tile + (double)size_min(plan->depth, p->k) *
	                              w->each;

	if (plan->shared > 0)
		return w->launch + rest_time +
		       (double)tiles / (double)units_of(d) * tile;
	return w->launch + (double)size_blocks(tiles, units_of(d)) * tile +
	       (plan->parts > 1 ? sum_time : 0);
}

/* Shared are tiles beyond a multiple of the groups and, as nobody shall share
 * more than two of them, as many as there are groups; if that is faster. */
static struct f64_plan plan_of(const struct sheet *d, const struct f64_way *w,
                               const struct product *p)
{
	const size_t depth = depth_of(d, w, p), places = places_of(d, w);
	const size_t tiles = tiles_of(w, p);
	const struct f64_plan plain = {
		.way = w, .depth = depth, .parts = size_blocks(p->k, depth)
	};
	const struct f64_plan shared = {
		.way = w, .depth = depth, .parts = 1,
		.shared = places + tiles % places
	};
	const double time = time_of(d, &plain, p);

	if (p->stack > 1 || tiles < places || tiles % places == 0 ||
	    time > sharing_time || time_of(d, &shared, p) >= time)
		return plain;
	return shared;
}

struct f64_plan f64_plan_of(const struct sheet *d, const struct product *p)
{
	struct f64_plan best = plan_of(d, f64_ways, p);

	for (const struct f64_way *w = f64_ways + 1; w->kernel; w++) {
		const struct f64_plan next = plan_of(d, w, p);

		if (time_of(d, &next, p) < time_of(d, &best, p))
			best = next;
	}
	return best;
}

struct f64_plan f64_plan_large(const struct product *p)
{
	return (struct f64_plan){
		.way = f64_ways, .depth = size_round_up(p->k, TENSOR_DEPTH),
		.parts = 1
	};
}

size_t f64_rest(const struct sheet *d, const struct f64_plan *plan)
{
	const struct f64_way *w = plan->way;

	return plan->shared == 0 ? 0 :
	       places_of(d, w) * w->rows * w->cols * sizeof(double);
}

/* C += what is left in rest. */
static void add_rest(struct seq *s, const struct f64_plan *plan,
                     const struct f64_product *x, struct buf rest,
                     size_t groups)
{
	const struct f64_way *w = plan->way;
	const struct product *p = &x->p;

	seq_launch(s, "matmul_tensor_f64_rest",
	           GRID2(w->rows * w->cols / TENSOR_REST_EACH, groups,
	                 TENSOR_REST_ITEMS, 1),
	           ARG_BUF(rest), ARG_BUF(x->c), ARG_INT(p->m), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(x->c_at), ARG_INT(x->c_row),
	           ARG_INT(plan->shared), ARG_INT(groups), ARG_INT(w->rows),
	           ARG_INT(w->cols), ARG_INT(w->slab));
}

void f64_multiply(struct seq *s, const struct f64_plan *plan,
                  const struct f64_product *x)
{
	const struct f64_way *w = plan->way;
	const struct product *p = &x->p;
	const size_t most = plan->groups > 0 ? plan->groups :
	                                       places_of(seq_sheet(s), w);
	const size_t groups = size_min(tiles_of(w, p) * plan->parts, most);
	struct buf rest = x->c;

	if (plan->shared > 0)
		rest = seq_scratch(s, f64_rest(seq_sheet(s), plan));
	seq_work(s, product_flops(p), product_bytes(p, FLOAT64));
	seq_launch(s, w->kernel, GRID1(groups * w->items, w->items),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack), ARG_INT(p->m),
	           ARG_INT(p->n), ARG_INT(p->k), ARG_LONG(p->a_row),
	           ARG_LONG(p->a_col), ARG_LONG(p->b_row), ARG_LONG(p->b_col),
	           ARG_LONG(x->a_at), ARG_LONG(x->b_at), ARG_LONG(x->c_at),
	           ARG_INT(x->c_row), ARG_INT(plan->depth), ARG_INT(x->minus),
	           ARG_BUF(rest), ARG_INT(plan->shared));
	if (plan->shared > 0)
		add_rest(s, plan, x, rest, groups);
}
