/* complex_typed.h - the part of complex.c that is compiled for both types
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

		if (!h->turned)
			sums[j] = (real)sum;
		for (size_t i = 0; h->turned && i < n; i++)
			sums[i] += sizes[i];
	}
	y->norm = 0;
	for (size_t i = 0; i < n; i++)
		if (sums[i] > y->norm || isnan(sums[i]))
			y->norm = sums[i];
}

/* Loads A, completes and scales it. */
static void TYPED(take)(const struct lapack_call *c, size_t index,
                        struct TYPED(complex_system) *y)
{
	const struct complex_plan *h = complex_how(c);

	TYPED(complex_load)(operand(c->a, SOLVE_A, index), c->a->dtype, h->n,
	                    h->n, y->a);
	TYPED(complete)(y->a, h);
	y->up = TYPED(scale)(y->a, h->n, false);
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

/* Factors A, solves, refines and judges. In complex64 only, sets *left and
 * leaves the system to complex128. */
static struct failure_detail TYPED(solve)(const struct lapack_call *c,
                                          size_t index,
                                          struct TYPED(complex_system) *y,
                                          const struct TYPED(complex_spare)
                                          *room, bool *left)
{
	const struct complex_plan *h = complex_how(c);
	const struct TYPED(complex_solver) solver = {
		.l = c->l, .n = h->n, .cholesky = h->kind == KIND_SPD,
		.lu = y->lu, .pivots = y->pivots,
	};
	struct failure_detail d;

	TYPED(take)(c, index, y);
	TYPED(measure)(h, y, room->numbers);
	d = TYPED(factor)(c, y, left);
	if (d.code != ERR_NONE || *left)
		return d;
	TYPED(take_sides)(c, index, y);
	*left = TYPED(leaves)(h, y->b);
	if (*left)
		return d;
	TYPED(complex_invert)(&solver, h->turned ? 'T' : 'N', h->sides, y->x);
	TYPED(complex_improve)(c, index, y, room);
	*left = TYPED(leaves)(h, y->x);
	TYPED(complex_store)(y->x, h->n, h->n, h->sides, c->a->dtype,
	                     lapack_out(c->a, 0, index));
	return d;
}

static struct TYPED(complex_system) TYPED(system_of)(
    const struct complex_plan *h, struct complex_room *r,
    struct TYPED(complex_spare) *spare)
{
	const size_t n = h->n;
	const bool refined = !complex_is_triangle(h) &&
	                     h->kind != KIND_FACTORS;
	struct TYPED(complex_system) y = { 0 };

	y.a = complex_array(r, n * n, sizeof *y.a);
	y.lu = complex_array(r, n * n, sizeof *y.lu);
	y.sizes = complex_array(r, refined ? n * n : 0, sizeof *y.sizes);
	y.b = complex_array(r, n * h->sides, sizeof *y.b);
	y.x = complex_array(r, n * h->sides, sizeof *y.x);
	y.pivots = complex_array(r, n, sizeof *y.pivots);
	spare->elements = complex_array(r, 2 * n, sizeof *spare->elements);
	spare->numbers = complex_array(r, 3 * n + 2 * h->sides,
	                               sizeof *spare->numbers);
	spare->refined = complex_array(r, complex_refine_room(n, h->sides), 1);
	return y;
}
