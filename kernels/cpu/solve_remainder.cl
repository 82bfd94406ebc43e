/* solve_remainder.cl - R = B - A X on a CPU for the refinement of X, precise
 * where the sum of a row cancels. X and R are strips of T (lu_cpu.h); column q
 * of b as solve_side.h says.
 *
 * float32 sums in float64. For float64, A = A1 + A2 and X = X1 + X2, where A1
 * has so few bits in every row, and X1 in every column, that the sum of the
 * products A1 X1 is exact (Ozaki, Ogita, Oishi, Rump, Error-Free
 * Transformations of Matrix Multiplication, 2012). A1 X2 + A2 X is smaller by
 * as many bits, 20 for n = 2048, and so is its error. Elements so far below
 * the largest of their row or column have no part in A1 or X1: for them the
 * error is that of a usual sum, and never larger. Rows and columns are scaled
 * by powers of two to 1 <= largest < 2, so that nothing overflows on the way.
 */
#include "lu_strip.h"
#include "solve_side.h"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ROWS_A_ITEM 48		/* a multiple of six */
#define DEPTH 64		/* of six rows, split at a time */
#define SPARE 16		/* rows below the matrix that are cleared */
#define SIX(X) X(0) X(1) X(2) X(3) X(4) X(5)

/* A strip's part of a row. */
struct pair {
	realv p0, p1;
};

/* Six rows of A, and 2 to the exponents that they are scaled by. */
struct rows {
	global const real *a[6];
	real scale[6];
	double high[6][DEPTH], low[6][DEPTH];
};

#if VW == 16

struct columns { int none; };

FOLDED struct columns columns_of(global const real *x0, global const real *x1,
                                 int n, int two)
{
	return (struct columns){ 0 };
}

static real row_scale(global const real *a, int n)
{
	return 1;
}

static void rows_split(struct rows *s, int n, int k, int depth)
{
	for (int z = 0; z < 6; z++) {
		global const real *a = s->a[z] + k;

		for (int i = 0; i < depth; i += VW) {
			const realv y = load_part(a + i, depth - i);

			vstore8(convert_double8(y.lo), 0, s->high[z] + i);
			vstore8(convert_double8(y.hi), 0, s->high[z] + i + 8);
		}
	}
}

/* b -= A X for six rows of it. */
FOLDED void rows_remainder(struct rows *s, int n, global const real *x0,
                           global const real *x1,
                           const struct columns *columns, struct pair *b,
                           int two)
{
#define CLEAR(z) double8 s##z##0 = convert_double8(b[z].p0.lo),          \
                         s##z##1 = convert_double8(b[z].p0.hi),          \
                         s##z##2 = convert_double8(b[z].p1.lo),          \
                         s##z##3 = convert_double8(b[z].p1.hi);
#define STEP(z)                                                          \
	do {                                                             \
		const double y = s->high[z][i];                          \
                                                                         \
		s##z##0 -= y * w0, s##z##1 -= y * w1;                    \
		s##z##2 -= y * w2, s##z##3 -= y * w3;                    \
	} while (0);
#define FLUSH(z)                                                         \
	b[z].p0 = (realv)(convert_float8(s##z##0),                       \
	                  convert_float8(s##z##1));                      \
	b[z].p1 = (realv)(convert_float8(s##z##2),                       \
	                  convert_float8(s##z##3));
	SIX(CLEAR)
	for (int k = 0; k < n; k += DEPTH) {
		const int depth = min(DEPTH, n - k);

		rows_split(s, n, k, depth);
		for (int i = 0; i < depth; i++) {
			const size_t at = (size_t)(k + i) * VW;
			const realv v0 = VLOAD(x0 + at);
			const realv v1 = two ? VLOAD(x1 + at) : 0;
			const double8 w0 = convert_double8(v0.lo);
			const double8 w1 = convert_double8(v0.hi);
			const double8 w2 = convert_double8(v1.lo);
			const double8 w3 = convert_double8(v1.hi);

			SIX(STEP)
		}
	}
	SIX(FLUSH)
#undef CLEAR
#undef STEP
#undef FLUSH
}

#else

/* x + sigma - sigma keeps the bits of x that A1 or X1 may have. */
static real sigma_of(int n)
{
	const int bits = (DBL_MANT_DIG - (32 - clz(n))) / 2;

	return ldexp(1.5, DBL_MANT_DIG - bits);
}

/* A power of two that brings `largest` to 1 or more, below 2; subnormal
 * numbers as far as its own inverse goes. */
static real scale_of(real largest)
{
	return ldexp(1.0, -clamp(ilogb(largest), -1000, 1023));
}

static realv larger_of(realv largest, realv v)
{
	const realv modulus = fabs(v);

	return select(largest, modulus, modulus > largest);
}

static real row_scale(global const real *a, int n)
{
	realv most0 = 0, most1 = 0, most2 = 0, most3 = 0;
	real most = 0, lane[VW];
	int k = 0;

	for (; k + 4 * VW <= n; k += 4 * VW) {
		most0 = larger_of(most0, VLOAD(a + k));
		most1 = larger_of(most1, VLOAD(a + k + VW));
		most2 = larger_of(most2, VLOAD(a + k + 2 * VW));
		most3 = larger_of(most3, VLOAD(a + k + 3 * VW));
	}
	for (; k < n; k += VW)
		most0 = larger_of(most0, load_part(a + k, n - k));
	most0 = larger_of(most0, most1);
	VSTORE(larger_of(most0, larger_of(most2, most3)), lane);
	for (int i = 0; i < VW; i++)
		most = lane[i] > most ? lane[i] : most;
	return scale_of(most);
}

static realv column_scales(global const real *x, int n)
{
	realv largest = 0;
	real lane[VW];

	for (int k = 0; k < n; k++)
		largest = larger_of(largest, VLOAD(x + (size_t)k * VW));
	VSTORE(largest, lane);
	for (int i = 0; i < VW; i++)
		lane[i] = scale_of(lane[i]);
	return VLOAD(lane);
}

/* By which the columns of a strip are scaled. */
struct columns {
	realv scale0, scale1;
};

FOLDED struct columns columns_of(global const real *x0, global const real *x1,
                                 int n, int two)
{
	return (struct columns){ column_scales(x0, n),
	                         two ? column_scales(x1, n) : 1 };
}

static void rows_split(struct rows *s, int n, int k, int depth)
{
	const real sigma = sigma_of(n);

	for (int z = 0; z < 6; z++) {
		global const real *a = s->a[z] + k;
		const real scale = s->scale[z];

		for (int i = 0; i < depth; i += VW) {
			const realv y = load_part(a + i, depth - i) * scale;
			const realv high = y + sigma - sigma;

			VSTORE(high, s->high[z] + i);
			VSTORE(y - high, s->low[z] + i);
		}
	}
}

/* b -= A X for six rows of it. */
FOLDED void rows_remainder(struct rows *s, int n, global const real *x0,
                           global const real *x1,
                           const struct columns *columns, struct pair *b,
                           int two)
{
	const real sigma = sigma_of(n);
	const realv s0 = columns->scale0, s1 = columns->scale1;

#define CLEAR(z) realv p##z##0 = 0, p##z##1 = 0, q##z##0 = 0, q##z##1 = 0;
#define STEP(z)                                                          \
	do {                                                             \
		const real high = s->high[z][i], low = s->low[z][i];     \
                                                                         \
		p##z##0 += high * v0, p##z##1 += high * v1;              \
		q##z##0 += high * w0, q##z##1 += high * w1;              \
		q##z##0 += low * u0, q##z##1 += low * u1;                \
	} while (0);
#define FLUSH(z)                                                         \
	b[z].p0 = b[z].p0 - p##z##0 / s->scale[z] / s0 -                 \
	          q##z##0 / s->scale[z] / s0;                            \
	b[z].p1 = b[z].p1 - p##z##1 / s->scale[z] / s1 -                 \
	          q##z##1 / s->scale[z] / s1;
	SIX(CLEAR)
	for (int k = 0; k < n; k += DEPTH) {
		const int depth = min(DEPTH, n - k);

		rows_split(s, n, k, depth);
		for (int i = 0; i < depth; i++) {
			const size_t at = (size_t)(k + i) * VW;
			const realv u0 = VLOAD(x0 + at) * s0;
			const realv u1 = two ? VLOAD(x1 + at) * s1 : 0;
			const realv v0 = u0 + sigma - sigma, w0 = u0 - v0;
			const realv v1 = u1 + sigma - sigma, w1 = u1 - v1;

			SIX(STEP)
		}
	}
	SIX(FLUSH)
#undef CLEAR
#undef STEP
#undef FLUSH
}

#endif

/* The system's right-hand sides and where they stand in it. */
struct sides {
	global const real *b;
	global const int *members, *from;
	int n, sides, columns;
};

/* Columns q and on of a row of B; zeros beyond the last one. */
static struct pair row_of(const struct sides *s, int row, int q)
{
	real lane[STRIP * VW];

	for (int l = 0; l < STRIP * VW; l++)
		lane[l] = q + l < s->columns ?
		          side_of(s->b, s->n, s->sides, s->members, s->from,
		                  q + l)[(size_t)row * s->sides] : 0;
	return (struct pair){ VLOAD(lane), VLOAD(lane + VW) };
}

/* Rows i to end of a strip whose first column is q. */
FOLDED void strip_remainder(global const real *a, const struct sides *b,
                            int q, int i, int end, global const real *x,
                            global real *r, int ld, int two)
{
	global const real *x1 = x + (size_t)ld * VW;
	const struct columns columns = columns_of(x, x1, b->n, two);

	for (; i < end; i += 6) {
		struct rows rows;
		struct pair part[6];

		for (int z = 0; z < 6; z++) {
			const int row = min(i + z, end - 1);

			rows.a[z] = a + (size_t)row * b->n;
			rows.scale[z] = row_scale(rows.a[z], b->n);
			part[z] = row_of(b, row, q);
		}
		rows_remainder(&rows, b->n, x, x1, &columns, part, two);
		for (int z = 0; z < 6 && i + z < end; z++) {
			PUT(part[z].p0, r + (size_t)(i + z) * VW);
			PUT(part[z].p1, r + (size_t)(ld + i + z) * VW);
		}
	}
}

/* Item (ROWS_A_ITEM rows, strip). */
SINGLE_ITEM kernel void solve_remainder(global const real *restrict a,
                                        long a_at, int n,
                                        global const real *restrict b,
                                        int sides,
                                        global const int *restrict members,
                                        long members_at,
                                        global const int *restrict from,
                                        int columns,
                                        global const real *restrict x,
                                        long x_at, int ld,
                                        global real *restrict r)
{
	const struct sides s = { b, members + members_at, from, n, sides,
	                         columns };
	const int row = get_global_id(0) * ROWS_A_ITEM;
	const int end = min(row + ROWS_A_ITEM, n);
	const int first = STRIP * get_global_id(1), q = first * VW;

	a += a_at;
	x += x_at + (size_t)first * ld * VW;
	r += (size_t)first * ld * VW;
	if (columns > q + VW)
		strip_remainder(a, &s, q, row, end, x, r, ld, 1);
	else
		strip_remainder(a, &s, q, row, end, x, r, ld, 0);
	for (int i = n; end == n && i < n + SPARE; i++) {
		PUT((realv)0, r + (size_t)i * VW);
		PUT((realv)0, r + (size_t)(ld + i) * VW);
	}
}
