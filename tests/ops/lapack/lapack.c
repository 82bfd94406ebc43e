/* lapack.c - the copies and checks round LAPACK's calls, at sizes round those
 * of tiles and vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "base/size.h"
#include "ops/lapack/stack.h"
#include "tests/ops/lapack/lapack.h"
#include "tests/ops/op.h"

enum { GAP = 3, UNTOUCHED = 0x5a };

static const size_t sizes[] = { 0, 1, 2, 15, 16, 17, 31, 33, 64, 100 };

/* Transposes an m x n matrix into an array with gaps, which must stay as they
 * are. */
static void transpose(size_t m, size_t n, size_t bytes)
{
	const size_t from_ld = n + GAP, to_ld = m + 1;
	unsigned char *from = calloc(m * from_ld + 1, bytes);
	unsigned char *to = malloc((n * to_ld + 1) * bytes), gap[16];

	ck_assert(from && to);
	for (size_t i = 0; i < m * from_ld * bytes; i++)
		from[i] = (unsigned char)(i * 2654435769u >> 13);
	memset(to, UNTOUCHED, n * to_ld * bytes);
	memset(gap, UNTOUCHED, sizeof gap);
	lapack_transpose(from, from_ld, m, n, bytes, to, to_ld);
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < m; i++)
			ck_assert_mem_eq(to + (j * to_ld + i) * bytes,
			    from + (i * from_ld + j) * bytes, bytes);
		ck_assert_mem_eq(to + (j * to_ld + m) * bytes, gap, bytes);
	}
	free(from);
	free(to);
}

/* Widens an m x n matrix, and narrows the result to the matrix again. */
static void convert(size_t m, size_t n)
{
	float *x = calloc(m * n + 1, sizeof *x), *z = malloc((m * n + 1) *
	                                                     sizeof *z);
	double *y = malloc((m * n + 1) * sizeof *y);

	ck_assert(x && y && z);
	for (size_t i = 0; i < m * n; i++)
		x[i] = (float)i / 3;
	lapack_transpose_widened(x, n, m, n, y, m);
	lapack_transpose_narrowed(y, m, n, m, z, n);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			ck_assert_double_eq(y[j * m + i], (double)x[i * n + j]);
			ck_assert_float_eq(z[i * n + j], x[i * n + j]);
		}
	free(x);
	free(y);
	free(z);
}

START_TEST(a_transpose_has_every_element_in_its_place)
{
	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t j = 0; j < COUNT(sizes); j++) {
			for (size_t bytes = 4; bytes <= 16; bytes *= 2)
				transpose(sizes[i], sizes[j], bytes);
			convert(sizes[i], sizes[j]);
		}
}
END_TEST

START_TEST(the_first_element_that_is_not_finite_is_found)
{
	enum { MOST = 70 };

	for (size_t n = 0; n < MOST; n++)
		for (size_t k = 0; k <= n; k++) {
			double d[MOST];
			float s[MOST];

			for (size_t i = 0; i < MOST; i++)
				d[i] = s[i] = -0x1.8p127f;
			d[k] = k % 2 ? -INFINITY : NAN;
			s[k] = k % 2 ? INFINITY : -NAN;
			ck_assert_uint_eq(lapack_find_nonfinite(FLOAT64, d, n),
			                  k);
			ck_assert_uint_eq(lapack_find_nonfinite(FLOAT32, s, n),
			                  k);
		}
}
END_TEST

/* As a driver may have left the thread that has loaded it. */
static void take_subnormal_numbers_for_0(void)
{
#ifdef __SSE__
	enum { DENORMALS_ARE_ZEROS = 0x40, FLUSH_TO_ZERO = 0x8000 };

	_mm_setcsr(_mm_getcsr() | DENORMALS_ARE_ZEROS | FLUSH_TO_ZERO);
#endif
}

START_TEST(subnormal_numbers_are_numbers_in_every_thread)
{
	static const double values[] = { 2e-309, 1e-309, 1e-309, 3e-309 };
	struct matrix a = matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)2);
	struct args r;

	take_subnormal_numbers_for_0();
	op_run("lu", &a, 1, &r, "dtype", "complex128", NULL);
	ck_assert_double_eq_tol(((double *)matrix_data(&r.out[0]))[4], 0.5,
	                        1e-12);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_lapack(void)
{
	TCase *c = tcase_create("lapack");

	tcase_add_test(c, a_transpose_has_every_element_in_its_place);
	tcase_add_test(c, the_first_element_that_is_not_finite_is_found);
	tcase_add_test(c, subnormal_numbers_are_numbers_in_every_thread);
	lapack_lahqr_tests(c);
	return c;
}
