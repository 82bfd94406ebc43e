/* spmv.c - sparse matrix times vector: every variant on every structure, judged
 * component by component. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "matrix/sparse.h"
#include "shared/spmv_tile.h"
#include "tests/ops/spmv/spmv.h"

/* Uniform in (-1, 1). */
static double next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
	         UINT64_C(1442695040888963407);
	return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* The entries of a structure that is being built. */
struct entries {
	struct sparse_entry *x;
	size_t n, room;
	uint64_t state;
};

static void add(struct entries *l, size_t i, size_t j)
{
	if (l->n == l->room) {
		l->room = 2 * l->room + 64;
		l->x = realloc(l->x, l->room * sizeof *l->x);
	}
	l->x[l->n++] = (struct sparse_entry){ (uint32_t)i, (uint32_t)j,
	                                      next_random(&l->state) };
}

/* --- structures */

static void empty(struct entries *l, size_t m, size_t n)
{
	(void)l;
	(void)m;
	(void)n;
}

static void full(struct entries *l, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			add(l, i, j);
}

static void banded(struct entries *l, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = i > 3 ? i - 3 : 0; j < n && j <= i + 2; j++)
			add(l, i, j);
}

/* The five-point stencil on a grid of 10 columns. */
static void stencil(struct entries *l, size_t m, size_t n)
{
	static const int step[] = { -10, -1, 0, 1, 10 };

	for (size_t i = 0; i < m; i++)
		for (size_t k = 0; k < COUNT(step); k++) {
			const long j = (long)i + step[k];

			if (j >= 0 && j < (long)n)
				add(l, i, (size_t)j);
		}
}

/* Row i has about n / (i + 1) entries, the first row all; every third row is
 * empty. */
static void power_law(struct entries *l, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = i; i % 3 != 1 && j < n; j += i + 1)
			add(l, i, j);
}

/* All entries are in the last row. */
static void last_row(struct entries *l, size_t m, size_t n)
{
	for (size_t j = 0; m && j < n; j++)
		add(l, m - 1, j);
}

/* Long rows side by side and among short ones. */
static void long_rows(struct entries *l, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < (i % 7 < 3 ? n : i % 5); j++)
			add(l, i, j);
}

typedef void structure(struct entries *l, size_t m, size_t n);

static struct matrix sparse_of(structure *make, size_t m, size_t n)
{
	struct matrix a = { .ndim = 2, .dim = { m, n } };
	struct entries l = { .state = m * 131 + n };
	struct err e = { 0 };

	make(&l, m, n);
	ck_ok(sparse_build(&a, l.x, l.n, test_pool, &e), &e);
	free(l.x);
	return a;
}

static void release(struct matrix *m, int n)
{
	while (n-- > 0)
		matrix_fini(&m[n]);
}

/* --- judging */

/* Row i of A x, and the sum of its terms' magnitudes. */
static long double row_of(const struct matrix *a, const struct matrix *x,
                          size_t i, long double *size)
{
	const int64_t *starts = sparse_starts(a);
	long double sum = 0;

	for (int64_t k = starts[i]; k < starts[i + 1]; k++) {
		const long double term = (long double)matrix_get(a, (size_t)k) *
		    matrix_get(x, (size_t)sparse_columns(a)[k]);

		sum += term;
		*size += fabsl(term);
	}
	return sum;
}

/* Asserts y = c + A x with one rounding to y's type, and one in float64 for
 * every term. */
static void is_product(const char *what, const struct matrix *a,
                       const struct matrix *x, const struct matrix *c,
                       const struct matrix *y)
{
	ck_assert_uint_eq(y->dim[0], a->dim[0]);
	for (size_t i = 0; i < a->dim[0]; i++) {
		const int64_t *starts = sparse_starts(a);
		long double size = 0, want = row_of(a, x, i, &size), bound;

		if (c) {
			want += matrix_get(c, i);
			size += fabs(matrix_get(c, i));
		}
		bound = dtype_epsilon(y->dtype) * fabsl(want) +
		        (long double)(starts[i + 1] - starts[i] + 2) *
		        DBL_EPSILON * size;
		ck_assert_msg(fabsl(matrix_get(y, i) - want) <= bound,
		              "%s: y[%zu] is %.17g, wanted %.17Lg", what, i,
		              matrix_get(y, i), want);
	}
}

static const struct {
	structure *make;
	size_t m, n;
} cases[] = {
	{ full, 1, 1 }, { full, 3, 2 }, { empty, 5, 4 }, { empty, 1, 1 },
	{ banded, 2, 5 }, { banded, 10, 10 }, { banded, 50, 50 },
	{ banded, 127, 127 }, { banded, 128, 130 }, { banded, 129, 129 },
	{ stencil, 300, 300 }, { power_law, 200, 200 },
	{ power_law, 40, 300 }, { last_row, 50, 64 }, { full, 31, 33 },
	{ full, 33, 31 }, { full, 5, 200 }, { banded, 3000, 3000 },
	{ last_row, 20000, 5 }, { long_rows, 12, SPMV_LONG - 1 },
	{ long_rows, 12, SPMV_LONG }, { long_rows, 12, SPMV_LONG + 1 },
	{ long_rows, 30, 2 * SPMV_LONG }, { long_rows, 5, 3 * SPMV_SHARE + 1 },
	{ full, 2, SPMV_SHARE - 1 }, { full, 3, 2 * SPMV_SHARE },
};

/* Runs case i in type t by the variant; accumulates if c is not NULL. */
static void multiplies(const struct variant *v, size_t i, enum dtype t,
                       bool accumulate)
{
	struct matrix in[] = {
		sparse_of(cases[i].make, cases[i].m, cases[i].n),
		random_matrix(t, 7, 1, cases[i].n),
		random_matrix(t, 8, 1, cases[i].m),
	};
	struct err e = { 0 };
	struct args a;
	char what[80];

	snprintf(what, sizeof what, "%s %s case %zu", v->name, dtype_name(t),
	         i);
	ck_ok(matrix_convert(&in[0], t, test_pool, &e), &e);
	op_run("spmv", in, accumulate ? 3 : 2, &a, "variant", v->name,
	       "accumulate", accumulate ? "true" : "false", NULL);
	is_product(what, &in[0], &in[1], accumulate ? &in[2] : NULL,
	           &a.out[0]);
	args_fini(&a);
	release(in, 3);
}

static void multiplies_all(const struct variant *v)
{
	for (size_t i = 0; i < COUNT(cases); i++)
		for (int t = 0; t < 2; t++) {
			multiplies(v, i, t ? FLOAT32 : FLOAT64, false);
			multiplies(v, i, t ? FLOAT32 : FLOAT64, true);
		}
}

START_TEST(every_variant_multiplies_every_structure)
{
	each_variant("spmv", multiplies_all);
}
END_TEST

static void gives_zeros(const struct variant *v)
{
	static const size_t sizes[][2] = { { 0, 0 }, { 0, 5 }, { 5, 0 } };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct matrix in[] = {
			sparse_of(empty, sizes[i][0], sizes[i][1]),
			random_matrix(FLOAT64, 1, 1, sizes[i][1]),
		};
		struct args a;

		op_run("spmv", in, 2, &a, "variant", v->name, NULL);
		ck_assert_uint_eq(matrix_elements(&a.out[0]), sizes[i][0]);
		for (size_t k = 0; k < sizes[i][0]; k++)
			ck_assert_double_eq(matrix_get(&a.out[0], k), 0);
		args_fini(&a);
		release(in, 2);
	}
}

START_TEST(nothing_times_nothing_is_zero)
{
	each_variant("spmv", gives_zeros);
}
END_TEST

/* One call gives the same bits of A^k x as k calls. */
static void repeats(const struct variant *v)
{
	struct matrix in[] = { sparse_of(banded, 100, 100),
	                       random_matrix(FLOAT32, 3, 1, (size_t)100),
	                       random_matrix(FLOAT32, 4, 1, (size_t)100) };
	struct err e = { 0 };
	struct args at_once, a;

	ck_ok(matrix_convert(&in[0], FLOAT32, test_pool, &e), &e);
	op_run("spmv", in, 3, &at_once, "variant", v->name, "repeat", "4",
	       "accumulate", "true", NULL);
	for (int k = 0; k < 4; k++) {
		op_run("spmv", in, k == 3 ? 3 : 2, &a, "variant", v->name,
		       "accumulate", k == 3 ? "true" : "false", NULL);
		matrix_fini(&in[1]);
		in[1] = a.out[0];
		a.out[0] = (struct matrix){ .ndim = MATRIX_ABSENT };
		args_fini(&a);
	}
	ck_assert_mem_eq(matrix_data(&at_once.out[0]), matrix_data(&in[1]),
	                 matrix_size(&in[1]));
	args_fini(&at_once);
	release(in, 3);
}

START_TEST(repeat_is_one_product_after_the_other)
{
	each_variant("spmv", repeats);
}
END_TEST

START_TEST(repeated_products_do_not_overflow_silently)
{
	struct matrix in[] = { matrix_of(FLOAT64, (double[]){ 1e200 }, 2,
	                                 (size_t)1, (size_t)1),
	                       matrix_of(FLOAT64, (double[]){ 2 }, 1,
	                                 (size_t)1) };
	struct err e = { 0 };
	struct args a;

	ck_refused(op_try("spmv", in, 2, &a, &e, "repeat", "2", NULL), &e,
	           ERR_NONFINITE);
	op_run("spmv", in, 2, &a, NULL);
	ck_assert_double_eq(matrix_get(&a.out[0], 0), 2e200);
	args_fini(&a);
	release(in, 2);
}
END_TEST

static void same_bits(const struct variant *v)
{
	struct matrix in[] = { sparse_of(long_rows, 20, 2 * SPMV_SHARE),
	                       random_matrix(FLOAT64, 5, 1,
	                                     (size_t)(2 * SPMV_SHARE)) };
	struct args first, again;

	op_run("spmv", in, 2, &first, "variant", v->name, NULL);
	for (int k = 0; k < 3; k++) {
		op_run("spmv", in, 2, &again, "variant", v->name, NULL);
		ck_assert_mem_eq(matrix_data(&first.out[0]),
		                 matrix_data(&again.out[0]),
		                 matrix_size(&first.out[0]));
		args_fini(&again);
	}
	args_fini(&first);
	release(in, 2);
}

START_TEST(every_run_gives_the_same_bits)
{
	each_variant("spmv", same_bits);
}
END_TEST

static void refuses(const struct matrix *in, int n, enum err_code code,
                    const char *word, const char *name, const char *value)
{
	struct err e = { 0 };
	struct args a;

	ck_refused(op_try("spmv", in, n, &a, &e, name, value, NULL), &e, code);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
}

START_TEST(impossible_calls_are_refused)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)3);
	struct matrix stack = random_matrix(FLOAT64, 1, 3, (size_t)2,
	                                    (size_t)2, (size_t)2);
	struct matrix x3 = random_matrix(FLOAT64, 1, 1, (size_t)3);
	struct matrix x4 = random_matrix(FLOAT64, 1, 1, (size_t)4);
	struct matrix wide = random_matrix(FLOAT64, 1, 2, (size_t)3,
	                                   (size_t)2);

	refuses((struct matrix[]){ a, x4 }, 2, ERR_SHAPE, "x has 4 elements",
	        "repeat", "1");
	refuses((struct matrix[]){ a, wide }, 2, ERR_SHAPE, "a vector",
	        "repeat", "1");
	refuses((struct matrix[]){ stack, x3 }, 2, ERR_SHAPE, "one matrix",
	        "repeat", "1");
	refuses((struct matrix[]){ x3, x3 }, 2, ERR_SHAPE, "dimensions",
	        "repeat", "1");
	refuses((struct matrix[]){ a, x3 }, 2, ERR_SHAPE, "square",
	        "repeat", "2");
	refuses((struct matrix[]){ a, x3 }, 2, ERR_PARAMETER, "repeat",
	        "repeat", "0");
	refuses((struct matrix[]){ a, x3 }, 2, ERR_REQUEST, "operand y",
	        "accumulate", "true");
	refuses((struct matrix[]){ a, x3, x4 }, 3, ERR_REQUEST, "accumulate",
	        "accumulate", "false");
	refuses((struct matrix[]){ a, x3, x3 }, 3, ERR_SHAPE, "y has 3",
	        "accumulate", "true");
	release((struct matrix[]){ a, stack, x3, x4, wide }, 5);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix in[] = { sparse_of(full, 3, 2 * SPMV_SHARE),
	                       random_matrix(FLOAT64, 1, 1,
	                                     (size_t)(2 * SPMV_SHARE)) };

	op_survives_failing_calls("spmv", in, 2);
	release(in, 2);
}
END_TEST

TCase *tcase_spmv(void)
{
	TCase *c = tcase_create("spmv");

	tcase_add_test(c, every_variant_multiplies_every_structure);
	tcase_add_test(c, nothing_times_nothing_is_zero);
	tcase_add_test(c, repeat_is_one_product_after_the_other);
	tcase_add_test(c, repeated_products_do_not_overflow_silently);
	spmv_zeros_tests(c);
	tcase_add_test(c, every_run_gives_the_same_bits);
	tcase_add_test(c, impossible_calls_are_refused);
	tcase_add_test(c, failing_calls_are_survived);
	return c;
}
