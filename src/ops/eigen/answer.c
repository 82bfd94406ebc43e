/* answer.c - writes the answer for a pair, and the words for a failure. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "ops/eigen/eigen.h"
#include "ops/failure.h"

enum { PARTS = 1u << EIGEN_VALUE | 1u << EIGEN_VECTOR };

/* The kinds of ERR_MATHEMATICS, kept in failure_detail.at. */
enum { NEGATIVE_ELEMENTS, BEYOND_FLOAT64 };

double eigen_tol(const struct args *a)
{
	return args_real(a, EIGEN_P_TOL, a->dtype == FLOAT32 ? 1e-5 : 1e-8);
}

static void put(struct args *a, int output, size_t i, double value)
{
	if (a->out[output].memory)
		matrix_set(&a->out[output], i, value);
}

/* Writes a real vector with unit 2-norm, and with the sign that makes its
 * largest component as stored, the first of several, positive. */
static void put_real(struct matrix *out, size_t at, const double *v, size_t n)
{
	double peak = 0, sum = 0, big = 0;

	for (size_t i = 0; i < n; i++)
		peak = fmax(peak, fabs(v[i]));
	for (size_t i = 0; i < n; i++)
		sum += v[i] / peak * (v[i] / peak);
	for (size_t i = 0; i < n; i++) {
		matrix_set(out, at + i, v[i] / peak / sqrt(sum));
		if (fabs(matrix_get(out, at + i)) > fabs(big))
			big = matrix_get(out, at + i);
	}
	for (size_t i = 0; i < n && big < 0; i++)
		matrix_set(out, at + i, 0 - matrix_get(out, at + i));
}

/* The index of the first of those components whose moduli are the largest but
 * for rounding. */
static size_t largest(const double *x, const double *y, size_t n, double *peak)
{
	size_t k = 0;

	*peak = 0;
	for (size_t i = 0; i < n; i++)
		*peak = fmax(*peak, hypot(x[i], y[i]));
	while (hypot(x[k], y[k]) < *peak * (1 - 64 * DBL_EPSILON))
		k++;
	return k;
}

/* Writes x + i y with unit 2-norm and with the phase that makes component k
 * real and positive. Other components may exceed k's modulus by rounding
 * errors; k's is then raised above them, so that a client who looks for the
 * largest component finds k. */
static void put_complex(struct matrix *out, size_t at, const double *x,
                        const double *y, size_t n)
{
	double peak, sum = 0, most = 0;
	const size_t k = largest(x, y, n, &peak);
	const double c = x[k] / hypot(x[k], y[k]);
	const double s = -y[k] / hypot(x[k], y[k]);

	for (size_t i = 0; i < n; i++)
		sum += i == k ? 1 : pow(hypot(x[i] / peak, y[i] / peak), 2);
	for (size_t i = 0; i < n; i++) {
		const double re = x[i] / peak / sqrt(sum);
		const double im = y[i] / peak / sqrt(sum);

		if (i == k)
			continue;
		/* Adding 0 turns -0 into 0. */
		matrix_set_complex(out, at + i, c * re - s * im + 0.0,
		                   s * re + c * im + 0.0);
		most = fmax(most, hypot(matrix_get(out, at + i),
		    matrix_get_imaginary(out, at + i)));
	}
	most *= 1 + 2 * dtype_epsilon(dtype_part(out->dtype));
	matrix_set_complex(out, at + k, fmax(1 / sqrt(sum), most), 0);
}

static void put_vector(struct args *a, const struct eigen_problem *p,
                       const struct eigen_pair *r)
{
	struct matrix *out = &a->out[EIGEN_VECTOR];
	const size_t n = p->n, at = p->index * n;

	if (!out->memory)
		return;
	if (r->imaginary == 0)
		put_real(out, at, r->vector, n);
	else
		put_complex(out, at, r->vector, r->vector + n, n);
}

static void judge(struct args *a, const struct eigen_problem *p,
                  const struct eigen_pair *r)
{
	const double unit = (double)p->n * dtype_epsilon(a->dtype) * p->norm;

	if (a->quality == QUALITY_NONE)
		return;
	a->verdict.residual = fmax(a->verdict.residual, r->residual == 0 ? 0 :
	                           r->residual / unit);
	if (r->condition > 0)
		a->verdict.condition = fmax(a->verdict.condition,
		                            r->condition);
}

void eigen_put(struct args *a, const struct eigen_problem *p,
               const struct eigen_pair *r, struct eigen_stack *stack)
{
	const size_t i = p->index;

	if (a->out[EIGEN_VALUE].memory)
		matrix_set_complex(&a->out[EIGEN_VALUE], i, r->value,
		                   r->imaginary);
	put_vector(a, p, r);
	put(a, EIGEN_ITERATIONS, i, (double)r->iterations);
	put(a, EIGEN_CONVERGED, i, r->converged);
	put(a, EIGEN_BRACKET, 2 * i, r->low);
	put(a, EIGEN_BRACKET, 2 * i + 1, r->high);
	put(a, EIGEN_TIE, i, r->tie);
	judge(a, p, r);
	if (!r->enclosed)
		stack->lack |= 1u << EIGEN_BRACKET;
	if (r->tie)
		stack->have |= 1u << EIGEN_TIE;
	if (r->imaginary != 0)
		stack->have |= PARTS;
}

/* Keeps the real parts alone, in place. */
static void narrow(struct args *a, int output)
{
	struct matrix *m = &a->out[output], real = *m;

	if (!m->memory)
		return;
	real.dtype = dtype_part(m->dtype);
	for (size_t i = 0, n = matrix_elements(m); i < n; i++)
		matrix_set(&real, i, matrix_get(m, i));
	m->dtype = real.dtype;
	a->real |= 1u << output;
}

void eigen_put_end(struct args *a, const struct eigen_stack *stack)
{
	if (!(stack->have & PARTS)) {
		narrow(a, EIGEN_VALUE);
		narrow(a, EIGEN_VECTOR);
	}
	if (stack->lack >> EIGEN_BRACKET & 1)
		a->want &= ~(1u << EIGEN_BRACKET);
	if (!(stack->have >> EIGEN_TIE & 1))
		a->want &= ~(1u << EIGEN_TIE);
}

/* For ERR_NONFINITE: row, column and value of the first such element. */
static struct failure_detail find_nonfinite(const struct eigen_problem *p)
{
	const size_t all = p->n * p->n, first = p->index * all;
	size_t i = 0;

	while (i + 1 < all && isfinite(matrix_get(p->m, first + i)))
		i++;
	return (struct failure_detail){
		.code = ERR_NONFINITE, .at = (int32_t)(i / p->n),
		.x = (double)(i % p->n), .y = matrix_get(p->m, first + i),
	};
}

void eigen_fail(struct args *a, const struct eigen_problem *p,
                const struct eigen_pair *r, enum err_code why)
{
	struct failure f = { .index = p->index };

	switch (why) {
	case ERR_NONFINITE:
		f.detail = find_nonfinite(p);
		break;
	case ERR_CONVERGENCE:
		f.detail = (struct failure_detail){
			.code = why, .at = (int32_t)r->iterations,
			.x = r->imaginary == 0 ? r->value :
			     hypot(r->value, r->imaginary), .y = r->error,
		};
		break;
	default:
		f.detail = (struct failure_detail){
			.code = why, .at = isfinite(r->value) ?
			    NEGATIVE_ELEMENTS : BEYOND_FLOAT64,
		};
	}
	args_fail(a, &f);
}

static void describe_convergence(const struct args *a, const char *where,
                                 const struct failure_detail *d,
                                 struct err *e)
{
	const double tol = eigen_tol(a);

	err_set(e, ERR_CONVERGENCE, "%snot converged after %d products: the "
	        "best estimate is %.10g with a relative error of %.3g, tol is "
	        "%.3g%s", where, d->at, d->x, d->y, tol, d->y > tol ? "" :
	        ", but others may be as large or it is too ill-conditioned to "
	        "tell");
}

void eigen_describe(const struct args *a, const struct failure *f,
                    struct err *e)
{
	const struct failure_detail *d = &f->detail;
	char where[64] = "eigen: ";

	if (a->stack > 1)
		snprintf(where, sizeof where,
		         "eigen: matrix %zu of the stack: ", f->index);
	if (d->code == ERR_NONFINITE)
		err_set_at(e, ERR_NONFINITE, "/a", "%selement (%d, %.0f) is "
		           "%g, must be finite", where, d->at, d->x, d->y);
	else if (d->code == ERR_CONVERGENCE)
		describe_convergence(a, where, d, e);
	else if (d->at == BEYOND_FLOAT64)
		err_set(e, ERR_MATHEMATICS, "%sthe eigenvalue is beyond "
		        "float64", where);
	else
		err_set(e, ERR_MATHEMATICS, "%smethod=similarity needs a "
		        "matrix without negative elements", where);
}
