/* permute.c - the elements arrive where p sends them, with the same bits, for
 * every shape, mode, element type and variant. */
#include <math.h>
#include <string.h>

#include "tests/ops/permute/permute.h"

struct matrix shuffled(size_t n, uint64_t seed)
{
	struct matrix p = { .dtype = FLOAT64, .ndim = 1, .dim = { n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&p, test_pool, &e), &e);
	for (size_t i = 0; i < n; i++)
		matrix_set(&p, i, (double)i);
	for (size_t i = n; i > 1; i--) {
		double last = matrix_get(&p, i - 1);
		size_t j;

		seed = seed * UINT64_C(6364136223846793005) +
		       UINT64_C(1442695040888963407);
		j = (size_t)(seed >> 33) % i;
		matrix_set(&p, i - 1, matrix_get(&p, j));
		matrix_set(&p, j, last);
	}
	return p;
}

/* The index of `from` that belongs at index i of `to`, if this dimension is
 * permuted. */
static size_t moved(const struct matrix *p, size_t i, bool is_moved)
{
	return is_moved ? (size_t)matrix_get(p, i) : i;
}

/* to[i][j] = from[p[i]][p[j]]; for the inverse the two are swapped. Elements of
 * the same type are the same bits. */
static void assert_gathered(const struct matrix *to, const struct matrix *from,
                            const struct matrix *p, bool rows, bool columns)
{
	const size_t m = matrix_rows(to), n = matrix_cols(to);
	const size_t bytes = dtype_bytes(to->dtype);
	const char *const got = matrix_data(to);
	const char *const data = matrix_data(from);

	ck_assert_int_eq(from->dtype, to->dtype);
	for (size_t j = 0; j < n; j++) {
		const size_t column = moved(p, j, columns);

		for (size_t i = 0; i < matrix_stack(to) * m; i++) {
			const size_t row = i / m * m + moved(p, i % m, rows);

			if (memcmp(got + (i * n + j) * bytes,
			           data + (row * n + column) * bytes, bytes))
				ck_abort_msg("row %zu, column %zu", i, j);
		}
	}
}

static const struct way {
	const char *name;
	bool rows, columns;
} ways[] = {
	{ "row", true, false }, { "column", false, true },
	{ "symmetric", true, true },
};

static void one(enum dtype t, size_t stack, size_t m, size_t n,
                const struct way *w, const char *variant)
{
	struct matrix in[2] = { random_matrix(t, 5, 3, stack, m, n),
	                        shuffled(w->rows ? m : n, m + n) };
	struct args r;

	for (size_t i = 0; dtype_is_integer(t) && i < stack * m * n; i++)
		matrix_set(&in[0], i, (double)i * 97 - 5e5);
	op_run("permute", in, 2, &r, "variant", variant, "mode", w->name,
	       "dtype", dtype_name(t), NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	assert_gathered(&r.out[0], &in[0], &in[1], w->rows, w->columns);
	args_fini(&r);
	op_run("permute", in, 2, &r, "variant", variant, "mode", w->name,
	       "dtype", dtype_name(t), "inverse", "true", NULL);
	assert_gathered(&in[0], &r.out[0], &in[1], w->rows, w->columns);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void all_shapes(const struct variant *v)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 5, 8, 15, 16, 17, 50, 63,
		64, 65 };
	static const enum dtype types[] = { FLOAT32, FLOAT64, INT32, INT64 };

	for (size_t t = 0; t < COUNT(types); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			for (size_t j = 0; j < COUNT(sizes); j++) {
				one(types[t], 1, sizes[i], sizes[j], &ways[0],
				    v->name);
				one(types[t], 1, sizes[i], sizes[j], &ways[1],
				    v->name);
				if (i == j)
					one(types[t], 1, sizes[i], sizes[i],
					    &ways[2], v->name);
			}
}

START_TEST(every_shape_in_every_mode_and_variant)
{
	each_variant("permute", all_shapes);
}
END_TEST

static void long_and_stacked(const struct variant *v)
{
	one(FLOAT32, 1, 3, 4097, &ways[1], v->name);	/* beyond a strip */
	one(FLOAT64, 1, 17, 8200, &ways[0], v->name);
	one(FLOAT32, 1, 70000, 1, &ways[0], v->name);
	one(FLOAT32, 1, 2050, 2064, &ways[0], v->name);	/* bypasses caches */
	one(FLOAT64, 1, 300, 300, &ways[2], v->name);
	one(FLOAT32, 4, 17, 18, &ways[0], v->name);
	one(FLOAT64, 3, 16, 16, &ways[2], v->name);
	one(INT32, 0, 4, 4, &ways[2], v->name);
}

START_TEST(long_matrices_and_stacks)
{
	each_variant("permute", long_and_stacked);
}
END_TEST

static void there_and_back(const struct variant *v)
{
	struct matrix in[2] = { random_matrix(FLOAT64, 3, 1, (size_t)10001),
	                        shuffled(10001, 9) };
	struct args r, back;

	op_run("permute", in, 2, &r, "variant", v->name, NULL);
	ck_assert_int_eq(r.out[0].ndim, 1);
	for (size_t i = 0; i < 10001; i++)
		ck_assert_double_eq(matrix_get(&r.out[0], i),
		                    matrix_get(&in[0], moved(&in[1], i,
		                                             true)));
	op_run("permute", ((struct matrix[]){ r.out[0], in[1] }), 2, &back,
	       "variant", v->name, "inverse", "true", NULL);
	ck_assert_mem_eq(matrix_data(&back.out[0]), matrix_data(&in[0]),
	                 matrix_size(&in[0]));
	args_fini(&back);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(a_vector_goes_forward_and_back)
{
	each_variant("permute", there_and_back);
}
END_TEST

static void assert_values(const struct matrix *m, const double *want)
{
	for (size_t i = 0; i < matrix_elements(m); i++)
		ck_assert_double_eq(matrix_get(m, i), want[i]);
}

/* The article's permutation 1 -> 2 -> 3 -> 1: A' x is y permuted, and so is A''
 * x'. */
START_TEST(the_articles_example_comes_out)
{
	const double values[] = { 11, 12, 13, 21, 22, 23, 31, 32, 33 };
	const double order[] = { 2, 0, 1 }, vector[] = { 1, 2, 3 };
	const double rows[] = { 31, 32, 33, 11, 12, 13, 21, 22, 23 };
	const double both[] = { 33, 31, 32, 13, 11, 12, 23, 21, 22 };
	const double turned[] = { 3, 1, 2 };
	struct matrix a = matrix_of(FLOAT64, values, 2, (size_t)3, (size_t)3);
	struct matrix p = matrix_of(FLOAT64, order, 1, (size_t)3);
	struct matrix x = matrix_of(FLOAT64, vector, 1, (size_t)3);
	struct args r;

	op_run("permute", ((struct matrix[]){ a, p }), 2, &r, NULL);
	assert_values(&r.out[0], rows);
	args_fini(&r);
	op_run("permute", ((struct matrix[]){ a, p }), 2, &r, "mode",
	       "symmetric", NULL);
	assert_values(&r.out[0], both);
	args_fini(&r);
	op_run("permute", ((struct matrix[]){ x, p }), 2, &r, NULL);
	assert_values(&r.out[0], turned);
	args_fini(&r);
	matrix_fini(&a);
	matrix_fini(&p);
	matrix_fini(&x);
}
END_TEST

START_TEST(indices_do_not_decide_the_element_type)
{
	struct matrix in[2] = { random_matrix(FLOAT32, 3, 2, (size_t)4,
	                                      (size_t)2), shuffled(4, 1) };
	struct args r;

	op_run("permute", in, 2, &r, NULL);
	ck_assert_int_eq(r.out[0].dtype, FLOAT32);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(what_is_no_permutation_is_named)
{
	static const struct {
		double p[3];
		const char *says;
	} rows[] = {
		{ { 0, 0, 1 }, "0 occurs at 0 and at 1, 2 does not occur" },
		{ { 2, 1, 2 }, "2 occurs at 0 and at 2, 0 does not occur" },
		{ { 0, 1, 3 }, "element 2 is 3" },
		{ { 0, -1, 2 }, "element 1 is -1" },
		{ { 0.5, 1, 2 }, "element 0 is 0.5" },
		{ { NAN, 1, 2 }, "element 0 is nan" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct matrix in[2] = {
			random_matrix(FLOAT64, 1, 2, (size_t)3, (size_t)2),
			matrix_of(FLOAT64, rows[i].p, 1, (size_t)3)
		};
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("permute", in, 2, &r, &e, NULL), &e,
		           ERR_MATHEMATICS);
		ck_assert_msg(strstr(e.text, rows[i].says), "%s", e.text);
		ck_assert_str_eq(e.pointer, "/p");
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

static void refuse_shapes(size_t m, size_t n, size_t length, const char *mode,
                          const char *pointer)
{
	struct matrix in[2] = { random_matrix(FLOAT64, 1, 2, m, n),
	                        shuffled(length, 1) };
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("permute", in, 2, &r, &e, "mode", mode, NULL), &e,
	           ERR_SHAPE);
	ck_assert_str_eq(e.pointer, pointer);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(sizes_must_agree)
{
	refuse_shapes(3, 4, 4, "row", "/p");
	refuse_shapes(3, 4, 3, "column", "/p");
	refuse_shapes(3, 4, 3, "symmetric", "/a");
	refuse_shapes(3, 3, 0, "symmetric", "/p");
}
END_TEST

START_TEST(p_must_be_a_vector)
{
	struct matrix in[2] = {
		random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)2),
		random_matrix(FLOAT64, 1, 2, (size_t)2, (size_t)1)
	};
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("permute", in, 2, &r, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix in[2] = {
		random_matrix(FLOAT32, 1, 2, (size_t)20, (size_t)30),
		shuffled(20, 4)
	};

	op_survives_failing_calls("permute", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_permute(void)
{
	TCase *t = tcase_create("permute");

	tcase_add_test(t, every_shape_in_every_mode_and_variant);
	tcase_add_test(t, long_matrices_and_stacks);
	tcase_add_test(t, a_vector_goes_forward_and_back);
	tcase_add_test(t, the_articles_example_comes_out);
	tcase_add_test(t, indices_do_not_decide_the_element_type);
	tcase_add_test(t, what_is_no_permutation_is_named);
	tcase_add_test(t, sizes_must_agree);
	tcase_add_test(t, p_must_be_a_vector);
	tcase_add_test(t, failing_calls_are_survived);
	permute_sparse_matrices(t);
	return t;
}
