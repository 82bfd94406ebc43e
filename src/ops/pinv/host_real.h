/* host_real.h - pinv of one matrix from its singular value decomposition, for
 * one element type; included by host.c through ops/lapack/each_type.h. */

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

/* P = V S^+ U^T. In column-major order u is U^T and vh is V, and the row-major
 * n x m matrix P is the m x n matrix U S^+ V^T. */
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
