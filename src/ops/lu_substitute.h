/* lu_substitute.h - x = U^-1 L^-1 x on the device, from the factors of
 * lu_factor.h, for any number of right-hand sides. */
#ifndef OPS_LU_SUBSTITUTE_H
#define OPS_LU_SUBSTITUTE_H

#include "ops/lu_factor.h"

/* Which kernels, and how they divide the work; without an update a launch
 * solves all. */
struct substitution {
	const char *lower, *upper, *update;
	size_t block;			/* rows solved at a time, at most */
	size_t whole;			/* up to here all at once */
	size_t items;			/* of the work-group that solves */
	size_t update_rows;		/* an item's, in an update */
};

extern const struct substitution substitution_blocked;	/* for CPUs */
extern const struct substitution substitution_tiled;
extern const struct substitution substitution_spread;	/* for NVIDIA */
#define SUBSTITUTE_BLOCKED_KERNELS "solve_lower solve_upper solve_update"
#define SUBSTITUTE_TILED_KERNELS \
	"solve_tile_lower solve_tile_upper solve_tile_update"
#define SUBSTITUTE_SPREAD_KERNELS "solve_spread_lower solve_spread_upper"

/* x[count][sides][n], replaced. Matrix i of x belongs to factors which[i]
 * (int32_t). */
void lu_substitute(struct seq *s, const struct substitution *how,
                   const struct factors *f, struct buf which, struct buf x,
                   size_t count, size_t sides);

/* The scratch that it makes. */
void lu_substitute_need(struct need *need, const struct substitution *how,
                        enum dtype t, size_t n, size_t count, size_t sides);

#endif
