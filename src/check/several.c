/* several.c - see several.h. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/several.h"
#include "check/vector.h"
#include "matrix/sparse.h"
#include "ops/eigen/eigen.h"

/* Matrix `index` of the stack. */
struct several {
	const struct args *args;
	size_t n, k, index;		/* rows; eigenvalues */
	long double *a;
	long double norm;		/* |A|_1 */
	long double unit;		/* n eps */
	long double complex *x, *ax;	/* room for a vector each */
};

static long double complex value(const struct several *s, size_t j)
{
	return host_element(&s->args->out[EIGEN_VALUES], s->index * s->k + j);
}

/* Copies vector j of an output to s->x. */
static void load(const struct several *s, int output, size_t j)
{
	for (size_t i = 0; i < s->n; i++)
		s->x[i] = host_element(&s->args->out[output],
		                       (s->index * s->n + i) * s->k + j);
}

/* Returns the elements of all matrices of a stack, or of a CSR matrix. */
static long double *elements(const struct matrix *m)
{
	const size_t n = m->dim[0];
	long double *x;

	if (m->layout != CSR)
		return host_values(m, 0);
	x = calloc(n * n + 1, sizeof *x);
	for (size_t i = 0; x && i < n; i++)
		for (int64_t k = sparse_start(m, i);
		     k < sparse_start(m, i + 1); k++)
			x[i * n + (size_t)sparse_column(m, (size_t)k)] =
			    matrix_get(m, (size_t)k);
	return x;
}

/* Applies a judge to every matrix of the stack and returns the worst value, or
 * infinity if there is no memory. */
static double each(const struct args *a, double (*judge)(struct several *s))
{
	const struct matrix *values = &a->out[EIGEN_VALUES];
	struct several s = { .args = a, .n = matrix_rows(&a->in[0]),
	                     .k = values->dim[values->ndim - 1] };
	long double *all = elements(&a->in[0]);
	long double complex *room = calloc(2 * s.n, sizeof *room);
	const bool has_room = all && room;
	double worst = has_room ? 0 : INFINITY;

	s.unit = (long double)s.n * dtype_epsilon(a->dtype);
	s.x = room;
	s.ax = room + s.n;
	for (; has_room && s.index < a->stack; s.index++) {
		s.a = all + s.index * s.n * s.n;
		s.norm = host_norm1(s.a, s.n, s.n);
		worst = host_worse(worst, judge(&s));
	}
	free(room);
	free(all);
	return worst;
}

/* The largest |A x - lambda x| / (|A| n eps) of the eigenvectors x, or of left
 * eigenvectors y the largest |A^T y - conj(lambda) y| / (|A| n eps). */
static double remainder_of(const struct several *s, int output)
{
	const bool left = output == EIGEN_LEFT_VECTORS;
	double worst = 0;

	for (size_t j = 0; j < s->k; j++) {
		const long double complex l = value(s, j);

		load(s, output, j);
		host_multiply(s->a, left, s->x, s->n, s->ax);
		worst = host_worse(worst, host_ratio(
		    host_remainder(s->ax, left ? conjl(l) : l, s->x, s->n),
		    s->norm * s->unit));
	}
	return worst;
}

static double residual(struct several *s)
{
	return remainder_of(s, EIGEN_VECTORS);
}

static double left_residual(struct several *s)
{
	return remainder_of(s, EIGEN_LEFT_VECTORS);
}

static double length(struct several *s)
{
	double worst = 0;

	for (size_t j = 0; j < s->k; j++) {
		load(s, EIGEN_VECTORS, j);
		worst = host_worse(worst, host_ratio(host_off_unit(s->x, s->n),
		                                     s->unit));
	}
	return worst;
}

/* The eigenvectors of a symmetric matrix must be real. */
static double orthogonality(struct several *s)
{
	const struct matrix *v = &s->args->out[EIGEN_VECTORS];
	long double *x = host_values(v, 0);
	const double worst = !x || dtype_is_complex(v->dtype) ? INFINITY :
	    host_ratio(host_off_orthogonal(x + s->index * s->n * s->k, s->n,
	                                   s->k, s->k, 1), s->unit);

	free(x);
	return worst;
}

/* --- Jacobi's method */

/* Rotates rows and columns p and q so that a_pq becomes zero. */
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

/* Makes the symmetric matrix a diagonal. The elements that remain beside the
 * diagonal are far below float64's rounding errors. */
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

/* The distance of the eigenvalues from those by Jacobi's method, which
 * overwrites s->a. */
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

/* A client computes moduli in double, so the judge compares them in double. */
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
