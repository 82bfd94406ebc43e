/* bound.c - the bound on a product's error that precision=fast tells. */
#include "ops/matmul/product.h"

/* The machine epsilon of the type to which C is rounded at the end, or 0 if it
 * is not rounded. */
static double rounding_of(const struct matrix *c)
{
	return c->dtype == FLOAT16 ? 0x1p-10 :
	       c->dtype == BFLOAT16 ? 0x1p-7 : 0;
}

double product_bound(const struct args *a, size_t k)
{
	return (double)k * dtype_epsilon(a->dtype);
}

void product_tell_bound(struct args *a, double bound)
{
	if (a->param[MATMUL_PRECISION] == MATMUL_FAST &&
	    a->quality != QUALITY_NONE)
		a->verdict.error_bound = bound + rounding_of(&a->out[0]);
}
