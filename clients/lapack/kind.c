/* kind.c - see kind.h. */
#include <string.h>

#include "clients/lapack/kind.h"

const struct kind kind_s = { 's', false, 4, 4, "float32" };
const struct kind kind_d = { 'd', false, 8, 8, "float64" };
const struct kind kind_c = { 'c', true, 8, 4, "complex64" };
const struct kind kind_z = { 'z', true, 16, 8, "complex128" };

bool is_zero(const struct kind *k, const void *x)
{
	double d[2] = { 0 };
	float f[2] = { 0 };

	if (k->part == sizeof *d) {
		memcpy(d, x, k->size);
		return d[0] == 0 && d[1] == 0;
	}
	memcpy(f, x, k->size);
	return f[0] == 0 && f[1] == 0;
}

char option(const char *letter)
{
	const char c = *letter;

	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}
