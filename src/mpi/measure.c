/* measure.c - see measure.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "mpi/measure.h"

double measure_sign(size_t i)
{
	return ((i + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 63 ? 1 : -1;
}

double measure_largest(const double *x, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = x[i] > most || isnan(x[i]) ? x[i] : most;
	return most;
}

/* Executes body for each element of this process's share. */
#define EACH(d, i, j, x, body)                                               \
	for (size_t j_ = 0; j_ < (d)->cols; j_++) {                          \
		const size_t j = dist_col(d, j_);                            \
		for (size_t i_ = 0; i_ < (d)->rows; i_++) {                  \
			const size_t i = dist_row(d, i_);                    \
			const double x = dist_element(d, i_, j_);            \
			body;                                                \
		}                                                            \
	}

void measure_times(const struct dist *d, enum measure_part part,
                   const double *x, double *y)
{
	const size_t k = size_min(d->m, d->n);
	const size_t length = part == MEASURE_UPPER ? k : d->m;

	memset(y, 0, length * sizeof *y);
	EACH(d, i, j, value, {
		if (part == MEASURE_ALL || (part == MEASURE_UPPER && i <= j) ||
		    (part == MEASURE_LOWER && i > j))
			y[i] += value * x[j];
	})
	grid_sum(d->g, y, length);
	for (size_t i = 0; part == MEASURE_LOWER && i < k; i++)
		y[i] += x[i];
}

void measure_times_moduli(const struct dist *d, const double *x, double *y)
{
	memset(y, 0, d->m * sizeof *y);
	EACH(d, i, j, value, {
		y[i] += fabs(value) * fabs(x[j]);
	})
	grid_sum(d->g, y, d->m);
}

void measure_column(const struct dist *d, size_t j, double *x)
{
	memset(x, 0, d->m * sizeof *x);
	for (size_t k = 0; k < d->cols; k++)
		for (size_t i = 0; dist_col(d, k) == j && i < d->rows; i++)
			x[dist_row(d, i)] = dist_element(d, i, k);
	grid_sum(d->g, x, d->m);
}

void measure_columns(const struct dist *d, double *sums)
{
	memset(sums, 0, d->n * sizeof *sums);
	EACH(d, i, j, value, {
		(void)i;
		sums[j] += fabs(value);
	})
	grid_sum(d->g, sums, d->n);
}

void measure_rows(const struct dist *d, double *sums)
{
	memset(sums, 0, d->m * sizeof *sums);
	EACH(d, i, j, value, {
		(void)j;
		sums[i] += fabs(value);
	})
	grid_sum(d->g, sums, d->m);
}

void measure_squares(const struct dist *d, double *sums)
{
	memset(sums, 0, d->n * sizeof *sums);
	EACH(d, i, j, value, {
		(void)i;
		sums[j] += value * value;
	})
	grid_sum(d->g, sums, d->n);
}
