/* generate.c - generated matrices are what their names promise. */
#include <math.h>

#include "matrix/generate.h"
#include "tests/test.h"

static struct matrix make_as(const char *name, enum dtype d, int ndim,
                             size_t k, size_t m, size_t n, uint64_t seed)
{
	struct matrix out = { .dtype = d, .ndim = ndim };
	size_t dims[] = { k, m, n };
	struct err e = { 0 };
	const struct generator *g = generator_find(name, &e);

	ck_assert_msg(g != NULL, "%s", e.text);
	memcpy(out.dim, dims + 3 - ndim, (size_t)ndim * sizeof dims[0]);
	ck_ok(generator_check(g, &out, &e), &e);
	ck_ok(matrix_alloc(&out, test_pool, &e), &e);
	generator_fill(g, &out, seed, &(struct err){ 0 });
	return out;
}

static struct matrix make(const char *name, size_t n)
{
	return make_as(name, FLOAT64, 2, 1, n, n, 0);
}

static void holds(const char *name, size_t n, const double *x)
{
	struct matrix m = make(name, n);

	for (size_t i = 0; i < n * n; i++)
		ck_assert_msg(fabs(matrix_get(&m, i) - x[i]) <= 1e-15,
		              "%s: element %zu is %.17g, wanted %.17g", name,
		              i, matrix_get(&m, i), x[i]);
	matrix_fini(&m);
}

START_TEST(each_gallery_matrix_has_its_elements)
{
	const double s = sin(1.2), c = cos(1.2);

	holds("hilbert", 3, (double[]){ 1, 1. / 2, 1. / 3, 1. / 2, 1. / 3,
	      1. / 4, 1. / 3, 1. / 4, 1. / 5 });
	holds("identity", 3, (double[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 });
	holds("ones", 2, (double[]){ 1, 1, 1, 1 });
	holds("zeros", 2, (double[]){ 0, 0, 0, 0 });
	holds("ramp", 2, (double[]){ 0, 1, 2, 3 });
	holds("minij", 3, (double[]){ 1, 1, 1, 1, 2, 2, 1, 2, 3 });
	holds("lehmer", 3, (double[]){ 1, 1. / 2, 1. / 3, 1. / 2, 1, 2. / 3,
	      1. / 3, 2. / 3, 1 });
	holds("frank", 4, (double[]){ 4, 3, 2, 1, 3, 3, 2, 1, 0, 2, 2, 1,
	      0, 0, 1, 1 });
	holds("kahan", 3, (double[]){ 1, -c, -c, 0, s, -s * c, 0, 0, s * s });
	holds("wilkinson", 4, (double[]){ 1, 0, 0, 1, -1, 1, 0, 1, -1, -1, 1,
	      1, -1, -1, -1, 1 });
	holds("moler", 3, (double[]){ 1, -1, -1, -1, 2, 0, -1, 0, 3 });
	holds("pascal", 4, (double[]){ 1, 1, 1, 1, 1, 2, 3, 4, 1, 3, 6, 10,
	      1, 4, 10, 20 });
	holds("tridiagonal", 3, (double[]){ 2, -1, 0, -1, 2, -1, 0, -1, 2 });
}
END_TEST

START_TEST(random_is_uniform_and_goes_by_the_seed)
{
	enum { N = 100000 };
	struct matrix a = make_as("random", FLOAT64, 1, 1, 1, N, 7),
	              b = make_as("random", FLOAT64, 1, 1, 1, N, 7),
	              c = make_as("random", FLOAT64, 1, 1, 1, N, 8),
	              f = make_as("random", FLOAT32, 2, 1, N / 100, 100, 7);
	double sum = 0, squares = 0, cross = 0;
	int bins[16] = { 0 };

	for (size_t i = 0; i < N; i++) {
		double x = matrix_get(&a, i), y = matrix_get(&c, i);

		ck_assert(x >= 0 && x < 1);
		ck_assert(x == matrix_get(&b, i));
		ck_assert((float)x == (float)matrix_get(&f, i));
		bins[(int)(16 * x)]++;
		sum += x;
		squares += x * x;
		cross += (x - .5) * (y - .5);
	}
	/* Each bound is five standard deviations. */
	ck_assert(fabs(sum / N - 1. / 2) < 5 * sqrt(1. / 12 / N));
	ck_assert(fabs(squares / N - 1. / 3) < 5 * sqrt(4. / 45 / N));
	ck_assert(fabs(cross / N) < 5. / 12 / sqrt(N));
	for (int i = 0; i < 16; i++)
		ck_assert(abs(bins[i] - N / 16) < 5 * sqrt(N / 16.));
	matrix_fini(&a);
	matrix_fini(&b);
	matrix_fini(&c);
	matrix_fini(&f);
}
END_TEST

START_TEST(spd_is_symmetric_and_dominant_in_every_matrix_of_a_stack)
{
	size_t n = 20;
	struct matrix a = make_as("spd", FLOAT64, 3, 3, n, n, 1);

	for (size_t s = 0; s < 3; s++)
		for (size_t i = 0; i < n; i++) {
			double row = 0;

			for (size_t j = 0; j < n; j++) {
				double x = matrix_get(&a, (s * n + i) * n + j);

				ck_assert(x == matrix_get(&a,
				          (s * n + j) * n + i));
				row += i == j ? 0 : fabs(x);
			}
			ck_assert(matrix_get(&a, (s * n + i) * n + i) > row);
		}
	ck_assert(matrix_get(&a, 1) != matrix_get(&a, n * n + 1));
	matrix_fini(&a);
}
END_TEST

START_TEST(pascal_is_exact_where_float64_is)
{
	struct matrix a = make("pascal", 28);

	for (size_t i = 1; i < 28; i++)
		for (size_t j = 1; j < 28; j++)
			ck_assert(matrix_get(&a, i * 28 + j) ==
			          matrix_get(&a, i * 28 + j - 1) +
			          matrix_get(&a, (i - 1) * 28 + j));
	matrix_fini(&a);
}
END_TEST

START_TEST(shapes_of_every_kind_are_filled)
{
	static const char *const names[] = {
		"hilbert", "random", "identity", "ones", "ramp", "kahan",
		"pascal", "minij", "lehmer", "moler", "tridiagonal",
	};

	for (size_t i = 0; i < COUNT(names); i++) {
		struct matrix v = make_as(names[i], FLOAT32, 1, 1, 1, 5, 0),
		              r = make_as(names[i], FLOAT64, 2, 1, 2, 5, 0),
		              e = make_as(names[i], FLOAT64, 3, 2, 0, 5, 0),
		              t = make_as(names[i], FLOAT64, 3, 2, 3, 1, 0);

		for (size_t k = 0; k < 5; k++)
			ck_assert(isfinite(matrix_get(&v, k)));
		for (size_t k = 0; k < 10; k++)
			ck_assert(isfinite(matrix_get(&r, k)));
		for (size_t k = 0; k < 6; k++)
			ck_assert(isfinite(matrix_get(&t, k)));
		matrix_fini(&v);
		matrix_fini(&r);
		matrix_fini(&e);
		matrix_fini(&t);
	}
}
END_TEST

START_TEST(unknown_names_are_told_the_known_ones)
{
	struct err e = { 0 };

	ck_assert_ptr_null(generator_find("nope", &e));
	ck_assert_int_eq(e.code, ERR_FORMAT);
	ck_assert(strstr(e.text, "nope") && strstr(e.text, "hilbert") &&
	          strstr(e.text, "tridiagonal"));
}
END_TEST

/* SplitMix64's mix */
static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static double uniform(uint64_t seed, uint64_t i)
{
	return (double)(mixed(mixed(seed) + (i + 1) * 0x9e3779b97f4a7c15u) >>
	                11) / 0x1p53;
}

/* Tests the edges of the blocks in which elements are generated, for every
 * length of a row. */
START_TEST(every_place_has_its_own_element)
{
	static const size_t cols[] = { 1, 2, 3, 5, 1023, 1024, 1025, 3000 };

	for (size_t k = 0; k < COUNT(cols); k++)
		for (int d = 0; d < 2; d++) {
			const size_t n = cols[k], m = 5000 / n + 1;
			enum dtype type = d ? FLOAT64 : FLOAT32;
			struct matrix r = make_as("random", type, 3, 2, m, n,
			                          9),
			              t = make_as("minij", type, 3, 2, m, n, 0),
			              p = make_as("pascal", type, 3, 2, 9, n,
			                          0);

			for (size_t i = 0; i < 2 * m * n; i++) {
				double x = uniform(9, i);
				size_t row = i / n % m, col = i % n;

				ck_assert(matrix_get(&r, i) ==
				          (d ? x : (double)(float)x));
				ck_assert(matrix_get(&t, i) ==
				          (double)(row < col ? row : col) + 1);
			}
			for (size_t i = 9 * n; i < 18 * n; i++)
				ck_assert(matrix_get(&p, i) ==
				          matrix_get(&p, i - 9 * n));
			matrix_fini(&r);
			matrix_fini(&t);
			matrix_fini(&p);
		}
}
END_TEST

START_TEST(every_generator_is_what_its_row_says)
{
	const struct generator *g;

	for (size_t i = 0; (g = generator_at(i)); i++) {
		const char *name = generator_name(g);
		const struct matrix tall = { .dtype = FLOAT64, .ndim = 2,
		                             .dim = { 5, 3 } };
		struct matrix a = make_as(name, FLOAT64, 2, 1, 4, 4, 1),
		              b = make_as(name, FLOAT64, 2, 1, 4, 4, 2);
		struct err e = { 0 };
		bool differ = false;

		for (size_t k = 0; k < 16; k++)
			differ |= matrix_get(&a, k) != matrix_get(&b, k);
		ck_assert(generator_find(name, &e) == g);
		ck_assert(*generator_help(g));
		ck_assert_msg(differ == generator_is_seeded(g), "%s", name);
		ck_assert_msg((generator_check(g, &tall, &e) != 0) ==
		              generator_is_square(g), "%s", name);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}
END_TEST

TCase *tcase_generate(void)
{
	TCase *c = tcase_create("generate");

	tcase_add_test(c, each_gallery_matrix_has_its_elements);
	tcase_add_test(c, random_is_uniform_and_goes_by_the_seed);
	tcase_add_test(c,
	    spd_is_symmetric_and_dominant_in_every_matrix_of_a_stack);
	tcase_add_test(c, pascal_is_exact_where_float64_is);
	tcase_add_test(c, shapes_of_every_kind_are_filled);
	tcase_add_test(c, every_place_has_its_own_element);
	tcase_add_test(c, every_generator_is_what_its_row_says);
	tcase_add_test(c, unknown_names_are_told_the_known_ones);
	return c;
}
