/* chase.cl - chases chains of small bulges down the diagonal of an upper
 * Hessenberg matrix T, for a sweep of the multishift QR algorithm (Braman,
 * Byers and Mathias 2002; LAPACK's xLAQR5):
 *
 *     T = Q^T T Q,    Q = product of all reflections I - tau v v^T
 *
 * Work-group g has the SCHUR_BULGES bulges from g SCHUR_BULGES on, of `count`
 * in all, and moves each of them SCHUR_STEPS rows down. Chain g follows chain g
 * - 1 at a distance of SCHUR_GAP rows, so that the windows of the chains (see
 * window.h) are disjoint. The group changes T within its window, and stores Q
 * for schur_left and schur_right (apply.cl), which change the rest of the
 * matrix: u has SCHUR_WINDOW^2 elements for each group, row-major.
 *
 * In each step, all bulges of the chain move by one row at the same time: they
 * are three rows apart, so that no two of their reflections act on one row.
 * Items compute reflections while others multiply Q by those of the step
 * before.
 *
 * T is n x n, row-major, with zeros below the subdiagonal except for bulges.
 * The active block has the rows from top to bottom. The first bulge of chain 0
 * is at position `front`. shifts: SCHUR_SHIFT numbers a bulge, re, im, re, im.
 */
#include "lib/real.h"
#include "schur/window.h"

#define PITCH SCHUR_PITCH

/* A reflection I - tau (1, v2, v3)^T (1, v2, v3). */
struct reflection { real v2, v3, tau; };

/* The squares of numbers between SMALL and LARGE neither overflow nor lose
 * digits to underflow. */
#define SMALL (sizeof(real) == 8 ? (real)1e-100 : (real)1e-10)
#define LARGE (sizeof(real) == 8 ? (real)1e100 : (real)1e10)

/* Makes the reflection that maps (x1, x2, x3) to (beta, 0, 0), and returns
 * beta. */
static real reflect(real x1, real x2, real x3, struct reflection *r)
{
	const real most = fmax(fabs(x1), fmax(fabs(x2), fabs(x3)));
	const real unit = most < SMALL || most > LARGE ? most : 1;
	real beta, inverse;

	*r = (struct reflection){ 0, 0, 0 };
	if (x2 == 0 && x3 == 0)
		return x1;
	if (unit != 1) {
		x1 /= unit;
		x2 /= unit;
		x3 /= unit;
	}
	beta = -copysign(sqrt(x1 * x1 + x2 * x2 + x3 * x3), x1);
	inverse = 1 / (x1 - beta);
	r->tau = (beta - x1) / beta;
	r->v2 = x2 * inverse;
	r->v3 = x3 * inverse;
	return beta * unit;
}

/* Makes the reflection that introduces a bulge: it maps the first column of (H
 * - s1 I) (H - s2 I) to a multiple of the first unit vector (xLAQR1). H is the
 * 3 x 3 matrix at h, and s has the shifts s1 and s2. */
static void introduce(local const real *h, global const real *s,
                      struct reflection *r)
{
	const real h11 = h[0], h21 = h[PITCH], h31 = h[2 * PITCH];
	const real h22 = h[PITCH + 1], h33 = h[2 * PITCH + 2];
	const real size = fabs(h11 - s[2]) + fabs(s[3]) + fabs(h21) +
	                  fabs(h31);
	real p, q;

	*r = (struct reflection){ 0, 0, 0 };
	if (size == 0)
		return;
	p = h21 / size;
	q = h31 / size;
	reflect((h11 - s[0]) * ((h11 - s[2]) / size) - s[1] * (s[3] / size) +
	            h[1] * p + h[2] * q,
	        p * (h11 + h22 - s[0] - s[2]) + h[PITCH + 2] * q,
	        q * (h11 + h33 - s[0] - s[2]) + h[2 * PITCH + 1] * p, r);
}

/* A bulge has collapsed if its third row has become that of a Hessenberg
 * matrix. Then this sets *r to the reflection that introduces the bulge again
 * at its present position, and returns whether this reflection changes column
 * p, to the left of the bulge, by no more than rounding errors. h points to the
 * element in row p + 1 and column p. */
static bool restore(local const real *h, global const real *s,
                    struct reflection *r)
{
	struct reflection again;
	real sum, change;

	if (h[2 * PITCH] != 0 || h[2 * PITCH + 1] != 0 ||
	    h[2 * PITCH + 2] == 0)
		return false;
	introduce(h + 1, s, &again);
	sum = again.tau * (h[0] + again.v2 * h[PITCH]);
	change = fabs(h[PITCH] - sum * again.v2) + fabs(sum * again.v3);
	if (again.tau == 0 || change > REAL_EPSILON * (fabs(h[1]) +
	                                               fabs(h[PITCH + 2])))
		return false;
	*r = again;
	return true;
}

/* Computes the reflection of a bulge at position p, and zeros its column. */
static void make(local real *h, const struct window *w, int top, int bottom,
                 int p, global const real *s, local struct reflection *to)
{
	local real *const x = h + (p + 1 - w->lo) * PITCH + p - w->lo + 1;
	struct reflection r = { 0, 0, 0 };

	if (p == top - 1) {
		introduce(x + 1, s, &r);
	} else if (p >= top && p <= bottom - 2) {
		const real beta = reflect(x[0], x[PITCH], x[2 * PITCH], &r);

		x[0] = p + 3 <= bottom && restore(x, s, &r) ?
		       x[0] - r.tau * (x[0] + r.v2 * x[PITCH]) : beta;
		x[PITCH] = 0;
		x[2 * PITCH] = 0;
	}
	*to = r;
}

/* Applies a reflection to three elements that are `step` apart. */
static void apply(local real *x, int step, local const struct reflection *r)
{
	const real v2 = r->v2, v3 = r->v3;
	const real sum = r->tau * (x[0] + v2 * x[step] + v3 * x[2 * step]);

	x[0] -= sum;
	x[step] -= sum * v2;
	x[2 * step] -= sum * v3;
}

/* Copies T's window to local memory, or back: its rows and one more below them,
 * and its columns and one more to the left of them. Beyond the active block,
 * local memory has zeros. */
static void load(global const real *t, int n, int top, int bottom,
                 const struct window *w, local real *h)
{
	for (int e = get_local_id(0); e < (SCHUR_WINDOW + 1) * PITCH;
	     e += SCHUR_GROUP) {
		const int i = w->lo + e / PITCH, j = w->lo - 1 + e % PITCH;

		h[e] = i <= min(bottom, w->hi + 1) && j >= top && j <= w->hi ?
		       t[(size_t)i * n + j] : 0;
	}
}

static void store(global real *t, int n, int top, int bottom,
                  const struct window *w, local const real *h)
{
	for (int e = get_local_id(0); e < (SCHUR_WINDOW + 1) * PITCH;
	     e += SCHUR_GROUP) {
		const int i = w->lo + e / PITCH, j = w->lo - 1 + e % PITCH;

		if (i <= min(bottom, w->hi + 1) && j >= top && j <= w->hi)
			t[(size_t)i * n + j] = h[e];
	}
}

kernel __attribute__((reqd_work_group_size(SCHUR_GROUP, 1, 1)))
void schur_chase(global real *t, int n, int top, int bottom, int front,
                 int count, global const real *shifts, global real *u)
{
	local real h[(SCHUR_WINDOW + 1) * PITCH], q[SCHUR_WINDOW * PITCH];
	local struct reflection made[2][SCHUR_BULGES];
	const int id = get_local_id(0), team = id / SCHUR_TEAM;
	const int lane = id % SCHUR_TEAM, g = get_group_id(0);
	const int bulges = min(SCHUR_BULGES, count - g * SCHUR_BULGES);
	const int first = front - g * SCHUR_GAP;
	struct window w;

	if (!window_of(top, bottom, first, &w))
		return;
	load(t, n, top, bottom, &w, h);
	for (int e = id; e < SCHUR_WINDOW * PITCH; e += SCHUR_GROUP)
		q[e] = e % PITCH == e / PITCH;
	shifts += g * SCHUR_BULGES * SCHUR_SHIFT;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 0; step <= SCHUR_STEPS; step++) {
		local struct reflection *const r = made[step % 2];
		local struct reflection *const before = made[1 - step % 2];
		const int p = first + step - 3 * team, at = p + 1 - w.lo;
		const bool moves = team < bulges && p >= top - 1 &&
		                   p <= bottom - 2;

		if (id < bulges && step < SCHUR_STEPS)
			make(h, &w, top, bottom, first + step - 3 * id,
			     shifts + id * SCHUR_SHIFT, r + id);
		/* The other work-items multiply Q by the reflections of the
		 * previous step. */
		for (int e = id - SCHUR_MAKERS;
		     step > 0 && id >= SCHUR_MAKERS && e < bulges * SCHUR_TEAM;
		     e += SCHUR_GROUP - SCHUR_MAKERS) {
			const int b = e / SCHUR_TEAM, i = e % SCHUR_TEAM;
			const int pb = first + step - 1 - 3 * b;

			if (i <= w.hi - w.lo && pb >= top - 1 &&
			    pb <= bottom - 2)
				apply(q + i * PITCH + pb + 1 - w.lo, 1,
				      before + b);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (step == SCHUR_STEPS)
			break;
		if (moves && p + 1 + lane <= w.hi)
			apply(h + at * PITCH + at + 1 + lane, PITCH, r + team);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (moves && w.lo + lane <= min(p + 4, w.hi + 1))
			apply(h + lane * PITCH + at + 1, 1, r + team);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	store(t, n, top, bottom, &w, h);
	u += (size_t)g * SCHUR_WINDOW * SCHUR_WINDOW;
	for (int e = id; e < SCHUR_WINDOW * SCHUR_WINDOW; e += SCHUR_GROUP)
		u[e] = q[e / SCHUR_WINDOW * PITCH + e % SCHUR_WINDOW];
}
