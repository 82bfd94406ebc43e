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

/* Sets the moduli of A's elements and the norm of op(A). `sums` has room for n
 * numbers. */
static void TYPED(measure)(const struct complex_plan *h,
                           struct TYPED(complex_system) *y, real *sums)
{
	const size_t n = h->n;

	memset(sums, 0, n * sizeof *sums);
	for (size_t j = 0; j < n; j++) {
		real *const sizes = y->sizes + j * n;
		const double sum = TYPED(complex_sizes)(y->a + j * n, n,
		                                        sizes);

		if (!y->across)
			sums[j] = (real)sum;
		for (size_t i = 0; y->across && i < n; i++)
			sums[i] += sizes[i];
	}
	y->norm = 0;
	for (size_t i = 0; i < n; i++)
		if (sums[i] > y->norm || isnan(sums[i]))
			y->norm = sums[i];
}

/* Takes A. A general matrix is not brought to column-major order: y->a is A^T,
 * and the operand itself where its type is this one. Others are completed. */
static void TYPED(take)(const struct lapack_call *c, size_t index,
                        struct TYPED(complex_system) *y)
{
	const struct complex_plan *h = complex_how(c);
	const enum dtype t = c->a->dtype;
	const void *const a = operand(c->a, SOLVE_A, index);
	const bool by_rows = h->kind == KIND_GENERAL;

	y->across = by_rows != h->turned;
	y->a = by_rows && t == NUMBER_DTYPE ? a : y->copy;
	if (!by_rows) {
		TYPED(complex_load)(a, t, h->n, h->n, y->copy);
		TYPED(complete)(y->copy, h);
	} else if (t != NUMBER_DTYPE) {
		TYPED(complex_load)(a, t, 1, h->n * h->n, y->copy);
	}
}

/* Copies A to the array of the factors. */
static void TYPED(begin_factors)(const struct complex_plan *h,
                                 const struct TYPED(complex_system) *y)
{
	(h->kind == KIND_GENERAL ? lapack_transpose : lapack_copy)(y->a, h->n,
	    h->n, h->n, sizeof *y->a, y->lu, y->ld);
	TYPED(complex_clear_ends)(y->lu, h->n, h->n, y->ld);
}
