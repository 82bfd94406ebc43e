/* tensor.h - products on tensor cores: C = A B or C -= A B, of matrices or of
 * submatrices. A separate launch first packs float32 operands as TF32 numbers:
 * one for each element, or two whose sum stands for it (Ootomo and Yokota,
 * 2022). */
#ifndef OPS_MATMUL_TENSOR_H
#define OPS_MATMUL_TENSOR_H

#include "ops/matmul/plan.h"

/* Which tiles are computed. If words.id is 0, all are. Otherwise the buffer
 * `words` has, from element `at` on, a word that is not 0 if any tile is
 * computed, and then `wide` words for each row of blocks of C, not 0 for the
 * blocks whose tiles are computed (kernels/matmul/nvidia/pairs.h and
 * residues.h). A float64 kernel computes tiles only if the first word equals
 * `when`. */
struct tensor_again {
	struct buf words;
	size_t at, wide, when;
};

/* Element (0, 0) of A, B and C lies at a_at, b_at and c_at of the buffers (of
 * the first product's matrices, if there are several). */
struct tensor_product {
	struct product p;
	struct buf a, b, c, places;	/* c: if k is split and the plan does
					   not add, all products of the first
					   split, then of the next */
	struct buf splits, count;	/* if the plan adds */
	size_t a_at, b_at, c_at;
	size_t c_row;			/* elements from row to row of C */
	bool minus;			/* C -= A B; only if k is not split */
	struct tensor_again again;	/* float64: the tiles to compute */
};

/* Buffers for packed operands; any product that is no larger may reuse them.
 * A plan that packs nothing leaves them empty. */
struct tensor_room {
	struct buf a, b, lines, residues;
};

struct tensor_room tensor_room_of(struct seq *s, const struct gemm_plan *g,
                                  const struct product *p);

/* Multiplies by the plan g, which must be made for x->p, for the type
 * seq_dtype(s), and with a kernel for packed operands or for float64. */
void tensor_multiply(struct seq *s, const struct gemm_plan *g,
                     const struct tensor_product *x,
                     const struct tensor_room *room);

/* Returns the k of a chunk, a multiple of `depth`: up to 16 work-groups share a
 * row of A or a column of B to find its largest element or its norms, and each
 * reads one chunk of it. */
size_t tensor_chunk(size_t k, size_t depth);

/* The number of tiles of C (of every split) that one launch of a persistent
 * kernel computes. It gives each work-group as many as the next. */
size_t tensor_each(const struct gemm_plan *g, const struct product *p);

/* A part of a product that is packed and multiplied by launches of its own:
 * products from q on, rows from i on, columns from j on. */
struct part {
	size_t q, i, j;
	struct cuts size;
};

/* The arguments by which a kernel that packs the part `at` of the product x
 * finds its operands. */
#define ARGS_OPERANDS(x, at)                                                  \
	ARG_BUF((x)->places), ARG_INT((at)->q), ARG_INT((x)->p.stack),        \
	ARG_LONG((x)->a_at + (at)->i * (size_t)(x)->p.a_row),                 \
	ARG_LONG((x)->b_at + (at)->j * (size_t)(x)->p.b_col),                 \
	ARG_LONG((x)->p.m * (x)->p.k), ARG_LONG((x)->p.k * (x)->p.n),         \
	ARG_INT((at)->size.rows), ARG_INT((at)->size.cols),                   \
	ARG_INT((x)->p.k), ARG_LONG((x)->p.a_row), ARG_LONG((x)->p.a_col),    \
	ARG_LONG((x)->p.b_row), ARG_LONG((x)->p.b_col)

/* Packs a part, and multiplies: in TF32 all tiles or some, by pairs of float16,
 * or by residues (the column `part` of gemm_kernels). */
void tf32_part(struct seq *s, const struct gemm_plan *g,
               const struct tensor_product *x, const struct tensor_room *room,
               const struct part *at, const struct tensor_again *again);
void tf32_whole_part(struct seq *s, const struct gemm_plan *g,
                     const struct tensor_product *x,
                     const struct tensor_room *room, const struct part *at);
void pairs_part(struct seq *s, const struct gemm_plan *g,
                const struct tensor_product *x, const struct tensor_room *room,
                const struct part *at);
void residues_part(struct seq *s, const struct gemm_plan *g,
                   const struct tensor_product *x,
                   const struct tensor_room *room, const struct part *at);

/* Each sets the sizes of the buffers that a kernel needs for packed operands.
 * The table gemm_kernels names them as `scratch`. */
void tf32_scratch(const struct gemm_plan *g, const struct product *p,
                  struct gemm_scratch *x);
void pairs_scratch(const struct gemm_plan *g, const struct product *p,
                   struct gemm_scratch *x);
void residues_scratch(const struct gemm_plan *g, const struct product *p,
                      struct gemm_scratch *x);

/* tensor_multiply() in float64. */
void f64_multiply(struct seq *s, const struct gemm_plan *g,
                  const struct tensor_product *x);

/* Does that float64 kernel multiply correctly, however its operands are
 * stored? */
bool f64_trusts(struct seq *s, enum gemm_kernel_id kernel);

#endif
