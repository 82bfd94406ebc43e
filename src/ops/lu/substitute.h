/* substitute.h - x = U^-1 L^-1 x on the device, and x = L^-T U^-T x, from
 * the factors of factor.h: x is [matrix][column][n], replaced. Without
 * their permutation: rows of x are those of P A. */
#ifndef OPS_LU_SUBSTITUTE_H
#define OPS_LU_SUBSTITUTE_H

#include "ops/lu/factor.h"

/* Right-hand sides of every solve with the transpose. */
enum { LU_TURNED = 4 };

struct substitution {
	struct seq *s;
	const struct factors *f;
	bool spread;			/* a launch for L and one for U, whose
					 * work-groups wait for each other:
					 * only on NVIDIA */
	size_t columns;			/* right-hand sides at most */
	struct buf messages, tickets;	/* kernels/solve/nvidia/spread.h */
	size_t used;			/* launches since these were cleared */
	struct buf inverse;		/* inverses of the diagonal blocks, for
					 * the transpose; { 0 } until then */
};

struct substitution lu_substitution(struct seq *s, const struct factors *f,
                                    bool spread, size_t columns);
void lu_substitute(struct substitution *x, struct buf b, size_t columns);
void lu_substitute_transposed(struct substitution *x, struct buf b);

/* The scratch memory of a substitution, with the transpose or without. */
void lu_substitution_need(struct need *need, const struct factors *f,
                          enum dtype t, bool spread, size_t columns,
                          bool transposed);

#define SUBSTITUTE_TILED_KERNELS \
	"solve_tile_lower solve_tile_upper solve_tile_update " \
	"solve_tile_upper_t solve_tile_lower_t solve_tile_update_t"
#define SUBSTITUTE_SPREAD_KERNELS \
	"solve_spread_lower solve_spread_upper solve_spread_invert " \
	"solve_spread_upper_t solve_spread_lower_t"

#endif
