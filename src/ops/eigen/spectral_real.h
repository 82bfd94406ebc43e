/* spectral_real.h - the eigenpairs of one symmetric matrix, in one of the two
 * types (ops/lapack/each_type.h).
 *
 * All vectors come from divide and conquer (xSYEVD). For few or none of them,
 * xSYTRD reduces A to the tridiagonal T = Q^T A Q, xSTERF computes the
 * eigenvalues, xSTEMR the chosen vectors of T by relatively robust
 * representations, and xORMTR multiplies these by Q. They read A's upper
 * triangle, which OpenBLAS reduces up to a tenth faster than the lower one.
 */

static void TYPED(widen)(double *to, const real *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = from[i];
}

/* --- all vectors */

static int TYPED(solve_all)(struct eigen_set *s, const struct lapack *l,
                            real *a, bool *solved)
{
	const size_t n = s->n;
	const size_t length = 1 + 6 * n + 2 * n * n, integers = 3 + 5 * n;
	real *values = malloc((n + length) * sizeof *values);
	int *iwork = malloc(integers * sizeof *iwork);
	const bool room = values && iwork;

	if (room) {
		*solved = OF(l)->syevd(LAPACK_COLUMNS, 'V', 'U', (int)n, a,
		    (int)n, values, values + n,
		    (int)size_min(length, INT32_MAX), iwork,
		    (int)integers) == 0;
		TYPED(widen)(s->re, values, n);
		TYPED(widen)(s->right, a, n * n);
	}
	free(values);
	free(iwork);
	return room ? 0 : -1;
}

/* --- no vectors, or few */

/* The tridiagonal form T = Q^T A Q, with workspaces. */
struct TYPED(form) {
	int n;
	real *a;			/* the reflectors of Q */
	real *diagonal, *beside, *tau, *copies, *values, *work;
	int *integers;			/* 2 n for xSTEMR's support, 10 n for
					 * its workspace */
};

static bool TYPED(form_init)(struct TYPED(form) *f, real *a, size_t n)
{
	*f = (struct TYPED(form)){
		.n = (int)n, .a = a,
		.diagonal = malloc((7 + BLOCK) * n * sizeof(real)),
		.integers = malloc(12 * n * sizeof(int)),
	};
	if (!f->diagonal || !f->integers)
		return false;
	f->beside = f->diagonal + n;
	f->tau = f->diagonal + 2 * n;
	f->copies = f->diagonal + 3 * n;
	f->values = f->diagonal + 6 * n;
	f->work = f->diagonal + 7 * n;
	return true;
}

/* Computes T and its eigenvalues. */
static bool TYPED(reduce)(struct TYPED(form) *f, const struct lapack *l)
{
	const size_t bytes = (size_t)f->n * sizeof(real);

	f->beside[f->n - 1] = 0;
	if (OF(l)->sytrd(LAPACK_COLUMNS, 'U', f->n, f->a, f->n, f->diagonal,
	                 f->beside, f->tau, f->work, BLOCK * f->n))
		return false;
	memcpy(f->values, f->diagonal, bytes);
	memcpy(f->copies, f->beside, bytes);
	return OF(l)->sterf(f->n, f->values, f->copies) == 0;
}

/* Writes the vectors of T's eigenvalues `first` to `last`, which are counted
 * from 0, to z. */
static bool TYPED(range)(struct TYPED(form) *f, const struct lapack *l,
                         size_t first, size_t last, real *z)
{
	const size_t n = (size_t)f->n, bytes = n * sizeof(real);
	real *d = f->copies, *e = d + n, *values = e + n;
	int count = 0, precise = 1;

	memcpy(d, f->diagonal, bytes);
	memcpy(e, f->beside, bytes);
	return OF(l)->stemr(LAPACK_COLUMNS, 'V', 'I', f->n, d, e, 0, 0,
	    (int)first + 1, (int)last + 1, &count, values, z, f->n,
	    (int)(last - first + 1), f->integers, &precise, f->work,
	    18 * f->n, f->integers + 2 * n, 10 * f->n) == 0 &&
	    (size_t)count == last - first + 1;
}

/* Writes the vectors of the chosen eigenvalues to the columns of z. The chosen
 * eigenvalues are one or two runs of consecutive ones. */
static bool TYPED(vectors)(const struct eigen_set *s, struct TYPED(form) *f,
                           const struct lapack *l, real *z)
{
	for (size_t i = 0, end; i < s->count; i = end) {
		for (end = i + 1; end < s->count &&
		     s->order[end] == s->order[end - 1] + 1; end++)
			;
		if (!TYPED(range)(f, l, s->order[i], s->order[end - 1],
		                  z + i * s->n))
			return false;
	}
	return OF(l)->ormtr(LAPACK_COLUMNS, 'L', 'U', 'N', f->n,
	    (int)s->count, f->a, f->n, f->tau, z, f->n, f->work,
	    BLOCK * f->n) == 0;
}

/* Puts the vectors of the chosen eigenvalues into the first columns of
 * s->right. */
static int TYPED(put_vectors)(struct eigen_set *s, struct TYPED(form) *f,
                              const struct lapack *l, bool *solved)
{
	real *z = malloc((s->n * s->count + 1) * sizeof *z);

	if (!z)
		return -1;
	*solved = TYPED(vectors)(s, f, l, z);
	TYPED(widen)(s->right, z, *solved ? s->n * s->count : 0);
	free(z);
	for (size_t i = 0; i < s->count; i++)
		s->column[i] = i;
	s->columns = s->count;
	return 0;
}

static int TYPED(solve_some)(struct eigen_set *s, const struct lapack *l,
                             real *a, int power,
                             const struct eigen_choice *c, bool *solved)
{
	struct TYPED(form) f;
	int rc = -1;

	*solved = false;
	if (TYPED(form_init)(&f, a, s->n)) {
		*solved = TYPED(reduce)(&f, l);
		TYPED(widen)(s->re, f.values, s->n);
		rc = *solved ? eigen_set_choose(s, power, c) : 0;
	}
	if (rc == 0 && *solved && s->right)
		rc = TYPED(put_vectors)(s, &f, l, solved);
	free(f.diagonal);
	free(f.integers);
	return rc;
}

/* --- what a call needs */

static int TYPED(solve_and_choose)(struct eigen_set *s, const struct lapack *l,
                                   real *a, int power,
                                   const struct eigen_choice *c, bool *solved)
{
	return TYPED(solve_all)(s, l, a, solved) < 0 ? -1 :
	       *solved ? eigen_set_choose(s, power, c) : 0;
}

/* xSTEMR fails for some matrices, if rarely; divide and conquer then computes
 * all vectors. */
static int TYPED(solve_few)(struct eigen_set *s, const struct lapack *l,
                            real *a, int power, const struct eigen_choice *c,
                            bool *solved)
{
	const size_t bytes = s->n * s->n * sizeof *a;
	real *copy = malloc(bytes);
	int rc = -1;

	if (copy) {
		memcpy(copy, a, bytes);
		rc = TYPED(solve_some)(s, l, a, power, c, solved);
	}
	if (rc == 0 && !*solved)
		rc = TYPED(solve_and_choose)(s, l, copy, power, c, solved);
	free(copy);
	return rc;
}

static int TYPED(spectral)(struct eigen_set *s, const struct lapack *l,
                           real *a, int power, const struct eigen_choice *c,
                           bool *solved)
{
	return (!s->right ? TYPED(solve_some) :
	        are_few(s, c) ? TYPED(solve_few) :
	        TYPED(solve_and_choose))(s, l, a, power, c, solved);
}
