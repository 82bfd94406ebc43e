/* measure.c - the two measures of judge.h, from sums that kernels compute. */
#include <stdlib.h>

#include "ops/failure.h"
#include "ops/lu/residual.h"
#include "ops/qr/judge_launch.h"
#include "shared/judge_tile.h"

/* Returns the ratio of a matrix from the `each` numbers that a kernel has
 * computed for it. */
typedef double ratio_fn(const struct judge *j, const double *numbers,
                        size_t each, size_t vectors);

/* Returns the largest ratio of the matrices that have not failed, where every
 * matrix has `each` numbers in b; NaN if one is NaN. */
static double worst(const struct judge *j, struct buf b, size_t each,
                    size_t vectors, ratio_fn *ratio)
{
	double *numbers = lu_wide_read(j->s, b, j->stack * each), most = 0;

	if (!numbers)
		return NAN;
	for (size_t i = 0; i < j->stack; i++) {
		const double x = ratio(j, numbers + i * each, each, vectors);

		if (!args_has_failed(j->a, i) && (x > most || isnan(x)))
			most = x;
	}
	free(numbers);
	return most;
}

/* |T - W| / |A| from the squares of both, which alternate. */
static double defect_ratio(const struct judge *j, const double *numbers,
                           size_t each, size_t vectors)
{
	double gap = 0, size = 0;

	for (size_t i = 0; i < each; i += 2) {
		gap += numbers[i];
		size += numbers[i + 1];
	}
	return gap == 0 ? 0 :
	       sqrt(gap / (j->full ? 1 : (double)vectors) / size);
}

/* |Q^T Q - I| from the sums of squares of its columns. */
static double gram_ratio(const struct judge *j, const double *numbers,
                         size_t each, size_t vectors)
{
	double sum = 0;

	for (size_t i = 0; i < each; i++)
		sum += numbers[i];
	return sqrt(sum / (j->full ? 1 : (double)(vectors * (vectors - 1))));
}

/* The same from the products of pairs of vectors, a number for each pair and
 * piece. */
static double angle_ratio(const struct judge *j, const double *numbers,
                          size_t each, size_t vectors)
{
	double sum = 0;

	(void)j;
	(void)vectors;
	for (size_t pair = 0; pair < JUDGE_PAIRS; pair++) {
		double product = 0;

		for (size_t i = pair; i < each; i += JUDGE_PAIRS)
			product += numbers[i];
		sum += product * product;
	}
	return sqrt(sum / JUDGE_PAIRS);
}

static double unit_roundoffs(const struct judge *j, size_t size)
{
	return (double)size * dtype_epsilon(j->a->dtype) / 2;
}

double judge_residual(const struct judge *j, const struct vectors *t,
                      const struct vectors *w, struct buf square, size_t size)
{
	const size_t length = t->length * t->count;
	const size_t pieces = judge_pieces(length);
	const struct buf sums = judge_room(j, 2 * j->stack * pieces);

	if (j->need)
		return NAN;
	if (j->spread)
		seq_launch(j->s, "judge_gaps", judge_spread(j, pieces),
		           ARG_BUF(t->b), ARG_BUF(w->b), ARG_LONG(length),
		           ARG_BUF(square),
		           ARG_INT(matrix_rows(&j->a->in[0])), ARG_INT(pieces),
		           ARG_BUF(sums));
	else
		seq_launch(j->s, "judge_defect", judge_groups(j, 1),
		           ARG_BUF(t->b), ARG_BUF(w->b), ARG_LONG(length),
		           ARG_BUF(square),
		           ARG_INT(matrix_rows(&j->a->in[0])), ARG_BUF(sums),
		           ARG_LOCAL(j->items * j->wide));
	return worst(j, sums, j->spread ? 2 * pieces : 2, t->count,
	             defect_ratio) / unit_roundoffs(j, size);
}

/* The numbers of each matrix, from which ratio() makes |Q^T Q - I|. */
static size_t launch_angles(const struct judge *j, const struct vectors *y,
                            const struct vectors *x, struct buf sums,
                            ratio_fn **ratio)
{
	const size_t pieces = judge_pieces(y->length);

	if (j->spread && !j->full) {
		seq_launch(j->s, "judge_angles", judge_spread(j, pieces),
		           ARG_BUF(y->b), ARG_INT(y->length), ARG_BUF(x->b),
		           ARG_INT(x->length), ARG_INT(pieces), ARG_BUF(sums));
		*ratio = angle_ratio;
		return JUDGE_PAIRS * pieces;
	}
	seq_launch(j->s, "judge_gram", judge_groups(j, y->count), ARG_BUF(y->b),
	           ARG_INT(y->length), ARG_BUF(x->b), ARG_INT(x->length),
	           ARG_INT(y->count), ARG_INT(!j->full), ARG_BUF(sums),
	           ARG_LOCAL(j->items * j->wide));
	*ratio = gram_ratio;
	return y->count;
}

double judge_orthogonality(const struct judge *j, const struct vectors *y,
                           const struct vectors *x, size_t size)
{
	const size_t most = size_max(JUDGE_PAIRS * judge_pieces(y->length),
	                             y->count);
	const struct buf sums = judge_room(j, j->stack * most);
	ratio_fn *ratio;
	size_t each;

	if (j->need)
		return NAN;
	each = launch_angles(j, y, x, sums, &ratio);
	return worst(j, sums, each, y->count, ratio) / unit_roundoffs(j, size);
}
