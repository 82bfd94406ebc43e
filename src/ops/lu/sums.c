/* sums.c - see sums.h. */
#include <stdlib.h>
#include <string.h>

#include "ops/lu/residual.h"
#include "ops/lu/sums.h"

size_t lu_sums_count(size_t m, size_t k)
{
	return 3 * m + k;
}

struct lu_sums lu_sums_at(double *x, size_t m)
{
	return (struct lu_sums){ x, x + m, x + 2 * m, x + 3 * m };
}

double *lu_sums_room(struct seq *s, size_t n)
{
	double *const x = calloc(n + 1, sizeof *x);

	if (!x)
		err_set(seq_err(s), ERR_MEMORY, "lu: no memory for %zu sums",
		        n);
	return x;
}

void lu_sums_read(struct seq *s, struct buf b, double *to, size_t n)
{
	double *const x = lu_wide_read(s, b, n);

	if (x)
		memcpy(to, x, n * sizeof *x);
	free(x);
}

void lu_sums_write(struct seq *s, struct buf b, double *host, size_t n)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));

	for (size_t i = 0; i < n && wide == sizeof(float); i++)
		((float *)host)[i] = (float)host[i];
	seq_write(s, b, 0, host, n * wide);
}

double lu_sums_ratio(const struct seq *s, const struct lu_sums *x, size_t m,
                     size_t n, size_t k, const int32_t *order)
{
	const double eps = dtype_epsilon(seq_dtype(s)) / 2;
	double defect = 0, most = 0;

	for (size_t i = 0; i < m; i++) {
		defect = lu_larger(defect, fabs(x->ax[order[i]] - x->lw[i] -
		                                (i < k ? x->ux[i] : 0)));
		most = lu_larger(most, x->norm[i]);
	}
	return defect == 0 ? 0 : defect / most / ((double)n * eps);
}
