/* diagonal.h - makes the bidiagonal B of bidiagonal.cl diagonal by sweeps of
 * the implicit QR method, and applies their rotations to U and V. bidiagonal.cl
 * describes the work-items: a leader for every matrix computes the rotations,
 * and lanes, one for each row of U and V, apply them. `turn` is the number of a
 * sweep, from 0. Elements of B count as zero up to eps times its largest
 * one. */
#ifndef KERNELS_SVD_DIAGONAL_H
#define KERNELS_SVD_DIAGONAL_H

#define SWEEPS 30			/* at most, for each singular value */
#define TILE 4				/* columns that a lane reads at once */

/* A leader's state: the index of the last singular value that is not yet found,
 * the number of sweeps so far, and the bound up to which elements of B count as
 * zero. */
struct leader { int last, sweeps; real least; };

/* The kinds of sweeps. A chase (of the bulge, a QR sweep) rotates neighbouring
 * columns of V and of U. A cancellation, where the diagonal has a zero, rotates
 * column LOW of U with each of the columns after it. */
enum { CHASE, CANCELLATION };

/* Returns an array with a number for each rotation of sweep `turn`. which: 0
 * for the ratios (givens_ratio()) and 1 for the sines of the rotations of V, 2
 * and 3 for those of U. */
static local real *turns_of(const struct problem *b, int turn, int which)
{
	return b->turns + (4 * (turn % 2) + which) * b->n;
}

/* Returns eps times the largest element of B. */
static real least_of(const struct problem *b)
{
	real most = 0;

	for (int i = 0; i < b->n; i++)
		most = fmax(most, fmax(fabs(b->d[i]), fabs(b->e[i])));
	return most * REAL_EPSILON;
}

/* Makes row l - 1 of B, whose diagonal element is 0, zero altogether: rotates
 * it with row l, which removes e[l] but fills the element to the right of it,
 * then with row l + 1, and so on. Stores the ratio and the sine of the rotation
 * with row i in rs[i] and ss[i]. Returns the first row that needed no
 * rotation. */
static int cancel(const struct problem *b, int l, const struct leader *k,
                  local real *rs, local real *ss)
{
	struct givens t = { 0, 1, 0 };
	int i = l;

	for (; i <= k->last; i++) {
		const real f = t.s * b->e[i];

		b->e[i] *= t.c;
		if (fabs(f) <= k->least || !givens_of(b->d[i], -f, &t))
			break;
		b->d[i] = t.r;
		rs[i] = givens_ratio(&t);
		ss[i] = t.s;
	}
	return i;
}

/* Returns (d[l]^2 - mu) / d[l], where the shift mu is the eigenvalue of the
 * last 2 x 2 block of B^T B that is closer to its last element. A chase over
 * rows l to `last` begins with the rotation for this number and e[l + 1]. */
static real shifted(const struct problem *b, int l, int last)
{
	const real x = b->d[l], y = b->d[last - 1], z = b->d[last];
	const real g = b->e[last - 1], h = b->e[last];
	const real f = ((y - z) * (y + z) + (g - h) * (g + h)) / (2 * h * y);
	const real size = fabs(f) > 1 / REAL_EPSILON ? fabs(f) :
	                  sqrt(fma(f, f, (real)1));

	return ((x - z) * (x + z) +
	        h * (y / (f + copysign(size, f)) - h)) / x;
}

/* Returns the rotation that maps (f, g) to (r, 0), or the identity if both
 * count as zero. */
static struct givens turn_for(real f, real g)
{
	struct givens t = { 1, 0, f };

	givens_of(f, g, &t);
	return t;
}

/* Carries out a QR sweep over rows l to `last` of B. Stores the rotations of
 * columns i and i + 1 of V and of U as elements i of the arrays of
 * turns_of(). */
static void chase(const struct problem *b, int l, int last, int turn)
{
	local real *const d = b->d, *const e = b->e;
	local real *const vr = turns_of(b, turn, 0), *const vs = vr + b->n;
	local real *const ur = vs + b->n, *const us = ur + b->n;
	struct givens u = { 1, 1, 0 };
	real f = shifted(b, l, last), x = d[l];

	for (int i = l; i < last; i++) {
		const real y = d[i + 1], g = u.c * e[i + 1];
		const struct givens v = turn_for(f, u.s * e[i + 1]);
		const real over = fma(x, v.c, g * v.s);
		const real next = fma(g, v.c, -x * v.s), under = y * v.c;

		e[i] = v.r;
		u = turn_for(over, y * v.s);
		d[i] = u.r;
		f = fma(u.c, next, u.s * under);
		x = fma(u.c, under, -u.s * next);
		vr[i] = givens_ratio(&v);
		vs[i] = v.s;
		ur[i] = givens_ratio(&u);
		us[i] = u.s;
	}
	e[l] = 0;
	e[last] = f;
	d[last] = x;
}

/* Returns the first row of the unreduced block of B that ends with row k->last.
 * The block also begins after a row whose diagonal element counts as zero;
 * is_coupled() tells the two cases apart. */
static int first_of(const struct problem *b, const struct leader *k)
{
	int l = k->last;

	while (l > 0 && fabs(b->e[l]) > k->least &&
	       fabs(b->d[l - 1]) > k->least)
		l--;
	return l;
}

/* Returns whether e[l], which couples rows l - 1 and l, is nonzero. */
static bool is_coupled(const struct problem *b, const struct leader *k, int l)
{
	return l > 0 && fabs(b->e[l]) > k->least;
}

/* Computes the rotations of sweep `turn`, as the leader of a matrix. Returns
 * false if B is diagonal or the iteration has failed. */
static bool lead(const struct problem *b, struct leader *k, int turn)
{
	local int *const state = b->state + turn % 2;
	int l = 0;

	if (turn == 0)
		k->least = least_of(b);
	while (k->last >= 0 && (l = first_of(b, k)) == k->last &&
	       !is_coupled(b, k, l))
		k->last--;
	if (k->last >= 0 && ++k->sweeps > SWEEPS * b->n) {
		b->state[STATUS] = FAILED;
		k->last = -1;
	}
	state[LOW] = state[HIGH] = 0;
	if (k->last < 0)
		return false;
	if (is_coupled(b, k, l)) {
		state[KIND] = CANCELLATION;
		state[LOW] = l - 1;
		state[HIGH] = cancel(b, l, k, turns_of(b, turn, 2),
		                     turns_of(b, turn, 3)) - 1;
	} else {
		state[KIND] = CHASE;
		state[LOW] = l;
		state[HIGH] = k->last;
		chase(b, l, k->last, turn);
	}
	return true;
}

/* Rotates columns i and i + 1 for i = low to high - 1, in one row of U or V,
 * whose elements are x[0], x[ld], and so on. */
static void rotate(MATRICES real *x, int ld, int low, int high,
                   local const real *ratio, local const real *s)
{
	real last = x[low * ld];
	int i = low;

	for (; i + TILE <= high; i += TILE) {
		real y[TILE];

#pragma unroll
		for (int q = 0; q < TILE; q++)
			y[q] = x[(i + q + 1) * ld];
#pragma unroll
		for (int q = 0; q < TILE; q++) {
			const real r = ratio[i + q], t = s[i + q];

			x[(i + q) * ld] = fma(t, fma(-r, last, y[q]), last);
			last = fma(-t, fma(r, y[q], last), y[q]);
		}
	}
	for (; i < high; i++) {
		const real y = x[(i + 1) * ld];

		x[i * ld] = fma(s[i], fma(-ratio[i], last, y), last);
		last = fma(-s[i], fma(ratio[i], y, last), y);
	}
	x[high * ld] = last;
}

/* Rotates column `low` with each of the columns after it up to `high`, in the
 * same layout as rotate(). */
static void rotate_one(MATRICES real *x, int ld, int low, int high,
                       local const real *ratio, local const real *s)
{
	real first = x[low * ld];

	for (int i = low + 1; i <= high; i++) {
		const real y = x[i * ld];

		x[i * ld] = fma(-s[i], fma(ratio[i], y, first), y);
		first = fma(s[i], fma(-ratio[i], first, y), first);
	}
	x[low * ld] = first;
}

/* Applies the rotations of sweep `turn` to row `lane` of U and of V. */
static void follow(const struct problem *b, int lane, int turn)
{
	local const int *const state = b->state + turn % 2;
	const int low = state[LOW], high = state[HIGH];
	local const real *const of_v = turns_of(b, turn, 0);
	local const real *const of_u = turns_of(b, turn, 2);

	if (!b->wanted || low >= high || lane >= b->m)
		return;
	if (state[KIND] == CANCELLATION) {
		rotate_one(b->u + lane, b->ld, low, high, of_u, of_u + b->n);
		return;
	}
	rotate(b->u + lane, b->ld, low, high, of_u, of_u + b->n);
	if (lane < b->n)
		rotate(b->v + lane, b->ldv, low, high, of_v, of_v + b->n);
}

#endif
