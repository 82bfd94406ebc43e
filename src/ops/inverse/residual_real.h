/* residual_real.h - |A X - I| / (n |A| |X| eps) of one matrix
 * (ops/lapack/each_type.h). */

static double TYPED(exact_ratio)(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	const int k = (int)n;
	const real *a = lapack_in(c->a, 0, index);
	const real *x = lapack_out(c->a, 0, index);
	const real one = 1, zero = 0;
	double *sums = room;
	real *error = (real *)(sums + n);
	long double norms, defect;

	/* E = A X; to gemm, which is column-major, it is X^T A^T. */
	OF(c->l)->gemm("N", "N", &k, &k, &k, &one, x, &k, a, &k, &zero, error,
	               &k);
	for (size_t i = 0; i < n; i++)
		error[i * (n + 1)] -= 1;
	defect = lapack_norm1(REAL_DTYPE, error, n, n, sums);
	norms = lapack_norm1(REAL_DTYPE, a, n, n, sums) *
	        lapack_norm1(REAL_DTYPE, x, n, n, sums);
	return defect == 0 ? 0 :
	       (double)(defect / ((double)n * norms * REAL_EPSILON));
}
