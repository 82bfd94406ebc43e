/* entries.c - see entries.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/sparse.h"
#include "ops/eigen/entries.h"

static int make_room(struct entries *e, size_t n, size_t nnz)
{
	*e = (struct entries){
		.n = n,
		.start = calloc(n + 2, sizeof *e->start),
		.column = malloc((nnz + 1) * sizeof *e->column),
		.value = malloc((nnz + 1) * sizeof *e->value),
	};
	return e->start && e->column && e->value ? 0 : -1;
}

void entries_fini(struct entries *e)
{
	free(e->start);
	free(e->column);
	free(e->value);
	*e = (struct entries){ 0 };
}

/* Returns x / 2^power, in two steps because 2^-power may be beyond float64's
 * range. */
static double divided(double x, int power)
{
	return ldexp(ldexp(x, -(power / 2)), -(power - power / 2));
}

int entries_load(struct entries *e, const struct matrix *m, int *power)
{
	double most = 0;

	if (make_room(e, m->dim[0], m->nnz) < 0)
		return -1;
	memcpy(e->start, sparse_starts(m), (e->n + 1) * sizeof *e->start);
	memcpy(e->column, sparse_columns(m), m->nnz * sizeof *e->column);
	for (size_t k = 0; k < m->nnz; k++) {
		e->value[k] = matrix_get(m, k);
		most = fmax(most, fabs(e->value[k]));
	}
	*power = most > 0 ? ilogb(most) : 0;
	for (size_t k = 0; k < m->nnz; k++)
		e->value[k] = divided(e->value[k], *power);
	return 0;
}

int entries_transpose(const struct entries *a, struct entries *t)
{
	const size_t nnz = (size_t)a->start[a->n];

	if (make_room(t, a->n, nnz) < 0)
		return -1;
	/* start[j + 2] first counts the entries of A's column j. After the
	 * sums, start[j + 1] is where row j of T begins; while T is filled, it
	 * is where that row's next entry goes, and in the end where row j + 1
	 * begins. */
	for (size_t k = 0; k < nnz; k++)
		t->start[a->column[k] + 2]++;
	for (size_t j = 1; j <= a->n; j++)
		t->start[j + 1] += t->start[j];
	for (size_t i = 0; i < a->n; i++)
		for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
			const int64_t to = t->start[a->column[k] + 1]++;

			t->column[to] = (int32_t)i;
			t->value[to] = a->value[k];
		}
	return 0;
}

/* The position of the next entry in a row of one matrix. */
struct next {
	int64_t at, end;
	const struct entries *of;
};

static struct next next_of(const struct entries *e, size_t i)
{
	return (struct next){ e->start[i], e->start[i + 1], e };
}

/* Returns the column of the next entry, or INT32_MAX if the row has ended. */
static int32_t column_of(const struct next *x)
{
	return x->at < x->end ? x->of->column[x->at] : INT32_MAX;
}

/* Returns the value of the next entry and moves on if it is in that column;
 * returns 0 if it is in another one. */
static double take(struct next *x, int32_t column)
{
	return column_of(x) == column ? x->of->value[x->at++] : 0;
}

int entries_mean(const struct entries *a, const struct entries *t,
                 double slack, struct entries *mean, bool *differs,
                 size_t *row, size_t *column)
{
	int64_t to = 0;

	*differs = false;
	if (make_room(mean, a->n, 2 * (size_t)a->start[a->n]) < 0)
		return -1;
	for (size_t i = 0; i < a->n; i++) {
		struct next x = next_of(a, i), y = next_of(t, i);

		while (x.at < x.end || y.at < y.end) {
			const int32_t u = column_of(&x), v = column_of(&y);
			const int32_t j = u < v ? u : v;
			const double p = take(&x, j), q = take(&y, j);

			if (!*differs && fabs(p - q) > slack) {
				*differs = true;
				*row = i;
				*column = (size_t)j;
			}
			mean->column[to] = j;
			mean->value[to++] = (p + q) / 2;
		}
		mean->start[i + 1] = to;
	}
	return 0;
}

void entries_times(const struct entries *a, const double *x, double *y,
                   size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		double sum = 0;

		for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
			sum += a->value[k] * x[a->column[k]];
		y[i] = sum;
	}
}

double entries_norm(const struct entries *a)
{
	double most = 0;

	for (size_t i = 0; i < a->n; i++) {
		double sum = 0;

		for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
			sum += fabs(a->value[k]);
		most = fmax(most, sum);
	}
	return most;
}
