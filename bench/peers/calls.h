/* calls.h - the peer's calls for one element type. Included once per type,
 * with REAL (float, double), NAME(x) (s_x, d_x), BLAS(prefix, x), which joins
 * "cblas_" or "LAPACKE_", the type's letter and x, and COMPLEX(prefix, x) with
 * the letter of complex numbers whose parts have that type.
 *
 * LAPACK is called with column-major matrices, its native layout: the operands
 * are transposed before the clock starts, and the results after it has stopped.
 * The loops are as a C programmer would write them. The compiler vectorises
 * them, and OpenMP shares them among all cores.
 */

static void NAME(transpose)(const REAL *from, REAL *to, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			to[j * m + i] = from[i * n + j];
}

static void NAME(gemm_any)(const struct work *w, bool ta, bool tb)
{
	BLAS(cblas_, gemm)(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
	    tb ? CblasTrans : CblasNoTrans, (int)w->m, (int)w->n, (int)w->k,
	    1, w->a, (int)(ta ? w->m : w->k), w->b,
	    (int)(tb ? w->k : w->n), 0, w->out, (int)w->n);
}

static void NAME(gemm)(struct work *w)
{
	NAME(gemm_any)(w, false, false);
}

static void NAME(gemm_tn)(struct work *w)
{
	NAME(gemm_any)(w, true, false);
}

static void NAME(gemm_nt)(struct work *w)
{
	NAME(gemm_any)(w, false, true);
}

static void NAME(gemm_tt)(struct work *w)
{
	NAME(gemm_any)(w, true, true);
}

static void NAME(gemm_c)(struct work *w)
{
	const REAL one[] = { 1, 0 }, zero[] = { 0, 0 };

	COMPLEX(cblas_, gemm)(CblasRowMajor, CblasNoTrans, CblasNoTrans,
	    (int)w->m, (int)w->n, (int)w->k, one, w->a, (int)w->k, w->b,
	    (int)w->n, zero, w->out, (int)w->n);
}

/* Computes m products of n x n matrices, with one call of gemm for each. */
static void NAME(gemm_stack)(struct work *w)
{
	const int n = (int)w->n;

	for (size_t i = 0, at = 0; i < w->m; i++, at += w->n * w->n)
		BLAS(cblas_, gemm)(CblasRowMajor, CblasNoTrans, CblasNoTrans,
		    n, n, n, 1, (REAL *)w->a + at, n, (REAL *)w->b + at, n, 0,
		    (REAL *)w->out + at, n);
}

static void NAME(gemv)(struct work *w)
{
	BLAS(cblas_, gemv)(CblasRowMajor, CblasNoTrans, (int)w->m, (int)w->k,
	    1, w->a, (int)w->k, w->b, 1, 0, w->out, 1);
}

static void NAME(getrf_reset)(struct work *w)
{
	NAME(transpose)(w->a, w->tmp, w->m, w->n);
}

static void NAME(getrf)(struct work *w)
{
	BLAS(LAPACKE_, getrf)(LAPACK_COL_MAJOR, (int)w->m, (int)w->n, w->tmp,
	    (int)w->m, w->pivots);
}

static void NAME(getrf_finish)(struct work *w)
{
	size_t pivots = least(w->m, w->n);
	int64_t *to = (int64_t *)((REAL *)w->out + w->m * w->n);

	NAME(transpose)(w->tmp, w->out, w->n, w->m);
	for (size_t i = 0; i < pivots; i++) {
		int64_t pivot = w->pivots[i] - 1;

		memcpy(to + i, &pivot, sizeof pivot);
	}
}

/* A is m x m, B m x n. */
static void NAME(gesv_reset)(struct work *w)
{
	NAME(transpose)(w->a, w->tmp, w->m, w->m);
	NAME(transpose)(w->b, (REAL *)w->tmp + w->m * w->m, w->m, w->n);
}

static void NAME(gesv)(struct work *w)
{
	BLAS(LAPACKE_, gesv)(LAPACK_COL_MAJOR, (int)w->m, (int)w->n, w->tmp,
	    (int)w->m, w->pivots, (REAL *)w->tmp + w->m * w->m, (int)w->m);
}

static void NAME(gesv_finish)(struct work *w)
{
	NAME(transpose)((REAL *)w->tmp + w->m * w->m, w->out, w->n, w->m);
}

static void NAME(loop_matvec)(struct work *w)
{
	const REAL *a = w->a, *x = w->b;
	REAL *y = w->out;

#pragma omp parallel for
	for (size_t i = 0; i < w->m; i++) {
		REAL sum = 0;

		for (size_t j = 0; j < w->k; j++)
			sum += a[i * w->k + j] * x[j];
		y[i] = sum;
	}
}

static void NAME(loop_rowsums)(struct work *w)
{
	const REAL *a = w->a;
	REAL *y = w->out;

#pragma omp parallel for
	for (size_t i = 0; i < w->m; i++) {
		REAL sum = 0;

		for (size_t j = 0; j < w->n; j++)
			sum += a[i * w->n + j];
		y[i] = sum;
	}
}

/* Transposes blocks of SIDE x SIDE elements, so that the rows of both matrices
 * that a block touches stay in the cache. */
static void NAME(loop_transpose)(struct work *w)
{
	enum { SIDE = 32 };
	const REAL *a = w->a;
	REAL *to = w->out;

#pragma omp parallel for
	for (size_t i0 = 0; i0 < w->m; i0 += SIDE)
		for (size_t j0 = 0; j0 < w->n; j0 += SIDE)
			for (size_t j = j0; j < w->n && j < j0 + SIDE; j++)
				for (size_t i = i0; i < w->m && i < i0 + SIDE;
				     i++)
					to[j * w->m + i] = a[i * w->n + j];
}

static void NAME(loop_sum)(struct work *w)
{
	const REAL *a = w->a;
	REAL sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (size_t i = 0; i < w->m * w->n; i++)
		sum += a[i];
	*(REAL *)w->out = sum;
}

static void NAME(loop_max)(struct work *w)
{
	const REAL *a = w->a;
	REAL max = a[0];

#pragma omp parallel for reduction(max : max)
	for (size_t i = 0; i < w->m * w->n; i++)
		max = a[i] > max ? a[i] : max;
	*(REAL *)w->out = max;
}

static void NAME(loop_norm2)(struct work *w)
{
	const REAL *a = w->a;
	REAL sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (size_t i = 0; i < w->m * w->n; i++)
		sum += a[i] * a[i];
	*(REAL *)w->out = (REAL)sqrt((double)sum);
}
