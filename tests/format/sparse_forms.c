/* sparse_forms.c - sparse matrices read from every form, and written. */
#include <math.h>
#include <stdio.h>

#include "format/writer.h"
#include "tests/format/sink.h"
#include "tests/matrix/sparse.h"
#include "tests/test.h"

#define JSON "application/json"
#define MM "application/x-matrix-market"
#define BANNER "%%MatrixMarket matrix coordinate "

/* Asserts the matrix of the forms below: rows 0 and 2 have entries, one of them
 * zero. */
static void is_sample(const struct matrix *m)
{
	sparse_holds(m, 3, 4, (int64_t[]){ 0, 2, 2, 4 },
	             (int32_t[]){ 0, 3, 0, 1 }, (double[]){ 5, 6.5, 0, -8 });
}

static const char *const forms[][2] = {
	{ JSON, "{\"b\":{\"format\":\"csr\",\"shape\":[3,4],"
	  "\"indptr\":[0,2,2,4],\"indices\":[0,3,0,1],"
	  "\"data\":[5,6.5,0,-8]}}" },
	{ JSON, "{\"b\":{\"data\":[6.5,5,-8,0],\"indices\":[3,0,1,0], "
	  "\"indptr\":[0, 2,2,4.0],\"shape\":[3,4],\"format\":\"csr\"}}" },
	{ JSON, "{\"b\":{\"format\":\"coo\",\"shape\":[3,4],"
	  "\"row\":[2,0,0,2,0],\"col\":[1,3,0,0,3],"
	  "\"data\":[-8,6,5,0,0.5]}}" },
	{ JSON, "{\"b\":{\"format\":\"csc\",\"shape\":[3,4],"
	  "\"indptr\":[0,2,3,3,4],\"indices\":[2,0,2,0],"
	  "\"data\":[0,5,-8,6.5]}}" },
	{ MM, BANNER "real general\n3 4 5\n3 2 -8\n1 4 6\n1 1 5\n3 1 0\n"
	  "1 4 0.5\n" },
};

static void reads_sample(size_t form, enum layout wanted, size_t piece)
{
	static const double dense[] = { 5, 0, 0, 6.5, 0, 0, 0, 0, 0, -8, 0, 0 };
	const char *body = forms[form][1];
	struct test_sink s;
	struct err e = { 0 };
	const int i = form < 4;		/* Matrix Market names no operand */

	test_sink_init(&s);
	s.m[i].layout = wanted;
	ck_ok(sink_read(&s, forms[form][0], body, strlen(body), piece, &e),
	      &e);
	if (wanted == CSR) {
		is_sample(&s.m[i]);
	} else {
		ck_assert_ptr_null(s.m[i].index);
		ck_assert_int_eq(s.m[i].layout, DENSE);
		sink_holds(&s.m[i], FLOAT64, "3x4", dense);
	}
	test_sink_fini(&s);
}

START_TEST(every_form_is_read_in_any_pieces_as_the_operand_wants)
{
	for (size_t f = 0; f < COUNT(forms); f++)
		for (size_t piece = 1; piece <= strlen(forms[f][1]); piece++) {
			reads_sample(f, CSR, piece);
			reads_sample(f, DENSE, piece);
		}
}
END_TEST

/* Reads a body into a sparse operand. */
static void reads(const char *media, const char *body, size_t rows,
                  size_t cols, const int64_t *starts, const int32_t *columns,
                  const double *values)
{
	struct test_sink s;
	struct err e = { 0 };

	test_sink_init(&s);
	s.m[0].layout = CSR;
	ck_ok(sink_read(&s, media, body, strlen(body), 7, &e), &e);
	sparse_holds(&s.m[0], rows, cols, starts, columns, values);
	test_sink_fini(&s);
}

START_TEST(symmetric_files_are_expanded)
{
	reads(MM, BANNER "integer symmetric\n3 3 4\n1 1 2\n3 1 7\n3 3 1\n"
	      "3 1 1\n", 3, 3, (int64_t[]){ 0, 2, 2, 4 },
	      (int32_t[]){ 0, 2, 0, 2 }, (double[]){ 2, 8, 8, 1 });
	reads(MM, BANNER "real skew-symmetric\n2 2 1\n2 1 7\n", 2, 2,
	      (int64_t[]){ 0, 1, 2 }, (int32_t[]){ 1, 0 },
	      (double[]){ -7, 7 });
	reads(MM, BANNER "pattern symmetric\n2 2 2\n1 1\n2 1\n", 2, 2,
	      (int64_t[]){ 0, 2, 3 }, (int32_t[]){ 0, 1, 0 },
	      (double[]){ 1, 1, 1 });
	reads(MM, BANNER "pattern general\n1 2 1\n1 2\n", 1, 2,
	      (int64_t[]){ 0, 1 }, (int32_t[]){ 1 }, (double[]){ 1 });
	reads(MM, BANNER "real general\n2 0 0\n", 2, 0,
	      (int64_t[]){ 0, 0, 0 }, NULL, NULL);
	/* 2^40 dense elements */
	reads(MM, BANNER "real general\n1 1099511627 1\n1 1000000000 3\n", 1,
	      1099511627, (int64_t[]){ 0, 1 }, (int32_t[]){ 999999999 },
	      (double[]){ 3 });
}
END_TEST

START_TEST(empty_lists_are_matrices_too)
{
	reads(JSON, "{\"a\":{\"format\":\"csr\",\"shape\":[0,5],"
	      "\"indptr\":[0],\"indices\":[],\"data\":[]}}", 0, 5,
	      (int64_t[]){ 0 }, NULL, NULL);
	reads(JSON, "{\"a\":{\"format\":\"coo\",\"shape\":[2,2],\"row\":[],"
	      "\"col\":[],\"data\":[]}}", 2, 2, (int64_t[]){ 0, 0, 0 }, NULL,
	      NULL);
}
END_TEST

static void is_single(struct test_sink *s)
{
	ck_assert_int_eq(s->m[0].dtype, FLOAT32);
	ck_assert_double_eq(matrix_get(&s->m[0], 1), (double)0.1f);
}

START_TEST(a_dtype_may_be_named)
{
	sink_reads(JSON, "{\"a\":{\"format\":\"coo\",\"dtype\":\"float32\","
	           "\"shape\":[1,2],\"row\":[0],\"col\":[1],\"data\":[0.1]}}",
	           is_single);
}
END_TEST

START_TEST(wrong_lists_are_refused_with_their_place)
{
	static const struct { const char *fields, *word; } bad[] = {
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[0,2],\"data\":[1,2]", "indices[1] is 2" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[0,0.5],\"data\":[1,2]", "indices[1] is 0.5" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[-1,0],\"data\":[1,2]", "indices[0] is -1" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,2,1],"
		  "\"indices\":[0,1],\"data\":[1,2]", "indptr[2] is 1" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,3],"
		  "\"indices\":[0,1],\"data\":[1,2]", "indptr[2] is 3" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,1],"
		  "\"indices\":[0,1],\"data\":[1,2]", "indptr[2] is 1" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[1,1,2],"
		  "\"indices\":[0,1],\"data\":[1,2]", "indptr[0] is 1" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1e300,2],"
		  "\"indices\":[0,1],\"data\":[1,2]", "indptr[1]" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,2],"
		  "\"indices\":[0,1],\"data\":[1,2]", "must have 3" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[0],\"data\":[1,2]", "must have 2" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[[0,1]],\"data\":[1,2]", "flat" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[0,1],\"data\":[[1,2]]", "flat" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"indices\":[0,1]", "data is missing" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"indptr\":[0,1,2],"
		  "\"data\":[1,2]", "indices is missing" },
		{ "\"format\":\"csr\",\"shape\":[2,2],\"row\":[0,1],"
		  "\"col\":[0,1],\"data\":[1,2]", "does not go with" },
		{ "\"format\":\"coo\",\"shape\":[2,2],\"row\":[0,1],"
		  "\"col\":[0,1],\"indptr\":[0],\"data\":[1,2]",
		  "does not go with" },
		{ "\"format\":\"coo\",\"shape\":[2,2],\"row\":[0,2],"
		  "\"col\":[0,1],\"data\":[1,2]", "row[1] is 2" },
		{ "\"format\":\"coo\",\"shape\":[2,2],\"row\":[0],"
		  "\"col\":[0,1],\"data\":[1,2]", "row has 1" },
		{ "\"format\":\"coo\",\"shape\":[0,2],\"row\":[0],"
		  "\"col\":[0],\"data\":[1]", "row" },
		{ "\"format\":\"coo\",\"shape\":[2],\"row\":[0],"
		  "\"col\":[0],\"data\":[1]", "shape" },
		{ "\"format\":\"bsr\",\"shape\":[2,2],\"data\":[1]",
		  "csr, csc or coo" },
		{ "\"format\":7,\"shape\":[2,2],\"data\":[1]",
		  "csr, csc or coo" },
		{ "\"format\":\"coo\",\"shape\":[2,2],\"row\":\"x\","
		  "\"col\":[0],\"data\":[1]", "row must be" },
		{ "\"shape\":[2,2],\"row\":[0],\"col\":[0],\"data\":[1]",
		  "does not go" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		char body[256];

		snprintf(body, sizeof body, "{\"a\":{%s}}", bad[i].fields);
		sink_refuses(JSON, body, ERR_FORMAT, bad[i].word);
	}
	sink_refuses(JSON, "{\"a\":{\"format\":\"coo\",\"shape\":[2,4294967296"
	             "],\"row\":[0],\"col\":[0],\"data\":[1]}}", ERR_TOO_LARGE,
	             "end at");
	sink_refuses(MM, BANNER "real general\n4294967296 2 1\n1 1 1\n",
	             ERR_TOO_LARGE, "end at");
}
END_TEST

/* --- writing */

static struct text written_json(const struct matrix *m, size_t room,
                                bool *nonfinite)
{
	struct json_writer w;
	struct text t = { 0 };
	size_t n;

	json_writer_init(&w, m);
	while ((n = json_writer_more(&w, text_reserve(&t, room), room)))
		text_grew(&t, n);
	*nonfinite = w.nonfinite;
	return t;
}

static struct text written_mm(const struct matrix *m, size_t room)
{
	struct mm_writer w;
	struct text t = { 0 };
	size_t n;

	mm_writer_init(&w, m);
	while ((n = mm_writer_more(&w, text_reserve(&t, room), room)))
		text_grew(&t, n);
	return t;
}

static struct matrix sample(enum dtype d)
{
	static const struct sparse_entry x[] = {
		{ 0, 0, 0.1 }, { 0, 3, 6.5 }, { 2, 0, 0 }, { 2, 1, -8 },
	};
	struct matrix m = { .ndim = 2, .dim = { 3, 4 } };
	struct err e = { 0 };

	ck_ok(sparse_build(&m, x, COUNT(x), test_pool, &e), &e);
	ck_ok(matrix_convert(&m, d, test_pool, &e), &e);
	return m;
}

START_TEST(a_sparse_matrix_is_written_as_it_is_read)
{
	struct matrix m = sample(FLOAT32);

	for (size_t room = 64; room < 300; room++) {
		bool nonfinite;
		struct text t = written_json(&m, room, &nonfinite);

		ck_assert_str_eq(t.data, "{\"format\":\"csr\",\"shape\":[3,4],"
		    "\"indptr\":[0,2,2,4],\"indices\":[0,3,0,1],"
		    "\"data\":[0.1,6.5,0,-8]}");
		ck_assert(!nonfinite);
		text_fini(&t);
		t = written_mm(&m, room);
		ck_assert_str_eq(t.data, BANNER "real general\n3 4 4\n"
		    "1 1 0.1\n1 4 6.5\n3 1 0\n3 2 -8\n");
		text_fini(&t);
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(nonfinite_entries_are_null_and_told)
{
	struct matrix m = sample(FLOAT64);
	bool nonfinite;
	struct text t;

	matrix_set(&m, 1, NAN);
	t = written_json(&m, 1000, &nonfinite);
	ck_assert_ptr_nonnull(strstr(t.data, "[0.1,null,0,-8]"));
	ck_assert(nonfinite);
	text_fini(&t);
	matrix_fini(&m);
}
END_TEST

START_TEST(an_empty_one_is_written_too)
{
	struct matrix m = { .ndim = 2, .dim = { 0, 7 } };
	struct err e = { 0 };
	bool nonfinite;
	struct text t;

	ck_ok(sparse_build(&m, NULL, 0, test_pool, &e), &e);
	t = written_json(&m, 64, &nonfinite);
	ck_assert_str_eq(t.data, "{\"format\":\"csr\",\"shape\":[0,7],"
	                 "\"indptr\":[0],\"indices\":[],\"data\":[]}");
	text_fini(&t);
	t = written_mm(&m, 64);
	ck_assert_str_eq(t.data, BANNER "real general\n0 7 0\n");
	text_fini(&t);
	matrix_fini(&m);
}
END_TEST

TCase *tcase_sparse_forms(void)
{
	TCase *c = tcase_create("sparse_forms");

	tcase_add_test(c,
	    every_form_is_read_in_any_pieces_as_the_operand_wants);
	tcase_add_test(c, symmetric_files_are_expanded);
	tcase_add_test(c, empty_lists_are_matrices_too);
	tcase_add_test(c, a_dtype_may_be_named);
	tcase_add_test(c, wrong_lists_are_refused_with_their_place);
	tcase_add_test(c, a_sparse_matrix_is_written_as_it_is_read);
	tcase_add_test(c, nonfinite_entries_are_null_and_told);
	tcase_add_test(c, an_empty_one_is_written_too);
	return c;
}
