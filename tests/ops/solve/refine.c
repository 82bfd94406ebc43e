/* refine.c - the reported error bounds hold, refinement continues while it
 * gains, and it is reported when it does not. */
#include <math.h>

#include "tests/ops/lu/lu.h"

enum { SMALL_N = 14, LARGE_N = 100 };

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const size_t one_side = 1;

/* --- matrices whose systems have known solutions: integers and powers of two,
 * so that A, X and B = A X are exact in both types */

enum family {
	RANDOM,		/* random digits */
	PASCAL,		/* ill-conditioned; the largest order is 12 */
	CLEMENT,	/* tridiagonal, graded eigenvectors */
	SCALED,		/* rows and columns scaled by powers of two */
	GRADED,		/* the columns' sizes fall */
	WILKINSON,	/* elements grow in elimination; not exact */
	FAMILIES
};

static size_t order_of(enum family f, size_t n)
{
	return f == PASCAL && n > 12 ? 12 : n;
}

static double power(enum family f, size_t i, int side)
{
	if (f == SCALED)
		return ldexp(1, (int)(i * 7 + 5 * side) % 31 - 15);
	return f == GRADED && side == 1 ? ldexp(1, -(int)(i % 20)) : 1;
}

static double clement(size_t i, size_t j, size_t n)
{
	if (j == i + 1)
		return (double)(n - 1 - i);
	return i == j + 1 ? (double)i : 0;
}

static double wilkinson(const struct matrix *random, size_t i, size_t j,
                        size_t n)
{
	if (i == j)
		return 1;
	return i > j || j == n - 1 ?
	       matrix_get(random, i * n + j) / 4 - 0.75 : 0;
}

static double element(enum family f, const struct matrix *digits, size_t i,
                      size_t j, size_t n)
{
	if (f == CLEMENT)
		return clement(i, j, n);
	if (f == WILKINSON)
		return wilkinson(digits, i, j, n);
	return rint(9 * matrix_get(digits, i * n + j)) * power(f, i, 0) *
	       power(f, j, 1);
}

static void fill_pascal(struct matrix *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(a, i * n + j, i == 0 || j == 0 ? 1 :
			           matrix_get(a, (i - 1) * n + j) +
			           matrix_get(a, i * n + j - 1));
}

static struct matrix family_matrix(enum family f, enum dtype t, size_t n)
{
	struct matrix a = random_matrix(t, 3, 2, n, n);

	for (size_t k = 0; k < n * n && f != PASCAL; k++)
		matrix_set(&a, k, element(f, &a, k / n, k % n, n));
	if (f == PASCAL)
		fill_pascal(&a, n);
	return a;
}

/* Element i of the solution for right-hand side s. */
static double solution(enum family f, size_t i, size_t s)
{
	return ((double)((i * 5 + s * 3) % 7) - 2) / power(f, i, 1);
}

static struct matrix family_sides(enum family f, const struct matrix *a,
                                  size_t sides)
{
	const size_t n = matrix_rows(a);
	struct matrix b = random_matrix(a->dtype, 1, 2, n, sides);

	for (size_t k = 0; k < n * sides; k++) {
		const size_t i = k / sides, s = k % sides;
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += matrix_get(a, i * n + j) * solution(f, j, s);
		matrix_set(&b, k, sum);
		ck_assert_double_eq(matrix_get(&b, k), sum);
	}
	return b;
}

/* max |x - wanted| / max |x|, the largest over the right-hand sides. */
static double error_of(enum family f, const struct matrix *x)
{
	const size_t sides = matrix_cols(x);
	double worst = 0;

	for (size_t s = 0; s < sides; s++) {
		double error = 0, size = 0;

		for (size_t i = 0; i < matrix_rows(x); i++) {
			const double v = matrix_get(x, i * sides + s);

			error = fmax(error, fabs(v - solution(f, i, s)));
			size = fmax(size, fabs(v));
		}
		worst = fmax(worst, error / size);
	}
	return worst;
}

/* --- errors */

/* The reported forward error bounds the true one, and is at most a small
 * multiple of n eps / rcond, as in LAPACK's theory. */
static void check_family(const struct variant *v, enum family f,
                         enum dtype t, size_t n, size_t sides)
{
	const struct matrix a = family_matrix(f, t, n);
	struct matrix in[] = { a, family_sides(f, &a, sides) };
	struct args x;
	double error;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	error = error_of(f, &x.out[0]);
	ck_assert_msg(error <= x.verdict.forward_error,
	              "%s, %s, family %d, n %zu: error %g, told %g", v->name,
	              dtype_name(t), f, n, error, x.verdict.forward_error);
	ck_assert(x.verdict.refinements >= 0 && x.verdict.refinements <= 10);
	if (isnan(x.verdict.stalled))
		ck_assert_double_le(x.verdict.forward_error,
		                    10 * (double)n * dtype_epsilon(t) /
		                    x.verdict.rcond);
	ck_assert_msg(x.verdict.residual < THRESHOLD ||
	              x.verdict.stalled == 1,
	              "%s, %s, family %d, n %zu: residual %g", v->name,
	              dtype_name(t), f, n, x.verdict.residual);
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void families(const struct variant *v)
{
	for (int f = 0; f < WILKINSON; f++)
		for (size_t t = 0; t < COUNT(reals); t++) {
			check_family(v, f, reals[t], order_of(f, SMALL_N), 1);
			check_family(v, f, reals[t], order_of(f, LARGE_N), 1);
			check_family(v, f, reals[t], order_of(f, LARGE_N), 19);
		}
}

START_TEST(the_forward_error_bounds_the_true_one)
{
	each_variant("solve", families);
}
END_TEST

static void check_refined(const struct variant *v, enum family f,
                          enum dtype t, size_t n, int least)
{
	const struct matrix a = family_matrix(f, t, n);
	struct matrix in[] = { a, f == WILKINSON ?
	                       random_matrix(t, 2, 2, n, one_side) :
	                       family_sides(f, &a, 1) };
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, "quality", "full",
	       NULL);
	ck_assert_double_lt(x.verdict.residual, THRESHOLD);
	ck_assert_double_ge(x.verdict.refinements, least);
	ck_assert(isnan(x.verdict.stalled));
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

/* The more the elements grow in elimination, the less a step gains. */
static void further_steps(const struct variant *v)
{
	check_refined(v, WILKINSON, FLOAT32, 50, 2);
	check_refined(v, WILKINSON, FLOAT64, 90, 2);
}

START_TEST(refinement_goes_on_while_it_gains)
{
	each_variant("solve", further_steps);
}
END_TEST

/* In float32 this matrix is singular up to rounding errors. A refinement step
 * that is kept although it does not help leaves a large residual. */
static void harmful_step(const struct variant *v)
{
	check_refined(v, CLEMENT, FLOAT32, LARGE_N, 0);
}

START_TEST(a_step_that_does_harm_is_undone)
{
	each_variant("solve", harmful_step);
}
END_TEST

/* Elements grow by about (1 + 3/4)^299, so that the factors belong to another
 * matrix. */
static void stalls(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = family_matrix(WILKINSON, reals[t], 300);
		struct matrix in[] = { a, random_matrix(reals[t], 2, 1,
		                                        (size_t)300) };
		struct args x;

		op_run("solve", in, 2, &x, "variant", v->name, NULL);
		ck_assert_double_eq(x.verdict.stalled, 1);
		ck_assert(!(x.verdict.residual <= THRESHOLD));
		ck_assert_double_le(x.verdict.refinements, 10);
		args_fini(&x);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(refinement_that_does_not_help_is_told_to_have_stalled)
{
	each_variant("solve", stalls);
}
END_TEST

void solve_add_refine_tests(TCase *t)
{
	tcase_add_test(t, the_forward_error_bounds_the_true_one);
	tcase_add_test(t, refinement_goes_on_while_it_gains);
	tcase_add_test(t, a_step_that_does_harm_is_undone);
	tcase_add_test(t,
	               refinement_that_does_not_help_is_told_to_have_stalled);
}
