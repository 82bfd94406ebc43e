/* guarded.c - see guarded.h. */
#include "ops/lapack/escape.h"
#include "ops/lapack/guarded.h"

struct lapack unguarded;

#define RETURNS(of, name, parameters, arguments)                             \
static int of##_##name parameters                                            \
{                                                                            \
	struct escape here;                                                  \
	volatile int info = LAPACK_LEFT;                                     \
                                                                             \
	escape_begin(&here);                                                 \
	if (setjmp(here.at) == 0)                                            \
		info = unguarded.of.name arguments;                          \
	escape_end(&here);                                                   \
	return info;                                                         \
}

#define NOTHING(of, name, parameters, arguments)                             \
static void of##_##name parameters                                           \
{                                                                            \
	struct escape here;                                                  \
                                                                             \
	escape_begin(&here);                                                 \
	if (setjmp(here.at) == 0)                                            \
		unguarded.of.name arguments;                                 \
	escape_end(&here);                                                   \
}

#define S(name, parameters, arguments) RETURNS(s, name, parameters, arguments)
#define D(name, parameters, arguments) RETURNS(d, name, parameters, arguments)
LAPACK_ROUTINES(S, float)
LAPACK_ROUTINES(D, double)
#undef S
#undef D
#define S(name, parameters, arguments) NOTHING(s, name, parameters, arguments)
#define D(name, parameters, arguments) NOTHING(d, name, parameters, arguments)
LAPACK_BLAS_ROUTINES(S, float)
LAPACK_BLAS_ROUTINES(D, double)
#undef S
#undef D
#define C(name, parameters, arguments) RETURNS(c, name, parameters, arguments)
#define Z(name, parameters, arguments) RETURNS(z, name, parameters, arguments)
LAPACK_COMPLEX_ROUTINES(C, cplx_c, float)
LAPACK_COMPLEX_ROUTINES(Z, cplx, double)
#undef C
#undef Z

void guarded_take(struct lapack *l)
{
#define X(name, parameters, arguments) \
	l->s.name = s_##name; \
	l->d.name = d_##name;
	LAPACK_ROUTINES(X, )
	LAPACK_BLAS_ROUTINES(X, )
#undef X
#define X(name, parameters, arguments) \
	l->c.name = c_##name; \
	l->z.name = z_##name;
	LAPACK_COMPLEX_ROUTINES(X, , )
#undef X
}
