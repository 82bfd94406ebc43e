/* pair.c - see pair.h. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/pair.h"
#include "check/vector.h"
#include "ops/eigen/eigen.h"
#include "ops/eigen/schur.h"

/* A, v and A v, on the host. */
struct pair {
	size_t n;
	long double *a;
	long double complex value, *v, *av;
};

static bool pair_init(struct pair *p, const struct args *a)
{
	p->n = matrix_rows(&a->in[0]);
	p->value = host_element(&a->out[EIGEN_VALUE], 0);
	p->a = host_values(&a->in[0], 0);
	p->v = calloc(p->n, sizeof *p->v);
	p->av = calloc(p->n, sizeof *p->av);
	if (!p->a || !p->v || !p->av)
		return false;
	for (size_t i = 0; i < p->n; i++)
		p->v[i] = host_element(&a->out[EIGEN_VECTOR], i);
	host_multiply(p->a, false, p->v, p->n, p->av);
	return true;
}

static void pair_fini(struct pair *p)
{
	free(p->a);
	free(p->v);
	free(p->av);
}

/* The error that lambda may have is tol |lambda| + n eps |A|. */
static long double slack(const struct pair *p, const struct args *a)
{
	const long double rounding = (long double)p->n *
	    dtype_epsilon(a->dtype) * host_norm1(p->a, p->n, p->n);

	return a->param[EIGEN_P_TOL] * cabsl(p->value) + rounding;
}

/* |A v - lambda v| / (slack |v|) */
static double residual_of(const struct pair *p, const struct args *a)
{
	return host_ratio(host_remainder(p->av, p->value, p->v, p->n),
	                  slack(p, a) * host_norm2(p->v, p->n));
}

/* | |v| - 1 | / (n eps), or infinity unless the largest component of v is real
 * and positive. */
static double length_of(const struct pair *p, const struct args *a)
{
	return host_ratio(host_off_unit(p->v, p->n),
	                  (long double)p->n * dtype_epsilon(a->dtype));
}

/* Returns whether bound I + sign A is positive definite. Overwrites p->a. */
static bool is_bound(const struct pair *p, const struct args *a,
                     long double bound, int sign)
{
	const size_t n = p->n;

	for (size_t i = 0; i < n * n; i++)
		p->a[i] = sign * (long double)matrix_get(&a->in[0], i) +
		          (i % (n + 1) == 0 ? bound : 0);
	return host_is_definite(p->a, n);
}

static double symmetric_of(const struct pair *p, const struct args *a)
{
	const long double bound = cabsl(p->value) + slack(p, a);

	return is_bound(p, a, bound, 1) && is_bound(p, a, bound, -1) ?
	       0 : INFINITY;
}

/* Computes Collatz and Wielandt's bounds of the Perron root from v, which are
 * called the enclosure here. Returns false unless v is positive. */
static bool enclose(const struct pair *p, long double *low, long double *high)
{
	*low = INFINITY;
	*high = 0;
	for (size_t i = 0; i < p->n; i++) {
		const long double q = creall(p->av[i]) / creall(p->v[i]);

		if (!(creall(p->v[i]) > 0))
			return false;
		*low = q < *low ? q : *low;
		*high = q > *high ? q : *high;
	}
	return true;
}

/* The distance of lambda from the ends of the enclosure, in units of slack. */
static double enclosure_of(const struct pair *p, const struct args *a)
{
	const long double value = creall(p->value);
	long double low, high;

	if (!enclose(p, &low, &high))
		return INFINITY;
	return host_worse(host_ratio(high - value, slack(p, a)),
	                  host_ratio(value - low, slack(p, a)));
}

/* The distance by which the answered bracket lies outside the enclosure, in
 * units of slack, or infinity if the answer has no bracket. */
static double bracket_of(const struct pair *p, const struct args *a)
{
	const struct matrix *b = &a->out[EIGEN_BRACKET];
	long double low, high;

	if (!args_wants(a, EIGEN_BRACKET) || !enclose(p, &low, &high) ||
	    !(matrix_get(b, 0) <= matrix_get(b, 1)))
		return INFINITY;
	return host_worse(host_ratio(fmaxl(matrix_get(b, 0) - high, 0),
	                             slack(p, a)),
	                  host_ratio(fmaxl(low - matrix_get(b, 1), 0),
	                             slack(p, a)));
}

/* |lambda - lambda_1| / (slack times the condition of lambda_1) */
static double distance_of(const struct pair *p, const struct args *a)
{
	static struct schur s;
	static double h[SCHUR_MAX][SCHUR_MAX];
	double complex x[SCHUR_MAX], dominant;
	double condition;

	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->n; j++)
			h[i][j] = (double)p->a[i * p->n + j];
	if (schur_form(&s, (int)p->n, h) < 0)
		return NAN;
	schur_sort(&s);
	condition = schur_vector(&s, 0, x);
	dominant = s.t[0][0];
	/* Of a conjugate pair, the answer has the value with the positive
	 * imaginary part. */
	if (cimag(dominant) < 0)
		dominant = conj(dominant);
	return host_ratio(cabs((double complex)p->value - dominant),
	                  condition * slack(p, a));
}

/* Applies a judge to the answered pair. Returns NAN if there is no memory. */
static double judge(const struct args *a,
                    double (*value)(const struct pair *p,
                                    const struct args *a))
{
	struct pair p;
	const double x = pair_init(&p, a) ? value(&p, a) : NAN;

	pair_fini(&p);
	return x;
}

double pair_residual(const struct args *a)
{
	return judge(a, residual_of);
}

double pair_length(const struct args *a)
{
	return judge(a, length_of);
}

double pair_symmetric(const struct args *a)
{
	return judge(a, symmetric_of);
}

double pair_enclosure(const struct args *a)
{
	return judge(a, enclosure_of);
}

double pair_bracket(const struct args *a)
{
	return judge(a, bracket_of);
}

double pair_distance(const struct args *a)
{
	return judge(a, distance_of);
}
