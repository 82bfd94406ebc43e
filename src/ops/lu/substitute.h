/* substitute.h - replaces x by U^-1 L^-1 x, or by L^-T U^-T x, on the device,
 * with the factors of factor.h. x is [matrix][column][n]. The permutation is
 * not applied: the rows of x are those of P A. The transposed solve is for
 * estimates alone, so that it uses the inverses (see `inverts`) wherever it
 * can. */
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
	bool inverts;			/* multiplies with the inverses of the
					 * diagonal blocks: faster, but with an
					 * error that grows with the blocks'
					 * condition; may be cleared */
	struct buf inverse;		/* room for these inverses; { 0 } until
					 * the first launch that needs them */
	bool inverted;			/* it holds those of the factors */
};

struct substitution lu_substitution(struct seq *s, const struct factors *f,
                                    bool spread, size_t columns);

/* Must be called when the factors have changed. */
static inline void lu_refactored(struct substitution *x)
{
	x->inverted = false;
}

void lu_substitute(struct substitution *x, struct buf b, size_t columns);
void lu_substitute_transposed(struct substitution *x, struct buf b);

/* The scratch memory of a substitution. */
void lu_substitution_need(struct need *need, const struct factors *f,
                          enum dtype t, bool spread, size_t columns);

#define SUBSTITUTE_TILED_KERNELS \
	"solve_tile_lower solve_tile_upper solve_tile_update " \
	"solve_tile_upper_t solve_tile_lower_t solve_tile_update_t"
#define SUBSTITUTE_SPREAD_KERNELS \
	"solve_spread_invert solve_inverse_lower solve_inverse_upper " \
	"solve_spread_lower solve_spread_upper " \
	"solve_spread_upper_t solve_spread_lower_t"

#endif
