/* complex.c - complex systems with many right-hand sides, whose solutions are
 * known: the bound of the forward error holds for every one of them. */
#include <complex.h>
#include <math.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"
#include "tests/ops/lu/lu.h"

enum { N = 24, SIDES = 70, EMPTY = 2 };	/* EMPTY: a column of zeros */

/* Small whole numbers, the diagonal larger. */
static number of_a(size_t i, size_t j)
{
	return complex_of((double)((i * 7 + j * 5) % 9) - 4 + (i == j) * 40,
	                  (double)((i * 3 + j * 11) % 7) - 3);
}

/* Column q is multiplied by a power of two. */
static number of_x(size_t i, size_t q)
{
	const double scale = q == EMPTY ? 0 : ldexp(1, (int)(q % 41) - 20);

	return scale * complex_of((double)((i + 3 * q) % 17) - 8,
	                          (double)((5 * i + q) % 13) - 6);
}

/* B = A X or A^T X, exactly. */
static struct matrix sides_of(enum dtype t, bool turned)
{
	struct matrix b = random_complex(t, 1, N, SIDES);

	for (size_t i = 0; i < N; i++)
		for (size_t q = 0; q < SIDES; q++) {
			number sum = 0;

			for (size_t j = 0; j < N; j++)
				sum += (turned ? of_a(j, i) : of_a(i, j)) *
				       of_x(j, q);
			complex_set(&b, i * SIDES + q, sum);
		}
	return b;
}

/* The largest error of column q, relative to the largest element. */
static double error_of(const struct matrix *x, size_t q)
{
	double error = 0, most = 0;

	for (size_t i = 0; i < N; i++) {
		error = fmax(error, cabs(complex_element(x, i, q) -
		                         of_x(i, q)));
		most = fmax(most, cabs(of_x(i, q)));
	}
	return most > 0 ? error / most : error;
}

START_TEST(the_bound_holds_for_every_complex_right_hand_side)
{
	const enum dtype t = _i % 2 ? COMPLEX128 : COMPLEX64;
	const bool turned = _i / 2;
	struct matrix in[2] = { random_complex(t, 1, N, N),
	                        sides_of(t, turned) };
	struct args a;

	for (size_t i = 0; i < N * N; i++)
		complex_set(&in[0], i, of_a(i / N, i % N));
	op_run("solve", in, 2, &a, "transpose_a", turned ? "true" : "false",
	       NULL);
	ck_ratios(&a);
	ck_assert_double_gt(a.verdict.forward_error, 0);
	ck_assert_double_lt(a.verdict.forward_error,
	                    1000 * dtype_epsilon(t));
	for (size_t q = 0; q < SIDES; q++)
		ck_assert_double_le(error_of(&a.out[0], q),
		                    a.verdict.forward_error);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* A is (3 + i) 2^e I, and x has a few digits only, because it is subnormal. */
START_TEST(the_bound_holds_for_a_subnormal_x)
{
	static const char *const structures[] = { "general", "upper",
	                                          "lower" };
	const enum dtype t = _i % 2 ? COMPLEX128 : COMPLEX64;
	const int power = _i % 2 ? 500 : 50, digits = _i % 2 ? -1068 : -144;
	const number of_one = complex_of(3, 1);
	struct matrix in[2] = { random_complex(t, 1, N, N),
	                        random_complex(t, 2, N, 1) };
	double most = 0, error = 0;
	struct args a;

	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j < N; j++)
			complex_set(&in[0], i * N + j, i == j ?
			            ldexp(1, power) * of_one : 0);
		complex_set(&in[1], i, ldexp(1, power + digits) *
		            complex_element(&in[1], i, 0));
	}
	op_run("solve", in, 2, &a, "structure", structures[_i / 2], NULL);
	for (size_t i = 0; i < N; i++) {
		const number x = complex_element(&in[1], i, 0) *
		                 ldexp(1, -power - digits) / of_one;

		const number y = ldexp(1, -digits / 2) *
		                 (ldexp(1, -digits + digits / 2) *
		                  complex_element(&a.out[0], i, 0));

		most = fmax(most, cabs(y));
		error = fmax(error, cabs(y - x));
	}
	ck_assert_double_ge(error / most, 1e-4);
	/* The bound takes |re| + |im| for a modulus. */
	ck_assert_double_le(error / most, 1.5 * a.verdict.forward_error);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_complex_tests(TCase *t)
{
	tcase_add_loop_test(t,
	    the_bound_holds_for_every_complex_right_hand_side, 0, 4);
	tcase_add_loop_test(t, the_bound_holds_for_a_subnormal_x, 0, 6);
}
