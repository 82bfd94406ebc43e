/* routines.h - the routines of LAPACK and of the BLAS that linalgd calls, and
 * those that LAPACK itself calls and in which a call is left when it is
 * cancelled (escape.h). */
#ifndef OPS_LAPACK_ROUTINES_H
#define OPS_LAPACK_ROUTINES_H

/* X(name, parameters, arguments) for each routine that LAPACKE offers. The
 * parameters are those of LAPACK's documentation; `real` is float or double.
 * All routines return info. */
#define LAPACK_ROUTINES(X, real)                                             \
	/* H = Q^T A Q, upper Hessenberg; Q; Q v or Q^T v */                 \
	X(gehrd, (int layout, int n, int low, int high, real *a, int lda,    \
	    real *tau, real *work, int lwork),                               \
	    (layout, n, low, high, a, lda, tau, work, lwork))                \
	X(orghr, (int layout, int n, int low, int high, real *a, int lda,    \
	    const real *tau, real *work, int lwork),                         \
	    (layout, n, low, high, a, lda, tau, work, lwork))                \
	X(ormhr, (int layout, char side, char trans, int m, int n, int low,  \
	    int high, const real *a, int lda, const real *tau, real *c,      \
	    int ldc, real *work, int lwork),                                 \
	    (layout, side, trans, m, n, low, high, a, lda, tau, c, ldc,      \
	    work, lwork))                                                    \
	/* eigenvalues of H; eigenvectors of some by inverse iteration */    \
	X(hseqr, (int layout, char job, char compz, int n, int low,          \
	    int high, real *h, int ldh, real *re, real *im, real *z,         \
	    int ldz, real *work, int lwork),                                 \
	    (layout, job, compz, n, low, high, h, ldh, re, im, z, ldz,       \
	    work, lwork))                                                    \
	X(hsein, (int layout, char side, char source, char start,            \
	    int *select, int n, const real *h, int ldh, real *re,            \
	    const real *im, real *left, int ldl, real *right, int ldr,       \
	    int room, int *columns, real *work, int *fail_left,              \
	    int *fail_right),                                                \
	    (layout, side, source, start, select, n, h, ldh, re, im, left,   \
	    ldl, right, ldr, room, columns, work, fail_left, fail_right))    \
	/* T = Q^T A Q, tridiagonal, of a symmetric matrix; Q v or Q^T v */  \
	X(sytrd, (int layout, char uplo, int n, real *a, int lda, real *d,   \
	    real *e, real *tau, real *work, int lwork),                      \
	    (layout, uplo, n, a, lda, d, e, tau, work, lwork))               \
	X(ormtr, (int layout, char side, char uplo, char trans, int m,       \
	    int n, const real *a, int lda, const real *tau, real *c,         \
	    int ldc, real *work, int lwork),                                 \
	    (layout, side, uplo, trans, m, n, a, lda, tau, c, ldc, work,     \
	    lwork))                                                          \
	/* all eigenpairs of T, by divide and conquer */                     \
	X(stedc, (int layout, char compz, int n, real *d, real *e, real *z,  \
	    int ldz, real *work, int lwork, int *iwork, int liwork),         \
	    (layout, compz, n, d, e, z, ldz, work, lwork, iwork, liwork))    \
	/* all eigenvalues of T; some of them; eigenvectors of those */      \
	X(sterf, (int n, real *d, real *e),                                  \
	    (n, d, e))                                                       \
	X(stebz, (char range, char order, int n, real low, real high,        \
	    int first, int last, real tol, const real *d, const real *e,     \
	    int *count, int *blocks, real *values, int *block, int *split,   \
	    real *work, int *iwork),                                         \
	    (range, order, n, low, high, first, last, tol, d, e, count,      \
	    blocks, values, block, split, work, iwork))                      \
	X(stein, (int layout, int n, const real *d, const real *e,           \
	    int count, const real *values, const int *block,                 \
	    const int *split, real *z, int ldz, real *work, int *iwork,      \
	    int *fail),                                                      \
	    (layout, n, d, e, count, values, block, split, z, ldz, work,     \
	    iwork, fail))                                                    \
	/* A = Q R; A P = Q R; Q of the reflectors */                        \
	X(geqrf, (int layout, int m, int n, real *a, int lda, real *tau,     \
	    real *work, int lwork),                                          \
	    (layout, m, n, a, lda, tau, work, lwork))                        \
	X(geqp3, (int layout, int m, int n, real *a, int lda, int *jpvt,     \
	    real *tau, real *work, int lwork),                               \
	    (layout, m, n, a, lda, jpvt, tau, work, lwork))                  \
	X(orgqr, (int layout, int m, int n, int k, real *a, int lda,         \
	    const real *tau, real *work, int lwork),                         \
	    (layout, m, n, k, a, lda, tau, work, lwork))                     \
	/* A = U S V^T, by divide and conquer and by QR iteration */         \
	X(gesdd, (int layout, char jobz, int m, int n, real *a, int lda,     \
	    real *s, real *u, int ldu, real *vt, int ldvt, real *work,       \
	    int lwork, int *iwork),                                          \
	    (layout, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork,   \
	    iwork))                                                          \
	X(gesvd, (int layout, char jobu, char jobvt, int m, int n, real *a,  \
	    int lda, real *s, real *u, int ldu, real *vt, int ldvt,          \
	    real *work, int lwork),                                          \
	    (layout, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work,   \
	    lwork))                                                          \
	/* the X of least norm that minimizes |B - A X|, by the SVD */       \
	X(gelsd, (int layout, int m, int n, int nrhs, real *a, int lda,      \
	    real *b, int ldb, real *s, real rcond, int *rank, real *work,    \
	    int lwork, int *iwork),                                          \
	    (layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work,       \
	    lwork, iwork))                                                   \
	X(gelss, (int layout, int m, int n, int nrhs, real *a, int lda,      \
	    real *b, int ldb, real *s, real rcond, int *rank, real *work,    \
	    int lwork),                                                      \
	    (layout, m, n, nrhs, a, lda, b, ldb, s, rcond, rank, work,       \
	    lwork))                                                          \
	/* the same by a QR or LQ factorization, for A of full rank */       \
	X(gels, (int layout, char trans, int m, int n, int nrhs, real *a,    \
	    int lda, real *b, int ldb, real *work, int lwork),               \
	    (layout, trans, m, n, nrhs, a, lda, b, ldb, work, lwork))        \
	/* real Schur form A = Q T Q^T; T with the selected eigenvalues first; \
	 * eigenvectors of T, or of A where they begin as Q */               \
	X(gees, (int layout, char jobvs, char sort,                          \
	    int (*select)(const real *, const real *), int n, real *a,       \
	    int lda, int *count, real *re, real *im, real *q, int ldq,       \
	    real *work, int lwork, int *bwork),                              \
	    (layout, jobvs, sort, select, n, a, lda, count, re, im, q, ldq,  \
	    work, lwork, bwork))                                             \
	X(trsen, (int layout, char job, char compq, const int *select,       \
	    int n, real *t, int ldt, real *q, int ldq, real *re, real *im,   \
	    int *count, real *s, real *sep, real *work, int lwork,           \
	    int *iwork, int liwork),                                         \
	    (layout, job, compq, select, n, t, ldt, q, ldq, re, im, count,   \
	    s, sep, work, lwork, iwork, liwork))                             \
	X(trevc, (int layout, char side, char howmany, int *select, int n,   \
	    const real *t, int ldt, real *left, int ldl, real *right,        \
	    int ldr, int room, int *columns, real *work),                    \
	    (layout, side, howmany, select, n, t, ldt, left, ldl, right,     \
	    ldr, room, columns, work))                                       \
	/* P A = L U; A X = B; A^-1; 1 / (|A| |A^-1|), estimated */          \
	X(getrf, (int layout, int m, int n, real *a, int lda, int *pivots),  \
	    (layout, m, n, a, lda, pivots))                                  \
	X(getrs, (int layout, char trans, int n, int sides, const real *a,   \
	    int lda, const int *pivots, real *b, int ldb),                   \
	    (layout, trans, n, sides, a, lda, pivots, b, ldb))               \
	X(getri, (int layout, int n, real *a, int lda, const int *pivots,    \
	    real *work, int lwork),                                          \
	    (layout, n, a, lda, pivots, work, lwork))                        \
	X(gecon, (int layout, char norm, int n, const real *a, int lda,      \
	    real anorm, real *rcond, real *work, int *iwork),                \
	    (layout, norm, n, a, lda, anorm, rcond, work, iwork))            \
	/* all eigenvalues and eigenvectors of a symmetric matrix; those of T \
	 * from `first` to `last`, orthogonal to each other */               \
	X(syevd, (int layout, char job, char uplo, int n, real *a, int lda,  \
	    real *values, real *work, int lwork, int *iwork, int liwork),    \
	    (layout, job, uplo, n, a, lda, values, work, lwork, iwork,       \
	    liwork))                                                         \
	X(stemr, (int layout, char job, char range, int n, real *d,          \
	    real *e, real low, real high, int first, int last, int *count,   \
	    real *values, real *z, int ldz, int columns, int *support,       \
	    int *precise, real *work, int lwork, int *iwork, int liwork),    \
	    (layout, job, range, n, d, e, low, high, first, last, count,     \
	    values, z, ldz, columns, support, precise, work, lwork, iwork,   \
	    liwork))                                                         \
	/* all eigenvalues of any matrix, after balancing, and the left and  \
	 * the right eigenvectors */                                         \
	X(geevx, (int layout, char balance, char left, char right,           \
	    char sense, int n, real *a, int lda, real *re, real *im,         \
	    real *vl, int ldvl, real *vr, int ldvr, int *low, int *high,     \
	    real *scale, real *norm, real *rconde, real *rcondv,             \
	    real *work, int lwork, int *iwork),                              \
	    (layout, balance, left, right, sense, n, a, lda, re, im, vl,     \
	    ldvl, vr, ldvr, low, high, scale, norm, rconde, rcondv, work,    \
	    lwork, iwork))                                                   \
	/* beta A x = alpha B x, where alpha = re + im i, and both sides'    \
	 * eigenvectors */                                                   \
	X(ggev3, (int layout, char left, char right, int n, real *a,         \
	    int lda, real *b, int ldb, real *re, real *im, real *beta,       \
	    real *vl, int ldvl, real *vr, int ldvr, real *work, int lwork),  \
	    (layout, left, right, n, a, lda, b, ldb, re, im, beta, vl, ldvl, \
	    vr, ldvr, work, lwork))                                          \
	/* A = L L^T */                                                      \
	X(potrf, (int layout, char uplo, int n, real *a, int lda),           \
	    (layout, uplo, n, a, lda))                                       \
	/* P A P^T = L D L^T; A X = B with L, D and P as after syconvf */    \
	X(sytrf, (int layout, char uplo, int n, real *a, int lda,            \
	    int *pivots, real *work, int lwork),                             \
	    (layout, uplo, n, a, lda, pivots, work, lwork))                  \
	X(sytrs_3, (int layout, char uplo, int n, int sides, const real *a,  \
	    int lda, const real *e, const int *pivots, real *b, int ldb),    \
	    (layout, uplo, n, sides, a, lda, e, pivots, b, ldb))

/* The same for each routine of the BLAS, and for those of LAPACK that LAPACKE
 * lacks, with Fortran's parameters. These return nothing. */
#define LAPACK_BLAS_ROUTINES(X, real)                                        \
	/* C = alpha op(A) op(B) + beta C */                                 \
	X(gemm, (const char *transa, const char *transb, const int *m,       \
	    const int *n, const int *k, const real *alpha, const real *a,    \
	    const int *lda, const real *b, const int *ldb,                   \
	    const real *beta, real *c, const int *ldc),                      \
	    (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))  \
	/* y = alpha op(A) x + beta y */                                     \
	X(gemv, (const char *trans, const int *m, const int *n,              \
	    const real *alpha, const real *a, const int *lda,                \
	    const real *x, const int *incx, const real *beta, real *y,       \
	    const int *incy),                                                \
	    (trans, m, n, alpha, a, lda, x, incx, beta, y, incy))            \
	/* x = op(A)^-1 x, A triangular */                                   \
	X(trsv, (const char *uplo, const char *trans, const char *diag,      \
	    const int *n, const real *a, const int *lda, real *x,            \
	    const int *incx),                                                \
	    (uplo, trans, diag, n, a, lda, x, incx))                         \
	/* B = alpha op(A)^-1 B or alpha B op(A)^-1, A triangular */         \
	X(trsm, (const char *side, const char *uplo, const char *transa,     \
	    const char *diag, const int *m, const int *n,                    \
	    const real *alpha, const real *a, const int *lda, real *b,       \
	    const int *ldb),                                                 \
	    (side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb))         \
	/* B = alpha op(A) B or alpha B op(A), A triangular */               \
	X(trmm, (const char *side, const char *uplo, const char *transa,     \
	    const char *diag, const int *m, const int *n,                    \
	    const real *alpha, const real *a, const int *lda, real *b,       \
	    const int *ldb),                                                 \
	    (side, uplo, transa, diag, m, n, alpha, a, lda, b, ldb))         \
	/* C = alpha A A^T + beta C or alpha A^T A + beta C, a triangle */   \
	X(syrk, (const char *uplo, const char *trans, const int *n,          \
	    const int *k, const real *alpha, const real *a, const int *lda,  \
	    const real *beta, real *c, const int *ldc),                      \
	    (uplo, trans, n, k, alpha, a, lda, beta, c, ldc))                \
	/* the parts of xHSEQR: the QR algorithm for small matrices,         \
	 * aggressive early deflation, and a sweep of small bulges */        \
	X(lahqr, (const int *wantt, const int *wantz, const int *n,          \
	    const int *low, const int *high, real *h, const int *ldh,        \
	    real *re, real *im, const int *first, const int *last, real *z,  \
	    const int *ldz, int *info),                                      \
	    (wantt, wantz, n, low, high, h, ldh, re, im, first, last, z,     \
	    ldz, info))                                                      \
	X(laqr3, (const int *wantt, const int *wantz, const int *n,          \
	    const int *top, const int *bottom, const int *window, real *h,   \
	    const int *ldh, const int *first, const int *last, real *z,      \
	    const int *ldz, int *shifts, int *deflated, real *re, real *im,  \
	    real *v, const int *ldv, const int *columns, real *t,            \
	    const int *ldt, const int *rows, real *wv, const int *ldwv,      \
	    real *work, const int *lwork),                                   \
	    (wantt, wantz, n, top, bottom, window, h, ldh, first, last, z,   \
	    ldz, shifts, deflated, re, im, v, ldv, columns, t, ldt, rows,    \
	    wv, ldwv, work, lwork))                                          \
	X(laqr5, (const int *wantt, const int *wantz, const int *kacc22,     \
	    const int *n, const int *top, const int *bottom,                 \
	    const int *shifts, real *re, real *im, real *h, const int *ldh,  \
	    const int *first, const int *last, real *z, const int *ldz,      \
	    real *v, const int *ldv, real *u, const int *ldu,                \
	    const int *rows, real *wv, const int *ldwv, const int *columns,  \
	    real *wh, const int *ldwh),                                      \
	    (wantt, wantz, kacc22, n, top, bottom, shifts, re, im, h, ldh,   \
	    first, last, z, ldz, v, ldv, u, ldu, rows, wv, ldwv, columns,    \
	    wh, ldwh))                                                       \
	/* the eigenvectors of a quasi-triangular T */                       \
	X(trevc3, (const char *side, const char *which, const int *select,   \
	    const int *n, const real *t, const int *ldt, real *left,         \
	    const int *ldl, real *right, const int *ldr,                     \
	    const int *columns, int *count, real *work, const int *lwork,    \
	    int *info),                                                      \
	    (side, which, select, n, t, ldt, left, ldl, right, ldr,          \
	    columns, count, work, lwork, info))                              \
	/* A - S = L U, S a diagonal matrix of signs */                       \
	X(laorhr_col_getrfnp, (const int *m, const int *n, real *a,          \
	    const int *lda, real *signs, int *info),                         \
	    (m, n, a, lda, signs, info))                                     \
	/* moves sytrf's D beside the diagonal to e, permutes L's rows */    \
	X(syconvf, (const char *uplo, const char *way, const int *n,         \
	    real *a, const int *lda, real *e, int *pivots, int *info),       \
	    (uplo, way, n, a, lda, e, pivots, info))

/* The routines of the BLAS and of LAPACK that this program exports with
 * Fortran's names, so that LAPACK calls ours (exported.h), and that do nothing
 * but look for a cancellation before they call the library's. SLASR and
 * DLASR take the lengths of their strings, as Fortran's compiler wants. */
#define LAPACK_POLLED(X, real)                                               \
	X(gemv, (const char *trans, const int *m, const int *n,              \
	    const real *alpha, const real *a, const int *lda,                \
	    const real *x, const int *incx, const real *beta, real *y,       \
	    const int *incy),                                                \
	    (trans, m, n, alpha, a, lda, x, incx, beta, y, incy))            \
	X(symv, (const char *uplo, const int *n, const real *alpha,          \
	    const real *a, const int *lda, const real *x, const int *incx,   \
	    const real *beta, real *y, const int *incy),                     \
	    (uplo, n, alpha, a, lda, x, incx, beta, y, incy))                \
	X(symm, (const char *side, const char *uplo, const int *m,           \
	    const int *n, const real *alpha, const real *a, const int *lda,  \
	    const real *b, const int *ldb, const real *beta, real *c,        \
	    const int *ldc),                                                 \
	    (side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc))         \
	X(syr2k, (const char *uplo, const char *trans, const int *n,         \
	    const int *k, const real *alpha, const real *a, const int *lda,  \
	    const real *b, const int *ldb, const real *beta, real *c,        \
	    const int *ldc),                                                 \
	    (uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc))        \
	X(ger, (const int *m, const int *n, const real *alpha,               \
	    const real *x, const int *incx, const real *y, const int *incy,  \
	    real *a, const int *lda),                                        \
	    (m, n, alpha, x, incx, y, incy, a, lda))                         \
	X(scal, (const int *n, const real *alpha, real *x,                   \
	    const int *incx), (n, alpha, x, incx))                           \
	X(copy, (const int *n, const real *x, const int *incx, real *y,      \
	    const int *incy), (n, x, incx, y, incy))                         \
	X(swap, (const int *n, real *x, const int *incx, real *y,            \
	    const int *incy), (n, x, incx, y, incy))                         \
	X(axpy, (const int *n, const real *alpha, const real *x,             \
	    const int *incx, real *y, const int *incy),                      \
	    (n, alpha, x, incx, y, incy))                                    \
	X(rot, (const int *n, real *x, const int *incx, real *y,             \
	    const int *incy, const real *c, const real *s),                  \
	    (n, x, incx, y, incy, c, s))                                     \
	/* a sequence of rotations; roots of the secular equations of        \
	 * divide and conquer */                                             \
	X(lasr, (const char *side, const char *pivot, const char *direct,    \
	    const int *m, const int *n, const real *c, const real *s,        \
	    real *a, const int *lda, size_t side_length,                     \
	    size_t pivot_length, size_t direct_length),                      \
	    (side, pivot, direct, m, n, c, s, a, lda, side_length,           \
	    pivot_length, direct_length))                                    \
	X(laed4, (const int *n, const int *i, const real *d, const real *z,  \
	    real *delta, const real *rho, real *lambda, int *info),          \
	    (n, i, d, z, delta, rho, lambda, info))                          \
	X(lasd4, (const int *n, const int *i, const real *d, const real *z,  \
	    real *delta, const real *rho, real *sigma, real *work,           \
	    int *info),                                                      \
	    (n, i, d, z, delta, rho, sigma, work, info))

/* Of these, one that returns a number: (x^2 + y^2)^(1/2). The QL algorithm for
 * eigenvalues alone (xSTERF) calls nothing else. */
#define LAPACK_POLLED_NUMBERS(X, real)                                       \
	X(lapy2, (const real *x, const real *y), (x, y))

/* The routines that blocks.c calls for small matrices, and exports in place of
 * the library's where LAPACK itself calls them. */
#define LAPACK_CUT(X, real)                                                  \
	X(gemm, (const char *transa, const char *transb, const int *m,       \
	    const int *n, const int *k, const real *alpha, const real *a,    \
	    const int *lda, const real *b, const int *ldb,                   \
	    const real *beta, real *c, const int *ldc), )                    \
	X(trsm, (const char *side, const char *uplo, const char *trans,      \
	    const char *diag, const int *m, const int *n,                    \
	    const real *alpha, const real *a, const int *lda, real *b,       \
	    const int *ldb), )                                               \
	X(trmm, (const char *side, const char *uplo, const char *trans,      \
	    const char *diag, const int *m, const int *n,                    \
	    const real *alpha, const real *a, const int *lda, real *b,       \
	    const int *ldb), )                                               \
	X(syrk, (const char *uplo, const char *trans, const int *n,          \
	    const int *k, const real *alpha, const real *a, const int *lda,  \
	    const real *beta, real *c, const int *ldc), )                    \
	X(laswp, (const int *n, real *a, const int *lda, const int *first,   \
	    const int *last, const int *pivots, const int *incx), )          \
	X(potrf, (const char *uplo, const int *n, real *a, const int *lda,   \
	    int *info), )                                                    \
	X(getrf, (const int *m, const int *n, real *a, const int *lda,       \
	    int *pivots, int *info), )                                       \
	X(trtri, (const char *uplo, const char *diag, const int *n,          \
	    real *a, const int *lda, int *info), )

/* Those that lahqr.c calls: the library's QR algorithms for larger matrices,
 * and the standard form of a 2 x 2 block. */
#define LAPACK_SMALL(X, real)                                                \
	X(lahqr, (const int *wantt, const int *wantz, const int *n,          \
	    const int *low, const int *high, real *h, const int *ldh,        \
	    real *re, real *im, const int *first, const int *last, real *z,  \
	    const int *ldz, int *info), )                                    \
	X(laqr4, (const int *wantt, const int *wantz, const int *n,          \
	    const int *low, const int *high, real *h, const int *ldh,        \
	    real *re, real *im, const int *first, const int *last, real *z,  \
	    const int *ldz, real *work, const int *lwork, int *info), )      \
	X(lanv2, (real *a, real *b, real *c, real *d, real *re1, real *im1,  \
	    real *re2, real *im2, real *cosine, real *sine), )

#endif
