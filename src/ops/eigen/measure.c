/* measure.c - the residual of a pair, computed with the matrix as given. The
 * residual of a complex pair, a + b i with x + y i, has the real and imaginary
 * parts
 *
 *     B x - a x + b y,  B y - a y - b x */
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/eigen.h"

static double real_residual(struct eigen_problem *p,
                            const struct eigen_pair *r)
{
	double state[STATE_LENGTH] = { 0 };

	eigen_write(p, p->pair, 0, r->vector, p->n);
	eigen_begin(p, p->unit * r->value, 0, 0);
	eigen_round(p, p->pair, 0, p->pair, p->n, state);
	return state[STATE_ERROR];
}

static double sum_of_squares(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sum;
}

/* Turns of = { B x, B y } into the residual. */
static void subtract(const struct eigen_problem *p,
                     const struct eigen_pair *r, double *of)
{
	const double a = p->unit * r->value, b = p->unit * r->imaginary;
	const double *x = r->vector, *y = x + p->n;
	const size_t n = p->n;

	for (size_t i = 0; i < n; i++) {
		of[i] -= a * x[i] - b * y[i];
		of[n + i] -= a * y[i] + b * x[i];
	}
}

static double complex_residual(struct eigen_problem *p,
                               const struct eigen_pair *r)
{
	const size_t n = p->n;
	double *products = malloc(2 * n * sizeof *products), residual = 0;

	if (!products) {
		err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
		return 0;
	}
	eigen_write(p, p->pair, 0, r->vector, 2 * n);
	eigen_begin(p, 0, 0, 0);
	eigen_product(p, p->pair, 0, p->pair, 2 * n);
	eigen_product(p, p->pair, n, p->pair, 3 * n);
	eigen_read(p, p->pair, 2 * n, products, 2 * n);
	if (!seq_failed(p->s)) {
		subtract(p, r, products);
		residual = sqrt(sum_of_squares(products, 2 * n) /
		                sum_of_squares(r->vector, 2 * n));
	}
	free(products);
	return residual;
}

/* The error of rounding a denormal eigenvalue to float64. */
static double rounding(const struct eigen_problem *p)
{
	return p->unit * 0x1p-1074;
}

int eigen_measure(struct eigen_problem *p, struct eigen_pair *r, double least)
{
	const bool real = r->imaginary == 0;
	const double size = p->unit * hypot(r->value, r->imaginary);

	r->residual = real ? real_residual(p, r) : complex_residual(p, r);
	r->iterations++;
	r->error = r->residual > 0 ? r->residual / size : 0;
	r->converged = r->residual <= rounding(p) +
	               fmax(p->tol * size, least);
	return seq_failed(p->s) ? -1 : 0;
}
