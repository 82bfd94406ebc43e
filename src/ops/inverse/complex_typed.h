/* complex_typed.h - complex.c for one of the two types
 * (ops/lapack/each_complex.h). Matrices are row-major: to LAPACK, A^T and its
 * inverse, which is the transpose of A's. */

/* A, its inverse, and the norms of both. */
struct TYPED(parts) {
	const number *a;
	number *x;
	size_t n;
	double of_a, of_x;
	number *y;
};

/* y = M x for a row-major matrix */
static void TYPED(times)(const number *m, size_t rows, const number *x,
                         number *y)
{
	const int n = (int)rows, step = 1;
	const number one = 1, zero = 0;

	FORTRAN(gemv)("T", &n, &n, &one, m, &n, x, &step, &zero, y, &step);
}

/* r = A X v - v */
static void TYPED(defect)(const void *how, const number *v, number *r)
{
	const struct TYPED(parts) *q = how;

	TYPED(times)(q->x, q->n, v, q->y);
	TYPED(times)(q->a, q->n, q->y, r);
	for (size_t i = 0; i < q->n; i++)
		r[i] -= v[i];
}

static double TYPED(condition_of)(const struct TYPED(parts) *q)
{
	return q->of_a * q->of_x;
}

/* room has 2 n elements. */
static void TYPED(judge)(const struct lapack_call *c, size_t index,
                         const struct TYPED(parts) *q, number *room)
{
	const double eps = dtype_epsilon(c->a->dtype);
	const double condition = TYPED(condition_of)(q);
	struct verdict *v = complex_told(c, index);

	v->rcond = isfinite(condition) ? fmin(1 / condition, 1) : 0;
	v->residual = complex_ratio(TYPED(complex_defect)(c, q->n, q->n,
	                                                  TYPED(defect), q,
	                                                  room),
	                            (double)q->n * eps * condition);
}
