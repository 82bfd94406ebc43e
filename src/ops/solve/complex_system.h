/* complex_system.h - a complex system of the operation solve, its refinement
 * and its verdict. */
#ifndef OPS_SOLVE_COMPLEX_SYSTEM_H
#define OPS_SOLVE_COMPLEX_SYSTEM_H

#include "ops/solve/complex_solver.h"
#include "ops/solve/structure.h"

/* What all systems of a call have in common. */
struct complex_plan {
	size_t n, sides;
	enum solve_kind kind;
	bool turned;			/* op(A) is A^T, else A. Hermitian
					 * matrices are conjugated instead */
	bool conjugated;
};

static inline bool complex_is_triangle(const struct complex_plan *h)
{
	return h->kind == KIND_UPPER || h->kind == KIND_LOWER;
}

static inline bool complex_is_hermitian(const struct complex_plan *h)
{
	return h->kind == KIND_SPD || h->kind == KIND_SYMMETRIC;
}

static inline char complex_triangle(const struct complex_plan *h)
{
	return h->kind == KIND_UPPER ? 'U' : 'L';
}

#define LAPACK_BODY "ops/solve/complex_system_typed.h"
#include "ops/lapack/each_complex.h"

/* Set the verdict on X for a triangular matrix, and for one of which only the
 * factors are given, which are not refined. Overwrite A and B. */
void complex_judge_triangle(const struct lapack_call *c, size_t index,
                            const struct complex_system *y,
                            const struct complex_spare *room);
void complex_judge_factors(const struct lapack_call *c, size_t index,
                           const struct complex_system *y,
                           const struct complex_spare *room);

#endif
