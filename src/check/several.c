/* several.c - see several.h. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/several.h"
#include "ops/eigen/eigen.h"

/* One matrix of the stack. */
struct several {
	const struct args *args;
	size_t n, k, index;		/* rows; eigenvalues */
	long double *a;
	long double norm;		/* |A|_1 */
	long double unit;		/* n eps */
};

static long double complex element(const struct matrix *m, size_t i)
{
	return matrix_get(m, i) + I * matrix_get_imaginary(m, i);
}

static long double complex value(const struct several *s, size_t j)
{
	return element(&s->args->out[EIGEN_VALUES], s->index * s->k + j);
}

static long double complex component(const struct several *s, int output,
                                     size_t i, size_t j)
{
	return element(&s->args->out[output],
	               (s->index * s->n + i) * s->k + j);
}

/* Applies a judge to every matrix: the worst. */
static double each(const struct args *a, double (*judge)(struct several *s))
{
	const struct matrix *values = &a->out[EIGEN_VALUES];
	struct several s = { .args = a, .n = matrix_rows(&a->in[0]),
	                     .k = values->dim[values->ndim - 1] };
	long double *all = host_values(&a->in[0], 0);
	double worst = all ? 0 : INFINITY;

	s.unit = (long double)s.n * dtype_epsilon(a->dtype);
	for (; all && s.index < a->stack; s.index++) {
		s.a = all + s.index * s.n * s.n;
		s.norm = host_norm1(s.a, s.n, s.n);
		worst = host_worse(worst, judge(&s));
	}
	free(all);
	return worst;
}

/* |A x - lambda x| of column j; of a left vector |A^T y - conj(lambda) y|. */
static double remainder_of(const struct several *s, int output, size_t j)
{
	const bool left = output == EIGEN_LEFT_VECTORS;
	const long double complex l = left ? conjl(value(s, j)) : value(s, j);
	long double error = 0;

	for (size_t i = 0; i < s->n; i++) {
		long double complex r = -l * component(s, output, i, j);

		for (size_t m = 0; m < s->n; m++)
			r += s->a[left ? m * s->n + i : i * s->n + m] *
			     component(s, output, m, j);
		error += powl(cabsl(r), 2);
	}
	return host_ratio(sqrtl(error), s->norm * s->unit);
}

static double residual(struct several *s)
{
	double worst = 0;

	for (size_t j = 0; j < s->k; j++)
		worst = host_worse(worst, remainder_of(s, EIGEN_VECTORS, j));
	return worst;
}

static double left_residual(struct several *s)
{
	double worst = 0;

	for (size_t j = 0; j < s->k; j++)
		worst = host_worse(worst,
		                   remainder_of(s, EIGEN_LEFT_VECTORS, j));
	return worst;
}

static double length_of(const struct several *s, size_t j)
{
	long double complex largest = 0;
	long double size = 0;

	for (size_t i = 0; i < s->n; i++) {
		const long double complex x = component(s, EIGEN_VECTORS, i, j);

		size += powl(cabsl(x), 2);
		if (cabsl(x) > cabsl(largest))
			largest = x;
	}
	if (!(creall(largest) > 0) || cimagl(largest) != 0)
		return INFINITY;
	return host_ratio(sqrtl(size) - 1, s->unit);
}

static double length(struct several *s)
{
	double worst = 0;

	for (size_t j = 0; j < s->k; j++)
		worst = host_worse(worst, length_of(s, j));
	return worst;
}

static double orthogonality(struct several *s)
{
	double worst = 0;

	for (size_t j = 0; j < s->k; j++) {
		long double sum = 0;

		for (size_t l = 0; l < s->k; l++) {
			long double complex x = -(long double)(j == l);

			for (size_t i = 0; i < s->n; i++)
				x += component(s, EIGEN_VECTORS, i, j) *
				     component(s, EIGEN_VECTORS, i, l);
			sum += cabsl(x);
		}
		worst = host_worse(worst, host_ratio(sum, s->unit));
	}
	return worst;
}

/* --- Jacobi's method */

static void rotate(long double *a, size_t n, size_t p, size_t q)
{
	const long double x = a[p * n + q];
	const long double theta = (a[q * n + q] - a[p * n + p]) / (2 * x);
	const long double t = copysignl(1, theta) /
	    (fabsl(theta) + sqrtl(theta * theta + 1));
	const long double c = 1 / sqrtl(t * t + 1), s = t * c;

	for (size_t j = 0; j < n; j++) {
		const long double u = a[p * n + j], v = a[q * n + j];

		a[p * n + j] = c * u - s * v;
		a[q * n + j] = s * u + c * v;
	}
	for (size_t i = 0; i < n; i++) {
		const long double u = a[i * n + p], v = a[i * n + q];

		a[i * n + p] = c * u - s * v;
		a[i * n + q] = s * u + c * v;
	}
	a[p * n + q] = a[q * n + p] = 0;
}

/* Makes the symmetric matrix diagonal, but for elements far below float64's
 * rounding errors. */
static void diagonalise(long double *a, size_t n, long double norm)
{
	enum { SWEEPS = 30 };
	bool done = false;

	for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
		done = true;
		for (size_t p = 0; p < n; p++)
			for (size_t q = p + 1; q < n; q++) {
				if (fabsl(a[p * n + q]) <= 1e-18L * norm)
					continue;
				rotate(a, n, p, q);
				done = false;
			}
	}
}

static int ascending(const void *a, const void *b)
{
	const long double x = *(const long double *)a;
	const long double y = *(const long double *)b;

	return x < y ? -1 : x > y;
}

static double distance(struct several *s)
{
	double worst = 0;

	diagonalise(s->a, s->n, s->norm);
	for (size_t i = 0; i < s->n; i++)
		s->a[i] = s->a[i * s->n + i];
	qsort(s->a, s->n, sizeof *s->a, ascending);
	for (size_t i = 0; i < s->k; i++)
		worst = host_worse(worst, host_ratio(
		    cabsl(value(s, i) - s->a[i]), s->norm * s->unit));
	return worst;
}

static double traces(struct several *s)
{
	long double complex first = 0, second = 0;

	for (size_t j = 0; j < s->k; j++) {
		first += value(s, j);
		second += value(s, j) * value(s, j);
	}
	for (size_t i = 0; i < s->n; i++) {
		first -= s->a[i * s->n + i];
		for (size_t j = 0; j < s->n; j++)
			second -= s->a[i * s->n + j] * s->a[j * s->n + i];
	}
	return host_worse(host_ratio(cabsl(first), s->norm * s->unit),
	    host_ratio(sqrtl(cabsl(second)), s->norm * sqrtl(s->unit)));
}

static double ascend(struct several *s)
{
	for (size_t j = 1; j < s->k; j++)
		if (!(creall(value(s, j)) >= creall(value(s, j - 1))))
			return INFINITY;
	return 0;
}

/* Moduli are compared as a client computes them, in double. */
static double modulus(const struct several *s, size_t j)
{
	return hypot((double)creall(value(s, j)), (double)cimagl(value(s, j)));
}

static double descend(struct several *s)
{
	const double rounding = dtype_epsilon(s->args->dtype);

	for (size_t j = 1; j < s->k; j++) {
		const bool second = cimagl(value(s, j)) < 0;

		if (!(modulus(s, j) <= modulus(s, j - 1) * (1 + rounding)) ||
		    (second && value(s, j) != conjl(value(s, j - 1))))
			return INFINITY;
	}
	return cimagl(value(s, 0)) < 0 ? INFINITY : 0;
}

/* --- the judges */

double several_residual(const struct args *a)
{
	return each(a, residual);
}

double several_left_residual(const struct args *a)
{
	return each(a, left_residual);
}

double several_length(const struct args *a)
{
	return each(a, length);
}

double several_orthogonality(const struct args *a)
{
	return each(a, orthogonality);
}

double several_distance(const struct args *a)
{
	return each(a, distance);
}

double several_traces(const struct args *a)
{
	return each(a, traces);
}

double several_ascend(const struct args *a)
{
	return each(a, ascend);
}

double several_descend(const struct args *a)
{
	return each(a, descend);
}
