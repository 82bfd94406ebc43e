/* batch.h - the kernels that compute all eigenvalues of every matrix of a stack
 * of symmetric matrices on the device.
 *
 *     batch.c            chooses the kernel of a call, and takes its answers
 *     batch_jacobi.c     Jacobi's method, for CPUs and for other devices
 *     batch_ql.c         Householder's reflections and the QL method
 */
#ifndef OPS_EIGEN_BATCH_H
#define OPS_EIGEN_BATCH_H

#include "ops/eigen/many.h"

/* The numbers of a matrix in the buffer `told`, of the call's type: one of the
 * next enum, and the two measures that kernels/eigen/jacobi.cl describes. */
enum { BATCH_TOLD = 3 };
enum { BATCH_FAILED, BATCH_CONVERGED, BATCH_NOT_SYMMETRIC, BATCH_NOT_FINITE };

struct batch {
	const struct matrix *a;
	size_t n, stack;
	bool vectors, judged;		/* are they wanted? */
	const struct batch_kernel *kernel;
};

/* The buffers of a launch. vectors is any buffer if they are not wanted. */
struct batch_buffers { struct buf values, vectors, told; };

struct batch_kernel {
	size_t most;			/* rows of its largest matrices */
	size_t worth;			/* rows of the largest matrices for
					 * which it is faster than LAPACK */
	bool looks;			/* it finds matrices that are not
					 * symmetric or not finite; otherwise
					 * the host must */
	bool (*fits)(const struct batch *b, enum dtype t,
	             const struct sheet *d);
	void (*launch)(struct seq *s, const struct batch *b,
	               const struct batch_buffers *to);
	/* Bytes of global memory that it uses as its workspace. */
	size_t (*room)(const struct batch *b, enum dtype t,
	               const struct sheet *d);
};

extern const struct batch_kernel eigen_batch_lanes, eigen_batch_jacobi,
                                 eigen_batch_ql;

#endif
