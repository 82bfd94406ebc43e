/* small.cl - A = L L^T of matrices of up to ROWS rows, and their verdict, in a
 * single launch, for any device. */
/* program KERNEL=cholesky_small_16 ROWS=16 */
/* program KERNEL=cholesky_small_32 ROWS=32 */
/* program KERNEL=cholesky_small_64 ROWS=64 */
#include "cholesky/judge.h"

#ifndef ROWS			/* as when lint compiles the file alone */
#define KERNEL cholesky_small
#define ROWS 16
#endif
#define TEAMS 1
#define WEIGH(i) sign_of(i)
#include "cholesky/factor.h"

#define ITEMS CHOLESKY_SMALL_ITEMS

/* What an item adds to the sums of its matrix. */
enum term { QUADRATIC, SQUARE, TRACE, NONFINITE, TERMS };

/* Adds up the terms of the ROWS items of a matrix, for its first item. */
INLINE void add_up(local wide *sums, wide term[TERMS])
{
	const int item = get_local_id(0), row = item % ROWS;

	for (int t = 0; t < TERMS; t++)
		sums[t * ITEMS + item] = term[t];
	for (int rest = ROWS / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int t = 0; t < TERMS && row < rest; t++)
			sums[t * ITEMS + item] +=
			    sums[t * ITEMS + item + rest];
	}
	for (int t = 0; t < TERMS; t++)
		term[t] = sums[t * ITEMS + item];
}

/* Factors ITEMS / ROWS matrices in each work-group of ITEMS work-items: ROWS
 * items for each matrix, one for each of its rows. cholesky.cl describes
 * state. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void KERNEL(global const real *restrict a, int n, int stack,
            global real *restrict l, volatile global int *state,
            local real4 *room, local wide *sums, int first_group)
{
	const int item = get_local_id(0), r = item % ROWS;
	const int first = (first_group + get_group_id(0)) * (ITEMS / ROWS);
	const int matrix = first + item / ROWS;
	const size_t from = ((size_t)matrix * n + r) * n;
	const bool there = r < n && matrix < stack;
	const struct place at = { r, 0, item - r };
	const struct shelf s = shelf_in(room);
	const struct target to = {
		l + (size_t)first * n * n, (size_t)n * n, n, n,
		stack - first, false
	};
	wide term[TERMS] = { 0 };
	real own[OWN];
	int order;

	UNROLL
	for (int c = 0; c < ROWS; c++) {
		own[c] = there && c <= r ? a[from + c] : r == c;
		if (there && c <= r) {
			term[QUADRATIC] += (c < r ? 2 : 1) * sign_of(c) *
			                   (wide)own[c];
			term[NONFINITE] += !isfinite(own[c]);
		}
		if (c == r && there)
			term[TRACE] = own[c];
	}
	term[QUADRATIC] *= sign_of(r);
	order = factor(&s, &at, &to, own, &term[SQUARE]);
	term[SQUARE] = there ? term[SQUARE] * term[SQUARE] : 0;
	add_up(sums, term);
	if (r > 0 || !there)
		return;
	state[VERDICT_NUMBERS + matrix] = order;
	state[VERDICT_NUMBERS + stack + matrix] = term[NONFINITE] > 0;
	judge(state, order > 0 || term[NONFINITE] > 0, n, term[QUADRATIC],
	      term[SQUARE], term[TRACE]);
}
