/* inverse_told.h - what the kernels of inverse tell the host of a matrix.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_INVERSE_TOLD_H
#define KERNELS_SHARED_INVERSE_TOLD_H

/* A work-group of this many items multiplies a row, or judges a matrix. */
#define INVERSE_LANES 64

/* The 1-norms of A and of its inverse X; the 1-norm of A X v - v, where v is
 * the vector of lapack_sign(); whether a pivot is zero; whether A contains a
 * NaN or an infinity. */
enum inverse_told { INVERSE_NORM, INVERSE_NORM_OF_X, INVERSE_DEFECT,
	INVERSE_SINGULAR, INVERSE_NONFINITE, INVERSE_TOLD };

#endif
