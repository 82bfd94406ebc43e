/* plan.c - see plan.h: the kernels, plans for any device, and what all plans
 * have in common. Plans for CPUs are in plan_cpu.c, those for tensor cores in
 * plan_tensor.c. */
#include <string.h>

#include "base/size.h"
#include "ops/matmul/costs.h"
#include "ops/matmul/launch.h"
#include "ops/matmul/share.h"
#include "shared/matmul_tensor.h"
#include "shared/matmul_tile.h"
#include "shared/seed_group.h"

struct gemm_plan gemm_plan_new(enum gemm_kernel_id kernel)
{
	const struct gemm_kernel *w = &gemm_kernels[kernel];

	return (struct gemm_plan){
		.kernel = w, .rows = w->rows, .cols = w->cols, .k_splits = 1
	};
}

void gemm_cut(struct gemm_plan *g, const struct gemm_on *on,
              const struct product *p, size_t pad)
{
	const size_t copies = g->k_splits *
	                      (g->adds ? TENSOR_TILE_PADDING : 1);
	const struct cuts c = product_cuts(p, need_most(on->d, on->t), copies,
	                                   pad);

	g->cuts = c;
	if (c.stack < p->stack || c.rows < p->m || c.cols < p->n)
		g->stream_k = 0;
}

void gemm_count_groups(struct gemm_plan *g, const struct product *p)
{
	g->groups = p->stack * g->m_blocks * g->n_blocks * g->k_splits;
	if (g->most_groups > 0)
		g->groups = size_min(g->groups, g->most_groups);
}

void gemm_share_tiles(struct gemm_plan *g, const struct gemm_on *on,
                      const struct product *p)
{
	(void)on;
	g->m_blocks = size_blocks(p->m, g->rows);
	g->n_blocks = size_blocks(p->n, g->cols);
	gemm_count_groups(g, p);
}

void gemm_share_elements(struct gemm_plan *g, const struct gemm_on *on,
                         const struct product *p)
{
	gemm_share_tiles(g, on, p);
	g->groups = size_blocks(g->groups, g->kernel->items);
}

struct gemm_plan gemm_plan_panel(const struct gemm_plan *whole,
                                 const struct gemm_on *on,
                                 const struct product *panel)
{
	struct gemm_plan g = *whole;

	g.kernel->share(&g, on, panel);
	return g;
}

struct gemm_plan gemm_plan_whole(const struct gemm_on *on,
                                 enum gemm_kernel_id kernel,
                                 const struct product *p)
{
	struct gemm_plan g = gemm_plan_new(kernel);

	g.depth = p->k;
	g.kernel->share(&g, on, p);
	gemm_cut(&g, on, p, 1);
	return g;
}

/* matmul_few suits many contiguous rows of A and a few columns of B. */
static bool suits_few(const struct product *p)
{
	return p->a_col == 1 && p->k >= 2 * MATMUL_FEW_GROUP && p->n > 1 &&
	       p->n <= MATMUL_THIN_COLS && p->m >= FEW_LEAST_ROWS;
}

/* matmul_dot suits contiguous rows of A with either few columns of B, or few
 * rows of A and contiguous columns of B. In matmul_tile most of a tile would
 * then lie beyond an edge of C. */
static bool suits_dots(const struct product *p)
{
	const bool few = p->n <= MATMUL_TILE_SIDE * 2;

	return p->a_col == 1 && p->k >= 2 * MATMUL_DOT_GROUP &&
	       (few || (p->b_row == 1 && p->m <= MATMUL_TILE_SIDE * 2));
}

/* matmul_flat suits a small k: each of its work-groups writes whole rows of its
 * part of C. */
static bool suits_flat(const struct product *p)
{
	return p->k <= FLAT_MOST_DEPTH && p->b_col == 1 &&
	       p->n >= MATMUL_FLAT_LANES;
}

struct gemm_plan gemm_plan_any(const struct gemm_on *on,
                               const struct product *p)
{
	return gemm_plan_whole(on, suits_few(p) ? GEMM_FEW :
	                           suits_dots(p) ? GEMM_DOT :
	                           suits_flat(p) ? GEMM_FLAT : GEMM_TILE, p);
}

enum gemm_kernel_id gemm_kernel_find(const char *name)
{
	enum gemm_kernel_id i = 0;

	while (strcmp(gemm_kernels[i].name, name) != 0)
		i++;
	return i;
}

enum { NAIVE_GROUP = 64 };

/* The fields of a float64 kernel: the name, rows and columns of its tile, the k
 * of a slab, the work-items of a work-group, and the work-groups that a compute
 * unit holds at once. */
#define F64(tile, m, n, k, group, held)                                       \
	"matmul_tensor_f64_" tile, gemm_launch_tensor, gemm_share_tiles, m, n, \
	group, gemm_f64_is_right, .slab = k, .resident = held,                \
	.persistent = true

/* The fields of a kernel for pairs of float16 or for halves. */
#define PAIRS(kind, n)                                                        \
	"matmul_tensor_" kind, gemm_launch_tensor, gemm_share_tf32,           \
	TENSOR_ROWS, PAIRS_COLS, PAIRS_ITEMS, gemm_pairs_is_right,            \
	.resident = 1, .persistent = true, .pack = "matmul_" kind "_pack",    \
	.terms = 2, .halves = n, .depth = PAIRS_DEPTH,                        \
	.scratch = pairs_scratch, .part = pairs_part

/* The fields that have no designator: name, launch, share; rows, cols, items;
 * is_right. */
const struct gemm_kernel gemm_kernels[] = {
	[GEMM_MATVEC_ROWS] = { "matvec_rows", gemm_launch_matvec,
		gemm_share_tiles, 0, 1, .items = 1 },
	[GEMM_MATVEC_COLUMNS] = { "matvec_columns", gemm_launch_matvec,
		gemm_share_tiles, MATVEC_CHUNK, 1, .items = 1 },
	[GEMM_SMALL] = { "matmul_small", gemm_launch_small, gemm_share_small,
		0, 0, .items = 1 },
	[GEMM_PACKED] = { "matmul_packed", gemm_launch_packed,
		gemm_share_packed, 0, 0, .items = 1, .pack = "matmul_pack" },
	[GEMM_FEW] = { "matmul_few", gemm_launch_tile, gemm_share_tiles,
		MATMUL_THIN_ROWS, MATMUL_THIN_COLS,
		.items = MATMUL_FEW_GROUP },
	[GEMM_DOT] = { "matmul_dot", gemm_launch_tile, gemm_share_tiles,
		1, 1, .items = MATMUL_DOT_GROUP },
	[GEMM_FLAT] = { "matmul_flat", gemm_launch_tile, gemm_share_tiles,
		MATMUL_FLAT_TALL * MATMUL_THIN_ROWS,
		MATMUL_FLAT_LANES * MATMUL_THIN_COLS,
		.items = MATMUL_FLAT_TALL * MATMUL_FLAT_LANES },
	[GEMM_TILE] = { "matmul_tile", gemm_launch_tile, gemm_share_tiles,
		MATMUL_TILE, MATMUL_TILE,
		.items = MATMUL_TILE_SIDE * MATMUL_TILE_SIDE },
	[GEMM_NAIVE] = { "matmul_naive", gemm_launch_tile,
		gemm_share_elements, 1, 1, .items = NAIVE_GROUP },
	[GEMM_LOCAL_TILE] = { "matmul_local_tile", gemm_launch_tile,
		gemm_share_tiles, 1, SEED_GROUP, .items = SEED_GROUP },
	[GEMM_BROADCAST] = { "matmul_subgroup_broadcast", gemm_launch_tile,
		gemm_share_tiles, 1, SEED_GROUP, .items = SEED_GROUP },
	[GEMM_3XTF32] = { "matmul_tensor_3xtf32", gemm_launch_tensor,
		gemm_share_tf32, TENSOR_ROWS, TENSOR_3XTF32_COLS,
		TENSOR_TF32_ITEMS, gemm_tf32_is_right, .resident = 1,
		.persistent = true, .most_added = TENSOR_MOST_ADDED,
		.pack = "matmul_pack_3xtf32", .terms = 2,
		.scratch = tf32_scratch, .part = tf32_whole_part },
	[GEMM_TF32] = { "matmul_tensor_tf32", gemm_launch_tensor,
		gemm_share_tf32, TENSOR_ROWS, TENSOR_TF32_COLS,
		TENSOR_TF32_ITEMS, gemm_tf32_is_right, .resident = 1,
		.persistent = true, .most_added = TENSOR_MOST_ADDED,
		.pack = "matmul_pack_tf32", .terms = 1,
		.scratch = tf32_scratch, .part = tf32_whole_part },
	[GEMM_DIRECT] = { "matmul_tensor_direct", gemm_launch_direct,
		gemm_share_tiles, TENSOR_DIRECT_ROWS, TENSOR_DIRECT_COLS,
		TENSOR_DIRECT_ITEMS, gemm_direct_is_right, .resident = 2,
		.most_added = TENSOR_MOST_ADDED },
	[GEMM_PAIRS] = { PAIRS("pairs", 2) },
	[GEMM_HALVES] = { PAIRS("halves", 1) },
	[GEMM_F64_128X128] = { F64("128x128", 128, 128, 16, 384, 1) },
	[GEMM_F64_128X64] = { F64("128x64", 128, 64, 32, 384, 1) },
	[GEMM_F64_64X64] = { F64("64x64", 64, 64, 16, 256, 2) },
	[GEMM_F64_32X64] = { F64("32x64", 32, 64, 32, 256, 2) },
	[GEMM_F64_32X32] = { F64("32x32", 32, 32, 32, 256, 2) },
	[GEMM_RESIDUES] = { "matmul_tensor_residues", gemm_launch_tensor,
		gemm_share_residues, TENSOR_ROWS, RESIDUES_COLS,
		RESIDUES_ITEMS, gemm_residues_is_right, .resident = 1,
		.persistent = true, .pack = "matmul_residues_pack",
		.depth = RESIDUES_SLAB, .scratch = residues_scratch,
		.part = residues_part },
};
