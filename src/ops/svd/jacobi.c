/* jacobi.c - svd of small matrices by one-sided Jacobi rotations on the device.
 * One launch decomposes all matrices, each by a work-group. The kernel reports
 * the matrices whose singular vectors it cannot find, such as those of singular
 * values that are exactly 0, and LAPACK decomposes these on the host. LAPACK
 * also decomposes all matrices that are too large for a work-group. */
#include "ops/lu/residual.h"
#include "ops/svd/svd.h"

enum {
	MOST = 64, ITEMS = 256,		/* kernels/svd/jacobi.cl */
	LOCAL = 48 << 10		/* most bytes of local memory used */
};

/* The leading dimension of the kernel's column-major X in local memory. It is
 * odd, so that the same row of neighbouring columns lies in different banks. */
static size_t ld_of(const struct svd_sizes *z)
{
	return size_max(z->m, z->n) | 1;
}

static size_t local_bytes(const struct svd_sizes *z, const struct args *a,
                          const struct sheet *d)
{
	return ld_of(z) * z->all * dtype_bytes(a->dtype) +
	       (3 * ITEMS + MOST) * lu_wide_bytes(d) +
	       (MOST + 2) * sizeof(int32_t);
}

bool svd_jacobi_fits(const struct args *a, const struct sheet *d)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const bool square = a->param[SVD_VECTORS] != SVD_FULL || z.m == z.n;

	return square && z.stack > 0 && z.all > 0 && z.all <= MOST &&
	       size_max(z.m, z.n) <= LOCAL && d->max_work_group_size >= ITEMS &&
	       local_bytes(&z, a, d) <= size_min(LOCAL, sheet_local_room(d));
}

static size_t v_size(const struct args *a)
{
	const struct svd_sizes z = svd_sizes_of(a);

	return z.stack * z.all * z.all * dtype_bytes(a->dtype);
}

void svd_jacobi_need(struct need *n, const struct args *a)
{
	const struct svd_sizes z = svd_sizes_of(a);

	need_buffer(n, v_size(a));
	need_buffer(n, z.stack * sizeof(int32_t));
	if (!dense_has(a, SVD_S))
		need_buffer(n, z.stack * z.k * dtype_bytes(a->dtype));
}

/* A = U S V^T */
static void launch(struct seq *s, const struct args *a, struct buf status)
{
	const struct svd_sizes z = svd_sizes_of(a);
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const size_t each = dtype_bytes(a->dtype);
	const struct buf v = seq_scratch(s, v_size(a));

	seq_work(s, a->op->flops(a), a->op->bytes(a));
	seq_launch(s, "svd_jacobi", GRID1(z.stack * ITEMS, ITEMS),
	           ARG_BUF(seq_input(s, &a->in[0])), ARG_INT(z.m),
	           ARG_INT(z.n), ARG_INT(z.k),
	           ARG_INT(dense_has(a, SVD_U)),
	           ARG_INT(dense_has(a, SVD_VH)),
	           ARG_BUF(svd_output_or(s, a, SVD_U, v)),
	           ARG_BUF(dense_has(a, SVD_S) ?
	                   seq_output(s, &a->out[SVD_S]) :
	                   seq_scratch(s, z.stack * z.k * each)),
	           ARG_BUF(svd_output_or(s, a, SVD_VH, v)), ARG_BUF(v),
	           ARG_BUF(status), ARG_INT(ld_of(&z)),
	           ARG_LOCAL(3 * ITEMS * wide), ARG_LOCAL(MOST * wide),
	           ARG_LOCAL(ld_of(&z) * z.all * each),
	           ARG_LOCAL(MOST * sizeof(int32_t)),
	           ARG_LOCAL(2 * sizeof(int32_t)), ARG_FIRST(0));
}

int svd_jacobi(struct seq *s, struct args *a)
{
	return svd_jacobi_fits(a, seq_sheet(s)) ? svd_device(s, a, launch) :
	                                          svd_host(s, a);
}
