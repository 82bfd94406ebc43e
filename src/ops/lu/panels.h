/* panels.h - which kernel factors a panel that is spread over co-resident
 * work-groups, how many work-groups it takes, and how many bytes they
 * exchange. */
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

/* A kernel that factors a panel by several work-groups, which must be
 * co-resident because they wait for each other. With `height` > 0 they are a
 * grid: each keeps LU_COLUMNS columns of `rows` rows, at most `height` of them
 * one below the other, and those of the whole stack are co-resident. With
 * height 0 each keeps all columns of some rows, 1 / `share` of those that
 * lu_spread_panel keeps; those of one matrix are co-resident, and they exchange
 * at most `most` bytes for a column. */
struct lu_panel_kernel {
	const char *name;
	size_t rows, height, share, most;
};

/* Returns the kernel that spreads the panel at column j, or NULL. */
const struct lu_panel_kernel *lu_panel_kernel_of(const struct lu_panels *p,
                                                 size_t j);

/* Returns how many work-groups keep the panel at column j of one matrix. */
size_t lu_panel_groups(const struct lu_panels *p,
                       const struct lu_panel_kernel *k, size_t j);

/* Returns the bytes for the messages of whichever kernels factor the stack's
 * panels. */
size_t lu_panels_messages(const struct lu_panels *p);

/* Returns how many rows the kernel keeps that factors the highest panel of all
 * that lu_columns_* factor, or 0 if these factor none. */
size_t lu_panels_tallest(const struct lu_panels *p);

#endif
