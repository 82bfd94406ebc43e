/* sparse.c - the benchmark's sparse operands, and the judges of their
 * results. */
#include "base/size.h"
#include "matrix/sparse.h"
#include "tests/bench/rows.h"

static const struct {
	const char *work;
	size_t rows, nnz, longest;	/* nnz 0: not known beforehand */
} makers[] = {
	/* 3 n^2 (n - 1) pairs of neighbours, and n^3 diagonal elements */
	{ "spmv stencil", 125, 2 * 3 * 25 * 4 + 125, 7 },
	{ "spmv plane", 100, 2 * 2 * 10 * 9 + 100, 5 },
	{ "spmv power", 1000, 0, 251 },
	{ "jacobi", 100, 2 * 2 * 10 * 9 + 100, 5 },
	{ "cg", 100, 2 * 2 * 10 * 9 + 100, 5 },
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
		struct args args = bench_made(makers[i].work, makers[i].rows);

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

START_TEST(a_sparse_product_is_judged_row_by_row)
{
	struct args args = bench_made("spmv stencil", 27);
	const struct bench_row *row = bench_row_of("spmv stencil");

	multiply(&args.in[0], &args.in[1], &args.out[0]);
	ck_assert(row->error(args.in, args.out) < 1e-15);
	bench_add(&args.out[0], 26, 0.5);
	ck_assert(row->error(args.in, args.out) > 0.01);
	args_fini(&args);
}
END_TEST

/* By making b from a known x. The diagonal exceeds the sum of the others. */
START_TEST(a_system_for_jacobi_has_its_solution)
{
	struct args args = bench_made("jacobi", 25);
	const struct bench_row *row = bench_row_of("jacobi");
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
	bench_add(x, 24, 0.5);
	ck_assert(row->error(args.in, args.out) > 0.001);
	args_fini(&args);
}
END_TEST

TCase *tcase_bench_sparse(void)
{
	TCase *t = tcase_create("bench_sparse");

	tcase_add_test(t, sparse_operands_have_their_pattern);
	tcase_add_test(t, a_sparse_product_is_judged_row_by_row);
	tcase_add_test(t, a_system_for_jacobi_has_its_solution);
	return t;
}
