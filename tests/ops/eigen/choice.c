/* choice.c - tests which eigenvalues are chosen, in which order, and that
 * conjugate pairs stay whole. */
#include <math.h>

#include "ops/eigen/many.h"
#include "tests/ops/eigen/eigen.h"

/* The eigenvalues are 3, 1 +- 4i, -5, 0.5 +- 0.25i and -2. */
static const double re[] = { 3, 1, 1, -5, 0.5, 0.5, -2 };
static const double im[] = { 0, 4, -4, 0, 0.25, -0.25, 0 };

enum { N = COUNT(re) };

/* Asserts that the digits of `wanted` are the indices of the chosen
 * eigenvalues. */
static void choose(const struct eigen_choice *c, const double *imaginary,
                   const char *wanted)
{
	char got[N + 1] = "";
	size_t order[N];
	const int count = eigen_choose(c, re, imaginary, N, order);

	for (int i = 0; i < count; i++)
		got[i] = (char)('0' + order[i]);
	ck_assert_str_eq(got, wanted);
}

static void chosen(enum eigen_which which, size_t k, const double *imaginary,
                   const char *wanted)
{
	choose(&(struct eigen_choice){ which, k, .sigma = -1 }, imaginary,
	       wanted);
}

/* Does the same for the eigenvalues with a real part in (low, high]. */
static void within(double low, double high, const double *imaginary,
                   const char *wanted)
{
	choose(&(struct eigen_choice){ EIGEN_INTERVAL, N, .low = low,
	                               .high = high }, imaginary, wanted);
}

START_TEST(eigenvalues_of_general_matrices_descend_by_modulus)
{
	chosen(EIGEN_ALL, N, im, "3120645");
	chosen(EIGEN_LARGEST, 1, im, "3");
	chosen(EIGEN_LARGEST, 4, im, "3120");
	chosen(EIGEN_SMALLEST, 3, im, "645");
	chosen(EIGEN_LARGEST_REAL, 3, im, "120");
	chosen(EIGEN_SMALLEST_REAL, 2, im, "36");
	chosen(EIGEN_NEAREST, 1, im, "6");
	chosen(EIGEN_NEAREST, 3, im, "645");
}
END_TEST

START_TEST(conjugate_pairs_are_kept_whole)
{
	chosen(EIGEN_LARGEST, 2, im, "312");
	chosen(EIGEN_LARGEST, 3, im, "312");
	chosen(EIGEN_SMALLEST, 1, im, "45");
	chosen(EIGEN_NEAREST, 2, im, "645");
}
END_TEST

START_TEST(eigenvalues_of_symmetric_matrices_ascend)
{
	chosen(EIGEN_ALL, N, NULL, "3645120");
	chosen(EIGEN_LARGEST, 3, NULL, "360");
	chosen(EIGEN_SMALLEST, 2, NULL, "45");
	chosen(EIGEN_LARGEST_REAL, 1, NULL, "0");
	chosen(EIGEN_SMALLEST_REAL, 2, NULL, "36");
	chosen(EIGEN_NEAREST, 2, NULL, "64");
}
END_TEST

START_TEST(an_interval_has_its_upper_bound_and_not_its_lower_one)
{
	within(-5, 1, im, "12645");
	within(-5, 1, NULL, "64512");
	within(-INFINITY, -2, im, "36");
	within(0.5, 1, NULL, "12");
	within(3, INFINITY, im, "");
}
END_TEST

START_TEST(the_order_in_which_they_are_found_can_be_kept)
{
	choose(&(struct eigen_choice){ EIGEN_ALL, N, .found = true }, im,
	       "0123456");
	choose(&(struct eigen_choice){ EIGEN_SMALLEST, 3, .found = true }, im,
	       "456");
	choose(&(struct eigen_choice){ EIGEN_ALL, N, .found = true }, NULL,
	       "3645120");
}
END_TEST

/* A block diagonal matrix may have equal conjugate pairs. */
START_TEST(equal_pairs_do_not_mix)
{
	static const double x[] = { 1, 1, 1, 1 }, y[] = { 2, -2, 2, -2 };
	const struct eigen_choice c = { .which = EIGEN_ALL, .k = 4 };
	size_t order[4];

	ck_assert_int_eq(eigen_choose(&c, x, y, 4, order), 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(order[i], i);
}
END_TEST

void eigen_choice_tests(TCase *c)
{
	tcase_add_test(c, eigenvalues_of_general_matrices_descend_by_modulus);
	tcase_add_test(c, conjugate_pairs_are_kept_whole);
	tcase_add_test(c, eigenvalues_of_symmetric_matrices_ascend);
	tcase_add_test(c,
	    an_interval_has_its_upper_bound_and_not_its_lower_one);
	tcase_add_test(c, the_order_in_which_they_are_found_can_be_kept);
	tcase_add_test(c, equal_pairs_do_not_mix);
}
