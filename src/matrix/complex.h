/* complex.h - complex matrices of their real and imaginary parts. */
#ifndef MATRIX_COMPLEX_H
#define MATRIX_COMPLEX_H

#include "matrix/matrix.h"

/* Returns re + i im, whatever their signs and sizes: C's CMPLX(), which clang
 * does not have with the C library's header. */
static inline double _Complex complex_of(double re, double im)
{
	const union {
		double part[2];
		double _Complex z;
	} u = { .part = { re, im } };

	return u.z;
}

/* Returns element i of a matrix of any type. */
static inline double _Complex complex_get(const struct matrix *m, size_t i)
{
	return complex_of(matrix_get(m, i), matrix_get_imaginary(m, i));
}

/* Turns *real into the complex matrix real + i imag: complex64 if both parts
 * are float32, else complex128. Both must have the same shape (ERR_FORMAT). If
 * one of them is sparse both become so, and the result has the places of both.
 * Works in slices (slice.h). -1 with *e; the caller still frees both. */
int complex_join(struct matrix *real, struct matrix *imag,
                 struct memory_pool *p, struct err *e);

#endif
