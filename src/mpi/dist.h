/* dist.h - a matrix that is distributed over the grid.
 *
 * Square blocks of SCALAPACK_BLOCK rows and columns are dealt out cyclically in
 * both directions (ScaLAPACK's two-dimensional block-cyclic distribution):
 * block (i, j) belongs to the process of row i mod g->rows and column j mod
 * g->cols. A process keeps its blocks as one column-major matrix. The front's
 * matrices are row-major, so that blocks are transposed on the way.
 *
 * Process 0 hands out and collects a matrix by row blocks: it holds no more of
 * it than SCALAPACK_BLOCK rows besides the front's memory and its own share.
 */
#ifndef MPI_DIST_H
#define MPI_DIST_H

#include <stdint.h>

#include "matrix/dtype.h"
#include "mpi/grid.h"

enum { DIST_DESC = 9 };

struct dist {
	const struct ranks *g;
	enum dtype dtype;		/* FLOAT32 or FLOAT64 */
	size_t m, n;			/* the whole matrix */
	size_t rows, cols, ld;		/* this process's share; ld >= 1 */
	void *data;
	int desc[DIST_DESC];		/* ScaLAPACK's descriptor */
};

/* Allocates a matrix of zeros. ERR_MEMORY, or ERR_TOO_LARGE if a process would
 * have 2^31 elements, or 2^31 bytes of a row block. dist_fini() must be called
 * in any case; { 0 } is none. */
enum err_code dist_new(struct dist *d, const struct ranks *g, enum dtype t,
                       size_t m, size_t n);
void dist_fini(struct dist *d);

/* The same shape and elements. */
enum err_code dist_copy(struct dist *to, const struct dist *from);

/* In process 0: returns rows first ... first + n - 1 of the whole matrix,
 * row-major; room has space for them. Or takes these rows. */
typedef const void *dist_get_fn(void *arg, size_t first, size_t n, void *room);
typedef void dist_put_fn(void *arg, size_t first, size_t n, const void *rows);

/* Hand out and collect a matrix. ERR_MEMORY, ERR_DISMISSED. */
enum err_code dist_scatter(struct dist *d, dist_get_fn *get, void *arg);
enum err_code dist_gather(const struct dist *d, dist_put_fn *put, void *arg);

/* How many of n rows or columns process p of `count` has, and which one of the
 * whole matrix is its i-th. */
size_t dist_share(size_t n, int p, int count);
size_t dist_global(size_t i, int p, int count);

static inline size_t dist_row(const struct dist *d, size_t i)
{
	return dist_global(i, d->g->row, d->g->rows);
}

static inline size_t dist_col(const struct dist *d, size_t j)
{
	return dist_global(j, d->g->col, d->g->cols);
}

/* Return and set element (i, j) of this process's share. */
static inline double dist_element(const struct dist *d, size_t i, size_t j)
{
	const size_t at = j * d->ld + i;

	return d->dtype == FLOAT32 ? (double)((const float *)d->data)[at] :
	                             ((const double *)d->data)[at];
}

static inline void dist_set(struct dist *d, size_t i, size_t j, double x)
{
	const size_t at = j * d->ld + i;

	if (d->dtype == FLOAT32)
		((float *)d->data)[at] = (float)x;
	else
		((double *)d->data)[at] = x;
}

#endif
