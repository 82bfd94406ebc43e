/* complex_quick.c - complex systems that are so large that factors in complex64
 * are refined to solutions in complex128, and those that these factors do not
 * serve: ill-conditioned and singular ones, and others at the ends of float32's
 * range. A and X have few digits, so that B = A X is exact. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"
#include "tests/ops/lu/lu.h"

enum { N = 264, SIDES = 3 };

static const char *const structures[] = { "general", "symmetric", "spd" };
enum structure { GENERAL, SYMMETRIC, SPD };

/* Returns a multiple of 2^-29 in (-1, 1). float32 does not have so many
 * digits. */
static double digits_of(size_t i, size_t j)
{
	uint64_t x = (i * N + j + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	x ^= x >> 32;
	return (double)(x % (1u << 30)) * 0x1p-29 - 1;
}

/* The condition number is of the order of 10^4, and 10 if A is positive
 * definite. */
static number of_a(enum structure s, size_t i, size_t j)
{
	const number above = complex_of(digits_of(i, j), digits_of(j + N, i));

	if (s == GENERAL)
		return above;
	if (i == j)
		return creal(above) + (s == SPD ? 32 : 0);
	return i < j ? above :
	       conj(complex_of(digits_of(j, i), digits_of(i + N, j)));
}

static number of_x(size_t i, size_t q)
{
	return complex_of((double)((5 * i + 3 * q) % 15) - 7,
	                  (double)((3 * i + q) % 13) - 6);
}

/* Sets B = A X or A^T X. */
static void set_sides(const struct matrix *a, bool turned, struct matrix *b)
{
	for (size_t i = 0; i < N; i++)
		for (size_t q = 0; q < SIDES; q++) {
			number sum = 0;

			for (size_t j = 0; j < N; j++)
				sum += of_x(j, q) *
				       (turned ? complex_element(a, j, i) :
				                 complex_element(a, i, j));
			complex_set(b, i * SIDES + q, sum);
		}
}

/* Asserts that no column's largest error, relative to its largest element, is
 * above the bound. Column q has been multiplied by 2^power[q]. */
static void ck_bound(const struct args *r, const int *power)
{
	for (size_t q = 0; q < SIDES; q++) {
		double error = 0, most = 0;

		for (size_t i = 0; i < N; i++) {
			const number x = complex_element(&r->out[0], i, q);
			const double back = ldexp(1, power ? -power[q] : 0);

			error = fmax(error, cabs(back * x - of_x(i, q)));
			most = fmax(most, cabs(of_x(i, q)));
		}
		ck_assert_double_le(error / most, r->verdict.forward_error);
	}
}

/* Returns the largest |b - op(A) x| / (|op(A)| |x| + |b|) of an element. */
static double backward_error(const struct matrix *in, bool turned,
                             const struct matrix *x)
{
	double worst = 0;

	for (size_t i = 0; i < N * SIDES; i++) {
		const number b = complex_at(&in[1], i);
		long double re = creal(b), im = cimag(b), size = cabs(b);

		for (size_t j = 0; j < N; j++) {
			const number u = turned ?
			    complex_element(&in[0], j, i / SIDES) :
			    complex_element(&in[0], i / SIDES, j);
			const number v = complex_element(x, j, i % SIDES);

			re -= (long double)creal(u) * creal(v) -
			      (long double)cimag(u) * cimag(v);
			im -= (long double)creal(u) * cimag(v) +
			      (long double)cimag(u) * creal(v);
			size += cabs(u) * cabs(v);
		}
		worst = fmax(worst, (double)(hypotl(re, im) / size));
	}
	return worst;
}

START_TEST(factors_in_complex64_leave_a_few_roundings_of_complex128)
{
	const enum structure s = (enum structure)(_i / 2);
	const bool turned = _i % 2;
	struct matrix in[2] = { random_complex(COMPLEX128, 1, N, N),
	                        random_complex(COMPLEX128, 2, N, SIDES) };
	struct args r;

	for (size_t i = 0; i < N * N; i++)
		complex_set(&in[0], i, of_a(s, i / N, i % N));
	set_sides(&in[0], turned, &in[1]);
	op_run("solve", in, 2, &r, "structure", structures[s], "transpose_a",
	       turned ? "true" : "false", NULL);
	ck_ratios(&r);
	ck_bound(&r, NULL);
	ck_assert_double_le(r.verdict.forward_error, 1e-8);
	ck_assert_double_le(backward_error(in, turned, &r.out[0]),
	                    3 * DBL_EPSILON);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* How element (i, j) of a matrix that factors in complex64 do not serve differs
 * from of_a(). */
static number equal_rows(number a, size_t i, size_t j)
{
	const number same = of_a(GENERAL, N / 2, j);

	return i == N / 3 ? same + (i == j) * 0x1p-20 : a;
}

/* Element (i, j) of a triangle T that is nearly 1 on the diagonal and -1 above
 * it, in multiples of 2^-10. */
static number of_triangle(size_t i, size_t j)
{
	const number more = complex_of(rint(16 * digits_of(i, j)),
	                               rint(16 * digits_of(j, i)));

	return i > j ? 0 : (i == j ? 1 : -1) + 0x1p-10 * more;
}

/* T^H T, all of whose pivots are near 1, though the inverse has elements near
 * 2^(2 SMALL), and the unit matrix. */
static number hidden(number a, size_t i, size_t j)
{
	enum { SMALL = 17 };
	number sum = i == j;

	(void)a;
	if (i >= SMALL || j >= SMALL)
		return sum;
	sum = 0;
	for (size_t k = 0; k < SMALL; k++)
		sum += conj(of_triangle(k, i)) * of_triangle(k, j);
	return sum;
}

static number rows_apart(number a, size_t i, size_t j)
{
	(void)j;
	return ldexp(1, -(int)(i % 160)) * a;
}

static number columns_apart(number a, size_t i, size_t j)
{
	(void)i;
	return ldexp(1, (int)(j % 160) - 100) * a;
}

static number large(number a, size_t i, size_t j)
{
	(void)i, (void)j;
	return 0x1p600 * a;
}

static number small(number a, size_t i, size_t j)
{
	(void)i, (void)j;
	return 0x1p-600 * a;
}

static const struct hard {
	number (*change)(number a, size_t i, size_t j);
	double rcond;			/* at most */
} hard[] = {
	{ equal_rows, 1e-7 }, { hidden, 1e-6 }, { rows_apart, 1e-30 },
	{ columns_apart, 1e-30 }, { large, 1 }, { small, 1 },
};

START_TEST(systems_that_complex64_does_not_serve_are_solved)
{
	const struct hard *const h = &hard[_i / 2];
	const bool turned = _i % 2;
	struct matrix in[2] = { random_complex(COMPLEX128, 1, N, N),
	                        random_complex(COMPLEX128, 2, N, SIDES) };
	struct args r;

	for (size_t i = 0; i < N * N; i++)
		complex_set(&in[0], i, h->change(of_a(GENERAL, i / N, i % N),
		                                 i / N, i % N));
	set_sides(&in[0], turned, &in[1]);
	op_run("solve", in, 2, &r, "transpose_a", turned ? "true" : "false",
	       NULL);
	ck_ratios(&r);
	ck_assert_double_le(r.verdict.rcond, h->rcond);
	ck_assert_double_le(backward_error(in, turned, &r.out[0]),
	                    3 * DBL_EPSILON);
	if (r.verdict.forward_error < 1)
		ck_bound(&r, NULL);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(right_hand_sides_beyond_float32_are_solved_for)
{
	static const int power[SIDES] = { 900, 0, -900 };
	struct matrix in[2] = { random_complex(COMPLEX128, 1, N, N),
	                        random_complex(COMPLEX128, 2, N, SIDES) };
	struct args r;

	for (size_t i = 0; i < N * N; i++)
		complex_set(&in[0], i, of_a(GENERAL, i / N, i % N));
	set_sides(&in[0], false, &in[1]);
	for (size_t i = 0; i < N * SIDES; i++)
		complex_set(&in[1], i, ldexp(1, power[i % SIDES]) *
		                       complex_at(&in[1], i));
	op_run("solve", in, 2, &r, NULL);
	ck_ratios(&r);
	ck_assert_double_le(r.verdict.forward_error, 1e-8);
	ck_bound(&r, power);
	args_fini(&r);
	for (size_t i = 0; i < N * SIDES; i++)
		complex_set(&in[1], i, 0);
	op_run("solve", in, 2, &r, NULL);
	for (size_t i = 0; i < N * SIDES; i++)
		ck_assert(complex_at(&r.out[0], i) == 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* The unit matrix with two other elements. All of its leading minors but the
 * first are 1 - x x. */
static struct matrix with_corner(double x)
{
	struct matrix a = random_complex(COMPLEX128, 1, N, N);

	for (size_t i = 0; i < N * N; i++)
		complex_set(&a, i, i / N == i % N);
	complex_set(&a, N, complex_of(0, -x));
	complex_set(&a, 1, complex_of(0, x));
	return a;
}

/* Nor are matrices positive definite or singular in complex128 because they are
 * in complex64. */
START_TEST(complex64_does_not_decide_what_a_matrix_is)
{
	struct matrix in[2] = { with_corner(1 - 0x1p-40),
	                        random_complex(COMPLEX128, 2, N, 1) };
	struct args r;
	struct err e = { 0 }, other = { 0 };

	for (int k = 0; k < 2; k++) {
		op_run("solve", in, 2, &r, "structure", k ? "spd" : "general",
		       NULL);
		ck_ratios(&r);
		ck_assert_double_eq_tol(r.verdict.rcond, 0x1p-41, 0x1p-44);
		args_fini(&r);
	}
	matrix_fini(&in[0]);
	in[0] = with_corner(1 + 0x1p-40);
	ck_refused(op_try("solve", in, 2, &r, &e, "structure", "spd", NULL),
	           &e, ERR_NOT_POSITIVE);
	for (size_t i = 0; i < N; i++)
		complex_set(&in[0], i * N + N / 2, 0);
	ck_refused(op_try("solve", in, 2, &r, &other, NULL), &other,
	           ERR_SINGULAR);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_complex_quick_tests(TCase *t)
{
	tcase_add_loop_test(t,
	    factors_in_complex64_leave_a_few_roundings_of_complex128, 0, 6);
	tcase_add_loop_test(t, systems_that_complex64_does_not_serve_are_solved,
	                    0, 2 * (int)(sizeof hard / sizeof *hard));
	tcase_add_test(t, right_hand_sides_beyond_float32_are_solved_for);
	tcase_add_test(t, complex64_does_not_decide_what_a_matrix_is);
}
