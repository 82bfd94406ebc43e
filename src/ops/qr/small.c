/* small.c - launches kernels/qr/small.cl; see device.h. */
#include "ops/lu/residual.h"
#include "ops/qr/device.h"

enum { SMALL = 64 };			/* kernels/qr/small.cl */

static size_t ld_of(const struct qr_sizes *z)
{
	return size_max(z->n, z->columns);
}

static size_t local_bytes(const struct qr_sizes *z, enum dtype t,
                          const struct sheet *d)
{
	return z->m * ld_of(z) * dtype_bytes(t) +
	       4 * SMALL * lu_wide_bytes(d) + SMALL * sizeof(int32_t);
}

bool qr_is_small(const struct qr_sizes *z, enum dtype t,
                 const struct sheet *d)
{
	return ld_of(z) <= SMALL && z->m <= QR_LOCAL &&
	       local_bytes(z, t, d) <= size_min(QR_LOCAL,
	                                        d->local_memory_bytes);
}

void qr_small_factor(struct seq *s, const struct qr_sizes *z,
                     const struct qr_small *b)
{
	const size_t wide = SMALL * lu_wide_bytes(seq_sheet(s));
	const size_t each = dtype_bytes(seq_dtype(s));

	seq_work(s, 4.0 * z->stack * z->m * z->n * z->k, 0);
	seq_launch(s, "qr_small", GRID1(z->stack * SMALL, SMALL),
	           ARG_BUF(b->a), ARG_INT(z->m), ARG_INT(z->n),
	           ARG_INT(z->columns), ARG_INT(z->pivots),
	           ARG_INT(b->q.id != 0), ARG_INT(b->r.id != 0),
	           ARG_INT(b->p.id != 0), ARG_INT(b->h.id != 0),
	           ARG_INT(b->tau.id != 0), ARG_BUF(b->q.id ? b->q : b->bad),
	           ARG_BUF(b->r.id ? b->r : b->bad),
	           ARG_BUF(b->p.id ? b->p : b->bad),
	           ARG_BUF(b->h.id ? b->h : b->bad),
	           ARG_BUF(b->tau.id ? b->tau : b->bad), ARG_BUF(b->bad),
	           ARG_INT(ld_of(z)), ARG_LOCAL(wide), ARG_LOCAL(wide),
	           ARG_LOCAL(wide), ARG_LOCAL(wide),
	           ARG_LOCAL(z->m * ld_of(z) * each),
	           ARG_LOCAL(SMALL * sizeof(int32_t)), ARG_FIRST(0));
}
