/* exported.h - the functions that this program exports so that LAPACK calls
 * them in place of its library's (escape.h). The linker is told their names by
 * exported.list. They have Fortran's names and parameters. */
#ifndef OPS_LAPACK_EXPORTED_H
#define OPS_LAPACK_EXPORTED_H

#include <stddef.h>

#include "ops/lapack/complex_routines.h"
#include "ops/lapack/routines.h"

/* The library's own routines. */
struct inner_s {
#define X(name, parameters, arguments) void (*name) parameters;
	LAPACK_POLLED(X, float)
	LAPACK_CUT(X, float)
	LAPACK_SMALL(X, float)
#undef X
#define X(name, parameters, arguments) float (*name) parameters;
	LAPACK_POLLED_NUMBERS(X, float)
#undef X
};

struct inner_d {
#define X(name, parameters, arguments) void (*name) parameters;
	LAPACK_POLLED(X, double)
	LAPACK_CUT(X, double)
	LAPACK_SMALL(X, double)
#undef X
#define X(name, parameters, arguments) double (*name) parameters;
	LAPACK_POLLED_NUMBERS(X, double)
#undef X
};

struct inner_c {
#define X(name, parameters, arguments) void (*name) parameters;
	LAPACK_COMPLEX_POLLED(X, cplx_c, float)
#undef X
};

struct inner_z {
#define X(name, parameters, arguments) void (*name) parameters;
	LAPACK_COMPLEX_POLLED(X, cplx, double)
#undef X
};

extern struct inner {
	struct inner_s s;
	struct inner_d d;
	struct inner_c c;
	struct inner_z z;
} inner;

/* Finds the library's routines in the library `handle`, or with RTLD_NEXT among
 * those that the program is linked with. Returns the name of one that is
 * missing, or NULL. */
const char *inner_find(void *handle);

#define X(name, parameters, arguments) void s##name##_ parameters;
LAPACK_POLLED(X, float)
#undef X
#define X(name, parameters, arguments) void d##name##_ parameters;
LAPACK_POLLED(X, double)
#undef X
#define X(name, parameters, arguments) void c##name##_ parameters;
LAPACK_COMPLEX_POLLED(X, cplx_c, float)
#undef X
#define X(name, parameters, arguments) void z##name##_ parameters;
LAPACK_COMPLEX_POLLED(X, cplx, double)
#undef X

float slapy2_(const float *x, const float *y);
double dlapy2_(const double *x, const double *y);

/* The QR algorithms for small matrices (lahqr.c). */
void dlahqr_(const int *wantt, const int *wantz, const int *n, const int *low,
             const int *high, double *h, const int *ldh, double *re,
             double *im, const int *first, const int *last, double *z,
             const int *ldz, int *info);

void dlaqr4_(const int *wantt, const int *wantz, const int *n, const int *low,
             const int *high, double *h, const int *ldh, double *re,
             double *im, const int *first, const int *last, double *z,
             const int *ldz, double *work, const int *lwork, int *info);

/* Those that are cut into pieces. */
#define EXPORTED_CUT(letter, real)                                           \
void letter##gemm_(const char *transa, const char *transb, const int *m,     \
                   const int *n, const int *k, const real *alpha,            \
                   const real *a, const int *lda, const real *b,             \
                   const int *ldb, const real *beta, real *c,                \
                   const int *ldc);                                          \
void letter##trsm_(const char *side, const char *uplo, const char *trans,    \
                   const char *diag, const int *m, const int *n,             \
                   const real *alpha, const real *a, const int *lda,         \
                   real *b, const int *ldb);                                 \
void letter##trmm_(const char *side, const char *uplo, const char *trans,    \
                   const char *diag, const int *m, const int *n,             \
                   const real *alpha, const real *a, const int *lda,         \
                   real *b, const int *ldb);                                 \
void letter##trtri_(const char *uplo, const char *diag, const int *n,        \
                    real *a, const int *lda, int *info);

EXPORTED_CUT(s, float)
EXPORTED_CUT(d, double)
#undef EXPORTED_CUT

#endif
