/* seed_place.h - where an item of the articles' kernels is in a matrix: a
 * work-group has neighbours of one row, 1 x B. The articles number groups in
 * two dimensions; here it is one, which no device limits: along the rows,
 * then from row to row. Columns past the last are the rest of a row's last
 * group, which bounds checks leave idle. Included by kernels only. */
#ifndef KERNELS_SEED_PLACE_H
#define KERNELS_SEED_PLACE_H

#include "seed_group.h"

#define SEED_KERNEL(items) __attribute__((reqd_work_group_size(items, 1, 1)))

static inline long seed_row(long columns)
{
	const long items = get_local_size(0);

	return get_group_id(0) / ((columns + items - 1) / items);
}

static inline long seed_column(long columns)
{
	const long items = get_local_size(0);

	return get_group_id(0) % ((columns + items - 1) / items) * items +
	       get_local_id(0);
}

#endif
