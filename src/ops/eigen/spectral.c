/* spectral.c - A = X diag(lambda) X^T of a symmetric matrix, or some of its
 * eigenpairs, by LAPACK, in the type of the operand: symmetric matrices have
 * well-conditioned eigenvalues, so that float32 loses no more than LAPACK's
 * float32 routines do. A x = lambda B x stays in double precision, because L^-1
 * magnifies rounding errors. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/pages.h"
#include "ops/eigen/many.h"
#include "ops/eigen/reflections.h"

enum {
	BLOCK = 64,			/* xSYTRD's workspace has BLOCK n
					 * numbers */
	FEW = 4,			/* fewer than n / FEW vectors are few */
	FEW_FROM = 64			/* rows; smaller matrices take the way
					 * for all vectors */
};

static bool are_few(const struct eigen_set *s, const struct eigen_choice *c)
{
	return s->n >= FEW_FROM && FEW * c->k < s->n;
}

#define LAPACK_BODY "ops/eigen/spectral_real.h"
#include "ops/lapack/each_type.h"

int eigen_spectral(struct eigen_set *s, const struct lapack *l,
                   const double *a, int power, const struct eigen_choice *c,
                   bool *solved)
{
	return (s->single ? spectral_s : spectral_d)(s, l, a, power, c, solved);
}
