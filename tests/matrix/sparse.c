/* sparse.c - sparse matrices: built, and converted. */
#include "tests/matrix/sparse.h"
#include "tests/test.h"

void sparse_holds(const struct matrix *m, size_t rows, size_t cols,
                  const int64_t *starts, const int32_t *columns,
                  const double *values)
{
	const size_t nnz = (size_t)starts[rows];

	ck_assert_int_eq(m->layout, CSR);
	ck_assert_int_eq(m->ndim, 2);
	ck_assert_uint_eq(m->dim[0], rows);
	ck_assert_uint_eq(m->dim[1], cols);
	ck_assert_uint_eq(m->nnz, nnz);
	ck_assert_uint_eq(matrix_elements(m), nnz);
	ck_assert_uint_eq(m->index->bytes, matrix_index_size(m));
	ck_assert_mem_eq(sparse_starts(m), starts, (rows + 1) * sizeof *starts);
	if (nnz)
		ck_assert_mem_eq(sparse_columns(m), columns,
		                 nnz * sizeof *columns);
	for (size_t k = 0; k < nnz; k++)
		ck_assert_double_eq(matrix_get(m, k), values[k]);
}

START_TEST(entries_are_sorted_and_summed_and_zeros_stay)
{
	static const struct sparse_entry x[] = {
		{ 2, 1, 4 }, { 0, 3, 1 }, { 2, 0, 3 }, { 0, 0, 0 },
		{ 2, 1, -4 }, { 0, 3, 0.5 },
	};
	struct matrix m = { .ndim = 2, .dim = { 3, 4 } };
	struct err e = { 0 };

	ck_ok(sparse_build(&m, x, COUNT(x), test_pool, &e), &e);
	sparse_holds(&m, 3, 4, (int64_t[]){ 0, 2, 2, 4 },
	       (int32_t[]){ 0, 3, 0, 1 }, (double[]){ 0, 1.5, 3, 0 });
	matrix_fini(&m);
}
END_TEST

/* Row 1 has every column three times, in different orders. */
START_TEST(long_rows_are_sorted_and_sums_keep_the_order)
{
	enum { N = 5000 };
	struct sparse_entry *x = calloc(3 * N, sizeof *x);
	struct matrix m = { .ndim = 2, .dim = { 2, N } };
	struct err e = { 0 };

	for (uint32_t k = 0; k < N; k++) {
		/* (1e16 - 1e16) + k is k; other orders give even numbers */
		x[k] = (struct sparse_entry){ 1, k * 2677 % N, 1e16 };
		x[N + k] = (struct sparse_entry){ 1, k * 4001 % N, -1e16 };
		x[2 * N + k] = (struct sparse_entry){ 1, k * 1913 % N, k };
	}
	ck_ok(sparse_build(&m, x, 3 * N, test_pool, &e), &e);
	ck_assert_uint_eq(m.nnz, N);
	for (uint32_t k = 0; k < N; k++) {
		ck_assert_int_eq(sparse_columns(&m)[k], k);
		ck_assert_double_eq(matrix_get(&m, k * 1913 % N), k);
	}
	matrix_fini(&m);
	free(x);
}
END_TEST

START_TEST(dense_and_back_is_the_same)
{
	static const size_t sizes[][2] = {
		{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 1 }, { 2, 5 }, { 50, 10 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct matrix m = { .dtype = FLOAT32, .ndim = 2,
		                    .dim = { sizes[i][0], sizes[i][1] } };
		struct err e = { 0 };
		size_t n = sizes[i][0] * sizes[i][1], nonzeros = 0;

		ck_ok(matrix_alloc(&m, test_pool, &e), &e);
		for (size_t k = 0; k < n; k++) {
			matrix_set(&m, k, (double)(k % 3));
			nonzeros += k % 3 != 0;
		}
		ck_ok(sparse_convert(&m, CSR, test_pool, &e), &e);
		ck_assert_uint_eq(m.nnz, nonzeros);
		ck_ok(matrix_convert(&m, FLOAT64, test_pool, &e), &e);
		ck_assert_uint_eq(sparse_starts(&m)[sizes[i][0]], nonzeros);
		ck_ok(sparse_convert(&m, DENSE, test_pool, &e), &e);
		for (size_t k = 0; k < n; k++)
			ck_assert_double_eq(matrix_get(&m, k), (double)(k % 3));
		matrix_fini(&m);
	}
}
END_TEST

START_TEST(sizes_do_not_wrap)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 2, .layout = CSR,
	                    .dim = { 3, 3 }, .nnz = SIZE_MAX / 4 };
	struct err e = { 0 };
	size_t bytes;

	ck_refused(matrix_bytes(&m, &bytes, &e), &e, ERR_TOO_LARGE);
	e = (struct err){ 0 };
	ck_refused(matrix_index_bytes(&m, &bytes, &e), &e, ERR_TOO_LARGE);
	m.nnz = 1;
	m.dim[0] = SIZE_MAX / 4;
	e = (struct err){ 0 };
	ck_refused(matrix_index_bytes(&m, &bytes, &e), &e, ERR_TOO_LARGE);
	e = (struct err){ 0 };
	ck_refused(sparse_check_shape(&m, &e), &e, ERR_TOO_LARGE);
}
END_TEST

TCase *tcase_sparse(void)
{
	TCase *c = tcase_create("sparse");

	tcase_add_test(c, entries_are_sorted_and_summed_and_zeros_stay);
	tcase_add_test(c, long_rows_are_sorted_and_sums_keep_the_order);
	tcase_add_test(c, dense_and_back_is_the_same);
	tcase_add_test(c, sizes_do_not_wrap);
	return c;
}
