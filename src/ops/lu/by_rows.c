/* by_rows.c - A = L U with a unit diagonal of L, on the host, for matrices on
 * which elimination fails: finds factors whenever some exist, although pivots
 * are zero.
 *
 * With u_k the rows of U so far, which span what the rows of A so far span,
 *
 *     a_r = sum over k < r of l_rk u_k + u_r,   u_r zero left of column r.
 *
 * So row r exists if and only if the first r elements of a_r are a combination
 * of those of the rows before it, whichever L was chosen for these (compare P.
 * Okunev, C. R. Johnson, Necessary and Sufficient Conditions for Existence of
 * the LU Factorization of an Arbitrary Matrix, 1997). To find the combination
 * there is at most one vector with its first non-zero element in column c, for
 * each c: u_c itself where its pivot is not zero, else some combination of rows
 * of U. */
#include <stdlib.h>
#include <string.h>

#include "ops/lu/zero_pivot.h"

struct rows {
	size_t m, n, k;			/* k = min(m, n) */
	bool narrow;			/* round to float32 */
	double *lu;			/* A, and row by row its factors */
	double *vector;			/* k of n elements */
	double *of;			/* the rows of U that each combines */
	size_t *lead;			/* column -> vector + 1; 0: none */
	double *v, *of_v;		/* the row that is being reduced */
};

static double rounded(const struct rows *x, double value)
{
	return x->narrow ? (double)(float)value : value;
}

/* Subtracts a multiple of vector b from v, so that v's element in column c is
 * zero. */
static void subtract(const struct rows *x, size_t b, size_t c)
{
	const double *from = x->vector + b * x->n, *of = x->of + b * x->k;
	const double f = rounded(x, x->v[c] / from[c]);

	for (size_t j = c + 1; j < x->n; j++)
		x->v[j] = rounded(x, x->v[j] - rounded(x, f * from[j]));
	x->v[c] = 0;
	for (size_t i = 0; i < x->k; i++)
		if (of[i] != 0)
			x->of_v[i] = rounded(x, x->of_v[i] + f * of[i]);
}

/* Makes v zero left of column `end`; false, and the column in *where, if one
 * element cannot be made zero. */
static bool eliminate(const struct rows *x, size_t end, size_t *where)
{
	for (size_t c = 0; c < end; c++) {
		if (x->v[c] == 0)
			continue;
		*where = c;
		if (!x->lead[c])
			return false;
		subtract(x, x->lead[c] - 1, c);
	}
	return true;
}

/* Keeps v, row r of U, among the vectors, reduced by them, unless nothing of it
 * is left. */
static void keep(struct rows *x, size_t r)
{
	memset(x->of_v, 0, x->k * sizeof *x->of_v);
	for (size_t c = r; c < x->n; c++) {
		if (x->v[c] == 0)
			continue;
		if (x->lead[c]) {
			subtract(x, x->lead[c] - 1, c);
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

static bool factor_row(struct rows *x, size_t r, size_t *where)
{
	double *row = x->lu + r * x->n;
	const size_t end = size_min(r, x->n);

	memcpy(x->v, row, x->n * sizeof *row);
	memset(x->of_v, 0, x->k * sizeof *x->of_v);
	if (!eliminate(x, end, where))
		return false;
	memcpy(row, x->of_v, end * sizeof *row);
	if (r >= x->n)
		return true;
	memcpy(row + r, x->v + r, (x->n - r) * sizeof *row);
	keep(x, r);
	return true;
}

static int rows_alloc(struct rows *x, struct err *e)
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

bool lu_by_rows(double *a, size_t m, size_t n, enum dtype t, size_t *where,
                struct err *e)
{
	struct rows x = { .m = m, .n = n, .k = size_min(m, n),
	                  .narrow = t == FLOAT32, .lu = a };
	bool exists = rows_alloc(&x, e) == 0;

	for (size_t r = 0; r < m && exists; r++)
		exists = factor_row(&x, r, where);
	free(x.vector);
	free(x.of);
	free(x.lead);
	free(x.v);
	return exists;
}
