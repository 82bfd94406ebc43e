/* residual_real.h - |A - L L^T| / (n |A| eps) of one matrix
 * (ops/lapack/each_type.h). */

/* Sets `to` to the symmetric matrix whose lower triangle is A's. */
static void TYPED(mirror)(const real *a, real *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			to[i * n + j] = to[j * n + i] = a[i * n + j];
}

static double TYPED(exact_ratio)(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	const int k = (int)n;
	const real *l = lapack_out(c->a, 0, index);
	const real one = 1, minus_one = -1;
	double *sums = room;
	real *error = (real *)(sums + n);
	long double norm, defect;

	TYPED(mirror)(lapack_in(c->a, 0, index), error, n);
	norm = lapack_norm1(REAL_DTYPE, error, n, n, sums);
	/* E = A - L L^T; to gemm, which is column-major, L is L^T. */
	OF(c->l)->gemm("T", "N", &k, &k, &k, &minus_one, l, &k, l, &k, &one,
	               error, &k);
	defect = lapack_norm1(REAL_DTYPE, error, n, n, sums);
	return defect == 0 ? 0 :
	       (double)(defect / ((double)n * norm * REAL_EPSILON));
}
