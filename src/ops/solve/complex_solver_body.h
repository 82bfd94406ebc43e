/* complex_solver_body.h - complex_solver.c for one of the two types
 * (ops/lapack/each_complex.h). */

/* Exchanges the rows of x as P, or with `back` as P^T. */
static void TYPED(swap_rows)(const struct TYPED(complex_solver) *s,
                             number *x, bool back)
{
	for (size_t k = 0; k < s->n; k++) {
		const size_t i = back ? s->n - 1 - k : k;
		const size_t with = (size_t)s->pivots[i] - 1;
		const number v = x[i];

		x[i] = x[with];
		x[with] = v;
	}
}

/* x = op(T)^-1 x, for a triangle of the factors; `diag` is U if that of L has
 * ones on its diagonal. */
static void TYPED(substitute)(const struct TYPED(complex_solver) *s,
                              const char *uplo, const char *trans,
                              const char *diag, number *x)
{
	const int n = (int)s->n, ld = (int)s->ld, step = 1;

	FORTRAN(trsv)(uplo, trans, diag, &n, s->lu, &ld, x, &step);
}

/* One column: the routines for several copy the factors first. */
static void TYPED(invert_one)(const struct TYPED(complex_solver) *s,
                              const char *trans, number *x)
{
	if (s->cholesky) {
		TYPED(substitute)(s, "L", "N", "N", x);
		TYPED(substitute)(s, "L", "C", "N", x);
	} else if (*trans == 'N') {
		TYPED(swap_rows)(s, x, false);
		TYPED(substitute)(s, "L", "N", "U", x);
		TYPED(substitute)(s, "U", "N", "N", x);
	} else {
		TYPED(substitute)(s, "U", trans, "N", x);
		TYPED(substitute)(s, "L", trans, "U", x);
		TYPED(swap_rows)(s, x, true);
	}
}

void TYPED(complex_invert)(const struct TYPED(complex_solver) *s, char trans,
                           size_t sides, number *x)
{
	const int n = (int)s->n, ld = (int)s->ld;

	if (s->quick)
		TYPED(invert_quickly)(s, trans, sides, x);
	else if (sides == 1)
		TYPED(invert_one)(s, &trans, x);
	else if (s->cholesky)
		OF(s->l)->potrs(LAPACK_COLUMNS, 'L', n, (int)sides, s->lu,
		                ld, x, n);
	else
		OF(s->l)->getrs(LAPACK_COLUMNS, trans, n, (int)sides, s->lu,
		                ld, s->pivots, x, n);
}

/* Replaces each element by one of modulus 1 with its direction. */
static void TYPED(take_directions)(number *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const real size = (real)TYPED(complex_modulus)(x[i]);

		x[i] = size >= REAL_MIN ? x[i] / size : 1;
	}
}

static size_t TYPED(place_of_largest)(const number *x, size_t n)
{
	double most = 0;
	size_t top = 0;

	for (size_t i = 0; i < n; i++) {
		const double size = TYPED(complex_modulus)(x[i]);

		if (size > most) {
			most = size;
			top = i;
		}
	}
	return top;
}

double TYPED(complex_estimate)(void (*apply)(const void *how, bool back,
                                             number *x),
                               const void *how, size_t n, number *x)
{
	double best = 0;
	size_t last = n;

	for (size_t i = 0; i < n; i++)
		x[i] = 1 / (real)n;
	for (int turn = 0; turn < 5; turn++) {
		const double now = (apply(how, false, x),
		                    TYPED(complex_sum)(x, n));
		size_t top;

		if (!isfinite(now))
			return INFINITY;
		if (now <= best)
			break;
		best = now;
		TYPED(take_directions)(x, n);
		apply(how, true, x);
		if (!isfinite(TYPED(complex_sum)(x, n)))
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
	apply(how, false, x);
	return verdict_worse(best, 2 * TYPED(complex_sum)(x, n) /
	                           (3 * (double)n));
}

/* The operator s W A^-H or, with A transposed, s W A^-1, whose elements have
 * the moduli of s W A^-T^H. */
struct TYPED(weighted) {
	const struct TYPED(complex_solver) *solver;
	bool turned;
	const real *w;			/* W's diagonal */
	real scale;			/* s */
};

static void TYPED(apply)(const void *how, bool back, number *x)
{
	const struct TYPED(weighted) *o = how;
	const size_t n = o->solver->n;
	const bool across = o->turned != back;

	for (size_t i = 0; i < n; i++)
		x[i] *= o->scale * (back ? o->w[i] : 1);
	TYPED(complex_invert)(o->solver, across ? 'N' : 'C', 1, x);
	for (size_t i = 0; i < n && !back; i++)
		x[i] *= o->w[i];
}

/* Divides w by a power of two near its largest element, and returns that. */
static double TYPED(normalize)(real *w, size_t n)
{
	double most = 0, power;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, w[i]);
	power = most > 0 && isfinite(most) ? ldexp(1, ilogb(most)) : 1;
	for (size_t i = 0; i < n; i++)
		w[i] = (real)(w[i] / power);
	return power;
}

double TYPED(complex_bound)(const struct TYPED(complex_solver) *s, bool turned,
                            real *w, double norm, double size, number *x)
{
	/* With it neither solutions nor their products overflow, unless the
	 * condition is large. */
	const double scale = norm > 0 && isfinite(norm) ?
	                     ldexp(1, ilogb(norm) / 2) : 1;
	const double power = TYPED(normalize)(w, s->n);
	const double error = TYPED(complex_estimate)(TYPED(apply),
	    &(const struct TYPED(weighted)){ s, turned, w, (real)scale },
	    s->n, x);

	return size > 0 ? error * (power / size / scale) :
	       error > 0 ? INFINITY : 0;
}

/* As LAPACK estimates it, which scales each step of a substitution so that
 * nothing overflows. */
static double TYPED(careful_rcond)(const struct TYPED(complex_solver) *s,
                                   bool turned, double norm, number *elements,
                                   real *numbers)
{
	const int n = (int)s->n, ld = (int)s->ld;
	real rcond = 0;

	if (s->quick)
		return 0;
	if (s->cholesky)
		OF(s->l)->pocon(LAPACK_COLUMNS, 'L', n, s->lu, ld, (real)norm,
		                &rcond, elements, numbers);
	else
		OF(s->l)->gecon(LAPACK_COLUMNS, turned ? 'I' : '1', n, s->lu,
		                ld, (real)norm, &rcond, elements, numbers);
	return rcond;
}

/* The 1-norm of A^-1 is the largest element of |A^-T| w for a w of ones. Plain
 * substitutions take a third of the time of xGECON's. */
double TYPED(complex_rcond)(const struct TYPED(complex_solver) *s, bool turned,
                            double norm, number *elements, real *numbers)
{
	double inverse;

	for (size_t i = 0; i < s->n; i++)
		numbers[i] = 1;
	inverse = TYPED(complex_bound)(s, !turned, numbers, norm, 1, elements);
	if (isfinite(inverse * norm) && inverse * norm > 0)
		return fmin(1 / (inverse * norm), 1);
	return TYPED(careful_rcond)(s, turned, norm, elements, numbers);
}
