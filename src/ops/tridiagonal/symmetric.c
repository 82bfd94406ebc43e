/* symmetric.c - see symmetric.h. */
#include "ops/tridiagonal/symmetric.h"

#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/lapack/lapack.h"
#include "ops/tridiagonal/steps.h"

/* --- the tridiagonal matrix, by LAPACK on the host */

/* Stores the column-major n x n matrix x in the row-major z, in the sequence's
 * type. */
static void put(struct seq *s, size_t n, double *x, struct buf z)
{
	const enum dtype t = seq_dtype(s);
	void *rows = malloc(n * n * dtype_bytes(t));

	if (!rows) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for a matrix of "
		        "%zu rows", n);
		return;
	}
	for (size_t i = 0; i < n * n; i++)
		if (t == FLOAT32)
			((float *)rows)[i] = (float)x[i % n * n + i / n];
		else
			((double *)rows)[i] = x[i % n * n + i / n];
	seq_write(s, z, 0, rows, n * n * dtype_bytes(t));
	free(rows);
}

static int solve(struct seq *s, size_t n, double *d, double *e, struct buf z)
{
	const struct lapack *l = lapack_load(n, seq_err(s));
	const size_t length = 1 + 6 * n + 2 * n * n;
	double *a = calloc(n * n + length, sizeof *a);
	int *iwork = malloc((3 + 5 * n) * sizeof *iwork);
	int info = -1;

	if (l && a && iwork) {
		for (size_t i = 0; i < n; i++) {
			a[i * n + i] = d[i];
			if (i + 1 < n)
				a[i * n + i + 1] = e[i];
		}
		info = l->d.syevd(LAPACK_COLUMNS, z.id ? 'V' : 'N', 'L',
		                  (int)n, a, (int)n, d, a + n * n, (int)length,
		                  iwork, (int)(3 + 5 * n));
	}
	if (info == 0 && z.id)
		put(s, n, a, z);
	free(a);
	free(iwork);
	return info == 0 ? 0 : err_set(seq_err(s), ERR_CONVERGENCE,
	                               "the eigenvalues of a matrix of %zu "
	                               "rows did not converge", n);
}

/* --- the whole decomposition */

static int decompose(struct seq *s, size_t n, struct buf a, int power,
                     double *w, double *e, struct buf z)
{
	const struct tridiagonal_form f = tridiagonal_reduce(s, n, a, power);

	if (tridiagonal_read(&f, w, e) < 0 || solve(s, n, w, e, z) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		w[i] = ldexp(w[i], power);
	if (z.id)
		tridiagonal_back(&f, z, n);
	return seq_finish(s);
}

int symmetric_decompose(struct seq *s, size_t n, struct buf a, double *w,
                        struct buf z)
{
	struct symmetric_told told;
	double *e;
	int rc;

	if (n == 0)
		return 0;
	if (symmetric_look(s, n, a, &told) < 0)
		return -1;
	if (!told.finite)
		return err_set(seq_err(s), ERR_NONFINITE, "the matrix has a "
		               "NaN or an infinity");
	e = malloc(n * sizeof *e);
	if (!e)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "numbers", n);
	rc = decompose(s, n, a, symmetric_power(&told), w, e, z);
	free(e);
	return rc;
}

void symmetric_decompose_need(struct need *n, const struct sheet *d,
                              enum dtype t, size_t rows)
{
	symmetric_look_need(n, t, rows);
	tridiagonal_reduce_need(n, d, t, rows);
	tridiagonal_back_need(n, t, rows, rows);
}
