/* bench.c - the benchmark's judges: they find no error in a right result, and
 * the whole error of a wrong one. */
#include <math.h>

#include "bench/rows.h"
#include "matrix/sparse.h"
#include "tests/test.h"

static struct matrix of(const double *values, size_t rows, size_t cols)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 2,
	                    .dim = { rows, cols } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (size_t i = 0; i < rows * cols; i++)
		matrix_set(&m, i, values[i]);
	return m;
}

/* The operands [1 2; 3 4] and [5 6; 7 8], and every judge's right result. */
static const double a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };

static const struct {
	const char *name;
	double (*error)(const struct matrix *in, const struct matrix *out);
	double right[4];
	double pivots[2];
} judges[] = {
	{ "matmul", bench_error_matmul, { 19, 22, 43, 50 }, { 0 } },
	{ "lu", bench_error_lu, { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 } },
	{ "solve", bench_error_solve, { -3, -4, 4, 5 }, { 0 } },
	{ "rowsums", bench_error_rowsums, { 3, 7 }, { 0 } },
	{ "transpose", bench_error_transpose, { 1, 3, 2, 4 }, { 0 } },
	{ "sum", bench_error_sum, { 10 }, { 0 } },
	{ "max", bench_error_max, { 4 }, { 0 } },
};

static double judged(size_t i, size_t changed, double by)
{
	struct matrix in[2] = { of(a, 2, 2), of(b, 2, 2) };
	struct matrix out[2] = { of(judges[i].right, 2, 2),
	                         of(judges[i].pivots, 2, 1) };
	double error;

	matrix_set(&out[0], changed, matrix_get(&out[0], changed) + by);
	error = judges[i].error(in, out);
	for (int m = 0; m < 2; m++) {
		matrix_fini(&in[m]);
		matrix_fini(&out[m]);
	}
	return error;
}

START_TEST(a_right_result_has_no_error)
{
	for (size_t i = 0; i < COUNT(judges); i++)
		ck_assert_msg(judged(i, 0, 0) < 1e-15, "%s", judges[i].name);
}
END_TEST

START_TEST(a_wrong_element_is_found)
{
	for (size_t i = 0; i < COUNT(judges); i++)
		ck_assert_msg(judged(i, 0, 0.5) > 0.01, "%s", judges[i].name);
}
END_TEST

START_TEST(nan_is_not_taken_for_right)
{
	for (size_t i = 0; i < COUNT(judges); i++)
		ck_assert_msg(!(judged(i, 0, NAN) < 1e9), "%s",
		              judges[i].name);
}
END_TEST

START_TEST(the_norm_is_judged_by_its_relative_error)
{
	const double right[] = { sqrt(30) }, wrong[] = { 6 };
	struct matrix in = of(a, 2, 2), x = of(right, 1, 1);
	struct matrix y = of(wrong, 1, 1);

	ck_assert(bench_error_norm2(&in, &x) < 1e-15);
	ck_assert(fabs(bench_error_norm2(&in, &y) - 6 / sqrt(30) + 1) < 1e-12);
	matrix_fini(&in);
	matrix_fini(&x);
	matrix_fini(&y);
}
END_TEST

/* The factors of the second matrix of a stack. */
START_TEST(every_matrix_of_a_stack_is_judged)
{
	static const double stack[] = { 1, 2, 3, 4, 1, 2, 3, 4 };
	static const double factors[] = {
		3, 4, 1.0 / 3, 2 - 4.0 / 3, 3, 4, 1.0 / 3, 2 - 4.0 / 3
	};
	static const double pivots[] = { 1, 1, 1, 1 };
	struct matrix in = of(stack, 4, 2);
	struct matrix out[2] = { of(factors, 4, 2), of(pivots, 4, 1) };

	in.ndim = out[0].ndim = 3;
	in.dim[0] = out[0].dim[0] = in.dim[1] = out[0].dim[1] = 2;
	in.dim[2] = out[0].dim[2] = 2;
	ck_assert(bench_error_lu(&in, out) < 1e-15);
	matrix_set(&out[0], 5, 4.5);
	ck_assert(bench_error_lu(&in, out) > 0.01);
	matrix_fini(&in);
	matrix_fini(&out[0]);
	matrix_fini(&out[1]);
}
END_TEST

START_TEST(an_eigenpair_is_judged_by_its_residual)
{
	static const double m[] = { 2, 0, 0, 1 }, value[] = { 2 };
	static const double vector[] = { 1, 0 };
	struct matrix in = of(m, 2, 2);
	struct matrix out[2] = { of(value, 1, 1), of(vector, 2, 1) };

	ck_assert(bench_error_eigen(&in, out) == 0);
	matrix_set(&out[0], 0, 2.5);
	ck_assert(bench_error_eigen(&in, out) > 0.1);
	matrix_set(&out[0], 0, NAN);
	ck_assert(!(bench_error_eigen(&in, out) < 1e9));
	for (int i = 0; i < 2; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

static const struct {
	const char *name;
	int (*make)(struct args *a, const size_t dim[3], enum dtype dtype,
	            struct memory_pool *pool, struct err *e);
	size_t rows, nnz, longest;	/* nnz 0: not known beforehand */
} makers[] = {
	/* 3 n^2 (n - 1) pairs of neighbours, and n^3 diagonal elements */
	{ "stencil", bench_make_stencil, 125, 2 * 3 * 25 * 4 + 125, 7 },
	{ "plane", bench_make_plane, 100, 2 * 2 * 10 * 9 + 100, 5 },
	{ "power law", bench_make_power_law, 1000, 0, 251 },
};

static size_t longest_row(const struct matrix *m)
{
	size_t most = 0;

	for (size_t i = 0; i < m->dim[0]; i++)
		most = size_max(most, (size_t)(sparse_starts(m)[i + 1] -
		                               sparse_starts(m)[i]));
	return most;
}

static void check_columns(const struct matrix *m)
{
	for (size_t i = 0; i < m->dim[0]; i++)
		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++) {
			const int32_t j = sparse_columns(m)[k];

			ck_assert(j >= 0 && (size_t)j < m->dim[1]);
			ck_assert(k == sparse_starts(m)[i] ||
			          j > sparse_columns(m)[k - 1]);
		}
}

START_TEST(sparse_operands_have_their_pattern)
{
	for (size_t i = 0; i < COUNT(makers); i++) {
		const size_t dim[3] = { makers[i].rows };
		struct err e = { 0 };
		struct args args;

		args_init(&args, op_find("spmv"));
		ck_ok(makers[i].make(&args, dim, FLOAT64, test_pool, &e), &e);
		ck_ok(args_check(&args, &e), &e);
		if (makers[i].nnz > 0)
			ck_assert_uint_eq(args.in[0].nnz, makers[i].nnz);
		ck_assert_uint_eq(longest_row(&args.in[0]), makers[i].longest);
		check_columns(&args.in[0]);
		args_fini(&args);
	}
}
END_TEST

/* y = A x of spmv's operands, by hand. */
static void multiply(struct args *args)
{
	const struct matrix *m = &args->in[0], *x = &args->in[1];

	for (size_t i = 0; i < m->dim[0]; i++) {
		double sum = 0;

		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++)
			sum += matrix_get(m, (size_t)k) *
			       matrix_get(x, (size_t)sparse_columns(m)[k]);
		matrix_set(&args->out[0], i, sum);
	}
}

START_TEST(a_sparse_product_is_judged_row_by_row)
{
	const size_t dim[3] = { 27 };
	struct err e = { 0 };
	struct args args;

	args_init(&args, op_find("spmv"));
	ck_ok(bench_make_stencil(&args, dim, FLOAT64, test_pool, &e), &e);
	ck_ok(args_check(&args, &e), &e);
	ck_ok(args_alloc(&args, test_pool, &e), &e);
	multiply(&args);
	ck_assert(bench_error_spmv(args.in, args.out) < 1e-15);
	matrix_set(&args.out[0], 26, matrix_get(&args.out[0], 26) + 0.5);
	ck_assert(bench_error_spmv(args.in, args.out) > 0.01);
	args_fini(&args);
}
END_TEST

START_TEST(every_row_names_an_operation_and_its_outputs)
{
	for (const struct bench_row *r = bench_rows; r->work; r++) {
		const struct op *o = op_find(r->op);

		ck_assert_msg(o != NULL, "%s", r->op);
		for (int i = 0; r->results[i]; i++)
			ck_assert_int_ge(op_output(o, r->results[i]), 0);
		for (int i = 0; r->params[i]; i += 2)
			ck_assert_int_ge(op_param(o, r->params[i]), 0);
		for (int i = 0; r->operands[i]; i++)
			ck_assert(o->inputs[i].name != NULL);
	}
}
END_TEST

TCase *tcase_bench(void)
{
	TCase *t = tcase_create("bench");

	tcase_add_test(t, a_right_result_has_no_error);
	tcase_add_test(t, a_wrong_element_is_found);
	tcase_add_test(t, nan_is_not_taken_for_right);
	tcase_add_test(t, the_norm_is_judged_by_its_relative_error);
	tcase_add_test(t, every_matrix_of_a_stack_is_judged);
	tcase_add_test(t, an_eigenpair_is_judged_by_its_residual);
	tcase_add_test(t, sparse_operands_have_their_pattern);
	tcase_add_test(t, a_sparse_product_is_judged_row_by_row);
	tcase_add_test(t, every_row_names_an_operation_and_its_outputs);
	return t;
}
