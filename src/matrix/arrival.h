/* arrival.h - memory for contents that arrive bit by bit, as a body does.
 *
 * Its length is announced, but it is charged as the bytes arrive, in steps
 * that double: a client holds at most some twice of what it has sent. Once
 * half has come the rest is charged, too, if there is room, and the upload can
 * end. When a step does not fit, its upload is refused at once and what it
 * holds is freed. None ever waits for another, so that of several uploads that
 * do not fit together the last one left can always go on.
 */
#ifndef MATRIX_ARRIVAL_H
#define MATRIX_ARRIVAL_H

#include "matrix/memory.h"

/* A piece of that many bytes, as memory_new()'s. ERR_TOO_LARGE beyond the
 * pool's limit, ERR_MEMORY beyond what is left now. */
struct memory *arrival_new(struct memory_pool *p, size_t bytes,
                           struct err *e);

/* Charges for so many bytes of it, all in all, before they are written.
 * ERR_MEMORY: there is no room for more. */
int arrival_charge(struct memory *m, size_t bytes, struct err *e);

#endif
