/* reflection.h - the reflections I - tau (1, v2, v3)^T (1, v2, v3) of the QR
 * algorithm. */
#ifndef OPS_LAPACK_REFLECTION_H
#define OPS_LAPACK_REFLECTION_H

#include <stddef.h>

struct reflection { double v2, v3, tau; };

/* Makes the reflection that maps (x1, x2, x3) to (beta, 0, 0), and returns
 * beta. */
double reflection_make(double x1, double x2, double x3, struct reflection *r);

/* Applies a reflection to three rows of `count` elements, which are ld elements
 * apart. reflection_rows_here() returns the function for this processor. */
typedef void reflection_rows(double *x, size_t ld, size_t count,
                             const struct reflection *r);
reflection_rows *reflection_rows_here(void);

/* Applies a reflection to three neighbouring columns of `count` rows, which are
 * ld elements apart. */
void reflection_columns(double *x, size_t ld, size_t count,
                        const struct reflection *r);

#endif
