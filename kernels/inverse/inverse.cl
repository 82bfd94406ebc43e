/* inverse.cl - the kernels that run before and after the two triangular solves
 * by which A^-1 = U^-1 L^-1 P is computed from P A = L U, for a stack, on any
 * device. */
#include "lib/real.h"
#include "lib/sign.h"
#include "lib/wide.h"
#include "shared/inverse_told.h"

#define LANES INVERSE_LANES

/* Sets X to P. Element (i, j) of P is 1 where row i of P A is row j of A.
 * p[stack][n] holds j for each i. Launch: a work-item for each column and each
 * row of the stack. */
kernel void inverse_begin(global const long *restrict p, int n,
                          global real *restrict x)
{
	const int j = get_global_id(0);
	const size_t row = get_global_id(1);

	if (j < n)
		x[row * n + j] = p[row] == j;
}

/* Sets z to the identity matrix, and q to the inverse of the permutation p: row
 * j of A is row q[j] of P A. Launch: as inverse_begin. */
kernel void inverse_identity(global const long *restrict p, int n,
                             global real *restrict z, global int *restrict q)
{
	const int j = get_global_id(0);
	const size_t row = get_global_id(1);
	const int i = row % n;

	if (j < n)
		z[row * n + j] = i == j;
	if (j == 0)
		q[row / n * n + p[row]] = i;
}

/* Computes X = Z P. Launch: as inverse_begin. */
kernel void inverse_permute(global const real *restrict z, int n,
                            global const int *restrict q,
                            global real *restrict x)
{
	const int j = get_global_id(0);
	const size_t row = get_global_id(1);

	if (j < n)
		x[row * n + j] = z[row * n + q[row / n * n + j]];
}

/* Computes y = A v. If `first` is set, v is the vector of signs, and the
 * argument v is not read. Launch: LANES items for each row of the stack. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void inverse_times(global const real *restrict a, int n,
                   global const wide *restrict v, int first,
                   global wide *restrict y)
{
	local wide room[LANES];
	const size_t row = get_group_id(0);
	const int item = get_local_id(0);
	wide sum = 0;

	a += row * n;
	v += row / n * n;
	for (int j = item; j < n; j += LANES)
		sum += (wide)a[j] * (first ? sign_of(j) : v[j]);
	room[item] = sum;
	for (int rest = LANES / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < rest)
			room[item] += room[item + rest];
	}
	if (item == 0)
		y[row] = room[0];
}

/* Returns the larger of a and b, or NaN if one is NaN. */
static wide larger(wide a, wide b)
{
	return b > a || isnan(b) ? b : a;
}

/* Computes told[matrix][enum inverse_told]. The 1-norms of A and A^-1 are the
 * largest of the matrix's `parts` numbers in `norm` and in `norm_of_inverse`;
 * `product` is A A^-1 v, where v is the vector of signs. These three arrays are
 * read only if `judged` is set. Launch: LANES items for each matrix. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void inverse_judge(global const real *restrict lu, int n,
                   global const int *restrict bad,
                   global const wide *restrict norm,
                   global const wide *restrict norm_of_inverse, int parts,
                   global const wide *restrict product, int judged,
                   global wide *restrict told)
{
	local wide room[INVERSE_TOLD][LANES];
	const size_t matrix = get_group_id(0);
	const int item = get_local_id(0);
	wide own[INVERSE_TOLD] = { 0 };

	for (int i = item; i < n; i += LANES)
		if (lu[(matrix * n + i) * n + i] == 0)
			own[INVERSE_SINGULAR] = 1;
	for (int i = item; i < parts && judged; i += LANES) {
		const size_t at = matrix * parts + i;

		own[INVERSE_NORM] = larger(own[INVERSE_NORM], norm[at]);
		own[INVERSE_NORM_OF_X] =
		    larger(own[INVERSE_NORM_OF_X], norm_of_inverse[at]);
	}
	for (int i = item; i < n && judged; i += LANES)
		own[INVERSE_DEFECT] += fabs(product[matrix * n + i] -
		                            sign_of(i));
	for (int t = 0; t < INVERSE_TOLD; t++)
		room[t][item] = own[t];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item >= INVERSE_TOLD)
		return;
	for (int i = 1; i < LANES; i++)
		room[item][0] = item == INVERSE_DEFECT ?
		    room[item][0] + room[item][i] :
		    larger(room[item][0], room[item][i]);
	told[matrix * INVERSE_TOLD + item] =
	    item == INVERSE_NONFINITE ? bad[matrix] : room[item][0];
}
