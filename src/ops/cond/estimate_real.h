/* estimate_real.h - the norm of an inverse, estimated from factors, in one of
 * the two types; a part of cond_real.h (ops/lapack/each_type.h). */

/* M^-T, where P M = L U are the factors in r. `b` has room for n elements. */
struct TYPED(inverse) {
	const struct lapack *l;
	const struct TYPED(room) *r;
	real *b;
};

static void TYPED(swap)(real *x, size_t i, size_t with)
{
	const real v = x[i];

	x[i] = x[with];
	x[with] = v;
}

/* Overwrites x by M^-1 x or, if `across`, by M^-T x. */
static void TYPED(substitute)(const struct lapack *l,
                              const struct TYPED(room) *r, bool across,
                              real *x)
{
	const int n = (int)r->n, ld = (int)r->ld, step = 1;
	const char *const trans = across ? "T" : "N";

	for (size_t k = 0; k < r->n && !across; k++)
		TYPED(swap)(x, k, (size_t)r->integers[k] - 1);
	OF(l)->trsv(across ? "U" : "L", trans, across ? "N" : "U", &n, r->x,
	            &ld, x, &step);
	OF(l)->trsv(across ? "L" : "U", trans, across ? "U" : "N", &n, r->x,
	            &ld, x, &step);
	for (size_t k = r->n; across && k-- > 0; )
		TYPED(swap)(x, k, (size_t)r->integers[k] - 1);
}

/* Replaces x by M^-T x, or by M^-1 x if `back`. */
static void TYPED(apply)(const void *inverse, bool back, double *x)
{
	const struct TYPED(inverse) *const m = inverse;
	const size_t n = m->r->n;

	for (size_t i = 0; i < n; i++)
		m->b[i] = (real)x[i];
	TYPED(substitute)(m->l, m->r, !back, m->b);
	for (size_t i = 0; i < n; i++)
		x[i] = m->b[i];
}

/* Returns an estimate of M^-1's infinity norm, which is the 1-norm of M^-T;
 * infinity if a substitution overflows. Overwrites r->sums and r->work. */
static double TYPED(inverse_norm)(const struct lapack *l,
                                  const struct TYPED(room) *r)
{
	const struct TYPED(inverse) m = { l, r, r->work };

	/* float32's workspace ends long before the sums; float64's has more
	 * than 2 n numbers. */
	return estimate_norm1(&(struct estimate_operator){
		r->n, TYPED(apply), &m }, r->sums, r->sums - r->n);
}
