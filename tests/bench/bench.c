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

static const struct bench_row *row_of(const char *work)
{
	for (const struct bench_row *const *t = bench_tables; *t; t++)
		for (const struct bench_row *r = *t; r->op; r++)
			if (strcmp(bench_work(r), work) == 0)
				return r;
	ck_abort_msg("no row %s", work);
	return NULL;
}

static double judged(size_t i, size_t changed, double by)
{
	struct matrix in[2] = { of(a, 2, 2), of(b, 2, 2) };
	struct matrix out[2] = { of(judges[i].right, 2, 2),
	                         of(judges[i].pivots, 2, 1) };
	double error;

	matrix_set(&out[0], changed, matrix_get(&out[0], changed) + by);
	error = row_of(judges[i].work)->error(in, out);
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
		const struct bench_row *norm2 = row_of(works[i]);

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
	const struct bench_row *lu = row_of("lu");
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
	const struct bench_row *cholesky = row_of("cholesky");
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
	const struct bench_row *kron = row_of("kron");
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
	const struct bench_row *eigen = row_of("eigen hilbert");
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
	const struct bench_row *eig = row_of("eig");
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

static const struct {
	const char *work;
	size_t rows, nnz, longest;	/* nnz 0: not known beforehand */
} makers[] = {
	/* 3 n^2 (n - 1) pairs of neighbours, and n^3 diagonal elements */
	{ "spmv stencil", 125, 2 * 3 * 25 * 4 + 125, 7 },
	{ "spmv plane", 100, 2 * 2 * 10 * 9 + 100, 5 },
	{ "spmv power", 1000, 0, 251 },
	{ "jacobi", 100, 2 * 2 * 10 * 9 + 100, 5 },
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

/* The operands of a row's first call with dim[0] = m, and memory for its
 * outputs. */
static struct args made(const char *work, size_t m)
{
	const struct bench_row *row = row_of(work);
	const size_t dim[3] = { m, m, 1 };
	struct err e = { 0 };
	struct args args;

	args_init(&args, op_find(row->op));
	ck_ok((row->make ? row->make : bench_make_dense)(&args, row, dim,
	    FLOAT64, test_pool, &e), &e);
	ck_ok(args_prepare(&args, test_pool, &e), &e);
	return args;
}

START_TEST(sparse_operands_have_their_pattern)
{
	for (size_t i = 0; i < COUNT(makers); i++) {
		struct args args = made(makers[i].work, makers[i].rows);

		if (makers[i].nnz > 0)
			ck_assert_uint_eq(args.in[0].nnz, makers[i].nnz);
		ck_assert_uint_eq(longest_row(&args.in[0]), makers[i].longest);
		check_columns(&args.in[0]);
		args_fini(&args);
	}
}
END_TEST

/* y = A x, by hand. */
static void multiply(const struct matrix *m, const struct matrix *x,
                     struct matrix *y)
{
	for (size_t i = 0; i < m->dim[0]; i++) {
		double sum = 0;

		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++)
			sum += matrix_get(m, (size_t)k) *
			       matrix_get(x, (size_t)sparse_columns(m)[k]);
		matrix_set(y, i, sum);
	}
}

static void add(struct matrix *m, size_t i, double by)
{
	matrix_set(m, i, matrix_get(m, i) + by);
}

START_TEST(a_sparse_product_is_judged_row_by_row)
{
	struct args args = made("spmv stencil", 27);
	const struct bench_row *row = row_of("spmv stencil");

	multiply(&args.in[0], &args.in[1], &args.out[0]);
	ck_assert(row->error(args.in, args.out) < 1e-15);
	add(&args.out[0], 26, 0.5);
	ck_assert(row->error(args.in, args.out) > 0.01);
	args_fini(&args);
}
END_TEST

/* By making b from a known x. The diagonal exceeds the sum of the others. */
START_TEST(a_system_for_jacobi_has_its_solution)
{
	struct args args = made("jacobi", 25);
	const struct bench_row *row = row_of("jacobi");
	struct matrix *const m = &args.in[0], *const x = &args.out[0];

	for (size_t i = 0; i < 25; i++) {
		double sum = 0;

		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++)
			sum += matrix_get(m, (size_t)k);
		ck_assert(sum == 1);
		matrix_set(x, i, (double)i - 12);
	}
	multiply(m, x, &args.in[1]);
	ck_assert(row->error(args.in, args.out) < 1e-15);
	add(x, 24, 0.5);
	ck_assert(row->error(args.in, args.out) > 0.001);
	args_fini(&args);
}
END_TEST

START_TEST(a_permuted_matrix_is_judged_by_every_element)
{
	static const char *const works[] = { "permute", "permute both" };

	for (size_t w = 0; w < COUNT(works); w++) {
		const struct bench_row *row = row_of(works[w]);
		struct args args = made(works[w], 5);
		const struct matrix *m = &args.in[0], *p = &args.in[1];

		for (size_t i = 0; i < 25; i++) {
			const size_t r = (size_t)matrix_get(p, i / 5);
			const size_t c = w ? (size_t)matrix_get(p, i % 5) :
			                     i % 5;

			matrix_set(&args.out[0], i, matrix_get(m, r * 5 + c));
		}
		ck_assert(row->error(args.in, args.out) == 0);
		add(&args.out[0], 24, 0.5);
		ck_assert(row->error(args.in, args.out) == 0.5);
		args_fini(&args);
	}
}
END_TEST

START_TEST(a_generator_makes_the_first_operand)
{
	struct args args = made("eigen hilbert", 3);

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
	tcase_add_test(t, sparse_operands_have_their_pattern);
	tcase_add_test(t, a_sparse_product_is_judged_row_by_row);
	tcase_add_test(t, a_system_for_jacobi_has_its_solution);
	tcase_add_test(t, a_permuted_matrix_is_judged_by_every_element);
	tcase_add_test(t, a_generator_makes_the_first_operand);
	tcase_add_test(t, every_row_of_every_operation_names_what_there_is);
	return t;
}
