/* lapack.h - LAPACK on the host: in workers only, loaded when it is first
 * needed.
 *
 * It is not linked in, because OpenBLAS starts its threads as soon as it is
 * loaded, and the front must have none of them. OPENBLAS_NUM_THREADS limits
 * their number; a worker sets it to its share of the processors.
 *
 * struct lapack has every routine for float32 and for float64: l->s.potrf is
 * SPOTRF, l->d.potrf DPOTRF. The file each_type.h compiles code once for each
 * type; stack.h runs such code over the matrices of a stack.
 *
 * Matrices are column-major, and workspaces are the caller's: these are the
 * "_work" functions of LAPACKE, with LAPACK_COLUMNS as their first argument. A
 * row-major matrix is the transpose of a column-major one, so that symmetric
 * matrices need no conversion, only the other triangle: the lower triangle of a
 * row-major matrix is 'U' for LAPACK. None of the routines may be given NaN or
 * infinity, with which some of them never end. */
#ifndef OPS_LAPACK_LAPACK_H
#define OPS_LAPACK_LAPACK_H

#include <stddef.h>

#include "base/err.h"

/* X(name, arguments) for each routine. The arguments are those of LAPACK's
 * documentation; `real` is float or double. All routines return info. */
#define LAPACK_ROUTINES(X, real)                                             \
	/* H = Q^T A Q, upper Hessenberg; Q; Q v or Q^T v */                 \
	X(gehrd, (int layout, int n, int low, int high, real *a, int lda,    \
	    real *tau, real *work, int lwork))                               \
	X(orghr, (int layout, int n, int low, int high, real *a, int lda,    \
	    const real *tau, real *work, int lwork))                         \
	X(ormhr, (int layout, char side, char trans, int m, int n, int low,  \
	    int high, const real *a, int lda, const real *tau,               \
	    real *c, int ldc, real *work, int lwork))                        \
	/* eigenvalues of H; eigenvectors of some by inverse iteration */    \
	X(hseqr, (int layout, char job, char compz, int n, int low,          \
	    int high, real *h, int ldh, real *re, real *im, real *z,         \
	    int ldz, real *work, int lwork))                                 \
	X(hsein, (int layout, char side, char source, char start,            \
	    int *select, int n, const real *h, int ldh, real *re,            \
	    const real *im, real *left, int ldl, real *right, int ldr,       \
	    int room, int *columns, real *work, int *fail_left,              \
	    int *fail_right))                                                \
	/* T = Q^T A Q, tridiagonal, of a symmetric matrix; Q v or Q^T v */  \
	X(sytrd, (int layout, char uplo, int n, real *a, int lda,            \
	    real *d, real *e, real *tau, real *work, int lwork))             \
	X(ormtr, (int layout, char side, char uplo, char trans, int m,       \
	    int n, const real *a, int lda, const real *tau, real *c,         \
	    int ldc, real *work, int lwork))                                 \
	/* all eigenvalues of T; some of them; eigenvectors of those */      \
	X(sterf, (int n, real *d, real *e))                                  \
	X(stebz, (char range, char order, int n, real low, real high,        \
	    int first, int last, real tol, const real *d,                    \
	    const real *e, int *count, int *blocks, real *values,            \
	    int *block, int *split, real *work, int *iwork))                 \
	X(stein, (int layout, int n, const real *d, const real *e,           \
	    int count, const real *values, const int *block,                 \
	    const int *split, real *z, int ldz, real *work, int *iwork,      \
	    int *fail))                                                      \
	/* A = Q R; A P = Q R; Q of the reflectors */                        \
	X(geqrf, (int layout, int m, int n, real *a, int lda, real *tau,     \
	    real *work, int lwork))                                          \
	X(geqp3, (int layout, int m, int n, real *a, int lda, int *jpvt,     \
	    real *tau, real *work, int lwork))                               \
	X(orgqr, (int layout, int m, int n, int k, real *a, int lda,         \
	    const real *tau, real *work, int lwork))                         \
	/* A = U S V^T, by divide and conquer and by QR iteration */         \
	X(gesdd, (int layout, char jobz, int m, int n, real *a, int lda,     \
	    real *s, real *u, int ldu, real *vt, int ldvt, real *work,       \
	    int lwork, int *iwork))                                          \
	X(gesvd, (int layout, char jobu, char jobvt, int m, int n, real *a,  \
	    int lda, real *s, real *u, int ldu, real *vt, int ldvt,          \
	    real *work, int lwork))                                          \
	/* the X of least norm that minimizes |B - A X|, by the SVD */       \
	X(gelsd, (int layout, int m, int n, int nrhs, real *a, int lda,      \
	    real *b, int ldb, real *s, real rcond, int *rank, real *work,    \
	    int lwork, int *iwork))                                          \
	X(gelss, (int layout, int m, int n, int nrhs, real *a, int lda,      \
	    real *b, int ldb, real *s, real rcond, int *rank, real *work,    \
	    int lwork))                                                      \
	/* real Schur form A = Q T Q^T; T with the selected eigenvalues first; \
	 * eigenvectors of T, or of A where they begin as Q */               \
	X(gees, (int layout, char jobvs, char sort,                          \
	    int (*select)(const real *, const real *), int n, real *a,       \
	    int lda, int *count, real *re, real *im, real *q, int ldq,       \
	    real *work, int lwork, int *bwork))                              \
	X(trsen, (int layout, char job, char compq, const int *select,       \
	    int n, real *t, int ldt, real *q, int ldq, real *re, real *im,   \
	    int *count, real *s, real *sep, real *work, int lwork,           \
	    int *iwork, int liwork))                                         \
	X(trevc, (int layout, char side, char howmany, int *select, int n,   \
	    const real *t, int ldt, real *left, int ldl, real *right,        \
	    int ldr, int room, int *columns, real *work))                    \
	/* P A = L U; A X = B; A^-1; 1 / (|A| |A^-1|), estimated */          \
	X(getrf, (int layout, int m, int n, real *a, int lda, int *pivots))  \
	X(getrs, (int layout, char trans, int n, int sides, const real *a,   \
	    int lda, const int *pivots, real *b, int ldb))                   \
	X(getri, (int layout, int n, real *a, int lda, const int *pivots,    \
	    real *work, int lwork))                                          \
	X(gecon, (int layout, char norm, int n, const real *a, int lda,      \
	    real anorm, real *rcond, real *work, int *iwork))                \
	/* a band matrix: P A = L U; A X = B */                              \
	X(gbtrf, (int layout, int m, int n, int below, int above, real *a,   \
	    int lda, int *pivots))                                           \
	X(gbtrs, (int layout, char trans, int n, int below, int above,       \
	    int sides, const real *a, int lda, const int *pivots, real *b,   \
	    int ldb))                                                        \
	/* all eigenvalues and eigenvectors of a symmetric matrix; those of T
	 * from `first` to `last`, orthogonal to each other */               \
	X(syevd, (int layout, char job, char uplo, int n, real *a, int lda,  \
	    real *values, real *work, int lwork, int *iwork, int liwork))    \
	X(stemr, (int layout, char job, char range, int n, real *d, real *e, \
	    real low, real high, int first, int last, int *count,            \
	    real *values, real *z, int ldz, int columns, int *support,       \
	    int *precise, real *work, int lwork, int *iwork, int liwork))    \
	/* all eigenvalues of any matrix, after balancing, and the left and
	 * the right eigenvectors */                                         \
	X(geevx, (int layout, char balance, char left, char right,           \
	    char sense, int n, real *a, int lda, real *re, real *im,         \
	    real *vl, int ldvl, real *vr, int ldvr, int *low, int *high,     \
	    real *scale, real *norm, real *rconde, real *rcondv,             \
	    real *work, int lwork, int *iwork))                              \
	/* X = L^-1 B or L^-T B */                                           \
	X(trtrs, (int layout, char uplo, char trans, char diag, int n,       \
	    int columns, const real *a, int lda, real *b, int ldb))          \
	/* A = L L^T */                                                      \
	X(potrf, (int layout, char uplo, int n, real *a, int lda))           \
	/* P A P^T = L D L^T; A X = B with L, D and P as after syconvf */    \
	X(sytrf, (int layout, char uplo, int n, real *a, int lda,            \
	    int *pivots, real *work, int lwork))                             \
	X(sytrs_3, (int layout, char uplo, int n, int sides, const real *a,  \
	    int lda, const real *e, const int *pivots, real *b, int ldb))

/* X(name, arguments) for each routine of the BLAS, and for those of LAPACK that
 * LAPACKE lacks, with Fortran's arguments. These return nothing. */
#define LAPACK_BLAS_ROUTINES(X, real)                                        \
	/* C = alpha op(A) op(B) + beta C */                                 \
	X(gemm, (const char *transa, const char *transb, const int *m,       \
	    const int *n, const int *k, const real *alpha, const real *a,    \
	    const int *lda, const real *b, const int *ldb, const real *beta, \
	    real *c, const int *ldc))                                        \
	/* y = alpha op(A) x + beta y */                                     \
	X(gemv, (const char *trans, const int *m, const int *n,              \
	    const real *alpha, const real *a, const int *lda, const real *x, \
	    const int *incx, const real *beta, real *y, const int *incy))    \
	/* B = alpha op(A)^-1 B or alpha B op(A)^-1, A triangular */         \
	X(trsm, (const char *side, const char *uplo, const char *transa,     \
	    const char *diag, const int *m, const int *n, const real *alpha, \
	    const real *a, const int *lda, real *b, const int *ldb))         \
	/* the parts of xHSEQR: the QR algorithm for small matrices,         \
	 * aggressive early deflation, and a sweep of small bulges */        \
	X(lahqr, (const int *wantt, const int *wantz, const int *n,          \
	    const int *low, const int *high, real *h, const int *ldh,        \
	    real *re, real *im, const int *first, const int *last, real *z,  \
	    const int *ldz, int *info))                                      \
	X(laqr3, (const int *wantt, const int *wantz, const int *n,          \
	    const int *top, const int *bottom, const int *window, real *h,   \
	    const int *ldh, const int *first, const int *last, real *z,      \
	    const int *ldz, int *shifts, int *deflated, real *re, real *im,  \
	    real *v, const int *ldv, const int *columns, real *t,            \
	    const int *ldt, const int *rows, real *wv, const int *ldwv,      \
	    real *work, const int *lwork))                                   \
	X(laqr5, (const int *wantt, const int *wantz, const int *kacc22,     \
	    const int *n, const int *top, const int *bottom,                 \
	    const int *shifts, real *re, real *im, real *h, const int *ldh,  \
	    const int *first, const int *last, real *z, const int *ldz,      \
	    real *v, const int *ldv, real *u, const int *ldu,                \
	    const int *rows, real *wv, const int *ldwv, const int *columns,  \
	    real *wh, const int *ldwh))                                      \
	/* the eigenvectors of a quasi-triangular T */                       \
	X(trevc3, (const char *side, const char *which, const int *select,   \
	    const int *n, const real *t, const int *ldt, real *left,         \
	    const int *ldl, real *right, const int *ldr, const int *columns, \
	    int *count, real *work, const int *lwork, int *info))            \
	/* moves sytrf's D beside the diagonal to e, permutes L's rows */    \
	X(syconvf, (const char *uplo, const char *way, const int *n,         \
	    real *a, const int *lda, real *e, int *pivots, int *info))

enum { LAPACK_COLUMNS = 102 };		/* LAPACK_COL_MAJOR */

#define LAPACK_POINTER(name, arguments) int (*name) arguments;
#define LAPACK_BLAS_POINTER(name, arguments) void (*name) arguments;

struct lapack_s {
	LAPACK_ROUTINES(LAPACK_POINTER, float)
	LAPACK_BLAS_ROUTINES(LAPACK_BLAS_POINTER, float)
};

struct lapack_d {
	LAPACK_ROUTINES(LAPACK_POINTER, double)
	LAPACK_BLAS_ROUTINES(LAPACK_BLAS_POINTER, double)
};

struct lapack {
	struct lapack_s s;
	struct lapack_d d;
	void (*set_threads)(int);	/* OpenBLAS's own; else NULL */
	int threads;			/* that OpenBLAS has when it is loaded;
					 * 1 for other libraries */
};

/* Up to this many rows, one thread of OpenBLAS is about as fast as two. Two
 * wait for each other at every step, and where all processors are busy each
 * such wait lasts for one of the system's time slices. */
enum { LAPACK_ROWS_OF_ONE_THREAD = 512 };

/* Returns a leading dimension for n rows of float64 whose cache lines are odd
 * in number, so that the elements of a row lie in different sets of the cache.
 * With n = 512 and 1024 as leading dimensions, DHSEQR takes more than twice as
 * long as with those of this function. */
static inline size_t lapack_ld(size_t n)
{
	enum { LINE = 64 / sizeof(double) };

	return ((n + LINE - 1) / LINE | 1) * LINE;
}

/* Returns the routines, and sets the number of their threads to one that suits
 * matrices of `rows` rows. Returns NULL with ERR_INTERNAL where the library is
 * missing. Only one thread may call this function. Several threads may call the
 * routines at the same time if rows <= LAPACK_ROWS_OF_ONE_THREAD. */
const struct lapack *lapack_load(size_t rows, struct err *e);

#endif
