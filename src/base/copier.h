/* copier.h - copies large pieces of memory on several threads: one alone
 * reaches a fraction of what the memory, or a bus, can carry.
 */
#ifndef BASE_COPIER_H
#define BASE_COPIER_H

#include <stddef.h>

#include "base/err.h"

struct copier;

/* threads: the caller's among them; 1 or more. NULL: ERR_MEMORY. */
struct copier *copier_new(int threads, struct err *e);
void copier_free(struct copier *c);		/* NULL is fine */

/* As memcpy(); returns when all is copied. One caller at a time. */
void copier_copy(struct copier *c, void *to, const void *from, size_t n);

#endif
