/* kinds.c - matrices for the tests of this folder, and their test ratios. */
#include "tests/ops/hessenberg/hessenberg.h"

#define MOST_RATIO 20.0

double hessenberg_random(size_t i, size_t j, size_t n)
{
	uint64_t z = (i * 100003 + j + (n > 0)) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return (double)(z >> 11) * 0x1p-52 - 1;
}

double hessenberg_zero(size_t i, size_t j, size_t n)
{
	return 0 * (double)(i + j + n);
}

double hessenberg_grcar(size_t i, size_t j, size_t n)
{
	return n && j + 1 == i ? -1 : j >= i && j <= i + 3;
}

double hessenberg_frank(size_t i, size_t j, size_t n)
{
	return i > j + 1 ? 0 : (double)(n - (i > j ? i : j)) / (double)n;
}

/* The largest sum of the magnitudes of a column of the column-major X - Y. */
static double distance(const double *x, const double *y, size_t n)
{
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += fabs(x[j * n + i] - (y ? y[j * n + i] : 0));
		most = fmax(most, sum);
	}
	return most;
}

/* C = A B^T or A B, all column-major. */
static void product(const double *a, const double *b, bool transposed,
                    size_t n, double *c)
{
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < n; i++)
			c[j * n + i] = 0;
		for (size_t k = 0; k < n; k++) {
			const double x = b[transposed ? k * n + j : j * n + k];

			for (size_t i = 0; i < n; i++)
				c[j * n + i] += a[k * n + i] * x;
		}
	}
}

void hessenberg_judge(const double *a, const double *h, const double *q,
                      size_t n, double epsilon)
{
	const double unit = (double)n * epsilon, norm = hessenberg_norm(a, n);
	double *x = calloc(n * n, sizeof *x), *y = calloc(n * n, sizeof *y);
	double ratio;

	product(q, h, false, n, x);
	product(x, q, true, n, y);
	ratio = distance(a, y, n) / (norm > 0 ? norm * unit : 1);
	ck_assert_msg(ratio <= MOST_RATIO, "n = %zu: %g", n, ratio);
	product(q, q, true, n, x);
	for (size_t i = 0; i < n * n; i++)
		y[i] = i % (n + 1) == 0;
	ratio = distance(x, y, n) / unit;
	ck_assert_msg(ratio <= MOST_RATIO, "n = %zu: Q %g", n, ratio);
	free(x);
	free(y);
}

double hessenberg_norm(const double *a, size_t n)
{
	return distance(a, NULL, n);
}
