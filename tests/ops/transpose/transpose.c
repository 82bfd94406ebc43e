/* transpose.c - B[j][i] is A[i][j], bit for bit, for every shape,
 * element type and variant. */
#include <math.h>

#include "tests/ops/op.h"

/* Each is in the file of its name. */
void transpose_sequence(TCase *t);
void transpose_host_time(TCase *t);
void transpose_traced(TCase *t);
void transpose_early(TCase *t);
void transpose_pinned(TCase *t);
void transpose_beside(TCase *t);
void transpose_resident(TCase *t);
void transpose_cleared(TCase *t);
void transpose_derived(TCase *t);

static void assert_transposed(const struct matrix *a, const struct matrix *b)
{
	const size_t m = matrix_rows(a), n = matrix_cols(a);
	size_t wrong = 0;

	ck_assert_int_eq(b->ndim, a->ndim);
	ck_assert_uint_eq(matrix_rows(b), n);
	ck_assert_uint_eq(matrix_cols(b), m);
	ck_assert_uint_eq(matrix_stack(b), matrix_stack(a));
	for (size_t k = 0; k < matrix_stack(a); k++)
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				wrong += matrix_get(b, (k * n + j) * m + i) !=
				         matrix_get(a, (k * m + i) * n + j);
	ck_assert_uint_eq(wrong, 0);
}

static void one(enum dtype t, size_t stack, size_t m, size_t n,
                const char *variant)
{
	struct matrix a = random_matrix(t, 7, 3, stack, m, n);
	struct args r;

	for (size_t i = 0; dtype_is_integer(t) && i < matrix_elements(&a); i++)
		matrix_set(&a, i, (double)i * 97 - 5e5);
	op_run("transpose", &a, 1, &r, "variant", variant, "dtype",
	       dtype_name(t), NULL);
	assert_transposed(&a, &r.out[0]);
	args_fini(&r);
	matrix_fini(&a);
}

static void all_shapes(const struct variant *v)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 5, 7, 8, 9, 10, 15, 16, 17,
		31, 33, 50, 64, 65, 130 };
	static const enum dtype types[] = { FLOAT32, FLOAT64, INT32, INT64 };

	for (size_t t = 0; t < COUNT(types); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			for (size_t j = 0; j < COUNT(sizes); j++)
				one(types[t], 1, sizes[i], sizes[j], v->name);
}

START_TEST(every_shape_in_every_variant)
{
	each_variant("transpose", all_shapes);
}
END_TEST

static void long_and_stacked(const struct variant *v)
{
	one(FLOAT32, 1, 1, 3000, v->name);
	one(FLOAT32, 1, 3000, 1, v->name);
	one(FLOAT64, 1, 1025, 33, v->name);	/* more than a chunk of rows */
	one(FLOAT32, 1, 512, 65, v->name);
	one(FLOAT32, 1, 2048, 2050, v->name);	/* bypasses the caches */
	one(FLOAT64, 4, 17, 18, v->name);
	one(FLOAT32, 3, 32, 16, v->name);
	one(INT32, 0, 4, 4, v->name);
}

START_TEST(long_matrices_and_stacks)
{
	each_variant("transpose", long_and_stacked);
}
END_TEST

START_TEST(a_vector_is_its_own_transpose)
{
	struct matrix a = random_matrix(FLOAT64, 3, 1, (size_t)37);
	struct args r;

	op_run("transpose", &a, 1, &r, NULL);
	ck_assert_int_eq(r.out[0].ndim, 1);
	ck_assert_uint_eq(r.out[0].dim[0], 37);
	for (size_t i = 0; i < 37; i++)
		ck_assert_double_eq(matrix_get(&r.out[0], i),
		                    matrix_get(&a, i));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(nan_and_infinity_travel)
{
	const double values[] = { NAN, -HUGE_VAL, 0.0, HUGE_VAL, -0.0, 1 };
	struct matrix a = matrix_of(FLOAT32, values, 2, (size_t)2, (size_t)3);
	struct args r;

	op_run("transpose", &a, 1, &r, NULL);
	ck_assert_double_nan(matrix_get(&r.out[0], 0));
	ck_assert_double_infinite(matrix_get(&r.out[0], 1));
	ck_assert(signbit(matrix_get(&r.out[0], 3)));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = random_matrix(FLOAT32, 1, 2, (size_t)20, (size_t)30);

	op_survives_failing_calls("transpose", &a, 1);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_transpose(void)
{
	TCase *t = tcase_create("transpose");

	tcase_add_test(t, every_shape_in_every_variant);
	tcase_add_test(t, long_matrices_and_stacks);
	tcase_add_test(t, a_vector_is_its_own_transpose);
	tcase_add_test(t, nan_and_infinity_travel);
	tcase_add_test(t, failing_calls_are_survived);
	transpose_sequence(t);
	transpose_host_time(t);
	transpose_traced(t);
	transpose_pinned(t);
	transpose_beside(t);
	transpose_resident(t);
	transpose_cleared(t);
	transpose_derived(t);
	transpose_early(t);
	return t;
}
