/* group.h - what the kernels of solve.cl, judge.cl and small.cl share: sums and
 * maxima over a work-group of GROUP items, and the places of results about a
 * matrix or a column. Included by kernels only. */
#ifndef KERNELS_SOLVE_GROUP_H
#define KERNELS_SOLVE_GROUP_H

#include "solve/rules.h"
#include "solve/side.h"

#ifndef GROUP
#define GROUP 256		/* work-items */
#endif
#define RUN 16			/* items of a first sum; divides GROUP */

/* The result of combining a number from each item of a group. */
struct look {
	wide sum, most;
	int at;			/* of the first item that has `most` */
};

/* Combines two; of equal maxima the first counts, and NaN is the largest. */
static struct look look_join(struct look x, struct look y)
{
	const bool better = y.most > x.most || y.most != y.most ||
	                    (y.most == x.most && y.at < x.at);

	return (struct look){ x.sum + y.sum, better ? y.most : x.most,
	                      better ? y.at : x.at };
}

/* Combines GROUP items in two steps of equal length. Every item does all of
 * each step, so that no branch lies between two barriers. */
static struct look group_look(struct look own, local struct look *all)
{
	const int id = get_local_id(0), first = id / RUN * RUN;

	all[id] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	own = all[first];
	for (int k = 1; k < RUN; k++)
		own = look_join(own, all[first + k]);
	barrier(CLK_LOCAL_MEM_FENCE);
	all[id] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	own = all[0];
	for (int k = RUN; k < GROUP; k += RUN)
		own = look_join(own, all[k]);
	barrier(CLK_LOCAL_MEM_FENCE);
	return own;
}

static void look_at(struct look *s, wide x, int at)
{
	const wide v = fabs(x);
	const bool better = v > s->most || v != v;

	s->sum += v;
	s->most = better ? v : s->most;
	s->at = better ? at : s->at;
}

#define LOOK_NONE { 0, -1, 0 }

/* The norm of that matrix, the largest of its `parts` numbers in most. */
static wide norm_of(global const wide *most, int parts, size_t matrix)
{
	wide norm = 0;

	for (int i = 0; i < parts; i++)
		norm = larger(most[matrix * parts + i], norm);
	return norm;
}

/* The right-hand sides of that matrix. */
static struct sides sides_of(global const real *b, int n, int sides,
                             global const int *members,
                             global const int *from, int columns,
                             size_t matrix)
{
	return (struct sides){
		b, members + matrix * (columns / max(sides, 1)), from, n,
		sides, columns
	};
}

/* The address of the numbers about column q of a matrix. */
static global wide *column_told(global wide *columns, int all, size_t matrix,
                                int q)
{
	return columns + (matrix * all + q) * COLUMN_LENGTH;
}

/* Reports what solve_told.h wants of all columns; forward: the largest error of
 * the columns that have a backward error. b's flags follow the matrices. */
static void columns_tell(const struct sides *s, global const wide *about,
                         wide norm, wide forward, global const int *bad,
                         global wide *told, global wide *nonfinite,
                         local struct look *all)
{
	struct look ratio = { 0, 0, 0 }, steps = ratio, lost = ratio;

	for (int q = get_local_id(0); q < s->columns; q += GROUP) {
		global const wide *own = about + q * COLUMN_LENGTH;
		const int b = sides_matrix(s, q), state = own[COLUMN_STATE];

		nonfinite[b] = bad[b];
		if (bad[b])
			continue;
		ratio.most = larger(own[COLUMN_RATIO], ratio.most);
		ratio.sum += state == STATE_ACTIVE;
		steps.most = fmax(own[COLUMN_STEPS], steps.most);
		steps.sum += state == STATE_BACK;
		lost.most = larger(own[COLUMN_BACKWARD], lost.most);
		lost.sum += has_stalled(own[COLUMN_BACKWARD], s->n);
	}
	ratio = group_look(ratio, all);
	steps = group_look(steps, all);
	lost = group_look(lost, all);
	if (get_local_id(0) > 0)
		return;		/* no barrier follows */
	told[TOLD_RESIDUAL] = ratio.most / norm;
	told[TOLD_ACTIVE] = ratio.sum;
	told[TOLD_STEPS] = steps.most;
	told[TOLD_BACK] = steps.sum;
	told[TOLD_STALLED] = lost.sum;
	told[TOLD_FORWARD] = forward + 0 * lost.most;	/* keeps NaN */
}

/* Follows a row through all swaps. Most chunks of swaps do not move it, which
 * the items see without a chain of dependent steps. */
static int place_of(int row, global const int *swaps, int n)
{
	enum { CHUNK = 16 };

	for (int first = 0; first < n; first += CHUNK) {
		bool moves = row >= first && row < first + CHUNK;
		int r[CHUNK];

		_Pragma("unroll")
		for (int k = 0; k < CHUNK; k++) {
			r[k] = first + k < n ? swaps[first + k] : -1;
			moves |= r[k] == row;
		}
		if (!moves)
			continue;
		_Pragma("unroll")
		for (int k = 0; k < CHUNK; k++)
			row = row == first + k ? r[k] : row == r[k] ?
			      first + k : row;
	}
	return row;
}

#endif
