/* gate.c - what the gate lets pass, however the bytes are cut into pieces. */
#include <stdlib.h>

#include "http/gate.h"
#include "tests/test.h"

struct script {
	const char *bytes;
	size_t passes;			/* bytes, if they come at once */
	unsigned requests;		/* complete ones */
	enum err_code code;		/* ERR_NONE: nothing is refused */
};

#define HEAD "POST /lu HTTP/1.1\r\nHost: x\r\n"
#define GET_X "GET /x HTTP/1.1\r\nHost: x\r\n\r\n"
#define CHUNKED HEAD "Transfer-Encoding: chunked\r\n\r\n"
#define GOOD(text, n) { text, sizeof(text) - 1, n, ERR_NONE }
#define BAD(good, text, n) { good text, sizeof(good) - 1, n, ERR_REQUEST }

static const struct script scripts[] = {
	GOOD("", 0),
	GOOD(GET_X, 1),
	GOOD("\r\n" GET_X, 1),
	GOOD(GET_X GET_X "GET", 2),
	GOOD(HEAD "Content-Length: 3\r\n\r\n\r\n\n" GET_X, 2),
	GOOD(HEAD "Content-Length: 3\r\n\r\nab", 0),
	GOOD(CHUNKED "3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n0\r\n\r\n"
	     GET_X, 2),
	GOOD(CHUNKED "0\r\nTrailer: 1\r\nX: y\r\n\r\n" GET_X, 2),
	/* after the last request nothing passes */
	{ "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGARBAGE\n",
	  47, 1, ERR_NONE },
	{ "GET /x HTTP/1.0\r\n\r\n" GET_X, 19, 1, ERR_NONE },
	GOOD("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" GET_X, 2),

	BAD("", "GET /x HTTP/1.1\nHost: x\r\n\r\n", 0),
	BAD("", "GET /x HTTP/1.1\r\nHost: x\n\r\n", 0),
	BAD("", "GET /x HTTP/1.1\r\nHost: x\r\n\n", 0),
	BAD("", "\n" GET_X, 0),
	BAD("", "\r\n\r\n" GET_X, 0),
	BAD("", "GET /x HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", 0),
	BAD("", "GET /x HTTP/1.1\r\nHost: x\r\n y\r\n\r\n", 0),
	BAD("", "GET /x HTTP/1.1\r\n Host: x\r\n\r\n", 0),
	BAD(GET_X, HEAD "Content-Length:\r\n 3\r\n\r\n", 1),
	BAD(GET_X GET_X, HEAD "X:\r\n\t\r\n\r\n", 2),
	BAD(GET_X, "GARBAGE\r\n", 1),
	BAD("", CHUNKED "3\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED "3;x\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED "3\r\nabc\n0\r\n\r\n", 0),
	BAD("", CHUNKED "3\r\nabcd\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED "0x3\r\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED " 3\r\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED "3 \r\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED "+3\r\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED ";x\r\nabc\r\n0\r\n\r\n", 0),
	BAD("", CHUNKED "\r\n\r\n", 0),
	/* refused before the end of the line */
	BAD("", CHUNKED "3x", 0),
	BAD("", CHUNKED "3\r\nabcd", 0),
	BAD("", CHUNKED "3\r\nabc\rd", 0),
	BAD("", CHUNKED "0\r\nX: y\r\n z\r\n\r\n", 0),
	BAD("", CHUNKED "0\r\nX : y\r\n\r\n", 0),
	BAD("", CHUNKED "0\r\n\n", 0),
	{ CHUNKED "1000000000000000\r\n", 0, 0, ERR_TOO_LARGE },
};

/* Feeds the whole script in pieces of that size; returns the bytes that
 * passed. */
static size_t feed(struct gate *g, const char *bytes, size_t n, size_t piece,
                   struct err *e)
{
	size_t passed = 0;

	*g = (struct gate){ 0 };
	*e = (struct err){ 0 };
	for (size_t at = 0; at < n && e->code == ERR_NONE; at += piece) {
		const size_t take = size_min(piece, n - at);

		passed += gate_feed(g, bytes + at, take, e);
	}
	return passed;
}

START_TEST(whole_requests_pass_and_nothing_after_a_fault)
{
	for (size_t i = 0; i < COUNT(scripts); i++) {
		const struct script *s = &scripts[i];
		struct gate g;
		struct err e;
		const size_t n = strlen(s->bytes);
		const size_t passed = feed(&g, s->bytes, n, n, &e);

		ck_assert_msg(e.code == s->code, "%s: %s", s->bytes, e.text);
		ck_assert_msg(passed == s->passes, "%s: %zu", s->bytes, passed);
		ck_assert_msg(g.requests == s->requests, "%s", s->bytes);
		gate_fini(&g);
	}
}
END_TEST

START_TEST(it_does_not_matter_how_the_bytes_are_cut)
{
	for (size_t i = 0; i < COUNT(scripts); i++)
		for (size_t piece = 1; piece < 40; piece++) {
			const struct script *s = &scripts[i];
			struct gate g;
			struct err e;

			feed(&g, s->bytes, strlen(s->bytes), piece, &e);
			ck_assert_msg(e.code == s->code &&
			              g.requests == s->requests,
			              "%s by %zu: %s", s->bytes, piece, e.text);
			gate_fini(&g);
		}
}
END_TEST

/* A head of n bytes without its end. */
static void endless(const char *begin, size_t n, enum err_code code)
{
	char *bytes = malloc(n);
	struct gate g;
	struct err e;

	memset(bytes, 'a', n);
	memcpy(bytes, begin, strlen(begin));
	feed(&g, bytes, n, 1000, &e);
	ck_assert_msg(e.code == code, "%s: %s", begin, e.text);
	gate_fini(&g);
	free(bytes);
}

START_TEST(lines_are_limited)
{
	endless("GET /", GATE_HEAD - 1000, ERR_NONE);
	endless("GET /", GATE_HEAD + 1000, ERR_TARGET);
	endless("GET / HTTP/1.1\r\nX: ", GATE_HEAD - 1000, ERR_NONE);
	endless("GET / HTTP/1.1\r\nX: ", GATE_HEAD + 1000, ERR_HEAD);
	endless(CHUNKED "5;", 3 * GATE_CHUNK_LINE, ERR_REQUEST);
	endless(CHUNKED "0\r\nX: ", 2 * GATE_TRAILERS, ERR_HEAD);
}
END_TEST

START_TEST(a_head_is_under_way_until_its_end)
{
	struct gate g;
	struct err e;

	feed(&g, "", 0, 1, &e);
	ck_assert(!gate_in_head(&g));
	feed(&g, "G", 1, 1, &e);
	ck_assert(gate_in_head(&g));
	gate_fini(&g);
	feed(&g, HEAD, strlen(HEAD), 100, &e);
	ck_assert(gate_in_head(&g));
	gate_fini(&g);
	feed(&g, GET_X, strlen(GET_X), 7, &e);
	ck_assert(!gate_in_head(&g));
	gate_fini(&g);
}
END_TEST

TCase *tcase_http_gate(void)
{
	TCase *t = tcase_create("http_gate");

	tcase_add_test(t, whole_requests_pass_and_nothing_after_a_fault);
	tcase_add_test(t, it_does_not_matter_how_the_bytes_are_cut);
	tcase_add_test(t, lines_are_limited);
	tcase_add_test(t, a_head_is_under_way_until_its_end);
	return t;
}
