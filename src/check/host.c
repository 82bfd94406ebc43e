/* host.c - see host.h. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "matrix/sparse.h"

/* Writes the elements of the sparse matrix m to the row-major array x, which is
 * zero before. */
static void spread(const struct matrix *m, long double *x)
{
	const int64_t *start = sparse_starts(m);

	for (size_t i = 0; i < m->dim[0]; i++)
		for (int64_t k = start[i]; k < start[i + 1]; k++)
			x[i * m->dim[1] + (size_t)sparse_columns(m)[k]] =
			    matrix_get(m, (size_t)k);
}

long double *host_values(const struct matrix *m, size_t more)
{
	const bool sparse = m->layout == CSR;
	const size_t n = sparse ? m->dim[0] * m->dim[1] : matrix_elements(m);
	long double *x = calloc(n + more + 1, sizeof *x);

	if (x && sparse)
		spread(m, x);
	for (size_t i = 0; x && !sparse && i < n; i++)
		x[i] = matrix_get(m, i);
	return x;
}

double host_ratio(long double error, long double size)
{
	return error == 0 ? 0 : size > 0 ? (double)(fabsl(error) / size) :
	       isnan(error) ? NAN : INFINITY;
}

double host_worse(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

long double host_norm1(const long double *a, size_t m, size_t n)
{
	long double most = 0;

	for (size_t j = 0; j < n; j++) {
		long double sum = 0;

		for (size_t i = 0; i < m; i++)
			sum += fabsl(a[i * n + j]);
		most = sum > most || isnan(sum) ? sum : most;
	}
	return most;
}

void host_subtract(long double *a, const struct host_product *p)
{
	for (size_t i = 0; i < p->m; i++)
		for (size_t k = 0; k < p->k; k++)
			for (size_t j = 0; j < p->n; j++)
				a[i * p->n + j] -=
				    p->x[i * p->row + k * p->column] *
				    p->y[k * p->n + j];
}

static void swap_rows(long double *a, size_t n, size_t i, size_t k)
{
	for (size_t j = 0; i != k && j < n; j++) {
		const long double t = a[i * n + j];

		a[i * n + j] = a[k * n + j];
		a[k * n + j] = t;
	}
}

static void scale_row(long double *a, size_t n, size_t i, long double by)
{
	for (size_t j = 0; j < n; j++)
		a[i * n + j] *= by;
}

/* Subtracts `by` times row k from row i. */
static void subtract_row(long double *a, size_t n, size_t i, size_t k,
                         long double by)
{
	for (size_t j = 0; j < n; j++)
		a[i * n + j] -= by * a[k * n + j];
}

static size_t pivot_of(const long double *a, size_t n, size_t k)
{
	size_t best = k;

	for (size_t i = k + 1; i < n; i++)
		if (fabsl(a[i * n + k]) > fabsl(a[best * n + k]))
			best = i;
	return best;
}

bool host_invert(long double *a, long double *inverse, size_t n)
{
	for (size_t i = 0; i < n * n; i++)
		inverse[i] = i % (n + 1) == 0;
	for (size_t k = 0; k < n; k++) {
		const size_t p = pivot_of(a, n, k);
		const long double pivot = a[p * n + k];

		if (pivot == 0 || isnan(pivot))
			return false;
		swap_rows(a, n, k, p);
		swap_rows(inverse, n, k, p);
		scale_row(a, n, k, 1 / pivot);
		scale_row(inverse, n, k, 1 / pivot);
		for (size_t i = 0; i < n; i++) {
			const long double by = a[i * n + k];

			if (i == k || by == 0)
				continue;
			subtract_row(a, n, i, k, by);
			subtract_row(inverse, n, i, k, by);
		}
	}
	return true;
}

long double host_off_orthogonal(const long double *x, size_t m, size_t n,
                                size_t row, size_t column)
{
	long double most = 0;

	for (size_t c = 0; c < n; c++) {
		long double all = 0;

		for (size_t d = 0; d < n; d++) {
			long double sum = c == d ? -1 : 0;

			for (size_t i = 0; i < m; i++)
				sum += x[i * row + c * column] *
				       x[i * row + d * column];
			all += fabsl(sum);
		}
		most = all > most || isnan(all) ? all : most;
	}
	return most;
}

bool host_is_definite(long double *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = j; i < n; i++) {
			long double sum = a[i * n + j];

			for (size_t k = 0; k < j; k++)
				sum -= a[i * n + k] * a[j * n + k];
			if (i == j && !(sum > 0))
				return false;
			a[i * n + j] = i == j ? sqrtl(sum) :
			               sum / a[j * n + j];
		}
	return true;
}
