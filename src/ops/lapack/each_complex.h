/* each_complex.h - includes the file LAPACK_BODY twice: for complex64 and for
 * complex128. That file may use
 *
 *     number       the element type
 *     real         the type of its parts
 *     TYPED(f)     f_c, or for complex128 f: the name of a function or type
 *     OF(l)        the routines of struct lapack *l for that type
 *     FORTRAN(f)   cf_ or zf_: a routine's name in Fortran's libraries
 *     FORTRAN_REAL(f)  sf_ or df_: the name of the routine for real numbers
 *     REAL(f)      C's function f for that type: sqrtf() or sqrt()
 *     NUMBER_DTYPE, REAL_EPSILON, REAL_MIN
 *     REAL_SMALL   a number whose square is far above the smallest normal one
 *
 *     #define LAPACK_BODY "ops/cholesky/complex_typed.h"
 *     #include "ops/lapack/each_complex.h"
 *
 * There is no include guard here and none in LAPACK_BODY. */
#include <complex.h>
#include <float.h>

#define number cplx_c
#define real float
#define TYPED(name) name##_c
#define OF(l) (&(l)->c)
#define FORTRAN(name) c##name##_
#define FORTRAN_REAL(name) s##name##_
#define REAL(name) name##f
#define NUMBER_DTYPE COMPLEX64
#define REAL_SMALL 0x1p-40
#define REAL_EPSILON FLT_EPSILON
#define REAL_MIN FLT_MIN
#include LAPACK_BODY
#undef number
#undef real
#undef TYPED
#undef OF
#undef FORTRAN
#undef FORTRAN_REAL
#undef REAL
#undef NUMBER_DTYPE
#undef REAL_SMALL
#undef REAL_EPSILON
#undef REAL_MIN

#define number cplx
#define real double
#define TYPED(name) name
#define OF(l) (&(l)->z)
#define FORTRAN(name) z##name##_
#define FORTRAN_REAL(name) d##name##_
#define REAL(name) name
#define NUMBER_DTYPE COMPLEX128
#define REAL_SMALL 0x1p-460
#define REAL_EPSILON DBL_EPSILON
#define REAL_MIN DBL_MIN
#include LAPACK_BODY
#undef number
#undef real
#undef TYPED
#undef OF
#undef FORTRAN
#undef FORTRAN_REAL
#undef REAL
#undef NUMBER_DTYPE
#undef REAL_SMALL
#undef REAL_EPSILON
#undef REAL_MIN
#undef LAPACK_BODY
