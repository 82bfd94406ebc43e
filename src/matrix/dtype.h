/* dtype.h - the element types, one row each. */
#ifndef MATRIX_DTYPE_H
#define MATRIX_DTYPE_H

#include <stddef.h>

/* type, name in JSON, npy's type code, bytes */
#define DTYPES(X)                           \
	X(FLOAT32, "float32", "<f4", 4)     \
	X(FLOAT64, "float64", "<f8", 8)     \
	X(INT32,   "int32",   "<i4", 4)     \
	X(INT64,   "int64",   "<i8", 8)     \
	X(BOOL,    "bool",    "|b1", 1)

enum dtype {
#define X(type, name, npy, bytes) type,
	DTYPES(X)
#undef X
	DTYPE_COUNT
};

#define DTYPE_BIT(d) (1u << (d))
#define DTYPE_REALS (DTYPE_BIT(FLOAT32) | DTYPE_BIT(FLOAT64))

size_t dtype_bytes(enum dtype d);
const char *dtype_name(enum dtype d);
const char *dtype_npy(enum dtype d);

/* The unit roundoff's double, DBL_EPSILON or FLT_EPSILON; 0 for others. */
double dtype_epsilon(enum dtype d);

/* -1 if there is no such name. */
int dtype_find(const char *name, enum dtype *d);

#endif
