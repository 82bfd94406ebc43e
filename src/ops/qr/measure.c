/* measure.c - the two measures of judge.h, from sums that kernels compute. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "ops/failure.h"
#include "ops/qr/judge_launch.h"
#include "shared/judge_spread.h"

void judge_read(const struct judge *j, struct buf b, size_t count, double *to)
{
	seq_read(j->s, b, 0, to, count * j->wide);
	for (size_t i = count; i-- > 0 && j->wide != sizeof *to; )
		to[i] = ((const float *)to)[i];
}

/* Returns the largest value of a measure among the matrices that have not
 * failed; NaN if one is NaN, or if there is no memory. */
static double worst(const struct judge *j, const struct measure *m)
{
	double *const numbers = malloc((j->stack * m->each + 1) *
	                               sizeof *numbers);
	double most = 0;

	if (!numbers) {
		err_set(seq_err(j->s), ERR_MEMORY, "no memory for the quality "
		        "of %zu matrices", j->stack);
		return NAN;
	}
	judge_read(j, m->sums, j->stack * m->each, numbers);
	for (size_t i = 0; i < j->stack; i++) {
		const double x = m->ratio(j, numbers + i * m->each, m->each,
		                          m->vectors);

		if (!args_has_failed(j->a, i) && (x > most || isnan(x)))
			most = x;
	}
	free(numbers);
	return most / m->unit;
}

void judge_settle(const struct judge *j, struct verdict *v)
{
	bool known[2] = { false, false };

	for (int i = 0; i < j->measures && !seq_failed(j->s); i++) {
		const struct measure *m = &j->measure[i];
		double *const to = m->of_q ? &v->orthogonality : &v->residual;
		const double x = worst(j, m);

		if (!known[m->of_q] || x > *to || isnan(x))
			*to = x;
		known[m->of_q] = true;
	}
}

/* Returns |T - W| / |A|. `numbers` alternates between sums of squares of the
 * elements of T - W and of A. */
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

/* Returns |Q^T Q - I|. `numbers` has a sum of squares for every vector x_c:
 * with quality=full, of the elements of column c of E = Q^T Q - I; else of
 * x_c^T E x_d for all other vectors x_d. */
static double gram_ratio(const struct judge *j, const double *numbers,
                         size_t each, size_t vectors)
{
	double sum = 0;

	for (size_t i = 0; i < each; i++)
		sum += numbers[i];
	return sqrt(sum / (j->full ? 1 : (double)(vectors * (vectors - 1))));
}

/* Returns |Q^T Q - I|. `numbers` has x_c^T E x_d for every pair of vectors,
 * where E = Q^T Q - I, as a sum with a term from each work-group. */
static double angle_ratio(const struct judge *j, const double *numbers,
                          size_t each, size_t vectors)
{
	double sum = 0;

	(void)j;
	(void)vectors;
	for (size_t pair = 0; pair < SPREAD_PAIRS; pair++) {
		double product = 0;

		for (size_t i = pair; i < each; i += SPREAD_PAIRS)
			product += numbers[i];
		sum += product * product;
	}
	return sqrt(sum / SPREAD_PAIRS);
}

static double unit_roundoffs(const struct judge *j, size_t size)
{
	return (double)size * dtype_epsilon(j->a->dtype) / 2;
}

double judge_residual_of(const struct judge *j, const double *t,
                         const double *w, size_t length, double square,
                         size_t size)
{
	double sums[2] = { 0, square };

	for (size_t i = 0; i < length * JUDGE_PROBES; i++)
		sums[0] += pow(t[i] - w[i], 2);
	return defect_ratio(j, sums, COUNT(sums), JUDGE_PROBES) /
	       unit_roundoffs(j, size);
}

/* x_c^T E x_d with E = Q^T Q - I, a small difference of two long sums. */
static double angle(const struct judge *j, const double *y, size_t m, size_t q,
                    size_t c, size_t d)
{
	long double sum = 0;

	for (size_t i = 0; i < m; i++)
		sum += (long double)y[c * m + i] * y[d * m + i];
	for (size_t i = 0; i < q; i++)
		sum -= judge_probe(j, c, i) * judge_probe(j, d, i);
	return (double)sum;
}

double judge_orthogonality_of(const struct judge *j, const double *y, size_t m,
                              size_t q)
{
	double products[SPREAD_PAIRS];
	size_t pair = 0;

	for (size_t c = 0; c < JUDGE_PROBES; c++)
		for (size_t d = c + 1; d < JUDGE_PROBES; d++)
			products[pair++] = angle(j, y, m, q, c, d);
	return angle_ratio(j, products, SPREAD_PAIRS, JUDGE_PROBES) /
	       unit_roundoffs(j, m);
}

/* Adds a measure to those that judge_settle() computes. */
static void take(struct judge *j, const struct measure *m)
{
	assert(j->measures < JUDGE_MEASURES);
	j->measure[j->measures++] = *m;
}

void judge_residual(struct judge *j, const struct vectors *t,
                    const struct vectors *w, struct buf square, size_t size)
{
	const size_t length = t->length * t->count;
	const size_t pieces = judge_pieces(length);
	const struct measure m = {
		.sums = judge_room(j, 2 * j->stack * pieces),
		.each = j->spread ? 2 * pieces : 2, .vectors = t->count,
		.unit = unit_roundoffs(j, size), .ratio = defect_ratio,
	};

	if (j->need)
		return;
	if (j->spread)
		seq_launch(j->s, "judge_gaps", judge_spread(j, pieces),
		           ARG_BUF(t->b), ARG_BUF(w->b), ARG_LONG(length),
		           ARG_BUF(square),
		           ARG_INT(matrix_rows(&j->a->in[0])), ARG_INT(pieces),
		           ARG_BUF(m.sums));
	else
		seq_launch(j->s, "judge_defect", judge_groups(j, 1),
		           ARG_BUF(t->b), ARG_BUF(w->b), ARG_LONG(length),
		           ARG_BUF(square),
		           ARG_INT(matrix_rows(&j->a->in[0])),
		           ARG_BUF(m.sums), ARG_LOCAL(j->items * j->wide));
	take(j, &m);
}

void judge_orthogonality(struct judge *j, const struct vectors *y,
                         const struct vectors *x, size_t size)
{
	const size_t pieces = judge_pieces(y->length);
	const size_t spread = SPREAD_PAIRS * pieces;
	const bool pairs = j->spread && !j->full;
	const struct measure m = {
		.sums = judge_room(j, j->stack * size_max(spread, y->count)),
		.each = pairs ? spread : y->count, .vectors = y->count,
		.unit = unit_roundoffs(j, size),
		.ratio = pairs ? angle_ratio : gram_ratio, .of_q = true,
	};

	if (j->need)
		return;
	if (pairs)
		seq_launch(j->s, "judge_angles", judge_spread(j, pieces),
		           ARG_BUF(y->b), ARG_INT(y->length), ARG_BUF(x->b),
		           ARG_INT(x->length), ARG_INT(pieces),
		           ARG_BUF(m.sums));
	else
		seq_launch(j->s, "judge_gram", judge_groups(j, y->count),
		           ARG_BUF(y->b), ARG_INT(y->length), ARG_BUF(x->b),
		           ARG_INT(x->length), ARG_INT(y->count),
		           ARG_INT(!j->full), ARG_BUF(m.sums),
		           ARG_LOCAL(j->items * j->wide));
	take(j, &m);
}
