/* sort.h - qsort() in slices (slice.h), for what takes longer than one. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

#include "base/err.h"

/* Sorts n elements of `bytes` bytes each; equal ones come in any order. Takes
 * as much memory again while it runs. -1 with ERR_MEMORY, or ERR_DISMISSED when
 * the task was cancelled: x may then have lost elements. */
int sort_sliced(void *x, size_t n, size_t bytes,
                int (*compare)(const void *a, const void *b), struct err *e);

#endif
