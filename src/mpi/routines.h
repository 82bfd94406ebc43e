/* routines.h - the routines of ScaLAPACK that linalgd-mpi calls, for matrices
 * of float32 and float64. Whole matrices are meant, and n > 0. Every process
 * must call them. A workspace that cannot be allocated is ERR_MEMORY.
 */
#ifndef MPI_ROUTINES_H
#define MPI_ROUTINES_H

#include "mpi/dist.h"

/* P A = L U. pivots has a->rows + SCALAPACK_BLOCK numbers: those of this
 * process's rows, counted from 1. Returns info: the first column with a zero
 * pivot, counted from 1, or 0. */
int routine_getrf(struct dist *a, int *pivots);

/* X = A^-1 X, or A^-T X if `turned`, by the factors. */
void routine_getrs(bool turned, const struct dist *lu, const int *pivots,
                   struct dist *x);

/* C = alpha A B + beta C, or with A^T if `turned`. */
void routine_gemm(bool turned, double alpha, const struct dist *a,
                  const struct dist *b, double beta, struct dist *c);

/* The eigenvalues of a symmetric matrix, ascending, in `values`, and its
 * eigenvectors in z; NULL: none. Only the lower triangle is read; A is
 * overwritten. *info is not 0 if the algorithm did not converge. */
enum err_code routine_syev(struct dist *a, double *values, struct dist *z,
                           int *info);

/* The routine's name, as in "pdgetrf". */
const char *routine_name(enum dtype t, const char *name, char text[16]);

#endif
