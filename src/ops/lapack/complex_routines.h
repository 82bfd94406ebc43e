/* complex_routines.h - the routines of LAPACK for complex64 and complex128 that
 * linalgd calls, and those of the BLAS in which a call is left when it is
 * cancelled (escape.h). X(name, parameters, arguments) as in routines.h; cplx
 * is the type of an element, and real that of its parts. */
#ifndef OPS_LAPACK_COMPLEX_ROUTINES_H
#define OPS_LAPACK_COMPLEX_ROUTINES_H

#include <stddef.h>

typedef float _Complex cplx_c;		/* complex64 */
typedef double _Complex cplx;		/* complex128 */

/* Routines of LAPACKE, which return info: for LU and triangular systems,
 * inverses, the Cholesky and the QR factorization, singular values and least
 * squares, and the eigenvalues of hermitian and general matrices and of
 * pairs. */
#define LAPACK_COMPLEX_ROUTINES(X, cplx, real)                               \
	X(getrf, (int layout, int m, int n, cplx *a, int lda, int            \
	    *pivots), (layout, m, n, a, lda, pivots))                        \
	X(getrs, (int layout, char trans, int n, int sides, const cplx       \
	    *a, int lda, const int *pivots, cplx *b, int ldb), (layout,      \
	    trans, n, sides, a, lda, pivots, b, ldb))                        \
	X(getri, (int layout, int n, cplx *a, int lda, const int             \
	    *pivots, cplx *work, int lwork), (layout, n, a, lda, pivots,     \
	    work, lwork))                                                    \
	X(gecon, (int layout, char norm, int n, const cplx *a, int lda,      \
	    real anorm, real *rcond, cplx *work, real *rwork),               \
	    (layout, norm, n, a, lda, anorm, rcond, work, rwork))            \
	X(gerfs, (int layout, char trans, int n, int sides, const cplx       \
	    *a, int lda, const cplx *af, int ldaf, const int *pivots, const  \
	    cplx *b, int ldb, cplx *x, int ldx, real *ferr, real *berr,      \
	    cplx *work, real *rwork), (layout, trans, n, sides, a, lda,      \
	    af, ldaf, pivots, b, ldb, x, ldx, ferr, berr, work, rwork))      \
	X(trrfs, (int layout, char uplo, char trans, char diag, int n, int   \
	    sides, const cplx *a, int lda, const cplx *b, int ldb, const     \
	    cplx *x, int ldx, real *ferr, real *berr, cplx *work,            \
	    real *rwork), (layout, uplo, trans, diag, n, sides, a, lda, b,   \
	    ldb, x, ldx, ferr, berr, work, rwork))                           \
	X(trcon, (int layout, char norm, char uplo, char diag, int n, const  \
	    cplx *a, int lda, real *rcond, cplx *work, real *rwork),         \
	    (layout, norm, uplo, diag, n, a, lda, rcond, work, rwork))       \
	X(potrf, (int layout, char uplo, int n, cplx *a, int lda),           \
	    (layout, uplo, n, a, lda))                                       \
	X(potrs, (int layout, char uplo, int n, int sides, const cplx *a,    \
	    int lda, cplx *b, int ldb), (layout, uplo, n, sides, a, lda, b,  \
	    ldb))                                                            \
	X(pocon, (int layout, char uplo, int n, const cplx *a, int lda,      \
	    real anorm, real *rcond, cplx *work, real *rwork), (layout,      \
	    uplo, n, a, lda, anorm, rcond, work, rwork))                     \
	X(geqrf, (int layout, int m, int n, cplx *a, int lda, cplx *tau,     \
	    cplx *work, int lwork), (layout, m, n, a, lda, tau, work,        \
	    lwork))                                                          \
	X(geqp3, (int layout, int m, int n, cplx *a, int lda, int *jpvt,     \
	    cplx *tau, cplx *work, int lwork, real *rwork), (layout, m, n,   \
	    a, lda, jpvt, tau, work, lwork, rwork))                          \
	X(ungqr, (int layout, int m, int n, int k, cplx *a, int lda,         \
	    const cplx *tau, cplx *work, int lwork), (layout, m, n, k, a,    \
	    lda, tau, work, lwork))                                          \
	X(gesdd, (int layout, char jobz, int m, int n, cplx *a, int lda,     \
	    real *s, cplx *u, int ldu, cplx *vt, int ldvt, cplx *work, int   \
	    lwork, real *rwork, int *iwork), (layout, jobz, m, n, a, lda,    \
	    s, u, ldu, vt, ldvt, work, lwork, rwork, iwork))                 \
	X(gesvd, (int layout, char jobu, char jobvt, int m, int n, cplx      \
	    *a, int lda, real *s, cplx *u, int ldu, cplx *vt, int ldvt,      \
	    cplx *work, int lwork, real *rwork), (layout, jobu, jobvt, m,    \
	    n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork))             \
	X(gelsd, (int layout, int m, int n, int nrhs, cplx *a, int lda,      \
	    cplx *b, int ldb, real *s, real rcond, int *rank, cplx           \
	    *work, int lwork, real *rwork, int *iwork), (layout, m, n,       \
	    nrhs, a, lda, b, ldb, s, rcond, rank, work, lwork, rwork,        \
	    iwork))                                                          \
	X(heevd, (int layout, char job, char uplo, int n, cplx *a, int       \
	    lda, real *values, cplx *work, int lwork, real *rwork, int       \
	    lrwork, int *iwork, int liwork), (layout, job, uplo, n, a, lda,  \
	    values, work, lwork, rwork, lrwork, iwork, liwork))              \
	X(geevx, (int layout, char balance, char left, char right, char      \
	    sense, int n, cplx *a, int lda, cplx *values, cplx *vl, int      \
	    ldvl, cplx *vr, int ldvr, int *low, int *high, real *scale,      \
	    real *norm, real *rconde, real *rcondv, cplx *work, int          \
	    lwork, real *rwork), (layout, balance, left, right, sense, n,    \
	    a, lda, values, vl, ldvl, vr, ldvr, low, high, scale, norm,      \
	    rconde, rcondv, work, lwork, rwork))                             \
	X(ggev3, (int layout, char left, char right, int n, cplx *a, int     \
	    lda, cplx *b, int ldb, cplx *alpha, cplx *beta, cplx *vl, int    \
	    ldvl, cplx *vr, int ldvr, cplx *work, int lwork, real *rwork),   \
	    (layout, left, right, n, a, lda, b, ldb, alpha, beta, vl, ldvl,  \
	    vr, ldvr, work, lwork, rwork))

/* Routines of BLAS and LAPACK that have Fortran's parameters and return
 * nothing. */
#define LAPACK_COMPLEX_POLLED(X, cplx, real)                                 \
	X(gemm, (const char *transa, const char *transb, const int *m,       \
	    const int *n, const int *k, const cplx *alpha, const cplx *a,    \
	    const int *lda, const cplx *b, const int *ldb, const cplx *beta, \
	    cplx *c, const int *ldc), (transa, transb, m, n, k, alpha, a,    \
	    lda, b, ldb, beta, c, ldc))                                      \
	X(gemv, (const char *trans, const int *m, const int *n, const        \
	    cplx *alpha, const cplx *a, const int *lda, const cplx *x, const \
	    int *incx, const cplx *beta, cplx *y, const int *incy), (trans,  \
	    m, n, alpha, a, lda, x, incx, beta, y, incy))                    \
	X(trsm, (const char *side, const char *uplo, const char *trans,      \
	    const char *diag, const int *m, const int *n, const cplx *alpha, \
	    const cplx *a, const int *lda, cplx *b, const int *ldb), (side,  \
	    uplo, trans, diag, m, n, alpha, a, lda, b, ldb))                 \
	X(trmm, (const char *side, const char *uplo, const char *trans,      \
	    const char *diag, const int *m, const int *n, const cplx *alpha, \
	    const cplx *a, const int *lda, cplx *b, const int *ldb), (side,  \
	    uplo, trans, diag, m, n, alpha, a, lda, b, ldb))                 \
	X(trmv, (const char *uplo, const char *trans, const char *diag,      \
	    const int *n, const cplx *a, const int *lda, cplx *x, const      \
	    int *incx), (uplo, trans, diag, n, a, lda, x, incx))             \
	X(trsv, (const char *uplo, const char *trans, const char *diag,      \
	    const int *n, const cplx *a, const int *lda, cplx *x, const      \
	    int *incx), (uplo, trans, diag, n, a, lda, x, incx))             \
	X(hemm, (const char *side, const char *uplo, const int *m, const     \
	    int *n, const cplx *alpha, const cplx *a, const int *lda, const  \
	    cplx *b, const int *ldb, const cplx *beta, cplx *c, const int    \
	    *ldc), (side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc))  \
	X(hemv, (const char *uplo, const int *n, const cplx *alpha,          \
	    const cplx *a, const int *lda, const cplx *x, const int *incx,   \
	    const cplx *beta, cplx *y, const int *incy), (uplo, n, alpha, a, \
	    lda, x, incx, beta, y, incy))                                    \
	X(her2k, (const char *uplo, const char *trans, const int *n,         \
	    const int *k, const cplx *alpha, const cplx *a, const int *lda,  \
	    const cplx *b, const int *ldb, const real *beta, cplx *c,        \
	    const int *ldc), (uplo, trans, n, k, alpha, a, lda, b, ldb,      \
	    beta, c, ldc))                                                   \
	X(gerc, (const int *m, const int *n, const cplx *alpha, const        \
	    cplx *x, const int *incx, const cplx *y, const int *incy, cplx   \
	    *a, const int *lda), (m, n, alpha, x, incx, y, incy, a, lda))    \
	X(scal, (const int *n, const cplx *alpha, cplx *x, const int         \
	    *incx), (n, alpha, x, incx))                                     \
	X(copy, (const int *n, const cplx *x, const int *incx, cplx *y,      \
	    const int *incy), (n, x, incx, y, incy))                         \
	X(swap, (const int *n, cplx *x, const int *incx, cplx *y, const      \
	    int *incy), (n, x, incx, y, incy))                               \
	X(axpy, (const int *n, const cplx *alpha, const cplx *x, const       \
	    int *incx, cplx *y, const int *incy), (n, alpha, x, incx, y,     \
	    incy))                                                           \
	X(rot, (const int *n, cplx *x, const int *incx, cplx *y, const       \
	    int *incy, const real *c, const cplx *s), (n, x, incx, y,        \
	    incy, c, s))                                                     \
	X(lasr, (const char *side, const char *pivot, const char             \
	    *direct, const int *m, const int *n, const real *c, const        \
	    real *s, cplx *a, const int *lda, size_t side_length, size_t     \
	    pivot_length, size_t direct_length), (side, pivot, direct, m, n, \
	    c, s, a, lda, side_length, pivot_length, direct_length))

#endif
