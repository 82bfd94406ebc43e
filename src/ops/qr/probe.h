/* probe.h - products of one matrix with a vector on the host, in float64, for
 * the verdicts of lstsq and pinv. */
#ifndef OPS_QR_PROBE_H
#define OPS_QR_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/dtype.h"

/* A row-major m x n matrix of that type, every element times `unit`. */
struct probed {
	enum dtype dtype;
	const void *x;
	size_t m, n;
	double unit;
};

/* y = A x, with n elements in x, or y = A^T x, with m. */
void probe_times(const struct probed *a, const double *x, double *y);
void probe_turned(const struct probed *a, const double *x, double *y);

/* Signs that look random, the same every time; or if `exact` column c of the
 * identity. */
void probe_fill(double *x, size_t n, bool exact, size_t c);

double probe_norm(const double *x, size_t n);

/* The power of two that brings x into [1, 2), or 1 for 0; bounded, so that
 * neither it nor its inverse overflows. */
double probe_unit(double x);

#endif
