/* hygiene.c - a request that two readers could understand differently is
 * refused. */
#include <stdio.h>

#include "http/hygiene.h"
#include "tests/test.h"

/* Checks a head of that version with these lines, ended by NULL. */
static int take(struct hygiene *h, const char *const *lines,
                const char *version, struct err *e)
{
	char first[64];

	*h = (struct hygiene){ 0 };
	snprintf(first, sizeof first, "POST /lu %s", version);
	if (hygiene_request_line(h, first, strlen(first), e))
		return -1;
	for (; *lines; lines++)
		if (hygiene_field_line(h, *lines, strlen(*lines), e))
			return -1;
	return hygiene_end(h, e);
}

static void refused(enum err_code code, const char *const *lines,
                    const char *version)
{
	struct err e = { 0 };
	struct hygiene h;

	ck_assert_msg(take(&h, lines, version, &e) == -1, "%s was taken",
	              *lines ? *lines : version);
	ck_assert_int_eq(e.code, code);
}

#define LINES(...) (const char *const[]){ __VA_ARGS__, NULL }

START_TEST(ordinary_requests_pass)
{
	struct err e = { 0 };
	struct hygiene h;

	ck_ok(take(&h, LINES("Host: x", "Content-Length: 11"), "HTTP/1.1",
	           &e), &e);
	ck_assert_uint_eq(hygiene_length(&h), 11);
	ck_ok(take(&h, LINES("host: x", "Transfer-Encoding: Chunked"),
	           "HTTP/1.1", &e), &e);
	ck_assert_uint_eq(hygiene_length(&h), LENGTH_UNKNOWN);
	ck_ok(take(&h, LINES("Accept: */*"), "HTTP/1.0", &e), &e);
	ck_assert_uint_eq(hygiene_length(&h), 0);
	ck_ok(take(&h, LINES("Host: x", "X-Odd_name.1~: a\tb \xc3\xa4"),
	           "HTTP/1.1", &e), &e);
}
END_TEST

START_TEST(one_message_has_one_length)
{
	refused(ERR_REQUEST, LINES("Host: x", "Content-Length: 5",
	        "Content-Length: 5"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Content-Length: 5",
	        "content-length: 0"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Content-Length: 5",
	        "Transfer-Encoding: chunked"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Transfer-Encoding: chunked",
	        "Content-Length: 5"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Transfer-Encoding: chunked",
	        "Transfer-Encoding: chunked"), "HTTP/1.1");
}
END_TEST

START_TEST(what_has_one_value_stands_on_one_line)
{
	refused(ERR_REQUEST, LINES("Host: x", "Host: x"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Content-Type: text/plain",
	        "content-type: application/json"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Authorization: Bearer a",
	        "Authorization: Bearer b"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Idempotency-Key: a",
	        "Idempotency-Key: b"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Content-Encoding: identity",
	        "Content-Encoding: gzip"), "HTTP/1.1");
}
END_TEST

START_TEST(a_length_is_digits_below_2_to_63)
{
	static const char *const bad[] = {
		"Content-Length: +5", "Content-Length: -5",
		"Content-Length: 0x5", "Content-Length: 5 5",
		"Content-Length: 5,5", "Content-Length:",
		"Content-Length: 9223372036854775808",
		"Content-Length: 18446744073709551615",
		"Content-Length: 18446744073709551617",
		"Content-Length: 99999999999999999999999999",
		"Content-Length: 5 ",
	};
	struct err e = { 0 };
	struct hygiene h;

	for (size_t i = 0; i < COUNT(bad); i++)
		refused(ERR_REQUEST, LINES("Host: x", bad[i]), "HTTP/1.1");
	ck_ok(take(&h, LINES("Host: x", "Content-Length: 9223372036854775807"),
	           "HTTP/1.1", &e), &e);
	ck_assert_uint_eq(hygiene_length(&h), INT64_MAX);
}
END_TEST

START_TEST(only_chunked_is_a_known_coding)
{
	refused(ERR_CODING, LINES("Host: x", "Transfer-Encoding: gzip"),
	        "HTTP/1.1");
	refused(ERR_CODING, LINES("Host: x",
	        "Transfer-Encoding: gzip, chunked"), "HTTP/1.1");
	refused(ERR_CODING, LINES("Host: x", "Transfer-Encoding: xchunked"),
	        "HTTP/1.1");
	refused(ERR_CODING, LINES("Host: x", "Transfer-Encoding: identity"),
	        "HTTP/1.1");
	/* libmicrohttpd reads the space as part of the coding's name. */
	refused(ERR_CODING, LINES("Host: x", "Transfer-Encoding: chunked "),
	        "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Transfer-Encoding: chunked"), "HTTP/1.0");
}
END_TEST

START_TEST(names_are_tokens)
{
	refused(ERR_REQUEST, LINES("Host: x", "Content-Length : 5"),
	        "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "X(y): 5"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "X\x01y: 5"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", " X: 5"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", ": 5"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "X\xc3\xa4: 5"), "HTTP/1.1");
}
END_TEST

START_TEST(values_have_no_control_characters)
{
	struct err e = { 0 };
	struct hygiene h = { 0 };

	refused(ERR_REQUEST, LINES("Host: x", "X: a\rb"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "X: a\x7f"), "HTTP/1.1");
	ck_refused(hygiene_field_line(&h, "X: a\0b", 6, &e), &e, ERR_REQUEST);
}
END_TEST

START_TEST(http_1_1_needs_one_host)
{
	refused(ERR_REQUEST, LINES("Accept: */*"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "Host: y"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x"), "HTTP/2.0");
	refused(ERR_REQUEST, LINES("Host: x"), "");
}
END_TEST

START_TEST(a_header_stands_on_one_line)
{
	refused(ERR_REQUEST, LINES("Host: x", "X: a", " b"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "X: a", "\tb"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES(" Host: x", "Host: x"), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", " "), "HTTP/1.1");
	refused(ERR_REQUEST, LINES("Host: x", "X"), "HTTP/1.1");
}
END_TEST

/* Checks the first line of a request. */
static int first_line(const char *line, struct hygiene *h, struct err *e)
{
	*h = (struct hygiene){ 0 };
	*e = (struct err){ 0 };
	return hygiene_request_line(h, line, strlen(line), e);
}

START_TEST(a_request_line_has_three_words_of_visible_ascii)
{
	static const char *const bad[] = {
		"GET", "GET /lu", "GET  /lu HTTP/1.1", "GET /lu  HTTP/1.1",
		" GET /lu HTTP/1.1", "GET /lu HTTP/1.1 ", "GET /l u HTTP/1.1",
		"GET /lu\t HTTP/1.1", "GET /\xc3\xa4 HTTP/1.1",
		"G(T /lu HTTP/1.1", "GET /lu HTTP/1.2", "GET /lu HTTP/2.0",
		"GET /lu http/1.1", "GET /lu HTTP/1.1x", "GET /lu\x7f HTTP/1.1",
	};
	struct hygiene h;
	struct err e;

	ck_ok(first_line("GET /lu?a=%00&b=~{} HTTP/1.1", &h, &e), &e);
	ck_assert(!h.http_1_0);
	ck_ok(first_line("POST http://x/ HTTP/1.0", &h, &e), &e);
	ck_assert(h.http_1_0);
	for (size_t i = 0; i < COUNT(bad); i++) {
		ck_assert_msg(first_line(bad[i], &h, &e) == -1, "%s", bad[i]);
		ck_assert_int_eq(e.code, ERR_REQUEST);
	}
}
END_TEST

START_TEST(a_head_has_a_limited_number_of_entries)
{
	struct hygiene h = { 0 };
	struct err e = { 0 };
	char cookies[2 * HYGIENE_ENTRIES + 16] = "Cookie: a";

	for (int i = 1; i < HYGIENE_ENTRIES; i++)
		strcat(cookies, ";a");
	ck_ok(hygiene_field_line(&h, "X: y", 4, &e), &e);
	ck_refused(hygiene_field_line(&h, cookies, strlen(cookies), &e), &e,
	           ERR_HEAD);
}
END_TEST

START_TEST(the_head_says_whether_another_request_follows)
{
	static const struct {
		const char *version, *line;
		bool closes;
	} rows[] = {
		{ "HTTP/1.1", "X: y", false },
		{ "HTTP/1.1", "Connection: close", true },
		{ "HTTP/1.1", "Connection: TE , Close", true },
		{ "HTTP/1.1", "Connection: closed", false },
		{ "HTTP/1.0", "X: y", true },
		{ "HTTP/1.0", "Connection: Keep-Alive", false },
	};
	struct err e = { 0 };
	struct hygiene h;

	for (size_t i = 0; i < COUNT(rows); i++) {
		ck_ok(take(&h, LINES("Host: x", rows[i].line),
		           rows[i].version, &e), &e);
		ck_assert_msg(h.closes == rows[i].closes, "%s %s",
		              rows[i].version, rows[i].line);
	}
}
END_TEST

TCase *tcase_http_hygiene(void)
{
	TCase *t = tcase_create("http_hygiene");

	tcase_add_test(t, ordinary_requests_pass);
	tcase_add_test(t, one_message_has_one_length);
	tcase_add_test(t, what_has_one_value_stands_on_one_line);
	tcase_add_test(t, a_length_is_digits_below_2_to_63);
	tcase_add_test(t, only_chunked_is_a_known_coding);
	tcase_add_test(t, names_are_tokens);
	tcase_add_test(t, values_have_no_control_characters);
	tcase_add_test(t, http_1_1_needs_one_host);
	tcase_add_test(t, a_header_stands_on_one_line);
	tcase_add_test(t, a_request_line_has_three_words_of_visible_ascii);
	tcase_add_test(t, a_head_has_a_limited_number_of_entries);
	tcase_add_test(t, the_head_says_whether_another_request_follows);
	return t;
}
