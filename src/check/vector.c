/* vector.c - see vector.h. */
#include <math.h>

#include "check/vector.h"

long double complex host_element(const struct matrix *m, size_t i)
{
	return matrix_get(m, i) + I * matrix_get_imaginary(m, i);
}

void host_multiply(const long double *a, bool transposed,
                   const long double complex *x, size_t n,
                   long double complex *y)
{
	for (size_t i = 0; i < n; i++) {
		y[i] = 0;
		for (size_t j = 0; j < n; j++)
			y[i] += a[transposed ? j * n + i : i * n + j] * x[j];
	}
}

long double host_norm2(const long double complex *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += powl(cabsl(x[i]), 2);
	return sqrtl(sum);
}

long double host_remainder(const long double complex *y,
                           long double complex lambda,
                           const long double complex *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += powl(cabsl(y[i] - lambda * x[i]), 2);
	return sqrtl(sum);
}

long double host_off_unit(const long double complex *x, size_t n)
{
	long double complex largest = 0;

	for (size_t i = 0; i < n; i++)
		if (cabsl(x[i]) > cabsl(largest))
			largest = x[i];
	if (!(creall(largest) > 0) || cimagl(largest) != 0)
		return INFINITY;
	return fabsl(host_norm2(x, n) - 1);
}
