/* stack.c - see stack.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/singular.h"
#include "check/stack.h"

/* Copies the elements of `count` operands or outputs; all[i] becomes NULL if
 * number i is absent. False: no memory; unload() must be called in any case. */
static bool load(const struct matrix *m, int count, long double *all[])
{
	bool done = true;

	for (int i = 0; i < count; i++) {
		all[i] = m[i].ndim == MATRIX_ABSENT ? NULL :
		         host_values(&m[i], 0);
		done &= m[i].ndim == MATRIX_ABSENT || all[i];
	}
	return done;
}

/* Moves each pointer to the next of the `stack` matrices. */
static void advance(const struct matrix *m, int count, size_t stack,
                    long double *at[])
{
	for (int i = 0; i < count; i++)
		if (at[i])
			at[i] += matrix_elements(&m[i]) / stack;
}

static void unload(int count, long double *all[])
{
	for (int i = 0; i < count; i++)
		free(all[i]);
}

double stack_worst(const struct args *a, stack_judge *judge)
{
	struct stack_one first = {
		.a = a, .m = matrix_rows(&a->in[0]),
		.n = matrix_cols(&a->in[0]),
		.eps = dtype_epsilon(a->dtype) / 2,
	}, s;
	const bool in = load(a->in, OP_INPUTS, first.in);
	const bool out = load(a->out, OP_OUTPUTS, first.out);
	double worst = in && out ? 0 : NAN;

	s = first;
	for (size_t i = 0; i < a->stack && !isnan(worst); i++) {
		worst = host_worse(judge(&s), worst);
		advance(a->in, OP_INPUTS, a->stack, s.in);
		advance(a->out, OP_OUTPUTS, a->stack, s.out);
	}
	unload(OP_INPUTS, first.in);
	unload(OP_OUTPUTS, first.out);
	return worst;
}

static double rounding(const struct stack_one *s)
{
	return s->eps * (double)size_max(s->m, s->n);
}

double stack_product(const struct stack_one *s, const struct host_product *p)
{
	const long double size = host_norm1(s->in[0], s->m, s->n);

	host_subtract(s->in[0], p);
	return host_ratio(host_norm1(s->in[0], s->m, s->n),
	                  size * (long double)rounding(s));
}

double stack_singular(const struct stack_one *s, int output)
{
	const struct matrix *m = &s->a->out[output];
	const long double *got = s->out[output];
	long double *want = calloc(size_min(s->m, s->n) + 1, sizeof *want);
	long double most = 0;

	if (!want)
		return NAN;
	host_singular(s->in[0], s->m, s->n, want);
	for (size_t i = 0; i < m->dim[m->ndim - 1]; i++) {
		const long double off = fabsl(got[i] - want[i]);

		most = off > most || isnan(off) ? off : most;
		if (!(got[i] >= 0 && (i == 0 || got[i] <= got[i - 1])))
			most = INFINITY;
	}
	most = host_ratio(most, want[0] * (long double)rounding(s));
	free(want);
	return (double)most;
}
