/* ql.cl - all eigenvalues and eigenvectors of a stack of symmetric matrices:
 *
 *     A = Q T Q^T,  T = W diag(d) W^T,  V = Q W,
 *
 * where Householder's reflections make T tridiagonal, and the implicit QL
 * method makes it diagonal by plane rotations (Martin, Reinsch and Wilkinson
 * 1968; Dubrulle, Martin and Wilkinson 1968; LAPACK's xSTEQR).
 *
 * A work-group takes one or several matrices, and has `lanes` >= n work-items
 * for each: item r updates row r of the symmetric A, and row r of V, which no
 * other item uses until T is diagonal. Both matrices are stored by columns, ld
 * elements apart. After these work-items the work-group has a leader for every
 * matrix, which computes the rotations of T. The leader computes those of the
 * next sweep while the items apply those of the sweep before to V. The leaders
 * of a work-group are neighbours, so that a GPU runs them in step.
 *
 * eigen_ql keeps A and V in local memory. eigen_ql_large takes one matrix in a
 * work-group, and keeps them in global memory.
 * Launch: G lanes + at least G work-items in a work-group of G matrices.
 */
/* program KERNEL=eigen_ql MATRICES=local LARGE=0 */
/* program KERNEL=eigen_ql_large MATRICES=global LARGE=1 */
#include "lib/real.h"
#include "lib/givens.h"

#define BOTH_FENCES (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#if LARGE
#define FENCE BOTH_FENCES
#define PLACES room + get_group_id(0) * step, at
#else
#define FENCE CLK_LOCAL_MEM_FENCE
#define PLACES at, at + many * step
#endif
#include "eigen/ql.h"
#include "eigen/ql_rotate.h"
#include "eigen/ql_refine.h"

/* Writes the matrix's two measures of accuracy to `told`: the largest residual
 * of its columns, in units of n eps |A|_1, and |V^T V - I|_1, in units of n
 * eps. */
static void tell(const struct problem *b, global real *told)
{
	const real unit = b->n * REAL_EPSILON;
	const real norm = largest(b->p, b->n);

	told[1] = norm > 0 ? largest(b->u, b->n) / norm / unit : 0;
	told[2] = largest(b->c, b->n) / unit;
}

/* Writes the eigenvalues in ascending order and, if `wanted`, the eigenvectors
 * by columns. told gets three numbers for every matrix: its STATUS (ql.h), the
 * largest |A v - lambda v| / (|A|_1 n eps), and |V^T V - I|_1 / (n eps). The
 * last two are 0 unless `judged` is set. Each work-group takes `many` matrices
 * of the `stack`; those of group 0 begin with matrix `first`. In `room` or in
 * local memory, A and V of a matrix begin `step` elements after those of the
 * previous matrix. */
kernel void KERNEL(global const real *restrict a, int n, int first, int stack,
                   int many, int lanes, int step,
                   global real *restrict values, global real *vectors,
                   int wanted, int judged, global real *restrict told,
                   global real *room, local real *at)
{
	const int id = get_local_id(0), leads = id - many * lanes;
	const int own = leads < 0 ? id / lanes : min(leads, many - 1);
	const size_t index = (size_t)first + get_group_id(0) * many + own;
	const size_t which = min(index, (size_t)stack - 1);
	const struct part p = part_of(leads < 0 ? id % lanes : n, n,
	                              index < stack, wanted);
	const struct problem b = problem_of(own, many, n, step, PLACES);
	local int *const alive = b.from + (many - own) * (n + INTEGERS);
	struct leader k = { 0, 0 };
	int e;

	a += which * n * n;
	values += which * n;
	vectors += which * n * n;
	told += 3 * which;
	if (id == 0)
		alive[0] = 0;
	e = begin(&b, a, p);
	reduce(&b, p);
	for (int turn = 0;; turn++) {
		if (id == 0)
			alive[(turn + 1) % 3] = 0;
		if (leads >= 0 && leads < many && lead(&b, &k, turn))
			alive[turn % 3] = 1;
		if (p.rotates && turn > 0)
			follow(&b, p.lane, turn - 1);
		barrier(FENCE);
		if (!alive[turn % 3])
			break;
	}
	refine(&b, a, vectors, e, p);
	if (p.writes)
		values[p.lane] = ldexp(value_of(&b, p.lane), e);
	if (judged)
		judge(&b, a, vectors, e, p);
	if (p.writes && p.lane == 0) {
		told[0] = b.state[STATUS];
		told[1] = told[2] = 0;
		if (judged)
			tell(&b, told);
	}
}
