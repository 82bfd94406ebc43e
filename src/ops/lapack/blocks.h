/* blocks.h - factorizations and solutions of large systems in pieces of at most
 * some 10^9 operations, between which a cancelled call is left (escape.h).
 * Small matrices go to the library at once. The parameters are LAPACKE's, and
 * the results those of LAPACK but for rounding errors. */
#ifndef OPS_LAPACK_BLOCKS_H
#define OPS_LAPACK_BLOCKS_H

/* A = L L^T or A = U^T U */
int blocks_potrf_s(int layout, char uplo, int n, float *a, int lda);
int blocks_potrf_d(int layout, char uplo, int n, double *a, int lda);

/* P A = L U */
int blocks_getrf_s(int layout, int m, int n, float *a, int lda, int *pivots);
int blocks_getrf_d(int layout, int m, int n, double *a, int lda, int *pivots);

/* X = op(A)^-1 B, of the factors that xGETRF made */
int blocks_getrs_s(int layout, char trans, int n, int sides, const float *a,
                   int lda, const int *pivots, float *b, int ldb);
int blocks_getrs_d(int layout, char trans, int n, int sides, const double *a,
                   int lda, const int *pivots, double *b, int ldb);

#endif
