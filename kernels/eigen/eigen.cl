/* eigen.cl - the dominant eigenpair on any device, with a work-group for each
 * block and sums by trees in local memory.
 *
 * The kernels take the same steps as those of eigen/cpu/eigen.cl. Launch:
 * work-groups of GROUP work-items. In look and round, group b takes ROWS rows
 * from row b ROWS on, and its work-items stride over the columns. In subtract,
 * normalise and rotate, group b takes `chunk` elements from element b chunk
 * on. In project, group i takes basis vector i.
 *
 * Every work-item reaches every barrier: rows beyond the end repeat the last
 * one, and a tree has 2 GROUP leaves, of which the upper half is neutral. */
#include "eigen/eigen.h"
#include "lib/last.h"

#define GROUP 128
#define ROWS 4
#define AT_ONCE 4			/* blocks whose parts an item reads
					 * before it adds them */
#define WIDE PART_LENGTH		/* values that a tree folds at once */
#define GROUPED __attribute__((reqd_work_group_size(GROUP, 1, 1)))

enum fold { FOLD_SUM, FOLD_MIN, FOLD_MAX };

static inline acc fold_two(enum fold f, acc a, acc b)
{
	return f == FOLD_SUM ? a + b : f == FOLD_MIN ? fmin(a, b) : fmax(a, b);
}

/* The operations that fold part k of a round, and part k of a look. */
static inline enum fold part_fold(int k)
{
	return k == PART_LOW ? FOLD_MIN :
	       k == PART_HIGH || k == PART_PEAK ? FOLD_MAX : FOLD_SUM;
}

static inline enum fold look_fold(int k)
{
	return k == LOOK_LOWEST || k == LOOK_SMALLEST ? FOLD_MIN : FOLD_MAX;
}

static inline enum fold sum_fold(int k)
{
	(void)k;
	return FOLD_SUM;
}

/* Folds x[k] of all work-items into tree[k][0], for k < count <= WIDE, where
 * FOLD(k) names the operation and tree is [WIDE][2 GROUP]. This is a macro so
 * that FOLD is inlined and the barriers stand in the kernel itself. */
#define FOLD_GROUP(FOLD, count, x, tree)                                    \
	do {                                                                \
		const int item = get_local_id(0);                           \
		for (int k = 0; k < (count); k++) {                         \
			tree[k][item] = (x)[k];                             \
			tree[k][GROUP + item] =                             \
			    FOLD(k) == FOLD_MIN ? INFINITY : 0;             \
		}                                                           \
		barrier(CLK_LOCAL_MEM_FENCE);                               \
		for (int step = GROUP / 2; step > 0; step /= 2) {           \
			acc other[WIDE];                                    \
			for (int k = 0; k < (count); k++)                   \
				other[k] = tree[k][item + step];            \
			barrier(CLK_LOCAL_MEM_FENCE);                       \
			for (int k = 0; k < (count); k++)                   \
				tree[k][item] = fold_two(FOLD(k),           \
				    tree[k][item], other[k]);               \
			barrier(CLK_LOCAL_MEM_FENCE);                       \
		}                                                           \
	} while (0)

/* Row r of the block, or A's last row if that row is beyond the end. */
#define ROW(r) (a + at + min(i + (r), n - 1) * n)

/* s[r] += unit v[r] . x, where v[r] is a bundle of elements of row r. */
static inline void add_bundles(acc *s, const bundle *v, global const acc *x,
                             acc unit)
{
	acc y[BUNDLE];

	for (int q = 0; q < BUNDLE; q++)
		y[q] = unit * x[q];
	for (int r = 0; r < ROWS; r++) {
		s[r] += y[0] * v[r].x;
		s[r] += y[1] * v[r].y;
#if BUNDLE == 4
		s[r] += y[2] * v[r].z;
		s[r] += y[3] * v[r].w;
#endif
	}
}

/* Folds the parts of all blocks into the state, which work-item 0 writes. */
#define SETTLE(parts, state, blocks, tree)                                  \
	do {                                                                \
		acc sum[PART_LENGTH];                                       \
		eigen_part_begin(sum);                                      \
		for (long b = get_local_id(0); b < (blocks);                \
		     b += AT_ONCE * GROUP)                                  \
			add_parts(sum, parts, b, blocks);                   \
		FOLD_GROUP(part_fold, PART_LENGTH, sum, tree);              \
		if (get_local_id(0) == 0 && state[STATE_DONE] == 0) {       \
			for (int k = 0; k < PART_LENGTH; k++)               \
				sum[k] = tree[k][0];                        \
			eigen_settle(state, sum);                           \
		}                                                           \
	} while (0)

/* Adds the parts of AT_ONCE blocks, GROUP apart, from block b on. */
static inline void add_parts(acc *sum, global const acc *parts, long b,
                             long blocks)
{
	acc more[AT_ONCE][PART_LENGTH];

	for (int u = 0; u < AT_ONCE; u++)
		for (int k = 0; k < PART_LENGTH; k++)
			more[u][k] = parts[min(b + u * GROUP, blocks - 1) *
			                   PART_LENGTH + k];
	for (int u = 0; u < AT_ONCE; u++)
		if (b + u * GROUP < blocks)
			eigen_part_add(sum, more[u]);
}

/* Computes y and the parts of every block. If `settle`, the work-group that
 * finishes last also ends the round. *done must be 0, and is 0 again after the
 * kernel. */
GROUPED kernel void eigen_group_round(global const real *a, long at,
    global const acc *x, long from, global acc *y, long to,
    global acc *state, global acc *parts, long n, long rows,
    volatile global int *done, int settle)
{
	local acc tree[WIDE][2 * GROUP];
	local int last[1];
	size_t b = get_group_id(0);
	long i = b * rows, j = get_local_id(0);
	acc s[ROWS] = { 0 }, part[PART_LENGTH], unit = state[STATE_UNIT];
	/* Once the iteration is done, the rounds that are still queued read
	 * nothing, but reach all barriers. */
	bool over = state[STATE_DONE] != 0;
	long end = over ? 0 : n;

	if (n % BUNDLE == 0)
		for (j *= BUNDLE; j < end; j += GROUP * BUNDLE) {
			bundle v[ROWS];

			for (int r = 0; r < ROWS; r++)
				v[r] = *(global const bundle *)(ROW(r) + j);
			add_bundles(s, v, x + from + j, unit);
		}
	for (; j < end; j += GROUP)
		for (int r = 0; r < ROWS; r++)
			s[r] += unit * x[from + j] * ROW(r)[j];
	FOLD_GROUP(sum_fold, ROWS, s, tree);
	if (get_local_id(0) == 0) {
		eigen_part_begin(part);
		for (int r = 0; r < ROWS && i + r < n && !over; r++)
			eigen_row(tree[r][0], x[from + i + r],
			    y + to + i + r, state, part);
		for (int k = 0; k < PART_LENGTH && !over; k++)
			parts[b * PART_LENGTH + k] = part[k];
		*last = settle && !over &&
		    is_last(done, 1, get_num_groups(0));
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (*last)
		SETTLE(parts, state, (long)get_num_groups(0), tree);
}

/* Ends a round in a separate launch of one work-group. */
GROUPED kernel void eigen_group_fold(global const acc *parts,
                                     global acc *state, long blocks)
{
	local acc tree[WIDE][2 * GROUP];

	SETTLE(parts, state, blocks, tree);
}

enum { ODD_NONFINITE = 1, ODD_BELOW = 2, ODD_ABOVE = 4 };

#define LOOK_AT(v, q) look_at((v), j + (q), min(i + r, n - 1), &sum[r],     \
                              &lowest, &largest, &smallest, &odd)

/* Adds element (i, j), whose value is v, to a look. */
static inline void look_at(real v, long j, long i, acc *sum, real *lowest,
                           real *largest, real *smallest, int *odd)
{
	*lowest = fmin(*lowest, v);
	*largest = fmax(*largest, fabs(v));
	*smallest = v == 0 ? *smallest : fmin(*smallest, fabs(v));
	*sum += fabs(v);
	*odd |= (fabs(v) < INFINITY ? 0 : ODD_NONFINITE) |
	    (v == 0 || j == i ? 0 : j < i ? ODD_BELOW : ODD_ABOVE);
}

GROUPED kernel void eigen_group_look(global const real *a, long at,
                                     global acc *looks, long n, long rows)
{
	local acc tree[WIDE][2 * GROUP];
	size_t b = get_group_id(0);
	long i = b * rows, j = get_local_id(0);
	acc look[LOOK_LENGTH], sum[ROWS] = { 0 }, norm = 0;
	real lowest = INFINITY, smallest = INFINITY, largest = 0;
	int odd = 0;

	if (n % BUNDLE == 0)
		for (j *= BUNDLE; j < n; j += GROUP * BUNDLE) {
			bundle v[ROWS];

			for (int r = 0; r < ROWS; r++)
				v[r] = *(global const bundle *)(ROW(r) + j);
			for (int r = 0; r < ROWS; r++) {
				LOOK_AT(v[r].x, 0);
				LOOK_AT(v[r].y, 1);
#if BUNDLE == 4
				LOOK_AT(v[r].z, 2);
				LOOK_AT(v[r].w, 3);
#endif
			}
		}
	for (; j < n; j += GROUP)
		for (int r = 0; r < ROWS; r++)
			LOOK_AT(ROW(r)[j], 0);
	FOLD_GROUP(sum_fold, ROWS, sum, tree);
	for (int r = 0; r < ROWS; r++)
		norm = fmax(norm, tree[r][0]);
	barrier(CLK_LOCAL_MEM_FENCE);
	look[LOOK_LOWEST] = lowest;
	look[LOOK_LARGEST] = odd & ODD_NONFINITE ? INFINITY : largest;
	look[LOOK_SMALLEST] = smallest;
	look[LOOK_NORM] = norm;
	look[LOOK_BELOW] = (odd & ODD_BELOW) != 0;
	look[LOOK_ABOVE] = (odd & ODD_ABOVE) != 0;
	FOLD_GROUP(look_fold, LOOK_LENGTH, look, tree);
	if (get_local_id(0) == 0)
		for (int k = 0; k < LOOK_LENGTH; k++)
			looks[b * LOOK_LENGTH + k] = tree[k][0];
}

GROUPED kernel void eigen_group_project(global const acc *basis,
    global const acc *w, global acc *h, long n)
{
	local acc tree[WIDE][2 * GROUP];
	size_t i = get_group_id(0);
	acc s = 0;

	for (long j = get_local_id(0); j < n; j += GROUP)
		s += basis[i * n + j] * w[j];
	FOLD_GROUP(sum_fold, 1, &s, tree);
	if (get_local_id(0) == 0)
		h[i] = tree[0][0];
}

GROUPED kernel void eigen_group_subtract(global const acc *basis,
    global acc *w, global const acc *h, global acc *column, long at,
    global acc *norms, long n, long chunk, int count, int again)
{
	local acc tree[WIDE][2 * GROUP];
	size_t b = get_group_id(0);
	long end = min((long)(b + 1) * chunk, n);
	acc norm = 0;

	for (long j = b * chunk + get_local_id(0); j < end; j += GROUP) {
		acc x = w[j];

		for (int i = 0; i < count; i++)
			x -= h[i] * basis[i * n + j];
		w[j] = x;
		norm += x * x;
	}
	FOLD_GROUP(sum_fold, 1, &norm, tree);
	if (get_local_id(0) == 0)
		norms[b] = tree[0][0];
	if (b == 0)
		for (int i = get_local_id(0); i < count; i += GROUP)
			column[at + i] = (again ? column[at + i] : 0) + h[i];
}

GROUPED kernel void eigen_group_normalise(global acc *basis,
    global const acc *w, global acc *column, long at,
    global const acc *norms, long n, long chunk, int blocks, int count)
{
	size_t b = get_group_id(0);
	long end = min((long)(b + 1) * chunk, n);
	acc beta = eigen_beta(norms, blocks, column + at, count);
	acc scale = beta > 0 ? 1 / beta : 0;

	for (long j = b * chunk + get_local_id(0); j < end; j += GROUP)
		basis[count * n + j] = scale * w[j];
	if (b == 0 && get_local_id(0) == 0)
		column[at + count] = beta;
}

GROUPED kernel void eigen_group_rotate(global const acc *basis,
    global const acc *c, global acc *fresh, long n, long chunk, int count,
    int k)
{
	size_t b = get_group_id(0);
	long end = min((long)(b + 1) * chunk, n);

	for (long j = b * chunk + get_local_id(0); j < end; j += GROUP)
		for (int r = 0; r < k; r++) {
			acc x = 0;

			for (int i = 0; i < count; i++)
				x += c[r * count + i] * basis[i * n + j];
			fresh[r * n + j] = x;
		}
}
