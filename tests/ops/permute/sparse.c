/* sparse.c - a sparse matrix stays sparse, with ascending columns and the
 * values that the dense one would have. */
#include <sys/resource.h>

#include "matrix/sparse.h"
#include "tests/ops/permute/permute.h"

/* Two thirds zeros; row 1 and column 2 empty. */
static struct matrix thin(enum dtype t, size_t m, size_t n)
{
	struct matrix a = random_matrix(t, 8, 2, m, n);

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			if ((i * 7 + j) % 3 || i == 1 || j == 2)
				matrix_set(&a, i * n + j, 0);
			else if (t == INT32)
				matrix_set(&a, i * n + j, (double)(i + 1));
	return a;
}

static struct matrix copy_as(const struct matrix *a, enum layout layout)
{
	struct matrix b = *a;
	struct err e = { 0 };

	memory_ref(b.memory);
	memory_ref(b.index);
	ck_ok(sparse_convert(&b, layout, test_pool, &e), &e);
	return b;
}

static void assert_ascending(const struct matrix *a)
{
	const int64_t *start = sparse_starts(a);
	const int32_t *column = sparse_columns(a);

	ck_assert_int_eq(start[0], 0);
	ck_assert_int_eq(start[a->dim[0]], (int64_t)a->nnz);
	for (size_t i = 0; i < a->dim[0]; i++)
		for (int64_t k = start[i] + 1; k < start[i + 1]; k++)
			ck_assert_int_lt(column[k - 1], column[k]);
}

static void one(enum dtype t, size_t m, size_t n, const char *mode,
                const char *inverse)
{
	const size_t moved = strcmp(mode, "column") == 0 ? n : m;
	struct matrix a = thin(t, m, n), p = shuffled(moved, m + 3 * n);
	struct matrix sparse = copy_as(&a, CSR), back;
	struct args want, got;

	op_run("permute", ((struct matrix[]){ a, p }), 2, &want, "mode", mode,
	       "inverse", inverse, "dtype", dtype_name(t), NULL);
	op_run("permute", ((struct matrix[]){ sparse, p }), 2, &got, "mode",
	       mode, "inverse", inverse, "dtype", dtype_name(t), NULL);
	ck_assert_int_eq(got.out[0].layout, CSR);
	assert_ascending(&got.out[0]);
	back = copy_as(&got.out[0], DENSE);
	for (size_t i = 0; i < m * n; i++)
		ck_assert_double_eq(matrix_get(&back, i),
		                    matrix_get(&want.out[0], i));
	args_fini(&want);
	args_fini(&got);
	matrix_fini(&a);
	matrix_fini(&p);
	matrix_fini(&sparse);
	matrix_fini(&back);
}

START_TEST(a_sparse_matrix_stays_sparse)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 5, 10, 50 };
	static const char *const modes[] = { "row", "column", "symmetric" };
	static const char *const ways[] = { "false", "true" };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t j = 0; j < COUNT(sizes); j++)
			for (int k = 0; k < 2 + (i == j); k++)
				for (int w = 0; w < 2; w++)
					one(FLOAT64, sizes[i], sizes[j],
					    modes[k], ways[w]);
	one(FLOAT32, 20, 30, "column", "true");
	one(INT32, 30, 20, "row", "false");
}
END_TEST

/* The peak of this process's resident memory, in KiB. */
static long most_memory(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

START_TEST(columns_without_entries_take_no_memory)
{
	enum { ROWS = 3, GIB = 1 << 20 };
	const struct sparse_entry x[] = {
		{ 0, 5, 1 }, { 0, 999999999, 2 }, { 2, 1, 3 },
	};
	struct matrix a = { .ndim = 2, .dim = { ROWS, 1000000000 } };
	struct matrix p = shuffled(ROWS, 1);
	const long before = most_memory();
	struct err e = { 0 };
	struct args got;

	ck_ok(sparse_build(&a, x, COUNT(x), test_pool, &e), &e);
	op_run("permute", ((struct matrix[]){ a, p }), 2, &got, "mode", "row",
	       NULL);
	ck_assert_uint_eq(got.out[0].nnz, COUNT(x));
	assert_ascending(&got.out[0]);
	ck_assert_int_lt(most_memory() - before, GIB);
	args_fini(&got);
	matrix_fini(&a);
	matrix_fini(&p);
}
END_TEST

START_TEST(a_row_of_many_entries_is_sorted)
{
	enum { N = 5000 };
	static struct sparse_entry x[N];
	struct matrix a = { .ndim = 2, .dim = { 1, N } }, p = shuffled(N, 7);
	struct err e = { 0 };
	struct args got;

	for (uint32_t j = 0; j < N; j++)
		x[j] = (struct sparse_entry){ 0, j, j };
	ck_ok(sparse_build(&a, x, N, test_pool, &e), &e);
	op_run("permute", ((struct matrix[]){ a, p }), 2, &got, "mode",
	       "column", NULL);
	assert_ascending(&got.out[0]);
	for (size_t j = 0; j < N; j++)
		ck_assert_double_eq(matrix_get(&got.out[0], j),
		                    matrix_get(&p, j));
	args_fini(&got);
	matrix_fini(&a);
	matrix_fini(&p);
}
END_TEST

void permute_sparse_matrices(TCase *t)
{
	tcase_add_test(t, a_sparse_matrix_stays_sparse);
	tcase_add_test(t, columns_without_entries_take_no_memory);
	tcase_add_test(t, a_row_of_many_entries_is_sorted);
}
