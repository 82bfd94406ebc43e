/* octets.h - reads raw little-endian elements, row by row. The query gives
 * their shape, ?shape=3,4 or ?a.shape=3,4&b.shape=4,2, and their dtype. */
#ifndef FORMAT_OCTETS_H
#define FORMAT_OCTETS_H

#include "matrix/matrix.h"

/* Parses "3,4" into m's dimensions ("" is a scalar); ERR_PARAMETER names the
 * parameter. For the sink's layout(), which also sets m->dtype. */
int octet_shape(const char *name, const char *value, struct matrix *m,
                struct err *e);

#endif
