/* lapack.h - LAPACK on the host, for decisions that are made there: in workers
 * only, loaded when it is first needed.
 *
 * It is not linked in, because OpenBLAS starts its threads as soon as it is
 * loaded, and the front must have none of them. OPENBLAS_NUM_THREADS limits
 * their number; a worker sets it to its share of the processors.
 *
 * Matrices are column-major, and workspaces are the caller's: these are the
 * "_work" functions of LAPACKE, with LAPACK_COL_MAJOR as their first argument,
 * named as in LAPACK. None may be given NaN or infinity, with which some of
 * them never end. */
#ifndef OPS_EIGEN_LAPACK_H
#define OPS_EIGEN_LAPACK_H

#include <stddef.h>

#include "base/err.h"

/* Arguments as in LAPACK's documentation. */
#define LAPACK_ROUTINES(X)                                                   \
	/* H = Q^T A Q, upper Hessenberg; Q v or Q^T v */                    \
	X(dgehrd, (int layout, int n, int low, int high, double *a, int lda, \
	    double *tau, double *work, int lwork))                           \
	X(dormhr, (int layout, char side, char trans, int m, int n, int low, \
	    int high, const double *a, int lda, const double *tau,           \
	    double *c, int ldc, double *work, int lwork))                    \
	/* eigenvalues of H; eigenvectors of some by inverse iteration */    \
	X(dhseqr, (int layout, char job, char compz, int n, int low,         \
	    int high, double *h, int ldh, double *re, double *im, double *z, \
	    int ldz, double *work, int lwork))                               \
	X(dhsein, (int layout, char side, char source, char start,           \
	    int *select, int n, const double *h, int ldh, double *re,        \
	    const double *im, double *left, int ldl, double *right, int ldr, \
	    int room, int *columns, double *work, int *fail_left,            \
	    int *fail_right))                                                \
	/* T = Q^T A Q, tridiagonal, of a symmetric matrix; Q v or Q^T v */  \
	X(dsytrd, (int layout, char uplo, int n, double *a, int lda,         \
	    double *d, double *e, double *tau, double *work, int lwork))     \
	X(dormtr, (int layout, char side, char uplo, char trans, int m,      \
	    int n, const double *a, int lda, const double *tau, double *c,   \
	    int ldc, double *work, int lwork))                               \
	/* all eigenvalues of T; some of them; eigenvectors of those */      \
	X(dsterf, (int n, double *d, double *e))                             \
	X(dstebz, (char range, char order, int n, double low, double high,   \
	    int first, int last, double tol, const double *d,                \
	    const double *e, int *count, int *blocks, double *values,        \
	    int *block, int *split, double *work, int *iwork))               \
	X(dstein, (int layout, int n, const double *d, const double *e,      \
	    int count, const double *values, const int *block,               \
	    const int *split, double *z, int ldz, double *work, int *iwork,  \
	    int *fail))

enum { LAPACK_COLUMNS = 102 };		/* LAPACK_COL_MAJOR */

struct lapack {
#define X(routine, arguments) int (*routine) arguments;
	LAPACK_ROUTINES(X)
#undef X
	void (*set_threads)(int);	/* OpenBLAS's own; else NULL */
	int threads;			/* OpenBLAS's number of them at first */
};

/* The routines, set to a number of threads that suits matrices of that many
 * rows; NULL with *e where the library is missing. To be called from one
 * thread. */
const struct lapack *lapack_load(size_t rows, struct err *e);

#endif
