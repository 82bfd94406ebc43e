/* columns.h - the columns of an m x n matrix that one part of a gang holds.
 * The matrix is divided into blocks of `width` columns, which are dealt out to
 * the parts in turn: block b belongs to part b % parts (block-cyclic, as
 * ScaLAPACK distributes columns). A part keeps its blocks side by side, in one
 * row-major buffer.
 *
 *     block   0   1   2   3   4        part 0 of 2:  0 2 4
 *     part    0   1   0   1   0        part 1 of 2:  1 3
 */
#ifndef OPS_GANG_COLUMNS_H
#define OPS_GANG_COLUMNS_H

#include "base/size.h"
#include "device/seq.h"
#include "ops/blas/gemm.h"
#include "ops/need.h"

struct columns {
	size_t m, n, width;
	size_t part, parts;
	size_t own;			/* columns that this part holds, which
					 * is also the distance of its rows */
	struct buf b;			/* m x own, row-major */
};

/* Describes the part's columns of an m x n matrix, which are dealt out as those
 * of the call's first operand; makes no buffer. */
struct columns columns_deal(const struct args *a, size_t m, size_t n);

/* Does so for the call's first operand. */
static inline struct columns columns_of(const struct args *a)
{
	return columns_deal(a, matrix_rows(&a->in[0]), matrix_cols(&a->in[0]));
}

/* Describes the columns of another part of the same gang; its buffer is not
 * that part's. */
struct columns columns_part(const struct columns *c, size_t part);

/* The most columns that one of the parts holds. */
size_t columns_most(const struct columns *c);

static inline size_t columns_blocks(const struct columns *c)
{
	return size_blocks(c->n, c->width);
}

static inline bool columns_has(const struct columns *c, size_t block)
{
	return block % c->parts == c->part;
}

/* Returns how many columns the block has: `width`, or fewer in the last one. */
size_t columns_width(const struct columns *c, size_t block);

/* Returns the column of the part's buffer at which its first block with a
 * number of at least `block` begins; `own` if the part has no such block. */
size_t columns_at(const struct columns *c, size_t block);

/* Returns the column of the part's buffer that is the first one of the matrix's
 * columns from j on; `own` if the part has none of these. j < n. */
size_t columns_from(const struct columns *c, size_t j);

/* The part's column `own` as a column of the matrix. */
size_t columns_global(const struct columns *c, size_t own);

/* Makes the buffer and uploads the part's columns of the matrix a. With `lower`
 * a block's rows above its diagonal block are left out. */
void columns_load(struct seq *s, struct columns *c, const struct matrix *a,
                  bool lower);

/* Returns the width of blocks for n columns on `parts` devices: a multiple of
 * 64, at most 512, and so small that every device gets eight blocks if n allows
 * that, which keeps all devices busy until the last panels. Returns 0 if there
 * would be fewer blocks than devices. */
size_t columns_plan(size_t n, int parts);

/* Rows of a row-major matrix in a buffer. Row 0 begins at element `at`, and
 * each further row `ld` elements after the one before. `list`, int32_t, holds
 * from element list_at on which rows are meant, in order; without a list they
 * are rows 0, 1, 2 and so on. */
struct columns_rows {
	struct buf b;
	size_t at, ld;
	struct buf list;
	size_t list_at;
};

/* Copies that many rows, of `cols` elements each (kernels/blas/rows.cl). */
void columns_copy(struct seq *s, size_t rows, size_t cols,
                  const struct columns_rows *from,
                  const struct columns_rows *to);

#define COLUMNS_KERNELS "blas_rows"

#endif
