/* host.c - T = Z diag(w) Z^T by LAPACK on the host; see steps.h. */
#include <stdlib.h>

#include "ops/lapack/lapack.h"
#include "ops/tridiagonal/steps.h"

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

int tridiagonal_solve(struct seq *s, size_t n, double *d, double *e,
                      struct buf z)
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
		info = l->d.syevd(LAPACK_COLUMNS, 'V', 'L', (int)n, a, (int)n, d, a + n * n, (int)length,
		                  iwork, (int)(3 + 5 * n));
	}
	if (info == 0)
		put(s, n, a, z);
	free(a);
	free(iwork);
	return info == 0 ? 0 : err_set(seq_err(s), ERR_CONVERGENCE,
	                               "the eigenvalues of a matrix of %zu "
	                               "rows did not converge", n);
}
