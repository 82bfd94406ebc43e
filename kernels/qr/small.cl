/* small.cl - A P = Q R of small matrices by Householder reflections, on any
 * device. A work-group factors one matrix in local memory; each work-item has
 * one column.
 *
 * Every column is scaled by a power of 2, so that its largest element is about
 * 1. This does not change Q, and column j of R is scaled back. With pivoting,
 * which compares the lengths of the columns, all of them have the same scale.
 *
 * H_k = I - tau_k v v^T, where v_k = 1 and v_i = inverse_k x_ik for i > k. The
 * kernel does not store v: column k of x keeps x_ik below its diagonal, and
 * inverse_k, tau_k and r_kk have arrays of their own. So in step k no work-item
 * has to wait until the item of column k has made v.
 *
 * x has m rows of ld = max(n, columns) <= ITEMS elements. The other local
 * arrays have ITEMS numbers each; the arguments with the widest elements come
 * first, so that all arrays are aligned. `bad` becomes 1 for a matrix with a
 * NaN or an infinity, else 0.
 *
 * Launch: a work-group of ITEMS work-items for each matrix.
 */
#include "lib/real.h"
#include "lib/wide.h"

#define ITEMS 64

/* A sum of squares below this has lost digits to underflow. The part of a
 * column below the diagonal counts as 0 if its sum is not larger. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_small(global const real *restrict a, int m, int n, int columns,
              int pivoting, int want_q, int want_r, int want_p,
              int want_h, int want_tau,
              global real *restrict q, global real *restrict r,
              global long *restrict p, global real *restrict h,
              global real *restrict tau_out, global int *restrict bad, int ld,
              local wide *sums, local wide *taus, local wide *inverses,
              local wide *diagonal, local real *x, local int *order,
              int first_group)
{
	const size_t matrix = first_group + get_group_id(0);
	const int j = get_local_id(0), k_end = min(m, n);
	const int in_a = j < n, in_q = j < columns;
	wide most = 0;
	int exponent;

	a += matrix * m * n;
	for (int i = 0; i < m && in_a; i++) {
		const real e = a[i * n + j];

		x[i * ld + j] = e;
		most = fmax(most, isfinite(e) ? (wide)fabs(e) : INFINITY);
	}
	sums[j] = most;
	order[j] = j;
	barrier(CLK_LOCAL_MEM_FENCE);
	{
		wide all = 0;

		for (int c = 0; c < n; c++)
			all = fmax(all, sums[c]);
		most = pivoting ? all : most;
		if (j == 0)
			bad[matrix] = isinf(all);
	}
	exponent = most > 0 && !isinf(most) ? ilogb(most) : 0;
	for (int i = 0; i < m && in_a; i++)
		x[i * ld + j] = ldexp(x[i * ld + j], -exponent);
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int k = 0; k < k_end; k++) {
		wide sum = 0, alpha, sigma, beta, tau, inverse;

		if (pivoting) {
			int best = k;

			for (int i = k; i < m && in_a; i++)
				sum += (wide)x[i * ld + j] * x[i * ld + j];
			sums[j] = sum;
			barrier(CLK_LOCAL_MEM_FENCE);
			for (int c = k + 1; c < n; c++)
				best = sums[c] > sums[best] ? c : best;
			for (int i = j; i < m; i += ITEMS) {
				const real e = x[i * ld + k];

				x[i * ld + k] = x[i * ld + best];
				x[i * ld + best] = e;
			}
			if (j == 0) {
				const int was = order[k];

				order[k] = order[best];
				order[best] = was;
			}
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		sum = 0;
		for (int i = k + 1; i < m && in_a && j >= k; i++)
			sum += (wide)x[i * ld + k] * x[i * ld + j];
		sums[j] = sum;
		barrier(CLK_LOCAL_MEM_FENCE);
		sigma = sums[k];
		alpha = x[k * ld + k];
		beta = -copysign(sqrt(alpha * alpha + sigma), alpha);
		tau = sigma > SMALLEST ? (beta - alpha) / beta : 0;
		inverse = sigma > SMALLEST ? 1 / (alpha - beta) : 0;
		if (j == k) {
			taus[k] = tau;
			inverses[k] = inverse;
			diagonal[k] = sigma > SMALLEST ? beta : alpha;
		}
		if (j > k && in_a) {
			/* a_j -= tau v (v^T a_j) */
			const wide by = tau * (x[k * ld + j] + inverse * sum);

			x[k * ld + j] -= by;
			for (int i = k + 1; i < m; i++)
				x[i * ld + j] -= by * inverse * x[i * ld + k];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	for (int i = 0; i < columns && in_a && want_r; i++) {
		const real e = i < j ? x[i * ld + j] :
		    i == j && j < k_end ? (real)diagonal[j] : (real)0;

		r[(matrix * columns + i) * n + j] = ldexp(e, exponent);
	}
	for (int i = 0; i < m && in_a && want_h; i++) {
		const real e = i > j ? (real)(x[i * ld + j] * inverses[j]) :
		    ldexp(i < j ? x[i * ld + j] : (real)diagonal[j], exponent);

		h[(matrix * m + i) * n + j] = e;
	}
	if (j < k_end && want_tau)
		tau_out[matrix * k_end + j] = taus[j];
	if (in_a && want_p)
		p[matrix * n + j] = order[j];
	barrier(CLK_LOCAL_MEM_FENCE);

	/* Q = H_0 H_1 ... I, applied from the last reflection to the first */
	for (int i = 0; i < m && in_q && j >= k_end; i++)
		x[i * ld + j] = i == j;
	for (int k = k_end - 1; k >= 0 && want_q; k--) {
		const wide tau = taus[k], inverse = inverses[k];

		if (j > k && in_q) {
			wide sum = 0;

			for (int i = k + 1; i < m; i++)
				sum += (wide)x[i * ld + k] * x[i * ld + j];
			sum *= tau * inverse;
			x[k * ld + j] = -sum;
			for (int i = k + 1; i < m; i++)
				x[i * ld + j] -= sum * inverse * x[i * ld + k];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (j == k) {
			for (int i = 0; i < k; i++)
				x[i * ld + k] = 0;
			x[k * ld + k] = 1 - tau;
			for (int i = k + 1; i < m; i++)
				x[i * ld + k] *= -tau * inverse;
		}
	}
	for (int i = 0; i < m && in_q && want_q; i++)
		q[(matrix * m + i) * columns + j] = x[i * ld + j];
}
