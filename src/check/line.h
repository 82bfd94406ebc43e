/* line.h - the judges of a reduction: against sums in twice long
 * double's precision, within what any order of additions may lose, or within
 * what the canonical one promises (Ogita, Rump and Oishi 2005). */
#ifndef CHECK_LINE_H
#define CHECK_LINE_H

#include "ops/op.h"

/* |got - want| over 2 eps |want| and n eps, or n eps^2, times the magnitudes
 * that were added; 0 or infinity where the answer is exact. */
double line_any_order(const struct args *a);
double line_promised(const struct args *a);

/* The judge of a reduction of all elements of an int64 array: 1 when an integer
 * result is wrong, or a real one by more than 2 eps relative to it ((n + 2) eps
 * for norm2, since some variants add squares without compensation); else 0. */
double line_wrong_integers(const struct args *a);

#endif
