/* routines.c - see routines.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "mpi/routines.h"
#include "ops/scalapack.h"

enum { NB = SCALAPACK_BLOCK };

static const int one = 1, query = -1;

/* PxSYEVD of ScaLAPACK 2.2.1 asks for too little workspace: of the routines
 * that it calls, PxORMTR and PxLASRT need up to this much more, and it ignores
 * that PxORMTR refuses to work with less. */
static double unasked(const struct dist *a)
{
	return (double)(NB * (2 * NB + a->rows + a->cols) + 4 * a->n);
}

#define REAL float
#define NAME(routine) routine##_s
#define LIBRARY(routine) ps##routine##_
#include "mpi/routines_real.h"
#undef REAL
#undef NAME
#undef LIBRARY

#define REAL double
#define NAME(routine) routine##_d
#define LIBRARY(routine) pd##routine##_
#include "mpi/routines_real.h"
#undef REAL
#undef NAME
#undef LIBRARY

#define CHOOSE(routine, matrix) \
	((matrix)->dtype == FLOAT32 ? routine##_s : routine##_d)

int routine_getrf(struct dist *a, int *pivots)
{
	const int info = CHOOSE(getrf, a)(a, pivots);
	double first = info > 0 ? -info : -INFINITY;

	grid_most(a->g, &first, 1);
	return isfinite(first) ? (int)-first : 0;
}

void routine_getrs(bool turned, const struct dist *lu, const int *pivots,
                   struct dist *x)
{
	CHOOSE(getrs, lu)(turned, lu, pivots, x);
}

void routine_gemm(bool turned, double alpha, const struct dist *a,
                  const struct dist *b, double beta, struct dist *c)
{
	CHOOSE(gemm, a)(turned, alpha, a, b, beta, c);
}

enum err_code routine_syev(struct dist *a, double *values, struct dist *z,
                           int *info)
{
	return CHOOSE(syev, a)(a, values, z, info);
}

const char *routine_name(enum dtype t, const char *name, char text[16])
{
	snprintf(text, 16, "p%c%s", t == FLOAT32 ? 's' : 'd', name);
	return text;
}
