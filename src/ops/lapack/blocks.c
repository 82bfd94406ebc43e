/* blocks.c - see blocks.h. */
#include <math.h>
#include <stdbool.h>

#include "ops/lapack/blocks.h"
#include "ops/lapack/escape.h"
#include "ops/lapack/exported.h"

/* A product of more multiplications than this is cut in two. It takes an eighth
 * of a second on a core that multiplies 8 * 10^9 times a second. */
#define LARGE 1e9

enum {
	WHOLE = 1024,			/* matrices of so many rows are not
					 * cut */
	LEAF = 96,			/* rows of a triangle that is not cut
					 * in factorizations */
	MANY = 512,			/* columns of a product */
	NARROW = 128			/* right-hand sides of a triangle that
					 * are not cut further */
};

static bool is_large(int m, int n, int k)
{
	return escape_here && (double)m * n * k > LARGE;
}

/* Half of n > LEAF, a multiple of a cache line's elements. */
static int half_of(int n)
{
	return (n / 2 + 31) / 32 * 32;
}

static bool is(const char *option, char what)
{
	return (*option | 32) == (what | 32);
}

#define LAPACK_BODY "ops/lapack/blocks_real.h"
#include "ops/lapack/each_type.h"
