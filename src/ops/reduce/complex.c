/* complex.c - reductions of complex elements.
 *
 * Sums and means: outer x n x inner elements are outer x n x 2 inner reals in
 * the same memory, whose sums along n are those of the parts. Norms are those
 * of the moduli, which the device computes first. So the variants for reals
 * answer both, with the same bits on every device. Products are the host's, in
 * the elements' order and in complex128, with powers of two kept apart where
 * they are far from 1. */
#include <complex.h>
#include <math.h>

#include "base/power.h"
#include "base/size.h"
#include "matrix/complex.h"
#include "ops/complex.h"
#include "ops/need.h"
#include "ops/reduce/reduce.h"

enum { VALUES = 1 };			/* the output of a call with an axis */

/* The reduction of reals, and the moduli's memory, which has no elements on the
 * host. */
struct real_call {
	struct args args;
	struct memory moduli;
	bool norm;
};

static void make_call(struct real_call *c, const struct args *a)
{
	const struct reduction r = reduction_of(a);
	const enum dtype part = dtype_part(a->dtype);
	size_t inner;

	*c = (struct real_call){ .norm = reduction_is_norm(r.op) };
	inner = c->norm ? r.inner : 2 * r.inner;
	args_init(&c->args, a->op);
	c->args.dtype = c->args.half = part;
	c->args.variant = a->variant;
	c->args.param[REDUCE_PARAM_OP] = a->param[REDUCE_PARAM_OP];
	c->args.param[REDUCE_PARAM_AXIS] = 1;
	c->args.want = 1u << VALUES;
	c->args.in[0] = (struct matrix){ .dtype = part, .ndim = 3,
		.dim = { r.outer, r.n, inner }, .memory = a->in[0].memory };
	c->args.out[VALUES] = (struct matrix){ .dtype = part, .ndim = 2,
		.dim = { r.outer, inner }, .memory = r.out->memory };
	if (!c->norm)
		return;
	c->args.in[0].memory = &c->moduli;
	c->moduli.bytes = matrix_size(&c->args.in[0]);
}

static int run_reals(struct seq *s, struct args *a)
{
	struct real_call c;

	make_call(&c, a);
	if (c.norm)
		complex_moduli(s, seq_input(s, &a->in[0]),
		               seq_temporary(s, &c.args.in[0]),
		               matrix_elements(&a->in[0]));
	seq_set_dtype(s, c.args.dtype);
	return c.args.variant->run(s, &c.args);
}

/* Brings x near 1 where a product with it could leave the range of float64, and
 * adds its power of two to *power. */
static double complex near(double complex x, int64_t *power)
{
	const double size = fmax(fabs(creal(x)), fabs(cimag(x)));
	int of_size = 0;

	if ((size > 0x1p-250 && size < 0x1p250) || size == 0 ||
	    !isfinite(size) || isnan(creal(x)) || isnan(cimag(x)))
		return x;
	frexp(size, &of_size);
	*power += of_size;
	return complex_of(ldexp(creal(x), -of_size),
	                  ldexp(cimag(x), -of_size));
}

static double complex product_of(const struct matrix *m, size_t at,
                                 const struct reduction *r)
{
	double complex product = 1;
	int64_t power = 0;

	for (size_t k = 0; k < r->n; k++) {
		product *= near(complex_get(m, at + k * r->inner), &power);
		product = near(product, &power);
	}
	return power == 0 ? product :
	       complex_of(power_ldexp(creal(product), power),
	                  power_ldexp(cimag(product), power));
}

static int multiply(struct seq *s, struct args *a)
{
	const struct reduction r = reduction_of(a);
	struct matrix out = *r.out;

	seq_host_begin(s);
	for (size_t i = 0; i < r.outer && seq_goes_on(s); i++)
		for (size_t j = 0; j < r.inner; j++) {
			const double complex product = product_of(&a->in[0],
			    i * r.n * r.inner + j, &r);

			matrix_set_complex(&out, i * r.inner + j,
			                   creal(product), cimag(product));
		}
	seq_host_end(s);
	return seq_finish(s);
}

int reduce_complex_run(struct seq *s, struct args *a)
{
	const struct reduction r = reduction_of(a);

	if (r.out->ndim == MATRIX_ABSENT || r.outer * r.inner == 0)
		return seq_finish(s);
	return r.op == REDUCE_PROD ? multiply(s, a) : run_reals(s, a);
}

void reduce_complex_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	const struct reduction r = reduction_of(a);
	struct real_call c;

	if (r.out->ndim == MATRIX_ABSENT || r.outer * r.inner == 0 ||
	    r.op == REDUCE_PROD)
		return;
	make_call(&c, a);
	v->need(&c.args, v, d, n);
	if (!c.norm)
		return;
	need_matrix(n, d, &a->in[0]);
	/* The moduli are in one piece, on the device alone. */
	need_scratch(n, d->unified_memory ? c.moduli.bytes : 0,
	             c.moduli.bytes);
}
