/* hessenberg.cl - H = Q^T A Q, upper Hessenberg, by panels of NB columns
 * (LAPACK's xLAHR2; Quintana-Orti and van de Geijn 2006), without its matrix
 * products:
 *
 *     hess_reflect     makes reflection i of a panel
 *     hess_multiply    multiplies A by the reflection's vector v, and computes
 *                      b for the panel's next column
 *     hess_load        A, from a column-major array
 *     hess_give        H, into a column-major array
 *
 * The panel begins at column `first`, and `c` = first + i is its column i. Its
 * reflections H_0 ... H_i = I - V T V^T act on the rows from first + 1 to high
 * - 1. The columns of A to the right of c stay as they were before the panel;
 * column c is computed from that A, with Y = A V T:
 *
 *     b = A(:, c) - Y V(c, :)^T             from the right, by hess_multiply
 *     u = b - V T^T (V^T b)                 from the left
 *     v = (u - beta e) / (alpha - beta)     below row c; alpha = u(c + 1)
 *     y = tau (A v - Y (V^T v))             column i of Y
 *     T(:, i) = -tau T (V^T v)
 *
 * For sums over all rows, each work-group writes its part to `parts`, and the
 * last group to finish adds up all parts: V^T v and |v| in hess_reflect, V^T b
 * in hess_multiply. V and Y have rows of NB elements, one for each row of A; T
 * is NB x NB. x and `to` have an element for each row; x holds b or u. A is
 * row-major, and launches have one dimension. told: see
 * shared/hessenberg_tile.h. parts has NB + 1 numbers for each work-group, and
 * *done is 0 between launches.
 */
#include "lib/last.h"
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/hessenberg_tile.h"

#define NB HESS_NB
#define TEAMS HESS_TEAMS
#define LANES HESS_LANES

/* A sum of squares below this has lost digits to underflow. The part of a
 * column below the subdiagonal counts as 0 if its sum is not larger. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)

/* Returns whether this work-group is the last one of the launch to call this
 * function; *done is then 0 again. All work-items of the group must call it. */
static bool ends(volatile global int *done, local int *last)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		*last = is_last(done, 1, get_num_groups(0));
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	return *last;
}

/* Returns the sum of x over all teams, in each lane: work-item `lane` of team 0
 * gets the sum of its lane, and the items of other teams get 0. part has one
 * element per work-item. */
static wide over_teams(wide x, local wide *part)
{
	const int id = get_local_id(0);
	wide sum = 0;

	barrier(CLK_LOCAL_MEM_FENCE);
	part[id] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < TEAMS && id < NB; i++)
		sum += part[i * NB + id];
	return sum;
}

/* Returns the sum over all work-groups of number `lane` of their parts, to the
 * work-items of team 0. */
static wide over_groups(global const wide *parts, int lane, local wide *part)
{
	wide sum = 0;

	for (size_t g = get_local_id(0) / NB; g < get_num_groups(0);
	     g += TEAMS)
		sum += parts[g * LANES + lane];
	return over_teams(sum, part);
}

kernel __attribute__((reqd_work_group_size(HESS_GROUP, 1, 1)))
void hess_reflect(global real *a, int n, int high, int first, int i,
                  global real *x, global const real *v, long v_at,
                  global real *t, long t_at, global wide *told,
                  global wide *parts, volatile global int *done,
                  local wide *part, local wide *mine, local int *last)
{
	const int id = get_local_id(0), lane = id % NB, team = id / NB;
	const int c = first + i, r0 = first + 1 + get_group_id(0) * HESS_BLOCK;
	const int each = HESS_GROUP / HESS_BLOCK, row = r0 + id / each;
	wide sum = 0, squares = 0, alpha, beta, tau, inverse;
	real tk[NB / TEAMS], vc;

	v += v_at;
	t += t_at;
	/* Only the last work-group needs these values. All groups load them,
	 * before they know which one is the last, to hide the latency. */
	vc = lane < i ? v[(size_t)(c + 1) * NB + lane] : 0;
	for (int q = 0; q < NB / TEAMS; q++) {
		const int k = team + q * TEAMS;

		tk[q] = k < i && lane <= k ? t[lane * NB + k] : 0;
	}
	/* u = b - V (T^T V^T b) */
	for (int k = id % each; k < i && row < high; k += each)
		sum += v[(size_t)row * NB + k] * told[HESS_LEFT + k];
	part[id] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id < HESS_BLOCK) {
		const int r = r0 + id;
		wide u = 0;

		if (r < high) {
			u = i == 0 ? a[(size_t)r * n + c] : x[r];
			for (int k = 0; k < each; k++)
				u -= part[id * each + k];
			x[r] = u;
		}
		if (r <= c)
			a[(size_t)r * n + c] = u;
		mine[id] = r > c + 1 ? u : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int r = team; r < HESS_BLOCK && r0 + r < high; r += TEAMS) {
		sum += lane < i ? v[(size_t)(r0 + r) * NB + lane] * mine[r] : 0;
		squares += mine[r] * mine[r];
	}
	parts += (size_t)get_group_id(0) * LANES;
	sum = over_teams(sum, part);
	squares = over_teams(squares, part);
	if (team == 0)
		parts[lane] = sum;
	if (id == 0)
		parts[NB] = squares;
	parts -= (size_t)get_group_id(0) * LANES;
	if (!ends(done, last))
		return;

	sum = over_groups(parts, lane, part);
	squares = over_groups(parts, NB, part);
	if (id == 0)
		mine[NB] = squares;
	barrier(CLK_LOCAL_MEM_FENCE);
	squares = mine[NB];
	alpha = x[c + 1];
	beta = -copysign(sqrt(alpha * alpha + squares), alpha);
	tau = squares > SMALLEST ? (beta - alpha) / beta : 0;
	inverse = squares > SMALLEST ? 1 / (alpha - beta) : 0;
	/* V^T v, whose first component is that of row c + 1 */
	if (team == 0) {
		mine[lane] = lane < i ? vc + inverse * sum : 0;
		told[HESS_ALONG + lane] = mine[lane];
	}
	if (id == 0) {
		told[HESS_TAU] = tau;
		told[HESS_INVERSE] = inverse;
		a[(size_t)(c + 1) * n + c] = squares > SMALLEST ? beta : alpha;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int q = 0; q < NB / TEAMS; q++)
		sum += tk[q] * mine[team + q * TEAMS];
	sum = over_teams(sum, part);
	if (team == 0)
		t[lane * NB + i] = lane < i ? -tau * sum :
		                   lane == i ? tau : 0;
}

/* Sums a(r, j) x(j) over this lane's j in [from, high) for `count` rows, which
 * is 1 or HESS_ROWS. Rows beyond the last one repeat it. */
static void multiply_rows(global const real *a, int n, int high, int row,
                          int count, int from, global const real *x,
                          wide *sums)
{
	global const real *r[HESS_ROWS];

	for (int q = 0; q < HESS_ROWS; q++) {
		r[q] = a + (size_t)min(row + q, high - 1) * n;
		sums[q] = 0;
	}
	if (count == 1)
		for (int j = from; j < high; j += NB)
			sums[0] += (wide)r[0][j] * x[j];
	else
		for (int j = from; j < high; j += NB) {
			const wide xj = x[j];

			for (int q = 0; q < HESS_ROWS; q++)
				sums[q] += r[q][j] * xj;
		}
}

/* Returns element r of v, column i of V, given u in x. */
static wide reflector(global const real *x, int r, int c, wide inverse)
{
	return r <= c ? 0 : r == c + 1 ? 1 : inverse * x[r];
}

/* Each team computes `rows` rows, 1 or HESS_ROWS. x holds u, and `to` receives
 * b. goes_on is set if the panel has another column, for which T^T (V^T b) is
 * needed. */
kernel __attribute__((reqd_work_group_size(HESS_GROUP, 1, 1)))
void hess_multiply(global const real *a, int n, int high, int first, int i,
                   int rows, int goes_on, global const real *x,
                   global real *to, global real *v, long v_at,
                   global real *y, global const real *t, long t_at,
                   global wide *told, global wide *parts,
                   volatile global int *done, local wide *part,
                   local wide *beside, local wide *mine, local int *last)
{
	const int id = get_local_id(0), lane = id % NB, team = id / NB;
	const int c = first + i, r0 = first + 1 +
	                              get_group_id(0) * TEAMS * rows;
	const wide tau = told[HESS_TAU], inverse = told[HESS_INVERSE];
	wide sums[HESS_ROWS], sum = 0;
	real tk[NB / TEAMS];

	v += v_at;
	t += t_at;
	/* Only the last work-group needs these values. All groups load them,
	 * before they know which one is the last, to hide the latency. */
	for (int q = 0; q < NB / TEAMS; q++) {
		const int k = team + q * TEAMS;

		tk[q] = k <= lane && lane <= i ? t[k * NB + lane] : 0;
	}
	/* A v - Y (V^T v), and Y V(c + 1, :)^T without the new column of Y */
	multiply_rows(a, n, high, r0 + team * rows, rows, c + 2 + lane, x,
	              sums);
	for (int q = 0; q < rows; q++) {
		const int r = min(r0 + team * rows + q, high - 1);
		const wide yk = lane < i ? y[(size_t)r * NB + lane] : 0;
		const wide vk = lane < i ? v[(size_t)(c + 1) * NB + lane] : 0;
		const int at = (team * rows + q) * LANES + lane;

		part[at] = inverse * sums[q] +
		           (lane == 0 ? a[(size_t)r * n + c + 1] : 0) -
		           yk * (lane < i ? told[HESS_ALONG + lane] : 0);
		beside[at] = yk * vk;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id < TEAMS * rows) {
		const int r = r0 + id;
		wide yi = 0, b = 0;

		for (int k = 0; k < NB; k++) {
			yi += part[id * LANES + k];
			b += beside[id * LANES + k];
		}
		yi *= tau;
		if (r < high) {
			y[(size_t)r * NB + i] = yi;
			v[(size_t)r * NB + i] = reflector(x, r, c, inverse);
			b = a[(size_t)r * n + c + 1] - b - yi;
			to[r] = b;
		}
		mine[id] = r < high ? b : 0;
	}
	if (!goes_on)
		return;
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	for (int r = team; r < TEAMS * rows && r0 + r < high; r += TEAMS)
		sum += lane <= i ? v[(size_t)(r0 + r) * NB + lane] * mine[r] :
		                   0;
	sum = over_teams(sum, part);
	if (team == 0)
		parts[get_group_id(0) * LANES + lane] = sum;
	if (!ends(done, last))
		return;

	/* T^T (V^T b) */
	sum = over_groups(parts, lane, part);
	if (team == 0)
		mine[lane] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int q = 0; q < NB / TEAMS; q++)
		sum += tk[q] * mine[team + q * TEAMS];
	sum = over_teams(sum, part);
	if (team == 0)
		told[HESS_LEFT + lane] = sum;
}

kernel void hess_load(global const real *restrict from, int n,
                      global real *restrict a)
{
	const size_t at = get_global_id(0), i = at / n, j = at % n;

	if (i < n)
		a[i * n + j] = from[j * n + i];
}

/* The columns of `to` have ld elements. */
kernel void hess_give(global const real *restrict a, int n, int ld,
                      global real *restrict to)
{
	const size_t at = get_global_id(0), j = at / ld, i = at % ld;

	if (j < n)
		to[j * ld + i] = i < n && i <= j + 1 ? a[i * n + j] : 0;
}
