/* residual.c - the verdict on an answer of jacobi; see jacobi.h. */
#include <float.h>
#include <math.h>

#include "ops/jacobi/jacobi.h"

/* x / y / z, where x / y and x / z may overflow or underflow. */
static double quotient(double x, double y, double z)
{
	int ex, ey, ez;
	const double fx = frexp(x, &ex), fy = frexp(y, &ey), fz = frexp(z, &ez);

	return ldexp(fx / fy / fz, ex - ey - ez);
}

int jacobi_residual(struct seq *s, struct args *a)
{
	const struct jacobi_rows r = jacobi_rows(&a->in[JACOBI_A]);
	const struct matrix *x = &a->out[JACOBI_X], *b = &a->in[JACOBI_B];
	double worst = 0, norm = 0, peak = 0;

	(void)s;
	if (!x->memory)
		return 0;
	for (size_t i = 0; i < r.n; i++) {
		double rest = matrix_get(b, i), sum = 0;
		size_t k, end;

		for (jacobi_row(&r, i, &k, &end); k < end; k++) {
			const struct jacobi_entry y = jacobi_entry(&r, k);

			rest -= y.value * matrix_get(x, y.column);
			sum += fabs(y.value);
		}
		worst = isnan(rest) ? INFINITY : fmax(worst, fabs(rest));
		norm = fmax(norm, fmin(sum, DBL_MAX));
		peak = fmax(peak, fabs(matrix_get(x, i)));
	}
	a->verdict.residual = worst == 0 || isinf(worst) ? worst :
	              quotient(worst, norm, peak) /
	              ((double)r.n * dtype_epsilon(a->dtype) / 2);
	return 0;
}
