/* columns.h - the columns of an m x n matrix that one part of a gang holds: of
 * blocks of `width` columns it has those whose number is `part` modulo `parts`,
 * one beside the other (block-cyclic, as ScaLAPACK distributes columns).
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

/* Describes the columns of the call's first operand; makes no buffer. */
struct columns columns_of(const struct args *a);

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

/* The columns of a block; where the part's first block from `block` on begins,
 * as a column of its own, or `own` if there is none. */
size_t columns_width(const struct columns *c, size_t block);
size_t columns_at(const struct columns *c, size_t block);

/* The part's column `own` as a column of the matrix. */
size_t columns_global(const struct columns *c, size_t own);

/* Makes the buffer and uploads the part's columns of the matrix a; with `lower`
 * those rows alone that are not above a block's diagonal. */
void columns_load(struct seq *s, struct columns *c, const struct matrix *a,
                  bool lower);

/* Chooses a block's columns for so many devices of matrices with n columns: at
 * most 512, a multiple of 64, and eight blocks or more for each device if n
 * suffices, so that all have work until the end; 0: n is too small. */
size_t columns_plan(size_t n, int parts);

/* Some rows and columns of row-major memory, the first at element `at`. `list`,
 * int32_t, from element list_at on, has the numbers of the rows, counted from
 * that first one; or there is no list, and the rows are one below the other. */
struct columns_rows {
	struct buf b;
	size_t at, ld;
	struct buf list;
	size_t list_at;
};

/* Copies rows as kernels/blas/rows.cl does. */
void columns_copy(struct seq *s, size_t rows, size_t cols,
                  const struct columns_rows *from,
                  const struct columns_rows *to);

#define COLUMNS_KERNELS "blas_rows"

#endif
