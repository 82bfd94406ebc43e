/* sample.c - the matrix that lu and solve are warmed up and measured with. */
#include "ops/lu/factor.h"

/* The next number of Steele, Lea and Flood's SplitMix64 (2014). */
static uint64_t next(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

int lu_sample(struct matrix *m, enum dtype t, size_t n,
              struct memory_pool *pool, struct err *e)
{
	uint64_t state = n;

	*m = (struct matrix){ .dtype = t, .ndim = 2, .dim = { n, n } };
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, (double)(next(&state) >> 11) * 0x1p-52 - 1);
	return 0;
}
