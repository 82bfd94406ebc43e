/* host_real.h - pinv of one matrix from its singular value decomposition, for
 * one element type; included by host.c through ops/lapack/each_type.h. */

/* Finds the rank, and the singular values around it, from all k of them. */
static struct values TYPED(values)(const struct plan *h, const real *s)
{
	struct values v = { .first = (double)s[0] };

	while (v.rank < h->k && s[v.rank] > 0 &&
	       (double)s[v.rank] > h->rcond * v.first)
		v.last = (double)s[v.rank++];
	if (v.rank < h->k)
		v.next = (double)s[v.rank];
	return v;
}

/* P = V S^+ U^T; vh is overwritten. LAPACK sees the row-major arrays as
 * transposed: u as U^T, vh as V, and P as the m x n matrix P^T = U S^+ V^T. */
static void TYPED(multiply)(const struct lapack_call *c, size_t index,
                            size_t rank, const real *s, const real *u,
                            real *vh)
{
	const struct plan *h = c->how;
	const int m = (int)h->m, n = (int)h->n, k = (int)h->k, r = (int)rank;
	const real one = 1, zero = 0;
	real *p = lapack_out(c->a, 0, index);

	if (!p)
		return;
	for (size_t j = 0; j < rank; j++)
		for (size_t i = 0; i < h->n; i++)
			vh[j * h->n + i] /= s[j];
	if (rank == 0)
		memset(p, 0, h->m * h->n * sizeof *p);
	else
		OF(c->l)->gemm("T", "T", &m, &n, &r, &one, u, &k, vh, &n,
		               &zero, p, &m);
}
