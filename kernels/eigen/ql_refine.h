/* ql_refine.h - sorts the eigenpairs, refines them by one step, and measures
 * them. */
#ifndef KERNELS_EIGEN_QL_REFINE_H
#define KERNELS_EIGEN_QL_REFINE_H

/* Sets from[i] = lane, where eigenvalue d[lane] is the i-th in ascending
 * order. */
static void sort(const struct problem *b, int lane)
{
	const real own = b->d[lane];
	int rank = 0;

	for (int i = 0; i < b->n; i++)
		rank += b->d[i] < own || (b->d[i] == own && i < lane);
	b->from[min(rank, b->n - 1)] = lane;
}

/* --- one step of refinement
 *
 * V <- V + V E with E = (I - G) / 2 + K and G = V^T V: the first part of E
 * makes V orthonormal, and K, which is antisymmetric, makes it diagonalize A:
 *
 *     k_ij = (v_i^T w_j + v_j^T w_i) / 2 (d_j - d_i),   W = A V - V diag(d)
 *
 * (Ogita and Aishima 2018, with K made antisymmetric, so that rounding errors
 * divided by small gaps leave V orthonormal). Elements of K whose squares are
 * not negligible are left out: the eigenvectors of eigenvalues that are so
 * close together are not determined more accurately. The rotations leave errors
 * some 10 times larger than those that remain after this step. */

/* Writes row `lane` of W = A V - V diag(d) to w, by rows, with its columns in
 * ascending order of the eigenvalues. */
static void multiply(const struct problem *b, global real *w, int lane)
{
	const int n = b->n, ld = b->ld;

	for (int j = 0; j < n; j += TILE) {
		MATRICES const real *v[TILE];
		real x[TILE] = { 0 };

#pragma unroll
		for (int q = 0; q < TILE; q++)
			v[q] = b->v + b->from[min(j + q, n - 1)] * ld;
		for (int k = 0; k < n; k++) {
			const real own = b->a[k * ld + lane];

#pragma unroll
			for (int q = 0; q < TILE; q++)
				x[q] = fma(own, v[q][k], x[q]);
		}
		for (int q = 0; q < TILE && j + q < n; q++)
			w[lane * n + j + q] =
			    fma(-b->d[b->from[j + q]], v[q][lane], x[q]);
	}
}

/* Copies the eigenvalues d to u in ascending order. If vectors are wanted,
 * copies V with its columns in the same order into A's storage, row-major, so
 * that neighbouring work-items read neighbouring columns. */
static void turn(const struct problem *b, int lane, bool wanted)
{
	MATRICES const real *const v = b->v + b->from[lane] * b->ld;

	for (int k = 0; k < b->n && wanted; k++)
		b->a[k * b->ld + lane] = v[k];
	b->u[lane] = b->d[b->from[lane]];
}

/* Writes column `lane` of E into V's former storage, row-major, and the
 * corrected eigenvalue to d[lane]. */
static void correct(const struct problem *b, global const real *w, int lane)
{
	const int n = b->n, ld = b->ld;
	const real most = sqrt((real)REAL_EPSILON) / 4;

	for (int i = 0; i < n; i += TILE) {
		real x[TILE] = { 0 }, g[TILE] = { 0 };

		for (int k = 0; k < n; k++) {
			const real v = b->a[k * ld + lane];
			const real y = w[k * n + lane];

#pragma unroll
			for (int q = 0; q < TILE; q++) {
				const int at = min(i + q, n - 1);
				const real z = b->a[k * ld + at];

				g[q] = fma(z, v, g[q]);
				x[q] = fma(z, y, x[q]);
				x[q] = fma(w[k * n + at], v, x[q]);
			}
		}
		for (int q = 0; q < TILE && i + q < n; q++) {
			const int at = i + q;
			const real gap = 2 * (b->u[lane] - b->u[at]);
			const bool far = fabs(x[q]) < most * fabs(gap);

			b->v[at * ld + lane] = ((at == lane) - g[q]) / 2 +
			                       (far ? x[q] / gap : 0);
			if (at == lane)
				b->d[lane] = b->u[lane] + x[q] / 2;
		}
	}
}

/* Writes column `lane` of V + V E to `vectors`, with the sign that makes the
 * first of its largest components positive. */
static void put(const struct problem *b, global real *vectors, int lane)
{
	const int n = b->n, ld = b->ld;
	real big = 0;

	for (int i = 0; i < n; i += TILE) {
		real x[TILE] = { 0 };

		for (int k = 0; k < n; k++) {
			const real own = b->v[k * ld + lane];

#pragma unroll
			for (int q = 0; q < TILE; q++)
				x[q] = fma(b->a[min(i + q, n - 1) * ld + k],
				           own, x[q]);
		}
		for (int q = 0; q < TILE && i + q < n; q++) {
			const real y = b->a[(i + q) * ld + lane] + x[q];

			vectors[(i + q) * n + lane] = y;
			big = fabs(y) > fabs(big) ? y : big;
		}
	}
	for (int i = 0; i < n && big < 0; i++)
		vectors[i * n + lane] = -vectors[i * n + lane];
}

/* Returns the eigenvalue of column `lane`: the largest of the corrected ones up
 * to d[lane]. So the eigenvalues are in ascending order even if rounding errors
 * of the correction have put one below its predecessor. */
static real value_of(const struct problem *b, int lane)
{
	real most = b->d[0];

	for (int i = 1; i <= lane; i++)
		most = fmax(most, b->d[i]);
	return most;
}

/* --- the verdict */

/* The measures of one column: the residual |A v - lambda v| of its eigenpair,
 * and the 1-norms of this column of A (norm) and of V^T V - I (apart). */
struct measures { real residual, norm, apart; };

static struct measures measure(const struct problem *b,
                               global const real *vectors, int lane)
{
	const int n = b->n;
	const real value = value_of(b, lane);
	struct measures m = { 0, 0, 0 };

	for (int i = 0; i < n; i += TILE) {
		real x[TILE] = { 0 }, y[TILE] = { 0 };

		for (int k = 0; k < n; k++) {
			const real own = vectors[k * n + lane];

#pragma unroll
			for (int q = 0; q < TILE; q++) {
				const int at = min(i + q, n - 1);

				x[q] = fma(b->a[k * b->ld + at], own, x[q]);
				y[q] = fma(vectors[k * n + at], own, y[q]);
			}
		}
		for (int q = 0; q < TILE && i + q < n; q++) {
			x[q] -= value * vectors[(i + q) * n + lane];
			m.residual = fma(x[q], x[q], m.residual);
			m.apart += fabs(y[q] - (i + q == lane));
			m.norm += fabs(b->a[lane * b->ld + i + q]);
		}
	}
	m.residual = sqrt(m.residual);
	return m;
}

/* Sorts the eigenvalues, and refines all vectors if they are wanted; `vectors`
 * serves as a workspace before it gets V. */
static void refine(const struct problem *b, global const real *a,
                   global real *vectors, int e, struct part p)
{
	if (p.works)
		sort(b, p.lane);
	if (p.refines)
		load(b, a, p.lane, e, b->state[STATUS] <= CONVERGED);
	barrier(FENCE);
	if (p.refines)
		multiply(b, vectors, p.lane);
	barrier(BOTH_FENCES);
	if (p.works)
		turn(b, p.lane, p.refines);
	barrier(FENCE);
	if (p.refines)
		correct(b, vectors, p.lane);
	else if (p.works)
		b->d[p.lane] = b->u[p.lane];
	barrier(BOTH_FENCES);
	if (p.refines)
		put(b, vectors, p.lane);
	barrier(BOTH_FENCES);
}

/* Computes the measures of all columns: `residual` in u, `norm` in p and
 * `apart` in c. */
static void judge(const struct problem *b, global const real *a,
                  global const real *vectors, int e, struct part p)
{
	if (p.refines)
		load(b, a, p.lane, e, b->state[STATUS] <= CONVERGED);
	barrier(FENCE);
	if (p.refines) {
		const struct measures m = measure(b, vectors, p.lane);

		b->u[p.lane] = m.residual;
		b->p[p.lane] = m.norm;
		b->c[p.lane] = m.apart;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
