/* dtype.h - the element types, one row each. A complex element is its real
 * part followed by its imaginary part. */
#ifndef MATRIX_DTYPE_H
#define MATRIX_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

/* type, name in JSON, npy's type code, bytes. FLOAT16 and BFLOAT16 are storage
 * alone: their arithmetic is float32. NumPy has no code for bfloat16; "<V2" is
 * what the package ml_dtypes writes. */
#define DTYPES(X)                               \
	X(FLOAT32,    "float32",    "<f4",  4)  \
	X(FLOAT64,    "float64",    "<f8",  8)  \
	X(INT32,      "int32",      "<i4",  4)  \
	X(INT64,      "int64",      "<i8",  8)  \
	X(BOOL,       "bool",       "|b1",  1)  \
	X(COMPLEX64,  "complex64",  "<c8",  8)  \
	X(COMPLEX128, "complex128", "<c16", 16) \
	X(FLOAT16,    "float16",    "<f2",  2)  \
	X(BFLOAT16,   "bfloat16",   "<V2",  2)

enum dtype {
#define X(type, name, npy, bytes) type,
	DTYPES(X)
#undef X
	DTYPE_COUNT
};

#define DTYPE_BIT(d) (1u << (d))
#define DTYPE_REALS (DTYPE_BIT(FLOAT32) | DTYPE_BIT(FLOAT64))
#define DTYPE_HALVES (DTYPE_BIT(FLOAT16) | DTYPE_BIT(BFLOAT16))
#define DTYPE_INTEGERS (DTYPE_BIT(INT32) | DTYPE_BIT(INT64))
#define DTYPE_COMPLEXES (DTYPE_BIT(COMPLEX64) | DTYPE_BIT(COMPLEX128))

size_t dtype_bytes(enum dtype d);
bool dtype_is_complex(enum dtype d);

/* The type of the parts of a complex type; a real type itself. The complex type
 * whose parts have the type `part`, which is FLOAT32 or FLOAT64. */
enum dtype dtype_part(enum dtype d);
enum dtype dtype_of_parts(enum dtype part);
const char *dtype_name(enum dtype d);
const char *dtype_npy(enum dtype d);

/* Returns whether d is float16 or bfloat16. */
static inline bool dtype_is_half(enum dtype d)
{
	return DTYPE_HALVES >> d & 1;
}

static inline bool dtype_is_integer(enum dtype d)
{
	return DTYPE_INTEGERS >> d & 1;
}

/* The machine epsilon, twice the unit roundoff: FLT_EPSILON for float32 and
 * complex64, DBL_EPSILON for float64 and complex128, 0 for other types. */
double dtype_epsilon(enum dtype d);

/* Sets *d to the type of that name in JSON; -1 if there is none. */
int dtype_find(const char *name, enum dtype *d);

#endif
