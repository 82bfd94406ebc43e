/* panel.h - one panel of P A = L U on the device: factored as a matrix of its
 * own, and applied to other columns. For several devices (gang.c) and for
 * matrices in the host's memory (streamed.c), which keep panels and columns in
 * buffers of their own. */
#ifndef OPS_LU_PANEL_H
#define OPS_LU_PANEL_H

#include "ops/blas/trsm.h"
#include "ops/gang/columns.h"
#include "ops/lu/factor.h"

/* A factored panel: rows j to m - 1 of w columns, with r pivots. */
struct lu_panel {
	size_t m, j, w, r;
	struct buf lu;			/* (m - j) x w: L11, U11 and L21 */
	struct buf lists;		/* int32_t: the rows of the matrix that
					 * the interchanges move, and from
					 * element `second` on where they go */
	size_t second, moves;		/* moves: length of each list */
};

/* What applying panels in a lane takes. */
struct lu_panel_room {
	struct buf moved;		/* for the rows that are interchanged:
					 * 2 w rows of `cols` elements */
	const struct blas_tensor *tensor;
	size_t groups;			/* as in struct blas_gemm */
};

/* Factors the panel whose rows are at `own` by the function `by`. f describes
 * the panel and has buffers for it. The factors go to f->lu and to `own`. */
void lu_panel_factor(struct seq *s, lu_factor_fn *by, const struct factors *f,
                     const struct columns_rows *own);

/* Applies the panel to `cols` columns of an m-row matrix: interchanges rows,
 * solves U12 = L11^-1 A12 and updates A22 -= L21 U12. `c` is row 0 of the
 * columns. */
void lu_panel_apply(struct seq *s, const struct lu_panel *p,
                    const struct lu_panel_room *room,
                    const struct columns_rows *c, size_t cols);

#define LU_PANEL_KERNELS COLUMNS_KERNELS " " BLAS_TRSM_KERNELS

#endif
