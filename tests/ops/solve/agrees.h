/* agrees.h - what solve answers by one way as by any other. */
#ifndef TESTS_OPS_SOLVE_AGREES_H
#define TESTS_OPS_SOLVE_AGREES_H

#include "tests/ops/op.h"

/* The answer must solve a x = b, say so, and agree with that of `usual` about
 * x, about the condition and about the error. */
void solve_agrees(const struct matrix *a, const struct matrix *b,
                  const struct args *answer, const struct args *usual);

/* With that parameter, a zero pivot in column 170 of a matrix of 300 rows is
 * told, and `quality` is heeded. */
void solve_tells_zero_pivot(const char *name, const char *value);
void solve_heeds_quality(const char *name, const char *value);

#endif
