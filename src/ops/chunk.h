/* chunk.h - how many matrices of a stack one launch takes, if its work-items,
 * some for each compute unit, take one matrix after the other. A call can be
 * cancelled between launches. */
#ifndef OPS_CHUNK_H
#define OPS_CHUNK_H

#include "base/size.h"
#include "device/device.h"

/* The operations of one launch for each compute unit, which take a core some
 * tens of milliseconds. */
static const double chunk_flops = 1e8;

/* Returns the number of matrices, a multiple of `items`, if one of them takes
 * so many operations. */
static inline size_t chunk_of(const struct sheet *d, double flops,
                              size_t items)
{
	const double units = (double)size_max(d->compute_units, 1);
	const double most = chunk_flops * units / (flops > 1 ? flops : 1);

	if (device_slice > 0)
		return device_slice * items;
	return most < (double)items ? items :
	       (size_t)(most / (double)items) * items;
}

#endif
