/* place.h - the element of a matrix that an item of the articles' kernels
 * takes: a work-group has neighbours of one row, 1 x B. The articles number
 * groups in two dimensions; here they are numbered in one, which no device
 * limits: along the rows, then from row to row. Bounds checks leave the items
 * of a row's last group idle that lie beyond the last column. Included by
 * kernels only. */
#ifndef KERNELS_SEEDS_PLACE_H
#define KERNELS_SEEDS_PLACE_H

#include "shared/seed_group.h"

#define SEED_KERNEL(items) __attribute__((reqd_work_group_size(items, 1, 1)))

/* The groups of a row; at least one, for idle.c launches kernels with any
 * sizes. */
static inline long seed_groups(long columns)
{
	const long items = get_local_size(0);

	return (max(columns, (long)1) + items - 1) / items;
}

/* The row and the column of the item in work-group `group`. */
static inline long seed_row_of(size_t group, long columns)
{
	return group / seed_groups(columns);
}

static inline long seed_column_of(size_t group, long columns)
{
	return group % seed_groups(columns) * get_local_size(0) +
	       get_local_id(0);
}

static inline long seed_row(long columns)
{
	return seed_row_of(get_group_id(0), columns);
}

static inline long seed_column(long columns)
{
	return seed_column_of(get_group_id(0), columns);
}

#endif
