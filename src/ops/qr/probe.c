/* probe.c - see probe.h. */
#include "ops/qr/probe.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 8 };

/* The dot product is summed in LANES parts, so that the compiler may use vector
 * instructions. */
#define DOT(name, type)                                                      \
static double name(const type *a, const double *x, size_t n)                 \
{                                                                            \
	double part[LANES] = { 0 }, sum = 0;                                 \
	size_t i = 0;                                                        \
                                                                             \
	for (; i + LANES <= n; i += LANES)                                   \
		for (size_t k = 0; k < LANES; k++)                           \
			part[k] += (double)a[i + k] * x[i + k];              \
	for (; i < n; i++)                                                   \
		sum += (double)a[i] * x[i];                                  \
	for (size_t k = 0; k < LANES; k++)                                   \
		sum += part[k];                                              \
	return sum;                                                          \
}

#define ADD(name, type)                                                      \
static void name(const type *a, double by, size_t n, double *y)              \
{                                                                            \
	for (size_t i = 0; i < n; i++)                                       \
		y[i] += (double)a[i] * by;                                   \
}

DOT(dot_32, float)
DOT(dot_64, double)
ADD(add_32, float)
ADD(add_64, double)

/* Multiplies every element by the unit first, for elements that are so small or
 * so large that their own products would underflow or overflow. */
static double dot_scaled(const struct probed *a, size_t row, const double *x)
{
	const double *p = (const double *)a->x + row * a->n;
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		sum += p[i] * a->unit * x[i];
	return sum;
}

/* Can the unit be applied after the summation? */
static bool is_moderate(const struct probed *a)
{
	return a->dtype == FLOAT32 || (a->unit < 0x1p500 && a->unit > 0x1p-500);
}

/* The product of row i and x. */
static double row_times(const struct probed *a, size_t i, const double *x)
{
	const float *p = a->x;
	const double *q = a->x;

	return !is_moderate(a) ? dot_scaled(a, i, x) :
	       a->dtype == FLOAT32 ? dot_32(p + i * a->n, x, a->n) * a->unit :
	       dot_64(q + i * a->n, x, a->n) * a->unit;
}

void probe_times(const struct probed *a, const double *x, double *y)
{
	for (size_t i = 0; i < a->m; i++)
		y[i] = row_times(a, i, x);
}

double probe_off(const struct probed *a, const double *x, const double *y)
{
	double sum = 0;

	for (size_t i = 0; i < a->m; i++) {
		const double e = row_times(a, i, x) - y[i];

		sum += e * e;
	}
	return sqrt(sum);
}

double probe_size(const struct probed *a)
{
	const size_t n = a->m * a->n;
	double part[LANES] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double e = a->unit * (a->dtype == FLOAT32 ?
		    (double)((const float *)a->x)[i] :
		    ((const double *)a->x)[i]);

		part[i % LANES] += e * e;
	}
	for (size_t k = 0; k < LANES; k++)
		sum += part[k];
	return sqrt(sum);
}

void probe_add(enum dtype t, const void *v, double by, size_t n, double *y)
{
	if (t == FLOAT32)
		add_32(v, by, n, y);
	else
		add_64(v, by, n, y);
}

void probe_reflect(enum dtype t, const void *v, size_t n, double tau,
                   double *y)
{
	const void *rest = (const char *)v + dtype_bytes(t);
	const double by = tau * (y[0] + (t == FLOAT32 ?
	                                 dot_32(rest, y + 1, n - 1) :
	                                 dot_64(rest, y + 1, n - 1)));

	y[0] -= by;
	probe_add(t, rest, -by, n - 1, y + 1);
}

void probe_turned(const struct probed *a, const double *x, double *y)
{
	const float *p = a->x;
	const double *q = a->x;

	memset(y, 0, a->n * sizeof *y);
	for (size_t i = 0; i < a->m; i++)
		if (a->dtype == FLOAT32)
			add_32(p + i * a->n, x[i] * a->unit, a->n, y);
		else if (is_moderate(a))
			add_64(q + i * a->n, x[i] * a->unit, a->n, y);
		else
			for (size_t j = 0; j < a->n; j++)
				y[j] += q[i * a->n + j] * a->unit * x[i];
}

void probe_fill(double *x, size_t n, bool exact, size_t c)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t hash = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

		x[i] = exact ? i == c : hash >> 63 ? 1 : -1;
	}
}

double probe_norm(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}

double probe_unit(double x)
{
	enum { MOST = 1000 };

	if (!(x > 0) || isinf(x))
		return 1;
	return ldexp(1, (int)-fmax(-MOST, fmin(MOST, ilogb(x))));
}
