/* form_parts.c - the odd headers that parts of forms may have, and the limits
 * of what a form may hold. */
#include "format/octets.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define FORM "multipart/form-data; boundary=xyz"
#define PART "Content-Disposition: form-data; name="
#define END "\r\n--xyz--\r\n"

static const double ramp[] = { 1, 2, 3, 4 };

static void b_is_2x2(struct test_sink *s)
{
	sink_holds(&s->m[1], FLOAT64, "2x2", ramp);
}

static void b_is_scalar(struct test_sink *s)
{
	sink_holds(&s->m[1], FLOAT64, "scalar", ramp);
}

/* Reads a form of one part, which has these lines of header and that body,
 * once and without assertions. */
static int read_part(struct test_sink *s, const char *head, const char *body,
                     struct err *e)
{
	struct text form = { 0 };
	int rc;

	text_printf(&form, "--xyz\r\n%s\r\n\r\n%s" END, head, body);
	*e = (struct err){ 0 };
	rc = sink_read(s, FORM, form.data, form.length, 11, e);
	text_fini(&form);
	return rc;
}

static void refused(const char *head, const char *body, enum err_code code,
                    const char *word)
{
	struct test_sink s;
	struct err e;

	test_sink_init(&s);
	ck_refused(read_part(&s, head, body, &e), &e, code);
	ck_assert_msg(strstr(e.text, word) != NULL, "\"%s\" lacks \"%s\"",
	              e.text, word);
	test_sink_fini(&s);
}

/* Returns a text that begins so and goes on with n letters. The next call
 * overwrites it. */
static const char *with_letters(const char *beginning, size_t n)
{
	static char text[1 << 17];
	const size_t first = strlen(beginning);

	ck_assert_uint_lt(first + n, sizeof text);
	memcpy(text, beginning, first);
	memset(text + first, 'n', n);
	text[first + n] = '\0';
	return text;
}

/* Returns n blanks between two texts. The next call overwrites them. */
static const char *with_blanks(const char *before, size_t n,
                               const char *behind)
{
	static const char kinds[] = { ' ', '\n', '\t', '\r' };
	static char text[1 << 17];
	size_t at = strlen(before);

	ck_assert_uint_lt(at + n + strlen(behind), sizeof text);
	memcpy(text, before, at);
	for (size_t i = 0; i < n; i++)
		text[at++] = kinds[i * i / 3 % 4];
	strcpy(text + at, behind);
	return text;
}

/* --- headers */

static void odd_name(struct test_sink *s)
{
	ck_assert_str_eq(s->parameters.data, "a\"\\c\\d=1;");
}

START_TEST(quotes_and_backslashes_in_names_are_escaped)
{
	sink_reads(FORM, "--xyz\r\n" PART "\"a\\\"\\\\c\\d\"\r\n\r\n1" END,
	           odd_name);
}
END_TEST

START_TEST(a_name_has_at_most_63_bytes)
{
	struct test_sink s;
	struct err e;

	test_sink_init(&s);
	ck_ok(read_part(&s, with_letters(PART, 63), "1", &e), &e);
	ck_assert_uint_eq(s.parameters.length, 63 + strlen("=1;"));
	test_sink_fini(&s);
	refused(with_letters(PART, 64), "1", ERR_REQUEST, "malformed header");
	refused(with_letters(PART "b\r\nContent-Type: ", 64), "1",
	        ERR_REQUEST, "malformed header \"Content-Type: nn");
}
END_TEST

START_TEST(a_zero_byte_is_no_name)
{
	static const char body[] = "--xyz\r\n" PART "\"b\0\"\r\n\r\n1" END;

	sink_always(FORM, body, sizeof body - 1, NULL, ERR_REQUEST);
}
END_TEST

START_TEST(a_file_may_have_an_encoded_name)
{
	sink_reads(FORM, "--xyz\r\n" PART "b; filename*=UTF-8''x\r\n"
	           "Content-Type: application/json\r\n\r\n1" END, b_is_scalar);
}
END_TEST

START_TEST(a_part_has_one_disposition)
{
	refused(PART "b\r\n" PART "b", "1", ERR_REQUEST, "malformed header");
}
END_TEST

START_TEST(bytes_may_be_sent_as_they_are)
{
	sink_reads(FORM, "--xyz\r\n" PART "b\r\nContent-Transfer-Encoding: "
	           "binary\r\n\r\n1" END, b_is_scalar);
	sink_reads(FORM, "--xyz\r\n" PART "b\r\nContent-Transfer-Encoding: "
	           "8Bit\r\n\r\n1" END, b_is_scalar);
	sink_reads(FORM, "--xyz\r\n" PART "b\r\nContent-Transfer-Encoding: "
	           "7bit\r\n\r\n1" END, b_is_scalar);
	refused(PART "b\r\nContent-Transfer-Encoding: quoted-printable", "1",
	        ERR_REQUEST, "Content-Transfer-Encoding: quoted-printable");
}
END_TEST

START_TEST(a_boundary_is_one_line)
{
	sink_refuses(with_letters("multipart/form-data; boundary=", 71), "",
	             ERR_REQUEST, "1 to 70 characters");
	sink_refuses("multipart/form-data; boundary=\"a\rb\"", "",
	             ERR_REQUEST, "needs a boundary");
}
END_TEST

/* --- what parts hold */

START_TEST(blanks_come_before_json)
{
	sink_reads(FORM, "--xyz\r\n" PART "b\r\n\r\n \t\r\n[[1,2],[3,4]]" END,
	           b_is_2x2);
	sink_reads(FORM, "--xyz\r\n" PART "b\r\n\r\n               1" END,
	           b_is_scalar);
	sink_reads(FORM, "--xyz\r\n" PART "b\r\n\r\n                1" END,
	           b_is_scalar);
	sink_reads(FORM, "--xyz\r\n" PART "b\r\n\r\n                \n\n\n"
	           "                [[1,2],[3,4]]" END, b_is_2x2);
	sink_reads(FORM, with_blanks("--xyz\r\n" PART "b\r\n\r\n", 70000,
	                             "[[1,2],[3,4]]" END), b_is_2x2);
	/* nothing tells what blanks are, or zero bytes */
	refused(PART "b", "   ", ERR_REQUEST, "raw bytes need their shape");
	refused(PART "b", with_blanks("", 40, ""), ERR_REQUEST,
	        "raw bytes need their shape");
	refused(PART "b", with_blanks("", 40, "x"), ERR_REQUEST,
	        "raw bytes need their shape");
	sink_always(FORM, "--xyz\r\n" PART "b\r\n\r\n\0[1]" END,
	            sizeof "--xyz\r\n" PART "b\r\n\r\n\0[1]" END - 1, NULL,
	            ERR_REQUEST);
}
END_TEST

/* curl sends application/octet-stream for a.json. */
START_TEST(files_of_json_need_no_type)
{
	static const char *const heads[] = {
		PART "b; filename=\"x.json\"\r\n"
		"Content-Type: application/octet-stream",
		PART "b; filename=X.JSON",
		PART "b; filename=\"x\"",
		PART "b; filename=-\r\nContent-Type: text/plain",
		PART "b; filename*=UTF-8''x.json",
	};
	struct test_sink s;
	struct err e;

	for (size_t i = 0; i < COUNT(heads); i++) {
		test_sink_init(&s);
		ck_ok(read_part(&s, heads[i], "[[1,2],[3,4]]", &e), &e);
		b_is_2x2(&s);
		test_sink_fini(&s);
		test_sink_init(&s);
		ck_ok(read_part(&s, heads[i], with_blanks("", 40,
		      "{\"shape\":[2,2],\"data\":[1,2,3,4]}"), &e), &e);
		b_is_2x2(&s);
		test_sink_fini(&s);
	}
	refused(PART "b; filename=x.json", "?", ERR_REQUEST,
	        "b: invalid token");
	refused(PART "b; filename=x.jso", "1", ERR_REQUEST, "raw bytes need");
	refused(PART "b; filename=.json", "1", ERR_REQUEST, "raw bytes need");
}
END_TEST

START_TEST(files_with_a_shape_are_raw)
{
	static const double text[] = { 0x2c315b5b };
	struct test_sink s;
	struct err e = { 0 };

	test_sink_init(&s);
	s.n_shapes = 1;
	s.shape[0].dtype = INT32;
	ck_ok(octet_shape("shape", "1", &s.shape[0], &e), &e);
	ck_ok(read_part(&s, PART "b; filename=b", "[[1,", &e), &e);
	sink_holds(&s.m[1], INT32, "1", text);
	test_sink_fini(&s);
}
END_TEST

START_TEST(raw_bytes_need_a_sink_with_shapes)
{
	struct test_sink s;
	struct err e;

	test_sink_init(&s);
	s.sink.layout = NULL;
	ck_refused(read_part(&s, PART "b; filename=b", "?", &e), &e,
	           ERR_REQUEST);
	ck_assert_msg(strstr(e.text, "b: raw bytes need") != NULL, "%s",
	              e.text);
	test_sink_fini(&s);
}
END_TEST

/* As of PUT /v1/matrices, whose shape is that of the only operand. */
START_TEST(a_shape_without_a_name_is_any_parts)
{
	static const double dcba[] = { 0x64636261 };
	struct test_sink s;
	struct err e = { 0 };

	test_sink_init(&s);
	s.n_shapes = 1;
	s.shape[0].dtype = INT32;
	ck_ok(octet_shape("shape", "1", &s.shape[0], &e), &e);
	ck_ok(read_part(&s, PART "b; filename=b", "abcd", &e), &e);
	sink_holds(&s.m[1], INT32, "1", dcba);
	test_sink_fini(&s);
	test_sink_init(&s);
	s.n_shapes = 1;
	ck_ok(octet_shape("shape", "100", &s.shape[0], &e), &e);
	ck_refused(read_part(&s, PART "b; filename=b", "abcd", &e), &e,
	           ERR_FORMAT);
	ck_assert_msg(strstr(e.text, "b: the shapes need") != NULL, "%s",
	              e.text);
	test_sink_fini(&s);
}
END_TEST

#define LU "{\"lu\":[[1,2],[3,4]],\"pivots\":[1,2]}"

static const char *const solves[] = { "factors", "pivots", "b" };

START_TEST(factors_bring_their_pivots)
{
	struct test_sink s;
	struct err e;

	test_sink_init(&s);
	s.names = solves;
	ck_ok(read_part(&s, PART "factors", LU, &e), &e);
	sink_holds(&s.m[0], FLOAT64, "2x2", ramp);
	sink_holds(&s.m[1], FLOAT64, "2", ramp);
	test_sink_fini(&s);
}
END_TEST

/* A second part has the pivots, or the operation has none. */
START_TEST(factors_of_a_form_come_once_and_where_they_belong)
{
	static const char *const others[] = { "factors", "a", "b" };
	static const char form[] = "--xyz\r\n" PART "pivots\r\n\r\n[1,2]"
	                           "\r\n--xyz\r\n" PART "factors\r\n\r\n"
	                           LU END;
	struct test_sink s;
	struct err e = { 0 };

	test_sink_init(&s);
	s.names = solves;
	ck_refused(sink_read(&s, FORM, form, sizeof form - 1, 11, &e), &e,
	           ERR_REQUEST);
	ck_assert_msg(strstr(e.text, "pivots: ") != NULL, "%s", e.text);
	test_sink_fini(&s);
	test_sink_init(&s);
	s.names = others;
	ck_refused(read_part(&s, PART "factors", LU, &e), &e, ERR_FORMAT);
	ck_assert_msg(strncmp(e.text, "factors: ", 9) == 0, "%s", e.text);
	test_sink_fini(&s);
}
END_TEST

/* --- limits */

START_TEST(a_parameter_has_at_most_64_kib)
{
	enum { MOST = 64 << 10 };
	struct test_sink s;
	struct err e;

	test_sink_init(&s);
	ck_ok(read_part(&s, PART "p", with_letters("", MOST), &e), &e);
	ck_assert_uint_eq(s.parameters.length, MOST + strlen("p=;"));
	test_sink_fini(&s);
	refused(PART "p", with_letters("", MOST + 1), ERR_PARAMETER,
	        "p: a value of more than 65536 bytes");
}
END_TEST

START_TEST(a_parameter_has_no_zero_byte)
{
	static const char body[] = "--xyz\r\n" PART "p\r\n\r\n1\0" "2" END;

	sink_always(FORM, body, sizeof body - 1, NULL, ERR_PARAMETER);
}
END_TEST

START_TEST(a_header_has_at_most_8_kib)
{
	static const char head[] = PART "p\r\nX: ";
	struct test_sink s;
	struct err e;

	test_sink_init(&s);
	ck_ok(read_part(&s, with_letters(head, 8000), "1", &e), &e);
	test_sink_fini(&s);
	refused(with_letters(head, 8190), "1", ERR_REQUEST,
	        "a header of more than 8192 bytes");
}
END_TEST

/* Reads a form of n parameters. */
static int read_many(int n, struct err *e)
{
	struct text form = { 0 };
	struct test_sink s;
	int rc;

	for (int i = 0; i < n; i++)
		text_printf(&form, "--xyz\r\n" PART "p%d\r\n\r\n1\r\n", i);
	text_puts(&form, "--xyz--");
	test_sink_init(&s);
	rc = sink_read(&s, FORM, form.data, form.length, 100, e);
	test_sink_fini(&s);
	text_fini(&form);
	return rc;
}

START_TEST(a_form_has_at_most_64_parts)
{
	struct err e = { 0 };

	ck_ok(read_many(64, &e), &e);
	ck_refused(read_many(65, &e), &e, ERR_REQUEST);
	ck_assert_str_eq(e.text, "multipart: more than 64 parts");
}
END_TEST

TCase *tcase_form_parts(void)
{
	TCase *c = tcase_create("form_parts");

	tcase_add_test(c, quotes_and_backslashes_in_names_are_escaped);
	tcase_add_test(c, a_name_has_at_most_63_bytes);
	tcase_add_test(c, a_zero_byte_is_no_name);
	tcase_add_test(c, a_file_may_have_an_encoded_name);
	tcase_add_test(c, a_part_has_one_disposition);
	tcase_add_test(c, bytes_may_be_sent_as_they_are);
	tcase_add_test(c, a_boundary_is_one_line);
	tcase_add_test(c, blanks_come_before_json);
	tcase_add_test(c, files_of_json_need_no_type);
	tcase_add_test(c, files_with_a_shape_are_raw);
	tcase_add_test(c, raw_bytes_need_a_sink_with_shapes);
	tcase_add_test(c, a_shape_without_a_name_is_any_parts);
	tcase_add_test(c, factors_bring_their_pivots);
	tcase_add_test(c,
	    factors_of_a_form_come_once_and_where_they_belong);
	tcase_add_test(c, a_parameter_has_at_most_64_kib);
	tcase_add_test(c, a_parameter_has_no_zero_byte);
	tcase_add_test(c, a_header_has_at_most_8_kib);
	tcase_add_test(c, a_form_has_at_most_64_parts);
	return c;
}
