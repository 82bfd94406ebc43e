/* secular.cl - the eigenvalues and eigenvectors of D + rho z z^T, where D has
 * ascending elements d_i, the poles, and z has no zeros. The eigenvalues are
 * the roots of the secular equation
 *
 *     f(lambda) = 1 / rho + sum_i z_i^2 / (d_i - lambda) = 0,
 *
 * one between each pole and the next, and one beyond the last pole. Each is
 * kept as the nearest pole and the distance mu from it, so that the differences
 * d_i - lambda = (d_i - d_origin) - mu have small relative errors.
 *
 * The computed roots are the exact ones for another z, which Gu and Eisenstat
 * (1995) compute from them, and with which the eigenvectors
 *
 *     u_j ~ (z_i / (d_i - lambda_j))_i
 *
 * are orthogonal to working accuracy.
 */
#include "tridiagonal/divide.h"

/* The unit roundoff of `wide`. */
#ifdef cl_khr_fp64
#define ROUNDOFF (DBL_EPSILON / 2)
#else
#define ROUNDOFF (FLT_EPSILON / 2)
#endif

GROUP_FOLD(group_sum, wide4, PLUS)
GROUP_FOLD(group_product, wide, TIMES)

/* The equation of root number `root`. Poles up to number `split` are the terms
 * of psi, the others those of phi, where f = 1 / rho + psi + phi. */
struct secular {
	global const wide *d, *z;
	int poles, root, split, origin;
	wide rho;
};

/* Returns psi, phi and their derivatives psi' and phi' at the distance mu from
 * the origin. */
static wide4 sums_at(const struct secular *x, wide mu, local wide4 *part)
{
	const int items = get_local_size(0);
	const wide origin = x->d[x->origin];
	wide4 own = 0;

	for (int i = get_local_id(0); i < x->poles; i += items) {
		const wide t = x->z[i] / ((x->d[i] - origin) - mu);
		const wide y = x->z[i] * t, dy = t * t;
		const int left = i <= x->split;

		own += (wide4)(left ? y : 0, left ? 0 : y, left ? dy : 0,
		               left ? 0 : dy);
	}
	return group_sum(own, part);
}

/* Returns the root of c + s / (a - x) + t / (b - x) that lies between a and b,
 * or beyond both if `last`. If there is none, returns NaN or a number outside
 * of that range. */
static wide model_root(wide c, wide s, wide a, wide t, wide b, int last)
{
	const wide p = c * (a + b) + s + t, q = c * a * b + s * b + t * a;
	const wide root = sqrt(fabs(p * p - 4 * q * c));

	if (last)
		return p >= 0 ? (p + root) / (2 * c) : 2 * q / (p - root);
	return p <= 0 ? (p - root) / (2 * c) : 2 * q / (p + root);
}

/* An interval with f(low) <= 0 <= f(high), where neither is 0. */
struct bracket {
	wide low, high;
};

/* Returns a number inside the bracket that about halves the number of bits in
 * which its ends differ: their geometric mean if they differ by more than a
 * factor of 4, else the arithmetic mean. Both ends have the same sign. */
static wide inside(const struct bracket *b)
{
	const wide x = fabs(b->low), y = fabs(b->high);
	const wide mean = fmax(x, y) > 4 * fmin(x, y) ? sqrt(x) * sqrt(y) :
	                  (x + y) / 2;

	return b->high > 0 ? mean : -mean;
}

/* Chooses the origin, the pole nearest to the root, by the sign of f halfway to
 * the next pole. Sets *b to an interval that contains mu; the other terms of f
 * at the halfway point bound |mu| from below. Returns the first estimate of mu:
 * the root of the equation in which all terms but those of the two nearest
 * poles keep their values at the halfway point. */
static wide begin(struct secular *x, struct bracket *b, wide length,
                  local wide4 *part)
{
	const int last = x->root == x->poles - 1, j = x->split;
	const wide gap = last ? x->rho * length : x->d[j + 1] - x->d[j];
	const wide near = last ? x->d[j + 1] - x->d[j] : 0;
	const wide s = x->z[j] * x->z[j], t = x->z[j + 1] * x->z[j + 1];
	const wide mid = gap / 2;
	wide4 v;
	wide f, c, mu;

	x->origin = x->root;
	v = sums_at(x, mid, part);
	f = 1 / x->rho + v.x + v.y;
	c = last ? f + s / (near + mid) + t / mid : f + s / mid - t / mid;
	if (last) {
		*b = (struct bracket){ x->rho * t / 2,
		                       gap * (1 + 8 * ROUNDOFF) };
		mu = model_root(c, s, -near, t, 0, 1);
	} else if (f >= 0) {
		*b = (struct bracket){ s / (1 / x->rho + v.y) / 2, mid };
		mu = model_root(c, s, 0, t, gap, 0);
	} else {
		*b = (struct bracket){ -mid, t / (v.x + 1 / x->rho) / 2 };
		x->origin = x->root + 1;
		mu = model_root(c, s, -gap, t, 0, 0);
	}
	return mu > b->low && mu < b->high ? mu : inside(b);
}

/* Returns the distance from mu to the root of a model of f, which has two poles
 * and agrees with f and f' at mu (Li 1993). The model keeps the weight of the
 * pole that is the origin, which converges fastest as a rule. For the last
 * root, or if `middle`, its weights reproduce psi' and phi' instead. */
static wide step_from(const struct secular *x, wide mu, wide f, wide4 v,
                      int middle)
{
	const wide origin = x->d[x->origin];
	const wide a = (x->d[x->split] - origin) - mu;
	const wide b = (x->d[x->split + 1] - origin) - mu;
	const int last = x->root == x->poles - 1;
	wide s = a * a * v.z, t = b * b * v.w;

	if (!middle && !last && x->origin == x->split) {
		s = x->z[x->split] * x->z[x->split];
		t = b * b * (v.z + v.w - s / (a * a));
	} else if (!middle && !last) {
		t = x->z[x->split + 1] * x->z[x->split + 1];
		s = a * a * (v.z + v.w - t / (b * b));
	}
	return model_root(f - s / a - t / b, s, a, t, b, last);
}

/* Returns whether |f| is at most the bound on its rounding errors. A sum adds
 * its terms one after another in every work-item, and the work-items' sums as a
 * binary tree. */
static int is_root(const struct secular *x, wide mu, wide f, wide4 v)
{
	const int chain = x->poles / (int)get_local_size(0);
	const wide terms = v.y - v.x;

	return fabs(f) <= ROUNDOFF * ((8 + chain) * terms + 2 / x->rho +
	                              fabs(mu) * (v.z + v.w));
}

/* Returns mu for the root. A step that would leave the bracket is replaced by
 * inside(), and so are 4 of every 16 steps, so that the iteration always
 * ends. */
static wide solve(struct secular *x, wide length, local wide4 *part)
{
	struct bracket b;
	wide mu = begin(x, &b, length, part), old = 0;
	int middle = 0;

	for (int i = 0; i < 400; i++) {
		const wide4 v = sums_at(x, mu, part);
		const wide f = 1 / x->rho + v.x + v.y;
		wide next;

		if (f < 0)
			b.low = mu;
		else
			b.high = mu;
		if (is_root(x, mu, f, v) || b.high - b.low <=
		    2 * ROUNDOFF * fmin(fabs(b.low), fabs(b.high)))
			break;
		if (f * old > 0 && fabs(f) > fabs(old) / 10)
			middle = !middle;
		old = f;
		next = mu + step_from(x, mu, f, v, middle);
		if (next == mu)
			break;
		mu = next > b.low && next < b.high && i % 16 < 12 ? next :
		     inside(&b);
	}
	return mu;
}

/* Returns |z|^2 to all work-items. */
static wide square(const struct secular *x, local wide4 *part)
{
	wide4 own = 0;

	for (int i = get_local_id(0); i < x->poles; i += get_local_size(0))
		own.x += x->z[i] * x->z[i];
	return group_sum(own, part).x;
}

/* Computes the roots of every node; launched with a work-group for each
 * root. */
kernel void divide_roots(global wide *room, global int *lists, int n, int size,
                         local wide4 *part)
{
	const int row = get_group_id(0), j = row % size, base = row - j;
	const int poles = COUNT(POLES);
	struct secular x = {
		ARRAY(POLE), ARRAY(WEIGHT), poles, j, min(j, poles - 2), j,
		ARRAY(RHO)[0]
	};
	wide mu;

	if (j >= poles)
		return;
	mu = poles == 1 ? x.rho * x.z[0] * x.z[0] :
	     solve(&x, j == poles - 1 ? square(&x, part) : 0, part);
	if (get_local_id(0) != 0)
		return;
	LIST(ORIGIN)[j] = x.origin;
	ARRAY(SHIFT)[j] = mu;
	ARRAY(VALUES)[j] = x.d[x.origin] + mu;
}

/* Computes the z for which the computed roots are exact, but for a common
 * factor:
 *
 *     z_i^2 = prod_{j < i} (lambda_j - d_i) / (d_j - d_i)
 *             prod_{j >= i} (lambda_j - d_i) / (d_{j+1} - d_i),
 *
 * where the last denominator is 1; no other factor is above 1. Launched with a
 * work-group for each i. */
kernel void divide_fit(global wide *room, global const int *lists, int n,
                       int size, local wide *part)
{
	const int row = get_group_id(0), i = row % size, base = row - i;
	const int poles = COUNT(POLES);
	global const wide *const d = ARRAY(POLE), *const shift = ARRAY(SHIFT);
	global const int *const origin = LIST(ORIGIN);
	wide own = 1, di;

	if (i >= poles)
		return;
	di = d[i];
	for (int j = get_local_id(0); j < poles; j += get_local_size(0)) {
		const wide root = (d[origin[j]] - di) + shift[j];
		const int other = j < i ? j : j + 1;

		own *= other < poles ? root / (d[other] - di) : root;
	}
	own = sqrt(fabs(group_product(own, part)));
	if (get_local_id(0) == 0)
		ARRAY(FITTED)[i] = copysign(own, ARRAY(WEIGHT)[i]);
}

/* Computes the reciprocal lengths of the eigenvectors u_j, and the first and
 * last rows of Q U, where U has the normalized u_j as its columns. Launched
 * with a work-group for each root. */
kernel void divide_scale(global wide *room, global const int *lists, int n,
                         int size, local wide4 *part)
{
	const int row = get_group_id(0), j = row % size, base = row - j;
	const int poles = COUNT(POLES);
	global const wide *const d = ARRAY(POLE), *const z = ARRAY(FITTED);
	wide4 sum = 0;
	wide origin, mu, scale;

	if (j >= poles)
		return;
	origin = d[LIST(ORIGIN)[j]];
	mu = ARRAY(SHIFT)[j];
	for (int i = get_local_id(0); i < poles; i += get_local_size(0)) {
		const wide u = z[i] / ((d[i] - origin) - mu);

		sum += u * (wide4)(u, ARRAY(POLE_FIRST)[i], ARRAY(POLE_LAST)[i],
		                   0);
	}
	sum = group_sum(sum, part);
	if (get_local_id(0) != 0)
		return;
	scale = 1 / sqrt(sum.x);
	ARRAY(SCALE)[j] = scale;
	ARRAY(FIRST)[j] = sum.y * scale;
	ARRAY(LAST)[j] = sum.z * scale;
}

/* Writes U, with its rows in the order of P's columns, and with rows and
 * columns of the identity matrix for deflated columns. Launched with a
 * work-item for each element. */
kernel void divide_rotation(global const wide *restrict room,
                            global const int *restrict lists, int n, int size,
                            global real *restrict u)
{
	const int j = get_global_id(0), row = get_global_id(1), p = row % size;
	const int base = row - p;
	global const wide *const d = ARRAY(POLE);
	int poles, i;
	wide x;

	if (j >= size || row >= n)
		return;
	poles = COUNT(POLES);
	x = p == j;
	if (p < poles && j < poles) {
		i = LIST(PACKED)[p];
		x = ARRAY(FITTED)[i] * ARRAY(SCALE)[j] /
		    ((d[i] - d[LIST(ORIGIN)[j]]) - ARRAY(SHIFT)[j]);
	} else if (p < poles || j < poles)
		x = 0;
	u[(size_t)row * n + base + j] = x;
}
