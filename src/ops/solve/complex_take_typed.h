/* complex_take_typed.h - how complex.c takes a matrix, for one of the two types
 * (ops/lapack/each_complex.h). */

/* Sets the triangle that is not read: to the conjugate transpose of the other
 * one for a hermitian matrix, which is conjugated if the plan says so, and to 0
 * for a triangular one. Tiles keep the rows of the other triangle in the
 * cache. */
static void TYPED(complete)(number *a, const struct complex_plan *h)
{
	enum { TILE = 16 };
	const size_t n = h->n;
	const bool mirrored = complex_is_hermitian(h);

	for (size_t j = 0; j < n && mirrored; j++)
		a[j * n + j] = REAL(creal)(a[j * n + j]);
	for (size_t top = 0; top < n && h->kind != KIND_GENERAL; top += TILE)
		for (size_t j = top + 1; j < n; j++)
			for (size_t i = top; i < size_min(top + TILE, j);
			     i++) {
				number *const upper = a + j * n + i;
				number *const lower = a + i * n + j;
				const number x = *lower;

				if (h->kind == KIND_UPPER)
					*lower = 0;
				else
					*upper = mirrored ? REAL(conj)(x) : 0;
				if (h->conjugated) {
					*lower = *upper;
					*upper = x;
				}
			}
}

/* Adds n numbers. The lanes let the compiler use vector instructions. */
static void TYPED(add)(const real *from, size_t n, real *to)
{
	enum { LANES = 32 / sizeof(real) };
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			to[i + k] += from[i + k];
	for (; i < n; i++)
		to[i] += from[i];
}

/* Sets the moduli of a column above the diagonal, and on it. Returns the sum of
 * the column, NaN if the diagonal's imaginary part is not finite. */
static double TYPED(measure_half)(const number *column, size_t j, real *sizes)
{
	const number last = column[j];
	const double sum = TYPED(complex_sizes)(column, j, sizes);

	sizes[j] = (real)fabs(REAL(creal)(last));
	return sum + sizes[j] + 0 * REAL(cimag)(last);
}

/* Sets the moduli of A's elements and the norm of op(A). `sums` has room for n
 * numbers. */
static void TYPED(measure)(const struct complex_plan *h,
                           struct TYPED(complex_system) *y, real *sums)
{
	const size_t n = h->n;

	memset(sums, 0, n * sizeof *sums);
	for (size_t j = 0; j < n; j++) {
		const number *const column = y->a + j * n;
		real *const sizes = y->sizes + j * n;
		const double sum = y->half ?
		    TYPED(measure_half)(column, j, sizes) :
		    TYPED(complex_sizes)(column, n, sizes);

		if (y->half || !y->across)
			sums[j] = (real)sum;
		if (y->half || y->across)
			TYPED(add)(sizes, y->half ? j : n, sums);
	}
	y->norm = 0;
	for (size_t i = 0; i < n; i++)
		if (sums[i] > y->norm || isnan(sums[i]))
			y->norm = sums[i];
}

/* Takes A. A general matrix is not brought to column-major order: y->a is A^T,
 * and the operand itself where its type is this one. So it is for a positive
 * definite matrix; its row-major lower triangle is the upper one of conj(A).
 * Others are completed. */
static void TYPED(take)(const struct lapack_call *c, size_t index,
                        struct TYPED(complex_system) *y)
{
	const struct complex_plan *h = complex_how(c);
	const enum dtype t = c->a->dtype;
	const void *const a = operand(c->a, SOLVE_A, index);
	const bool by_rows = h->kind == KIND_GENERAL;

	y->half = h->kind == KIND_SPD && !h->conjugated && t == NUMBER_DTYPE;
	y->across = by_rows != h->turned;
	y->a = y->half || (by_rows && t == NUMBER_DTYPE) ? a : y->copy;
	if (y->half)
		return;
	if (!by_rows) {
		TYPED(complex_load)(a, t, h->n, h->n, y->copy);
		TYPED(complete)(y->copy, h);
	} else if (t != NUMBER_DTYPE) {
		TYPED(complex_load)(a, t, 1, h->n * h->n, y->copy);
	}
}

/* Copies the lower triangle of A, of which y->a has the rows, to the array of
 * the factors. */
static void TYPED(begin_half)(size_t n, const struct TYPED(complex_system) *y)
{
	enum { STRIP = 64 };

	for (size_t i = 0; i < n; i += STRIP) {
		const size_t last = size_min(i + STRIP, n);

		lapack_transpose(y->a + i * n, n, last - i, last, sizeof *y->a,
		                 y->lu + i, y->ld);
	}
	for (size_t i = 0; i < n; i++)
		y->lu[i * (y->ld + 1)] = REAL(creal)(y->lu[i * (y->ld + 1)]);
}

/* Copies A to the array of the factors. */
static void TYPED(begin_factors)(const struct complex_plan *h,
                                 const struct TYPED(complex_system) *y)
{
	if (y->half) {
		TYPED(begin_half)(h->n, y);
		return;
	}
	(h->kind == KIND_GENERAL ? lapack_transpose : lapack_copy)(y->a, h->n,
	    h->n, h->n, sizeof *y->a, y->lu, y->ld);
	TYPED(complex_clear_ends)(y->lu, h->n, h->n, y->ld);
}

/* Loads the right-hand sides, and starts with them as the solution. */
static void TYPED(take_sides)(const struct lapack_call *c, size_t index,
                              const struct TYPED(complex_system) *y)
{
	const struct complex_plan *h = complex_how(c);
	const size_t count = h->n * h->sides;

	TYPED(complex_load)(operand(c->a, SOLVE_B, index), c->a->dtype, h->n,
	                    h->sides, y->b);
	for (size_t i = 0; i < count && y->up != 1; i++)
		y->b[i] *= (real)y->up;
	memcpy(y->x, y->b, count * sizeof *y->x);
}
