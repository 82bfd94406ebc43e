/* expm.cl - what expm does around its products and its solution, for one matrix
 * of n x n elements, row-major, on any device (ops/expm/device.c):
 *
 *     expm_rows          y = 2^-e |A| x: norms, and powers of |A|
 *     expm_scale         B = t A
 *     expm_combine       B (+)= c0 I + c2 A^2 + c4 A^4 + c6 A^6 + c8 A^8
 *     expm_denominator   Q = (V - U)^T
 *     expm_numerator     (V + U) with its columns in the order of Q's rows
 *     expm_correct       what is known of the exponential of a triangle
 *
 * Launch: expm_rows has a work-group of GROUP items for each row, the others an
 * item for each element: (n, n) items in groups of (GROUP, 1), expm_denominator
 * in groups of (TILE, TILE).
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/expm_tile.h"

#define GROUP EXPM_GROUP
#define TILE EXPM_TILE

/* beside gets the bits of the triangles that are not zero. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void expm_rows(global const real *restrict a, long at, int n, int e,
               global const wide *restrict x, global wide *restrict y,
               volatile global int *beside)
{
	local wide sums[GROUP];
	local int found;
	const int item = get_local_id(0), row = get_group_id(0);
	const wide by = ldexp((wide)1, -e);
	int bits = 0;
	wide sum = 0;

	if (item == 0)
		found = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	a += at + (size_t)row * n;
	for (int j = item; j < n; j += GROUP) {
		const wide size = fabs((wide)a[j]);

		sum += size * by * x[j];
		if (size != 0)
			bits |= j < row ? EXPM_BELOW : j > row ? EXPM_ABOVE : 0;
	}
	if (bits)
		atomic_or(&found, bits);
	sums[item] = sum;
	for (int rest = GROUP / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < rest)
			sums[item] += sums[item + rest];
	}
	if (item > 0)
		return;
	y[row] = sums[0];
	if (found)
		atomic_or(beside, found);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void expm_scale(global const real *a, long at, int n, real t, global real *b)
{
	const int j = get_global_id(0);
	const size_t i = get_global_id(1) * n + j;

	if (j < n)
		b[i] = t * a[at + i];
}

/* A power whose coefficient is 0 is not read. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void expm_combine(global const real *a2, global const real *a4,
                  global const real *a6, global const real *a8, real c0,
                  real c2, real c4, real c6, real c8, int n, int add,
                  global real *b)
{
	const int j = get_global_id(0), row = get_global_id(1);
	const size_t i = (size_t)row * n + j;
	real sum;

	if (j >= n)
		return;
	sum = add ? b[i] : 0;
	sum += c2 != 0 ? c2 * a2[i] : 0;
	sum += c4 != 0 ? c4 * a4[i] : 0;
	sum += c6 != 0 ? c6 * a6[i] : 0;
	sum += c8 != 0 ? c8 * a8[i] : 0;
	b[i] = sum + (j == row ? c0 : 0);
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void expm_denominator(global const real *restrict v,
                      global const real *restrict u, int n,
                      global real *restrict q)
{
	local real tile[TILE][TILE + 1];
	const int x = get_local_id(0), y = get_local_id(1);
	const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
	const size_t from = (size_t)min(top + y, n - 1) * n +
	                    min(left + x, n - 1);

	tile[y][x] = v[from] - u[from];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (left + y < n && top + x < n)
		q[(size_t)(left + y) * n + top + x] = tile[x][y];
}

/* Row i of Q is row place[i] of L U. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void expm_numerator(global const real *restrict v,
                    global const real *restrict u, int n,
                    global const int *restrict place,
                    global real *restrict b)
{
	const int j = get_global_id(0);
	const size_t row = get_global_id(1) * (size_t)n;

	if (j < n)
		b[row + place[j]] = v[row + j] + u[row + j];
}

/* The element beside the diagonal of e^[a b; 0 d]. */
static wide beside_of(wide a, wide b, wide d)
{
	const wide x = (a - d) / 2;

	if (fabs(x) < (wide)1e-4)
		return b * exp((a + d) / 2) * (1 + x * x / 6);
	if (fabs(x) > 1)
		return b * ((exp(a) - exp(d)) / (a - d));
	return b * exp((a + d) / 2) * (sinh(x) / x);
}

/* X = e^(2^-s T) for a triangular matrix T. `beside` has the bits that
 * expm_rows set. */
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void expm_correct(global const real *restrict t, long at, int n, int beside,
                  int s, global real *restrict x)
{
	const int j = get_global_id(0), i = get_global_id(1);
	const wide by = ldexp((wide)1, -s);
	const int side = j < i ? EXPM_BELOW : EXPM_ABOVE;
	const size_t from = at + (size_t)i * n + j;

	if (j >= n)
		return;
	x += (size_t)i * n + j;
	if (i == j)
		*x = (real)exp(by * t[from]);
	else if (!(beside & side))
		*x = 0;
	else if (j == i + 1 || j == i - 1)
		*x = (real)beside_of(by * t[at + (size_t)i * (n + 1)],
		    by * t[from], by * t[at + (size_t)j * (n + 1)]);
}
