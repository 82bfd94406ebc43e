/* symmetric.c - makes symmetric matrices after LAPACK's test matrices (LAPACK
 * Working Note 41, tables 3 and 4): diagonal matrices of given eigenvalues,
 * transformed by random reflections. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "check/rows.h"

/* d = H d H with the reflection H = I - 2 u u' / u'u of a random u. */
static void reflect(double *d, size_t n, uint64_t seed)
{
	double square = 0;

	for (size_t i = 0; i < n; i++)
		square += pow(check_random(seed, i), 2);
	for (size_t j = 0; j < 2 * n && square > 0; j++) {
		double *x = j < n ? d + j : d + (j - n) * n, sum = 0;
		const size_t step = j < n ? n : 1;

		for (size_t i = 0; i < n; i++)
			sum += check_random(seed, i) * x[i * step];
		for (size_t i = 0; i < n; i++)
			x[i * step] -= 2 * sum / square *
			               check_random(seed, i);
	}
}

static bool is_zero(int shape, size_t i, size_t j, size_t n)
{
	const size_t row = shape == SYMMETRIC_FIRST_ZERO ? 0 :
	                   shape == SYMMETRIC_LAST_ZERO ? n - 1 : n / 2;

	switch (shape) {
	case SYMMETRIC_DEFINITE:
	case SYMMETRIC_INDEFINITE:
		return false;
	case SYMMETRIC_DIAGONAL:
		return i != j;
	case SYMMETRIC_HOLLOW:
		return i == j;
	case SYMMETRIC_SADDLE:
		return i < n / 2 && j < n / 2;
	default:
		return i == row || j == row;
	}
}

/* Fills d with eigenvalues whose magnitudes fall geometrically from 1 to 1 /
 * condition. Every second one is negative unless `definite` is set. */
static void fill(double *d, size_t n, double condition, bool definite)
{
	for (size_t i = 0; i < n; i++)
		d[i * n + i] = (i % 2 && !definite ? -1 : 1) *
		    (n < 2 ? 1 : pow(condition, -(double)i / (double)(n - 1)));
}

/* Three reflections leave blocks beside the diagonal with rank 6 at most. The
 * saddle matrix, whose first diagonal block is zero, would be singular with
 * such a block, so the identity is added to that. */
static double element(const double *d, int shape, size_t i, size_t j, size_t n)
{
	if (is_zero(shape, i, j, n))
		return 0;
	return d[i * n + j] + (shape == SYMMETRIC_SADDLE && i == j + n / 2);
}

int fill_spectral(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *x = &a->in[0];
	const size_t n = matrix_rows(x);
	const double eps = dtype_epsilon(x->dtype);
	const double least = x->dtype == FLOAT32 ? FLT_MIN : DBL_MIN;
	const double scale = pow(0.25 * least / eps, -k->range);
	const double condition = k->hardness == 0 ? 2 :
	                         pow(0.1 / eps, k->hardness);
	double *d = calloc(n * n + 1, sizeof *d);

	if (!d)
		return err_set(e, ERR_MEMORY, "no memory for %zux%zu", n, n);
	fill(d, n, condition, k->shape < SYMMETRIC_INDEFINITE);
	for (uint64_t i = 0; i < 3 && k->shape != SYMMETRIC_DIAGONAL; i++)
		reflect(d, n, 21 + i);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(x, i * n + j, scale *
			           element(d, k->shape, i > j ? i : j,
			                   i > j ? j : i, n));
	free(d);
	if (a->op->inputs[1].name && a->in[1].ndim != MATRIX_ABSENT)
		check_fill_sides(x, &a->in[1]);
	return 0;
}

const struct kind check_zeroed_kinds[] = {
	KIND("first row and column zero", fill_spectral,
	     .shape = SYMMETRIC_FIRST_ZERO),
	KIND("middle row and column zero", fill_spectral,
	     .shape = SYMMETRIC_MIDDLE_ZERO),
	KIND("last row and column zero", fill_spectral,
	     .shape = SYMMETRIC_LAST_ZERO),
	{ 0 }
};
