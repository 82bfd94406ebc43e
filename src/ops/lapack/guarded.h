/* guarded.h - the routines of struct lapack, each of which returns early when
 * its call is cancelled (escape.h). */
#ifndef OPS_LAPACK_GUARDED_H
#define OPS_LAPACK_GUARDED_H

#include "ops/lapack/lapack.h"

/* The library's routines and those of blocks.h, which the guarded ones call. */
extern struct lapack unguarded;

/* Sets the pointers of *l to the guarded routines. */
void guarded_take(struct lapack *l);

#endif
