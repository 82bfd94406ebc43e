/* spectral_real.h - the eigenpairs of one symmetric matrix, in one of the two
 * types (ops/lapack/each_type.h).
 *
 * xSYTRD reduces A to the tridiagonal T = Q^T A Q. For all vectors, xSTEDC
 * computes the eigenpairs of T by divide and conquer, as xSYEVD does. For few
 * or none of them, xSTERF computes the eigenvalues, and xSTEMR the chosen
 * vectors of T by relatively robust representations. The vectors are multiplied
 * by Q (reflections.h). xSYTRD reads A's upper triangle, which OpenBLAS reduces
 * up to a tenth faster than the lower one.
 */

static void TYPED(widen)(double *to, const real *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = from[i];
}

/* Copies columns of n elements that begin ld elements apart. */
static void TYPED(put_columns)(double *to, const real *from, size_t n,
                               size_t ld, size_t columns)
{
	for (size_t j = 0; j < columns; j++)
		TYPED(widen)(to + j * n, from + j * ld, n);
}

/* The tridiagonal form T = Q^T A Q, with workspaces. */
struct TYPED(form) {
	int n, ld;			/* ld: of A, and of vectors */
	real *a;			/* the reflectors of Q */
	real *diagonal, *beside, *tau, *copies, *values, *work;
	int *integers;			/* 2 n for xSTEMR's support, 10 n for
					 * its workspace */
};

/* Takes a copy of A, which is n x n. */
static bool TYPED(form_init)(struct TYPED(form) *f, const double *a, size_t n)
{
	const size_t ld = lapack_ld(n);

	*f = (struct TYPED(form)){
		.n = (int)n, .ld = (int)ld,
		.a = pages_new(n * ld * sizeof(real)),
		.diagonal = malloc((7 + BLOCK) * n * sizeof(real)),
		.integers = malloc(12 * n * sizeof(int)),
	};
	if (!f->a || !f->diagonal || !f->integers)
		return false;
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++)
			f->a[j * ld + i] = (real)a[j * n + i];
	f->beside = f->diagonal + n;
	f->tau = f->diagonal + 2 * n;
	f->copies = f->diagonal + 3 * n;
	f->values = f->diagonal + 6 * n;
	f->work = f->diagonal + 7 * n;
	return true;
}

static void TYPED(form_fini)(struct TYPED(form) *f)
{
	free(f->a);
	free(f->diagonal);
	free(f->integers);
}

/* Computes T. */
static bool TYPED(reduce)(struct TYPED(form) *f, const struct lapack *l)
{
	f->beside[f->n - 1] = 0;
	return OF(l)->sytrd(LAPACK_COLUMNS, 'U', f->n, f->a, f->ld, f->diagonal,
	                    f->beside, f->tau, f->work, BLOCK * f->n) == 0;
}

/* z = Q z, whose columns begin f->ld elements apart. */
static void TYPED(times_q)(const struct TYPED(form) *f, const struct lapack *l,
                           real *z, size_t columns, real *room)
{
	const struct reflections r = { l, f->n, f->ld, f->a, f->tau, room };

	TYPED(reflections_times)(&r, z, (int)columns);
}

/* --- all vectors */

/* Computes the eigenpairs. The eigenvalues replace T's diagonal. */
static bool TYPED(divide)(struct TYPED(form) *f, const struct lapack *l,
                          real *z, real *work, size_t length, int *iwork,
                          int integers)
{
	if (!TYPED(reduce)(f, l) ||
	    OF(l)->stedc(LAPACK_COLUMNS, 'I', f->n, f->diagonal, f->beside, z,
	                 f->ld, work, (int)size_min(length, INT32_MAX), iwork,
	                 integers))
		return false;
	TYPED(times_q)(f, l, z, (size_t)f->n, work);
	return true;
}

static int TYPED(solve_all)(struct eigen_set *s, const struct lapack *l,
                            const double *a, bool *solved)
{
	const size_t n = s->n, ld = lapack_ld(n), integers = 3 + 5 * n;
	const size_t length = size_max(1 + 4 * n + n * n,
	                               reflections_room(n, n));
	real *z = pages_new((n * ld + length) * sizeof *z);
	int *iwork = malloc(integers * sizeof *iwork);
	struct TYPED(form) f;
	const bool room = TYPED(form_init)(&f, a, n) && z && iwork;

	if (room) {
		*solved = TYPED(divide)(&f, l, z, z + n * ld, length, iwork,
		                        (int)integers);
		TYPED(widen)(s->re, f.diagonal, n);
		TYPED(put_columns)(s->right, z, n, ld, n);
	}
	TYPED(form_fini)(&f);
	free(z);
	free(iwork);
	return room ? 0 : -1;
}

/* --- no vectors, or few */

/* Computes the eigenvalues of T. */
static bool TYPED(find_values)(struct TYPED(form) *f, const struct lapack *l)
{
	const size_t bytes = (size_t)f->n * sizeof(real);

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
	    (int)first + 1, (int)last + 1, &count, values, z, f->ld,
	    (int)(last - first + 1), f->integers, &precise, f->work,
	    18 * f->n, f->integers + 2 * n, 10 * f->n) == 0 &&
	    (size_t)count == last - first + 1;
}

/* Writes the vectors of the chosen eigenvalues to the columns of z. The chosen
 * eigenvalues are one or two runs of consecutive ones. */
static bool TYPED(vectors)(const struct eigen_set *s, struct TYPED(form) *f,
                           const struct lapack *l, real *z, real *room)
{
	for (size_t i = 0, end; i < s->count; i = end) {
		for (end = i + 1; end < s->count &&
		     s->order[end] == s->order[end - 1] + 1; end++)
			;
		if (!TYPED(range)(f, l, s->order[i], s->order[end - 1],
		                  z + i * (size_t)f->ld))
			return false;
	}
	TYPED(times_q)(f, l, z, s->count, room);
	return true;
}

/* Puts the vectors of the chosen eigenvalues into the first columns of
 * s->right. */
static int TYPED(put_vectors)(struct eigen_set *s, struct TYPED(form) *f,
                              const struct lapack *l, bool *solved)
{
	const size_t ld = (size_t)f->ld, elements = ld * s->count;
	real *z = pages_new((elements + reflections_room(s->n, s->count)) *
	                    sizeof *z);

	if (!z)
		return -1;
	*solved = TYPED(vectors)(s, f, l, z, z + elements);
	TYPED(put_columns)(s->right, z, s->n, ld, *solved ? s->count : 0);
	free(z);
	for (size_t i = 0; i < s->count; i++)
		s->column[i] = i;
	s->columns = s->count;
	return 0;
}

static int TYPED(solve_some)(struct eigen_set *s, const struct lapack *l,
                             const double *a, int power,
                             const struct eigen_choice *c, bool *solved)
{
	struct TYPED(form) f;
	int rc = -1;

	*solved = false;
	if (TYPED(form_init)(&f, a, s->n)) {
		*solved = TYPED(reduce)(&f, l) && TYPED(find_values)(&f, l);
		TYPED(widen)(s->re, f.values, s->n);
		rc = *solved ? eigen_set_choose(s, power, c) : 0;
	}
	if (rc == 0 && *solved && s->right)
		rc = TYPED(put_vectors)(s, &f, l, solved);
	TYPED(form_fini)(&f);
	return rc;
}

/* --- what a call needs */

static int TYPED(solve_and_choose)(struct eigen_set *s, const struct lapack *l,
                                   const double *a, int power,
                                   const struct eigen_choice *c, bool *solved)
{
	return TYPED(solve_all)(s, l, a, solved) < 0 ? -1 :
	       *solved ? eigen_set_choose(s, power, c) : 0;
}

/* xSTEMR fails for some matrices, if rarely; divide and conquer then computes
 * all vectors. */
static int TYPED(solve_few)(struct eigen_set *s, const struct lapack *l,
                            const double *a, int power,
                            const struct eigen_choice *c, bool *solved)
{
	const int rc = TYPED(solve_some)(s, l, a, power, c, solved);

	return rc || *solved ? rc :
	       TYPED(solve_and_choose)(s, l, a, power, c, solved);
}

static int TYPED(spectral)(struct eigen_set *s, const struct lapack *l,
                           const double *a, int power,
                           const struct eigen_choice *c, bool *solved)
{
	return (!s->right ? TYPED(solve_some) :
	        are_few(s, c) ? TYPED(solve_few) :
	        TYPED(solve_and_choose))(s, l, a, power, c, solved);
}
