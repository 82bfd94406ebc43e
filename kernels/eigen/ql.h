/* ql.h - the problems of a work-group of ql.cl, and A = Q T Q^T with a
 * tridiagonal T. MATRICES is the address space of A and V, and FENCE has the
 * flags of a barrier for it. */
#ifndef KERNELS_EIGEN_QL_H
#define KERNELS_EIGEN_QL_H

#define TILE 4				/* rows or columns that an item takes at
					 * once */

/* The values of a matrix's STATUS, which becomes the first of its three numbers
 * in `told` (ql.cl). */
enum { FAILED, CONVERGED, NOT_SYMMETRIC, NOT_FINITE };

/* The indices of a matrix's integers in local memory, struct problem.state.
 * Sweep i rotates columns state[LOW + i % 2] to state[HIGH + i % 2] of V. */
enum { LOW, HIGH = 2, STATUS = 4, INTEGERS };

struct problem {
	int n, ld;
	MATRICES real *a, *v;
	local real *d, *e;		/* n each: T's diagonal; its
					 * subdiagonal */
	local real *u, *p;		/* n: a reflection's vector u, and A u;
					 * or one number of every item */
	local real *c, *s;		/* 2 n: the rotations of two sweeps */
	local int *from;		/* n: from[i] is the column of V for the
					 * i-th smallest eigenvalue */
	local int *state;		/* LOW, HIGH and STATUS */
};

/* Returns problem `which` of the work-group's `many`. Local memory has the
 * matrices of all problems, if they are kept there, then 8 vectors of n
 * elements for each problem, then the integers of each problem. */
static struct problem problem_of(int which, int many, int n, int step,
                                 MATRICES real *matrices, local real *vectors)
{
	struct problem b = { .n = n, .ld = n | 1 };

	b.a = matrices + which * step;
	b.v = b.a + n * b.ld;
	b.d = vectors + which * 8 * n;
	b.e = b.d + n;
	b.u = b.d + 2 * n;
	b.p = b.d + 3 * n;
	b.c = b.d + 4 * n;
	b.s = b.d + 6 * n;
	b.from = (local int *)(vectors + many * 8 * n) + which * (n + INTEGERS);
	b.state = b.from + n;
	return b;
}

/* The part that a work-item takes in the computation. It has row and column
 * `lane` of its problem's matrix.
 *
 *     works      lane < n
 *     writes     it works and its matrix belongs to the stack; the last
 *                work-group may also have matrices beyond the stack's end,
 *                whose results are not written
 *     rotates    it works and vectors are wanted
 *     refines    it writes and vectors are wanted */
struct part { int lane; bool works, writes, rotates, refines; };

static struct part part_of(int lane, int n, bool exists, bool wanted)
{
	const bool works = lane < n;

	return (struct part){ lane, works, works && exists, works && wanted,
	                      works && exists && wanted };
}

/* --- loading */

/* Sets u[lane] to the largest modulus in column `lane` of A, and p[lane] to the
 * status of A by its row and column `lane`. */
static void look(const struct problem *b, global const real *a, int lane)
{
	const int n = b->n;
	bool equal = true, finite = true;
	real most = 0;

	for (int k = 0; k < n; k++) {
		const real x = a[k * n + lane];

		equal = equal && x == a[lane * n + k];
		finite = finite && isfinite(x);
		most = fmax(most, fabs(x));
	}
	b->u[lane] = most;
	b->p[lane] = !finite ? NOT_FINITE : !equal ? NOT_SYMMETRIC : CONVERGED;
}

/* Returns the largest of x[0] to x[n - 1], or 0 if that is larger. */
static real largest(local const real *x, int n)
{
	real most = 0;

	for (int k = 0; k < n; k++)
		most = fmax(most, x[k]);
	return most;
}

/* Loads row `lane` of 2^-e A, or zeros unless A is `usable`. */
static void load(const struct problem *b, global const real *a, int lane,
                 int e, bool usable)
{
	for (int k = 0; k < b->n; k++)
		b->a[k * b->ld + lane] = usable ?
		    ldexp(a[k * b->n + lane], -e) : 0;
}

static void set_identity(const struct problem *b, int lane)
{
	for (int k = 0; k < b->n; k++)
		b->v[k * b->ld + lane] = k == lane;
}

/* --- the tridiagonal form */

/* Finds the reflection I - u u^T / h that makes column j of A zero from row j +
 * 2 on. Writes e[j] and the work-item's element of u. Returns 1 / h, or 0,
 * which stands for no reflection, if the column is zero there already. */
static real reflect(const struct problem *b, int j, int lane)
{
	MATRICES const real *const x = b->a + j * b->ld;
	const real first = x[j + 1];
	real sum = 0, norm;

	for (int k = j + 2; k < b->n; k++)
		sum = fma(x[k], x[k], sum);
	if (!(sum > GIVENS_SMALLEST)) {
		b->e[j] = first;
		b->u[lane] = 0;
		return 0;
	}
	norm = sqrt(fma(first, first, sum));
	b->e[j] = copysign(norm, -first);
	b->u[lane] = lane <= j ? 0 :
	             lane > j + 1 ? x[lane] : first + copysign(norm, first);
	return 1 / (norm * (norm + fabs(first)));
}

/* Sets *au and *vu to the elements of A u and V u in the work-item's row. u is
 * the vector of reflection j, so that u_0 = ... = u_j = 0. *vu is 0 unless the
 * work-item rotates. */
static void times(const struct problem *b, int j, struct part p, real *au,
                  real *vu)
{
	real x = 0, y = 0;

#pragma unroll 4
	for (int k = j + 1; k < b->n; k++) {
		x = fma(b->a[k * b->ld + p.lane], b->u[k], x);
		if (p.rotates)
			y = fma(b->v[k * b->ld + p.lane], b->u[k], y);
	}
	*au = x;
	*vu = y;
}

/* Applies reflection j to the work-item's row of A and V: A -= u w^T + w u^T
 * with w = p - f u, and V -= (V u) u^T / h. Here p = A u / h, f = u^T p / (2
 * h), and vu is the row's element of V u / h. */
static void update(const struct problem *b, int j, struct part part, real f,
                   real vu)
{
	const int lane = part.lane;
	const real u = b->u[lane], w = b->p[lane] - 2 * f * u;

#pragma unroll 4
	for (int k = j + 1; k < b->n; k++) {
		MATRICES real *const x = b->a + k * b->ld + lane;
		MATRICES real *const y = b->v + k * b->ld + lane;

		*x = fma(-u, b->p[k], fma(-w, b->u[k], *x));
		if (part.rotates)
			*y = fma(-vu, b->u[k], *y);
	}
}

/* Returns u^T p / 2. u is the vector of reflection j, whose elements u_0 to u_j
 * are 0. */
static real half_product(const struct problem *b, int j)
{
	real sum = 0;

	for (int k = j + 1; k < b->n; k++)
		sum = fma(b->u[k], b->p[k], sum);
	return sum / 2;
}

/* Reduces A to the tridiagonal T, and multiplies V by the reflections. */
static void reduce(const struct problem *b, struct part part)
{
	const int n = b->n, lane = part.lane;

	for (int j = 0; j < n - 2; j++) {
		real over = 0, au, vu = 0;

		if (part.works)
			over = reflect(b, j, lane);
		barrier(FENCE);
		if (part.works) {
			times(b, j, part, &au, &vu);
			b->p[lane] = lane > j ? au * over : 0;
		}
		barrier(FENCE);
		if (part.works)
			update(b, j, part, half_product(b, j) * over,
			       vu * over);
		barrier(FENCE);
	}
	if (part.works) {
		b->d[lane] = b->a[lane * b->ld + lane];
		if (lane >= n - 2)
			b->e[lane] = lane == n - 2 ?
			             b->a[lane * b->ld + lane + 1] : 0;
	}
	barrier(FENCE);
}

/* Sets STATUS and loads 2^-e A, whose largest element is about 1; zeros if A is
 * not symmetric or not finite. Sets V = I if vectors are wanted. Returns e. */
static int begin(const struct problem *b, global const real *a,
                 struct part p)
{
	bool usable;
	real most;
	int e;

	if (p.works)
		look(b, a, p.lane);
	barrier(FENCE);
	most = largest(b->u, b->n);
	b->state[STATUS] = (int)largest(b->p, b->n);
	usable = b->state[STATUS] == CONVERGED;
	e = usable && most > 0 ? ilogb(most) : 0;
	if (p.works)
		load(b, a, p.lane, e, usable);
	if (p.rotates)
		set_identity(b, p.lane);
	barrier(FENCE);
	return e;
}

#endif
