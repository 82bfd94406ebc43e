/* dot_real.h - inner products in one of the two types; part of a LAPACK_BODY
 * (ops/lapack/each_type.h). */

/* Returns sum_j a_j x_j over n elements. The lanes let the compiler use vector
 * instructions. */
static double TYPED(dot)(const real *a, const real *x, size_t n)
{
	enum { LANES = 8 };
	real lane[LANES] = { 0 };
	double sum = 0;
	size_t j = 0;

	for (; j + LANES <= n; j += LANES)
		for (size_t k = 0; k < LANES; k++)
			lane[k] += a[j + k] * x[j + k];
	for (; j < n; j++)
		sum += (double)a[j] * x[j];
	for (size_t k = 0; k < LANES; k++)
		sum += lane[k];
	return sum;
}
