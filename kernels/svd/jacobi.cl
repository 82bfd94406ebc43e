/* jacobi.cl - A = U S V^T of small matrices by one-sided Jacobi rotations
 * (Hestenes 1958; Demmel and Veselic 1992 on its accuracy), on any device.
 *
 * A work-group decomposes one matrix in local memory. Let X be A, or A^T if A
 * has fewer rows than columns: M x N with N <= 2 PAIRS. A rotation of columns p
 * and q of X makes them orthogonal, and is applied to V as well. A sweep visits
 * all pairs in N - 1 rounds of disjoint pairs (round-robin), LANES items a
 * pair. When a whole sweep has found every pair orthogonal to rounding, the
 * columns of X are U S.
 *
 * Elements are scaled by a power of 2, so that the largest is about 1; sums are
 * in `wide`. Local memory, whose widest elements come first so that each is
 * aligned: part has 3 numbers an item, norms and order 2 PAIRS numbers, x holds
 * X by columns of ld elements.
 *
 * status: 0; 1: an element is NaN or infinite; 2: the rotations did not end, or
 * a singular value is so small that its vector has no direction.
 *
 * Launch: PAIRS LANES items in one group for each matrix.
 */
#include "lib/real.h"
#include "lib/wide.h"

#define PAIRS 32
#define LANES 8
#define ITEMS (PAIRS * LANES)
#define SWEEPS 30

/* Squares below this have lost digits to underflow. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)
/* And lengths of columns whose elements have. */
#define SHORTEST (sizeof(real) == 8 ? (wide)1e-139 : (wide)1e-15 * (wide)1e-15)

/* The columns that pair t of a round has: position 0 of a circle of n - 1 (n
 * even) meets the last column, the others the one opposite. */
static int2 round_robin(int t, int round, int n)
{
	const int a = (round + t) % (n - 1);
	const int b = t == 0 ? n - 1 : (round - t + n - 1) % (n - 1);

	return (int2)(min(a, b), max(a, b));
}

/* c and s with (c x_p - s x_q) orthogonal to (s x_p + c x_q), for alpha =
 * |x_p|^2, beta = |x_q|^2, gamma = x_p x_q; the longer column comes first.
 * ratio is s / (1 + c): with it c x - s y = x - s (y + ratio x), which for
 * small angles loses less to rounding (Rutishauser 1966). */
struct rotation { wide s, ratio; int swap; };

static struct rotation rotation_of(wide alpha, wide beta, wide gamma)
{
	const wide large = sizeof(wide) == 8 ? (wide)1e15 : (wide)1e7;
	const wide zeta = (beta - alpha) / (2 * gamma), size = fabs(zeta);
	const wide t = copysign(size > large ? 1 / (2 * size) :
	                        1 / (size + sqrt(1 + zeta * zeta)), zeta);
	const wide c = 1 / sqrt(1 + t * t);

	return (struct rotation){ c * t, c * t / (1 + c), alpha < beta };
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void svd_jacobi(global const real *restrict a, int m, int n, int k,
                int want_u, int want_vh, global real *restrict u,
                global real *restrict s, global real *restrict vh,
                global real *v, global int *restrict status, int ld,
                local wide *part, local wide *norms, local real *x,
                local int *order, local int *told)
{
	const size_t matrix = get_group_id(0);
	const int id = get_local_id(0), pair = id / LANES, lane = id % LANES;
	const int turned = m < n, rows = max(m, n), cols = min(m, n);
	const int even = cols + cols % 2;
	const int with_v = turned ? want_u : want_vh;
	const wide tol = (wide)REAL_EPSILON * sqrt((wide)rows);
	wide most = 0;
	int exponent, again = cols > 1;

	a += matrix * m * n;
	v += matrix * cols * cols;
	for (int i = id; i < m * n; i += ITEMS) {
		const real e = a[i];
		const int row = i / n, col = i % n;

		x[turned ? row * ld + col : col * ld + row] = e;
		most = isfinite(e) ? fmax(most, (wide)fabs(e)) : INFINITY;
		if (isinf(most))
			break;
	}
	part[id] = most;
	for (int i = id; i < cols * cols && with_v; i += ITEMS)
		v[i] = i % (cols + 1) == 0;
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	most = 0;
	for (int i = 0; i < ITEMS; i++)
		most = fmax(most, part[i]);
	exponent = most > 0 && isfinite(most) ? ilogb(most) : 0;
	for (int i = id; i < rows * cols; i += ITEMS) {
		const int at = i / rows * ld + i % rows;

		x[at] = ldexp(x[at], -exponent);
	}
	if (id == 0)
		told[0] = told[1] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);

	for (int sweep = 0; sweep < SWEEPS && again; sweep++) {
		for (int round = 0; round < even - 1; round++) {
			const int2 pq = pair < even / 2 ?
			    round_robin(pair, round, even) : (int2)(0, cols);
			local real *xp = x + pq.x * ld;
			local real *xq = x + min(pq.y, cols - 1) * ld;
			wide alpha = 0, beta = 0, gamma = 0;

			if (pq.y < cols)
				for (int i = lane; i < rows; i += LANES) {
					const wide y = xp[i], z = xq[i];

					alpha += y * y;
					beta += z * z;
					gamma += y * z;
				}
			part[3 * id] = alpha;
			part[3 * id + 1] = beta;
			part[3 * id + 2] = gamma;
			barrier(CLK_LOCAL_MEM_FENCE);
			alpha = beta = gamma = 0;
			for (int i = 0; i < LANES; i++) {
				local const wide *p =
				    part + 3 * (pair * LANES + i);

				alpha += p[0];
				beta += p[1];
				gamma += p[2];
			}
			if (pq.y < cols && alpha > SMALLEST &&
			    beta > SMALLEST &&
			    fabs(gamma) > tol * sqrt(alpha) * sqrt(beta)) {
				const struct rotation r =
				    rotation_of(alpha, beta, gamma);
				global real *vp = v + pq.x * cols;
				global real *vq = v + pq.y * cols;

				for (int i = lane; i < rows; i += LANES) {
					const wide y = xp[i], z = xq[i];
					const real f = y - r.s *
					               (z + r.ratio * y);
					const real g = z + r.s *
					               (y - r.ratio * z);

					xp[i] = r.swap ? g : f;
					xq[i] = r.swap ? f : g;
				}
				for (int i = lane; i < cols && with_v;
				     i += LANES) {
					const wide y = vp[i], z = vq[i];
					const real f = y - r.s *
					               (z + r.ratio * y);
					const real g = z + r.s *
					               (y - r.ratio * z);

					vp[i] = r.swap ? g : f;
					vq[i] = r.swap ? f : g;
				}
				told[0] = 1;
			}
			barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		}
		again = told[0];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (id == 0)
			told[0] = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
	}

	if (id < cols) {
		wide sum = 0;

		for (int i = 0; i < rows; i++)
			sum += (wide)x[id * ld + i] * x[id * ld + i];
		norms[id] = sqrt(sum);
		order[id] = id;		/* stays so if there are NaNs */
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id < cols) {
		const wide own = norms[id];
		int before = 0;

		for (int i = 0; i < cols; i++)
			before += norms[i] > own || (norms[i] == own && i < id);
		order[min(before, cols - 1)] = id;
		if (before < k && !(own > SHORTEST) && (want_u || want_vh))
			told[1] = 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id == 0)
		status[matrix] = !isfinite(most) ? 1 : again || told[1] ? 2 : 0;
	for (int r = id; r < k; r += ITEMS)
		s[matrix * k + r] = ldexp((real)norms[order[r]], exponent);
	for (int i = id; i < m * k && want_u; i += ITEMS) {
		const int c = order[i % k], row = i / k;

		u[matrix * m * k + i] = turned ? v[c * cols + row] :
		    (real)(x[c * ld + row] / norms[c]);
	}
	for (int i = id; i < k * n && want_vh; i += ITEMS) {
		const int c = order[i / n], col = i % n;

		vh[matrix * k * n + i] = !turned ? v[c * cols + col] :
		    (real)(x[c * ld + col] / norms[c]);
	}
}
