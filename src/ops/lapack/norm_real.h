/* norm_real.h - sums of magnitudes, multiplied by `by`, in one of the two
 * types (ops/lapack/each_type.h). */

static void TYPED(column_sums)(const void *x, size_t m, size_t n, double by,
                               double *restrict sums)
{
	enum { LANES = 8 };	/* so the compiler uses vector instructions */
	const real *a = x;

	for (size_t i = 0; i < m; i++, a += n) {
		size_t j = 0;

		for (; j + LANES <= n; j += LANES)
			for (size_t k = 0; k < LANES; k++)
				sums[j + k] += fabs(a[j + k] * by);
		for (; j < n; j++)
			sums[j] += fabs(a[j] * by);
	}
}
