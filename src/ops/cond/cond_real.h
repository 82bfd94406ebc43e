/* cond_real.h - the part of cond.c that is compiled for each type. LAPACK sees
 * A^T in a row-major A: its infinity norm is the 1-norm of A.
 *
 * The room of a matrix holds A, LAPACK's workspace, and its integers. */

enum { TYPED(BLOCK) = 64 };		/* of getri's workspace */

static size_t TYPED(room)(size_t n)
{
	return (n + TYPED(BLOCK)) * n * sizeof(real) + n * sizeof(int);
}

static long double TYPED(largest_sum)(const real *x, const struct lines *l)
{
	long double most = 0;

	for (size_t i = 0; i < l->count; i++) {
		long double all = 0;

		for (size_t j = 0; j < l->length; j++)
			all += fabsl(x[i * l->between + j * l->step]);
		if (all > most || isnan(all))
			most = all;
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

/* Copies A, scaled by a power of two so that its largest element is near 1: the
 * condition does not change, and nothing overflows. */
static void TYPED(load)(const real *from, size_t n, real *to)
{
	real most = 0;
	int power = 0;

	for (size_t i = 0; i < n * n; i++)
		most = fabs((double)from[i]) > (double)most ?
		       (real)fabs((double)from[i]) : most;
	frexp((double)most, &power);
	for (size_t i = 0; i < n * n; i++)
		to[i] = (real)ldexp((double)from[i], -power);
}

static struct failure_detail TYPED(one)(const struct lapack_call *c,
                                        size_t index, void *room)
{
	const struct args *a = c->a;
	const size_t n = matrix_cols(&a->in[0]);
	const int order = (int)n;
	real *x = room, *work = x + n * n, rcond = 0;
	int *pivots = (int *)(work + TYPED(BLOCK) * n);
	real *answer = lapack_out(a, output_of(a), index);
	long double norm;
	bool singular;

	TYPED(load)(lapack_in(a, 0, index), n, x);
	norm = TYPED(norm)(a, x, n);
	singular = OF(c->l)->getrf(LAPACK_COLUMNS, order, order, x, order,
	                           pivots) != 0;
	if (is_estimate(a)) {
		if (!singular)
			OF(c->l)->gecon(LAPACK_COLUMNS, 'I', order, x, order,
			                (real)norm, &rcond, work, pivots);
		*answer = isnan(rcond) ? 0 : rcond;
	} else if (singular) {
		*answer = INFINITY;
	} else {
		OF(c->l)->getri(LAPACK_COLUMNS, order, x, order, pivots, work,
		                (int)(TYPED(BLOCK) * n));
		norm *= TYPED(norm)(a, x, n);
		*answer = isnan(norm) ? INFINITY : (real)norm;
	}
	return (struct failure_detail){ .code = ERR_NONE };
}
