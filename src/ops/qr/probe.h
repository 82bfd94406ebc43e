/* probe.h - products of a matrix and a vector on the host in float64, for the
 * verdicts of lstsq, pinv and qr. */
#ifndef OPS_QR_PROBE_H
#define OPS_QR_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/dtype.h"

/* A row-major m x n matrix of that type; the functions below multiply every
 * element by `unit`. */
struct probed {
	enum dtype dtype;
	const void *x;
	size_t m, n;
	double unit;
};

/* y = A x, and y = A^T x. */
void probe_times(const struct probed *a, const double *x, double *y);
void probe_turned(const struct probed *a, const double *x, double *y);

/* Return |A x - y| and |A| in the Frobenius norm. */
double probe_off(const struct probed *a, const double *x, const double *y);
double probe_size(const struct probed *a);

/* y += v `by`, and the reflection y -= tau v (v^T y), in which the first
 * element of v counts as 1. Both vectors have n elements, v of that type. */
void probe_add(enum dtype t, const void *v, double by, size_t n, double *y);
void probe_reflect(enum dtype t, const void *v, size_t n, double tau,
                   double *y);

/* Fills x with column c of the identity if `exact`, else with pseudorandom
 * signs, which are the same in every call. */
void probe_fill(double *x, size_t n, bool exact, size_t c);

/* The 2-norm. */
double probe_norm(const double *x, size_t n);

/* The power of 2 by which x > 0 comes into [1, 2), bounded so that neither the
 * power nor its inverse overflows; 1 if x is 0, infinite or NaN. */
double probe_unit(double x);

#endif
