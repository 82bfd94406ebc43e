/* estimate_real.h - the norm of an inverse, estimated from factors, in one of
 * the two types; a part of cond_real.h (ops/lapack/each_type.h). */

static void TYPED(swap)(real *x, size_t i, size_t with)
{
	const real v = x[i];

	x[i] = x[with];
	x[with] = v;
}

/* Overwrites x by M^-1 x or, if `across`, by M^-T x, where P M = L U are the
 * factors in r. */
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

static double TYPED(sum)(const real *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(x[i]);
	return sum;
}

/* Replaces x by its signs, and keeps them. Returns false if they equal those
 * that were kept. */
static bool TYPED(take_signs)(real *x, real *signs, size_t n)
{
	bool changed = false;

	for (size_t i = 0; i < n; i++) {
		const real sign = x[i] < 0 ? -1 : 1;

		changed |= sign != signs[i];
		x[i] = signs[i] = sign;
	}
	return changed;
}

static size_t TYPED(place_of_largest)(const real *x, size_t n)
{
	size_t top = 0;

	for (size_t i = 1; i < n; i++)
		if (fabs(x[i]) > fabs(x[top]))
			top = i;
	return top;
}

/* Returns an estimate of M^-1's infinity norm, the 1-norm of M^-T, infinity if
 * a substitution overflows (N. Higham 1988, algorithm 2.4; LAPACK's xLACN2). */
static double TYPED(inverse_norm)(const struct lapack *l,
                                  const struct TYPED(room) *r)
{
	const size_t n = r->n;
	real *const x = r->work, *const signs = x + n;
	double best = 0;
	size_t last = n;

	memset(signs, 0, n * sizeof *signs);
	for (size_t i = 0; i < n; i++)
		x[i] = 1 / (real)n;
	for (int turn = 0; turn < 5; turn++) {
		const double now = (TYPED(substitute)(l, r, true, x),
		                    TYPED(sum)(x, n));
		size_t top;

		if (!isfinite(now))
			return INFINITY;
		if (now <= best)
			break;
		best = now;
		if (!TYPED(take_signs)(x, signs, n))
			break;
		TYPED(substitute)(l, r, false, x);
		if (!isfinite(TYPED(sum)(x, n)))
			return INFINITY;
		top = TYPED(place_of_largest)(x, n);
		if (top == last)
			break;
		last = top;
		for (size_t i = 0; i < n; i++)
			x[i] = i == top;
	}
	for (size_t i = 0; i < n; i++)
		x[i] = (real)((i % 2 ? -1 : 1) *
		              (1 + (double)i / (double)(n > 1 ? n - 1 : 1)));
	TYPED(substitute)(l, r, true, x);
	return fmax(best, 2 * TYPED(sum)(x, n) / (3 * (double)n));
}
