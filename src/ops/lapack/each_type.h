/* each_type.h - includes the file LAPACK_BODY twice: for float32 and for
 * float64. That file may use
 *
 *     real         the element type
 *     TYPED(f)     f_s or f_d: the name of a function or type of its own
 *     OF(l)        the routines of struct lapack *l for that type
 *     FORTRAN(f)   sf_ or df_: a routine's name in Fortran's libraries
 *     REAL_DTYPE, REAL_EPSILON, REAL_MIN, REAL_MAX
 *
 *     #define LAPACK_BODY "ops/cholesky/host_real.h"
 *     #include "ops/lapack/each_type.h"
 *
 * There is no include guard here and none in LAPACK_BODY. */
#include <float.h>

#define real float
#define TYPED(name) name##_s
#define OF(l) (&(l)->s)
#define FORTRAN(name) s##name##_
#define REAL_DTYPE FLOAT32
#define REAL_EPSILON FLT_EPSILON
#define REAL_MIN FLT_MIN
#define REAL_MAX FLT_MAX
#include LAPACK_BODY
#undef real
#undef TYPED
#undef OF
#undef FORTRAN
#undef REAL_DTYPE
#undef REAL_EPSILON
#undef REAL_MIN
#undef REAL_MAX

#define real double
#define TYPED(name) name##_d
#define OF(l) (&(l)->d)
#define FORTRAN(name) d##name##_
#define REAL_DTYPE FLOAT64
#define REAL_EPSILON DBL_EPSILON
#define REAL_MIN DBL_MIN
#define REAL_MAX DBL_MAX
#include LAPACK_BODY
#undef real
#undef TYPED
#undef OF
#undef FORTRAN
#undef REAL_DTYPE
#undef REAL_EPSILON
#undef REAL_MIN
#undef REAL_MAX
#undef LAPACK_BODY
