/* complex_typed.h - complex.c for one of the two types
 * (ops/lapack/each_complex.h). */

/* Loads A, of type t. Only an array of that type has gaps. */
static void TYPED(load)(const void *a, enum dtype t, size_t m, size_t n,
                        const struct TYPED(lu_complex) *f)
{
	if (f->ld == m) {
		TYPED(complex_load)(a, t, m, n, f->lu);
		return;
	}
	lapack_transpose(a, n, m, n, sizeof *f->lu, f->lu, f->ld);
	TYPED(complex_clear_ends)(f->lu, m, n, f->ld);
}

bool TYPED(lu_complex_factor)(const struct lapack_call *c, const void *a,
                              size_t m, size_t n,
                              struct TYPED(lu_complex) *f)
{
	TYPED(load)(a, c->a->dtype, m, n, f);
	f->norm = TYPED(complex_norm1)(f->lu, m, n, f->ld);
	return m == 0 || n == 0 || TYPED(factor)(c, a, m, n, f);
}

/* A, row-major or, if it had to be widened, column-major; its factors, the
 * order of its rows, and room for two vectors. */
struct TYPED(parts) {
	const number *a, *lu;
	bool by_rows;
	const int64_t *p;
	size_t m, n, ld;		/* ld: of lu */
	number *y, *z;
};

/* r = L U x */
static void TYPED(multiply)(const struct TYPED(parts) *q, const number *x,
                            number *r)
{
	const size_t top = size_min(q->m, q->n);
	const int ld = (int)q->ld, k = (int)top, step = 1;
	const int right = (int)(q->n - top), under = (int)(q->m - top);
	const number one = 1;

	/* y = U x */
	memcpy(q->y, x, top * sizeof *x);
	FORTRAN(trmv)("U", "N", "N", &k, q->lu, &ld, q->y, &step);
	if (right > 0)
		FORTRAN(gemv)("N", &k, &right, &one, q->lu + top * q->ld, &ld,
		              x + top, &step, &one, q->y, &step);
	/* r = L y */
	memset(r, 0, q->m * sizeof *r);
	memcpy(r, q->y, top * sizeof *r);
	FORTRAN(trmv)("L", "N", "U", &k, q->lu, &ld, r, &step);
	if (under > 0)
		FORTRAN(gemv)("N", &under, &k, &one, q->lu + top, &ld, q->y,
		              &step, &one, r + top, &step);
}

/* r = L U x - P A x */
static void TYPED(defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *q = how;
	const bool turned = q->by_rows;
	const int m = (int)q->m, n = (int)q->n, step = 1;
	const number one = 1;

	TYPED(multiply)(q, x, r);
	memset(q->z, 0, q->m * sizeof *q->z);
	FORTRAN(gemv)(turned ? "T" : "N", turned ? &n : &m, turned ? &m : &n,
	              &one, q->a, turned ? &n : &m, x, &step, &one, q->z,
	              &step);
	for (size_t i = 0; i < q->m; i++)
		r[i] -= q->z[q->p[i]];
}

double TYPED(lu_complex_judge)(const struct lapack_call *c, const void *a,
                               size_t m, size_t n,
                               const struct TYPED(lu_complex) *f,
                               const int64_t *p)
{
	const enum dtype t = c->a->dtype;
	const size_t most = size_max(m, n);
	struct TYPED(parts) q = {
		.a = f->given ? f->given : a, .lu = f->lu, .p = p,
		.m = m, .n = n, .ld = f->ld, .y = f->vectors,
		.z = f->vectors + most,
	};

	if (m == 0 || n == 0)
		return 0;
	q.by_rows = q.a == a && t == NUMBER_DTYPE;
	if (q.a == a && !q.by_rows) {
		TYPED(complex_load)(a, t, m, n, f->wide);
		q.a = f->wide;
	}
	TYPED(complex_round)(f->lu, f->ld * n, t);
	return complex_ratio(TYPED(complex_defect)(c, m, n, TYPED(defect), &q,
	                                           f->vectors + 2 * most),
	                     f->norm) / ((double)n * dtype_epsilon(t));
}

struct TYPED(lu_complex) TYPED(lu_complex_room)(const struct lapack_call *c,
                                                size_t m, size_t n,
                                                struct complex_room *r)
{
	struct TYPED(lu_complex) f = { 0 };

	f.ld = c->a->dtype == NUMBER_DTYPE ? complex_ld(m, sizeof *f.lu) : m;
	f.lu = complex_array(r, f.ld * n, sizeof *f.lu);
	if (c->a->dtype != NUMBER_DTYPE)
		f.wide = complex_array(r, m * n, sizeof *f.wide);
	f.vectors = complex_array(r, 4 * size_max(m, n), sizeof *f.vectors);
	f.pivots = complex_array(r, size_min(m, n), sizeof *f.pivots);
	return f;
}

/* Stores the m x k lower factor, whose diagonal is 1, and the k x n upper one.
 */
static void TYPED(put_factors)(const struct lapack_call *c, size_t index,
                               const struct TYPED(lu_complex) *f, size_t m,
                               size_t n)
{
	const size_t k = size_min(m, n);
	const enum dtype t = c->a->dtype;
	void *const l = lapack_out(c->a, LU_L, index);
	void *const u = lapack_out(c->a, LU_U, index);

	if (l) {
		TYPED(complex_store)(f->lu, f->ld, m, k, t, l);
		make_unit_lower(l, t, k);
	}
	if (u) {
		TYPED(complex_store)(f->lu, f->ld, k, n, t, u);
		make_upper(u, t, k, n);
	}
}

static void TYPED(put_sign)(const struct lapack_call *c, size_t index,
                            const struct TYPED(lu_complex) *f, size_t k)
{
	cplx sign = 1;
	bool singular = false;
	bool *const to = lapack_out(c->a, LU_SINGULAR, index);

	for (size_t i = 0; i < k; i++) {
		cplx u = f->lu[i * (f->ld + 1)];

		complex_round(&u, 1, c->a->dtype);	/* as it is answered */
		singular |= u == 0;
		sign *= u == 0 ? 0 : u / cabs(u);
		if (f->pivots[i] != (int)i + 1)
			sign = -sign;
	}
	if (to)
		*to = singular;
	if (c->a->out[LU_SIGN].memory)
		matrix_set_complex(&c->a->out[LU_SIGN], index, creal(sign),
		                   cimag(sign));
}

/* Answers with the factors, and judges them. */
static void TYPED(answer)(const struct lapack_call *c, size_t index,
                          const struct TYPED(lu_complex) *f, int64_t *p)
{
	const size_t m = matrix_rows(&c->a->in[0]);
	const size_t n = matrix_cols(&c->a->in[0]), k = size_min(m, n);
	void *const to = lapack_out(c->a, LU_LU, index);

	lu_complex_order(f->pivots, k, m, p);
	put_pivots(c, index, f->pivots, p, k, m);
	TYPED(put_sign)(c, index, f, k);
	if (to)
		TYPED(complex_store)(f->lu, f->ld, m, n, c->a->dtype, to);
	TYPED(put_factors)(c, index, f, m, n);
	if (complex_is_judged(c))
		complex_told(c, index)->residual = TYPED(lu_complex_judge)(c,
		    lapack_in(c->a, 0, index), m, n, f, p);
}
