/* symmetric.c - see symmetric.h. */
#include "ops/tridiagonal/symmetric.h"

#include <math.h>
#include <stdlib.h>

#include "ops/tridiagonal/divide.h"
#include "ops/tridiagonal/steps.h"

static int decompose(struct seq *s, size_t n, struct buf a, int power,
                     double *w, double *e, struct buf z)
{
	const struct tridiagonal_form f = tridiagonal_reduce(s, n, a, power);

	if (tridiagonal_read(&f, w, e) < 0 ||
	    (z.id ? tridiagonal_decompose(s, n, w, e, z) :
	            tridiagonal_values(s, n, w, e)) < 0)
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
	tridiagonal_values_need(n, d, t, rows);
	tridiagonal_decompose_need(n, d, t, rows);
}
