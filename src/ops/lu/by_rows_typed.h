/* by_rows_typed.h - the part of by_rows.c that is compiled for real and for
 * complex numbers. `number` is float64 or complex128, and NARROWED(x) rounds to
 * float32 or complex64. */

struct TYPED(rows) {
	size_t m, n, k;			/* k = min(m, n) */
	bool narrow;			/* round every result by NARROWED() */
	number *lu;			/* A, which its factors overwrite row by
					 * row */
	number *vector;			/* k vectors of n elements */
	number *of;			/* k x k: row i has the coefficients of
					 * vector i as a combination of rows of
					 * U */
	size_t *lead;			/* element c is 1 + the index of the
					 * vector that begins in column c, or 0
					 * if there is none */
	number *v, *of_v;		/* the row that is being reduced, and
					 * the coefficients of what has been
					 * subtracted from it */
};

static number TYPED(rounded)(const struct TYPED(rows) *x, number value)
{
	return x->narrow ? NARROWED(value) : value;
}

/* Subtracts a multiple of vector b from v, so that v's element in column c is
 * zero. */
static void TYPED(subtract)(const struct TYPED(rows) *x, size_t b, size_t c)
{
	const number *from = x->vector + b * x->n, *of = x->of + b * x->k;
	const number f = TYPED(rounded)(x, x->v[c] / from[c]);

	for (size_t j = c + 1; j < x->n; j++)
		x->v[j] = TYPED(rounded)(x, x->v[j] -
		                            TYPED(rounded)(x, f * from[j]));
	x->v[c] = 0;
	for (size_t i = 0; i < x->k; i++)
		if (of[i] != 0)
			x->of_v[i] = TYPED(rounded)(x, x->of_v[i] + f * of[i]);
}

/* Makes v zero left of column `end`. Returns false, and sets *where to the
 * column, if an element cannot be made zero. */
static bool TYPED(eliminate)(const struct TYPED(rows) *x, size_t end,
                             size_t *where)
{
	for (size_t c = 0; c < end; c++) {
		if (x->v[c] == 0)
			continue;
		*where = c;
		if (!x->lead[c])
			return false;
		TYPED(subtract)(x, x->lead[c] - 1, c);
	}
	return true;
}

/* Reduces v, which is row r of U, by the vectors, and keeps what is left of it
 * as another vector, unless that is zero. */
static void TYPED(keep)(struct TYPED(rows) *x, size_t r)
{
	memset(x->of_v, 0, x->k * sizeof *x->of_v);
	for (size_t c = r; c < x->n; c++) {
		if (x->v[c] == 0)
			continue;
		if (x->lead[c]) {
			TYPED(subtract)(x, x->lead[c] - 1, c);
			continue;
		}
		x->lead[c] = r + 1;
		memcpy(x->vector + r * x->n, x->v, x->n * sizeof *x->v);
		for (size_t i = 0; i < x->k; i++)
			x->of[r * x->k + i] = -x->of_v[i];
		x->of[r * x->k + r] = 1;
		return;
	}
}

static bool TYPED(factor_row)(struct TYPED(rows) *x, size_t r, size_t *where)
{
	number *row = x->lu + r * x->n;
	const size_t end = size_min(r, x->n);

	memcpy(x->v, row, x->n * sizeof *row);
	memset(x->of_v, 0, x->k * sizeof *x->of_v);
	if (!TYPED(eliminate)(x, end, where))
		return false;
	memcpy(row, x->of_v, end * sizeof *row);
	if (r >= x->n)
		return true;
	memcpy(row + r, x->v + r, (x->n - r) * sizeof *row);
	TYPED(keep)(x, r);
	return true;
}

static int TYPED(rows_alloc)(struct TYPED(rows) *x, struct err *e)
{
	x->vector = calloc(x->k * x->n + 1, sizeof *x->vector);
	x->of = calloc(x->k * x->k + 1, sizeof *x->of);
	x->lead = calloc(x->n + 1, sizeof *x->lead);
	x->v = calloc(x->n + x->k + 1, sizeof *x->v);
	if (!x->vector || !x->of || !x->lead || !x->v)
		return err_set(e, ERR_MEMORY, "lu: no memory for the rows of "
		               "%zux%zu elements", x->m, x->n);
	x->of_v = x->v + x->n;
	return 0;
}

bool TYPED(lu_by_rows)(number *a, size_t m, size_t n, enum dtype t,
                       size_t *where, struct err *e)
{
	struct TYPED(rows) x = {
		.m = m, .n = n, .k = size_min(m, n),
		.narrow = t == FLOAT32 || t == COMPLEX64, .lu = a,
	};
	bool exists = TYPED(rows_alloc)(&x, e) == 0;

	for (size_t r = 0; r < m && exists; r++)
		exists = TYPED(factor_row)(&x, r, where);
	free(x.vector);
	free(x.of);
	free(x.lead);
	free(x.v);
	return exists;
}
