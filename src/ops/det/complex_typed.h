/* complex_typed.h - complex.c for one of the two types
 * (ops/lapack/each_complex.h). */

static struct product TYPED(product_of)(const struct TYPED(lu_complex) *f,
                                        size_t n)
{
	struct product p = { .fraction = 1 };

	for (size_t i = 0; i < n; i++)
		times(&p, f->lu[i * (f->ld + 1)], f->pivots[i] != (int)i + 1);
	return p;
}

static void TYPED(judge)(const struct lapack_call *c, size_t index, size_t n,
                         const struct TYPED(lu_complex) *f, int64_t *p)
{
	if (!complex_is_judged(c))
		return;
	lu_complex_order(f->pivots, n, n, p);
	complex_told(c, index)->residual = TYPED(lu_complex_judge)(c,
	    lapack_in(c->a, 0, index), n, n, f, p);
}
