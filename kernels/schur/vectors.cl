/* vectors.cl - the eigenvectors of an upper quasi-triangular matrix T, n x n
 * and row-major, by back-substitution in blocks of rows (LAPACK's xTREVC3):
 *
 *     schur_solve    (T_II - lambda_j I) y_jI = r_jI for every vector j
 *
 * for the rows I from i0 to i1 - 1, at most SCHUR_LANES, which no 2 x 2 block
 * of T leaves. Row j of y is an eigenvector or, of a conjugate pair j and j +
 * 1, the real parts of one; row j + 1 then has the imaginary parts. On entry
 * y_jI is r_jI = -T_IJ y_jJ with J the rows from i1 on, and 0 for the vectors j
 * < i1, of which this launch sets the last component. A product of matrices
 * follows, which computes r for the blocks above.
 *
 * A team of SCHUR_LANES work-items computes one vector; each item has one row
 * of the block. Where a component would exceed BIG, the whole vector is
 * multiplied by a number that makes this component about 1. A diagonal element
 * of T - lambda I whose modulus is below the rounding errors of T is replaced
 * by a number of their size, at least `least`.
 */
#include "lib/real.h"
#include "shared/schur_tile.h"

#define LANES SCHUR_LANES
#define VECTORS SCHUR_VECTORS
#define BIG ((real)1e12)

/* A complex number, whose x is the real part and whose y is the imaginary one.
 * It is no structure, because Oclgrind cannot run functions that return
 * structures. */
#ifdef DTYPE_float64
typedef double2 number;
#else
typedef float2 number;
#endif

static number minus_product(number x, number a, number b)
{
	return (number)(x.x - (a.x * b.x - a.y * b.y),
	                x.y - (a.x * b.y + a.y * b.x));
}

static number times(number x, real s)
{
	return (number)(x.x * s, x.y * s);
}

static real size_of(number x)
{
	return fabs(x.x) + fabs(x.y);
}

/* Returns a / b (Smith 1962). */
static number quotient(number a, number b)
{
	real r, d;

	if (fabs(b.x) >= fabs(b.y)) {
		r = b.y / b.x;
		d = b.x + b.y * r;
		return (number)((a.x + a.y * r) / d, (a.y - a.x * r) / d);
	}
	r = b.x / b.y;
	d = b.y + b.x * r;
	return (number)((a.x * r + a.y) / d, (a.y * r - a.x) / d);
}

/* Sets *scale, at most 1, so that *scale a / b does not exceed BIG, and returns
 * this quotient. */
static number divide(number a, number b, real *scale)
{
	*scale = size_of(a) > BIG * size_of(b) ? size_of(b) / size_of(a) : 1;
	return quotient(times(a, *scale), b);
}

static number at_least(number x, real least)
{
	return size_of(x) < least ? (number)(least, 0) : x;
}

/* Solves the 2 x 2 system [a b; c d] z = *scale r by elimination with row
 * interchanges. *x and *y hold r on entry and z on exit; *scale, at most 1,
 * keeps z below BIG. */
static void solve_two(number a, real b, real c, number d, real least,
                      number *x, number *y, real *scale)
{
	number above = (number)(b, 0), factor, p = *x, q = *y, under = d;
	number pivot = a;
	real again;

	if (fabs(c) > size_of(a)) {
		pivot = (number)(c, 0);
		above = d;
		under = (number)(b, 0);
		p = *y;
		q = *x;
		factor = times(a, 1 / c);
	} else {
		pivot = at_least(a, least);
		factor = quotient((number)(c, 0), pivot);
	}
	under = at_least(minus_product(under, factor, above), least);
	q = minus_product(q, factor, p);
	*y = divide(q, under, scale);
	p = minus_product(times(p, *scale), above, *y);
	*x = divide(p, pivot, &again);
	*y = times(*y, again);
	*scale *= again;
}

/* Returns the initial component `row` of the eigenvector of eigenvalue j, if
 * the block has row j: a component of the eigenvector at row j (and j + 1, of a
 * conjugate pair), below that 0, above it the right-hand side -T y. */
static number begin(global const real *t, int n, int j, int row, real im)
{
	global const real *const d = t + (size_t)j * n + j;
	number last = (number)(1, 0);
	real left, right;

	if (im > 0) {
		const bool first = fabs(d[1]) >= fabs(d[n]);

		last.x = first ? 1 : -im / d[n];
		last.y = first ? im / d[1] : 1;
	}
	if (row > j + 1 || (row == j + 1 && im == 0))
		return (number)(0, 0);
	if (row >= j)
		return (number)(row == j ? last.x : 0, row > j ? last.y : 0);
	left = t[(size_t)row * n + j];
	right = im > 0 ? t[(size_t)row * n + j + 1] : 0;
	return (number)(-last.x * left, -last.y * right);
}

/* `values` has the real parts of the n eigenvalues, then their n imaginary
 * parts. */
kernel __attribute__((reqd_work_group_size(LANES * VECTORS, 1, 1)))
void schur_solve(global const real *t, int n, int i0, int i1, real least,
                 global const real *values, global real *y)
{
	local real block[LANES * (LANES + 1)];
	local number told[2][VECTORS][2];
	const int id = get_local_id(0), lane = id % LANES, team = id / LANES;
	const int j = i0 + get_group_id(0) * VECTORS + team;
	const int row = i0 + lane, rows = i1 - i0;
	const bool is_vector = j < n && values[n + min(j, n - 1)] >= 0;
	const real re = is_vector ? values[j] : 0;
	const real im = is_vector ? values[n + j] : 0;
	const real smallest = fmax(least, REAL_EPSILON *
	                                  (fabs(re) + fabs(im)));
	global real *const first = y + (size_t)j * n;
	global real *const second = first + n;
	number r = (number)(0, 0);
	real all = 1;
	int turn = 0;

	for (int e = id; e < rows * rows; e += LANES * VECTORS)
		block[e / rows * (LANES + 1) + e % rows] =
		    t[(size_t)(i0 + e / rows) * n + i0 + e % rows];
	if (is_vector && lane < rows)
		r = j < i1 ? begin(t, n, j, row, im) :
		    (number)(first[row], im > 0 ? second[row] : 0);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = rows - 1; i >= 0; i--, turn = 1 - turn) {
		local const real *const d = block + i * (LANES + 2);
		const bool two = i > 0 && d[-1] != 0;
		const int above = two ? i - 1 : i;
		number x, z = (number)(0, 0);
		real scale = 1;

		if (lane == i || (two && lane == i - 1))
			told[turn][team][i - lane] = r;
		barrier(CLK_LOCAL_MEM_FENCE);
		x = told[turn][team][0];
		if (i0 + i < j && is_vector) {
			const number end = (number)(d[0] - re, -im);

			if (two) {
				z = told[turn][team][1];
				solve_two((number)(d[-LANES - 2] - re, -im),
				          d[-LANES - 1], d[-1], end, smallest,
				          &z, &x, &scale);
			} else {
				x = divide(x, at_least(end, smallest), &scale);
			}
			r = times(r, scale);
			all *= scale;
			if (lane == i)
				r = x;
			else if (lane == above)
				r = z;
			if (lane < above) {
				local const real *const e = block + lane *
				                            (LANES + 1) + i;

				r.x -= e[0] * x.x;
				r.y -= e[0] * x.y;
				if (two) {
					r.x -= e[-1] * z.x;
					r.y -= e[-1] * z.y;
				}
			}
		}
		i = above;
	}
	if (!is_vector)
		return;
	if (lane < rows) {
		first[row] = r.x;
		if (im > 0)
			second[row] = r.y;
	}
	for (int k = lane; k < n && all != 1; k += LANES)
		if (k < i0 || k >= i1) {
			first[k] *= all;
			if (im > 0)
				second[k] *= all;
		}
}
