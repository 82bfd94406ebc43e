/* panels.h - which kernel factors a panel that is spread over co-resident
 * work-groups, how many of these there are, and how much they exchange. */
#ifndef OPS_LU_PANELS_H
#define OPS_LU_PANELS_H

#include "ops/lu/factor.h"

/* The panels of a factorization: those of f on device d. */
struct lu_panels {
	const struct factors *f;
	const struct sheet *d;
	size_t each;			/* bytes of an element */
	bool spread;			/* work-groups exchange messages */
	bool defers;			/* a deferred update runs beside them */
};

/* A kernel, by how it spreads a panel. In a grid each work-group keeps
 * LU_COLUMNS columns of `rows` rows, at most `height` groups one below the
 * other, and those of the whole stack are co-resident. The others (height 0)
 * keep all columns of some rows, those of lu_spread_panel divided by `share`.
 * Such a kernel is taken only if its work-groups exchange at most `most` bytes
 * a column and those of a matrix are co-resident, because they wait for each
 * other. */
struct lu_panel_kernel {
	const char *name;
	size_t rows, height, share, most;
};

/* The kernel that spreads the panel at column j; NULL if none does. */
const struct lu_panel_kernel *lu_panel_kernel_of(const struct lu_panels *p,
                                                 size_t j);

/* Work-groups of one matrix that keep the panel at column j. */
size_t lu_panel_groups(const struct lu_panels *p,
                       const struct lu_panel_kernel *k, size_t j);

/* Bytes for the messages of whichever kernels the stack's panels will take. */
size_t lu_panels_messages(const struct lu_panels *p);

/* Rows that the kernel keeps of the highest panel that lu_columns_* factors, or
 * 0. */
size_t lu_panels_tallest(const struct lu_panels *p);

#endif
