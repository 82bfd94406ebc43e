/* writer.c - matrices that are printed in pieces of any size read back
 * whole. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/number.h"
#include "format/writer.h"
#include "matrix/sparse.h"
#include "tests/format/sink.h"
#include "tests/test.h"

static struct matrix new_matrix(enum dtype d, int ndim, const size_t *dim)
{
	struct matrix m = { .dtype = d, .ndim = ndim };
	struct err e = { 0 };

	memcpy(m.dim, dim, (size_t)ndim * sizeof *dim);
	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	return m;
}

static bool print_json(const struct matrix *m, size_t room, struct text *to)
{
	struct json_writer w;
	char *piece = malloc(room);
	size_t n;

	json_writer_init(&w, m);
	while ((n = json_writer_more(&w, piece, room))) {
		ck_assert_uint_le(n, room);
		text_add(to, piece, n);
	}
	free(piece);
	return w.nonfinite;
}

static void prints(enum dtype d, int ndim, const size_t *dim,
                   const double *x, const char *wanted, bool nonfinite)
{
	for (size_t room = 64; room < 200; room += 7) {
		struct matrix m = new_matrix(d, ndim, dim);
		struct text t = { 0 };

		for (size_t i = 0; i < matrix_elements(&m); i++)
			matrix_set(&m, i, x[i]);
		ck_assert_int_eq(print_json(&m, room, &t), nonfinite);
		ck_assert_str_eq(t.data, wanted);
		text_fini(&t);
		matrix_fini(&m);
	}
}

#define DIMS(...) (const size_t[]){ __VA_ARGS__ }

START_TEST(json_nests_as_the_shape_does)
{
	static const double x[] = { 1, -2.5, 0.1, 4, 5, 6e300, 0, 1 };

	prints(FLOAT64, 0, DIMS(0), x, "1", false);
	prints(FLOAT64, 1, DIMS(3), x, "[1,-2.5,0.1]", false);
	prints(FLOAT64, 2, DIMS(2, 3), x, "[[1,-2.5,0.1],[4,5,6e+300]]",
	       false);
	prints(FLOAT64, 2, DIMS(2, 1), x, "[[1],[-2.5]]", false);
	prints(FLOAT32, 3, DIMS(2, 2, 1), x, "[[[1],[-2.5]],[[0.1],[4]]]",
	       false);
	prints(FLOAT64, 3, DIMS(1, 1, 1), x, "[[[1]]]", false);
	prints(INT32, 1, DIMS(2), x, "[1,-2]", false);
	prints(INT64, 1, DIMS(2), x, "[1,-2]", false);
	prints(BOOL, 1, DIMS(2), x + 6, "[false,true]", false);
	prints(BOOL, 0, DIMS(0), x, "true", false);
}
END_TEST

START_TEST(complex_ones_are_told_as_their_parts)
{
	static const double parts[] = { 1, -2.5, 0.1, 4, NAN, 6 };
	static const struct {
		enum dtype dtype;
		int ndim;
		size_t dim[2];
		const char *wanted;
	} rows[] = {
		{ COMPLEX128, 0, { 0 }, "{\"real\":1,\"imag\":-2.5}" },
		{ COMPLEX64, 1, { 3 }, "{\"real\":[1,0.1,null],"
		                       "\"imag\":[-2.5,4,6]}" },
		{ COMPLEX128, 2, { 1, 2 }, "{\"real\":[[1,0.1]],"
		                           "\"imag\":[[-2.5,4]]}" },
		{ COMPLEX64, 2, { 2, 0 }, "{\"real\":[[],[]],"
		                          "\"imag\":[[],[]]}" },
	};

	for (size_t k = 0; k < COUNT(rows); k++)
		for (size_t room = 64; room < 200; room += 7) {
			struct matrix m = new_matrix(rows[k].dtype,
			                             rows[k].ndim, rows[k].dim);
			struct text t = { 0 };

			for (size_t i = 0; i < matrix_elements(&m); i++)
				matrix_set_complex(&m, i, parts[2 * i],
				                   parts[2 * i + 1]);
			print_json(&m, room, &t);
			ck_assert_str_eq(t.data, rows[k].wanted);
			text_fini(&t);
			matrix_fini(&m);
		}
}
END_TEST

START_TEST(matrix_market_has_both_parts_on_a_line)
{
	struct matrix m = new_matrix(COMPLEX64, 2, DIMS(2, 1));
	struct mm_writer w;
	struct text t = { 0 };
	char piece[64];
	size_t n;

	matrix_set_complex(&m, 0, 1, -0.1);
	matrix_set_complex(&m, 1, INFINITY, -1.17549435e-38);
	mm_writer_init(&w, &m);
	while ((n = mm_writer_more(&w, piece, sizeof piece)))
		text_add(&t, piece, n);
	ck_assert_str_eq(t.data, "%%MatrixMarket matrix array complex general\n"
	                 "2 1\n1 -0.1\ninf -1.1754944e-38\n");
	text_fini(&t);
	matrix_fini(&m);
}
END_TEST

START_TEST(empty_matrices_are_empty_rows)
{
	prints(FLOAT64, 1, DIMS(0), NULL, "[]", false);
	prints(FLOAT64, 2, DIMS(2, 0), NULL, "[[],[]]", false);
	prints(FLOAT64, 2, DIMS(0, 2), NULL, "[]", false);
	prints(FLOAT64, 3, DIMS(2, 1, 0), NULL, "[[[]],[[]]]", false);
	prints(FLOAT64, 3, DIMS(2, 0, 3), NULL, "[[],[]]", false);
}
END_TEST

START_TEST(sparse_ones_are_told_in_the_format_they_came_in)
{
	struct sparse_entry x[] = { { 4, 1, 3 }, { 1, 0, 1.5 }, { 1, 2, 2 } };
	static const char *const wanted[] = {
		"{\"format\":\"csr\",\"shape\":[6,3],\"indptr\":"
		"[0,0,2,2,2,3,3],\"indices\":[0,2,1],\"data\":[1.5,2,3]}",
		"{\"format\":\"coo\",\"shape\":[6,3],\"row\":[1,1,4],"
		"\"col\":[0,2,1],\"data\":[1.5,2,3]}",
	};
	struct matrix m = { .ndim = 2, .dim = { 6, 3 } };
	struct err e = { 0 };

	ck_ok(sparse_build(&m, x, COUNT(x), test_pool, &e), &e);
	for (size_t i = 0; i < COUNT(wanted); i++)
		for (size_t room = 64; room < 200; room += 7) {
			struct text t = { 0 };

			m.coordinates = i;
			ck_assert(!print_json(&m, room, &t));
			ck_assert_str_eq(t.data, wanted[i]);
			text_fini(&t);
		}
	matrix_fini(&m);
}
END_TEST

START_TEST(what_is_not_finite_is_null)
{
	static const double x[] = { NAN, INFINITY, -INFINITY, 1 };

	prints(FLOAT64, 1, DIMS(4), x, "[null,null,null,1]", true);
	prints(FLOAT32, 2, DIMS(2, 2), x, "[[null,null],[null,1]]", true);
}
END_TEST

/* A number with random bits from SplitMix64, of any magnitude. */
static double wild(size_t i)
{
	uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
	double x;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	memcpy(&x, &z, sizeof x);
	return isfinite(x) ? x : (double)i;
}

static void round_trip(enum dtype d, size_t m, size_t n, size_t room)
{
	struct matrix a = new_matrix(d, 2, DIMS(m, n));
	struct text t = { 0 };
	struct test_sink s;
	struct err e = { 0 };

	for (size_t i = 0; i < m * n; i++) {
		double x = wild(i);

		matrix_set(&a, i, d == FLOAT32 && fabs(x) > 1e38 ? 0.1 : x);
	}
	text_printf(&t, "{\"a\":{\"dtype\":\"%s\",\"shape\":[%zu,%zu],"
	            "\"data\":", dtype_name(d), m, n);
	print_json(&a, room, &t);
	text_puts(&t, "}}");
	test_sink_init(&s);
	ck_ok(sink_read(&s, "application/json", t.data, t.length, 1000, &e),
	      &e);
	ck_assert_int_eq(s.m[0].dtype, d);
	ck_assert_uint_eq(matrix_size(&s.m[0]), matrix_size(&a));
	ck_assert_int_eq(memcmp(matrix_data(&s.m[0]), matrix_data(&a),
	                        matrix_size(&a)), 0);
	test_sink_fini(&s);
	text_fini(&t);
	matrix_fini(&a);
}

START_TEST(json_reads_back_to_the_same_bits)
{
	static const size_t sizes[] = { 1, 2, 3, 5, 10, 50 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t j = 0; j < COUNT(sizes); j++) {
			round_trip(FLOAT64, sizes[i], sizes[j], 64);
			round_trip(FLOAT32, sizes[i], sizes[j], 65);
		}
	round_trip(FLOAT64, 300, 300, 4096);
	round_trip(FLOAT32, 300, 300, 32768);
}
END_TEST

START_TEST(matrix_market_reads_back_to_the_same_numbers)
{
	for (size_t room = 64; room < 200; room += 31) {
		struct matrix a = new_matrix(FLOAT64, 2, DIMS(7, 5));
		char piece[256];
		struct mm_writer w;
		struct text t = { 0 };
		struct test_sink s;
		struct err e = { 0 };
		size_t n;

		for (size_t i = 0; i < 35; i++)
			matrix_set(&a, i, wild(i));
		mm_writer_init(&w, &a);
		while ((n = mm_writer_more(&w, piece, room))) {
			ck_assert_uint_le(n, room);
			text_add(&t, piece, n);
		}
		test_sink_init(&s);
		ck_ok(sink_read(&s, "application/x-matrix-market", t.data,
		                t.length, 50, &e), &e);
		sink_holds(&s.m[0], FLOAT64, "7x5", matrix_data(&a));
		test_sink_fini(&s);
		text_fini(&t);
		matrix_fini(&a);
	}
}
END_TEST

START_TEST(npy_headers_are_aligned_and_read_back)
{
	static const size_t dims[] = { 2, 3, 1, 1, 1, 1, 1, 123456789 };

	for (int ndim = 0; ndim <= 7; ndim++)
		for (int d = 0; d < COMPLEX64; d++) {
			struct matrix a = new_matrix((enum dtype)d, ndim, dims);
			struct text t = { 0 };
			struct test_sink s;
			struct err e = { 0 };

			for (size_t i = 0; i < matrix_elements(&a); i++)
				matrix_set(&a, i, i % 2);
			npy_header(&t, &a);
			ck_assert_uint_eq(t.length % 64, 0);
			ck_assert_int_eq(t.data[t.length - 1], '\n');
			text_add(&t, matrix_data(&a), matrix_size(&a));
			test_sink_init(&s);
			ck_ok(sink_read(&s, "application/x-npy", t.data,
			                t.length, 9, &e), &e);
			for (size_t i = 0; i < matrix_elements(&a); i++)
				ck_assert(matrix_get(&s.m[0], i) == i % 2);
			test_sink_fini(&s);
			text_fini(&t);
			matrix_fini(&a);
		}
}
END_TEST

TCase *tcase_writer(void)
{
	TCase *c = tcase_create("writer");

	tcase_add_test(c, json_nests_as_the_shape_does);
	tcase_add_test(c, complex_ones_are_told_as_their_parts);
	tcase_add_test(c, matrix_market_has_both_parts_on_a_line);
	tcase_add_test(c, empty_matrices_are_empty_rows);
	tcase_add_test(c, sparse_ones_are_told_in_the_format_they_came_in);
	tcase_add_test(c, what_is_not_finite_is_null);
	tcase_add_test(c, json_reads_back_to_the_same_bits);
	tcase_add_test(c, matrix_market_reads_back_to_the_same_numbers);
	tcase_add_test(c, npy_headers_are_aligned_and_read_back);
	return c;
}
