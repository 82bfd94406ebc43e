/* eigen.cl - the dominant eigenpair on a CPU, with one work-item for each block
 * and vectors of AW elements.
 *
 *     look       finds the structure of A (n x n, row-major, from element `at`
 *                on)
 *     round      y = scale (B v + shift v), and the sums that update the state
 *     fold       ends a round: adds the sums of all blocks, updates the state
 *     project    h = V w, where the rows of V (count x n) are basis vectors
 *     subtract   w -= V^T h; also the column of H, and |w|^2 by blocks
 *     normalise  V[count] = w / |w|
 *     rotate     U = C V, where C is k x count
 *
 * In look and round, work-item b takes `rows` rows from row b rows on, and
 * reads them once, ROWS rows at a time. In subtract, normalise and rotate,
 * work-item b takes `chunk` elements from element b chunk on. In project,
 * work-item i takes basis vector i.
 */
#include "eigen/eigen.h"

#define ROWS 8
#define AW 8				/* elements of an accv */
#define AHEAD 512			/* elements to prefetch ahead */

static inline acc sum_of(accv v)
{
	accv s = v + v.s45670123;

	return (s.s0 + s.s2) + (s.s1 + s.s3);
}

static inline accv load(global const real *p)
{
	return TO_ACCV(vload8(0, p));
}

/* s = unit A x for ROWS rows; rows beyond the last repeat it. */
static inline void times(global const real *a, long n, long last, acc unit,
                         global const acc *x, acc *s)
{
	global const real *row[ROWS];
	accv sum[ROWS];

#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		row[r] = a + min((long)r, last) * n;
		sum[r] = 0;
	}
	long j = 0;
	for (; j + AW <= n; j += AW) {
		accv v = vload8(0, x + j);
#pragma unroll
		for (int r = 0; r < ROWS; r++) {
			FETCH_AHEAD(row[r] + j + AHEAD);
			sum[r] += unit * load(row[r] + j) * v;
		}
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++)
		s[r] = sum_of(sum[r]);
	for (; j < n; j++)
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			s[r] += unit * row[r][j] * x[j];
}

SINGLE_ITEM kernel void eigen_round(global const real *a, long at,
    global const acc *x, long from, global acc *y, long to,
    global const acc *state, global acc *parts, long n, long rows)
{
	size_t b = get_global_id(0);
	long end = min((long)(b + 1) * rows, n);
	acc part[PART_LENGTH];

	if (state[STATE_DONE] != 0)
		return;
	eigen_part_begin(part);
	for (long i = b * rows; i < end; i += ROWS) {
		long last = min((long)ROWS, end - i) - 1;
		acc s[ROWS];

		times(a + at + i * n, n, last, state[STATE_UNIT], x + from, s);
		for (long r = 0; r <= last; r++)
			eigen_row(s[r], x[from + i + r], y + to + i + r,
			    state, part);
	}
	for (int k = 0; k < PART_LENGTH; k++)
		parts[b * PART_LENGTH + k] = part[k];
}

SINGLE_ITEM kernel void eigen_fold(global const acc *parts, global acc *state,
                                   long blocks)
{
	acc sum[PART_LENGTH], more[PART_LENGTH];

	if (state[STATE_DONE] != 0)
		return;
	eigen_part_begin(sum);
	for (long b = 0; b < blocks; b++) {
		for (int k = 0; k < PART_LENGTH; k++)
			more[k] = parts[b * PART_LENGTH + k];
		eigen_part_add(sum, more);
	}
	eigen_settle(state, sum);
}

static inline bool any(global const real *p, long n)
{
	for (long j = 0; j < n; j++)
		if (p[j] != 0)
			return true;
	return false;
}

/* Updates the lowest, largest and smallest element in look[] by one row.
 * Returns the sum of the absolute values of the row. */
static inline acc look_row(global const real *p, long n, acc *look)
{
	accv low = INFINITY, least = INFINITY, high = 0, sum = 0, zero = 0;
	long j = 0;

	for (; j + AW <= n; j += AW) {
		accv v = load(p + j), size = fabs(v);

		/* fmin and fmax would be function calls, because of NaN. */
		low = select(low, v, v < low);
		high = select(high, size, size > high);
		least = select(least, size, size < least && size > 0);
		sum += size;
		zero += 0 * v;		/* NaN unless all are finite */
	}
	acc total = sum_of(sum), bad = sum_of(zero);
	for (int k = 0; k < AW; k++) {
		look[LOOK_LOWEST] = fmin(look[LOOK_LOWEST], ((acc *)&low)[k]);
		look[LOOK_LARGEST] =
		    fmax(look[LOOK_LARGEST], ((acc *)&high)[k]);
		look[LOOK_SMALLEST] =
		    fmin(look[LOOK_SMALLEST], ((acc *)&least)[k]);
	}
	for (; j < n; j++) {
		look[LOOK_LOWEST] = fmin(look[LOOK_LOWEST], (acc)p[j]);
		look[LOOK_LARGEST] = fmax(look[LOOK_LARGEST], fabs((acc)p[j]));
		if (p[j] != 0)
			look[LOOK_SMALLEST] =
			    fmin(look[LOOK_SMALLEST], fabs((acc)p[j]));
		total += fabs((acc)p[j]);
		bad += 0 * (acc)p[j];
	}
	if (bad != 0)
		look[LOOK_LARGEST] = INFINITY;
	return total;
}

SINGLE_ITEM kernel void eigen_look(global const real *a, long at,
                                   global acc *looks, long n, long rows)
{
	size_t b = get_global_id(0);
	long end = min((long)(b + 1) * rows, n);
	acc look[LOOK_LENGTH];
	bool below = false, above = false;

	for (int k = 0; k < LOOK_LENGTH; k++)
		look[k] = 0;
	look[LOOK_LOWEST] = look[LOOK_SMALLEST] = INFINITY;
	for (long i = b * rows; i < end; i++) {
		global const real *p = a + at + i * n;

		look[LOOK_NORM] =
		    fmax(look[LOOK_NORM], look_row(p, n, look));
		below = below || any(p, i);
		above = above || any(p + i + 1, n - i - 1);
	}
	look[LOOK_BELOW] = below;
	look[LOOK_ABOVE] = above;
	for (int k = 0; k < LOOK_LENGTH; k++)
		looks[b * LOOK_LENGTH + k] = look[k];
}

SINGLE_ITEM kernel void eigen_project(global const acc *basis,
    global const acc *w, global acc *h, long n)
{
	size_t i = get_global_id(0);
	global const acc *v = basis + i * n;
	accv s0 = 0, s1 = 0;
	long j = 0;

	for (; j + 2 * AW <= n; j += 2 * AW) {
		s0 += vload8(0, v + j) * vload8(0, w + j);
		s1 += vload8(0, v + j + AW) * vload8(0, w + j + AW);
	}
	acc s = sum_of(s0 + s1);
	for (; j < n; j++)
		s += v[j] * w[j];
	h[i] = s;
}

SINGLE_ITEM kernel void eigen_subtract(global const acc *basis,
    global acc *w, global const acc *h, global acc *column, long at,
    global acc *norms, long n, long chunk, int count, int again)
{
	size_t b = get_global_id(0);
	long begin = b * chunk, end = min(begin + chunk, n), j = begin;
	acc norm = 0;

	for (; j + AW <= end; j += AW) {
		accv x = vload8(0, w + j);

		for (int i = 0; i < count; i++)
			x -= h[i] * vload8(0, basis + i * n + j);
		vstore8(x, 0, w + j);
		norm += sum_of(x * x);
	}
	for (; j < end; j++) {
		acc x = w[j];

		for (int i = 0; i < count; i++)
			x -= h[i] * basis[i * n + j];
		w[j] = x;
		norm += x * x;
	}
	norms[b] = norm;
	if (b == 0)
		for (int i = 0; i < count; i++)
			column[at + i] = (again ? column[at + i] : 0) + h[i];
}

SINGLE_ITEM kernel void eigen_normalise(global acc *basis,
    global const acc *w, global acc *column, long at,
    global const acc *norms, long n, long chunk, int blocks, int count)
{
	size_t b = get_global_id(0);
	long end = min((long)(b + 1) * chunk, n);
	acc beta = eigen_beta(norms, blocks, column + at, count);
	acc scale = beta > 0 ? 1 / beta : 0;

	for (long j = b * chunk; j < end; j++)
		basis[count * n + j] = scale * w[j];
	if (b == 0)
		column[at + count] = beta;
}

SINGLE_ITEM kernel void eigen_rotate(global const acc *basis,
    global const acc *c, global acc *fresh, long n, long chunk, int count,
    int k)
{
	size_t b = get_global_id(0);
	long begin = b * chunk, end = min(begin + chunk, n);

	for (int r = 0; r < k; r++) {
		long j = begin;

		for (; j + AW <= end; j += AW) {
			accv x = 0;

			for (int i = 0; i < count; i++)
				x += c[r * count + i] *
				    vload8(0, basis + i * n + j);
			vstore8(x, 0, fresh + r * n + j);
		}
		for (; j < end; j++) {
			acc x = 0;

			for (int i = 0; i < count; i++)
				x += c[r * count + i] * basis[i * n + j];
			fresh[r * n + j] = x;
		}
	}
}
