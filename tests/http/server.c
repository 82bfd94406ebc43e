/* server.c - requests over real sockets: what reaches a handler, and what is
 * refused at which moment. */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/listen.h"
#include "matrix/memory_pool.h"
#include "tests/http/http_room.h"

static void plain_requests(void)
{
	http_expect("GET /hello HTTP/1.1\r\n" CLOSE "\r\n",
	            "HTTP/1.1 200", "hello");
	http_expect("GET /hello HTTP/1.0\r\n\r\n", "HTTP/1.", "hello");
	http_expect("GET /echo/a%2fb?x=1&y=%26 HTTP/1.1\r\n" CLOSE "\r\n",
	            "HTTP/1.1 200", "a/b;x=1;y=&;");
	http_expect("GET /echo/a?x=%0 HTTP/1.1\r\n" CLOSE "\r\n",
	            "HTTP/1.1 400", "bad-parameter");
	http_expect("GET /nowhere HTTP/1.1\r\n" CLOSE "\r\n", "HTTP/1.1 404",
	            "application/problem+json");
	http_expect("DELETE /hello HTTP/1.1\r\n" CLOSE "\r\n", "HTTP/1.1 405",
	            "Allow: GET, HEAD, POST");
	http_expect("GET /hello HTTP/1.1\r\nX-Forbidden: 1\r\n" CLOSE "\r\n",
	            "HTTP/1.1 401", "WWW-Authenticate: Bearer");
	http_expect("POST /sum HTTP/1.1\r\nContent-Length: 5\r\n" CLOSE
	            "\r\nabcde",
	            "HTTP/1.1 200", "\r\n\r\n5");
	http_expect("POST /sum HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" CLOSE
	            "\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n",
	            "HTTP/1.1 200", "\r\n\r\n7");
}

START_TEST(requests_reach_their_handlers)
{
	http_serve(plain_requests);
}
END_TEST

static void head_request(void)
{
	struct text t = http_ask("HEAD /hello HTTP/1.1\r\n" CLOSE "\r\n");

	ck_assert(http_starts(&t, "HTTP/1.1 200"));
	ck_assert_ptr_nonnull(strstr(t.data, "Content-Length: 5"));
	ck_assert_ptr_null(strstr(t.data, "hello"));
	text_fini(&t);
}

START_TEST(head_has_the_headers_alone)
{
	http_serve(head_request);
}
END_TEST

static void smuggling(void)
{
	static const char *const heads[] = {
		"Content-Length: 5\r\nContent-Length: 5\r\n",
		"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
		"Transfer-Encoding: gzip, chunked\r\n",
		"Transfer-Encoding: xchunked\r\n",
		"Content-Length : 5\r\n",
		"X(\x01)y: 1\r\nContent-Length: 5\r\n",
		"Content-Length: 18446744073709551615\r\n",
		"Content-Length: +5\r\n",
	};
	char request[300];

	for (size_t i = 0; i < COUNT(heads); i++) {
		struct text t;

		snprintf(request, sizeof request, "POST /sum HTTP/1.1\r\n"
		         "Host: x\r\n%s\r\nhelloGET /hello HTTP/1.1\r\n"
		         "Host: x\r\n\r\n", heads[i]);
		t = http_ask(request);
		ck_assert_msg(http_starts(&t, "HTTP/1.1 400") ||
		              http_starts(&t, "HTTP/1.1 413") ||
		              http_starts(&t, "HTTP/1.1 501"), "%s: %.200s",
		              heads[i], t.data);
		ck_assert_msg(!strstr(t.data, "HTTP/1.1 200"),
		              "%s: the body was read as a request", heads[i]);
		text_fini(&t);
	}
}

START_TEST(smuggled_requests_are_refused_and_the_connection_closed)
{
	http_serve(smuggling);
}
END_TEST

static void bad_targets(void)
{
	static const char nul[] =
		"GET /hello\0x HTTP/1.1\r\nHost: x\r\n\r\n";
	const int fd = http_dial();
	struct text t;

	http_put(fd, nul, sizeof nul - 1);
	t = http_get(fd, NULL);
	ck_assert_msg(http_starts(&t, "HTTP/1.1 400"), "%.100s", t.data);
	text_fini(&t);
	close(fd);
	http_expect("GET /hello\x01 HTTP/1.1\r\n" CLOSE "\r\n", "HTTP/1.1 400",
	            NULL);
	http_expect("GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n",
	            "HTTP/1.1 400", "Host is missing");
}

START_TEST(a_target_with_nul_or_without_host_is_refused)
{
	http_serve(bad_targets);
}
END_TEST

static void keep_alive(void)
{
	static const char hello_again[] =
		"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
	const int fd = http_dial();

	for (int i = 0; i < 3; i++) {
		struct text t;

		http_say(fd, "POST /refuse HTTP/1.1\r\nHost: x\r\n"
		    "Content-Length: 9\r\n\r\nwhatever.");
		t = http_get(fd, "\"detail\":\"not that\"}");
		ck_assert_msg(http_starts(&t, "HTTP/1.1 415"), "%.99s", t.data);
		text_fini(&t);
		http_say(fd, hello_again);
		t = http_get(fd, "\r\n\r\nhello");
		ck_assert_msg(http_starts(&t, "HTTP/1.1 200"), "%.99s", t.data);
		text_fini(&t);
	}
	http_say(fd, hello_again);
	http_say(fd, hello_again);
	shutdown(fd, SHUT_WR);
	close(fd);
}

START_TEST(a_connection_outlives_refusals_of_short_bodies)
{
	http_serve(keep_alive);
}
END_TEST

static void early_refusals(void)
{
	http_expect("POST /sum HTTP/1.1\r\nHost: x\r\n"
	            "Content-Length: 99999999\r\n"
	            "\r\n", "HTTP/1.1 413", "too-large");
	http_expect("POST /refuse HTTP/1.1\r\nHost: x\r\n"
	            "Expect: 100-continue\r\n"
	            "Content-Length: 9\r\n\r\n", "HTTP/1.1 415", NULL);
	http_expect("POST /refuse HTTP/1.1\r\nHost: x\r\n"
	            "Content-Length: 9999999\r\n\r\n", "HTTP/1.1 415", NULL);
	http_expect("POST /sum HTTP/1.1\r\nExpect: 100-continue\r\n"
	            "Content-Length: 3\r\n" CLOSE "\r\nabc",
	            "HTTP/1.1 100 Continue", "\r\n\r\n3");
}

START_TEST(a_refusal_from_the_headers_does_not_wait_for_the_body)
{
	http_serve(early_refusals);
}
END_TEST

static struct text upload(size_t n, size_t mark)
{
	char head[128];
	char *body = malloc(n);
	const int fd = http_dial();
	struct text t;

	memset(body, 'a', n);
	if (mark < n)
		body[mark] = '!';
	snprintf(head, sizeof head, "POST /sum HTTP/1.1\r\n"
	         "Content-Length: %zu\r\n" CLOSE "\r\n", n);
	http_say(fd, head);
	http_put(fd, body, n);
	t = http_get(fd, NULL);
	free(body);
	close(fd);
	return t;
}

static void uploads(void)
{
	static const size_t sizes[] = { 1, 1000, 65535, 65536, 65537, 5000000 };
	char wanted[64];

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct text t = upload(sizes[i], SIZE_MAX);

		snprintf(wanted, sizeof wanted, "\r\n\r\n%zu", sizes[i]);
		ck_assert_msg(strstr(t.data, wanted), "%.200s", t.data);
		text_fini(&t);
	}
}

START_TEST(every_byte_of_a_body_arrives)
{
	http_serve(uploads);
}
END_TEST

static void late_refusals(void)
{
	static const size_t sizes[] = { 150000, 3000000, 20000000 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct text t = upload(sizes[i], 100000);

		ck_assert_msg(http_starts(&t, "HTTP/1.1 400"), "%zu: %.99s",
		              sizes[i], t.data);
		ck_assert_ptr_nonnull(strstr(t.data, "an exclamation mark"));
		text_fini(&t);
	}
	http_expect("GET /hello HTTP/1.1\r\n" CLOSE "\r\n",
	            "HTTP/1.1 200", "hello");
}

/* The client of this test sends everything before it reads. */
START_TEST(a_refusal_in_the_middle_of_any_body_is_told)
{
	http_serve(late_refusals);
}
END_TEST

static void set_leaving(size_t bytes)
{
	pthread_mutex_lock(&http.memory->lock);
	http.memory->leaving = bytes;
	pthread_mutex_unlock(&http.memory->lock);
}

static void hold_up(const char *before, const char *after)
{
	const int fd = http_dial();
	struct text t;
	char byte;

	http_say(fd, "POST /sum HTTP/1.1\r\nContent-Length: 5\r\n" CLOSE
	         "\r\n");
	http_say(fd, before);
	http_expect("GET /hello HTTP/1.1\r\n" CLOSE "\r\n", "HTTP/1.1 200",
	            "hello");
	set_leaving(2 * memory_pool_limit(http.memory));
	http_say(fd, after);
	for (int i = 0; i < 3; i++)
		http_expect("GET /hello HTTP/1.1\r\n" CLOSE "\r\n",
		            "HTTP/1.1 200", "hello");
	ck_assert_int_eq(recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT), -1);
	set_leaving(0);
	t = http_get(fd, NULL);
	ck_assert_ptr_nonnull(strstr(t.data, "\r\n\r\n5"));
	text_fini(&t);
	close(fd);
}

static void held_up(void)
{
	hold_up("", "abcde");
	hold_up("ab", "cde");
}

START_TEST(bodies_wait_until_freed_memory_has_returned_to_the_system)
{
	http_serve(held_up);
}
END_TEST

static int receive_bytes(int fd)
{
	socklen_t size = sizeof fd;
	int n = 0;

	ck_assert_int_eq(getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &n, &size), 0);
	return n;
}

/* Twice what was asked for, or the system's own way. */
START_TEST(connections_may_have_much_unread_where_that_is_allowed)
{
	FILE *const limit = fopen("/proc/sys/net/core/rmem_max", "r");
	const int plain = socket(AF_INET, SOCK_STREAM, 0);
	struct err e = { 0 };
	const int fd = listen_open("127.0.0.1:0", &e);
	int most = 0;

	ck_assert_int_ge(fd, 0);
	ck_assert_ptr_nonnull(limit);
	ck_assert_int_eq(fscanf(limit, "%d", &most), 1);
	ck_assert_int_eq(receive_bytes(fd), most >= 2 << 20 ? 4 << 20 :
	                 receive_bytes(plain));
	fclose(limit);
	close(plain);
	close(fd);
}
END_TEST

TCase *tcase_http_server(void)
{
	TCase *t = tcase_create("http_server");

	tcase_add_checked_fixture(t, http_setup, http_teardown);
	tcase_add_test(t, requests_reach_their_handlers);
	tcase_add_test(t, head_has_the_headers_alone);
	tcase_add_test(t,
	    smuggled_requests_are_refused_and_the_connection_closed);
	tcase_add_test(t, a_target_with_nul_or_without_host_is_refused);
	tcase_add_test(t, a_connection_outlives_refusals_of_short_bodies);
	tcase_add_test(t,
	    a_refusal_from_the_headers_does_not_wait_for_the_body);
	tcase_add_test(t, every_byte_of_a_body_arrives);
	tcase_add_test(t,
	    connections_may_have_much_unread_where_that_is_allowed);
	tcase_add_test(t, a_refusal_in_the_middle_of_any_body_is_told);
	tcase_add_test(t,
	    bodies_wait_until_freed_memory_has_returned_to_the_system);
	return t;
}
