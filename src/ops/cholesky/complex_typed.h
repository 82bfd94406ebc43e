/* complex_typed.h - complex.c for one of the two types
 * (ops/lapack/each_complex.h). Arrays are named as LAPACK sees them: the
 * row-major lower triangle of A is the upper one of conj(A), and that of L is
 * U. */

struct TYPED(parts) {
	const number *a, *u;
	size_t n;
	number *y;
};

/* r = conj(A) x - U^H U x */
static void TYPED(defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *q = how;
	const int n = (int)q->n, step = 1;
	const number one = 1, minus = -1;

	memcpy(q->y, x, q->n * sizeof *x);
	FORTRAN(trmv)("U", "N", "N", &n, q->u, &n, q->y, &step);
	FORTRAN(trmv)("U", "C", "N", &n, q->u, &n, q->y, &step);
	memcpy(r, q->y, q->n * sizeof *r);
	FORTRAN(hemv)("U", &n, &one, q->a, &n, x, &step, &minus, r, &step);
}

/* Returns the 1-norm of a hermitian matrix, of its row-major lower triangle, in
 * which all elements are finite if it is. sums and moduli have n numbers
 * each. */
static double TYPED(norm1)(const number *a, size_t n, real *sums,
                           real *moduli)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		const double row = TYPED(complex_sizes)(a + i * n, i,
		                                         moduli);

		/* NaN if the imaginary part is not finite */
		sums[i] = (real)(row + fabs((double)creal(a[i * (n + 1)])) +
		                 0 * cimag(a[i * (n + 1)]));
		for (size_t j = 0; j < i; j++)
			sums[j] += moduli[j];
	}
	for (size_t i = 0; i < n; i++)
		if (sums[i] > most || isnan(sums[i]))
			most = sums[i];
	return most;
}

/* Copies the lower triangle of A, whose type is t, to l, and sets the other
 * elements of l to 0. Returns ERR_NONFINITE with the place of an element that
 * is NaN or infinite, or ERR_NONE. If `finite`, there is none. */
static struct failure_detail TYPED(take)(const void *a, enum dtype t, size_t n,
                                         bool finite, number *l)
{
	const size_t each = dtype_bytes(t);

	for (size_t i = 0; i < n; i++) {
		const char *row = (const char *)a + i * n * each;
		const size_t at = finite ? n :
		                  lapack_find_nonfinite(t, row, i + 1);

		if (at <= i)
			return cholesky_nonfinite(i, at);
		if (t == NUMBER_DTYPE)
			memcpy(l + i * n, row, (i + 1) * each);
		else
			TYPED(complex_load)(row, t, 1, i + 1, l + i * n);
		l[i * (n + 1)] = REAL(creal)(l[i * (n + 1)]);
		memset(l + i * n + i + 1, 0, (n - 1 - i) * sizeof *l);
	}
	return (struct failure_detail){ .code = ERR_NONE };
}

/* Returns the test ratio |A - L L^H| / (n |A| eps). room has 3 n elements. */
static double TYPED(judge)(const struct lapack_call *c, const number *a,
                           number *l, double norm, number *room)
{
	const size_t n = c->rows;
	const struct TYPED(parts) q = { a, l, n, room };

	TYPED(complex_round)(l, n * n, c->a->dtype);
	return complex_ratio(TYPED(complex_defect)(c, n, n, TYPED(defect), &q,
	                                           room + n),
	                     norm * (double)n * dtype_epsilon(c->a->dtype));
}

/* Factors a matrix of this type in the answer itself. `room` has 3 n elements.
 * In complex64 only, sets *left and leaves the matrix to complex128 if it is
 * near the ends of float32's range or may not be positive definite. */
static struct failure_detail TYPED(factor)(const struct lapack_call *c,
                                           size_t index, number *room,
                                           bool *left)
{
	const size_t n = c->rows;
	const bool narrow = NUMBER_DTYPE == COMPLEX64;
	const number *const a = lapack_in(c->a, 0, index);
	number *const l = lapack_out(c->a, 0, index);
	const double norm = narrow || complex_is_judged(c) ?
	    TYPED(norm1)(a, n, (real *)room, (real *)(room + n)) : NAN;
	struct failure_detail d = TYPED(take)(a, NUMBER_DTYPE, n,
	                                      isfinite(norm), l);
	int info;

	*left = d.code == ERR_NONE && narrow && !complex_is_moderate(norm);
	if (d.code != ERR_NONE || *left)
		return d;
	info = TYPED(complex_cholesky)(c->l, 'U', l, n, n);
	*left = narrow && info > 0;
	if (info > 0)
		return cholesky_not_positive((size_t)info);
	if (complex_is_judged(c))
		complex_told(c, index)->residual = TYPED(judge)(c, a, l, norm,
		                                                room);
	return d;
}
