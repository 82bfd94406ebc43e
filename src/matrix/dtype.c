/* dtype.c - see dtype.h. */
#include <float.h>
#include <string.h>

#include "base/size.h"
#include "matrix/dtype.h"

static const struct {
	const char *name, *npy;
	size_t bytes;
} table[] = {
#define X(type, name, npy, bytes) [type] = { name, npy, bytes },
	DTYPES(X)
#undef X
};

size_t dtype_bytes(enum dtype d)
{
	return table[d].bytes;
}

bool dtype_is_complex(enum dtype d)
{
	return d == COMPLEX64 || d == COMPLEX128;
}

enum dtype dtype_part(enum dtype d)
{
	return d == COMPLEX64 ? FLOAT32 : d == COMPLEX128 ? FLOAT64 : d;
}

enum dtype dtype_of_parts(enum dtype part)
{
	return part == FLOAT32 ? COMPLEX64 : COMPLEX128;
}

const char *dtype_name(enum dtype d)
{
	return table[d].name;
}

const char *dtype_npy(enum dtype d)
{
	return table[d].npy;
}

double dtype_epsilon(enum dtype d)
{
	const enum dtype part = dtype_part(d);

	return part == FLOAT32 ? FLT_EPSILON :
	       part == FLOAT64 ? DBL_EPSILON : 0;
}

int dtype_find(const char *name, enum dtype *d)
{
	for (size_t i = 0; i < COUNT(table); i++)
		if (strcmp(table[i].name, name) == 0) {
			*d = (enum dtype)i;
			return 0;
		}
	return -1;
}
