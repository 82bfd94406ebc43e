/* bench.c - the benchmark's judges: they find no error in a right result, and
 * the whole error of a wrong one. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/print.h"
#include "bench/rows.h"
#include "tests/bench/rows.h"

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
	struct matrix in[2] = { bench_matrix(a, 2, 2), bench_matrix(b, 2, 2) };
	struct matrix out[2] = { bench_matrix(judges[i].right, 2, 2),
	                         bench_matrix(judges[i].pivots, 2, 1) };
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
	struct matrix in = bench_matrix(a, 2, 2), x = bench_matrix(right, 1, 1);
	struct matrix y = bench_matrix(wrong, 1, 1);

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
	struct matrix in = bench_matrix(stack, 4, 2);
	struct matrix out[2] = { bench_matrix(factors, 4, 2),
	                         bench_matrix(pivots, 4, 1) };

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

START_TEST(a_figure_that_is_missing_is_a_dash)
{
	const struct bench_result r = {
		.work = "cond", .shape = "2x2", .ours_ms = 1, .peer_ms = NAN,
		.ratio = NAN, .kernels_ms = NAN, .kernels_ratio = NAN,
		.error = NAN, .peer_error = NAN, .floor_ms = 2,
	};
	const int out = dup(STDOUT_FILENO);
	char line[256] = "";
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	fflush(stdout);
	dup2(ends[1], STDOUT_FILENO);
	bench_print_line(&r);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	ck_assert_int_gt(read(ends[0], line, sizeof line - 1), 0);
	ck_assert_ptr_null(strstr(line, "nan"));
	ck_assert_ptr_nonnull(strstr(line, " 1.0000          -      - "));
}
END_TEST

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
	tcase_add_test(t, a_permuted_matrix_is_judged_by_every_element);
	tcase_add_test(t, a_generator_makes_the_first_operand);
	tcase_add_test(t, a_figure_that_is_missing_is_a_dash);
	tcase_add_test(t, every_row_of_every_operation_names_what_there_is);
	return t;
}
