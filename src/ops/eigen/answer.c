/* answer.c - writes the answer for a pair, or records why there is none. */
#include <math.h>

#include "base/size.h"
#include "ops/eigen/many.h"
#include "ops/failure.h"

enum { PARTS = 1u << EIGEN_VALUE | 1u << EIGEN_VECTOR };

double eigen_tol(const struct args *a)
{
	return args_real(a, EIGEN_P_TOL,
	                 dtype_part(a->dtype) == FLOAT32 ? 1e-5 : 1e-8);
}

static void put(struct args *a, int output, size_t i, double value)
{
	if (a->out[output].memory)
		matrix_set(&a->out[output], i, value);
}

static void put_vector(struct args *a, const struct eigen_problem *p,
                       const struct eigen_pair *r)
{
	struct matrix *out = &a->out[EIGEN_VECTOR];
	const size_t n = p->n, at = p->index * n;
	double *x = r->vector, *y = x + n;

	if (!out->memory)
		return;
	if (r->imaginary == 0)
		eigen_normalise(x, n, a->dtype);
	else
		eigen_normalise_complex(x, y, n, a->dtype);
	for (size_t i = 0; i < n; i++)
		matrix_set_complex(out, at + i, x[i],
		                   r->imaginary == 0 ? 0 : y[i]);
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

void eigen_make_real(struct args *a, int output)
{
	struct matrix *m = &a->out[output];

	if (!m->memory || !dtype_is_complex(m->dtype))
		return;
	m->dtype = dtype_part(m->dtype);
	a->real |= 1u << output;
}

void eigen_make_complex(struct args *a, int output)
{
	struct matrix *m = &a->out[output];

	if (!(a->real >> output & 1))
		return;
	m->dtype = m->dtype == FLOAT32 ? COMPLEX64 : COMPLEX128;
	a->real &= ~(1u << output);
}

void eigen_narrow(struct args *a, int output)
{
	struct matrix *m = &a->out[output];
	const size_t n = m->memory ? matrix_elements(m) : 0;
	double *x = matrix_data(m);
	float *y = matrix_data(m);

	for (size_t i = 0; i < n && m->dtype == COMPLEX128; i++)
		x[i] = x[2 * i];
	for (size_t i = 0; i < n && m->dtype == COMPLEX64; i++)
		y[i] = y[2 * i];
	eigen_make_real(a, output);
}

void eigen_put_end(struct args *a, const struct eigen_stack *stack)
{
	if (!(stack->have & PARTS)) {
		eigen_narrow(a, EIGEN_VALUE);
		eigen_narrow(a, EIGEN_VECTOR);
	}
	if (stack->lack >> EIGEN_BRACKET & 1)
		a->want &= ~(1u << EIGEN_BRACKET);
	if (!(stack->have >> EIGEN_TIE & 1))
		a->want &= ~(1u << EIGEN_TIE);
}

/* Records row, column and value of the first element that is NaN or
 * infinite. */
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
			    EIGEN_FAULT_NEGATIVE : EIGEN_FAULT_BEYOND,
		};
	}
	args_fail(a, &f);
}
