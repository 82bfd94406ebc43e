/* bidiagonal.h - the problems of a work-group of bidiagonal.cl, and X = Q B P^T
 * with an upper bidiagonal B. MATRICES is the address space of X, U and V, and
 * FENCE has the flags of a barrier for it. */
#ifndef KERNELS_SVD_BIDIAGONAL_H
#define KERNELS_SVD_BIDIAGONAL_H

/* The indices of a matrix's integers in local memory, struct problem.state, and
 * the values of state[STATUS]. Sweep i rotates columns state[LOW + i % 2] to
 * state[HIGH + i % 2] of V and U, unless state[KIND + i % 2] is CANCELLATION
 * (diagonal.h). */
enum { LOW, HIGH = 2, KIND = 4, STATUS = 6, INTEGERS };
enum { CONVERGED, NOT_FINITE, FAILED };

struct problem {
	int m, n, ld, ldv;		/* m >= n; leading dimensions of X and
					 * U, and of V */
	bool wanted;			/* U and V are computed */
	MATRICES real *x, *u, *v;	/* X and U are m x n, V is n x n */
	local real *d, *e;		/* n: B's diagonal; e[i] is above d[i],
					 * and e[0] is 0 */
	local real *turns;		/* 2 x 4 n: the rotations of two
					 * sweeps */
	local real *left, *right;	/* n each: f of the reflections from the
					 * left and right; share the memory of
					 * `turns` */
	local int *from;		/* n: from[i] is the column of U and V
					 * of the i-th largest singular value */
	local int *state;
};

/* Returns problem `which` of the work-group's `many`. Local memory has the
 * matrices of all problems, if they are kept there, then 10 vectors of n
 * elements for each problem, then the integers of each problem. */
static struct problem problem_of(int which, int many, int m, int n, int step,
                                 bool wanted, MATRICES real *matrices,
                                 local real *vectors)
{
	struct problem b = { .m = m, .n = n, .ld = m | 1, .ldv = n | 1,
	                     .wanted = wanted };

	b.x = matrices + which * step;
	b.u = b.x + n * b.ld;
	b.v = b.u + n * b.ld;
	b.d = vectors + which * 10 * n;
	b.e = b.d + n;
	b.turns = b.d + 2 * n;
	b.left = b.turns;
	b.right = b.turns + n;
	b.from = (local int *)(vectors + many * 10 * n) +
	         which * (n + INTEGERS);
	b.state = b.from + n;
	return b;
}

/* Returns the largest modulus in column `lane` of X, or INFINITY if the column
 * has a NaN or an infinity. */
static real look(const struct problem *b, global const real *a, int cols,
                 bool turned, int lane)
{
	real most = 0;

	for (int r = 0; r < b->m; r++) {
		const real x = a[turned ? lane * cols + r : r * cols + lane];

		most = isfinite(x) ? fmax(most, fabs(x)) : INFINITY;
		if (isinf(most))
			break;
	}
	return most;
}

/* Loads column `lane` of 2^-e X for the e with which its largest element is
 * about 1, or zeros if an element is not finite. Returns e. */
static int begin(const struct problem *b, global const real *a, int cols,
                 bool turned, int lane)
{
	real most = 0;
	bool usable;
	int e;

	if (lane < b->n)
		b->d[lane] = look(b, a, cols, turned, lane);
	barrier(FENCE);
	for (int i = 0; i < b->n; i++)
		most = fmax(most, b->d[i]);
	usable = isfinite(most);
	e = usable && most > 0 ? ilogb(most) : 0;
	b->state[STATUS] = usable ? CONVERGED : NOT_FINITE;
	for (int r = 0; r < b->m && lane < b->n; r++)
		b->x[lane * b->ld + r] = usable ? ldexp(a[turned ?
		    lane * cols + r : r * cols + lane], -e) : 0;
	barrier(FENCE);
	return e;
}

/* The reflection I - f u u^T that maps a vector x to `last` times the first
 * unit vector. u is x with its first element replaced by `first`. f is 0 if x
 * is a multiple of the first unit vector already. */
struct reflection { real first, last, f; };

static struct reflection reflection_of(MATRICES const real *x, int count,
                                       int stride)
{
	const real first = x[0];
	real sum = 0, norm;

	for (int i = 1; i < count; i++)
		sum = fma(x[i * stride], x[i * stride], sum);
	if (!(sum > GIVENS_SMALLEST))
		return (struct reflection){ first, first, 0 };
	norm = sqrt(fma(first, first, sum));
	return (struct reflection){ first + copysign(norm, first),
	                            copysign(norm, -first),
	                            1 / (norm * (norm + fabs(first))) };
}

/* x -= f u (u^T x) for `count` elements of x and of u. u's first element is
 * `first`; u[0] is not read. */
static void reflect(MATRICES real *x, int step, MATRICES const real *u,
                    int stride, real first, real f, int count)
{
	real sum = first * x[0];

#pragma unroll 4
	for (int i = 1; i < count; i++)
		sum = fma(u[i * stride], x[i * step], sum);
	sum *= f;
	x[0] = fma(-first, sum, x[0]);
#pragma unroll 4
	for (int i = 1; i < count; i++)
		x[i * step] = fma(-u[i * stride], sum, x[i * step]);
}

/* Computes B. The vectors u of the reflections from the left stay in X's
 * columns on and below the diagonal, those of the reflections from the right in
 * X's rows above the diagonal. */
static void reduce(const struct problem *b, int lane)
{
	const int m = b->m, n = b->n, ld = b->ld;

	for (int j = 0; j < n; j++) {
		MATRICES real *const x = b->x + j * ld + j;
		MATRICES real *const y = x + ld;
		const int right = n - 1 - j;
		struct reflection r = { 0, 0, 0 };

		if (lane < m)
			r = reflection_of(x, m - j, 1);
		if (lane > j && lane < n && r.f != 0)
			reflect(b->x + lane * ld + j, 1, x, 1, r.first, r.f,
			        m - j);
		barrier(FENCE);
		if (lane == 0) {
			b->d[j] = r.last;
			b->left[j] = r.f;
			x[0] = r.first;
		}
		if (lane < m && right > 0)
			r = reflection_of(y, right, ld);
		if (lane > j && lane < m && right > 0 && r.f != 0)
			reflect(b->x + (j + 1) * ld + lane, ld, y, ld, r.first,
			        r.f, right);
		barrier(FENCE);
		if (lane == 0 && right > 0) {
			b->e[j + 1] = r.last;
			b->right[j] = r.f;
			y[0] = r.first;
		}
	}
	if (lane == 0)
		b->e[0] = 0;
	barrier(FENCE);
}

/* Multiplies the reflections: computes column `lane` of Q, in U, and of P, in
 * V. */
static void accumulate(const struct problem *b, int lane)
{
	const int m = b->m, n = b->n, ld = b->ld, ldv = b->ldv;
	MATRICES real *const u = b->u + lane * ld, *const v = b->v + lane * ldv;

	if (!b->wanted || lane >= n)
		return;
	for (int i = 0; i < m; i++)
		u[i] = i == lane;
	for (int i = 0; i < n; i++)
		v[i] = i == lane;
	for (int j = n - 1; j >= 0; j--) {
		MATRICES const real *const x = b->x + j * ld + j;

		if (b->left[j] != 0)
			reflect(u + j, 1, x, 1, x[0], b->left[j], m - j);
		if (j < n - 1 && b->right[j] != 0)
			reflect(v + j + 1, 1, x + ld, ld, x[ld], b->right[j],
			        n - 1 - j);
	}
}

#endif
