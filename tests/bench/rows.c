/* rows.c - see rows.h. */
#include "tests/bench/rows.h"

const struct bench_row *bench_row_of(const char *work)
{
	for (const struct bench_row *const *t = bench_tables; *t; t++)
		for (const struct bench_row *r = *t; r->op; r++)
			if (strcmp(bench_work(r), work) == 0)
				return r;
	ck_abort_msg("no row %s", work);
	return NULL;
}

struct args bench_made(const char *work, size_t m)
{
	const struct bench_row *row = bench_row_of(work);
	const size_t dim[3] = { m, m, 1 };
	struct err e = { 0 };
	struct args args;

	args_init(&args, op_find(row->op));
	ck_ok((row->make ? row->make : bench_make_dense)(&args, row, dim,
	    FLOAT64, test_pool, &e), &e);
	ck_ok(args_prepare(&args, test_pool, &e), &e);
	return args;
}

void bench_add(struct matrix *m, size_t i, double by)
{
	matrix_set(m, i, matrix_get(m, i) + by);
}

struct matrix bench_matrix(const double *values, size_t rows, size_t cols)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 2,
	                    .dim = { rows, cols } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (size_t i = 0; i < rows * cols; i++)
		matrix_set(&m, i, values[i]);
	return m;
}
