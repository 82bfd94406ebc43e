/* structure.cl - matrices of known structure for a stack of systems.
 * solve_structure fills in the whole of A, of which the client's matrix holds
 * one triangle; solve_factors makes factors L U of A, with fewer operations
 * than Gaussian elimination.
 *
 * As in kernels/transpose/transpose.cl, a work-group moves a TILE x TILE block
 * through local memory, so that reads and writes run along rows. The
 * additional column of that block puts the elements of a column into TILE
 * different banks.
 * Launch: (n, n, stack) work-items in groups of (TILE, TILE, 1).
 */
#include "lib/real.h"
#include "shared/solve_part.h"

#define TILE 16

/* Loads the tile of a that is the mirror image, across the diagonal, of the
 * work-group's own tile. A work-item beyond the matrix's edge reads an element
 * at the edge. Afterwards ACROSS(tile) is a_ji in the work-item of element
 * (i, j). */
#define LOAD_ACROSS(tile, a, n)                                              \
	(tile)[get_local_id(1)][get_local_id(0)] =                           \
	    (a)[(size_t)min((int)(get_group_id(0) * TILE +                   \
	                          get_local_id(1)), (n) - 1) * (n) +         \
	        min((int)(get_group_id(1) * TILE + get_local_id(0)),         \
	            (n) - 1)];                                               \
	barrier(CLK_LOCAL_MEM_FENCE)
#define ACROSS(tile) (tile)[get_local_id(0)][get_local_id(1)]

static bool has(int part, int i, int j)
{
	return ((part & SOLVE_LOWER) && i >= j) ||
	       ((part & SOLVE_UPPER) && i <= j);
}

/* Sets b_ij to a_ij where `own` includes (i, j), else to a_ji where `across`
 * includes (i, j), else to 0. `own` and `across` are of enum solve_part. */
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void solve_structure(global const real *restrict a, global real *restrict b,
                     int n, int own, int across)
{
	local real tile[TILE][TILE + 1];
	const size_t k = get_global_id(2) * n * n;
	const int i = get_global_id(1), j = get_global_id(0);

	LOAD_ACROSS(tile, a + k, n);
	if (i < n && j < n)
		b[k + (size_t)i * n + j] =
		    has(own, i, j) ? a[k + (size_t)i * n + j] :
		    has(across, i, j) ? ACROSS(tile) : 0;
}

/* Computes factors L U of A = T or, if `squared` is set, of A = T T^T from the
 * triangle T. L has ones on its diagonal, which is not stored. With D =
 * diag(T),
 *
 *     T upper:   L = I,         U = T
 *     T lower:   L = T D^-1,    U = D, or D T^T if squared
 *
 * Below a zero of D, the column of L is 0. A matrix that Cholesky's
 * factorization found not to be positive definite, with minors[] not 0, gets
 * factors of zeros. swaps[i] becomes i, as no rows are interchanged. */
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void solve_factors(global const real *restrict t, global real *restrict lu,
                   int n, int upper, int squared, global int *restrict swaps,
                   global const int *restrict minors)
{
	local real tile[TILE][TILE + 1];
	const size_t k = get_global_id(2) * n * n;
	const int i = get_global_id(1), j = get_global_id(0);
	real x, d;

	LOAD_ACROSS(tile, t + k, n);
	if (i >= n || j >= n)
		return;
	x = t[k + (size_t)i * n + j];
	d = t[k + (size_t)min(i, j) * (n + 1)];
	if (i == j)
		swaps[get_global_id(2) * n + i] = i;
	if (i > j)
		x = upper || d == 0 ? 0 : x / d;
	else if (squared)
		x = d * ACROSS(tile);
	else if (i < j && !upper)
		x = 0;
	lu[k + (size_t)i * n + j] = minors[get_global_id(2)] ? 0 : x;
}
