/* plan_tensor.c - plans for tensor cores: float32 with packed or unpacked
 * operands, and float64 with tiles of five sizes. docs/matmul.md explains the
 * model and the choice. */
#include "base/size.h"
#include "ops/matmul/costs.h"
#include "ops/matmul/share.h"
#include "shared/matmul_tensor.h"

static size_t units_of(const struct gemm_on *on)
{
	return at_least_one(on->d->compute_units);
}

/* --- packed operands */

static size_t most_packed(const struct gemm_on *on)
{
	return size_min(TENSOR_MOST_PACKED, need_most(on->d, FLOAT32));
}

/* Returns all of the lines if the limit allows them, else as many whole tiles
 * of lines as it allows. */
static size_t lines(size_t all, size_t limit, size_t tile)
{
	return all <= limit ? all : limit - limit % tile;
}

/* Returns of what the packed columns are a multiple if not all are packed at a
 * time: whole tiles, also when they are computed again in TF32. */
static size_t cols_of(const struct gemm_kernel *w)
{
	return w->cols % TENSOR_3XTF32_COLS == 0 ? w->cols : 2 * w->cols;
}

/* The operands of several whole products are packed at a time, or some rows and
 * columns of one product. */
void gemm_share_tf32(struct gemm_plan *g, const struct gemm_on *on,
                     const struct product *p)
{
	const size_t most = most_packed(on), terms = g->kernel->terms;
	const size_t cols = cols_of(g->kernel);
	const size_t limit = most / size_round_up(p->k, gemm_depth(g->kernel));
	struct cuts c = {
		1, lines(p->m, limit - limit % g->rows, g->rows),
		lines(p->n, limit / terms / cols * cols, cols)
	};

	if (c.rows == p->m && c.cols == p->n)
		c.stack = at_least_one(size_min(p->stack, most /
		    size_max(gemm_packed_a(g->kernel, p, &c),
		             gemm_packed_b(g->kernel, p, &c))));
	g->packed = c;
	gemm_share_tiles(g, on, p);
}

/* The operands of the whole product are packed at a time (suits_residues()). */
void gemm_share_residues(struct gemm_plan *g, const struct gemm_on *on,
                         const struct product *p)
{
	g->packed = (struct cuts){ 1, p->m, p->n };
	gemm_share_tiles(g, on, p);
}

/* Is k so small that one tile's packed operands fit a buffer? */
static bool fits_packed(const struct gemm_on *on, const struct gemm_kernel *w,
                        const struct product *p)
{
	return p->k + gemm_depth(w) <=
	       most_packed(on) / (cols_of(w) * w->terms);
}

/* --- the cost model */

static double pack_time(const struct gemm_plan *g, const struct product *p)
{
	const struct gemm_cost *c = &gemm_costs[g->kernel - gemm_kernels];

	return (double)p->stack * (c->a_bytes * (double)(p->m * p->k) +
	                           c->b_bytes * (double)(p->k * p->n) +
	                           c->c_bytes * (double)(p->m * p->n)) /
	       PACK_BYTES_PER_NS;
}

/* Estimated nanoseconds to add the splits. */
static double sum_time(const struct gemm_on *on, const struct gemm_plan *g,
                       const struct product *p)
{
	const struct gemm_scratch x = gemm_scratch_of(on, g, p);
	const bool bytes = gemm_costs[g->kernel - gemm_kernels].sum_bytes;

	if (g->k_splits == 1)
		return 0;
	if (g->adds)
		return ARRIVE_NS + ADD_NS * (double)g->k_splits;
	return SUM_LAUNCH_NS +
	       (bytes ? (double)x.splits / SUM_BYTES_PER_NS : 0);
}

/* Estimated nanoseconds until the compute unit with the most tiles is done.
 * With Stream-K all compute units are done at the same time. */
static double time_of(const struct gemm_on *on, const struct gemm_plan *g,
                      const struct product *p)
{
	const struct gemm_cost *c = &gemm_costs[g->kernel - gemm_kernels];
	const size_t tiles = p->stack * g->m_blocks * g->n_blocks * g->k_splits;
	const size_t shares = at_least_one(c->shares);
	const size_t rounds = size_blocks(tiles * shares, units_of(on));
	const double each = (double)rounds / (double)shares;
	const double steps = (double)size_blocks(size_min(p->k, g->depth),
	                                         c->step);
	const double step_ns = rounds == 1 ? c->alone_ns : c->step_ns;
	const double tile_ns = c->tile_ns + steps * step_ns;

	if (g->stream_k > 0)
		return c->launch_ns + FIX_UP_NS +
		       (double)tiles / (double)units_of(on) * tile_ns;
	return c->launch_ns + pack_time(g, p) + each * tile_ns +
	       sum_time(on, g, p);
}

/* --- splits of k */

static size_t slices_of(size_t k_splits)
{
	size_t slices = 1;

	while (slices < SUM_MOST_SLICES && k_splits > SUM_ITEM_SPLITS * slices)
		slices *= 2;
	return slices;
}

struct gemm_plan gemm_plan_forced(const struct gemm_on *on,
                                  const struct gemm_forced *way,
                                  const struct product *p)
{
	struct gemm_plan g = gemm_plan_new(way->kernel);
	const struct gemm_kernel *w = g.kernel;

	g.depth = size_round_up(size_blocks(p->k, way->k_splits),
	                        gemm_depth(w));
	g.k_splits = size_blocks(p->k, g.depth);
	g.adds = g.k_splits > 1 && g.k_splits <= w->most_added;
	g.slices = slices_of(g.k_splits);
	g.stream_k = way->stream_k;
	g.fast = on->precision == MATMUL_FAST;
	if (w->persistent)
		g.most_groups = way->most_groups > 0 ? way->most_groups :
		                                       gemm_resident(on, w);
	w->share(&g, on, p);
	return g;
}

static struct gemm_plan plan_by(const struct gemm_on *on,
                                enum gemm_kernel_id kernel,
                                const struct product *p, size_t k_splits)
{
	return gemm_plan_forced(on, &(struct gemm_forced){
		kernel, .k_splits = k_splits }, p);
}

/* Tries the number of splits that gives each resident work-group a tile, then
 * half of that number, and so on, and returns the plan of the least estimated
 * time. The kernel needs one of SEQ_COUNTERS counters for each tile. */
static struct gemm_plan plan_counted(const struct gemm_on *on,
                                     enum gemm_kernel_id kernel,
                                     const struct product *p)
{
	struct gemm_plan best = plan_by(on, kernel, p, 1);
	const size_t tiles = best.groups;
	size_t n = gemm_resident(on, best.kernel) / tiles;

	for (; n > 1 && tiles <= SEQ_COUNTERS; n /= 2) {
		const struct gemm_plan g = plan_by(on, kernel, p, n);

		if (time_of(on, &g, p) < time_of(on, &best, p))
			best = g;
	}
	return best;
}

/* Splits k so that each resident work-group has one split of a tile, unless a
 * split would then be shorter than least_split. */
static struct gemm_plan plan_split(const struct gemm_on *on,
                                   enum gemm_kernel_id kernel,
                                   const struct product *p)
{
	const struct gemm_plan g = plan_by(on, kernel, p, 1);
	const size_t tiles = p->stack * g.m_blocks * g.n_blocks;
	const size_t k_splits =
	    size_min(gemm_resident(on, g.kernel) / tiles,
	             p->k / gemm_costs[kernel].least_split);

	return plan_by(on, kernel, p, at_least_one(k_splits));
}

/* Stream-K computes the tiles beyond a multiple of the number of resident
 * work-groups, and one more tile for each resident work-group. Each of these
 * therefore gets the slabs of more than one tile and less than two, and no tile
 * has partial sums of more than two work-groups. Stream-K is used only if its
 * estimated time is shorter. */
static struct gemm_plan plan_f64(const struct gemm_on *on,
                                 enum gemm_kernel_id kernel,
                                 const struct product *p)
{
	const struct gemm_plan plain = plan_split(on, kernel, p);
	const size_t resident = gemm_resident(on, plain.kernel);
	const size_t tiles = plain.m_blocks * plain.n_blocks;
	const double time = time_of(on, &plain, p);
	struct gemm_plan stream_k = plain;

	stream_k.stream_k = resident + tiles % resident;
	if (p->stack > 1 || tiles < resident || tiles % resident == 0 ||
	    time > MOST_STREAM_K_NS || time_of(on, &stream_k, p) >= time)
		return plain;
	return stream_k;
}

/* Is there a single product, which is not cut into panels, and do its packed
 * operands and its residues fit into the device's memory? */
static bool suits_residues(const struct gemm_on *on, const struct gemm_plan *g,
                           const struct product *p)
{
	const struct gemm_scratch x = gemm_scratch_of(on, g, p);

	return p->stack == 1 && p->k <= RESIDUES_MOST_DEPTH &&
	       size_max(size_max(x.packed_a, x.packed_b), x.residues) <=
	       on->d->max_allocation_bytes &&
	       x.packed_a + x.packed_b + x.residues <=
	       on->d->global_memory_bytes / RESIDUES_MEMORY;
}

static struct gemm_plan plan_float64(const struct gemm_on *on,
                                     const struct product *p)
{
	const struct gemm_plan residues = plan_by(on, GEMM_RESIDUES, p, 1);
	struct gemm_plan best = plan_f64(on, GEMM_F64_128X128, p);

	for (enum gemm_kernel_id i = GEMM_F64_128X64; i <= GEMM_F64_32X32;
	     i++) {
		const struct gemm_plan next = plan_f64(on, i, p);

		if (time_of(on, &next, p) < time_of(on, &best, p))
			best = next;
	}
	return suits_residues(on, &residues, p) &&
	       time_of(on, &residues, p) < time_of(on, &best, p) ? residues :
	                                                           best;
}

static struct gemm_plan plan_float32(const struct gemm_on *on,
                                     const struct product *p)
{
	static const enum gemm_kernel_id packed[][2] = {
		[false] = { GEMM_3XTF32, GEMM_PAIRS },
		[true] = { GEMM_TF32, GEMM_HALVES },
	};
	const enum gemm_kernel_id *of = packed[on->precision == MATMUL_TF32];
	struct gemm_plan best = plan_counted(on, GEMM_DIRECT, p);

	for (size_t i = 0; i < COUNT(packed[0]); i++) {
		const enum gemm_kernel_id id = of[i];
		struct gemm_plan next;

		if (!fits_packed(on, &gemm_kernels[id], p))
			continue;
		next = plan_split(on, id, p);
		if (time_of(on, &next, p) < time_of(on, &best, p))
			best = next;
	}
	return best;
}

static bool suits(const struct product *p)
{
	return p->stack > 0 && size_min(p->m, p->n) >= TENSOR_LEAST_LINES &&
	       p->k >= TENSOR_LEAST_DEPTH;
}

struct gemm_plan gemm_plan_tensor(const struct gemm_on *on,
                                  const struct product *p)
{
	struct gemm_plan g;

	if (!suits(p))
		return gemm_plan_any(on, p);
	g = on->t == FLOAT64 ? plan_float64(on, p) : plan_float32(on, p);
	gemm_cut(&g, on, p, 1);
	return g;
}
