/* factor.h - P A = L U on the device, for the operations that need it.
 *
 * All variants take a stack of row-major m x n matrices and leave U and the
 * strict lower part of L (its diagonal is 1) in lu. Row swaps[i] (0-based,
 * of 32 bits) was swapped with row i, for i = 0, 1, … min(m, n) - 1.
 * A zero pivot leaves its column, as LAPACK's getrf with info > 0.
 */
#ifndef OPS_LU_FACTOR_H
#define OPS_LU_FACTOR_H

#include <stdbool.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/need.h"

/* Rows and columns are counted in 32 bits, with room to round up. */
#define LU_MAX ((size_t)INT32_MAX - 1024)

struct factors {
	size_t stack, m, n;
	bool pivoting;
	bool beside;			/* other launches run beside it, and
					 * leave a quarter of the device */
	struct buf a;			/* stack x m x n, left as it is */
	struct buf lu;			/* stack x m x n */
	struct buf swaps;		/* stack x min(m, n) int32_t */
};

typedef void lu_factor_fn(struct seq *s, const struct factors *f);

/* The scratch memory of such a function beside what factors_alloc() makes; only
 * the sizes in f are read. */
typedef void lu_need_fn(struct need *n, const struct sheet *d, enum dtype t,
                        const struct factors *f);

/* blocked.c: look-ahead, for CPUs (kernels/lu/cpu/lu.cl) */
lu_factor_fn lu_factor_blocked;
lu_need_fn lu_need_blocked;
#define LU_BLOCKED_KERNELS \
	"lu_narrow lu_load lu_factor lu_order lu_store"

/* tiled.c: work-groups and local memory, for any device (kernels/lu/lu.cl);
 * spread: each panel by several co-resident work-groups (kernels/lu/nvidia) */
lu_factor_fn lu_factor_tiled, lu_factor_spread;
lu_need_fn lu_need_tiled, lu_need_spread;
#define LU_TILED_KERNELS \
	"lu_small_panel lu_warp_panel lu_resident_panel lu_tall_load " \
	"lu_tall_column lu_tall_store " \
	"lu_tile_rows lu_tile_update"
#define LU_SPREAD_KERNELS \
	LU_TILED_KERNELS " lu_columns_256 lu_columns_512 lu_columns_1024 " \
	"lu_columns_1536 lu_columns_2048 lu_grid_4096 lu_grid_8192 " \
	"lu_spread_panel lu_spread_quarter lu_follow " \
	"lu_block_rows " \
	"matmul_pack_3xtf32 matmul_tensor_3xtf32 matmul_tensor_f64_128x128"

/* seed.c: a column at a time, never pivoting (kernels/seeds/lu.cl) */
lu_factor_fn lu_factor_seed_v0, lu_factor_seed_v1;
lu_need_fn lu_need_seed_v0, lu_need_seed_v1;
#define LU_SEED_V0_KERNELS "seed_lu_identity seed_lu_step seed_lu_pack"
#define LU_SEED_V1_KERNELS \
	"seed_lu_diagonal seed_lu_submatrix seed_lu_column seed_lu_pack"

static inline size_t factors_pivots(const struct factors *f)
{
	return size_min(f->m, f->n);
}

/* LAPACK's count for getrf: in step j of k = min(m, n), m - j divisions and
 * twice (m - j) (n - j) for the update, summed. */
static inline double lu_flops(double m, double n)
{
	const double k = m < n ? m : n, steps = k * (k + 1) / 2;

	return 2 * (k * m * n - (m + n) * steps + steps * (2 * k + 1) / 3) +
	       k * m - steps;
}

static inline size_t factors_swaps(const struct factors *f)
{
	return f->stack * factors_pivots(f) * sizeof(int32_t);
}

/* Buffers for the factors of a stack of m x n matrices; the caller sets a, and
 * lu if that is an output. */
static inline void factors_alloc(struct seq *s, struct factors *f)
{
	const size_t each = dtype_bytes(seq_dtype(s));

	if (f->lu.id == 0)
		f->lu = seq_scratch(s, f->stack * f->m * f->n * each);
	f->swaps = seq_scratch(s, factors_swaps(f));
}

/* sample.c: an n x n matrix of random numbers uniform in (-1, 1), the same
 * every time; its condition grows like n. */
int lu_sample(struct matrix *m, enum dtype t, size_t n,
              struct memory_pool *pool, struct err *e);

#endif
