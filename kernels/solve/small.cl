/* small.cl - A X = B from the factors of small matrices, on any device: a
 * work-group does for each matrix in one launch all that the kernels of
 * solve.cl and judge.cl do. */
#include "solve/small.h"

/* X = A^-1 B, and beside the first column the probes Y, of which it returns the
 * item's row. */
static void begin(const struct small *s, real y[SOLVE_PROBES],
                  global int *bad)
{
	const int i = get_local_id(0), row = s->back[min(i, s->n - 1)];

	for (int t = 0; has_turn(s, t); t++) {
		const int first = turn_first(s, t), count = turn_count(s, t);
		real v[LANES] = { 0 };

		for (int c = 0; c < count; c++) {
			v[c] = sides_column(&s->of, first + c)[(size_t)row *
			                                       s->of.sides];
			if (isnan(v[c] * 0))
				atomic_or(bad + sides_matrix(&s->of,
				                             first + c), 1);
		}
		for (int c = 0; c < SOLVE_PROBES && t == 0 && s->judged; c++)
			v[1 + c] = s->scale * probe_sign(row, c);
		lanes_solve(s, v);
		for (int c = 0; c < count; c++) {
			if (i < s->n)
				s->x[(size_t)(first + c) * s->n + i] = v[c];
			column_tell(s, first + c, v[c]);
		}
		for (int c = 0; c < SOLVE_PROBES && t == 0; c++)
			y[c] = v[1 + c];
	}
}

/* r = P (b - A x) of column q, before the first step or after one, and its
 * backward error; returns the item's element of W, for the probes or for the
 * forward error. */
static wide column_rest(const struct small *s, int q, int step)
{
	const int i = get_local_id(0), row = min(i, s->n - 1);
	global const real *a = s->a + (size_t)row * s->n;
	global wide *about = s->about + q * COLUMN_LENGTH;
	const wide b = sides_column(&s->of, q)[(size_t)row * s->of.sides];
	const wide inverse = weight_inverse(about[COLUMN_MAX]) *
	                     weight_scale(s->norm);
	wide high = 0, low = 0, size = 0, r;
	struct sum sum;
	struct look seen;
	wide backward;

	s->row[i] = i < s->n ? s->x[(size_t)q * s->n + i] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < s->n; k++)
		ADD_PRODUCT(wide, high, low, size, (wide)a[k],
		            (wide)s->row[k]);
	sum = sum_add((struct sum){ high, low }, (struct sum){ -b, 0 });
	r = -(sum.high + sum.low);
	size += fabs(b);
	if (i < s->n)
		s->r[(size_t)q * s->n + s->place[row]] = (real)r;
	backward = items_look(s, backward_error_wide(r, size, s->n)).most;
	seen = items_look(s, r);
	if (i == 0 && step == 0)
		column_first(about, backward);
	else if (i == 0)
		column_judge(about, backward, seen.sum);
	barrier(CLK_GLOBAL_MEM_FENCE);
	return step > 0 ? forward_weight_wide(r, size, s->n, inverse) :
	               size * inverse;
}

/* The same for all columns. */
static wide rest(const struct small *s, int step)
{
	wide weight = 0;

	for (int q = 0; q < s->of.columns; q++)
		weight = fmax(weight, column_rest(s, q, step));
	return weight;
}

/* Moves column q by a step d, or back. */
static void column_step(const struct small *s, int q, real d)
{
	const int i = get_local_id(0), at = q * s->n + min(i, s->n - 1);
	const int state = s->about[q * COLUMN_LENGTH + COLUMN_STATE];
	const real before = s->x[at];
	const real now = state == STATE_DONE ? before :
	                 state == STATE_BACK ? s->old[at] : before + d;

	if (i < s->n && state != STATE_DONE) {
		s->x[at] = now;
		s->old[at] = before;
	}
	column_tell(s, q, now);
}

/* X += A^-1 R; the first step also solves for the probes z, which become the
 * results of the third turn. */
static void refine(const struct small *s, real z[SOLVE_TURNED], int step)
{
	const int i = get_local_id(0), row = min(i, s->n - 1);
	const bool probed = s->judged && step == 1;

	for (int t = 0; has_turn(s, t); t++) {
		const int first = turn_first(s, t), count = turn_count(s, t);
		real v[LANES] = { 0 };

		for (int c = 0; c < count; c++)
			v[c] = s->r[(size_t)(first + c) * s->n + row];
		for (int c = 0; c < SOLVE_TURNED && t == 0 && probed; c++)
			v[1 + c] = z[c];
		lanes_solve(s, v);
		for (int c = 0; c < count; c++)
			column_step(s, first + c, v[c]);
		for (int c = 0; c < SOLVE_TURNED && t == 0 && probed; c++)
			z[c] = v[1 + c];
	}
}

/* --- probes */

/* Computes Z and G from Y: the item's row of P A. Returns the estimate of s
 * |A^-1|. */
static wide turn(const struct small *s, const real y[SOLVE_PROBES],
                 real z[SOLVE_TURNED])
{
	real v[LANES] = { 0 };
	wide most = 0;

	for (int c = 0; c < SOLVE_PROBES; c++) {
		const struct look seen = items_look(s, y[c]);

		most = larger(seen.sum / s->n, most);
		v[c] = copysign(s->scale, y[c]);
		v[SOLVE_PROBES + c] = get_local_id(0) == seen.at ? s->scale :
		                      0;
	}
	lanes_solve_transposed(s, v);
	for (int c = 0; c < SOLVE_TURNED; c++)
		z[c] = v[c];
	return most;
}

/* Makes the third turn's probes from Z, G and W. Returns the estimate of s
 * |A^-1|. */
static wide turn_back(const struct small *s, wide weight,
                      real z[SOLVE_TURNED])
{
	const int i = get_local_id(0);
	wide most = 0;

	s->row[i] = (real)weight;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int c = 0; c < SOLVE_PROBES; c++) {
		const struct look seen = items_look(s, z[c]);
		real *g = z + SOLVE_PROBES + c;

		most = larger(seen.most, most);
		z[c] = i == seen.at ? s->scale : 0;
		*g = copysign(s->row[s->back[min(i, s->n - 1)]], *g);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	return most;
}

/* Evaluates the third turn: the estimate of s |A^-1|, and the largest element
 * of A^-1 W sign(G). */
static wide turn_end(const struct small *s, const real z[SOLVE_TURNED],
                     wide *power)
{
	wide most = 0;

	*power = 0;
	for (int c = 0; c < SOLVE_PROBES; c++) {
		most = larger(items_look(s, z[c]).sum, most);
		*power = larger(items_look(s, z[SOLVE_PROBES + c]).most,
		                *power);
	}
	return most;
}

/* An estimate of |A^-1| W for the last W (solve_told.h). */
static wide forward_error(const struct small *s, const real g[SOLVE_PROBES],
                          wide first, wide last, wide power)
{
	const int i = get_local_id(0);
	wide most = items_look(s, first > 0 ? last / first : 0).most * power;

	s->row[i] = (real)last;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int c = 0; c < SOLVE_PROBES; c++) {
		const wide w = s->row[s->back[min(i, s->n - 1)]] / s->scale;

		most = larger(items_look(s, g[c] * w).sum, most);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	return most / weight_scale(s->norm);
}

/* --- a matrix */

/* Copies the factors and P to local memory; returns the first column with a
 * zero pivot, or -1. */
static int load(const struct small *s, global const real *lu,
                global const int *swaps)
{
	const int i = get_local_id(0);
	struct look own = LOOK_NONE;

	for (int k = 0; k < s->n && i < s->n; k++)
		s->lu[k][i] = lu[k * s->n + i];
	if (i < s->n) {
		const int p = place_of(i, swaps, s->n);

		s->place[i] = p;
		s->back[p] = i;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	own.at = i;
	own.most = i < s->n && s->lu[i][i] == 0 ? 1 : 0;
	own = group_look(own, s->all);
	return own.most > 0 ? own.at : -1;
}

/* The norm of A, and whether it is finite. */
static wide norm_look(const struct small *s, bool *bad)
{
	const int j = min((int)get_local_id(0), s->n - 1);
	wide sum = 0;
	real rest = 0;

	for (int k = 0; k < s->n; k++) {
		const real v = s->a[k * s->n + j];

		sum += fabs(v);
		rest += v * 0;
	}
	*bad = isnan(items_look(s, rest).most);
	return items_look(s, sum).most;
}

static bool goes_on(global const wide *told)
{
	return told[TOLD_ACTIVE] + told[TOLD_BACK] > 0;
}

/* After begin(): refinement and the verdict. */
static void small_solve(const struct small *s, real y[SOLVE_PROBES],
                        global const int *bad, global wide *nonfinite)
{
	real z[SOLVE_TURNED] = { 0 };
	real g[SOLVE_PROBES];
	wide most = 0, power = 0, first, last, forward = 0;
	int step = 0;

	first = rest(s, step);
	if (s->judged) {
		most = turn(s, y, z);
		for (int c = 0; c < SOLVE_PROBES; c++)
			g[c] = z[SOLVE_PROBES + c];
		most = larger(turn_back(s, first, z), most);
	}
	do {
		refine(s, z, ++step);
		last = rest(s, step);
		if (s->judged && step == 1)
			most = larger(turn_end(s, z, &power), most);
		if (s->judged)
			forward = forward_error(s, g, first, last, power);
		columns_tell(&s->of, s->about, s->norm, forward, bad, s->told,
		             nonfinite, s->all);
		barrier(CLK_GLOBAL_MEM_FENCE);
	} while (goes_on(s->told));
	if (get_local_id(0) == 0 && s->judged) {
		s->told[TOLD_NORM] = s->norm;
		s->told[TOLD_CONDITION] = most * (s->norm / s->scale);
	}
}

/* Group (matrix); x, old and r: [matrix][column][n]. bad: flags of a's
 * matrices, then of b's; told and about as in judge.cl. None of these six is
 * restrict, because work-items read there what others of the group wrote: for a
 * restrict pointer NVIDIA's compiler moves such reads to before the barrier. */
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void solve_small(global const real *restrict a,
                        global const real *restrict b, int n, int sides,
                        global const int *restrict members,
                        global const int *restrict from, int columns,
                        global const real *restrict lu,
                        global const int *restrict swaps, int judged,
                        global real *x, global real *old, global real *r,
                        int matrices, global int *bad, global wide *told,
                        global wide *about, global real *restrict answer,
                        int first_group)
{
	local real factors[ROWS][ROWS + 1], shown[LANES][2 * ROWS], row[ROWS];
	local int place[ROWS], back[ROWS];
	local struct look all[GROUP];
	const int i = get_local_id(0);
	const size_t matrix = first_group + get_group_id(0);
	const size_t at = matrix * columns * n;
	struct small s = {
		sides_of(b, n, sides, members, from, columns, matrix),
		a + matrix * n * n, x + at, old + at, r + at,
		column_told(about, columns, matrix, 0),
		told + matrix * TOLD_LENGTH, n, judged, 1, 1, factors, shown,
		row, place, back, all
	};
	const int column = load(&s, lu + matrix * n * n, swaps + matrix * n);
	real y[SOLVE_PROBES] = { 0 };
	bool nonfinite;

	s.norm = norm_look(&s, &nonfinite);
	s.scale = probe_scale(s.norm);
	if (i == 0) {
		s.told[TOLD_COLUMN] = column;
		s.told[TOLD_NONFINITE] = nonfinite;
	}
	begin(&s, y, bad + matrices);
	small_solve(&s, y, bad + matrices,
	            told + (size_t)matrices * TOLD_LENGTH);
	for (int q = 0; q < columns && i < n; q++)
		sides_answer(&s.of, q, answer)[(size_t)i * sides] =
			s.x[(size_t)q * n + i];
}
