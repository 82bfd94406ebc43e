/* matrix_row.h - the row of a stored matrix in GET /matrices. */
#ifndef HTTP_MATRIX_ROW_H
#define HTTP_MATRIX_ROW_H

#include <jansson.h>

#include "matrix/store.h"

/* Its elements are not used. */
json_t *matrix_row(const struct stored *s);

#endif
