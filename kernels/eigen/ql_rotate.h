/* ql_rotate.h - makes T diagonal by the implicit QL method, and applies its
 * rotations to V. */
#ifndef KERNELS_EIGEN_QL_ROTATE_H
#define KERNELS_EIGEN_QL_ROTATE_H

#define SWEEPS 30			/* for an eigenvalue, at most */

/* What a leader knows of its matrix: the first eigenvalue that is not yet
 * found, and the sweeps so far. */
struct leader { int first, sweeps; };

/* Returns the last row of the block of T that begins with row `first`. */
static int last_of(const struct problem *b, int first)
{
	const real least = REAL_EPSILON * REAL_EPSILON;
	int m = first;

	while (m < b->n - 1 && fabs(b->e[m]) > least + REAL_EPSILON *
	       (fabs(b->d[m]) + fabs(b->d[m + 1])))
		m++;
	return m;
}

/* Returns d[m] minus the shift, which is the eigenvalue closer to d[l] of the
 * first 2 x 2 block of rows l to m. */
static real shifted(const struct problem *b, int l, int m)
{
	const real g = (b->d[l + 1] - b->d[l]) / (2 * b->e[l]);
	const real size = fabs(g) > 1 / REAL_EPSILON ? fabs(g) :
	                  sqrt(fma(g, g, (real)1));

	return b->d[m] - b->d[l] + b->e[l] / (g + copysign(size, g));
}

/* Computes a QL sweep over rows l to m of T. Writes rotation i, of columns i
 * and i + 1 of V, to cs[i] and ss[i]. Returns the least i that has a rotation:
 * l, or a larger one if the sweep ended early at an element that counts as
 * zero, which splits the block. */
static int sweep(const struct problem *b, int l, int m, local real *cs,
                 local real *ss)
{
	local real *const d = b->d, *const e = b->e;
	struct givens t = { 1, 1, 0 };
	real g = shifted(b, l, m), p = 0;

	for (int i = m - 1; i >= l; i--) {
		const real f = t.s * e[i], h = t.c * e[i], at = d[i];
		real r;

		if (!givens_of(g, f, &t)) {
			d[i + 1] -= p;
			e[i + 1] = e[m] = 0;
			return i + 1;
		}
		e[i + 1] = t.r;
		g = d[i + 1] - p;
		r = fma(at - g, t.s, 2 * t.c * h);
		p = t.s * r;
		d[i + 1] = g + p;
		g = fma(t.c, r, -h);
		cs[i] = t.c;
		ss[i] = t.s;
	}
	d[l] -= p;
	e[l] = g;
	e[m] = 0;
	return l;
}

/* Computes the rotations of sweep `turn`. Returns whether there are any. */
static bool lead(const struct problem *b, struct leader *k, int turn)
{
	const int n = b->n, side = turn % 2;
	int m = 0, low = 0;

	while (k->first < n && (m = last_of(b, k->first)) == k->first)
		k->first++;
	if (k->first < n && ++k->sweeps > SWEEPS * n) {
		b->state[STATUS] = FAILED;
		k->first = n;
	}
	if (k->first < n)
		low = sweep(b, k->first, m, b->c + side * n, b->s + side * n);
	else
		m = 0;
	b->state[LOW + side] = low;
	b->state[HIGH + side] = m;
	return k->first < n;
}

/* Applies the rotations of sweep `turn` to this row of V. */
static void follow(const struct problem *b, int lane, int turn)
{
	const int n = b->n, ld = b->ld, side = turn % 2;
	const int low = b->state[LOW + side], high = b->state[HIGH + side];
	local const real *const c = b->c + side * n, *const s = b->s + side * n;
	MATRICES real *const v = b->v + lane;
	real last;
	int i = high - 1;

	if (low >= high)
		return;
	last = v[high * ld];
	for (; i >= low + TILE - 1; i -= TILE) {
		real x[TILE], y[TILE];

#pragma unroll
		for (int q = 0; q < TILE; q++)
			x[q] = v[(i - q) * ld];
#pragma unroll
		for (int q = 0; q < TILE; q++) {
			y[q] = fma(s[i - q], x[q], c[i - q] * last);
			last = fma(c[i - q], x[q], -s[i - q] * last);
		}
#pragma unroll
		for (int q = 0; q < TILE; q++)
			v[(i - q + 1) * ld] = y[q];
	}
	for (; i >= low; i--) {
		const real x = v[i * ld];

		v[(i + 1) * ld] = fma(s[i], x, c[i] * last);
		last = fma(c[i], x, -s[i] * last);
	}
	v[low * ld] = last;
}

#endif
