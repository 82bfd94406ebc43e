/* line.h - the judges of a reduction. They compare with sums in twice the
 * precision of long double, and allow the error that any order of additions may
 * have, or that of the canonical order (Ogita, Rump and Oishi 2005). */
#ifndef CHECK_LINE_H
#define CHECK_LINE_H

#include "ops/op.h"

/* |got - want| over the sum of 2 eps |want| and n eps (n eps^2 for the second
 * judge) times the magnitudes that were added; 0 or infinity where the answer
 * is exact. */
double line_any_order(const struct args *a);
double line_promised(const struct args *a);

/* The judge of a reduction of all elements of an int64 array: 1 when an integer
 * result is wrong, or a real one has a relative error above 2 eps ((n + 2) eps
 * for norm2, since some variants add squares without compensation); else 0. */
double line_wrong_integers(const struct args *a);

#endif
