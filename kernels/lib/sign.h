/* sign.h - the vector of signs with which residuals are estimated. Included by
 * kernels only. */
#ifndef KERNELS_LIB_SIGN_H
#define KERNELS_LIB_SIGN_H

/* Returns element i, 1 or -1: that of lapack_sign() in
 * src/ops/lapack/stack.h. */
static int sign_of(int i)
{
	return (uint)(i + 1) * 2654435769u >> 31 ? 1 : -1;
}

#endif
