/* norm_real.h - sums of magnitudes, multiplied by `by`, in one of the two
 * types (ops/lapack/each_type.h). */

static void TYPED(column_sums)(const void *x, size_t m, size_t n, double by,
                               double *restrict sums)
{
	const real *a = x;

	for (size_t i = 0; i < m; i++, a += n)
		for (size_t j = 0; j < n; j++)
			sums[j] += fabs(a[j] * by);
}
