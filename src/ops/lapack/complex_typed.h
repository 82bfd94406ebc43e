/* complex_typed.h - complex_types.c for one of the two types
 * (ops/lapack/each_complex.h). */

/* Stores the moduli of n elements in to[], and returns their sum. Sets *least
 * to the square of the smallest modulus. The lanes let the compiler use vector
 * instructions. */
static double TYPED(quick_sizes)(const number *x, size_t n, real *to,
                                 real *least)
{
	enum { LANES = 32 / sizeof(real) };
	const real *const part = (const real *)x;
	real lane[LANES] = { 0 }, low[LANES], square[LANES];
	double sum = 0;
	size_t i = 0;

	for (size_t k = 0; k < LANES; k++)
		low[k] = 1;
	for (; i + LANES <= n; i += LANES) {
		for (size_t k = 0; k < LANES; k++) {
			const real re = part[2 * (i + k)];
			const real im = part[2 * (i + k) + 1];

			square[k] = re * re + im * im;
		}
		for (size_t k = 0; k < LANES; k++)
			low[k] = square[k] < low[k] ? square[k] : low[k];
		for (size_t k = 0; k < LANES; k++)
			to[i + k] = REAL(sqrt)(square[k]);
		for (size_t k = 0; k < LANES; k++)
			lane[k] += to[i + k];
	}
	for (; i < n; i++)
		sum += to[i] = (real)TYPED(complex_modulus)(x[i]);
	*least = 1;
	for (size_t k = 0; k < LANES; k++) {
		sum += lane[k];
		*least = low[k] < *least ? low[k] : *least;
	}
	return sum;
}

double TYPED(complex_sizes)(const number *x, size_t n, real *to)
{
	real least;
	double sum = TYPED(quick_sizes)(x, n, to, &least);

	if (isfinite(sum) && least > REAL_SMALL * REAL_SMALL)
		return sum;
	sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += to[i] = (real)TYPED(complex_modulus)(x[i]);
	return sum;
}

double TYPED(complex_sum)(const number *x, size_t n)
{
	enum { SOME = 512 };
	real moduli[SOME];
	double sum = 0;

	for (size_t i = 0; i < n; i += SOME)
		sum += TYPED(complex_sizes)(x + i, size_min(n - i, SOME),
		                             moduli);
	return sum;
}

double TYPED(complex_norm1)(const number *a, size_t m, size_t n, size_t ld)
{
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		const double sum = TYPED(complex_sum)(a + j * ld, m);

		if (sum > most || isnan(sum))
			most = sum;
	}
	return most;
}

double TYPED(complex_norm1_by_rows)(const number *a, size_t m, size_t n,
                                    real *room)
{
	real *const sums = room, *const moduli = room + n;
	double most = 0;

	memset(sums, 0, n * sizeof *sums);
	for (size_t i = 0; i < m; i++) {
		TYPED(complex_sizes)(a + i * n, n, moduli);
		for (size_t j = 0; j < n; j++)
			sums[j] += moduli[j];
	}
	for (size_t j = 0; j < n; j++)
		if (sums[j] > most || isnan(sums[j]))
			most = sums[j];
	return most;
}

/* y = op(A) x; beta = 1 because the BLAS may keep a NaN of y with 0. */
static void TYPED(multiply)(const char *trans, const number *a, size_t m,
                            size_t n, const number *x, number *y)
{
	const int rows = (int)m, columns = (int)n, step = 1;
	const number one = 1;

	memset(y, 0, (*trans == 'N' ? m : n) * sizeof *y);
	if (m > 0 && n > 0)
		FORTRAN(gemv)(trans, &rows, &columns, &one, a, &rows, x, &step,
		              &one, y, &step);
}

void TYPED(complex_times)(const number *a, size_t m, size_t n, const number *x,
                          number *y)
{
	TYPED(multiply)("N", a, m, n, x, y);
}

void TYPED(complex_times_turned)(const number *a, size_t m, size_t n,
                                 const number *x, number *y)
{
	TYPED(multiply)("C", a, m, n, x, y);
}

double TYPED(complex_defect)(const struct lapack_call *c, size_t m, size_t n,
                             void (*defect)(const void *how, const number *x,
                                            number *r),
                             const void *how, number *room)
{
	const bool full = c->a->quality == QUALITY_FULL;
	number *const x = room, *const r = room + n;
	double most = 0;

	for (size_t j = 0; j < n; j++)
		x[j] = full ? 0 : (real)lapack_sign(j);
	for (size_t j = 0; j < (full ? n : size_min(n, 1)); j++) {
		if (full) {
			lapack_poll();
			x[j ? j - 1 : 0] = 0;
			x[j] = 1;
		}
		defect(how, x, r);
		most = verdict_worse(most, TYPED(complex_sum)(r, m) /
		                           (full ? 1 : (double)n));
	}
	return most;
}

void TYPED(complex_clear_ends)(number *a, size_t m, size_t n, size_t ld)
{
	for (size_t j = 0; j < n && ld > m; j++)
		memset(a + j * ld + m, 0, (ld - m) * sizeof *a);
}

int TYPED(complex_cholesky)(const struct lapack *l, char uplo, number *a,
                            size_t n, size_t ld)
{
	const int info = OF(l)->potrf(LAPACK_COLUMNS, uplo, (int)n, a,
	                              (int)ld);

	for (size_t i = 0; i < n && info == 0; i++)
		if (!(REAL(creal)(a[i * (ld + 1)]) > 0))
			return (int)i + 1;
	return info;
}

bool TYPED(complex_are_factors)(const number *lu, size_t m, size_t n,
                                size_t ld)
{
	for (size_t i = 0; i < size_min(m, n); i++)
		if (lu[i * (ld + 1)] != 0 &&
		    TYPED(complex_modulus)(lu[i * (ld + 1)]) < REAL_MIN)
			return false;
	return lapack_find_nonfinite(NUMBER_DTYPE, lu, ld * n) == ld * n;
}
