/* arrival.h - memory for a body of known length, charged as it arrives.
 *
 * The charge doubles step by step, so that a client takes at most about twice
 * the memory that it has sent bytes for, whatever length it announced. Once
 * half of the body has arrived, the rest is charged, too, if there is room, and
 * the upload is sure to end. An upload whose next step does not fit is refused
 * at once, and its memory freed. No upload waits for another, so that of
 * several that do not fit together the last one left can always go on.
 */
#ifndef MATRIX_ARRIVAL_H
#define MATRIX_ARRIVAL_H

#include "matrix/memory.h"

/* Makes an allocation of that many bytes, as memory_new() does. NULL with
 * ERR_TOO_LARGE beyond the pool's limit, ERR_MEMORY beyond what is left now. */
struct memory *arrival_new(struct memory_pool *p, size_t bytes,
                           struct err *e);

/* Charges m's first `bytes` bytes. The caller must do this before it writes
 * them. -1 with ERR_MEMORY if the pool has no room for them. */
int arrival_charge(struct memory *m, size_t bytes, struct err *e);

#endif
