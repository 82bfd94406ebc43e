/* raw.c - every byte of the replies to requests that two readers could
 * understand differently: one reply to each good request before, one refusal,
 * and nothing after it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "tests/http/http_room.h"

enum { MOST = 16 };

/* Collects the statuses of the replies in t, which must consist of replies. */
static int statuses(const struct text *t, int status[MOST])
{
	const char *at = t->data, *const end = t->data + t->length;
	int n = 0;

	for (; at < end; n++) {
		const char *body = strstr(at, "\r\n\r\n");
		const char *length = strcasestr(at, "\r\nContent-Length: ");

		ck_assert_msg(n < MOST && body && length && length < body &&
		              sscanf(at, "HTTP/1.1 %d ", &status[n]) == 1,
		              "reply %d is none: %.400s", n, at);
		at = body + 4 + strtol(length + 18, NULL, 10);
	}
	ck_assert_msg(at == end, "%td bytes are missing", at - end);
	return n;
}

/* A connection on which these bytes were sent, in pieces of that size, and the
 * sending side was closed. */
static int dial_and_say(const char *bytes, size_t n, size_t piece)
{
	const int yes = 1, fd = http_dial();

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	for (size_t at = 0; at < n; at += piece)
		http_put(fd, bytes + at, size_min(piece, n - at));
	shutdown(fd, SHUT_WR);
	return fd;
}

/* All that the server answers to them. */
static struct text say(const char *bytes, size_t n, size_t piece)
{
	const int fd = dial_and_say(bytes, n, piece);
	struct text t = http_get(fd, NULL);

	close(fd);
	return t;
}

#define GET_HELLO "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
#define POST "POST /sum HTTP/1.1\r\nHost: x\r\n"
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n"

/* Requests that could be read otherwise, and what is hidden behind them. */
static const struct {
	int status;
	const char *request;
} patterns[] = {
	{ 400, POST "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello" },
	{ 400, POST "Content-Length: 5, 5\r\n\r\nhello" },
	{ 400, POST "Content-Length: +5\r\n\r\nhello" },
	{ 400, POST "Content-Length: 5 \r\n\r\nhello" },
	{ 400, POST "Content-Length: 18446744073709551615\r\n\r\nhello" },
	{ 400, POST "Content-Length: 18446744073709551621\r\n\r\nhello" },
	{ 400, POST "Content-Length : 5\r\n\r\nhello" },
	{ 400, POST "Content-Length\t: 5\r\n\r\nhello" },
	{ 400, POST "Content-Length:\r\n 34\r\n\r\n" },
	{ 400, POST "Content-Length:\r\n\t34\r\n\r\n" },
	{ 400, POST "Content-Length: 3\r\n 4\r\n\r\n" },
	{ 400, POST "X: y\r\n Content-Length: 34\r\n\r\n" },
	{ 400, POST "Content-Length: 34\r\n \r\n\r\n" },
	{ 400, "POST /sum HTTP/1.1\r\n Content-Length: 34\r\nHost: x\r\n\r\n" },
	{ 400, POST "Idempotency-Key: a\r\n b\r\nContent-Length: 0\r\n\r\n" },
	{ 400, POST "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" },
	{ 400, POST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
	       "0\r\n\r\n" },
	{ 400, CHUNKED "5\nhello\r\n0\r\n\r\n" },
	{ 400, CHUNKED "5;a\nhello\r\n0\r\n\r\n" },
	{ 400, CHUNKED "5\r\nhello\n0\r\n\r\n" },
	{ 400, CHUNKED "5\r\nhello!\r\n0\r\n\r\n" },
	{ 400, CHUNKED "0x5\r\nhello\r\n0\r\n\r\n" },
	{ 400, CHUNKED "5 \r\nhello\r\n0\r\n\r\n" },
	{ 400, CHUNKED "-5\r\nhello\r\n0\r\n\r\n" },
	{ 413, CHUNKED "00000000000000005\r\nhello\r\n0\r\n\r\n" },
	{ 400, CHUNKED "0\r\nX: y\r\n z\r\n\r\n" },
	{ 400, "POST /sum HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked"
	       "\r\n\r\n5\r\nhello\r\n0\r\n\r\n" },
	{ 501, POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" },
	{ 501, POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" },
	{ 501, POST "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n" },
	{ 400, POST "Transfer-Encoding: gzip\r\n , chunked\r\n\r\n0\r\n\r\n" },
	{ 400, POST "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n" },
	{ 400, "GET /hello HTTP/1.1\nHost: x\n\n" },
	{ 400, "GET /hello HTTP/1.1\r\nHost: x\n\r\n" },
	{ 400, "GET /hello HTTP/1.1\r\nHost: x\r\n\n" },
	{ 400, "GET /hello HTTP/1.1\r\nHost: x\r\nX: a\rY: b\r\n\r\n" },
	{ 400, "GET /hello HTTP/1.1\r\nHost: x\r\nX(\x01)y: 1\r\n\r\n" },
	{ 400, "GET /hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n" },
	{ 400, "GET /hello HTTP/1.1\r\nX: y\r\n\r\n" },
	{ 400, "GET  /hello HTTP/1.1\r\nHost: x\r\n\r\n" },
	{ 400, "GET /hello  HTTP/1.1\r\nHost: x\r\n\r\n" },
	{ 400, "GET /hello\r\nHost: x\r\n\r\n" },
	{ 400, "GET /hello HTTP/1.1 \r\nHost: x\r\n\r\n" },
	{ 400, "GET /hello HTTP/3.0\r\nHost: x\r\n\r\n" },
	{ 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" },
	{ 400, "\r\n\r\n\r\n" GET_HELLO },
};

/* Sends `before` good requests, the pattern, and a request that may be
 * smuggled. */
static void check(size_t i, int before, size_t piece)
{
	struct text script = { 0 }, out;
	int status[MOST], n;

	for (int k = 0; k < before; k++)
		text_puts(&script, GET_HELLO);
	text_puts(&script, patterns[i].request);
	text_puts(&script, GET_HELLO);
	out = say(script.data, script.length, piece);
	n = statuses(&out, status);
	ck_assert_msg(n == before + 1, "%s: %d replies: %s",
	              patterns[i].request, n, out.data);
	for (int k = 0; k < before; k++)
		ck_assert_int_eq(status[k], 200);
	ck_assert_msg(status[before] == patterns[i].status, "%s: %s",
	              patterns[i].request, out.data);
	ck_assert_msg(strstr(out.data, "\r\nConnection: close\r\n") &&
	              strstr(out.data, "application/problem+json"), "%s: %s",
	              patterns[i].request, out.data);
	text_fini(&script);
	text_fini(&out);
}

static void all_patterns(void)
{
	for (size_t i = 0; i < COUNT(patterns); i++)
		for (int before = 0; before < 3; before++) {
			check(i, before, SIZE_MAX);
			check(i, before, 7);
			check(i, before, 1);
		}
}

START_TEST(an_ambiguous_request_gets_one_refusal_and_hides_none)
{
	http_serve(all_patterns);
}
END_TEST

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16;
}

/* Replaces, removes or inserts a few bytes that have a meaning in HTTP. */
static void mutate(struct text *t, unsigned *seed)
{
	static const char marks[] = "\r\n\t :;,\0\x7f" "0159aAxX/?&=\"";
	const unsigned n = 1 + next_random(seed) % 3;

	for (unsigned i = 0; i < n; i++) {
		const size_t at = next_random(seed) % t->length;
		const char mark = marks[next_random(seed) % sizeof marks];

		switch (next_random(seed) % 3) {
		case 0:
			t->data[at] = mark;
			break;
		case 1:
			memmove(t->data + at, t->data + at + 1,
			        t->length-- - at);
			break;
		default:
			text_add(t, &mark, 1);
			memmove(t->data + at + 1, t->data + at,
			        t->length - at - 1);
			t->data[at] = mark;
		}
	}
}

/* Sends number i of a batch: a pattern and what follows it, mutated. */
static int say_mutant(size_t i, struct text *script, unsigned *seed)
{
	text_puts(script, patterns[i % COUNT(patterns)].request);
	text_puts(script, i % 2 ? GET_HELLO : CHUNKED
	          "5\r\nhello\r\n0\r\nX: y\r\n\r\n");
	mutate(script, seed);
	return dial_and_say(script->data, script->length,
	                    i % 3 ? SIZE_MAX : 1 + next_random(seed) % 30);
}

/* libmicrohttpd's own refusals are HTML; one of these would mean that it
 * understood a request differently from the gate. Many are sent at a time,
 * because a timer notices the end of a request that is cut off. */
static void mutants(void)
{
	enum { BATCHES = 12, BATCH = 250 };
	struct text script[BATCH], out;
	unsigned seed = 20261122;
	int fd[BATCH];

	for (int k = 0; k < BATCHES; k++) {
		memset(script, 0, sizeof script);
		for (size_t i = 0; i < BATCH; i++)
			fd[i] = say_mutant(i, &script[i], &seed);
		for (size_t i = 0; i < BATCH; i++) {
			out = http_get(fd[i], NULL);
			ck_assert_msg(!strstr(out.data, "<html>"), "%s: %s",
			              script[i].data, out.data);
			text_fini(&script[i]);
			text_fini(&out);
			close(fd[i]);
		}
	}
}

START_TEST(nothing_that_libmicrohttpd_refuses_passes)
{
	http_serve(mutants);
}
END_TEST

static void with_a_nul(void)
{
	static const char *const places[] = {
		"GET /hello?x HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /hello HTTP/1.1\r\nHost: x\r\nY: axb\r\n\r\n",
		"GET /hello HTTP/1.1\r\nHost: a\r\nYx: b\r\n\r\n",
	};

	for (size_t i = 0; i < COUNT(places); i++) {
		char *bytes = strdup(places[i]);
		int status[MOST];
		struct text out;

		*strrchr(bytes, 'x') = 0;
		out = say(bytes, strlen(places[i]), SIZE_MAX);
		ck_assert_int_eq(statuses(&out, status), 1);
		ck_assert_int_eq(status[0], 400);
		text_fini(&out);
		free(bytes);
	}
}

START_TEST(a_zero_byte_in_a_head_is_refused)
{
	http_serve(with_a_nul);
}
END_TEST

static void good_ones(void)
{
	static const char script[] = "\r\n" GET_HELLO
	    POST "Content-Length: 2\r\n\r\n\r\n"
	    CHUNKED "1\r\na\r\n0A;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n"
	    "GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
	    "HEAD /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	    GET_HELLO;

	for (size_t piece = 1; piece < sizeof script; piece *= 3) {
		struct text t = say(script, sizeof script - 1, piece);

		ck_assert_ptr_nonnull(strstr(t.data, "\r\n\r\n2HTTP/1.1 200"));
		ck_assert_ptr_nonnull(strstr(t.data, "\r\n\r\n11HTTP/1.1 2"));
		ck_assert_ptr_nonnull(strstr(t.data, "HTTP/1.1 404"));
		ck_assert_str_eq(t.data + t.length - 4, "\r\n\r\n");
		text_fini(&t);
	}
}

/* The last one is not answered: the one before it closes the connection. */
START_TEST(requests_in_a_row_are_answered_however_they_are_cut)
{
	http_serve(good_ones);
}
END_TEST

/* While a request waits for its reply, the refusal of the one after it must
 * not be sent. */
static void behind_a_wait(void)
{
	const int fd = http_wait("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"
	                         "GET /hello HTTP/1.1\r\n folded: 1\r\n\r\n");
	int status[MOST];
	struct text out;

	http_expect("GET /wake HTTP/1.1\r\n" CLOSE "\r\n", "HTTP/1.1 200",
	            NULL);
	out = http_get(fd, NULL);
	ck_assert_int_eq(statuses(&out, status), 2);
	ck_assert_int_eq(status[0], 200);
	ck_assert_int_eq(status[1], 400);
	text_fini(&out);
	close(fd);
}

START_TEST(a_refusal_waits_for_the_replies_before_it)
{
	http_serve(behind_a_wait);
}
END_TEST

/* The rest of the body arrives after the reply, which a reset must not
 * discard. */
static void rests(void)
{
	static const char *const heads[] = {
		"POST /refuse HTTP/1.1\r\nHost: x\r\n"
		"Content-Length: 20000000\r\n\r\n",
		"POST /refuse HTTP/1.1\r\nHost: x\r\n"
		"Expect: 100-continue\r\nContent-Length: 20000000\r\n\r\n",
		"POST /nowhere HTTP/1.1\r\nHost: x\r\n"
		"Transfer-Encoding: chunked\r\n\r\n1312d00\r\n",
		"POST /sum HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000"
		"\r\nX: y\r\n z\r\n\r\n",
	};
	enum { REST = 20000000 };
	char *rest = calloc(1, REST);

	for (size_t i = 0; i < COUNT(heads); i++) {
		const int fd = http_dial();
		int status[MOST];
		struct text out;

		http_say(fd, heads[i]);
		http_put(fd, rest, REST);
		out = http_get(fd, NULL);
		ck_assert_msg(statuses(&out, status) == 1 && status[0] >= 400,
		              "%s: %s", heads[i], out.data);
		text_fini(&out);
		close(fd);
	}
	free(rest);
}

START_TEST(a_refusal_survives_what_the_client_still_sends)
{
	http_serve(rests);
}
END_TEST

TCase *tcase_http_raw(void)
{
	TCase *t = tcase_create("http_raw");

	tcase_add_checked_fixture(t, http_setup, http_teardown);
	tcase_add_test(t, an_ambiguous_request_gets_one_refusal_and_hides_none);
	tcase_add_test(t, nothing_that_libmicrohttpd_refuses_passes);
	tcase_add_test(t, a_zero_byte_in_a_head_is_refused);
	tcase_add_test(t, requests_in_a_row_are_answered_however_they_are_cut);
	tcase_add_test(t, a_refusal_waits_for_the_replies_before_it);
	tcase_add_test(t, a_refusal_survives_what_the_client_still_sends);
	return t;
}
