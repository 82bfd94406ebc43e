/* tensor.c - products around the edges of the large tiles that tensor cores
 * compute, products with k split, and float32 products with fewer bits where
 * the client allows them. */
#include <math.h>

#include "tests/ops/matmul/matmul.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

static void try_tiles(const struct variant *v)
{
	static const size_t lines[] = { 33, 63, 64, 65, 127, 128, 129, 255,
	                                256, 257 };
	static const size_t k[] = { 1, 3, 8, 15, 16, 17, 31, 32, 33, 48, 100 };
	unsigned turn = 0;

	for (size_t i = 0; i < COUNT(lines); i++)
		for (size_t j = 0; j < COUNT(lines); j++)
			for (int r = 0; r < 4; r++, turn++)
				try_product(v, reals[turn / 4 % 2], lines[i],
				            lines[j],
				            k[(turn + turn / 11) % COUNT(k)],
				            r & 1, r & 2);
}

START_TEST(products_around_the_edges_of_large_tiles_are_accurate)
{
	served_variant(try_tiles);
}
END_TEST

/* The products have few tiles, so that k is split into ranges, equal or not.
 * The last product has more tiles than a device has compute units. */
static void try_deep(const struct variant *v)
{
	static const size_t shape[][3] = {
		{ 64, 64, 511 }, { 64, 64, 512 }, { 65, 40, 513 },
		{ 130, 140, 3001 }, { 50, 60, 40000 },
		{ 33, 34000, 45 },
	};

	for (size_t i = 0; i < COUNT(shape) * 8; i++)
		try_product(v, reals[i & 1], shape[i / 8][0],
		            shape[i / 8][1], shape[i / 8][2], i & 2, i & 4);
}

START_TEST(deep_products_in_parts_are_accurate)
{
	served_variant(try_deep);
}
END_TEST

static void try_rounded(const struct variant *v)
{
	const size_t m = 190, n = 270, k = 90;
	struct matrix in[2] = { random_matrix(FLOAT32, 5, 2, m, k),
	                        random_matrix(FLOAT32, 6, 2, k, n) };
	struct factors f = { &in[0], &in[1], m, n, k, 0, 0, 0, false, false };
	struct args a;

	op_run("matmul", in, 2, &a, "variant", v->name, "precision", "tf32",
	       NULL);
	/* each factor is rounded to 11 bits, the sums to 23 or so */
	check_within(&f, &a.out[0], 0x1p-10 + (double)k * 0x1p-22);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(tf32_keeps_eleven_bits_of_every_element)
{
	each_variant("matmul", try_rounded);
}
END_TEST

/* Scaling by a power of two leaves the digits as they are. The parts that an
 * element is split into must neither overflow nor underflow. */
static void try_scaled(const struct variant *v, double scale)
{
	const size_t n = 70;
	struct matrix in[2] = { random_matrix(FLOAT32, 7, 2, n, n),
	                        random_matrix(FLOAT32, 8, 2, n, n) };
	struct factors f = { &in[0], &in[1], n, n, n, 0, 0, 0, false, false };
	struct args a;

	for (size_t i = 0; i < n * n; i++) {
		matrix_set(&in[0], i, matrix_get(&in[0], i) * scale);
		matrix_set(&in[1], i, matrix_get(&in[1], i) / scale);
	}
	op_run("matmul", in, 2, &a, "variant", v->name, NULL);
	check_product(&f, &a.out[0]);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void try_scales(const struct variant *v)
{
	try_scaled(v, 0x1p100);
	try_scaled(v, 0x1p-100);
	try_scaled(v, 0x1p125);
}

START_TEST(large_and_small_elements_are_as_accurate)
{
	each_variant("matmul", try_scales);
}
END_TEST

/* Too large to be rounded up, and whatever comes after it. */
static void try_largest(const struct variant *v)
{
	const size_t n = 70;
	struct matrix in[2] = { random_matrix(FLOAT32, 7, 2, n, n),
	                        random_matrix(FLOAT32, 8, 2, n, n) };
	struct factors f = { &in[0], &in[1], n, n, n, 0, 0, 0, false, false };
	struct args a;

	matrix_set(&in[0], 5 * n + 3, 0x1.fffffep127);
	for (size_t j = 0; j < n; j++)
		matrix_set(&in[1], 3 * n + j, 0.5);
	op_run("matmul", in, 2, &a, "variant", v->name, NULL);
	check_product(&f, &a.out[0]);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(the_largest_number_is_multiplied_as_others_are)
{
	each_variant("matmul", try_largest);
}
END_TEST

/* The factors are small whole numbers that repeat every 7 rows of A, or every
 * 11 columns of B. C's elements are therefore exact, and a few of them
 * determine all others. */
static double left(size_t i, size_t p)
{
	return (double)((i + 2 * p) % 7) - 3;
}

static double right(size_t p, size_t j)
{
	return (double)((3 * p + j) % 11) - 5;
}

static void fill_repeating(struct matrix *x, size_t rows, size_t cols,
                           bool turned, double (*of)(size_t, size_t))
{
	for (size_t e = 0; e < matrix_elements(x); e++) {
		const size_t at = e % (rows * cols);

		matrix_set(x, e, turned ? of(at % rows, at / rows) :
		                          of(at / cols, at % cols));
	}
}

static void check_repeating(const struct matrix *c, size_t m, size_t n,
                            size_t k)
{
	double sum[7][11] = { { 0 } };

	for (size_t e = 0; e < 77 * k; e++)
		sum[e / k / 11][e / k % 11] += left(e / k / 11, e % k) *
		                               right(e % k, e / k % 11);
	for (size_t e = 0; e < matrix_elements(c); e++)
		if (matrix_get(c, e) != sum[e / n % m % 7][e % n % 11])
			ck_abort_msg("%zux%zux%zu: element %zu is %g", m, n, k,
			             e, matrix_get(c, e));
}

static void try_repeating(const struct variant *v, enum dtype t,
                          const size_t shape[4], int turned,
                          const char *precision)
{
	const size_t m = shape[1], n = shape[2], k = shape[3];
	const bool ta = turned & 1, tb = turned & 2;
	struct matrix in[2] = {
		random_matrix(t, 1, 3, shape[0], ta ? k : m, ta ? m : k),
		random_matrix(t, 2, 3, shape[0], tb ? n : k, tb ? k : n),
	};
	struct args a;

	fill_repeating(&in[0], m, k, ta, left);
	fill_repeating(&in[1], k, n, tb, right);
	op_run("matmul", in, 2, &a, "variant", v->name, "transpose_a",
	       ta ? "true" : "false", "transpose_b", tb ? "true" : "false",
	       "precision", precision, NULL);
	check_repeating(&a.out[0], m, n, k);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

/* The operands are so large that they are packed. There are whole tiles and
 * parts of tiles, a stack, and a product with k split. */
static void try_large(const struct variant *v)
{
	static const size_t shape[][4] = {
		{ 1, 1391, 1407, 704 }, { 1, 1536, 1280, 720 },
		{ 3, 1000, 900, 800 }, { 1, 520, 770, 5000 },
	};

	for (size_t i = 0; i < COUNT(shape) * 4; i++) {
		const enum dtype t = reals[(i + i / 4) % 2];

		try_repeating(v, t, shape[i / 4], (int)(i % 4), "full");
		if (t == FLOAT32)
			try_repeating(v, t, shape[i / 4], (int)(i % 4),
			              "tf32");
	}
}

START_TEST(large_products_of_whole_numbers_are_exact)
{
	served_variant(try_large);
}
END_TEST

void matmul_add_tensor(TCase *t)
{
	tcase_add_test(t,
	    products_around_the_edges_of_large_tiles_are_accurate);
	tcase_add_test(t, deep_products_in_parts_are_accurate);
	tcase_add_test(t, tf32_keeps_eleven_bits_of_every_element);
	tcase_add_test(t, large_and_small_elements_are_as_accurate);
	tcase_add_test(t, large_products_of_whole_numbers_are_exact);
	tcase_add_test(t, the_largest_number_is_multiplied_as_others_are);
}
