/* special.c - matrices whose factors are known: zero pivots, ties,
 * permutations, growth, singular ones, NaN and subnormal numbers. */
#include <float.h>
#include <math.h>

#include "tests/ops/lu/lu.h"

static double value(const struct args *a, int output)
{
	return matrix_get(&a->out[output], 0);
}

static void zero_pivot(const struct variant *v)
{
	const double x[] = { 0, 1, 1, 0 };
	struct matrix m = matrix_of(FLOAT64, x, 2, (size_t)2, (size_t)2);
	struct args a;

	op_run("lu", &m, 1, &a, "variant", v->name, NULL);
	ck_assert_double_eq(matrix_get(&a.out[LU], 0), 1);
	ck_assert_double_eq(matrix_get(&a.out[LU], 3), 1);
	ck_assert_double_eq(matrix_get(&a.out[PIVOTS], 0), 1);
	ck_assert_double_eq(matrix_get(&a.out[PIVOTS], 1), 1);
	ck_assert_double_eq(value(&a, SINGULAR), 0);
	ck_assert_double_eq(value(&a, SIGN), -1);
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(a_zero_pivot_is_swapped_away)
{
	each_pivoting_variant(zero_pivot);
}
END_TEST

/* Row i has its 1 in column (7 i + 3) mod n, n and 7 coprime. */
static void permutations(const struct variant *v)
{
	for (size_t n = 5; n < 300; n += 97) {
		struct matrix m = random_matrix(FLOAT32, 1, 2, n, n);
		struct args a;

		for (size_t i = 0; i < n * n; i++)
			matrix_set(&m, i, i % n == (7 * (i / n) + 3) % n);
		op_run("lu", &m, 1, &a, "variant", v->name, "return",
		       "lu,p,l,u", NULL);
		for (size_t i = 0; i < n * n; i++) {
			ck_assert_double_eq(matrix_get(&a.out[L], i),
			                    i / n == i % n);
			ck_assert_double_eq(matrix_get(&a.out[U], i),
			                    i / n == i % n);
		}
		for (size_t i = 0; i < n; i++) {
			const size_t row = (size_t)matrix_get(&a.out[P], i);

			ck_assert_uint_eq((7 * row + 3) % n, i);
		}
		args_fini(&a);
		matrix_fini(&m);
	}
}

START_TEST(a_permutation_gives_itself)
{
	each_pivoting_variant(permutations);
}
END_TEST

static void ties(const struct variant *v)
{
	struct matrix m = random_matrix(FLOAT64, 1, 2, (size_t)40, (size_t)3);
	struct args a;

	for (size_t i = 0; i < 120; i++)
		matrix_set(&m, i, i % 3 == 0 ? (i / 3 < 7 ? 1 : -2) :
		           i % 3 == 1);
	op_run("lu", &m, 1, &a, "variant", v->name, NULL);
	ck_assert_double_eq(matrix_get(&a.out[PIVOTS], 0), 7);
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(the_first_of_equal_moduli_is_the_pivot)
{
	each_pivoting_variant(ties);
}
END_TEST

/* 1 on the diagonal and in the last column, -1 below: u_nn = 2^(n-1), the
 * most that partial pivoting allows (Wilkinson, 1961), without rounding. */
static void growth(const struct variant *v)
{
	const size_t n = 50;
	struct matrix m = random_matrix(FLOAT64, 1, 2, n, n);
	struct args a;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&m, i * n + j, i == j || j == n - 1 ? 1 :
			           j < i ? -1 : 0);
	op_run("lu", &m, 1, &a, "variant", v->name, NULL);
	for (size_t i = 0; i < n; i++) {
		ck_assert_double_eq(matrix_get(&a.out[LU], i * n + n - 1),
		                    ldexp(1, (int)i));
		ck_assert_double_eq(matrix_get(&a.out[PIVOTS], i), i);
	}
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(wilkinsons_matrix_grows_to_two_to_the_n)
{
	each_variant("lu", growth);
}
END_TEST

static void singular(const struct variant *v)
{
	static const size_t sizes[] = { 1, 2, 10, 50, 140, 200 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int k = 0; k < TYPE_COUNT; k++) {
			const size_t n = sizes[i];
			struct matrix m = type_matrix(k, FLOAT64, n, n, 3);
			int pivots[200];
			const int info = lapack_pivots(&m, pivots);
			struct args a;

			op_run("lu", &m, 1, &a, "variant", v->name, NULL);
			ck_assert_int_eq(value(&a, SINGULAR), info > 0);
			ck_assert_int_eq(type_is_singular(k), info > 0);
			ck_assert_int_eq(value(&a, SIGN) == 0, info > 0);
			for (int c = 0; c < info - 1; c++)
				ck_assert(matrix_get(&a.out[LU], c * n + c)
				          != 0);
			if (info > 0)
				ck_assert(matrix_get(&a.out[LU], (info - 1) *
				          (n + 1)) == 0);
			args_fini(&a);
			matrix_fini(&m);
		}
}

START_TEST(a_singular_matrix_completes_as_lapacks)
{
	each_pivoting_variant(singular);
}
END_TEST

/* The pivot is so small that its inverse overflows. */
static void subnormal(const struct variant *v)
{
	for (int t = FLOAT32; t <= FLOAT64; t++) {
		const double least = t == FLOAT32 ? FLT_TRUE_MIN :
		                     DBL_TRUE_MIN;
		const double x[] = { 4 * least, 1, 2 * least, 1 };
		struct matrix m = matrix_of(t, x, 2, (size_t)2,
		                            (size_t)2);
		struct args a;

		op_run("lu", &m, 1, &a, "variant", v->name, NULL);
		ck_assert_double_eq(matrix_get(&a.out[LU], 2), 0.5);
		ck_assert_double_eq(matrix_get(&a.out[LU], 3), 0.5);
		args_fini(&a);
		matrix_fini(&m);
	}
}

START_TEST(a_subnormal_pivot_divides_exactly)
{
	each_variant("lu", subnormal);
}
END_TEST

static void nonfinite(const struct variant *v)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	for (size_t n = 1; n < 300; n = 3 * n + 10)
		for (size_t k = 0; k < COUNT(bad); k++) {
			struct matrix m = random_matrix(FLOAT32, 1, 2, n, n);
			struct args a;
			size_t found = 0;

			matrix_set(&m, n / 2 * n + n / 2, bad[k]);
			op_run("lu", &m, 1, &a, "variant", v->name, NULL);
			for (size_t i = 0; i < n * n; i++)
				found += !isfinite(matrix_get(&a.out[LU], i));
			ck_assert_uint_gt(found, 0);
			for (size_t i = 0; i < n; i++)
				ck_assert_double_lt(matrix_get(&a.out[PIVOTS],
				                               i), n);
			args_fini(&a);
			matrix_fini(&m);
		}
}

START_TEST(nan_and_infinity_pass_through)
{
	each_variant("lu", nonfinite);
}
END_TEST

START_TEST(panels_are_spread_from_sm_80_on)
{
	static const char *const names[] = { "lu", "solve" };
	struct sheet s = { .type = DEVICE_GPU,
	                   .vendor = "NVIDIA Corporation" };

	for (size_t i = 0; i < COUNT(names); i++) {
		const struct variant *v = op_variant(op_find(names[i]),
		                                     "spread");

		s.nvidia_sm = 75;	/* has no redux.sync */
		ck_assert_str_eq(variant_lacks(v, &s), "needs NVIDIA's sm_80");
		s.nvidia_sm = 80;
		ck_assert_ptr_null(variant_lacks(v, &s));
	}
}
END_TEST

void lu_add_special_tests(TCase *t)
{
	tcase_add_test(t, a_zero_pivot_is_swapped_away);
	tcase_add_test(t, a_permutation_gives_itself);
	tcase_add_test(t, the_first_of_equal_moduli_is_the_pivot);
	tcase_add_test(t, wilkinsons_matrix_grows_to_two_to_the_n);
	tcase_add_test(t, a_singular_matrix_completes_as_lapacks);
	tcase_add_test(t, a_subnormal_pivot_divides_exactly);
	tcase_add_test(t, nan_and_infinity_pass_through);
	tcase_add_test(t, panels_are_spread_from_sm_80_on);
}
