/* by_rows.c - A = L U with a unit diagonal of L, on the host, for matrices on
 * which elimination fails: finds factors whenever some exist, although pivots
 * are zero.
 *
 * With u_k the rows of U so far, which span what the rows of A so far span,
 *
 *     a_r = sum over k < r of l_rk u_k + u_r,   u_r zero left of column r.
 *
 * So row r exists if and only if the first r elements of a_r are a combination
 * of those of the rows before it, whichever L was chosen for these (compare P.
 * Okunev, C. R. Johnson, Necessary and Sufficient Conditions for Existence of
 * the LU Factorization of an Arbitrary Matrix, 1997). To find the combination
 * there is at most one vector with its first non-zero element in column c, for
 * each c: u_c itself where its pivot is not zero, else some combination of rows
 * of U. */
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
