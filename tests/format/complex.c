/* complex.c - complex matrices in every format, in and out. */
#include <stdio.h>
#include <string.h>

#include "format/writer.h"
#include "matrix/convert.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define JSON "application/json"
#define NPY "application/x-npy"
#define MM "application/x-matrix-market"

static const struct {
	const char *shape;
	enum dtype dtype;
	double part[2][4];
} two = { "2x2", COMPLEX128, { { 1, 2, 3, 4 }, { 0, -1, 0.5, 0 } } };

/* Asserts that operand a is that matrix. */
static void ck_parts(const struct matrix *m, enum dtype d, const double *real,
                     const double *imag)
{
	ck_assert_int_eq(m->dtype, d);
	for (size_t i = 0; i < matrix_elements(m); i++) {
		ck_assert_double_eq(matrix_get(m, i), real[i]);
		ck_assert_double_eq(matrix_get_imaginary(m, i), imag[i]);
	}
}

static void is_two(struct test_sink *s)
{
	char text[MATRIX_SHAPE_TEXT];

	ck_assert_str_eq(matrix_shape_text(&s->m[0], text), two.shape);
	ck_parts(&s->m[0], two.dtype, two.part[0], two.part[1]);
}

static void is_two_narrow(struct test_sink *s)
{
	ck_parts(&s->m[0], COMPLEX64, two.part[0], two.part[1]);
}

START_TEST(json_has_an_object_of_two_matrices)
{
	sink_reads(JSON, "{\"a\":{\"real\":[[1,2],[3,4]],"
	           "\"imag\":[[0,-1],[0.5,0]]}}", is_two);
	sink_reads(JSON, "{\"a\":{\"imag\":[[0,-1],[0.5,0]],"
	           "\"real\":[[1,2],[3,4]],\"dtype\":\"complex64\"}}",
	           is_two_narrow);
	sink_reads(JSON, "{\"a\":{\"real\":{\"shape\":[2,2],"
	           "\"data\":[1,2,3,4]},\"imag\":{\"format\":\"coo\","
	           "\"shape\":[2,2],\"row\":[0,1],\"col\":[1,0],"
	           "\"data\":[-1,0.5]}}}", is_two);
}
END_TEST

START_TEST(parts_that_do_not_make_a_matrix_are_refused)
{
	static const struct { const char *body, *word; } bad[] = {
		{ "{\"a\":{\"real\":[[1,2]],\"imag\":[[1],[2]]}}",
		  "same shape" },
		{ "{\"a\":{\"real\":[1,2]}}", "imag" },
		{ "{\"a\":{\"imag\":[1,2]}}", "real" },
		{ "{\"a\":{\"real\":[1],\"imag\":\"x\"}}", "imag" },
		{ "{\"a\":{\"real\":{},\"imag\":[1]}}", "empty" },
		{ "{\"a\":{\"real\":[1],\"real\":[1]}}", "twice" },
		{ "{\"a\":{\"real\":[1],\"imag\":[1],\"data\":[1]}}",
		  "data" },
		{ "{\"a\":{\"real\":{\"real\":[1],\"imag\":[2]},"
		  "\"imag\":[1]}}", "real" },
		{ "{\"a\":{\"real\":[1],\"imag\":[1],"
		  "\"dtype\":\"float32\"}}", "complex64, complex128" },
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		sink_refuses(JSON, bad[i].body, ERR_FORMAT, bad[i].word);
}
END_TEST

/* An npy file of the 2 x 2 matrix, in either byte order and either order of
 * elements. */
static size_t npy_of_two(char *to, bool big, bool fortran)
{
	size_t n = 10;

	memcpy(to, "\x93NUMPY\1\0\166\0", n);
	n += (size_t)sprintf(to + n, "{'descr': '%cc16', 'fortran_order': %s, "
	                     "'shape': (2, 2), }", big ? '>' : '<',
	                     fortran ? "True" : "False");
	memset(to + n, ' ', 128 - n);
	to[127] = '\n';
	for (size_t i = 0; i < 8; i++) {
		const size_t k = i / 2, from = fortran ? k % 2 * 2 + k / 2 : k;
		uint64_t bits;

		memcpy(&bits, &two.part[i % 2][from], sizeof bits);
		bits = big ? __builtin_bswap64(bits) : bits;
		memcpy(to + 128 + 8 * i, &bits, sizeof bits);
	}
	return 128 + 64;
}

START_TEST(npy_files_have_interleaved_parts)
{
	char file[256] = { 0 };

	for (int i = 0; i < 4; i++) {
		const size_t n = npy_of_two(file, i & 1, i & 2);

		sink_always(NPY, file, n, is_two, ERR_NONE);
	}
}
END_TEST

static void is_hermitian(struct test_sink *s)
{
	static const double real[] = { 1, 3, 3, 4 }, imag[] = { 0, -5, 5, 0 };

	ck_parts(&s->m[0], COMPLEX128, real, imag);
}

static void is_symmetric(struct test_sink *s)
{
	static const double real[] = { 1, 3, 3, 4 }, imag[] = { 2, 5, 5, 0 };

	ck_parts(&s->m[0], COMPLEX128, real, imag);
}

START_TEST(matrix_market_mirrors_by_its_symmetry)
{
	sink_reads(MM, "%%MatrixMarket matrix array complex general\n2 2\n"
	           "1 0\n3 0.5\n2 -1\n4 0\n", is_two);
	sink_reads(MM, "%%MatrixMarket matrix array complex hermitian\n2 2\n"
	           "1 0\n3 5\n4 0\n", is_hermitian);
	sink_reads(MM, "%%MatrixMarket matrix coordinate complex hermitian\n"
	           "2 2 3\n1 1 1 0\n2 1 3 5\n2 2 4 0\n", is_hermitian);
	sink_reads(MM, "%%MatrixMarket matrix coordinate complex symmetric\n"
	           "2 2 3\n1 1 1 2\n2 1 3 5\n2 2 4 0\n", is_symmetric);
	sink_reads(MM, "%%MatrixMarket matrix array complex symmetric\n2 2\n"
	           "1 2\n3 5\n4 0\n", is_symmetric);
}
END_TEST

/* Writes 64 bytes at a time, the least room that callers give. */
static void ck_written(const struct matrix *m, const char *json,
                       const char *market)
{
	struct text t = { 0 };
	struct json_writer j;
	struct mm_writer w;
	char piece[64];
	size_t n;

	json_writer_init(&j, m);
	while ((n = json_writer_more(&j, piece, sizeof piece)))
		text_add(&t, piece, n);
	ck_assert_str_eq(t.data, json);
	text_clear(&t);
	mm_writer_init(&w, m);
	while ((n = mm_writer_more(&w, piece, sizeof piece)))
		text_add(&t, piece, n);
	ck_assert_str_eq(t.data, market);
	text_fini(&t);
}

START_TEST(sparse_ones_are_written_as_two_matrices)
{
	double values[] = { 1, -0.5, 2.2250738585072014e-308,
	                    -2.2250738585072014e-308 };
	struct { int64_t starts[3]; int32_t columns[2]; } index = {
		{ 0, 1, 2 }, { 1, 0 }
	};
	struct memory at = { .data = values }, of = { .data = &index };
	const struct matrix m = {
		.dtype = COMPLEX128, .ndim = 2, .dim = { 2, 2 },
		.layout = CSR, .nnz = 2, .memory = &at, .index = &of,
	};

	ck_written(&m, "{\"real\":{\"format\":\"csr\",\"shape\":[2,2],"
	           "\"indptr\":[0,1,2],\"indices\":[1,0],"
	           "\"data\":[1,2.2250738585072014e-308]},"
	           "\"imag\":{\"format\":\"csr\",\"shape\":[2,2],"
	           "\"indptr\":[0,1,2],\"indices\":[1,0],"
	           "\"data\":[-0.5,-2.2250738585072014e-308]}}",
	           "%%MatrixMarket matrix coordinate complex general\n"
	           "2 2 2\n1 2 1 -0.5\n"
	           "2 1 2.2250738585072014e-308 -2.2250738585072014e-308\n");
}
END_TEST

START_TEST(types_are_converted_part_by_part)
{
	double values[] = { 1, -0.1 };
	struct memory at = { .data = values, .bytes = sizeof values,
	                     .refs = 2 };
	struct memory_pool *pool;
	struct matrix m = { .dtype = FLOAT64, .ndim = 1, .dim = { 2 },
	                    .memory = &at };
	struct err e = { 0 };

	pool = memory_pool_new(1 << 20, &e);
	ck_assert_int_eq(matrix_convert(&m, COMPLEX64, pool, &e), 0);
	ck_assert_double_eq(matrix_get(&m, 1), -0.1f);
	ck_assert_double_eq(matrix_get_imaginary(&m, 1), 0);
	ck_assert_int_eq(matrix_convert(&m, COMPLEX128, pool, &e), 0);
	ck_assert_double_eq(matrix_get(&m, 1), -0.1f);
	matrix_set_complex(&m, 0, 1, 1e300);
	ck_assert_int_eq(matrix_convert(&m, FLOAT64, pool, &e), -1);
	ck_assert_int_eq(e.code, ERR_FORMAT);
	e = (struct err){ 0 };
	ck_assert_int_eq(matrix_convert(&m, COMPLEX64, pool, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "element 0"));
	matrix_fini(&m);
	memory_pool_free(pool);
}
END_TEST

TCase *tcase_complex_formats(void)
{
	TCase *c = tcase_create("complex_formats");

	tcase_add_test(c, json_has_an_object_of_two_matrices);
	tcase_add_test(c, parts_that_do_not_make_a_matrix_are_refused);
	tcase_add_test(c, npy_files_have_interleaved_parts);
	tcase_add_test(c, matrix_market_mirrors_by_its_symmetry);
	tcase_add_test(c, sparse_ones_are_written_as_two_matrices);
	tcase_add_test(c, types_are_converted_part_by_part);
	return c;
}
