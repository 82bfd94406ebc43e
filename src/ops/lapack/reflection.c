/* reflection.c - see reflection.h. */
#include <math.h>
#include <string.h>

#include "ops/lapack/reflection.h"

enum { LANES = 4 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/* The squares of numbers between these neither overflow nor lose digits to
 * underflow. */
static const double small = 1e-140, large = 1e140;

double reflection_make(double x1, double x2, double x3, struct reflection *r)
{
	const double most = fmax(fabs(x1), fmax(fabs(x2), fabs(x3)));
	const double unit = most < small || most > large ? most : 1;
	double beta, rest;

	*r = (struct reflection){ 0, 0, 0 };
	if (x2 == 0 && x3 == 0)
		return x1;
	x1 /= unit;
	x2 /= unit;
	x3 /= unit;
	beta = -copysign(sqrt(x1 * x1 + x2 * x2 + x3 * x3), x1);
	rest = 1 / (x1 - beta);
	*r = (struct reflection){ x2 * rest, x3 * rest, (beta - x1) / beta };
	return beta * unit;
}

static inline __attribute__((always_inline))
void apply(double *x, size_t ld, size_t count, const struct reflection *r)
{
	const double v2 = r->v2, v3 = r->v3, tau = r->tau;
	double *const y = x + ld, *const z = y + ld;
	size_t j = 0;

	for (; j + LANES <= count; j += LANES) {
		lanes a, b, c, sum;

		memcpy(&a, x + j, sizeof a);
		memcpy(&b, y + j, sizeof b);
		memcpy(&c, z + j, sizeof c);
		sum = tau * (a + v2 * b + v3 * c);
		a -= sum;
		b -= sum * v2;
		c -= sum * v3;
		memcpy(x + j, &a, sizeof a);
		memcpy(y + j, &b, sizeof b);
		memcpy(z + j, &c, sizeof c);
	}
	for (; j < count; j++) {
		const double sum = tau * (x[j] + v2 * y[j] + v3 * z[j]);

		x[j] -= sum;
		y[j] -= sum * v2;
		z[j] -= sum * v3;
	}
}

static void rows(double *x, size_t ld, size_t count,
                 const struct reflection *r)
{
	apply(x, ld, count, r);
}

#ifdef __x86_64__
__attribute__((target("avx2")))
static void rows_avx2(double *x, size_t ld, size_t count,
                      const struct reflection *r)
{
	apply(x, ld, count, r);
}
#endif

reflection_rows *reflection_rows_here(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return rows_avx2;
#endif
	return rows;
}

void reflection_columns(double *x, size_t ld, size_t count,
                        const struct reflection *r)
{
	const double v2 = r->v2, v3 = r->v3, tau = r->tau;

	for (size_t i = 0; i < count; i++, x += ld) {
		const double sum = tau * (x[0] + v2 * x[1] + v3 * x[2]);

		x[0] -= sum;
		x[1] -= sum * v2;
		x[2] -= sum * v3;
	}
}
