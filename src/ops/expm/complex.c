/* complex.c - expm of complex matrices by LAPACK and BLAS on the host, in
 * complex128 (ops/lapack/complex.h); host_typed.h has the algorithm. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "matrix/complex.h"
#include "ops/expm/expm.h"
#include "ops/lapack/complex.h"
#include "ops/lapack/exported.h"

static cplx divided(cplx x, int s)
{
	return complex_of(ldexp(creal(x), -s), ldexp(cimag(x), -s));
}

/* expm_beside() for complex numbers. */
static cplx beside(cplx a, cplx b, cplx d)
{
	const cplx x = (a - d) / 2;

	if (cabs(x) < 1e-4)
		return b * cexp((a + d) / 2) * (1 + x * x / 6);
	if (cabs(x) > 1)
		return b * ((cexp(a) - cexp(d)) / (a - d));
	return b * cexp((a + d) / 2) * (csinh(x) / x);
}

#define number cplx
#define part double
#define scalar cplx
#define PARTS 2
#define LARGEST_PART(x) fmax(fabs(creal(x)), fabs(cimag(x)))
#define MODULUS(x) cabs(x)
#define EXP(x) cexp(x)
#define DIVIDED(x, s) divided(x, s)
#define BESIDE(a, b, d) beside(a, b, d)
#define TYPED(name) name##_z
#define OF(l) (&(l)->z)
#define FORTRAN(name) z##name##_
#define REAL_DTYPE FLOAT64
#include "ops/expm/host_typed.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	struct complex_room r = { room };
	cplx *const x = complex_array(&r, n * n, sizeof *x);
	struct failure_detail d;

	complex_load(lapack_in(c->a, 0, index), c->a->dtype, n, n, x);
	d = exponentiate_z(c->l, n, x, complex_array(&r, room_z(n), 1), x);
	if (d.code == ERR_NONE)
		complex_store(x, n, n, n, c->a->dtype,
		              lapack_out(c->a, 0, index));
	return d;
}

int expm_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_cols(&a->in[0]);

	if (matrix_elements(&a->in[0]) == 0)
		return seq_finish(s);
	return lapack_run(&(struct lapack_call){
		.rows = n, .operands = 1, .one = one,
		.flops = 4 * a->op->flops(a) / (double)size_max(a->stack, 1),
		.room = COMPLEX_BYTES(n * n) + COMPLEX_BYTES(0) + room_z(n),
	}, s, a);
}
