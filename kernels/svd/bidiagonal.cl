/* bidiagonal.cl - singular value decompositions of a stack of matrices:
 *
 *     X = Q B P^T,  B = W diag(s) Z^T,  U = Q W,  V = P Z,
 *
 * where Householder's reflections make B upper bidiagonal, and the implicit QR
 * method makes it diagonal by plane rotations (Golub and Kahan 1965; Golub and
 * Reinsch 1970; Golub and Van Loan, Matrix Computations, 2013, section 8.6). X
 * is the M x N matrix A, or A^T if A has fewer rows than columns.
 *
 * The work-groups are those of kernels/eigen/ql.cl: `lanes` >= M work-items for
 * each of a work-group's matrices, one for every row and column, and then a
 * leader for every matrix, which computes the rotations of the next sweep while
 * the items apply those of the sweep before to U and V. X, U and V are stored
 * by columns.
 *
 * svd_bidiagonal keeps X, U and V in local memory. svd_bidiagonal_large takes
 * one matrix in a work-group, and keeps them in global memory.
 * Launch: G lanes + at least G work-items in a work-group of G matrices.
 */
/* program KERNEL=svd_bidiagonal MATRICES=local LARGE=0 */
/* program KERNEL=svd_bidiagonal_large MATRICES=global LARGE=1 */
#include "lib/real.h"
#include "lib/givens.h"

#if LARGE
#define FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define PLACES room + get_group_id(0) * step, at
#else
#define FENCE CLK_LOCAL_MEM_FENCE
#define PLACES at, at + many * step
#endif
#include "svd/bidiagonal.h"
#include "svd/diagonal.h"

/* Sets from[i] = lane, where singular value `lane` is the i-th in descending
 * order. */
static void sort(const struct problem *b, int lane)
{
	const real own = fabs(b->d[lane]);
	int rank = 0;

	for (int i = 0; i < b->n; i++)
		rank += fabs(b->d[i]) > own ||
		        (fabs(b->d[i]) == own && i < lane);
	b->from[min(rank, b->n - 1)] = lane;
}

/* Writes the first k columns of U or V, a matrix of `rows` rows, as the columns
 * or, if `turned`, as the rows of an array without gaps. Column i is `from[i]`
 * of u. A column of V changes its sign if its element of B's diagonal is
 * negative, because a singular value is not. */
static void put(const struct problem *b, MATRICES const real *u, int ld,
                int rows, int k, bool is_v, bool turned, int lane,
                global real *to)
{
	const int outer = turned ? k : rows, inner = turned ? rows : k;

	for (int i = 0; i < outer && lane < inner; i++) {
		const int column = b->from[turned ? i : lane];
		const real x = u[column * ld + (turned ? lane : i)];

		to[i * inner + lane] = is_v && b->d[column] < 0 ? -x : x;
	}
}

/* Writes the k largest singular values of every m x n matrix, and the vectors
 * that are wanted. `status` becomes 1 for a matrix that has a NaN or an
 * infinity, 2 for one whose sweeps did not converge, and else 0. Each
 * work-group takes `many` matrices of the `stack`; those of group 0 begin with
 * matrix `first`. In `room` or in local memory, X, U and V of a matrix begin
 * `step` elements after those of the previous matrix. */
kernel void KERNEL(global const real *restrict a, int m, int n, int k,
                   int first, int stack, int many, int lanes, int step,
                   int want_u, int want_vh, global real *restrict u,
                   global real *restrict s, global real *restrict vh,
                   global int *restrict status, global real *room,
                   local real *at)
{
	const int id = get_local_id(0), leads = id - many * lanes;
	const int own = leads < 0 ? id / lanes : min(leads, many - 1);
	const int lane = leads < 0 ? id % lanes : lanes;
	const size_t index = (size_t)first + get_group_id(0) * many + own;
	const size_t which = min(index, (size_t)stack - 1);
	const bool turned = m < n;
	const struct problem b = problem_of(own, many, max(m, n), min(m, n),
	                                    step, want_u || want_vh, PLACES);
	local int *const alive = b.from + (many - own) * (b.n + INTEGERS);
	struct leader leader = { b.n - 1, 0, 0 };
	int e;

	if (id == 0)
		alive[0] = 0;
	e = begin(&b, a + which * m * n, n, turned, lane);
	reduce(&b, lane);
	accumulate(&b, lane);
	barrier(FENCE);
	for (int turn = 0;; turn++) {
		if (id == 0)
			alive[(turn + 1) % 3] = 0;
		if (leads >= 0 && leads < many && lead(&b, &leader, turn))
			alive[turn % 3] = 1;
		if (turn > 0)
			follow(&b, lane, turn - 1);
		barrier(FENCE);
		if (!alive[turn % 3])
			break;
	}
	if (lane < b.n)
		sort(&b, lane);
	barrier(FENCE);
	if (index >= stack)
		return;
	if (lane < k)
		s[which * k + lane] = ldexp(fabs(b.d[b.from[lane]]), e);
	if (want_u)
		put(&b, turned ? b.v : b.u, turned ? b.ldv : b.ld, m, k, turned,
		    false, lane, u + which * m * k);
	if (want_vh)
		put(&b, turned ? b.u : b.v, turned ? b.ld : b.ldv, n, k,
		    !turned, true, lane, vh + which * k * n);
	if (lane == 0)
		status[which] = b.state[STATUS];
}
