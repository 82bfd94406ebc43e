/* values.c - zeros, infinities, NaN and whole numbers give the products that
 * IEEE arithmetic demands, on every path. */
#include <math.h>

#include "tests/ops/matmul/matmul.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* The sizes lead to the fused, the packed and the vector kernels. */
static const size_t paths[][3] = {
	{ 7, 9, 21 }, { 70, 50, 300 }, { 420, 390, 370 }, { 300, 1, 200 },
	{ 1, 300, 200 },
};

/* On every path, makes random operands, changes them by a function, and judges
 * their product by another. */
static void try_paths(const struct variant *v,
                      void (*change)(struct matrix in[2]),
                      void (*judge)(const struct factors *f,
                                    const struct matrix *c))
{
	for (size_t z = 0; z < COUNT(paths) * 2; z++) {
		size_t m = paths[z / 2][0], n = paths[z / 2][1];
		size_t k = paths[z / 2][2];
		struct matrix in[2] = {
			random_matrix(reals[z & 1], 5, 2, m, k),
			random_matrix(reals[z & 1], 6, 2, k, n),
		};
		struct factors f = { &in[0], &in[1], m, n, k, 0, 0, 0, false,
		                     false };
		struct args a;

		change(in);
		op_run("matmul", in, 2, &a, "variant", v->name, NULL);
		judge(&f, &a.out[0]);
		args_fini(&a);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

static void clear_first_row(struct matrix in[2])
{
	for (size_t p = 0; p < in[0].dim[1]; p++)
		matrix_set(&in[0], p, 0);
}

static void first_row_is_zero(const struct factors *f, const struct matrix *c)
{
	for (size_t j = 0; j < f->n; j++)
		ck_assert(matrix_get(c, j) == 0);
}

static void try_zero_row(const struct variant *v)
{
	try_paths(v, clear_first_row, first_row_is_zero);
}

START_TEST(a_zero_row_gives_exact_zeros)
{
	each_variant("matmul", try_zero_row);
}
END_TEST

/* A zero row meets an infinity in the corner of B. */
static void put_infinity(struct matrix in[2])
{
	clear_first_row(in);
	matrix_set(&in[1], matrix_elements(&in[1]) - 1, INFINITY);
}

static void last_column_alone_is_infinite(const struct factors *f,
                                          const struct matrix *c)
{
	for (size_t i = 0; i < f->m * f->n; i++) {
		double x = matrix_get(c, i);

		if (i % f->n < f->n - 1)
			ck_assert(isfinite(x));
		else
			ck_assert(i < f->n ? isnan(x) : isinf(x));
	}
}

static void try_infinity(const struct variant *v)
{
	try_paths(v, put_infinity, last_column_alone_is_infinite);
}

START_TEST(zero_times_infinity_is_nan_and_stays_in_its_place)
{
	each_variant("matmul", try_infinity);
}
END_TEST

static void put_nan(struct matrix in[2])
{
	matrix_set(&in[0], matrix_elements(&in[0]) - 1, NAN);
}

static void last_row_alone_is_nan(const struct factors *f,
                                  const struct matrix *c)
{
	for (size_t i = 0; i < f->m * f->n; i++)
		ck_assert(isnan(matrix_get(c, i)) == (i / f->n == f->m - 1));
}

static void try_nan(const struct variant *v)
{
	try_paths(v, put_nan, last_row_alone_is_nan);
}

START_TEST(nan_spoils_its_own_row_alone)
{
	each_variant("matmul", try_nan);
}
END_TEST

static void round_all(struct matrix in[2])
{
	for (int x = 0; x < 2; x++)
		for (size_t i = 0; i < matrix_elements(&in[x]); i++)
			matrix_set(&in[x], i, rint(9 * matrix_get(&in[x], i)));
}

static void product_is_exact(const struct factors *f, const struct matrix *c)
{
	check_within(f, c, 0);
}

static void try_whole_numbers(const struct variant *v)
{
	try_paths(v, round_all, product_is_exact);
}

START_TEST(products_of_whole_numbers_are_exact)
{
	each_variant("matmul", try_whole_numbers);
}
END_TEST

static void try_no_depth(const struct variant *v)
{
	const size_t m = 5, n = 3, none = 0;
	struct matrix in[2] = { random_matrix(FLOAT32, 1, 2, m, none),
	                        random_matrix(FLOAT32, 1, 2, none, n) };
	struct args a;

	op_run("matmul", in, 2, &a, "variant", v->name, NULL);
	ck_assert_uint_eq(matrix_elements(&a.out[0]), m * n);
	for (size_t i = 0; i < m * n; i++)
		ck_assert(matrix_get(&a.out[0], i) == 0);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(an_inner_size_of_zero_gives_zeros)
{
	each_variant("matmul", try_no_depth);
}
END_TEST

START_TEST(every_failing_call_is_reported)
{
	for (size_t z = 0; z < COUNT(paths); z++) {
		struct matrix in[2] = {
			random_matrix(FLOAT32, 5, 2, paths[z][0], paths[z][2]),
			random_matrix(FLOAT32, 6, 2, paths[z][2], paths[z][1]),
		};

		op_survives_failing_calls("matmul", in, 2);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

void matmul_add_values(TCase *t)
{
	tcase_add_test(t, a_zero_row_gives_exact_zeros);
	tcase_add_test(t, zero_times_infinity_is_nan_and_stays_in_its_place);
	tcase_add_test(t, nan_spoils_its_own_row_alone);
	tcase_add_test(t, products_of_whole_numbers_are_exact);
	tcase_add_test(t, every_failing_call_is_reported);
	tcase_add_test(t, an_inner_size_of_zero_gives_zeros);
}
