/* repair.c - computes products, sums and means of finite elements again where
 * something on the way has left the range of float64: products of an answer
 * that is 0, subnormal or not finite, sums and means of one that is not finite.
 * The host does so in the order of the elements, with the same compensation as
 * the kernels; other answers keep their bits. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/power.h"
#include "base/size.h"
#include "ops/reduce/run.h"

/* Sums are those of x 2^-HEADROOM: 2^HEADROOM elements do not overflow. */
enum { HEADROOM = 64 };

/* The number (s + e) 2^power. */
struct sum {
	double s, e;
	int64_t power;
};

bool reduction_is_repaired(const struct reduction *r, enum dtype t)
{
	return !dtype_is_integer(t) && (r->op == REDUCE_PROD ||
	       (t == FLOAT64 && (r->op == REDUCE_SUM ||
	                         r->op == REDUCE_MEAN)));
}

/* The least magnitude of an answer that is not doubtful. */
static double least_of(const struct reduction *r)
{
	return r->op != REDUCE_PROD ? 0 :
	       r->out->dtype == FLOAT64 ? DBL_MIN :
	       r->out->dtype == FLOAT16 ? 0x1p-14 : FLT_MIN;
}

static bool is_doubtful(double least, double x)
{
	return !(fabs(x) >= least && fabs(x) < HUGE_VAL);
}

/* Multiplies by x, whose power of two is kept apart, as are those of products
 * that become small. */
static void multiply(struct sum *a, double x)
{
	int power = 0;
	const double f = frexp(x, &power), p = a->s * f;

	a->e = fma(a->e, f, fma(a->s, f, -p));
	a->s = p;
	a->power += power;
	if (fabs(p) > 0x1p-400)
		return;
	a->s = frexp(p, &power);
	a->e = ldexp(a->e, -power);
	a->power += power;
}

/* Knuth's TwoSum. */
static void add(struct sum *a, double x)
{
	const double y = ldexp(x, -HEADROOM), s = a->s + y, d = s - a->s;

	a->e += (a->s - (s - d)) + (y - d);
	a->s = s;
}

static double answer_of(const struct reduction *r, const struct sum *a)
{
	const double x = a->s + a->e;

	return power_ldexp(r->op == REDUCE_MEAN ? x / (double)r->n : x,
	                   a->power);
}

/* Computes *answer, that of the line of `in` that begins with element `at`,
 * unless an element is not finite or an element 0 explains a product of 0. */
static void repair(const struct reduction *r, const struct matrix *in,
                   size_t at, double *answer)
{
	const bool product = r->op == REDUCE_PROD;
	struct sum a = { product, 0, product ? 0 : HEADROOM };

	for (size_t j = 0; j < r->n; j++) {
		const double x = matrix_get(in, at + j * r->inner);

		if (!isfinite(x) || (product && x == 0 && *answer == 0))
			return;
		if (product)
			multiply(&a, x);
		else
			add(&a, x);
	}
	*answer = answer_of(r, &a);
}

static bool any_doubtful(const struct reduction *r)
{
	const size_t count = matrix_elements(r->out);
	const double least = least_of(r);
	const void *const x = matrix_data(r->out);
	bool any = false;

	for (size_t i = 0; i < count && !any; i++)
		any = is_doubtful(least, r->out->dtype == FLOAT64 ?
		      ((const double *)x)[i] : r->out->dtype == FLOAT32 ?
		      ((const float *)x)[i] : matrix_get(r->out, i));
	return any;
}

/* Writes answers first to first + count - 1 of r, repaired, to the device.
 * `x` has room for them, in the sequence's type. */
static void write(struct seq *s, const struct reduction *r,
                  const struct matrix *in, size_t first, size_t count, void *x)
{
	const struct region to = { first, 1, count, count };

	for (size_t i = 0; i < count && seq_goes_on(s); i++) {
		const size_t k = first + i, o = k / r->inner;
		double y = matrix_get(r->out, k);

		if (is_doubtful(least_of(r), y))
			repair(r, in, o * r->n * r->inner + k % r->inner, &y);
		if (seq_dtype(s) == FLOAT32)
			((float *)x)[i] = (float)y;
		else
			((double *)x)[i] = y;
	}
	seq_write(s, seq_output_region(s, r->out, &to), 0, x,
	          count * dtype_bytes(seq_dtype(s)));
}

int reduction_repair(struct seq *s, const struct matrix *in,
                     const struct reduction *r, const struct reduction_cut *c)
{
	const size_t most = size_min(c->outer, r->outer) * r->inner;
	void *x;

	if (!any_doubtful(r))
		return 0;
	x = malloc(most * sizeof(double));
	if (!x)
		return err_set(seq_err(s), ERR_MEMORY, "reduce: no memory for "
		               "%zu results", most);
	seq_host_begin(s);
	for (size_t k = 0; k < r->outer * r->inner; k += most)
		write(s, r, in, k, size_min(most, r->outer * r->inner - k), x);
	seq_host_end(s);
	free(x);
	return seq_finish(s);
}
