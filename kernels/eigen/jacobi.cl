/* jacobi.cl - all eigenvalues and eigenvectors of a stack of small symmetric
 * matrices, by Jacobi's method (1846):
 *
 *     A <- J^T A J,   V <- V J,   until A is diagonal,
 *
 * where J consists of n/2 rotations of disjoint pairs (p, q) of rows, each of
 * which makes its a_pq zero. A sweep of n - 1 such rounds rotates every pair
 * once, in the round-robin order of tournaments. Because rounding errors would
 * leave a small number, a_pq is then set to zero. The iteration ends when the
 * norm of all off-diagonal elements is at most eps |A|_F.
 *
 * A work-group takes one matrix, and holds A and V in local memory. Both have m
 * rows, where m is n rounded up to an even number; the row and column beyond n
 * are zero in A. A work-item updates blocks of 2 x 2 elements of A, each of
 * which lies in the rows of one pair and the columns of another.
 * Launch: stack * L work-items in work-groups of L >= 32.
 */
#include "lib/real.h"

#define SWEEPS 30

/* Local memory, in this order. */
struct room {
	local real *a, *v;		/* m rows of m + 1 elements */
	local real *c, *s;		/* m / 2: cosines and sines of a round's
					 * rotations */
	local real *d, *f;		/* m: eigenvalues, scales of V's
					 * columns */
	local real *part;		/* one number of every work-item */
	local int *from;		/* m: column of the i-th eigenvalue */
	int n, m, ld;
};

static struct room room_of(local real *at, int n)
{
	const int m = n + (n & 1), ld = m + 1;
	struct room r = { .n = n, .m = m, .ld = ld };

	r.a = at;
	r.v = r.a + m * ld;
	r.c = r.v + m * ld;
	r.s = r.c + m / 2;
	r.d = r.s + m / 2;
	r.f = r.d + m;
	r.part = r.f + m;
	r.from = (local int *)(r.part + get_local_size(0));
	return r;
}

/* Returns the sum, or the largest, of the x of all work-items to each of
 * them. */
static real group_fold(real x, local real *part, bool largest)
{
	const int id = get_local_id(0), items = get_local_size(0);

	barrier(CLK_LOCAL_MEM_FENCE);
	part[id] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	x = part[0];
	for (int i = 1; i < items; i++)
		x = largest ? fmax(x, part[i]) : x + part[i];
	return x;
}

/* The two rows of pair k in a round of a tournament with m players. */
static int2 pair_of(int round, int k, int m)
{
	const int turn = m - 1;

	return k == 0 ? (int2)(round, turn) :
	       (int2)((round + k) % turn, (round - k + turn) % turn);
}

/* Loads 2^-e A, whose largest element is in [1, 2), sets V = I, and returns
 * e. */
static int load(const struct room *r, global const real *a)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int n = r->n, all = r->m * r->m;
	real most = 0;
	int e;

	for (int i = id; i < n * n; i += items)
		most = fmax(most, fabs(a[i]));
	most = group_fold(most, r->part, true);
	e = most > 0 ? ilogb(most) : 0;
	for (int x = id; x < all; x += items) {
		const int i = x / r->m, j = x % r->m;

		r->a[i * r->ld + j] = i < n && j < n ?
		                      ldexp(a[i * n + j], -e) : 0;
		r->v[i * r->ld + j] = i == j;
	}
	return e;
}

/* The sum of the squares of all elements of A, or of the off-diagonal ones if
 * `beside`. */
static real squares(const struct room *r, bool beside)
{
	const int items = get_local_size(0);
	real sum = 0;

	for (int x = get_local_id(0); x < r->m * r->m; x += items) {
		const int i = x / r->m, j = x % r->m;
		const real y = r->a[i * r->ld + j];

		sum += beside && i == j ? 0 : y * y;
	}
	return group_fold(sum, r->part, false);
}

/* Computes the rotation of pair k, (p, q), which makes a_pq zero. */
static void rotation(const struct room *r, int k, int2 pair)
{
	const real x = r->a[pair.x * r->ld + pair.y];
	const real app = r->a[pair.x * r->ld + pair.x];
	const real aqq = r->a[pair.y * r->ld + pair.y];
	real t = 0;

	if (x != 0) {
		const real theta = (aqq - app) / (2 * x);

		t = copysign((real)1, theta) /
		    (fabs(theta) + sqrt(theta * theta + 1));
	}
	r->c[k] = 1 / sqrt(t * t + 1);
	r->s[k] = t * r->c[k];
}

/* Updates the block of A in the rows p of pair k and the columns q of pair
 * l. */
static void update(const struct room *r, int k, int l, int2 p, int2 q)
{
	local real *const x = r->a + p.x * r->ld, *const y = r->a + p.y * r->ld;
	const real c = r->c[k], s = r->s[k], d = r->c[l], t = r->s[l];
	const real xx = c * x[q.x] - s * y[q.x], xy = c * x[q.y] - s * y[q.y];
	const real yx = s * x[q.x] + c * y[q.x], yy = s * x[q.y] + c * y[q.y];

	x[q.x] = d * xx - t * xy;
	y[q.y] = t * yx + d * yy;
	x[q.y] = k == l ? 0 : t * xx + d * xy;
	y[q.x] = k == l ? 0 : d * yx - t * yy;
}

static void sweep(const struct room *r, int wanted)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int h = r->m / 2;

	for (int round = 0; round < r->m - 1; round++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = id; k < h; k += items)
			rotation(r, k, pair_of(round, k, r->m));
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int x = id; x < h * h; x += items)
			update(r, x / h, x % h, pair_of(round, x / h, r->m),
			       pair_of(round, x % h, r->m));
		for (int x = id; x < h * r->n && wanted; x += items) {
			const int2 q = pair_of(round, x % h, r->m);
			local real *const v = r->v + x / h * r->ld;
			const real c = r->c[x % h], s = r->s[x % h];
			const real y = v[q.x], z = v[q.y];

			v[q.x] = c * y - s * z;
			v[q.y] = s * y + c * z;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Sorts the eigenvalues, and scales the eigenvectors to unit length. The first
 * of the largest components of each becomes positive. */
static void settle(const struct room *r)
{
	const int items = get_local_size(0), n = r->n;

	for (int j = get_local_id(0); j < n; j += items)
		r->d[j] = r->a[j * r->ld + j];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int j = get_local_id(0); j < n; j += items) {
		real sum = 0, big = 0, f;
		int rank = 0;

		for (int i = 0; i < n; i++) {
			const real y = r->v[i * r->ld + j];

			rank += r->d[i] < r->d[j] ||
			        (r->d[i] == r->d[j] && i < j);
			sum += y * y;
		}
		f = 1 / sqrt(sum);
		for (int i = 0; i < n; i++) {
			const real y = r->v[i * r->ld + j] * f;

			big = fabs(y) > fabs(big) ? y : big;
		}
		r->f[j] = big < 0 ? -f : f;
		r->from[rank] = j;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int x = get_local_id(0); x < n * n; x += items)
		r->v[x / n * r->ld + x % n] *= r->f[x % n];
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* The largest 2-norm of a column of A if `squared`, else the largest sum of the
 * absolute values of a column. */
static real columns(const struct room *r, bool squared)
{
	const int items = get_local_size(0);
	real most = 0;

	barrier(CLK_LOCAL_MEM_FENCE);
	for (int j = get_local_id(0); j < r->n; j += items) {
		real sum = 0;

		for (int i = 0; i < r->n; i++) {
			const real y = r->a[i * r->ld + j];

			sum += squared ? y * y : fabs(y);
		}
		most = fmax(most, squared ? sqrt(sum) : sum);
	}
	most = group_fold(most, r->part, true);
	barrier(CLK_LOCAL_MEM_FENCE);
	return most;
}

struct measures {
	real residual, orthogonality;
};

/* Computes the largest |A v - lambda v| / (|A|_1 n eps), and
 * |V^T V - I|_1 / (n eps). Overwrites A. */
static struct measures judge(const struct room *r, global const real *a, int e)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int n = r->n;
	const real unit = n * REAL_EPSILON;
	real norm, residual, far;

	for (int x = id; x < n * n; x += items)
		r->a[x / n * r->ld + x % n] = ldexp(a[x], -e);
	norm = columns(r, false);
	for (int x = id; x < n * n; x += items) {
		const int i = x / n, j = x % n;
		real sum = -r->d[j] * r->v[i * r->ld + j];

		for (int k = 0; k < n; k++)
			sum += ldexp(a[i * n + k], -e) * r->v[k * r->ld + j];
		r->a[i * r->ld + j] = sum;
	}
	residual = columns(r, true);
	for (int x = id; x < n * n; x += items) {
		const int i = x / n, j = x % n;
		real sum = -(real)(i == j);

		for (int k = 0; k < n; k++)
			sum += r->v[k * r->ld + i] * r->v[k * r->ld + j];
		r->a[i * r->ld + j] = sum;
	}
	far = columns(r, false);
	return (struct measures){ norm > 0 ? residual / norm / unit : 0,
	                          far / unit };
}

static void put(const struct room *r, int e, global real *values,
                global real *vectors, int wanted)
{
	const int items = get_local_size(0), n = r->n;

	for (int i = get_local_id(0); i < n; i += items)
		values[i] = ldexp(r->d[r->from[i]], e);
	for (int x = get_local_id(0); x < n * n && wanted; x += items)
		vectors[x] = r->v[x / n * r->ld + r->from[x % n]];
}

/* Writes the eigenvalues in ascending order and, if `wanted`, the eigenvectors
 * by columns. told gets three numbers for every matrix: 1 if it has converged,
 * else 0, and the two measures of judge(), or 0 unless `judged`. */
kernel void eigen_jacobi(global const real *restrict a, int n,
                         global real *restrict values,
                         global real *restrict vectors, int wanted,
                         int judged, global real *restrict told,
                         local real *at, int first_group)
{
	const struct room r = room_of(at, n);
	const size_t which = first_group + get_group_id(0), all = (size_t)n * n;
	const int e = load(&r, a + which * all);
	struct measures found = { 0, 0 };
	real limit, off;

	barrier(CLK_LOCAL_MEM_FENCE);
	limit = REAL_EPSILON * REAL_EPSILON * squares(&r, false);
	off = squares(&r, true);
	for (int i = 0; i < SWEEPS && off > limit; i++) {
		sweep(&r, wanted);
		off = squares(&r, true);
	}
	settle(&r);
	put(&r, e, values + which * n, vectors + which * all, wanted);
	if (judged)
		found = judge(&r, a + which * all, e);
	if (get_local_id(0) == 0) {
		told[3 * which] = off <= limit;
		told[3 * which + 1] = found.residual;
		told[3 * which + 2] = found.orthogonality;
	}
}
