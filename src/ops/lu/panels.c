/* panels.c - see panels.h. */
#include "ops/lu/panels.h"

#include "shared/lu_tile.h"

enum {
	NB = LU_NB,
	GRID_WIDTH = NB / LU_COLUMNS,	/* work-groups in a row of a grid */
	MESSAGES = 4 << 10,		/* bytes: see struct lu_panel_kernel */
	BESIDE_UPDATE = 2,		/* see fits() */
	BESIDE_OTHERS = 4
};

/* The first kernel that fits is taken. Fewer work-groups make the pivot search
 * cheaper; fewer rows in each make the update cheaper. */
static const struct lu_panel_kernel panel_kernels[] = {
	{ "lu_columns_256", .rows = 256, .height = 1 },
	{ "lu_columns_512", .rows = 512, .height = 1 },
	{ "lu_columns_1024", .rows = 1024, .height = 1 },
	{ "lu_columns_1536", .rows = 1536, .height = 1 },
	{ "lu_columns_2048", .rows = 2048, .height = 1 },
	{ "lu_grid_4096", .rows = 1024, .height = 4 },
	{ "lu_grid_8192", .rows = 1024, .height = LU_GRID_HEIGHT },
	{ "lu_spread_quarter", .share = 4, .most = MESSAGES },
	{ "lu_spread_panel", .share = 1, .most = SIZE_MAX },
};

size_t lu_panel_groups(const struct lu_panels *p,
                       const struct lu_panel_kernel *k, size_t j)
{
	return k->height ? GRID_WIDTH * size_blocks(p->f->m - j, k->rows) :
	       size_blocks(p->f->m - j, LU_RESIDENT_ROWS(LU_SPREAD_ITEMS,
	                   p->each) / k->share);
}

/* Returns the bytes of the messages of `groups` work-groups: those of one
 * column, or, for a grid, in which each message has a place of its own, those
 * of the whole panel. */
static size_t message_bytes(const struct lu_panels *p,
                            const struct lu_panel_kernel *k, size_t groups)
{
	return k->height ? LU_MESSAGE(p->each) * groups / GRID_WIDTH *
	                 k->rows + LU_GRID_BYTES(p->each) :
	                 groups * LU_MESSAGE(p->each);
}

/* Does the panel at column j fit kernel k, with all its work-groups
 * co-resident? A grid that runs beside other launches may take a part of the
 * device: 1 / BESIDE_UPDATE beside a deferred update, which leaves it as many
 * compute units as it takes (tiled.c), else 1 / BESIDE_OTHERS. */
static bool fits(const struct lu_panels *p, const struct lu_panel_kernel *k,
                 size_t j)
{
	const size_t groups = lu_panel_groups(p, k, j);
	const size_t share = !k->height ? 1 : p->defers ? BESIDE_UPDATE :
	                     p->f->beside ? BESIDE_OTHERS : 1;
	const size_t most = p->d->compute_units / share;

	return k->height ? p->f->m - j <= k->height * k->rows &&
	                 p->f->stack * groups <= most :
	                 message_bytes(p, k, groups) <= k->most &&
	                 groups <= most;
}

/* Has the panel at column j enough rows for kernel k? lu_columns_* need as many
 * rows as columns, the other kernels more. The smallest matrices have kernels
 * of their own. */
static bool is_high_enough(const struct lu_panels *p,
                           const struct lu_panel_kernel *k, size_t j)
{
	const size_t rows = p->f->m - j;

	return rows > NB || (k->height == 1 && p->f->m > LU_SMALL &&
	                     rows >= size_min(NB, p->f->n - j));
}

const struct lu_panel_kernel *lu_panel_kernel_of(const struct lu_panels *p,
                                                 size_t j)
{
	for (size_t i = 0; p->spread && i < COUNT(panel_kernels); i++)
		if (is_high_enough(p, &panel_kernels[i], j) &&
		    fits(p, &panel_kernels[i], j))
			return &panel_kernels[i];
	return NULL;
}

size_t lu_panels_messages(const struct lu_panels *p)
{
	const struct lu_panel_kernel *last = panel_kernels +
	                                     COUNT(panel_kernels) - 1;
	const size_t rows = message_bytes(p, last, lu_panel_groups(p, last, 0));
	size_t most = 2 * size_max(rows, MESSAGES);

	for (const struct lu_panel_kernel *k = panel_kernels; k->height; k++) {
		const size_t fit = p->d->compute_units /
		                   size_max(p->f->stack, 1);
		const size_t groups = size_min(fit, GRID_WIDTH * size_min(
		    k->height, size_blocks(p->f->m, k->rows)));

		if (groups >= GRID_WIDTH)
			most = size_max(most, message_bytes(p, k, groups));
	}
	return p->f->stack * most;
}

size_t lu_panels_tallest(const struct lu_panels *p)
{
	size_t rows = 0;

	for (size_t j = 0; !rows && j < factors_pivots(p->f); j += NB) {
		const struct lu_panel_kernel *k = lu_panel_kernel_of(p, j);

		rows = k && k->height == 1 ? k->rows : 0;
	}
	return rows;
}
