/* bench.c - the benchmark's judges: they find no error in a right result, and
 * the whole error of a wrong one. */
#include <math.h>

#include "bench/rows.h"
#include "tests/bench/rows.h"

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
	const char *work;
	double right[4];
	double pivots[2];
} judges[] = {
	{ "matmul", { 19, 22, 43, 50 }, { 0 } },
	{ "matmul tn", { 26, 30, 38, 44 }, { 0 } },
	{ "matmul nt", { 17, 23, 39, 53 }, { 0 } },
	{ "matmul tt", { 23, 31, 34, 46 }, { 0 } },
	{ "lu", { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 } },
	{ "solve", { -3, -4, 4, 5 }, { 0 } },
	{ "inverse", { -2, 1, 1.5, -0.5 }, { 0 } },
	{ "rowsums", { 3, 7 }, { 0 } },
	{ "transpose", { 1, 3, 2, 4 }, { 0 } },
	{ "reduce", { 10 }, { 0 } },
	{ "reduce max", { 4 }, { 0 } },
	{ "trace", { 5 }, { 0 } },
	{ "norm 1", { 6 }, { 0 } },
};

static double judged(size_t i, size_t changed, double by)
{
	struct matrix in[2] = { of(a, 2, 2), of(b, 2, 2) };
	struct matrix out[2] = { of(judges[i].right, 2, 2),
	                         of(judges[i].pivots, 2, 1) };
	double error;

	matrix_set(&out[0], changed, matrix_get(&out[0], changed) + by);
	error = bench_row_of(judges[i].work)->error(in, out);
	for (int m = 0; m < 2; m++) {
		matrix_fini(&in[m]);
		matrix_fini(&out[m]);
	}
	return error;
}

START_TEST(a_right_result_has_no_error)
{
	for (size_t i = 0; i < COUNT(judges); i++)
		ck_assert_msg(judged(i, 0, 0) < 1e-15, "%s", judges[i].work);
}
END_TEST

START_TEST(a_wrong_element_is_found)
{
	for (size_t i = 0; i < COUNT(judges); i++)
		ck_assert_msg(judged(i, 0, 0.5) > 0.01, "%s", judges[i].work);
}
END_TEST

START_TEST(nan_is_not_taken_for_right)
{
	for (size_t i = 0; i < COUNT(judges); i++)
		ck_assert_msg(!(judged(i, 0, NAN) < 1e9), "%s",
		              judges[i].work);
}
END_TEST

START_TEST(the_norm_is_judged_by_its_relative_error)
{
	static const char *const works[] = { "reduce norm2", "norm" };
	const double right[] = { sqrt(30) }, wrong[] = { 6 };
	struct matrix in = of(a, 2, 2), x = of(right, 1, 1);
	struct matrix y = of(wrong, 1, 1);

	for (size_t i = 0; i < COUNT(works); i++) {
		const struct bench_row *norm2 = bench_row_of(works[i]);

		ck_assert(norm2->error(&in, &x) < 1e-15);
		ck_assert(fabs(norm2->error(&in, &y) - 6 / sqrt(30) + 1) <
		          1e-12);
	}
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
	const struct bench_row *lu = bench_row_of("lu");
	struct matrix in = of(stack, 4, 2);
	struct matrix out[2] = { of(factors, 4, 2), of(pivots, 4, 1) };

	in.ndim = out[0].ndim = 3;
	in.dim[0] = out[0].dim[0] = in.dim[1] = out[0].dim[1] = 2;
	in.dim[2] = out[0].dim[2] = 2;
	ck_assert(lu->error(&in, out) < 1e-15);
	matrix_set(&out[0], 5, 4.5);
	ck_assert(lu->error(&in, out) > 0.01);
	matrix_fini(&in);
	matrix_fini(&out[0]);
	matrix_fini(&out[1]);
}
END_TEST

START_TEST(a_cholesky_factor_is_judged_by_its_product)
{
	static const double m[] = { 4, 2, 2, 5 }, factor[] = { 2, 0, 1, 2 };
	const struct bench_row *cholesky = bench_row_of("cholesky");
	struct matrix in = of(m, 2, 2), l = of(factor, 2, 2);

	ck_assert(cholesky->error(&in, &l) == 0);
	matrix_set(&l, 2, 1.5);
	ck_assert(cholesky->error(&in, &l) > 0.1);
	matrix_fini(&in);
	matrix_fini(&l);
}
END_TEST

START_TEST(a_kronecker_product_is_judged_element_by_element)
{
	static const double x[] = { 1, 2, 3, 4 }, y[] = { 1, 3, 2, 5 };
	static const double right[] = { 1, 3, 2, 6, 2, 5, 4, 10,
	                                3, 9, 4, 12, 6, 15, 8, 20 };
	const struct bench_row *kron = bench_row_of("kron");
	struct matrix in[2] = { of(x, 2, 2), of(y, 2, 2) };
	struct matrix out = of(right, 4, 4);

	ck_assert(kron->error(in, &out) == 0);
	matrix_set(&out, 7, 11);
	ck_assert(kron->error(in, &out) > 0.05);
	for (int i = 0; i < 2; i++)
		matrix_fini(&in[i]);
	matrix_fini(&out);
}
END_TEST

START_TEST(an_eigenpair_is_judged_by_its_residual)
{
	static const double m[] = { 2, 0, 0, 1 }, value[] = { 2 };
	static const double vector[] = { 1, 0 };
	const struct bench_row *eigen = bench_row_of("eigen hilbert");
	struct matrix in = of(m, 2, 2);
	struct matrix out[2] = { of(value, 1, 1), of(vector, 2, 1) };

	ck_assert(eigen->error(&in, out) == 0);
	matrix_set(&out[0], 0, 2.5);
	ck_assert(eigen->error(&in, out) > 0.1);
	matrix_set(&out[0], 0, NAN);
	ck_assert(!(eigen->error(&in, out) < 1e9));
	for (int i = 0; i < 2; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

/* The eigenvalues of [0 -1; 1 0] are i and -i, its vectors (1, -+i). */
START_TEST(complex_eigenpairs_are_judged_in_both_parts)
{
	static const double m[] = { 0, -1, 1, 0 };
	const struct bench_row *eig = bench_row_of("eig");
	struct matrix in = of(m, 2, 2), out[2] = {
		{ .dtype = COMPLEX128, .ndim = 1, .dim = { 2 } },
		{ .dtype = COMPLEX128, .ndim = 2, .dim = { 2, 2 } },
	};
	struct err e = { 0 };

	for (int i = 0; i < 2; i++)
		ck_ok(matrix_alloc(&out[i], test_pool, &e), &e);
	for (size_t k = 0; k < 2; k++) {
		const double sign = k ? -1 : 1;

		matrix_set_complex(&out[0], k, 0, sign);
		matrix_set_complex(&out[1], k, 1, 0);
		matrix_set_complex(&out[1], 2 + k, 0, -sign);
	}
	ck_assert(eig->error(&in, out) == 0);
	matrix_set_complex(&out[0], 1, 0, -0.5);
	ck_assert(eig->error(&in, out) > 0.1);
	matrix_set_complex(&out[0], 1, 0, -1);
	matrix_set_complex(&out[1], 3, 0.5, 1);
	ck_assert(eig->error(&in, out) > 0.1);
	for (int i = 0; i < 2; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

START_TEST(a_permuted_matrix_is_judged_by_every_element)
{
	static const char *const works[] = { "permute", "permute both" };

	for (size_t w = 0; w < COUNT(works); w++) {
		const struct bench_row *row = bench_row_of(works[w]);
		struct args args = bench_made(works[w], 5);
		const struct matrix *m = &args.in[0], *p = &args.in[1];

		for (size_t i = 0; i < 25; i++) {
			const size_t r = (size_t)matrix_get(p, i / 5);
			const size_t c = w ? (size_t)matrix_get(p, i % 5) :
			                     i % 5;

			matrix_set(&args.out[0], i, matrix_get(m, r * 5 + c));
		}
		ck_assert(row->error(args.in, args.out) == 0);
		bench_add(&args.out[0], 24, 0.5);
		ck_assert(row->error(args.in, args.out) == 0.5);
		args_fini(&args);
	}
}
END_TEST

START_TEST(a_generator_makes_the_first_operand)
{
	struct args args = bench_made("eigen hilbert", 3);

	ck_assert(matrix_get(&args.in[0], 5) == 1.0 / 4);
	args_fini(&args);
}
END_TEST

static void check_row(const struct bench_row *r, const struct op *o)
{
	struct err e = { 0 };
	struct args args;

	args_init(&args, o);
	ck_assert_str_eq(r->op, o->name);
	ck_assert_uint_gt(r->dim[0][0], 0);
	for (int i = 0; r->results[i]; i++)
		ck_assert_int_ge(op_output(o, r->results[i]), 0);
	for (int i = 0; r->params[i]; i += 2)
		ck_ok(args_set(&args, op_param(o, r->params[i]),
		               r->params[i + 1], &e), &e);
	for (int i = 0; r->operands[i]; i++)
		ck_assert(o->inputs[i].name != NULL);
	ck_assert(!r->error == !r->results[0]);
}

START_TEST(every_row_of_every_operation_names_what_there_is)
{
	for (int i = 0; i < OPS; i++) {
		ck_assert_ptr_nonnull(bench_tables[i]->op);
		for (const struct bench_row *r = bench_tables[i]; r->op; r++)
			check_row(r, ops[i]);
	}
	ck_assert_ptr_null(bench_tables[OPS]);
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
	tcase_add_test(t, a_cholesky_factor_is_judged_by_its_product);
	tcase_add_test(t, a_kronecker_product_is_judged_element_by_element);
	tcase_add_test(t, an_eigenpair_is_judged_by_its_residual);
	tcase_add_test(t, complex_eigenpairs_are_judged_in_both_parts);
	tcase_add_test(t, a_permuted_matrix_is_judged_by_every_element);
	tcase_add_test(t, a_generator_makes_the_first_operand);
	tcase_add_test(t, every_row_of_every_operation_names_what_there_is);
	return t;
}
