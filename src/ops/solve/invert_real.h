/* invert_real.h - solutions with triangles and factors in one of the two types;
 * a part of host_real.h (ops/lapack/each_type.h). */

/* Replaces B by T^-1 B, or by T^-T B if `across`; B's columns lie one after the
 * other. The BLAS, whose matrices are column-major, sees T^T. For a single
 * column OpenBLAS's xTRSM takes three to seven times as long as xTRSV, because
 * it copies the triangle first. */
static void TYPED(substitute)(const struct lapack *l, const void *t, size_t n,
                              bool lower, bool ones, bool across, real *b,
                              size_t columns)
{
	const int rows = (int)n, sides = (int)columns, step = 1;
	const char *const uplo = lower ? "U" : "L", *const way =
	    across ? "N" : "T", *const diagonal = ones ? "U" : "N";
	const real one = 1;

	if (columns == 1)
		OF(l)->trsv(uplo, way, diagonal, &rows, t, &rows, b, &step);
	else
		OF(l)->trsm("L", uplo, way, diagonal, &rows, &sides, &one, t,
		            &rows, b, &rows);
}

/* Exchanges rows of b as syconvf has noted them for P, from the last row up, or
 * with `back` for P^T. */
static void TYPED(exchange)(const struct prepared *p, real *b, bool back)
{
	for (size_t k = 0; k < p->n; k++) {
		const size_t i = back ? k : p->n - 1 - k;
		const size_t with = (size_t)abs(p->swaps[i]) - 1;
		const real x = b[i];

		b[i] = b[with];
		b[with] = x;
	}
}

/* b = D^-1 b, where a block of two rows has negative numbers in p->swaps. Its
 * element beside the diagonal, by which the others are divided, is the largest
 * (LAPACK's xSYTRS_3). */
static void TYPED(divide)(const struct prepared *p, real *b)
{
	const size_t n = p->n;
	const real *const a = p->own, *const beside = a + n * n;

	for (size_t i = n; i-- > 0; ) {
		const real last = a[i * (n + 1)], e = beside[i];

		if (p->swaps[i] > 0 || i == 0) {
			b[i] /= last;
		} else {
			const real x = a[(i - 1) * (n + 1)] / e, y = last / e;
			const real first = b[i - 1] / e, second = b[i] / e;

			b[i - 1] = (y * first - second) / (x * y - 1);
			b[i] = (x * second - first) / (x * y - 1);
			i--;
		}
	}
}

/* B = (P U D U^T P^T)^-1 B */
static void TYPED(solve_symmetric)(const struct lapack *l,
                                   const struct prepared *p, real *b,
                                   size_t columns)
{
	const int n = (int)p->n;

	if (columns > 1) {
		OF(l)->sytrs_3(LAPACK_COLUMNS, 'U', n, (int)columns, p->own, n,
		               (const real *)p->own + p->n * p->n, p->swaps, b,
		               n);
		return;
	}
	TYPED(exchange)(p, b, false);
	TYPED(substitute)(l, p->own, p->n, true, true, true, b, 1);
	TYPED(divide)(p, b);
	TYPED(substitute)(l, p->own, p->n, true, true, false, b, 1);
	TYPED(exchange)(p, b, true);
}

static void TYPED(swap_columns)(const struct prepared *p, real *b,
                                size_t columns, bool back)
{
	for (size_t c = 0; c < columns; c++, b += p->n)
		for (size_t k = 0; k < p->n; k++) {
			const size_t i = back ? p->n - 1 - k : k;
			const size_t with = (size_t)p->swaps[i];
			const real x = b[i];

			b[i] = b[with];
			b[with] = x;
		}
}

/* Replaces B by op(A')^-1 B, or by op(A')^-T B if `back`, where A' = 2^-e A is
 * what p has, or has factors of. */
static void TYPED(invert_scaled)(const struct lapack *l,
                                 const struct prepared *p, bool back, real *b,
                                 size_t columns)
{
	const bool across = p->turned != back;
	const size_t n = p->n;

	if (p->kind == KIND_SYMMETRIC) {
		TYPED(solve_symmetric)(l, p, b, columns);
	} else if (p->kind == KIND_SPD) {
		TYPED(substitute)(l, p->own, n, true, false, false, b,
		                  columns);
		TYPED(substitute)(l, p->own, n, true, false, true, b,
		                  columns);
	} else if (p->kind != KIND_FACTORS) {
		TYPED(substitute)(l, p->t, n, p->kind == KIND_LOWER, false,
		                  across, b, columns);
	} else if (across) {
		TYPED(substitute)(l, p->t, n, false, false, true, b, columns);
		TYPED(substitute)(l, p->t, n, true, true, true, b, columns);
		TYPED(swap_columns)(p, b, columns, true);
	} else {
		TYPED(swap_columns)(p, b, columns, false);
		TYPED(substitute)(l, p->t, n, true, true, false, b, columns);
		TYPED(substitute)(l, p->t, n, false, false, false, b,
		                  columns);
	}
}

/* Returns f if a column of n elements must be divided by 2^f before it is
 * multiplied by A'^-1. If A' has been scaled, the column becomes about 1. If
 * not, and if the column is so small that sums with it lose digits, 2^f is the
 * square root of its size. */
static int TYPED(exponent_of)(const struct prepared *p, const real *b)
{
	real most = 0;
	int f;

	for (size_t i = 0; i < p->n; i++)
		most = fmax(most, fabs(b[i]));
	frexp(isfinite(most) ? most : 0, &f);
	if (p->exponent == 0)
		return most < ldexp(REAL_MIN, SOLVE_MARGIN) ? f / 2 : 0;
	return f;
}

/* Replaces B by op(A)^-1 B, or by op(A)^-T B if `back`: A'^-1 (2^-f b) is
 * 2^(e - f) A^-1 b. */
static void TYPED(invert)(const struct lapack *l, const struct prepared *p,
                          bool back, real *b, size_t columns)
{
	bool scaled = p->exponent != 0;

	for (size_t c = 0; c < columns && !scaled; c++)
		scaled = TYPED(exponent_of)(p, b + c * p->n) != 0;
	if (!scaled) {
		TYPED(invert_scaled)(l, p, back, b, columns);
		return;
	}
	for (size_t c = 0; c < columns; c++, b += p->n) {
		const int f = TYPED(exponent_of)(p, b);

		for (size_t i = 0; i < p->n; i++)
			b[i] = (real)ldexp(b[i], -f);
		TYPED(invert_scaled)(l, p, back, b, 1);
		for (size_t i = 0; i < p->n; i++)
			b[i] = (real)ldexp(b[i], f - p->exponent);
	}
}
