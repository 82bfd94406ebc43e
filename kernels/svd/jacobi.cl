/* jacobi.cl - A = U S V^T of small matrices by one-sided Jacobi rotations
 * (Hestenes 1958; Demmel and Veselic 1992 on its accuracy), on any device.
 *
 * A work-group decomposes one matrix in local memory. Let X be A, or A^T if A
 * has fewer rows than columns: an M x N matrix with N <= 2 PAIRS. A rotation of
 * columns p and q of X makes them orthogonal; it is applied to V as well. A
 * sweep rotates all pairs of columns, in rounds of disjoint pairs, each by
 * LANES work-items. Sweeps end when one has found every pair orthogonal up to
 * rounding. The columns of X are then U S.
 *
 * Elements are scaled by a power of 2, so that the largest is about 1, and sums
 * are `wide`. In local memory `part` has 3 numbers for each work-item, `norms`
 * and `order` have 2 PAIRS numbers, and x has the columns of X, ld elements
 * apart. The arguments with the widest elements come first, so that all arrays
 * are aligned.
 *
 * `status` becomes 1 for a matrix with a NaN or an infinity. It becomes 2 if
 * the sweeps did not converge, or if a singular value whose vectors are wanted
 * is so small that X's column does not give the vector's direction. Else it is
 * 0.
 *
 * Launch: a work-group of PAIRS LANES work-items for each matrix.
 */
#include "lib/real.h"
#include "lib/wide.h"

#define PAIRS 32
#define LANES 8
#define ITEMS (PAIRS * LANES)
#define SWEEPS 30

/* A sum of squares below this has lost digits to underflow. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)
/* The elements of a column that is not longer than this have lost digits,
 * too. */
#define SHORTEST (sizeof(real) == 8 ? (wide)1e-139 : (wide)1e-15 * (wide)1e-15)

/* The two columns of pair t in a round, for an even n: a round-robin schedule,
 * in which every pair of the n columns meets once in n - 1 rounds. */
static int2 round_robin(int t, int round, int n)
{
	const int a = (round + t) % (n - 1);
	const int b = t == 0 ? n - 1 : (round - t + n - 1) % (n - 1);

	return (int2)(min(a, b), max(a, b));
}

/* The rotation by c and s that makes c x_p - s x_q orthogonal to s x_p + c x_q,
 * from alpha = |x_p|^2, beta = |x_q|^2 and gamma = x_p^T x_q. If `swap`, the
 * two results change places, so that the longer column comes first. ratio is s
 * / (1 + c): c x - s y is computed as x - s (y + ratio x), which for small
 * angles has smaller rounding errors (Rutishauser 1966). */
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

/* The elements of columns p and q in one row, y and z, after the rotation. */
struct rotated { real p, q; };

static struct rotated rotate(const struct rotation *r, wide y, wide z)
{
	const real f = y - r->s * (z + r->ratio * y);
	const real g = z + r->s * (y - r->ratio * z);

	return (struct rotated){ r->swap ? g : f, r->swap ? f : g };
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void svd_jacobi(global const real *restrict a, int m, int n, int k,
                int want_u, int want_vh, global real *restrict u,
                global real *restrict s, global real *restrict vh,
                global real *v, global int *restrict status, int ld,
                local wide *part, local wide *norms, local real *x,
                local int *order, local int *told, int first_group)
{
	const size_t matrix = first_group + get_group_id(0);
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
					const struct rotated now =
					    rotate(&r, xp[i], xq[i]);

					xp[i] = now.p;
					xq[i] = now.q;
				}
				for (int i = lane; i < cols && with_v;
				     i += LANES) {
					const struct rotated now =
					    rotate(&r, vp[i], vq[i]);

					vp[i] = now.p;
					vq[i] = now.q;
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
		order[id] = id;		/* for norms that are NaN */
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
