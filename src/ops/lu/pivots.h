/* pivots.h - the host's record of the interchanges of a factorization whose
 * panels are factored one by one, and the outputs that follow from them. */
#ifndef OPS_LU_PIVOTS_H
#define OPS_LU_PIVOTS_H

#include "device/seq.h"
#include "ops/op.h"

/* The interchanges of all panels so far, on the host. */
struct lu_pivots {
	size_t m, k;			/* rows; pivots of the matrix */
	int64_t *pivot;			/* k */
	int32_t *row;			/* m; row[i] is i except while a panel
					 * is being added */
	int32_t *list;			/* the lists that functions return: 2 m
					 * rows */
	bool nan, negative;		/* of U's diagonal so far, and of the
					 * determinant */
	ptrdiff_t zero;			/* the first zero on U's diagonal, or
					 * -1 */
};

/* -1 with the sequence's error. */
int lu_pivots_init(struct lu_pivots *p, struct seq *s, size_t m, size_t n);
void lu_pivots_fini(struct lu_pivots *p);

/* Adds the interchanges of the panel with r pivots whose first row is row j of
 * the matrix, and looks at U's diagonal in the panel, whose rows are `ld`
 * elements apart. Returns how many rows the interchanges move: p->list has the
 * rows that they come from and, from element `room` on, the rows that they go
 * to. Returns -1 with the sequence's error if a pivot is not a row of the
 * panel. */
ptrdiff_t lu_pivots_take(struct lu_pivots *p, struct seq *s, size_t j,
                         size_t r, const int32_t *swaps, const void *panel,
                         size_t ld, size_t room);

/* Makes the same lists again for pivots j to j + r - 1, which were taken
 * before, and returns the number of rows. */
size_t lu_pivots_moves(struct lu_pivots *p, size_t j, size_t r, size_t room);

/* Returns the order of rows that the interchanges of all pivots from pivot j on
 * give: row i then holds what was row order[i]. The m numbers are in p->list,
 * until that is used again. */
const int32_t *lu_pivots_after(struct lu_pivots *p, size_t j);

/* Writes pivots, singular, sign and p, as far as they are wanted. */
void lu_pivots_answer(struct lu_pivots *p, struct args *a);

#endif
