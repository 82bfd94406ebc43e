/* stacks.c - a stack is factored as its matrices are. */
#include "tests/ops/lu/lu.h"

/* A matrix of the stack by itself gives the same bits. */
static void check_stack(const struct variant *v, enum dtype t, size_t count,
                        size_t rows, size_t cols)
{
	struct matrix all = random_matrix(t, 2, 4, count, (size_t)2, rows,
	                                  cols);
	struct matrix one = random_matrix(t, 2, 2, rows, cols);
	const size_t k = size_min(rows, cols);
	struct args a, b;

	op_run("lu", &all, 1, &a, "variant", v->name, NULL);
	ck_assert_int_eq(a.out[SINGULAR].ndim, 2);
	ck_assert_int_eq(a.out[PIVOTS].ndim, 3);
	for (size_t i = 0; i < 2 * count; i += count) {
		const size_t bytes = matrix_size(&one);

		memcpy(matrix_data(&one), (char *)matrix_data(&all) + i *
		       bytes, bytes);
		op_run("lu", &one, 1, &b, "variant", v->name, NULL);
		ck_assert_mem_eq(matrix_data(&b.out[LU]),
		                 (char *)matrix_data(&a.out[LU]) + i * bytes,
		                 bytes);
		for (size_t c = 0; c < k; c++)
			ck_assert_double_eq(matrix_get(&b.out[PIVOTS], c),
			    matrix_get(&a.out[PIVOTS], i * k + c));
		args_fini(&b);
	}
	args_fini(&a);
	matrix_fini(&one);
	matrix_fini(&all);
}

static void stacks(const struct variant *v)
{
	for (int t = FLOAT32; t <= FLOAT64; t++) {
		check_stack(v, t, 3, 5, 5);
		check_stack(v, t, 150, 3, 4);
		check_stack(v, t, 2, 150, 140);
		check_stack(v, t, 2, 40, 140);
	}
}

START_TEST(a_stack_is_its_matrices)
{
	each_variant("lu", stacks);
}
END_TEST

/* More than 65535, where some drivers end a dimension of the grid. */
static void long_stack(const struct variant *v)
{
	check_stack(v, FLOAT32, 33000, 2, 3);
}

START_TEST(a_stack_of_many_small_matrices)
{
	each_variant("lu", long_stack);
}
END_TEST

void lu_add_stack_tests(TCase *t)
{
	tcase_add_test(t, a_stack_is_its_matrices);
	tcase_add_test(t, a_stack_of_many_small_matrices);
}
