/* complex_refine_body.h - complex_refine.c for one of the two types
 * (ops/lapack/each_complex.h). */

/* Up to WIDTH columns of X. All are column-major. */
struct TYPED(chunk) {
	struct TYPED(complex_refinement) *q;
	size_t first, width;
	cplx *rest;			/* B - op(A) X */
	number *correction;
	real *moduli;			/* |X| */
	real *size;			/* |op(A)| |X| + |B|, for the X before
					 * its last small corrections */
	cplx *wide;			/* wide_room() elements */
};

static number *TYPED(column)(const struct TYPED(chunk) *k, const number *m,
                             size_t c)
{
	return (number *)m + (k->first + c) * k->q->n;
}

static void TYPED(set_rest)(const struct TYPED(chunk) *k)
{
	const struct TYPED(complex_refinement) *q = k->q;

	TYPED(widen)(TYPED(column)(k, q->b, 0), q->n * k->width, k->rest);
	TYPED(subtract)(q, TYPED(column)(k, q->x, 0), k->width, k->rest,
	                k->wide);
}

static void TYPED(set_size)(const struct TYPED(chunk) *k)
{
	const struct TYPED(complex_refinement) *q = k->q;
	const int n = (int)q->n, width = (int)k->width, step = 1;
	const char *const trans = q->across ? "T" : "N";
	const real one = 1;

	TYPED(complex_sizes)(TYPED(column)(k, q->x, 0), q->n * k->width,
	                     k->moduli);
	TYPED(complex_sizes)(TYPED(column)(k, q->b, 0), q->n * k->width,
	                     k->size);
	if (q->half && width == 1)
		FORTRAN_REAL(symv)("U", &n, &one, q->sizes, &n, k->moduli,
		                   &step, &one, k->size, &step);
	else if (q->half)
		FORTRAN_REAL(symm)("L", "U", &n, &width, &one, q->sizes, &n,
		                   k->moduli, &n, &one, k->size, &n);
	else if (width == 1)
		FORTRAN_REAL(gemv)(trans, &n, &n, &one, q->sizes, &n,
		                   k->moduli, &step, &one, k->size, &step);
	else
		FORTRAN_REAL(gemm)(trans, "N", &n, &width, &n, &one, q->sizes,
		                   &n, k->moduli, &n, &one, k->size, &n);
}

/* Returns the largest |r_i| / size_i of column c. Where size_i is so small that
 * it may consist of rounding errors, both are enlarged, as in LAPACK, if r_i is
 * not 0. */
static double TYPED(backward_error)(const struct TYPED(chunk) *k, size_t c)
{
	const size_t n = k->q->n;
	const double small = (double)(n + 1) * REAL_MIN;
	double worst = 0;

	for (size_t i = 0; i < n; i++) {
		const double r = complex_modulus(k->rest[c * n + i]);
		const double size = k->size[c * n + i];
		const double more = size > small / (REAL_EPSILON / 2) ? 0 :
		                                                        small;

		if (r != 0)
			worst = verdict_worse(worst, (r + more) /
			                             (size + more));
	}
	return worst;
}

/* Adds n elements of d to x. Returns whether each element of x has changed by
 * at most a quarter of itself. */
static bool TYPED(add_correction)(const number *d, size_t n, number *x)
{
	const real *const by = (const real *)d, *const to = (const real *)x;
	bool small = true;

	for (size_t i = 0; i < 2 * n; i += 2) {
		const real change = by[i] * by[i] + by[i + 1] * by[i + 1];
		const real was = to[i] * to[i] + to[i + 1] * to[i + 1];

		small &= 16 * change <= was && was >= REAL_SMALL * REAL_SMALL;
	}
	for (size_t i = 0; i < n; i++)
		x[i] += d[i];
	return small;
}

/* Corrects the columns c for which goes_on[c]. Returns whether the corrections
 * are small. These become smaller at each step, so that `size` is then known
 * to a factor of 1.5. */
static bool TYPED(correct)(const struct TYPED(chunk) *k, const bool *goes_on)
{
	const struct TYPED(complex_refinement) *q = k->q;
	const size_t n = q->n;
	number *const x = TYPED(column)(k, q->x, 0);
	bool small = true;

	for (size_t i = 0; i < n * k->width; i++)
		k->correction[i] = (number)k->rest[i];
	TYPED(complex_invert)(q->solver, q->turned ? 'T' : 'N', k->width,
	                      k->correction);
	for (size_t c = 0; c < k->width; c++)
		if (goes_on[c])
			small &= TYPED(add_correction)(k->correction + c * n,
			                               n, x + c * n);
	return small;
}

static void TYPED(weigh)(const struct TYPED(chunk) *k)
{
	struct TYPED(complex_refinement) *const q = k->q;
	const size_t n = q->n;
	const double unit = (double)(n + 1) * (DBL_EPSILON / 2);

	TYPED(complex_sizes)(TYPED(column)(k, q->x, 0), n * k->width,
	                     k->moduli);
	for (size_t c = 0; c < k->width; c++) {
		double most = 0, rest = 0, sum = 0;

		for (size_t i = 0; i < n; i++) {
			most = fmax(most, k->moduli[c * n + i]);
			sum += k->moduli[c * n + i];
		}
		for (size_t i = 0; i < n; i++) {
			const double r = complex_modulus(k->rest[c * n + i]);
			const double w = r + unit * k->size[c * n + i];

			rest += r;
			q->weight[i] = (real)verdict_worse(q->weight[i],
			    most > 0 ? w / most : w);
		}
		q->ratio = verdict_worse(q->ratio, complex_ratio(rest, sum));
	}
}

static void TYPED(refine)(const struct TYPED(chunk) *k)
{
	double last[WIDTH];
	bool goes_on[WIDTH], any = true, sized = false;
	/* One more step leaves smaller errors than xGESV's behind in any case,
	 * but xPOSV's only with it. */
	const double enough = k->q->solver->quick &&
	                      !k->q->solver->cholesky ?
	                      COMPLEX_FEW_ROUNDINGS : REAL_EPSILON / 2;

	for (size_t c = 0; c < k->width; c++) {
		last[c] = HUGE_VAL;
		goes_on[c] = true;
	}
	for (int step = 0; any; step++) {
		TYPED(set_rest)(k);
		if (!sized)
			TYPED(set_size)(k);
		any = false;
		for (size_t c = 0; c < k->width; c++) {
			const double error = TYPED(backward_error)(k, c);

			goes_on[c] &= step < STEPS &&
			              error > enough &&
			              2 * error <= last[c];
			last[c] = error;
			any |= goes_on[c];
		}
		if (any)
			sized = TYPED(correct)(k, goes_on);
	}
	for (size_t c = 0; c < k->width; c++)
		k->q->error = verdict_worse(k->q->error, last[c]);
	TYPED(weigh)(k);
}

void TYPED(complex_refine)(struct TYPED(complex_refinement) *q)
{
	const size_t most = size_min(q->sides, WIDTH);
	struct TYPED(chunk) k = { .q = q, .rest = q->room };

	k.wide = k.rest + q->n * most;
	k.correction = (number *)(k.wide + wide_room(q->n, most));
	k.moduli = (real *)(k.correction + q->n * most);
	k.size = k.moduli + q->n * most;
	memset(q->weight, 0, q->n * sizeof *q->weight);
	q->ratio = q->error = 0;
	for (; k.first < q->sides; k.first += k.width) {
		lapack_poll();
		k.width = size_min(WIDTH, q->sides - k.first);
		TYPED(refine)(&k);
	}
}
