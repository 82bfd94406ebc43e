/* npz.h - the arrays of an npz as the service writes it: a ZIP archive whose
 * members are stored, not compressed, each an npy with its elements by rows. */
#ifndef CLIENTS_LAPACK_NPZ_H
#define CLIENTS_LAPACK_NPZ_H

#include <stdbool.h>

#include "base/text.h"

struct npz_array {
	const char *data;		/* at any address */
	size_t bytes;
};

/* Finds the array NAME, which is the member NAME.npy. */
bool npz_find(const struct text *npz, const char *name, struct npz_array *a);

#endif
