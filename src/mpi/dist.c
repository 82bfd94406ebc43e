/* dist.c - see dist.h; travel.c hands matrices out and collects them. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "mpi/dist.h"
#include "ops/scalapack.h"

enum { NB = SCALAPACK_BLOCK };

size_t dist_share(size_t n, int p, int count)
{
	const size_t blocks = n / NB, each = blocks / (size_t)count;
	const size_t extra = blocks % (size_t)count, own = (size_t)p;

	return each * NB + (own < extra ? NB : own == extra ? n % NB : 0);
}

size_t dist_global(size_t i, int p, int count)
{
	return (i / NB * (size_t)count + (size_t)p) * NB + i % NB;
}

/* ScaLAPACK counts elements in an int, and MPI the bytes of a message. */
static enum err_code allocate(struct dist *d)
{
	if (d->m > INT32_MAX || d->n > INT32_MAX ||
	    d->ld * size_max(d->cols, 1) > INT32_MAX ||
	    NB * d->cols * dtype_bytes(d->dtype) > INT32_MAX)
		return ERR_TOO_LARGE;
	d->data = calloc(d->ld * size_max(d->cols, 1), dtype_bytes(d->dtype));
	return d->data ? ERR_NONE : ERR_MEMORY;
}

enum err_code dist_new(struct dist *d, const struct ranks *g, enum dtype t,
                       size_t m, size_t n)
{
	*d = (struct dist){
		.g = g, .dtype = t, .m = m, .n = n,
		.rows = dist_share(m, g->row, g->rows),
		.cols = dist_share(n, g->col, g->cols),
	};
	d->ld = size_max(d->rows, 1);
	d->desc[0] = 1;			/* dense */
	d->desc[1] = g->context;
	d->desc[2] = (int)m;
	d->desc[3] = (int)n;
	d->desc[4] = d->desc[5] = NB;
	d->desc[8] = (int)d->ld;
	return grid_agree(g, allocate(d));
}

void dist_fini(struct dist *d)
{
	free(d->data);
	d->data = NULL;
}

enum err_code dist_copy(struct dist *to, const struct dist *from)
{
	const enum err_code code = dist_new(to, from->g, from->dtype, from->m,
	                                    from->n);

	if (code == ERR_NONE)
		memcpy(to->data, from->data, from->ld * from->cols *
		       dtype_bytes(from->dtype));
	return code;
}
