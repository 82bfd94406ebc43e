/* decompose.h - the peer's calls of LAPACK's factorizations and decompositions,
 * for one element type; included after calls.h, with the same macros.
 *
 * Symmetric operands are not transposed. The results that a call leaves in tmp
 * are column-major and follow one another. geqrf needs m >= n.
 */

/* A is m x m and symmetric. */
static void NAME(symmetric_reset)(struct work *w)
{
	memcpy(w->tmp, w->a, w->m * w->m * sizeof(REAL));
}

/* A is m x m. */
static void NAME(square_reset)(struct work *w)
{
	NAME(transpose)(w->a, w->tmp, w->m, w->m);
}

/* Row-major L has the layout of column-major L^T, which is the upper triangle
 * that potrf computes. */
static void NAME(potrf)(struct work *w)
{
	BLAS(LAPACKE_, potrf)(LAPACK_COL_MAJOR, 'U', (int)w->m, w->tmp,
	    (int)w->m);
}

static void NAME(potrf_finish)(struct work *w)
{
	const REAL *l = w->tmp;
	REAL *to = w->out;

	for (size_t i = 0; i < w->m; i++)
		memcpy(to + i * w->m, l + i * w->m, (i + 1) * sizeof *to);
}

static void NAME(square_getrf)(struct work *w)
{
	BLAS(LAPACKE_, getrf)(LAPACK_COL_MAJOR, (int)w->m, (int)w->m, w->tmp,
	    (int)w->m, w->pivots);
}

static void NAME(getri)(struct work *w)
{
	NAME(square_getrf)(w);
	BLAS(LAPACKE_, getri)(LAPACK_COL_MAJOR, (int)w->m, w->tmp, (int)w->m,
	    w->pivots);
}

static void NAME(square_finish)(struct work *w)
{
	NAME(transpose)(w->tmp, w->out, w->m, w->m);
}

/* Computes the sign of det A and log |det A| from LU. */
static void NAME(det)(struct work *w)
{
	const REAL *u = w->tmp;
	double sign = 1, log_of = 0;

	NAME(square_getrf)(w);
	for (size_t i = 0; i < w->m; i++) {
		const double x = (double)u[i * (w->m + 1)];

		if ((x < 0) != (w->pivots[i] != (lapack_int)i + 1))
			sign = -sign;
		log_of += log(fabs(x));
	}
	((REAL *)w->out)[0] = (REAL)sign;
	((REAL *)w->out)[1] = (REAL)log_of;
}

/* Estimates 1 / (|A| |A^-1|) in the 1-norm. */
static void NAME(gecon)(struct work *w)
{
	const REAL norm = BLAS(LAPACKE_, lange)(LAPACK_COL_MAJOR, '1',
	    (int)w->m, (int)w->m, w->tmp, (int)w->m);

	NAME(square_getrf)(w);
	BLAS(LAPACKE_, gecon)(LAPACK_COL_MAJOR, '1', (int)w->m, w->tmp,
	    (int)w->m, norm, w->out);
}

/* orgqr overwrites A, and with it R, by Q. R is therefore copied between the
 * two calls. */
static void NAME(geqrf)(struct work *w)
{
	const int m = (int)w->m, n = (int)w->n;
	REAL *a = w->tmp, *tau = a + w->m * w->n;
	REAL *r = (REAL *)w->out + w->m * w->n;

	BLAS(LAPACKE_, geqrf)(LAPACK_COL_MAJOR, m, n, a, m, tau);
	for (size_t j = 0; j < w->n; j++)
		for (size_t i = 0; i <= j; i++)
			r[i * w->n + j] = a[j * w->m + i];
	BLAS(LAPACKE_, orgqr)(LAPACK_COL_MAJOR, m, n, n, a, m, tau);
}

static void NAME(geqrf_finish)(struct work *w)
{
	NAME(transpose)(w->tmp, w->out, w->n, w->m);
}

/* tmp holds A, S, U and V^T, in this order. */
static void NAME(gesdd)(struct work *w)
{
	const size_t k = least(w->m, w->n);
	REAL *a = w->tmp, *s = a + w->m * w->n, *u = s + k, *vt = u + w->m * k;

	BLAS(LAPACKE_, gesdd)(LAPACK_COL_MAJOR, 'S', (int)w->m, (int)w->n, a,
	    (int)w->m, s, u, (int)w->m, vt, (int)k);
}

/* Writes U, S and V^T, row-major. */
static void NAME(gesdd_finish)(struct work *w)
{
	const size_t k = least(w->m, w->n);
	const REAL *s = (REAL *)w->tmp + w->m * w->n, *u = s + k;
	REAL *to = w->out;

	NAME(transpose)(u, to, k, w->m);
	memcpy(to + w->m * k, s, k * sizeof *s);
	NAME(transpose)(u + w->m * k, to + w->m * k + k, w->n, k);
}

static void NAME(gesdd_n)(struct work *w)
{
	BLAS(LAPACKE_, gesdd)(LAPACK_COL_MAJOR, 'N', (int)w->m, (int)w->n,
	    w->tmp, (int)w->m, w->out, NULL, 1, NULL, 1);
}

/* A is m x n and B is m x k. The n x k matrix X overwrites B. */
static void NAME(gelsd_reset)(struct work *w)
{
	const REAL *b = w->b;
	REAL *to = (REAL *)w->tmp + w->m * w->n;

	NAME(transpose)(w->a, w->tmp, w->m, w->n);
	for (size_t j = 0; j < w->k; j++, to += most(w->m, w->n))
		for (size_t i = 0; i < w->m; i++)
			to[i] = b[i * w->k + j];
}

static void NAME(gelsd)(struct work *w)
{
	const size_t rows = most(w->m, w->n);
	REAL *a = w->tmp, *b = a + w->m * w->n;
	lapack_int rank;

	BLAS(LAPACKE_, gelsd)(LAPACK_COL_MAJOR, (int)w->m, (int)w->n,
	    (int)w->k, a, (int)w->m, b, (int)rows, b + rows * w->k, -1, &rank);
}

static void NAME(gels)(struct work *w)
{
	REAL *a = w->tmp;

	BLAS(LAPACKE_, gels)(LAPACK_COL_MAJOR, 'N', (int)w->m, (int)w->n,
	    (int)w->k, a, (int)w->m, a + w->m * w->n, (int)most(w->m, w->n));
}

static void NAME(gelsd_finish)(struct work *w)
{
	const REAL *x = (REAL *)w->tmp + w->m * w->n;
	REAL *to = w->out;

	for (size_t j = 0; j < w->k; j++, x += most(w->m, w->n))
		for (size_t i = 0; i < w->n; i++)
			to[i * w->k + j] = x[i];
}

/* Writes the eigenvalues to the start of the results. */
static void NAME(syevd)(struct work *w)
{
	BLAS(LAPACKE_, syevd)(LAPACK_COL_MAJOR, 'V', 'L', (int)w->m, w->tmp,
	    (int)w->m, w->out);
}

static void NAME(syevd_finish)(struct work *w)
{
	NAME(transpose)(w->tmp, (REAL *)w->out + w->m, w->m, w->m);
}

static void NAME(syevd_n)(struct work *w)
{
	BLAS(LAPACKE_, syevd)(LAPACK_COL_MAJOR, 'N', 'L', (int)w->m, w->tmp,
	    (int)w->m, w->out);
}

/* tmp holds A, the real and the imaginary parts of the eigenvalues, and the
 * eigenvectors. */
static void NAME(geev)(struct work *w)
{
	const size_t n = w->m;
	REAL *a = w->tmp, *re = a + n * n, *im = re + n;

	BLAS(LAPACKE_, geev)(LAPACK_COL_MAJOR, 'N', 'V', (int)n, a, (int)n,
	    re, im, NULL, 1, im + n, (int)n);
}

static void NAME(geev_n)(struct work *w)
{
	const size_t n = w->m;
	REAL *a = w->tmp, *re = a + n * n, *im = re + n;

	BLAS(LAPACKE_, geev)(LAPACK_COL_MAJOR, 'N', 'N', (int)n, a, (int)n,
	    re, im, NULL, 1, NULL, 1);
}

/* Writes complex eigenvalues and eigenvectors. geev stores the pair of vectors
 * of two conjugate eigenvalues in two columns: the real and imaginary parts of
 * the vector that belongs to the value with positive imaginary part, which
 * comes first. */
static void NAME(geev_finish)(struct work *w)
{
	const size_t n = w->m;
	const REAL *re = (REAL *)w->tmp + n * n, *im = re + n, *v = im + n;
	REAL *value = w->out, *vector = value + 2 * n;

	for (size_t j = 0; j < n; j++) {
		const size_t first = im[j] < 0 ? j - 1 : j;
		const REAL sign = (REAL)((im[j] > 0) - (im[j] < 0));

		value[2 * j] = re[j];
		value[2 * j + 1] = im[j];
		for (size_t i = 0; i < n; i++) {
			REAL *to = vector + 2 * (i * n + j);

			to[0] = v[first * n + i];
			to[1] = sign == 0 ? 0 : sign * v[(first + 1) * n + i];
		}
	}
}
