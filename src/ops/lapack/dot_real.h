/* dot_real.h - inner products in one of the two types; part of a LAPACK_BODY
 * (ops/lapack/each_type.h). */
typedef real TYPED(lanes)
	__attribute__((vector_size(16), aligned(sizeof(real)), may_alias));

/* Returns sum_j a_j x_j over n elements. Four vectors of partial sums hide the
 * latency of an addition. */
static double TYPED(dot)(const real *a, const real *x, size_t n)
{
	enum { LANES = 16 / sizeof(real) };
	TYPED(lanes) p = { 0 }, q = { 0 }, r = { 0 }, s = { 0 };
	double sum = 0;
	size_t j = 0;

	for (; j + 4 * LANES <= n; j += 4 * LANES) {
		const TYPED(lanes) *u = (const void *)(a + j);
		const TYPED(lanes) *v = (const void *)(x + j);

		p += u[0] * v[0];
		q += u[1] * v[1];
		r += u[2] * v[2];
		s += u[3] * v[3];
	}
	for (; j < n; j++)
		sum += (double)a[j] * x[j];
	for (size_t i = 0; i < LANES; i++)
		sum += (double)p[i] + q[i] + r[i] + s[i];
	return sum;
}
