/* jacobi.cl - all eigenvalues and eigenvectors of a stack of small symmetric
 * matrices on a CPU, by Jacobi's method (kernels/eigen/jacobi.cl). A work-item
 * rotates VW matrices at once, one in each lane of a vector, and takes the
 * pairs of rows one after the other. Launch: any number of work-groups of one
 * work-item; of N work-items, each takes every N-th batch of VW matrices.
 */
#include "lib/real.h"

#define SWEEPS 30

/* 2^-SCALES to 2^SCALES are normal numbers. */
#ifdef DTYPE_float64
#define SCALES 1020
#else
#define SCALES 120
#endif

/* Lane l of element i of a batch. */
#define LANE(x, i, l) (((global real *)(x))[(size_t)(i) * VW + (l)])

struct batch {
	global realv *a, *v;		/* n x n, rows ld apart; v holds V^T */
	global realv *d;		/* n: eigenvalues */
	int n, ld;			/* ld is odd: with an even number of
					 * cache lines between rows, the
					 * elements of a column would share few
					 * sets of a cache */
	int first, lanes;		/* matrices first to first + lanes - 1
					 * of the stack */
	real scale[VW];			/* the factor of each A */
};

/* The matrix in a lane. Lanes beyond the last matrix repeat it. */
static int matrix_of(const struct batch *b, int lane)
{
	return b->first + min(lane, b->lanes - 1);
}

/* Loads every A times a power of two, its scale, with which its largest element
 * is in [1, 2). */
static void load(struct batch *b, global const real *a)
{
	const int all = b->n * b->n;

	for (int l = 0; l < VW; l++) {
		global const real *x = a + (size_t)matrix_of(b, l) * all;
		real most = 0;

		for (int i = 0; i < all; i++)
			most = fmax(most, fabs(x[i]));
		b->scale[l] = ldexp((real)1,
		    most > 0 ? clamp(-ilogb(most), -SCALES, SCALES) : 0);
		for (int i = 0; i < all; i++)
			LANE(b->a, i / b->n * b->ld + i % b->n, l) =
			    x[i] * b->scale[l];
	}
}

/* V = I */
static void begin(const struct batch *b)
{
	const int n = b->n;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			b->v[i * b->ld + j] = (realv)(i == j);
}

/* Off-diagonal elements of at most this modulus, eps |A|_F / n, count as
 * zero. */
static realv limit_of(const struct batch *b)
{
	realv sum = 0;

	for (int i = 0; i < b->n; i++)
		for (int j = 0; j < b->n; j++)
			sum += b->a[i * b->ld + j] * b->a[i * b->ld + j];
	return sqrt(sum) * ((real)REAL_EPSILON / b->n);
}

/* Rotates rows and columns p < q of A. */
static void rotate_a(global realv *a, int n, int ld, int p, int q, realv c,
                     realv s)
{
	for (int j = 0; j < n; j++) {
		const realv x = a[p * ld + j], y = a[q * ld + j];
		const realv u = c * x - s * y, w = s * x + c * y;

		a[p * ld + j] = u;
		a[q * ld + j] = w;
		a[j * ld + p] = u;
		a[j * ld + q] = w;
	}
}

/* Rotates rows p and q of V^T. */
static void rotate_v(global realv *v, int n, int ld, int p, int q, realv c,
                     realv s)
{
	for (int j = 0; j < n; j++) {
		const realv x = v[p * ld + j], y = v[q * ld + j];

		v[p * ld + j] = c * x - s * y;
		v[q * ld + j] = s * x + c * y;
	}
}

/* Makes a_pq zero in every lane. */
static void rotate(const struct batch *b, int p, int q, int wanted)
{
	global realv *const a = b->a;
	const int n = b->n, ld = b->ld;
	const realv x = a[p * ld + q];
	const realv app = a[p * ld + p], aqq = a[q * ld + q];
	const realv theta = (aqq - app) / (2 * x);
	realv t = copysign((realv)1, theta) /
	          (fabs(theta) + sqrt(theta * theta + 1)), c;

	t = select(t, (realv)0, isequal(x, (realv)0));
	c = 1 / sqrt(t * t + 1);
	rotate_a(a, n, ld, p, q, c, t * c);
	a[p * ld + p] = app - t * x;
	a[q * ld + q] = aqq + t * x;
	a[p * ld + q] = a[q * ld + p] = 0;
	if (wanted)
		rotate_v(b->v, n, ld, p, q, c, t * c);
}

/* Rotates every pair whose element exceeds the limit in a lane. Returns whether
 * there was none. */
static bool sweep(const struct batch *b, realv limit, int wanted)
{
	bool done = true;

	for (int p = 0; p < b->n - 1; p++)
		for (int q = p + 1; q < b->n; q++)
			if (any(isgreater(fabs(b->a[p * b->ld + q]), limit))) {
				rotate(b, p, q, wanted);
				done = false;
			}
	return done;
}

/* Scales the eigenvectors to unit length. The first of the largest components
 * of each becomes positive. */
static void normalise(const struct batch *b)
{
	const int n = b->n;

	for (int j = 0; j < n; j++) {
		global realv *const v = b->v + j * b->ld;
		realv sum = 0, big = 0, f;

		for (int i = 0; i < n; i++)
			sum += v[i] * v[i];
		f = 1 / sqrt(sum);
		for (int i = 0; i < n; i++) {
			v[i] *= f;
			big = select(big, v[i], isgreater(fabs(v[i]),
			                                  fabs(big)));
		}
		f = select((realv)1, (realv)-1, isless(big, (realv)0));
		for (int i = 0; i < n; i++)
			v[i] *= f;
	}
}

/* The largest |A v - lambda v| / |A|_1. */
static realv residual_of(const struct batch *b)
{
	const int n = b->n;
	realv most = 0, norm = 0;

	for (int j = 0; j < n; j++) {
		global const realv *const v = b->v + j * b->ld;
		realv error = 0, size = 0;

		for (int i = 0; i < n; i++) {
			realv sum = -b->d[j] * v[i];

			for (int k = 0; k < n; k++)
				sum += b->a[i * b->ld + k] * v[k];
			error += sum * sum;
			size += fabs(b->a[j * b->ld + i]);
		}
		most = fmax(most, sqrt(error));
		norm = fmax(norm, size);
	}
	return select(most / norm, (realv)0, isequal(norm, (realv)0));
}

/* |V^T V - I|_1 */
static realv orthogonality_of(const struct batch *b)
{
	const int n = b->n;
	realv most = 0;

	for (int i = 0; i < n; i++) {
		realv row = 0;

		for (int j = 0; j < n; j++) {
			realv sum = (realv)-(real)(i == j);

			for (int k = 0; k < n; k++)
				sum += b->v[i * b->ld + k] *
				       b->v[j * b->ld + k];
			row += fabs(sum);
		}
		most = fmax(most, row);
	}
	return most;
}

/* The index of eigenvalue j of lane l in ascending order. */
static int rank_of(const struct batch *b, int j, int l)
{
	const real d = LANE(b->d, j, l);
	int rank = 0;

	for (int i = 0; i < b->n; i++)
		rank += LANE(b->d, i, l) < d ||
		        (LANE(b->d, i, l) == d && i < j);
	return rank;
}

static void put(const struct batch *b, global real *values,
                global real *vectors, int wanted)
{
	const int n = b->n;

	for (int l = 0; l < b->lanes; l++) {
		const size_t which = matrix_of(b, l);
		global real *const v = vectors + which * n * n;

		for (int j = 0; j < n; j++) {
			const int rank = rank_of(b, j, l);

			values[which * n + rank] = LANE(b->d, j, l) /
			                           b->scale[l];
			for (int i = 0; i < n && wanted; i++)
				v[i * n + rank] = LANE(b->v, j * b->ld + i,
				                       l);
		}
	}
}

/* Writes the three numbers of every matrix of the batch that eigen_jacobi
 * describes. */
static void tell(struct batch *b, global const real *a, bool done,
                 bool judged, global real *told)
{
	const real unit = b->n * (real)REAL_EPSILON;
	real x[VW], y[VW];

	if (judged) {
		load(b, a);
		VSTORE(residual_of(b) / unit, x);
		VSTORE(orthogonality_of(b) / unit, y);
	}
	for (int l = 0; l < b->lanes; l++) {
		global real *const to = told + 3 * (size_t)matrix_of(b, l);

		to[0] = done;
		to[1] = judged ? x[l] : 0;
		to[2] = judged ? y[l] : 0;
	}
}

/* The parameters are those of eigen_jacobi, but that the matrices are those
 * from `from` to `stack`. room has space for two n x ld
 * matrices and n further elements of realv for every work-item. */
kernel SINGLE_ITEM void eigen_jacobi_lanes(
	global const real *restrict a, int n, int stack,
	global real *restrict values, global real *restrict vectors,
	int wanted, int judged, global real *restrict told,
	global realv *restrict room, int from)
{
	const int ld = n | 1, all = n * ld;

	room += get_group_id(0) * (size_t)(2 * all + n);
	for (int first = from + get_group_id(0) * VW; first < stack;
	     first += get_num_groups(0) * VW) {
		struct batch b = {
			.a = room, .v = room + all, .d = room + 2 * all,
			.n = n, .ld = ld, .first = first,
			.lanes = min(VW, stack - first),
		};
		bool done = false;
		realv limit;

		load(&b, a);
		begin(&b);
		limit = limit_of(&b);
		for (int i = 0; i < SWEEPS && !done; i++)
			done = sweep(&b, limit, wanted);
		for (int j = 0; j < n; j++)
			b.d[j] = b.a[j * ld + j];
		normalise(&b);
		put(&b, values, vectors, wanted);
		tell(&b, a, done, judged, told);
	}
}
