/* matmul.c - every element of a product lies within the bound of a
 * sum of k products, |C - AB| <= k eps |A| |B| (Higham, 2002, 3.13), in every
 * variant, shape, transposition and stack. */
#include <math.h>

#include "tests/ops/matmul/matmul.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const char *const truth[] = { "false", "true" };

static double a_of(const struct factors *f, size_t i, size_t p)
{
	return matrix_get(f->a, f->a_at + (f->ta ? p * f->m + i :
	                                   i * f->k + p));
}

static double b_of(const struct factors *f, size_t p, size_t j)
{
	return matrix_get(f->b, f->b_at + (f->tb ? j * f->k + p :
	                                   p * f->n + j));
}

/* Returns B by columns, so that the k elements of a column are contiguous. */
static double *columns_of(const struct factors *f)
{
	double *b = malloc((f->k * f->n + 1) * sizeof *b);

	for (size_t j = 0; j < f->n; j++)
		for (size_t p = 0; p < f->k; p++)
			b[j * f->k + p] = b_of(f, p, j);
	return b;
}

void check_within(const struct factors *f, const struct matrix *c,
                  double bound)
{
	double *b = columns_of(f), *row = malloc((f->k + 1) * sizeof *row);

	for (size_t i = 0; i < f->m; i++) {
		for (size_t p = 0; p < f->k; p++)
			row[p] = a_of(f, i, p);
		for (size_t j = 0; j < f->n; j++) {
			double got = matrix_get(c, f->c_at + i * f->n + j);
			long double sum = 0, size = 0;

			for (size_t p = 0; p < f->k; p++) {
				long double x = row[p];

				x *= b[j * f->k + p];
				sum += x;
				size += fabsl(x);
			}
			if (!(fabsl(got - sum) <= bound * size))
				ck_abort_msg("%zux%zux%zu %d%d: c[%zu,%zu] is "
				    "%.17g, not %.17Lg", f->m, f->n, f->k,
				    f->ta, f->tb, i, j, got, sum);
		}
	}
	free(row);
	free(b);
}

void check_product(const struct factors *f, const struct matrix *c)
{
	check_within(f, c, (double)f->k * dtype_epsilon(c->dtype));
}

void try_product(const struct variant *v, enum dtype t, size_t m, size_t n,
                 size_t k, bool ta, bool tb)
{
	struct matrix in[2] = {
		random_matrix(t, (unsigned)(m + 7 * k), 2, ta ? k : m,
		              ta ? m : k),
		random_matrix(t, (unsigned)(n + 5 * k + 1), 2, tb ? n : k,
		              tb ? k : n),
	};
	struct factors f = { &in[0], &in[1], m, n, k, 0, 0, 0, ta, tb };
	struct args a;

	op_run("matmul", in, 2, &a, "variant", v->name, "transpose_a",
	       truth[ta], "transpose_b", truth[tb], NULL);
	ck_assert_int_eq(a.out[0].ndim, 2);
	ck_assert_uint_eq(a.out[0].dim[0], m);
	ck_assert_uint_eq(a.out[0].dim[1], n);
	ck_assert_int_eq(a.out[0].dtype, t);
	check_product(&f, &a.out[0]);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

void served_variant(void (*fn)(const struct variant *v))
{
	const struct variant *v = op_find("matmul")->variants;
	const struct sheet *s = device_sheet(test_device);

	while (!(v->auto_for & s->type) || variant_lacks(v, s))
		v++;
	fn(v);
}

static void try_small(const struct variant *v)
{
	static const size_t n[] = { 0, 1, 2, 3, 5, 10, 50 };
	const size_t count = COUNT(n);

	for (size_t i = 0; i < count * count * count * 2; i++)
		try_product(v, reals[i % 2], n[i / 2 % count],
		            n[i / 2 / count % count],
		            n[i / 2 / count / count], i / 2 % 4 & 1,
		            i / 2 % 4 & 2);
}

START_TEST(products_of_every_small_size_are_accurate)
{
	each_variant("matmul", try_small);
}
END_TEST

static void try_edges(const struct variant *v)
{
	static const size_t m[] = { 6, 7, 12, 13, 18, 19, 63, 64, 65 };
	static const size_t n[] = { 8, 9, 16, 17, 31, 32, 33, 64, 65 };
	static const size_t k[] = { 7, 8, 9, 15, 16, 17, 255, 256, 257 };
	unsigned turn = 0;

	for (size_t i = 0; i < COUNT(m); i++)
		for (size_t j = 0; j < COUNT(n); j++)
			for (size_t p = 0; p < COUNT(k); p++, turn++)
				try_product(v, reals[turn / 4 % 2], m[i], n[j],
				            k[p], turn & 1, turn & 2);
}

START_TEST(products_around_every_tile_edge_are_accurate)
{
	each_variant("matmul", try_edges);
}
END_TEST

/* The products have several blocks of rows, columns and depth, whole blocks or
 * not, and are tall, wide or deep. The first shapes are computed with each
 * operand transposed or not, the others one way. */
static void try_blocks(const struct variant *v)
{
	static const size_t shape[][3] = {
		{ 384, 384, 512 }, { 383, 385, 511 }, { 361, 353, 513 },
		{ 3001, 17, 1300 }, { 17, 3001, 1300 }, { 40, 30, 70000 },
		{ 1201, 479, 257 }, { 13, 4099, 1300 }, { 500, 450, 37 },
		{ 98, 700, 2047 }, { 7, 5, 2048 }, { 96, 33, 5000 },
	};

	for (size_t i = 0; i < COUNT(shape); i++)
		for (size_t t = 0; t < 8; t++)
			if (i < 3 || t / 2 == i % 4)
				try_product(v, reals[t & 1], shape[i][0],
				            shape[i][1], shape[i][2], t & 2,
				            t & 4);
}

START_TEST(products_of_many_blocks_are_accurate)
{
	served_variant(try_blocks);
}
END_TEST

/* The product has somewhat more tiles than a device has compute units, so that
 * the units may share some tiles. */
static void try_shared(const struct variant *v)
{
	try_product(v, FLOAT64, 1500, 1481, 300, true, false);
}

START_TEST(products_of_shared_tiles_are_accurate)
{
	served_variant(try_shared);
}
END_TEST

/* The products have few columns, or a small k. */
static void try_thin(const struct variant *v)
{
	static const size_t shape[][3] = {
		{ 520, 3, 300 }, { 513, 4, 256 }, { 515, 2, 257 },
		{ 40, 65, 3 }, { 9, 300, 15 }, { 33, 257, 7 }, { 100, 64, 1 },
	};

	for (size_t i = 0; i < COUNT(shape) * 8; i++)
		try_product(v, reals[i & 1], shape[i / 8][0],
		            shape[i / 8][1], shape[i / 8][2], i & 2, i & 4);
}

START_TEST(thin_products_are_accurate)
{
	each_variant("matmul", try_thin);
}
END_TEST

/* One row or one column, m x k times k. */
static void try_vector(const struct variant *v, const size_t shape[2])
{
	for (int i = 0; i < 8; i++)
		try_product(v, reals[i & 1], i & 4 ? 1 : shape[0],
		            i & 4 ? shape[0] : 1, shape[1], i & 2, i & 2);
}

static void try_short_vectors(const struct variant *v)
{
	static const size_t shape[][2] = {
		{ 1, 1 }, { 4, 16 }, { 5, 17 }, { 7, 15 }, { 3, 33 },
		{ 255, 257 }, { 3, 2312 },
	};

	for (size_t i = 0; i < COUNT(shape); i++)
		try_vector(v, shape[i]);
}

/* The vectors are so long that sums are split, and their lengths are around the
 * edges of chunks. */
static void try_long_vectors(const struct variant *v)
{
	static const size_t shape[][2] = {
		{ 2047, 12 }, { 2049, 21 }, { 12, 2047 }, { 21, 2049 },
		{ 1, 300001 }, { 3, 100003 }, { 100003, 3 }, { 300001, 1 },
		{ 1025, 1027 },
	};

	for (size_t i = 0; i < COUNT(shape); i++)
		try_vector(v, shape[i]);
}

START_TEST(matrix_times_vector_is_accurate)
{
	each_variant("matmul", try_short_vectors);
	served_variant(try_long_vectors);
}
END_TEST

static void refuse(struct matrix a, struct matrix b, const char *ta,
                   const char *text)
{
	struct matrix in[2] = { a, b };
	struct err e = { 0 };
	struct args args;

	ck_refused(op_try("matmul", in, 2, &args, &e, "transpose_a", ta, NULL),
	           &e, ERR_SHAPE);
	ck_assert_msg(strcmp(e.text, text) == 0, "%s", e.text);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(inner_sizes_must_agree)
{
	const size_t n[] = { 0, 1, 2, 3, 4, 5 };

	refuse(random_matrix(FLOAT64, 1, 2, n[2], n[3]),
	       random_matrix(FLOAT64, 1, 2, n[4], n[2]), "false",
	       "matmul: 2x3 times 4x2: inner sizes 3 and 4 differ");
	refuse(random_matrix(FLOAT64, 1, 2, n[2], n[3]),
	       random_matrix(FLOAT64, 1, 2, n[3], n[2]), "true",
	       "matmul: 2x3 transposed times 3x2: inner sizes 2 and 3 differ");
	refuse(random_matrix(FLOAT64, 1, 1, n[5]),
	       random_matrix(FLOAT64, 1, 1, n[4]), "true",
	       "matmul: 5 times 4: inner sizes 5 and 4 differ");
}
END_TEST

START_TEST(leading_dimensions_must_agree_or_be_one)
{
	const size_t n[] = { 0, 1, 2, 3, 4, 5 };

	refuse(random_matrix(FLOAT64, 1, 3, n[2], n[3], n[4]),
	       random_matrix(FLOAT64, 1, 3, n[3], n[4], n[2]), "false",
	       "matmul: 2x3x4 times 3x4x2: leading dimensions 2 and 3 differ");
}
END_TEST

START_TEST(scalars_are_refused)
{
	struct matrix in[2] = { random_matrix(FLOAT64, 1, 0),
	                        random_matrix(FLOAT64, 1, 0) };
	struct err e = { 0 };
	struct args a;

	ck_refused(op_try("matmul", in, 2, &a, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

static void try_square(const struct variant *v)
{
	const size_t n = 37;
	struct matrix m = random_matrix(FLOAT64, 9, 2, n, n);
	struct matrix in[2] = { m, m };
	struct factors f = { &m, &m, n, n, n, 0, 0, 0, false, true };
	struct args a;

	op_run("matmul", in, 2, &a, "variant", v->name, "transpose_b", "true",
	       NULL);
	check_product(&f, &a.out[0]);
	args_fini(&a);
	matrix_fini(&m);
}

START_TEST(a_matrix_times_its_own_transpose_is_accurate)
{
	each_variant("matmul", try_square);
}
END_TEST

START_TEST(mixed_operands_multiply_in_float64)
{
	const size_t n = 3;
	struct matrix in[2] = { random_matrix(FLOAT32, 9, 2, n, n),
	                        random_matrix(FLOAT64, 8, 2, n, n) };
	struct factors f = { &in[0], &in[1], n, n, n, 0, 0, 0, false, false };
	struct args a;

	op_run("matmul", in, 2, &a, NULL);
	ck_assert_int_eq(a.out[0].dtype, FLOAT64);
	check_product(&f, &a.out[0]);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_matmul(void)
{
	TCase *t = tcase_create("matmul");

	tcase_add_test(t, products_of_every_small_size_are_accurate);
	tcase_add_test(t, products_around_every_tile_edge_are_accurate);
	tcase_add_test(t, products_of_many_blocks_are_accurate);
	tcase_add_test(t, products_of_shared_tiles_are_accurate);
	tcase_add_test(t, thin_products_are_accurate);
	tcase_add_test(t, matrix_times_vector_is_accurate);
	tcase_add_test(t, inner_sizes_must_agree);
	tcase_add_test(t, leading_dimensions_must_agree_or_be_one);
	tcase_add_test(t, scalars_are_refused);
	tcase_add_test(t, a_matrix_times_its_own_transpose_is_accurate);
	tcase_add_test(t, mixed_operands_multiply_in_float64);
	matmul_add_integers(t);
	matmul_add_batches(t);
	matmul_add_stacks(t);
	matmul_add_tensor(t);
	matmul_add_values(t);
	return t;
}
