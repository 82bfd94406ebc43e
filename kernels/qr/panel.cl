/* panel.cl - blocked Householder QR (Schreiber and Van Loan 1989) of stacks of
 * m x n matrices, on any device, without its matrix products.
 *
 *     qr_scale      finds e_j, the exponent of column j's largest element, and
 *                   sets `bad` for a matrix with a NaN or an infinity
 *     qr_load       w_ij = 2^-e_j a_ij
 *     qr_panel      factors columns first to first + nb - 1 of W from row
 *                   `first` on, by one work-group, if the panel's state is
 *                   QR_HARD. R overwrites the upper triangle of the panel, V
 *                   receives the reflectors with their unit diagonal and zeros
 *                   above it, and `small` receives the T of H_first ...
 *                   H_(first + nb - 1) = I - V T V^T (block.cl)
 *     qr_give_r     r_ij = 2^e_j w_ij on and above the diagonal, 0 below
 *     qr_give_h     the same with V below the diagonal
 *     qr_identity   Q = I
 *     qr_fit        copies matrices of `length` elements into matrices of
 *                   to_length elements, which it cuts off or pads with zeros
 *
 * In qr_panel work-item (lane, team) of NB x TEAMS has column `lane` and every
 * TEAMS-th row. Step k sums x_k^T x_j for all columns j >= k, to apply
 * reflection k to them, and v_j^T x_k for all j < k, to make column k of T.
 * V has rows of ldv elements.
 *
 * Launches have one dimension. In qr_scale a work-group has LANES columns of
 * ROWS rows, in qr_panel a matrix; in all other kernels a work-item has one
 * element.
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/qr_block.h"

#include "qr/exponent.h"

#define NB QR_NB
#define TEAMS QR_TEAMS
#define LANES 64
#define ROWS 256

/* A sum of squares below this has lost digits to underflow. The part of a
 * column below the diagonal counts as 0 if its sum is not larger. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)

kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void qr_scale(global const real *restrict a, int m, int n,
              volatile global int *restrict exponents,
              volatile global int *restrict bad)
{
	const size_t blocks = (n + LANES - 1) / LANES;
	const size_t chunks = (m + ROWS - 1) / ROWS;
	const size_t group = get_group_id(0), matrix = group / blocks / chunks;
	const int j = group % blocks * LANES + get_local_id(0);
	const int first = group / blocks % chunks * ROWS;
	real most = 0;
	int finite = 1;

	if (j >= n)
		return;
	a += matrix * m * n + j;
	for (int i = first; i < min(first + ROWS, m); i++) {
		const real e = fabs(a[(size_t)i * n]);

		finite &= isfinite(e);
		most = isfinite(e) ? fmax(most, e) : most;
	}
	if (most > 0)
		atomic_max(exponents + matrix * n + j, ilogb(most));
	if (!finite)
		atomic_or(bad + matrix, 1);
}

kernel void qr_load(global const real *restrict a, int m, int n,
                    global const int *restrict exponents, long count,
                    global real *restrict w)
{
	const size_t i = get_global_id(0), matrix = i / ((size_t)m * n);

	if (i < count)
		w[i] = ldexp(a[i],
		             -exponent_of(exponents[matrix * n + i % n]));
}

kernel void qr_give_r(global const real *restrict w, int m, int n, int rows,
                      global const int *restrict exponents, long count,
                      global real *restrict r)
{
	const size_t at = get_global_id(0), matrix = at / ((size_t)rows * n);
	const int i = at / n % rows, j = at % n;

	if (at < count)
		r[at] = i > j ? 0 :
		    ldexp(w[(matrix * m + i) * n + j],
		          exponent_of(exponents[matrix * n + j]));
}

kernel void qr_give_h(global const real *restrict w, int m, int n,
                      global const real *restrict v, int ldv,
                      global const int *restrict exponents, long count,
                      global real *restrict h)
{
	const size_t at = get_global_id(0), row = at / n;
	const int i = row % m, j = at % n;

	if (at < count)
		h[at] = i > j ? v[row * ldv + j] :
		    ldexp(w[at],
		          exponent_of(exponents[row / m * n + j]));
}

kernel void qr_identity(int m, int columns, long count,
                        global real *restrict q)
{
	const size_t at = get_global_id(0);

	if (at < count)
		q[at] = at / columns % m == at % columns;
}

kernel void qr_fit(global const real *restrict from, long length,
                   global real *restrict to, long to_length, long count)
{
	const size_t at = get_global_id(0), matrix = at / to_length;
	const long i = at % to_length;

	if (at < count)
		to[at] = i < length ? from[matrix * length + i] : 0;
}

kernel __attribute__((reqd_work_group_size(NB * TEAMS, 1, 1)))
void qr_panel(global real *w, int m, int n, int first, int nb,
              global real *v, int ldv, global wide *small,
              global const int *state, local wide *part, local wide *sums,
              local real *triangle)
{
	const size_t matrix = get_group_id(0);
	const int id = get_local_id(0), j = id % NB, team = id / NB;
	const int rows = m - first, in_panel = j < nb;

	w += (matrix * m + first) * n + first;
	v += (matrix * m + first) * ldv + first;
	small += matrix * QR_SMALL + QR_AT_M;
	if (state[matrix] != QR_HARD)
		return;
	for (int i = id; i < NB * NB; i += NB * TEAMS)
		triangle[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int k = 0; k < nb; k++) {
		global const real *own = j < k ? v + j : w + j;
		const int step = j < k ? ldv : n;
		wide sum = 0, alpha, beta, tau, inverse, by;

		for (int i = k + 1 + team; i < rows && in_panel; i += TEAMS)
			sum += (wide)w[(size_t)i * n + k] *
			       own[(size_t)i * step];
		part[id] = sum;
		alpha = w[(size_t)k * n + k];
		by = in_panel ? own[(size_t)k * step] : 0;
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (team == 0) {
			sum = 0;
			for (int i = 0; i < TEAMS; i++)
				sum += part[i * NB + j];
			sums[j] = sum;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		sum = sums[k];
		beta = -copysign(sqrt(alpha * alpha + sum), alpha);
		tau = sum > SMALLEST ? (beta - alpha) / beta : 0;
		inverse = sum > SMALLEST ? 1 / (alpha - beta) : 0;
		beta = sum > SMALLEST ? beta : alpha;
		/* v_j^T v_k for j < k, and x_j^T v_k for j > k */
		by += inverse * sums[j];
		if (team == 0)
			part[j] = by;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (team == 0 && j < k) {
			wide y = 0;

			for (int i = j; i < k; i++)
				y += triangle[j * NB + i] * part[i];
			triangle[j * NB + k] = -tau * y;
		}
		if (id == k)
			triangle[k * NB + k] = tau;
		by *= tau;
		for (int i = k + team; i < rows && in_panel && j >= k;
		     i += TEAMS) {
			const wide vi = i == k ? 1 :
			    inverse * w[(size_t)i * n + k];

			if (j == k)
				v[(size_t)i * ldv + k] = vi;
			else
				w[(size_t)i * n + j] -= by * vi;
		}
		for (int i = team; i < k && j == k; i += TEAMS)
			v[(size_t)i * ldv + k] = 0;
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (id == 0)
			w[(size_t)k * n + k] = beta;
	}
	for (int i = id; i < NB * NB; i += NB * TEAMS)
		small[i] = triangle[i];
}
