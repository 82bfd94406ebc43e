/* multipart.c - forms as curl -F and others send them. */
#include "format/octets.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define FORM "multipart/form-data; boundary=xyz"
#define PART "Content-Disposition: form-data; name="
#define FILE_PART PART "\"a\"; filename=\"a.npy\"\r\n" \
	"Content-Type: application/octet-stream\r\n\r\n"
#define HEADER "{'descr': '|i1', 'fortran_order': False, 'shape': (3,)}\n"
#define NPY_HEAD "\x93NUMPY\1\0\x38\0" HEADER

static const double three[] = { 13, 10, 45 };	/* CR, LF, '-' */
static const double ramp[] = { 1, 2, 3, 4 };

static void a_is_three(struct test_sink *s)
{
	sink_holds(&s->m[0], INT64, "3", three);
}

static void reads(const void *body, size_t n,
                  void (*check)(struct test_sink *s))
{
	sink_always(FORM, body, n, check, ERR_NONE);
}

#define READS(body, check) reads(body, sizeof body - 1, check)

START_TEST(elements_may_look_like_the_boundary)
{
	READS("--xyz\r\n" FILE_PART NPY_HEAD "\r\n-\r\n--xyz--\r\n",
	      a_is_three);
	READS("preamble\r\n--xyz \t\r\n" FILE_PART NPY_HEAD "\r\n-\r\n--xyz--"
	      "\r\nepilogue\r\n--xyz\r\n", a_is_three);
}
END_TEST

static void two_and_parameters(struct test_sink *s)
{
	a_is_three(s);
	sink_holds(&s->m[1], FLOAT64, "2x2", ramp);
	ck_assert_str_eq(s->parameters.data, "tol=1e-8;empty=;text=a\r\n--xy;");
}

START_TEST(operands_and_parameters_stand_side_by_side)
{
	READS("--xyz\r\n" PART "\"tol\"\r\n\r\n1e-8\r\n"
	      "--xyz\r\n" FILE_PART NPY_HEAD "\r\n-\r\n"
	      "--xyz\r\n" PART "empty\r\n\r\n\r\n"
	      "--xyz\r\n" PART "text\r\n\r\na\r\n--xy\r\n"
	      "--xyz\r\ncontent-type: application/json; charset=utf-8\r\n"
	      "content-disposition: Form-Data; NAME=b\r\n\r\n"
	      "[[1,2],[3,4]]\r\n--xyz--", two_and_parameters);
}
END_TEST

static void b_is_2x2(struct test_sink *s)
{
	sink_holds(&s->m[1], FLOAT64, "2x2", ramp);
}

START_TEST(each_format_is_recognised)
{
	static const char market[] =
	    "%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n4\n";
	static const char *const heads[] = {
		PART "b; filename=b.mtx\r\nContent-Type: text/plain",
		PART "\"b\"; filename=\"b \\\"q\\\".mtx\"",
		PART "b\r\nContent-Type: application/x-matrix-market",
		"X-Other: y\r\n" PART "b",
	};

	for (size_t i = 0; i < COUNT(heads); i++) {
		struct text body = { 0 };

		text_printf(&body, "--xyz\r\n%s\r\n\r\n%s\r\n--xyz--\r\n",
		            heads[i], market);
		reads(body.data, body.length, b_is_2x2);
		text_fini(&body);
	}
	READS("--xyz\r\n" PART "b\r\n\r\n [[1,2],[3,4]]\r\n--xyz--\r\n",
	      b_is_2x2);
	READS("--xyz\r\n" PART "b\r\n\r\n{\"shape\":[2,2],\"data\":[1,2,3,4]}"
	      "\r\n--xyz--\r\n", b_is_2x2);
}
END_TEST

START_TEST(raw_parts_go_by_their_shape)
{
	static const char body[] =
	    "--xyz\r\n" PART "b; filename=b.bin\r\n\r\n\1\0\0\0\2\0\0\0"
	    "\3\0\0\0\4\0\0\0\r\n--xyz--\r\n";

	for (size_t piece = 1; piece < sizeof body; piece++) {
		struct test_sink s;
		struct err e = { 0 };

		test_sink_init(&s);
		s.n_shapes = 2;
		s.shape_of[0] = "a";
		s.shape_of[1] = "b";
		s.shape[1].dtype = INT32;
		ck_ok(octet_shape("b.shape", "2,2", &s.shape[1], &e), &e);
		ck_ok(sink_read(&s, FORM, body, sizeof body - 1, piece, &e),
		      &e);
		sink_holds(&s.m[1], INT32, "2x2", ramp);
		test_sink_fini(&s);
	}
}
END_TEST

static void scalar(struct test_sink *s)
{
	sink_holds(&s->m[0], FLOAT64, "scalar", ramp + 2);
}

START_TEST(a_quoted_boundary_and_a_scalar_are_read)
{
	static const char body[] = "--a b\r\n" PART "a\r\n\r\n3\r\n--a b--";

	sink_always("Multipart/Form-Data; charset=x; BOUNDARY=\"a b\"", body,
	            sizeof body - 1, scalar, ERR_NONE);
}
END_TEST

START_TEST(malformed_forms_are_refused)
{
	static const char *const bad[] = {
		"", "--xyz", "--xyz\r\n", "--xy--\r\n", "xyz--",
		"--xyz\r\n" PART "\"x\"\r\n\r\n1",
		"--xyz\r\n" PART "\"x\"\r\n\r\n1\r\n--xyz",
		"--xyz\r\n" PART "\"x\"\r\n\r\n1\r\n--xyz-",
		"--xyz\r\n" PART "\"x\"\r\n\r\n1\r\n--xyzz--\r\n",
		"--xyz\r\n" PART "\"x\r\n\r\n1\r\n--xyz--\r\n",
		"--xyz\r\n" PART "\"\"\r\n\r\n1\r\n--xyz--\r\n",
		"--xyz\r\n\r\n1\r\n--xyz--\r\n",
		"--xyz\r\nContent-Type: text/plain\r\n\r\n1\r\n--xyz--\r\n",
		"--xyz\r\nno header\r\n\r\n1\r\n--xyz--\r\n",
		"--xyz\r\nContent-Disposition: attachment; name=x\r\n\r\n1\r\n"
		"--xyz--\r\n",
		"--xyz\r\nContent-Transfer-Encoding: base64\r\n" PART "x"
		"\r\n\r\nMQ==\r\n--xyz--\r\n",
		"--xyz\r\n" PART "\"x\"\r\n\r\n1\r\n--xyz\r\n" PART
		"\"x\"\r\n\r\n2\r\n--xyz--\r\n",
		"--xyz\r\n" PART "d; filename=d\r\n\r\n1\r\n--xyz--\r\n",
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		sink_refuses(FORM, bad[i], ERR_REQUEST, "");
	sink_refuses("multipart/form-data", "", ERR_REQUEST, "boundary");
	sink_refuses("multipart/form-data; boundary=", "", ERR_REQUEST,
	             "boundary");
	sink_refuses(FORM, "--xyz\r\n" PART "unknown\r\n\r\n1\r\n--xyz--\r\n",
	             ERR_PARAMETER, "unknown");
	sink_refuses(FORM, "--xyz\r\n" PART "a; filename=a\r\nContent-Type: "
	             "image/png\r\n\r\n1\r\n--xyz--\r\n", ERR_FORMAT,
	             "image/png");
	sink_refuses(FORM, "--xyz\r\n" PART "a\r\n\r\n[[1,2],[3]]\r\n"
	             "--xyz--\r\n", ERR_FORMAT, "a: row 2");
	sink_refuses(FORM, "--xyz\r\n" PART "a; filename=a\r\n\r\nwhat?\r\n"
	             "--xyz--\r\n", ERR_REQUEST, "shape");
}
END_TEST

START_TEST(a_bad_npy_in_a_part_names_its_operand)
{
	static const char body[] = "--xyz\r\n" FILE_PART NPY_HEAD
	                           "12\r\n--xyz--\r\n";
	static const char huge[] = "--xyz\r\n" FILE_PART "\x93NUMPY\1\0\x48\0"
	    "{'descr': '<f8', 'fortran_order': False, "
	    "'shape': (100000, 100000), }    \r\n--xyz--\r\n";
	struct test_sink s;
	struct err e = { 0 };

	sink_always(FORM, body, sizeof body - 1, NULL, ERR_FORMAT);
	sink_always(FORM, huge, sizeof huge - 1, NULL, ERR_FORMAT);
	test_sink_init(&s);
	sink_read(&s, FORM, body, sizeof body - 1, 1000, &e);
	ck_assert_msg(strncmp(e.text, "a: ", 3) == 0, "%s", e.text);
	test_sink_fini(&s);
}
END_TEST

TCase *tcase_multipart(void)
{
	TCase *c = tcase_create("multipart");

	tcase_add_test(c, elements_may_look_like_the_boundary);
	tcase_add_test(c, operands_and_parameters_stand_side_by_side);
	tcase_add_test(c, each_format_is_recognised);
	tcase_add_test(c, raw_parts_go_by_their_shape);
	tcase_add_test(c, a_quoted_boundary_and_a_scalar_are_read);
	tcase_add_test(c, malformed_forms_are_refused);
	tcase_add_test(c, a_bad_npy_in_a_part_names_its_operand);
	return c;
}
