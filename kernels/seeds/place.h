/* place.h - where an item of the articles' kernels is in a matrix: a
 * work-group has neighbours of one row, 1 x B. The articles number groups in
 * two dimensions; here it is one, which no device limits: along the rows,
 * then from row to row. Columns past the last are the rest of a row's last
 * group, which bounds checks leave idle. Included by kernels only. */
#ifndef KERNELS_SEEDS_PLACE_H
#define KERNELS_SEEDS_PLACE_H

#include "shared/seed_group.h"

#define SEED_KERNEL(items) __attribute__((reqd_work_group_size(items, 1, 1)))

/* The groups of a row, also of one that a launch which computes nothing calls
 * empty. */
static inline long seed_groups(long columns)
{
	const long items = get_local_size(0);

	return (max(columns, (long)1) + items - 1) / items;
}

static inline long seed_row(long columns)
{
	return get_group_id(0) / seed_groups(columns);
}

static inline long seed_column(long columns)
{
	return get_group_id(0) % seed_groups(columns) * get_local_size(0) +
	       get_local_id(0);
}

#endif
