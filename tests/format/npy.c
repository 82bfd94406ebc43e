/* npy.c - npy files of every kind come out as the same numbers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/format/sink.h"
#include "tests/test.h"

#define NPY "application/x-npy"

/* Makes a file of version 1 to 3 with that dictionary and those elements. */
static size_t make(char *to, int version, const char *dict,
                   const void *elements, size_t bytes)
{
	size_t n = strlen(dict), prologue = version == 1 ? 10 : 12;

	memcpy(to, "\x93NUMPY", 6);
	memset(to + 6, 0, 6);
	to[6] = (char)version;
	to[8] = (char)(n & 255);
	to[9] = (char)(n >> 8);
	memcpy(to + prologue, dict, n);
	memcpy(to + prologue + n, elements, bytes);
	return prologue + n + bytes;
}

static const double ramp[24] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
	12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
};
static const double signs[] = { -1, 0, 1, 2, -128, 127 };
static const double *wanted;
static const char *wanted_shape;
static enum dtype wanted_dtype;

static void check(struct test_sink *s)
{
	sink_holds(&s->m[0], wanted_dtype, wanted_shape, wanted);
}

static void reverse(char *p, size_t size, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < size / 2; j++) {
			char t = p[i * size + j];

			p[i * size + j] = p[i * size + size - 1 - j];
			p[i * size + size - 1 - j] = t;
		}
}

/* Writes n values as little-endian elements of that kind and size. */
static void elements(char *to, char kind, size_t size, const double *x,
                     size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float f = (float)x[i];
		int64_t v = (int64_t)x[i];

		if (kind == 'f')
			memcpy(to + i * size, size == 4 ? (void *)&f :
			       (void *)&x[i], size);
		else
			memcpy(to + i * size, &v, size);
	}
}

START_TEST(every_dtype_and_byte_order_is_read)
{
	static const struct { const char *name; enum dtype becomes; } types[] =
	{
		{ "f4", FLOAT32 }, { "f8", FLOAT64 }, { "i1", INT64 },
		{ "i2", INT64 }, { "i4", INT32 }, { "i8", INT64 },
		{ "u1", INT64 }, { "u2", INT64 }, { "u4", INT64 },
		{ "u8", INT64 },
	};
	char file[512], data[64], dict[128];

	for (size_t t = 0; t < COUNT(types); t++)
		for (int big = 0; big < 2; big++) {
			const char *type = types[t].name;
			size_t size = (size_t)(type[1] - '0'), n;

			wanted = type[0] == 'u' ? ramp : signs;
			wanted_dtype = types[t].becomes;
			wanted_shape = "2x3";
			elements(data, type[0], size, wanted, 6);
			if (big)
				reverse(data, size, 6);
			sprintf(dict, "{'descr': '%c%s', 'fortran_order': "
			        "False, 'shape': (2, 3), }   \n",
			        size == 1 ? '|' : big ? '>' : '<', type);
			n = make(file, 1 + (int)t % 3, dict, data, 6 * size);
			sink_always(NPY, file, n, check, ERR_NONE);
		}
}
END_TEST

/* Values with their bits in IEEE 754 float16: the limits of its normal and
 * subnormal numbers, infinities and NaN. */
START_TEST(float16_stays_float16)
{
	static const uint16_t bits[] = { 0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001,
	                                 0x83ff, 0x7c00, 0xfc00, 0x0000 };
	static const double x[] = { 1, -2, 65504, 0x1p-14, 0x1p-24,
	                            -0x1.ff8p-15, INFINITY, -INFINITY, 0 };
	uint16_t data[COUNT(bits)];
	char file[512];
	size_t n;

	wanted = x;
	wanted_dtype = FLOAT16;
	wanted_shape = "9";
	memcpy(data, bits, sizeof data);
	n = make(file, 1, "{'descr': '<f2', 'fortran_order': False, "
	         "'shape': (9,), }", data, sizeof data);
	sink_always(NPY, file, n, check, ERR_NONE);
	reverse((char *)data, 2, COUNT(data));
	n = make(file, 1, "{'descr': '>f2', 'fortran_order': False, "
	         "'shape': (9,), }", data, sizeof data);
	sink_always(NPY, file, n, check, ERR_NONE);
}
END_TEST

static void is_exact(struct test_sink *s)
{
	const int64_t *v = matrix_data(&s->m[0]);

	ck_assert_int_eq(s->m[0].dtype, INT64);
	ck_assert_int_eq(v[0], INT64_MIN);
	ck_assert_int_eq(v[1], ((int64_t)1 << 53) + 1);
	ck_assert_int_eq(v[2], INT64_MAX);
	ck_assert(!s->m[0].rounded);
}

START_TEST(integers_of_64_bits_are_exact)
{
	int64_t v[] = { INT64_MIN, ((int64_t)1 << 53) + 1, INT64_MAX };
	char file[512];
	size_t n;

	n = make(file, 1, "{'descr': '<i8', 'fortran_order': False, "
	         "'shape': (3,), }", v, sizeof v);
	sink_always(NPY, file, n, is_exact, ERR_NONE);
	reverse((char *)v, 8, 3);
	n = make(file, 1, "{'descr': '>i8', 'fortran_order': False, "
	         "'shape': (3,), }", v, sizeof v);
	sink_always(NPY, file, n, is_exact, ERR_NONE);
}
END_TEST

static void is_rounded(struct test_sink *s)
{
	check(s);
	ck_assert(s->m[0].rounded);
}

START_TEST(unsigned_beyond_int64_are_rounded_and_told)
{
	static const double big[] = { 0x1p63, 0x1.fffffffffffffp63 };
	static const uint64_t u[] = { (uint64_t)1 << 63,
	                              (uint64_t)0xfffffffffffff800u };
	char file[512];
	size_t n;

	wanted_dtype = FLOAT64;
	wanted = big;
	wanted_shape = "2";
	n = make(file, 1, "{'descr': '<u8', 'fortran_order': False, "
	         "'shape': (2,), }", u, sizeof u);
	sink_always(NPY, file, n, is_rounded, ERR_NONE);
}
END_TEST

START_TEST(booleans_become_integers)
{
	static const double truth[] = { 0, 1, 1 };
	char file[512];
	size_t n;

	wanted_dtype = INT64;
	wanted = truth;
	wanted_shape = "3";
	n = make(file, 1, "{\"shape\":(3L,),\"descr\":\"|b1\","
	         "\"fortran_order\":True}\n", "\0\1\2", 3);
	sink_always(NPY, file, n, check, ERR_NONE);
}
END_TEST

START_TEST(fortran_order_is_turned)
{
	static const double by_columns[] = { 0, 3, 1, 4, 2, 5 };
	double cube[24];
	char file[512];
	size_t n;

	wanted = ramp;
	wanted_dtype = FLOAT64;
	wanted_shape = "2x3";
	n = make(file, 1, "{'descr': '<f8', 'fortran_order': True, "
	         "'shape': (2, 3), }\n", by_columns, sizeof by_columns);
	sink_always(NPY, file, n, check, ERR_NONE);
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 3; j++)
			for (size_t k = 0; k < 4; k++)
				cube[i + 2 * j + 6 * k] =
				    (double)(12 * i + 4 * j + k);
	wanted_shape = "2x3x4";
	n = make(file, 1, "{'descr': '<f8', 'fortran_order': True, "
	         "'shape': (2, 3, 4), }\n", cube, sizeof cube);
	sink_always(NPY, file, n, check, ERR_NONE);
}
END_TEST

START_TEST(large_fortran_arrays_are_turned_tile_by_tile)
{
	static const size_t sizes[][2] = {
		{ 1, 500 }, { 31, 33 }, { 32, 64 }, { 257, 130 }, { 300, 1 },
	};
	struct err e = { 0 };

	for (size_t t = 0; t < COUNT(sizes); t++) {
		size_t m = sizes[t][0], n = sizes[t][1];
		short *x = malloc(2 * m * n);
		char *file = malloc(200 + 2 * m * n), dict[128];
		struct test_sink s;

		for (size_t k = 0; k < m * n; k++)
			x[k] = (short)((k % m * n + k / m) % 30011);
		sprintf(dict, "{'descr': '<i2', 'fortran_order': True, "
		        "'shape': (%zu, %zu), }\n", m, n);
		test_sink_init(&s);
		ck_ok(sink_read(&s, NPY, file,
		                make(file, 1, dict, x, 2 * m * n), 7777, &e),
		      &e);
		for (size_t k = 0; k < m * n; k++)
			ck_assert_double_eq(matrix_get(&s.m[0], k),
			                    (double)(k % 30011));
		test_sink_fini(&s);
		free(file);
		free(x);
	}
}
END_TEST

START_TEST(scalars_and_empty_arrays_are_read)
{
	char file[512];

	wanted = ramp + 7;
	wanted_dtype = FLOAT64;
	wanted_shape = "scalar";
	sink_always(NPY, file, make(file, 1, "{'descr': '<f8', "
	            "'fortran_order': False, 'shape': (), }", ramp + 7, 8),
	            check, ERR_NONE);
	wanted_shape = "0x18446744073709551615";
	sink_always(NPY, file, make(file, 1, "{'descr': '<f8', "
	            "'fortran_order': True, 'shape': "
	            "(0, 18446744073709551615), }", ramp, 0), check, ERR_NONE);
}
END_TEST

START_TEST(what_is_no_matrix_is_refused)
{
	static const struct { const char *dict; enum err_code code; } bad[] = {
#define SHAPED(descr, shape) \
	"{'descr': " descr ", 'fortran_order': False, 'shape': " shape "}"
		{ SHAPED("'|O'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<f16'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<c32'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<c4'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<f16'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<U2'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'|S8'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<M8[s]'", "(1,)"), ERR_FORMAT },
		{ SHAPED("'|V8'", "(1,)"), ERR_FORMAT },
		{ SHAPED("[('x', '<f8')]", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<i3'", "(1,)"), ERR_FORMAT },
		{ SHAPED("''", "(1,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(2,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(0,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(-1,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(1,1,1,1,1,1,1,1,1)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(99999999999999999999,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(4294967296,4294967296)"), ERR_TOO_LARGE },
		{ SHAPED("'<f8'", "(2305843009213693953,)"), ERR_TOO_LARGE },
		{ SHAPED("'<f8'", "(1000000,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "1"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(1,"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(1,), 'shape': (1,)"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(1,), 'x': 1"), ERR_FORMAT },
		{ SHAPED("'<f8'", "(1,)") "x", ERR_FORMAT },
		{ "{'descr': '<f8', 'shape': (1,)}", ERR_FORMAT },
		{ "{'descr': '<f8', 'fortran_order': None, 'shape': (1,)}",
		  ERR_FORMAT },
		{ "", ERR_FORMAT }, { "{", ERR_FORMAT },
		{ "__import__('os')", ERR_FORMAT },
	};
	char file[512];

	for (size_t i = 0; i < COUNT(bad); i++)
		sink_always(NPY, file, make(file, 1, bad[i].dict, ramp, 8),
		            NULL, bad[i].code);
}
END_TEST

START_TEST(truncated_files_are_refused)
{
	char file[512];
	size_t n = make(file, 1, "{'descr': '<f8', 'fortran_order': False, "
	                "'shape': (2, 1), }\n", ramp, 16);

	for (size_t cut = 0; cut < n; cut++)
		sink_always(NPY, file, cut, NULL, ERR_FORMAT);
	sink_always(NPY, file, n + 1, NULL, ERR_FORMAT);
	file[6] = 4;
	sink_always(NPY, file, n, NULL, ERR_FORMAT);
	sink_always(NPY, "\x93NUMPY\2\0\0\0\2\0", 12, NULL, ERR_FORMAT);
	sink_refuses(NPY, "", ERR_FORMAT, "the npy is empty");
}
END_TEST

static enum dtype named;

static int named_dtype(void *arg)
{
	(void)arg;
	return (int)named;
}

/* "V2" may be any two bytes: they are bfloat16 if the request says so, and in
 * the order of bytes in which such programs write them. */
START_TEST(two_bytes_are_bfloat16_only_if_that_is_named)
{
	static const uint16_t bits = 0x3fc0;
	static const double number = 1.5;
	static const struct { const char *dict, *word; enum dtype named; }
	rows[] = {
		{ SHAPED("'<V2'", "(1,)"), "", BFLOAT16 },
		{ SHAPED("'|V2'", "(1,)"), "", BFLOAT16 },
		{ SHAPED("'>V2'", "(1,)"), "structured arrays", BFLOAT16 },
		{ SHAPED("'<V2'", "(1,)"), "name dtype=bfloat16", FLOAT16 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char file[200];
		const size_t n = make(file, 1, rows[i].dict, &bits, 2);
		struct test_sink s;
		struct err e = { 0 };

		named = rows[i].named;
		test_sink_init(&s);
		s.sink.dtype = named_dtype;
		ck_assert_int_eq(sink_read(&s, NPY, file, n, n, &e),
		                 *rows[i].word ? -1 : 0);
		ck_assert_msg(strstr(e.text, rows[i].word), "%s", e.text);
		if (!*rows[i].word)
			sink_holds(&s.m[0], BFLOAT16, "1", &number);
		test_sink_fini(&s);
	}
}
END_TEST

START_TEST(a_head_longer_than_its_body_is_refused)
{
	struct test_sink s;
	struct err e = { 0 };
	struct reader *r;
	char file[200];
	const size_t n = make(file, 1, SHAPED("'<f8'", "(1,)"), ramp, 8);

	test_sink_init(&s);
	r = format_find(NPY)->open(&s.sink, NPY, 20, &e);
	ck_assert_ptr_nonnull(r);
	ck_refused(reader_feed(r, file, n, &e), &e, ERR_FORMAT);
	ck_assert_msg(strstr(e.text, "are 8 bytes, the body has 0"), "%s",
	              e.text);
	reader_free(r);
	test_sink_fini(&s);
}
END_TEST

TCase *tcase_npy(void)
{
	TCase *c = tcase_create("npy");

	tcase_add_test(c, every_dtype_and_byte_order_is_read);
	tcase_add_test(c, float16_stays_float16);
	tcase_add_test(c, integers_of_64_bits_are_exact);
	tcase_add_test(c, unsigned_beyond_int64_are_rounded_and_told);
	tcase_add_test(c, booleans_become_integers);
	tcase_add_test(c, fortran_order_is_turned);
	tcase_add_test(c, large_fortran_arrays_are_turned_tile_by_tile);
	tcase_add_test(c, scalars_and_empty_arrays_are_read);
	tcase_add_test(c, what_is_no_matrix_is_refused);
	tcase_add_test(c, truncated_files_are_refused);
	tcase_add_test(c, two_bytes_are_bfloat16_only_if_that_is_named);
	tcase_add_test(c, a_head_longer_than_its_body_is_refused);
	return c;
}
