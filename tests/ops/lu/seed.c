/* seed.c - the article's factorizations, which never pivot: right
 * where that can be, complete as LAPACK's where it cannot. */
#include <math.h>

#include "tests/ops/lu/lu.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static bool pivots(const struct variant *v)
{
	return strstr(v->origin, "without pivoting") == NULL;
}

static void each(bool pivoting, void (*fn)(const struct variant *v))
{
	for (const struct variant *v = op_find("lu")->variants; v->name; v++)
		if (pivots(v) == pivoting && v->dtypes & DTYPE_REALS &&
		    !v->streams &&
		    !variant_lacks(v, device_sheet(test_device)))
			fn(v);
}

void each_pivoting_variant(void (*fn)(const struct variant *v))
{
	each(true, fn);
}

/* Diagonally dominant by columns: nothing grows, pivoted or not. */
static struct matrix dominant(enum dtype t, size_t m, size_t n)
{
	struct matrix a = random_matrix(t, (unsigned)(m + 3 * n), 2, m, n);

	for (size_t i = 0; i < size_min(m, n); i++)
		matrix_set(&a, i * n + i, (double)m + 1);
	return a;
}

static void check_size(const struct variant *v, enum dtype t, size_t m,
                       size_t n)
{
	struct matrix x = dominant(t, m, n);
	struct args a;
	double ratio;

	op_run("lu", &x, 1, &a, "variant", v->name, NULL);
	ratio = factors_ratio(&x, &a.out[LU], &a.out[PIVOTS]);
	ck_assert_msg(ratio < THRESHOLD, "%s, %s, %zux%zu: ratio %g", v->name,
	              dtype_name(t), m, n, ratio);
	for (size_t i = 0; i < size_min(m, n); i++)
		ck_assert_double_eq(matrix_get(&a.out[PIVOTS], i), i);
	args_fini(&a);
	matrix_fini(&x);
}

static void every_size(const struct variant *v)
{
	static const size_t n[] = { 0, 1, 2, 3, 5, 10, 50, 63, 64, 65, 100 };

	for (size_t i = 0; i < COUNT(n); i++)
		for (size_t j = 0; j < COUNT(n); j++)
			check_size(v, reals[(i + j) % 2], n[i], n[j]);
}

START_TEST(dominant_matrices_of_every_size_need_no_pivots)
{
	each(false, every_size);
}
END_TEST

static void check_example(const struct variant *v)
{
	static const double x[] = { 2, 1, 1, 0, 4, 3, 3, 1, 8, 7, 9, 5, 6, 7,
		9, 8 };
	static const double lu[] = { 2, 1, 1, 0, 2, 1, 1, 1, 4, 3, 2, 2, 3,
		4, 1, 2 };
	struct matrix m = matrix_of(FLOAT32, x, 2, (size_t)4, (size_t)4);
	struct args a;

	op_run("lu", &m, 1, &a, "variant", v->name, "return", "lu,p,l,u,sign",
	       NULL);
	for (size_t i = 0; i < 16; i++) {
		const bool below = i / 4 > i % 4;

		ck_assert_double_eq(matrix_get(&a.out[LU], i), lu[i]);
		ck_assert_double_eq(matrix_get(&a.out[L], i),
		                    below ? lu[i] : i / 4 == i % 4);
		ck_assert_double_eq(matrix_get(&a.out[U], i),
		                    below ? 0 : lu[i]);
	}
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq(matrix_get(&a.out[P], i), i);
	ck_assert_double_eq(matrix_get(&a.out[SIGN], 0), 1);
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(an_example_of_whole_numbers_is_exact)
{
	each(false, check_example);
}
END_TEST

/* Nothing is left to eliminate below the zero. */
static void check_zero_pivot(const struct variant *v)
{
	static const double x[] = { 2, 4, 2, 1, 2, 3, 3, 6, 8 };
	static const double lu[] = { 2, 4, 2, 0.5, 0, 2, 1.5, 0, 5 };
	struct matrix m = matrix_of(FLOAT64, x, 2, (size_t)3, (size_t)3);
	struct args a;

	op_run("lu", &m, 1, &a, "variant", v->name, NULL);
	for (size_t i = 0; i < 9; i++)
		ck_assert_double_eq(matrix_get(&a.out[LU], i), lu[i]);
	ck_assert_double_eq(matrix_get(&a.out[SINGULAR], 0), 1);
	ck_assert_double_eq(matrix_get(&a.out[SIGN], 0), 0);
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(a_zero_pivot_completes_and_tells)
{
	each(false, check_zero_pivot);
}
END_TEST

START_TEST(auto_never_takes_what_cannot_pivot)
{
	int found = 0;

	for (const struct variant *v = op_find("lu")->variants; v->name; v++)
		if (!pivots(v)) {
			ck_assert_uint_eq(v->auto_for, 0);
			found++;
		}
	ck_assert_int_eq(found, 2);
}
END_TEST

void lu_add_seed_tests(TCase *t)
{
	tcase_add_test(t, dominant_matrices_of_every_size_need_no_pivots);
	tcase_add_test(t, an_example_of_whole_numbers_is_exact);
	tcase_add_test(t, a_zero_pivot_completes_and_tells);
	tcase_add_test(t, auto_never_takes_what_cannot_pivot);
	lu_add_zero_pivot_tests(t);
}
