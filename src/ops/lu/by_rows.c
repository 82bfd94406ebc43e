/* by_rows.c - factors A = L U without row interchanges, where L has a unit
 * diagonal, on the host. It finds factors whenever some exist, also where
 * elimination fails because of a zero pivot.
 *
 * Row r of A is
 *
 *     a_r = sum over k < r of l_rk u_k + u_r,   u_r zero left of column r,
 *
 * where the rows u_k of U with k < r span the same space as the rows of A above
 * row r. So row r of the factors exists if and only if the first r elements of
 * a_r are a linear combination of those of the rows above it, whichever L was
 * chosen for these (compare P. Okunev, C. R. Johnson, Necessary and Sufficient
 * Conditions for Existence of the LU Factorization of an Arbitrary Matrix,
 * 1997). To find that combination, one vector at most is kept for each column
 * c, whose first non-zero element is in column c: u_c if its pivot is not zero,
 * else a linear combination of rows of U. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "ops/lu/zero_pivot.h"

#define number double
#define TYPED(name) name
#define NARROWED(x) ((double)(float)(x))
#include "ops/lu/by_rows_typed.h"
#undef number
#undef TYPED
#undef NARROWED

#define number cplx
#define TYPED(name) name##_complex
#define NARROWED(x) ((cplx)(float complex)(x))
#include "ops/lu/by_rows_typed.h"
