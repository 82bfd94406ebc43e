/* cond_real.h - the part of cond.c that is compiled for each type. LAPACK sees
 * A^T in a row-major A: its infinity norm is the 1-norm of A.
 *
 * The room of a matrix holds A, LAPACK's workspace, and its integers; for
 * float32, too, it suffices for float64 (room_of() in cond.c). */

enum { TYPED(BLOCK) = 64 };		/* of getri's workspace */

/* NaN if an element is NaN. */
static long double TYPED(largest_sum)(const real *x, const struct lines *l)
{
	long double most = 0;

	for (size_t i = 0; i < l->count; i++) {
		long double all = 0;

		for (size_t j = 0; j < l->length; j++)
			all += fabsl(x[i * l->between + j * l->step]);
		most = all > most || isnan(all) ? all : most;
	}
	return most;
}

static long double TYPED(fro)(const real *x, size_t n)
{
	long double all = 0;

	for (size_t i = 0; i < n; i++)
		all += (long double)x[i] * x[i];
	return sqrtl(all);
}

static long double TYPED(norm)(const struct args *a, const real *x, size_t n)
{
	const struct lines rows = { n, n, n, 1 }, columns = { n, n, 1, n };

	return is_wanted(a, FRO) ? TYPED(fro)(x, n * n) :
	       TYPED(largest_sum)(x, is_wanted(a, ONE) ? &columns : &rows);
}

/* Copies A, scaled by a power of two so that its largest element is near
 * 2^`near`: the condition does not change, and A does not overflow. */
static void TYPED(load)(const struct matrix *from, size_t index, int near,
                        real *to)
{
	const size_t count = matrix_rows(from) * matrix_cols(from);
	double most = 0;
	int power = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, fabs(matrix_get(from, index * count + i)));
	frexp(most, &power);
	for (size_t i = 0; i < count; i++)
		to[i] = (real)ldexp(matrix_get(from, index * count + i),
		                    near - power);
}

/* Returns |A| |A^-1| from A's factors and the norm of A: infinity for a
 * singular matrix, NaN where the inverse overflows. */
static long double TYPED(product)(const struct lapack_call *c, size_t n,
                                  long double norm, real *x, real *work,
                                  int *pivots)
{
	long double cond;

	OF(c->l)->getri(LAPACK_COLUMNS, (int)n, x, (int)n, pivots, work,
	                (int)(TYPED(BLOCK) * n));
	cond = norm * TYPED(norm)(c->a, x, n);
	return isfinite(cond) ? cond : (long double)NAN;
}

/* Computes the output of one matrix, or NaN where a number overflows on the
 * way. `near` is the power of two that its elements are scaled to. */
static long double TYPED(value)(const struct lapack_call *c, size_t index,
                                int near, void *room)
{
	const struct args *a = c->a;
	const size_t n = matrix_cols(&a->in[0]);
	const int order = (int)n;
	real *x = room, *work = x + n * n, rcond = 0;
	int *pivots = (int *)(work + TYPED(BLOCK) * n);
	long double norm;
	bool singular;

	TYPED(load)(&a->in[0], index, near, x);
	norm = TYPED(norm)(a, x, n);
	singular = OF(c->l)->getrf(LAPACK_COLUMNS, order, order, x, order,
	                           pivots) != 0;
	if (!is_estimate(a))
		return singular ? (long double)INFINITY :
		       TYPED(product)(c, n, norm, x, work, pivots);
	if (!singular)
		OF(c->l)->gecon(LAPACK_COLUMNS, 'I', order, x, order,
		                (real)norm, &rcond, work, pivots);
	return singular || rcond > 0 ? rcond : (long double)NAN;
}
