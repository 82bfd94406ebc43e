/* exponent.h - the powers of 2 by which qr scales the columns of a matrix. */
#ifndef KERNELS_QR_EXPONENT_H
#define KERNELS_QR_EXPONENT_H

/* Returns the exponent that a column is scaled by, given e_j of qr_scale
 * (panel.cl): 0 for a column of zeros. */
static int exponent_of(int e)
{
	return e < -5000 ? 0 : e;
}

#endif
