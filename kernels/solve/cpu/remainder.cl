/* remainder.cl - R = B - A X on a CPU for the refinement of many columns of X,
 * with additional precision where the sum of a row cancels; and |A| |X| + |B|
 * in the working precision. X and R are strips of T (lu/cpu.h).
 *
 * float32 is summed in float64. For float64, A = A1 + A2 and X = X1 + X2, where
 * A1 has so few bits in every row, and X1 in every column, that the sum of the
 * products A1 X1 is exact (Ozaki, Ogita, Oishi, Rump, Error-Free
 * Transformations of Matrix Multiplication, 2012). A1 X2 + A2 X is smaller by
 * as many bits, 20 for n = 2048, and so is its error. Elements too far below
 * the largest of their row or column are not represented in A1 or X1: for them
 * the error is that of an ordinary sum, never larger. Rows and columns are
 * scaled by powers of two to 1 <= largest < 2, so that no intermediate result
 * overflows. */
#include "solve/cpu.h"

#define DEPTH 64		/* of six rows, split at a time */
#define SIX(X) X(0) X(1) X(2) X(3) X(4) X(5)

/* A row's elements in a strip: its two blocks. */
struct pair {
	realv p0, p1;
};

/* Six rows of A, and the powers of two by which they are scaled. */
struct rows {
	global const real *a[6];
	real scale[6];
	double high[6][DEPTH], low[6][DEPTH];
};

#if VW == 16

struct columns { int none; };

FOLDED struct columns columns_look(global const real *x0, global const real *x1,
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

/* b -= A X for six rows. */
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

/* x + sigma - sigma rounds x to the bits that A1 or X1 may have. */
static real sigma_of(int n)
{
	const int bits = (DBL_MANT_DIG - (32 - clz(n))) / 2;

	return ldexp(1.5, DBL_MANT_DIG - bits);
}

/* The power of two that brings `largest` into [1, 2); for subnormal numbers the
 * largest one whose inverse is finite. */
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

/* The scale factors of a strip's columns. */
struct columns {
	realv scale0, scale1;
};

FOLDED struct columns columns_look(global const real *x0, global const real *x1,
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

/* b -= A X for six rows. */
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

/* size += |A| |X| for six rows. */
FOLDED void rows_size(const struct rows *s, int n, global const real *x0,
                      global const real *x1, struct pair *size, int two)
{
#define CLEAR(z) realv s##z##0 = 0, s##z##1 = 0;
#define STEP(z)                                                          \
	do {                                                             \
		const real y = fabs(s->a[z][i]);                         \
                                                                         \
		s##z##0 += y * v0, s##z##1 += y * v1;                    \
	} while (0);
#define FLUSH(z) size[z].p0 += s##z##0, size[z].p1 += s##z##1;
	SIX(CLEAR)
	for (int i = 0; i < n; i++) {
		const realv v0 = fabs(VLOAD(x0 + (size_t)i * VW));
		const realv v1 = two ? fabs(VLOAD(x1 + (size_t)i * VW)) : 0;

		SIX(STEP)
	}
	SIX(FLUSH)
#undef CLEAR
#undef STEP
#undef FLUSH
}

/* A row of B from column q on; zeros beyond the last column. */
static struct pair row_of(const struct sides *s, int row, int q)
{
	real lane[STRIP * VW];

	for (int l = 0; l < STRIP * VW; l++)
		lane[l] = q + l < s->columns ?
		          sides_column(s, q + l)[(size_t)row * s->sides] : 0;
	return (struct pair){ VLOAD(lane), VLOAD(lane + VW) };
}

/* Stores row i of the strip's columns in rests[column]. */
static void pairs_keep(const struct pair *rest, const struct pair *size,
                       int i, struct rests *e)
{
	real r[STRIP * VW], s[STRIP * VW];

	VSTORE(rest->p0, r);
	VSTORE(rest->p1, r + VW);
	VSTORE(size->p0, s);
	VSTORE(size->p1, s + VW);
	for (int l = 0; l < STRIP * VW; l++) {
		e[l].r[i] = r[l];
		e[l].size[i] = s[l];
	}
}

/* Returns v in the first `columns` lanes; the others keep what the strip has
 * there, the probes, which may share the last block of columns. */
static realv beside_probes(realv v, global const real *strip, int columns)
{
	real lane[VW];

	if (columns >= VW)
		return v;
	VSTORE(v, lane);
	for (int l = max(columns, 0); l < VW; l++)
		lane[l] = strip[l];
	return VLOAD(lane);
}

/* Computes rows `row` to `end` of the strip whose first block is `first`. */
FOLDED void strip_remainder(const struct work *w, int first, int row, int end,
                            int later, int two)
{
	const int n = w->n, q = first * VW, left = w->of.columns - q;
	global const real *x = block_of(w->strips, w->ld, first);
	global const real *x1 = x + (size_t)w->ld * VW;
	global real *r = block_of(strips_of_rest(w), w->ld, first);
	const struct columns columns = columns_look(x, x1, n, two);
	struct rests rests[STRIP * VW];

	for (int i = row; i < end; i += 6) {
		struct rows rows;
		struct pair rest[6], size[6];

		for (int z = 0; z < 6; z++) {
			const int k = min(i + z, end - 1);

			rows.a[z] = w->a + (size_t)k * n;
			rows.scale[z] = row_scale(rows.a[z], n);
			rest[z] = row_of(&w->of, k, q);
			size[z].p0 = fabs(rest[z].p0);
			size[z].p1 = fabs(rest[z].p1);
		}
		rows_remainder(&rows, n, x, x1, &columns, rest, two);
		rows_size(&rows, n, x, x1, size, two);
		for (int z = 0; z < 6 && i + z < end; z++) {
			global real *r0 = r + (size_t)(i + z) * VW;
			global real *r1 = r0 + (size_t)w->ld * VW;

			PUT(beside_probes(rest[z].p0, r0, left), r0);
			if (two)
				PUT(beside_probes(rest[z].p1, r1, left - VW),
				    r1);
			pairs_keep(&rest[z], &size[z], i + z - row, rests);
		}
	}
	for (int l = 0; l < min(STRIP * VW, left); l++)
		rests_tell(w, &rests[l], row, end, q + l, later);
}

/* Item (SOLVE_ROWS rows). */
SINGLE_ITEM kernel void solve_remainder(WORK_PARAMETERS, int later,
                                        int matrix, global const wide *told)
{
	struct work w = WORK;
	const int row = get_global_id(0) * SOLVE_ROWS;
	const int end = min(row + SOLVE_ROWS, n);

	w.weight = weight_scale(told[(size_t)matrix * TOLD_LENGTH +
	                             TOLD_NORM]);
	if (!later)
		strips_clear(&w, strips_of_rest(&w), row, end);
	for (int first = 0; first * VW < columns; first += STRIP)
		if (columns > (first + 1) * VW)
			strip_remainder(&w, first, row, end, later, 1);
		else
			strip_remainder(&w, first, row, end, later, 0);
}
