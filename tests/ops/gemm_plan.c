/* gemm_plan.c - a plan of a product (ops/matmul/plan.h) covers C and k exactly,
 * fits the device, and needs the memory that its panels take. */
#include <stdio.h>

#include "ops/op.h"
#include "shared/matmul_tensor.h"
#include "shared/matmul_tile.h"
#include "tests/ops/gemm_plan.h"

/* A planner, a device for it, and the variant whose kernels it may choose. */
static const struct {
	gemm_plan_fn *plan;
	const char *variant;
	struct sheet d;
} on_devices[] = {
	{ gemm_plan_cpu, "packed", GEMM_SHEET(DEVICE_CPU, 2, 512) },
	{ gemm_plan_cpu, "packed", GEMM_SHEET(DEVICE_CPU, 64, 2048) },
	{ gemm_plan_cpu, "packed", GEMM_SHEET(DEVICE_CPU, 1, 32) },
	{ gemm_plan_tensor, "tensor", GEMM_SHEET(DEVICE_GPU, 132, 48) },
	{ gemm_plan_tensor, "tensor", GEMM_SHEET(DEVICE_GPU, 108, 48) },
	{ gemm_plan_any, "register-tile", GEMM_SHEET(DEVICE_GPU, 20, 32) },
};

static const size_t sizes[] = { 1, 4, 15, 33, 64, 100, 129, 512, 1000, 2050,
                                5000 };

/* Buffers may have all of the largest matrix, or a part of it. */
static const size_t parts[] = { 1, 2, 7 };

/* One product of the loops below. */
struct sample {
	struct gemm_on on;
	struct product p;		/* as the plan computes it */
	struct gemm_plan g;
	const char *variant;
};

static void try_sizes(size_t which, const size_t x[3], unsigned turn,
                      void (*check)(const struct sample *s))
{
	const size_t stack = turn % 5 == 0 ? 3 : 1;
	const struct product p = gemm_sample(stack, x[0], x[1], x[2],
	                                       turn % 8);
	struct sheet d = on_devices[which].d;
	struct sample s = {
		{ &d, turn % 2 ? FLOAT32 : FLOAT64, turn / 2 % 2 }, p,
		.variant = on_devices[which].variant
	};
	const size_t most = size_max(size_max(x[0], x[1]) * x[2], x[0] * x[1]);

	if (turn % 4 >= 2)
		d.max_allocation_bytes = size_max(x[2],
		    stack * most / parts[turn % COUNT(parts)]) *
		    dtype_bytes(s.on.t);
	s.g = on_devices[which].plan(&s.on, &p);
	if (s.g.turned)
		s.p = product_transposed(&p);
	check(&s);
}

/* Every size, on every device. */
static void each_sample(void (*check)(const struct sample *s))
{
	const size_t n = COUNT(sizes);
	unsigned turn = 0;

	for (size_t i = 0; i < COUNT(on_devices); i++)
		for (size_t e = 0; e < n * n * n; e++) {
			const size_t x[3] = {
				sizes[e % n], sizes[e / n % n],
				sizes[e / n / n]
			};

			try_sizes(i, x, turn++, check);
			try_sizes(i, x, turn++, check);
		}
}

/* Panels of the plan, in the order in which they are launched. */
static void each_panel(const struct sample *s,
                       void (*visit)(const struct sample *s,
                                     const struct product *panel, void *arg),
                       void *arg)
{
	const struct cuts *c = &s->g.cuts;
	const struct product *p = &s->p;
	struct product x = *p;

	for (size_t q = 0; q < p->stack; q += c->stack)
		for (size_t j = 0; j < p->n; j += c->cols)
			for (size_t i = 0; i < p->m; i += c->rows) {
				x.stack = size_min(c->stack, p->stack - q);
				x.m = size_min(c->rows, p->m - i);
				x.n = size_min(c->cols, p->n - j);
				x.a_stack = size_min(p->a_stack, x.stack);
				x.b_stack = size_min(p->b_stack, x.stack);
				visit(s, &x, arg);
			}
}

static bool has_strips(const struct gemm_plan *g)
{
	return g->kernel == &gemm_kernels[GEMM_SMALL] ||
	       g->kernel == &gemm_kernels[GEMM_PACKED];
}

/* `blocks` blocks of `each` lines cover `all` of them, and none is empty. CPUs
 * share out strips of lines evenly. */
static void check_lines(size_t all, size_t blocks, size_t each, size_t strip)
{
	ck_assert_uint_ge(blocks, 1);
	ck_assert_uint_ge(blocks * each, all);
	if (strip > 0)
		ck_assert_uint_le(blocks, size_blocks(all, strip));
	else
		ck_assert_uint_lt((blocks - 1) * each, all);
}

static void check_blocks(const struct sample *s, const struct product *panel,
                         void *covered)
{
	const struct gemm_plan g = gemm_plan_panel(&s->g, &s->on, panel);
	const size_t cols = MATMUL_PANEL_BYTES / dtype_bytes(s->on.t);
	const bool strips = has_strips(&g);

	check_lines(panel->m, g.m_blocks, g.rows, strips ? MATMUL_STRIP : 0);
	check_lines(panel->n, g.n_blocks, g.cols, strips ? cols : 0);
	ck_assert_uint_eq(g.k_splits, s->g.k_splits);
	ck_assert_uint_eq(g.depth, s->g.depth);
	ck_assert_uint_eq(g.kc, s->g.kc);
	*(size_t *)covered += panel->stack * panel->m * panel->n;
}

static void covers_c(const struct sample *s)
{
	size_t covered = 0;

	each_panel(s, check_blocks, &covered);
	ck_assert_uint_eq(covered, s->p.stack * s->p.m * s->p.n);
}

START_TEST(blocks_of_all_panels_cover_c_once)
{
	each_sample(covers_c);
}
END_TEST

static void covers_k(const struct sample *s)
{
	const struct gemm_plan *g = &s->g;

	ck_assert_uint_ge(g->k_splits, 1);
	ck_assert_uint_ge(g->k_splits * g->depth, s->p.k);
	if (has_strips(g))		/* k is shared out evenly */
		ck_assert_uint_le(g->k_splits, s->p.k);
	else
		ck_assert_uint_lt((g->k_splits - 1) * g->depth, s->p.k);
	if (g->kernel == &gemm_kernels[GEMM_SMALL])
		ck_assert(g->kc >= 1 && g->kc <= g->depth);
	if (g->adds)
		ck_assert(g->k_splits > 1 &&
		          g->k_splits <= g->kernel->most_added);
}

START_TEST(splits_cover_k_and_none_is_empty)
{
	each_sample(covers_k);
}
END_TEST

static void fits_device(const struct sample *s)
{
	const struct gemm_plan *g = &s->g;
	const size_t tiles = s->p.stack * g->m_blocks * g->n_blocks;
	const size_t size = dtype_bytes(s->on.t);
	const size_t places = s->on.d->compute_units * g->kernel->resident;

	ck_assert_uint_ge(g->groups, 1);
	if (g->kernel->persistent)
		ck_assert_uint_eq(g->groups, size_min(tiles * g->k_splits,
		                                      places));
	else
		ck_assert_uint_eq(g->groups, tiles * g->k_splits);
	if (places > 0 && g->k_splits > 1)
		ck_assert_uint_le(tiles, places);
	if (g->adds)
		ck_assert_uint_le(tiles, SEQ_COUNTERS);
	if (g->kernel == &gemm_kernels[GEMM_SMALL] && g->kc > 1)
		ck_assert_uint_le(g->kc * g->cols * size,
		                  s->on.d->local_memory_bytes);
	if (g->kernel == &gemm_kernels[GEMM_PACKED] && g->rows > MATMUL_STRIP)
		ck_assert_uint_le(g->rows * MATMUL_DEPTH * size,
		                  s->on.d->local_memory_bytes / 2);
}

START_TEST(work_groups_and_local_memory_are_within_the_device)
{
	each_sample(fits_device);
}
END_TEST

/* Each work-group gets more than one tile's slabs and less than two, and the
 * tiles before make whole waves. */
static void shares_tiles(const struct sample *s)
{
	const struct gemm_plan *g = &s->g;
	const size_t tiles = g->m_blocks * g->n_blocks;

	if (g->stream_k == 0)
		return;
	ck_assert_uint_gt(g->kernel->slab, 0);
	ck_assert_uint_eq(s->p.stack * g->k_splits, 1);
	ck_assert(g->stream_k > g->groups && g->stream_k < 2 * g->groups);
	ck_assert_uint_eq((tiles - g->stream_k) % g->groups, 0);
	ck_assert(g->cuts.rows == s->p.m && g->cuts.cols == s->p.n);
}

START_TEST(stream_k_deals_out_less_than_two_tiles_a_work_group)
{
	each_sample(shares_tiles);
}
END_TEST

/* What panels take, as they are launched: TF32 operands have room once, B is
 * packed again on a CPU where the panel before had another part of it. */
struct taken {
	size_t bytes, largest, panels;
};

static void take(struct taken *t, size_t bytes)
{
	t->bytes += bytes;
	t->largest = size_max(t->largest, bytes);
}

static bool has_new_b(const struct sample *s, size_t panel)
{
	const struct cuts *c = &s->g.cuts;
	const size_t down = size_blocks(s->p.m, c->rows);

	if (panel == 0)
		return true;
	return !s->g.kernel->scratch && panel % down == 0 &&
	       (s->p.b_stack > 1 || c->cols < s->p.n);
}

static void take_panel(const struct sample *s, const struct product *panel,
                       void *arg)
{
	const struct gemm_plan g = gemm_plan_panel(&s->g, &s->on, panel);
	const struct gemm_scratch x = gemm_scratch_of(&s->on, &g, panel);
	struct taken *t = arg;

	take(t, x.splits);
	take(t, x.ones);
	take(t, x.fix_up);
	if (has_new_b(s, t->panels)) {
		take(t, x.packed_a);
		take(t, x.packed_b);
		take(t, x.lines);
		take(t, x.residues);
		if (x.residues > 0)
			take(t, RESIDUES_WORDS * sizeof(uint32_t));
	}
	t->panels++;
}

static void needs_what_it_takes(const struct sample *s)
{
	const bool whole = s->g.cuts.rows == s->p.m &&
	                   s->g.cuts.cols == s->p.n &&
	                   s->g.cuts.stack == s->p.stack;
	struct need all = { 0 }, operands = { 0 };
	struct taken t = { 0 };

	product_need(&operands, s->on.d, s->on.t, &s->p, &s->g.cuts);
	if (s->g.turned) {
		const struct product p = product_transposed(&s->p);

		gemm_need(&all, &s->on, &s->g, &p);
	} else {
		gemm_need(&all, &s->on, &s->g, &s->p);
	}
	each_panel(s, take_panel, &t);
	ck_assert_uint_eq(all.largest, size_max(operands.largest, t.largest));
	if (s->g.kernel->most_added > 0 && !whole)
		ck_assert_uint_ge(all.bytes, operands.bytes + t.bytes);
	else
		ck_assert_uint_eq(all.bytes, operands.bytes + t.bytes);
}

START_TEST(need_is_the_memory_that_the_panels_take)
{
	each_sample(needs_what_it_takes);
}
END_TEST

static void is_of_the_variant(const struct sample *s)
{
	const struct variant *v = op_find("matmul")->variants;
	char name[64];

	while (strcmp(v->name, s->variant) != 0)
		v++;
	snprintf(name, sizeof name, "%s ", s->g.kernel->name);
	ck_assert_msg(strstr(v->kernels, name) ||
	              strcmp(strrchr(v->kernels, ' ') + 1,
	                     s->g.kernel->name) == 0,
	              "%s of %s", s->g.kernel->name, v->name);
}

START_TEST(kernels_are_among_those_that_the_variant_names)
{
	each_sample(is_of_the_variant);
}
END_TEST

TCase *tcase_gemm_plan(void)
{
	TCase *c = tcase_create("gemm_plan");

	tcase_add_test(c, blocks_of_all_panels_cover_c_once);
	tcase_add_test(c, splits_cover_k_and_none_is_empty);
	tcase_add_test(c, work_groups_and_local_memory_are_within_the_device);
	tcase_add_test(c,
	    stream_k_deals_out_less_than_two_tiles_a_work_group);
	tcase_add_test(c, need_is_the_memory_that_the_panels_take);
	tcase_add_test(c, kernels_are_among_those_that_the_variant_names);
	return c;
}
