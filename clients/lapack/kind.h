/* kind.h - the four types of LAPACK's elements, and the shapes of arguments. */
#ifndef CLIENTS_LAPACK_KIND_H
#define CLIENTS_LAPACK_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* INTEGER of a LAPACK with 32-bit integers (LP64). */
typedef int fint;

struct kind {
	char letter;			/* of the names: s, d, c or z */
	bool is_complex;
	size_t size;			/* of an element, in bytes */
	size_t part;			/* of its real part */
	const char *dtype;		/* the service's name of the type */
};

extern const struct kind kind_s, kind_d, kind_c, kind_z;

/* Is the element at x, at any address, zero? */
bool is_zero(const struct kind *k, const void *x);

/* An option such as UPLO in upper case. */
char option(const char *letter);

/* Is ld a leading dimension of a matrix with so many rows? */
static inline bool leads(fint ld, fint rows)
{
	return ld >= (rows > 1 ? rows : 1);
}

/* Does `job` ask for no eigenvectors (N), or for eigenvectors (V) and ld is a
 * leading dimension of their n x n matrix? */
static inline bool is_vector_job(char job, fint n, fint ld)
{
	return (job == 'N' && ld >= 1) || (job == 'V' && leads(ld, n));
}

static inline size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

#endif
