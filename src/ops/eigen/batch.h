/* batch.h - the kernels that compute all eigenvalues of every matrix of a stack
 * of symmetric matrices on the device.
 *
 *     batch.c            chooses the kernel for a call, launches it, and
 *                        records failures and the verdict
 *     batch_jacobi.c     Jacobi's method, for CPUs and for other devices
 *     batch_ql.c         Householder's reflections and the QL method
 */
#ifndef OPS_EIGEN_BATCH_H
#define OPS_EIGEN_BATCH_H

#include "ops/eigen/many.h"

/* The buffer `told` has BATCH_TOLD numbers for each matrix, in the call's type:
 * its outcome, one of BATCH_FAILED to BATCH_NOT_FINITE, then the residual and
 * the orthogonality, which kernels/eigen/jacobi.cl defines. */
enum { BATCH_TOLD = 3 };
enum { BATCH_FAILED, BATCH_CONVERGED, BATCH_NOT_SYMMETRIC, BATCH_NOT_FINITE };

struct batch {
	const struct matrix *a;
	size_t n, stack;
	bool vectors, judged;		/* are the eigenvectors wanted, and the
					 * two measures? */
	const struct batch_kernel *kernel;
};

/* The buffers of a launch. If no vectors are wanted, `vectors` is any buffer
 * and is not written. */
struct batch_buffers { struct buf values, vectors, told; };

struct batch_kernel {
	size_t most;			/* most rows that the kernel takes */
	size_t worth;			/* most rows for which the kernel is
					 * faster than LAPACK */
	bool looks;			/* the kernel reports matrices that are
					 * not symmetric or not finite; else the
					 * host must find them */
	bool (*fits)(const struct batch *b, enum dtype t,
	             const struct sheet *d);
	void (*launch)(struct seq *s, const struct batch *b,
	               const struct batch_buffers *to);
	/* Returns the bytes of the workspace in global memory, 0 for none. */
	size_t (*room)(const struct batch *b, enum dtype t,
	               const struct sheet *d);
};

extern const struct batch_kernel eigen_batch_lanes, eigen_batch_jacobi,
                                 eigen_batch_ql;

#endif
