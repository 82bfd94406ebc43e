/* complex.c - tests expm of complex matrices: compares it with expm of the real
 * matrices that stand for them, and tests triangular matrices and stacks. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "matrix/complex.h"
#include "ops/failure.h"
#include "tests/ops/complex.h"
#include "tests/ops/expm/expm.h"

static const enum dtype types[] = { COMPLEX64, COMPLEX128 };

/* Returns the real matrix [A -B; B A], which stands for A + i B. */
static struct matrix embedded(const struct matrix *m)
{
	const size_t n = matrix_rows(m);
	struct matrix x = random_matrix(FLOAT64, 1, 2, 2 * n, 2 * n);

	for (size_t i = 0; i < 2 * n; i++)
		for (size_t j = 0; j < 2 * n; j++) {
			const number z = complex_element(m, i % n, j % n);

			matrix_set(&x, i * 2 * n + j,
			           (i < n) == (j < n) ? creal(z) :
			           i < n ? -cimag(z) : cimag(z));
		}
	return x;
}

/* The norms are such that every degree of the approximant is used, and
 * squarings, too. */
START_TEST(complex_exponentials_are_those_of_real_matrices)
{
	static const double scales[] = { 1e-9, 0.01, 0.2, 0.9, 2, 20 };
	static const size_t sizes[] = { 1, 2, 5, 20 };

	for (size_t i = 0; i < 2 * COUNT(scales) * COUNT(sizes); i++) {
		const size_t n = sizes[i / 2 % COUNT(sizes)];
		const double scale = scales[i / 2 / COUNT(sizes)] / (double)n;
		struct matrix m = random_complex(types[i % 2], 1, n, n), x;
		double off = 0, most = 0;
		struct args r, want;

		for (size_t k = 0; k < n * n; k++)
			complex_set(&m, k, scale * complex_at(&m, k));
		x = embedded(&m);
		op_run("expm", &m, 1, &r, NULL);
		op_run("expm", &x, 1, &want, NULL);
		ck_assert_int_eq(r.out[0].dtype, types[i % 2]);
		for (size_t k = 0; k < n * n; k++) {
			const size_t at = k / n * 2 * n + k % n;
			const number z = complex_of(
			    matrix_get(&want.out[0], at),
			    matrix_get(&want.out[0], at + 2 * n * n));

			off = fmax(off, cabs(complex_at(&r.out[0], k) - z));
			most = fmax(most, cabs(z));
		}
		ck_assert_double_le(off, 30 * (double)n * most *
		                         dtype_epsilon(types[i % 2]) *
		                         (1 + scale * (double)n));
		args_fini(&r);
		args_fini(&want);
		matrix_fini(&m);
		matrix_fini(&x);
	}
}
END_TEST

/* The diagonal of e^[a 1; 0 d] is e^a and e^d. In the element beside it,
 * (e^a - e^d) / (a - d), digits cancel if a and d are near each other, or
 * differ by about 2 pi i. */
static void triangle(number a, number d, bool upper, number want)
{
	for (size_t t = 0; t < 2; t++) {
		const double eps = dtype_epsilon(types[t]);
		struct matrix m = random_complex(types[t], 1, 2, 2);
		struct args r;

		complex_set(&m, 0, a);
		complex_set(&m, 3, d);
		complex_set(&m, upper ? 1 : 2, 1);
		complex_set(&m, upper ? 2 : 1, 0);
		op_run("expm", &m, 1, &r, NULL);
		ck_assert(complex_at(&r.out[0], upper ? 2 : 1) == 0);
		ck_assert_double_le(cabs(complex_at(&r.out[0], 0) - cexp(a)),
		                    8 * eps * cabs(cexp(a)));
		ck_assert_double_le(cabs(complex_at(&r.out[0], 3) - cexp(d)),
		                    8 * eps * cabs(cexp(d)));
		ck_assert_double_le(cabs(complex_at(&r.out[0], upper ? 1 : 2) -
		                         want), 20 * eps * (1 + cabs(want)));
		args_fini(&r);
		matrix_fini(&m);
	}
}

START_TEST(complex_triangles_have_exact_diagonals)
{
	const number i = complex_of(0, 1), a = complex_of(0.5, 0.25);

	for (int upper = 0; upper < 2; upper++) {
		triangle(a, a, upper, cexp(a));
		triangle(2, i, upper, (cexp(2) - cexp(i)) / (2 - i));
		triangle(0, 8 * i, upper, (cexp(8 * i) - 1) / (8 * i));
	}
}
END_TEST

START_TEST(complex_diagonals_are_exponentiated_element_by_element)
{
	for (size_t t = 0; t < 2; t++) {
		struct matrix m = random_complex(types[t], 1, 3, 3);
		struct args r;

		for (size_t k = 0; k < 9; k++)
			complex_set(&m, k, k % 4 ? 0 :
			            complex_of(-1, (double)k));
		op_run("expm", &m, 1, &r, NULL);
		for (size_t k = 0; k < 9; k++)
			ck_assert_double_le(cabs(complex_at(&r.out[0], k) -
			    (k % 4 ? 0 : cexp(complex_of(-1, (double)k)))),
			    dtype_epsilon(types[t]));
		args_fini(&r);
		matrix_fini(&m);
	}
}
END_TEST

/* e^[0 i t; i / t 0] is [cos 1, i t sin 1; i sin 1 / t, cos 1]. */
START_TEST(complex_matrices_are_balanced_where_their_norm_is_large)
{
	static const int powers[] = { 20, 40, 100, 400 };

	for (size_t k = 0; k < 2 * COUNT(powers) - 1; k++) {
		const enum dtype t = types[k % 2 == 0];
		const int power = powers[k / 2];
		struct matrix m = random_complex(t, 1, 2, 2);
		struct args r;

		complex_set(&m, 0, 0);
		complex_set(&m, 1, complex_of(0, ldexp(1, power)));
		complex_set(&m, 2, complex_of(0, ldexp(1, -power)));
		complex_set(&m, 3, 0);
		op_run("expm", &m, 1, &r, NULL);
		for (size_t i = 0; i < 4; i++)
			ck_assert_double_le(cabs(complex_at(&r.out[0], i) *
			    ldexp(1, i == 1 ? -power : i == 2 ? power : 0) -
			    (i % 3 ? complex_of(0, sin(1)) : cos(1))),
			    8 * dtype_epsilon(t));
		args_fini(&r);
		matrix_fini(&m);
	}
}
END_TEST

/* The second of three matrices has a NaN; the others are equal. */
START_TEST(a_bad_complex_matrix_of_a_stack_fails_alone)
{
	struct matrix one = random_complex(COMPLEX128, 3, 4, 4);
	struct matrix m = { .dtype = COMPLEX128, .ndim = 3,
	                    .dim = { 3, 4, 4 } };
	struct err e = { 0 };
	struct args r, alone;

	ck_assert_int_eq(matrix_alloc(&m, test_pool, &e), 0);
	for (size_t k = 0; k < 48; k++)
		complex_set(&m, k, k == 20 ? complex_of(0, NAN) :
		                             complex_at(&one, k % 16));
	op_run("expm", &m, 1, &r, NULL);
	op_run("expm", &one, 1, &alone, NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert(args_has_failed(&r, 1));
	for (size_t k = 0; k < 32; k++)
		ck_assert(complex_at(&r.out[0], k < 16 ? k : k + 16) ==
		          complex_at(&alone.out[0], k % 16));
	args_fini(&r);
	args_fini(&alone);
	matrix_fini(&one);
	matrix_fini(&m);
}
END_TEST

void expm_complex_tests(TCase *c)
{
	tcase_add_test(c, complex_exponentials_are_those_of_real_matrices);
	tcase_add_test(c, complex_triangles_have_exact_diagonals);
	tcase_add_test(c,
	    complex_diagonals_are_exponentiated_element_by_element);
	tcase_add_test(c,
	    complex_matrices_are_balanced_where_their_norm_is_large);
	tcase_add_test(c, a_bad_complex_matrix_of_a_stack_fails_alone);
}
