/* scalapack.h - the variant of an operation that several processes compute
 * together, by ScaLAPACK: those of the program linalgd-mpi (src/mpi), which the
 * front sees as one device of type DEVICE_CLUSTER.
 *
 * This process knows of it only which calls it takes and how much memory they
 * need there, so that it can be admitted like any other variant.
 */
#ifndef OPS_SCALAPACK_H
#define OPS_SCALAPACK_H

#include "ops/need.h"
#include "ops/op.h"

#define SCALAPACK_VARIANT(takes_, need_)                                     \
	{ "scalapack", NEEDS_CLUSTER, DEVICE_CLUSTER, DTYPE_REALS, "",       \
	  "ScaLAPACK", .need = need_, .takes = takes_ }

/* Matrices are distributed in square blocks of so many rows. */
enum { SCALAPACK_BLOCK = 64 };

/* Return 0, or -1 with ERR_PARAMETER and the reason why ScaLAPACK does not
 * compute the call. */
int scalapack_takes_lu(const struct args *a, struct err *e);
int scalapack_takes_solve(const struct args *a, struct err *e);
int scalapack_takes_matmul(const struct args *a, struct err *e);
int scalapack_takes_eigen(const struct args *a, struct err *e);

/* Add the bytes of all distributed matrices and workspaces, which all processes
 * hold together. */
void scalapack_need_lu(const struct args *a, const struct variant *v,
                       const struct sheet *d, struct need *n);
void scalapack_need_solve(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n);
void scalapack_need_matmul(const struct args *a, const struct variant *v,
                           const struct sheet *d, struct need *n);
void scalapack_need_eigen(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n);

#endif
