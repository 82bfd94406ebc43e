/* line.h - the judges of a reduction. They compare the answer with sums in
 * twice the precision of long double. The first allows the error that any order
 * of additions may have, the second only that of the canonical order (Ogita,
 * Rump and Oishi 2005). */
#ifndef CHECK_LINE_H
#define CHECK_LINE_H

#include "ops/op.h"

/* Return |got - want| / (2 eps |want| + n eps mass), with n eps^2 instead of
 * n eps in the second judge. mass is the sum of the magnitudes that were added.
 * Where the answer must be exact, they return 0 or infinity. */
double line_any_order(const struct args *a);
double line_promised(const struct args *a);

/* The judge of a reduction of all elements of an int64 array. Returns 1 if an
 * integer result is wrong or if a real one has a relative error above 2 eps,
 * else 0. The limit for norm2 is (n + 2) eps, because some variants add squares
 * without compensation. */
double line_wrong_integers(const struct args *a);

#endif
