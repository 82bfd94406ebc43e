/* steps.c - the single kernels of the article on similarity, in every version,
 * against their formulas. */
#include <math.h>

#include "ops/eigen/seed.h"
#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* The sizes lie around the edges of sub-groups and work-groups. */
static const size_t sizes[] = { 1, 2, 3, 5, 10, 15, 16, 17, 31, 32, 33, 50,
	64, 65, 100, 255, 256, 257 };

/* Makes a matrix of positive numbers, which depend on the seed alone. */
static struct matrix positive(enum dtype t, unsigned seed, size_t n, int ndim)
{
	struct matrix m = random_matrix(t, seed, ndim, n, n);

	for (size_t i = 0; i < matrix_elements(&m); i++)
		matrix_set(&m, i, 1.125 + matrix_get(&m, i));
	return m;
}

static struct seq *begin(enum dtype t, struct err *e)
{
	struct seq *s = seq_new(test_device, t, TIMING_FULL, e);

	ck_assert_ptr_nonnull(s);
	return s;
}

static void end(struct seq *s, const struct err *e)
{
	ck_ok(seq_finish(s), e);
	seq_free(s);
}

/* Makes a buffer of m, which a kernel reads and overwrites, with the elements
 * of `before`. */
static struct buf in_place(struct seq *s, const struct matrix *before,
                           const struct matrix *m)
{
	struct buf b = seq_output(s, m);

	seq_copy(s, seq_input(s, before), 0, b, 0, matrix_size(m));
	return b;
}

static void check_row_sums(enum dtype t, int version, size_t n)
{
	struct matrix a = random_matrix(t, (unsigned)n, 2, n, n);
	struct matrix sums = random_matrix(t, 1, 1, n);
	struct err e = { 0 };
	struct seq *s = begin(t, &e);

	seed_row_sums(s, version, seq_input(s, &a), seq_output(s, &sums), n);
	end(s, &e);
	for (size_t i = 0; i < n; i++) {
		double sum = 0, size = 0;

		for (size_t j = 0; j < n; j++) {
			sum += matrix_get(&a, i * n + j);
			size += fabs(matrix_get(&a, i * n + j));
		}
		ck_assert_msg(fabs(matrix_get(&sums, i) - sum) <=
		              (double)n * dtype_epsilon(t) * size,
		              "v%d, n = %zu: row %zu is %.17g, not %.17g",
		              version, n, i, matrix_get(&sums, i), sum);
	}
	matrix_fini(&a);
	matrix_fini(&sums);
}

START_TEST(row_sums_are_right_in_every_version)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (int version = 0; version < SEED_ROW_SUMS; version++)
			for (size_t i = 0; i < COUNT(sizes); i++)
				check_row_sums(reals[t], version, sizes[i]);
}
END_TEST

/* All elements are negative; the largest is at index `at`. */
static void check_max(enum dtype t, int version, size_t n, size_t at)
{
	struct matrix x = positive(t, (unsigned)n, n, 1);
	struct matrix max = random_matrix(t, 1, 1, (size_t)1);
	struct err e = { 0 };
	struct seq *s = begin(t, &e);

	for (size_t i = 0; i < n; i++)
		matrix_set(&x, i, -matrix_get(&x, i));
	matrix_set(&x, at, -0.0625);
	seed_max(s, version, seq_input(s, &x), seq_output(s, &max), n);
	end(s, &e);
	ck_assert_msg(matrix_get(&max, 0) == -0.0625, "v%d, n = %zu, at %zu: "
	              "%.17g", version, n, at, matrix_get(&max, 0));
	matrix_fini(&x);
	matrix_fini(&max);
}

START_TEST(the_maximum_of_negative_numbers_is_negative)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (int version = 0; version < SEED_MAX; version++)
			for (size_t i = 0; i < COUNT(sizes); i++) {
				const size_t n = sizes[i];

				check_max(reals[t], version, n, 0);
				check_max(reals[t], version, n, n / 2);
				check_max(reals[t], version, n, n - 1);
			}
}
END_TEST

static void check_near(double got, double wanted, double bound,
                       const char *what, size_t i)
{
	ck_assert_msg(fabs(got - wanted) <= bound * fabs(wanted),
	              "%s %zu is %.17g, not %.17g", what, i, got, wanted);
}

static void check_update(enum dtype t, int version, size_t n)
{
	struct matrix before = positive(t, 1, n, 1), v = positive(t, 4, n, 1);
	struct matrix sums = positive(t, 2, n, 1);
	struct matrix max = positive(t, 3, 1, 1);
	struct err e = { 0 };
	struct seq *s = begin(t, &e);

	seed_update(s, version, in_place(s, &before, &v),
	            seq_input(s, &sums), seq_input(s, &max), n);
	end(s, &e);
	for (size_t i = 0; i < n; i++)
		check_near(matrix_get(&v, i), matrix_get(&before, i) *
		           matrix_get(&sums, i) / matrix_get(&max, 0),
		           4 * dtype_epsilon(t), "element", i);
	matrix_fini(&before);
	matrix_fini(&v);
	matrix_fini(&sums);
	matrix_fini(&max);
}

START_TEST(the_vector_is_scaled_by_its_row_sums)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (int version = 0; version < SEED_UPDATE; version++)
			for (size_t i = 0; i < COUNT(sizes); i++)
				check_update(reals[t], version, sizes[i]);
}
END_TEST

static void check_next(enum dtype t, size_t n)
{
	struct matrix before = positive(t, 1, n, 2), a = positive(t, 4, n, 2);
	struct matrix sums = positive(t, 2, n, 1);
	struct err e = { 0 };
	struct seq *s = begin(t, &e);

	seed_next(s, in_place(s, &before, &a), seq_input(s, &sums), n);
	end(s, &e);
	for (size_t i = 0; i < n * n; i++)
		check_near(matrix_get(&a, i), matrix_get(&before, i) *
		           matrix_get(&sums, i % n) / matrix_get(&sums, i / n),
		           4 * dtype_epsilon(t), "element", i);
	matrix_fini(&before);
	matrix_fini(&a);
	matrix_fini(&sums);
}

START_TEST(the_next_matrix_is_similar_to_this_one)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			check_next(reals[t], sizes[i]);
}
END_TEST

static int stops(int version, const struct matrix *sums, double tol)
{
	struct matrix max = positive(sums->dtype, 1, 1, 1);
	struct err e = { 0 };
	struct seq *s = begin(sums->dtype, &e);
	struct buf stop = seq_scratch(s, sizeof(int32_t));
	int32_t yes = -1;

	matrix_set(&max, 0, 2);
	seed_stop(s, version, seq_input(s, sums), seq_input(s, &max), tol,
	          stop, matrix_elements(sums));
	seq_read(s, stop, 0, &yes, sizeof yes);
	end(s, &e);
	matrix_fini(&max);
	return yes;
}

/* All elements are equal but one. */
static void check_stop(enum dtype t, int version, size_t n)
{
	static const double off[] = { 0.75, 1.25, NAN };
	struct matrix sums = random_matrix(t, 1, 1, n);

	for (size_t i = 0; i < n; i++)
		matrix_set(&sums, i, 1);
	ck_assert_int_eq(stops(version, &sums, 0), 1);
	for (size_t at = 0; at < n; at += n < 60 || at % 16 > 13 ? 1 : 14)
		for (size_t k = 0; k < COUNT(off); k++) {
			const bool alone = n == 1 && !isnan(off[k]);

			matrix_set(&sums, at, off[k]);
			ck_assert_msg(stops(version, &sums, 0.124) == alone,
			              "%d, n = %zu, %g at %zu", version, n,
			              off[k], at);
			ck_assert_int_eq(stops(version, &sums, 0.126),
			                 !isnan(off[k]));
			matrix_set(&sums, at, 1);
		}
	matrix_fini(&sums);
}

START_TEST(the_rounds_stop_when_neighbours_agree)
{
	static const size_t n[] = { 1, 2, 3, 17, 33, 257 };

	for (size_t t = 0; t < COUNT(reals); t++)
		for (int version = 0; version < SEED_STOP; version++)
			for (size_t i = 0; i < COUNT(n); i++)
				check_stop(reals[t], version, n[i]);
}
END_TEST

/* Only the last element and the first differ by more than the tolerance. */
START_TEST(the_last_row_and_the_first_are_neighbours)
{
	const size_t n = 100;
	struct matrix ramp = random_matrix(FLOAT64, 1, 1, n);

	for (size_t i = 0; i < n; i++)
		matrix_set(&ramp, i, 1 + 1e-3 * (double)i);
	for (int version = 0; version < SEED_STOP; version++) {
		ck_assert_int_eq(stops(version, &ramp, 1e-3), 0);
		ck_assert_int_eq(stops(version, &ramp, 0.1), 1);
	}
	matrix_fini(&ramp);
}
END_TEST

void eigen_step_tests(TCase *c)
{
	tcase_add_test(c, row_sums_are_right_in_every_version);
	tcase_add_test(c, the_maximum_of_negative_numbers_is_negative);
	tcase_add_test(c, the_vector_is_scaled_by_its_row_sums);
	tcase_add_test(c, the_next_matrix_is_similar_to_this_one);
	tcase_add_test(c, the_rounds_stop_when_neighbours_agree);
	tcase_add_test(c, the_last_row_and_the_first_are_neighbours);
}
