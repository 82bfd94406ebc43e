/* client.c - the benchmark's connection to a service: it is kept between
 * requests, and opened again if the service has closed it. */
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/client.h"
#include "tests/test.h"

enum { OK = 200, REQUESTS = 4 };

/* A service that answers `each` requests on a connection, and closes it. */
struct service {
	int listener, each, connections;
};

static bool answer_one(int fd)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\n"
	                             "Content-Length: 2\r\n\r\nok";
	char request[256];

	return read(fd, request, sizeof request) > 0 &&
	       write(fd, answer, sizeof answer - 1) > 0;
}

static void *serve(void *of)
{
	struct service *s = of;

	for (int answered = 0; answered < REQUESTS;) {
		const int fd = accept(s->listener, NULL, NULL);

		s->connections++;
		for (int i = 0; i < s->each && answer_one(fd); i++)
			answered++;
		close(fd);
	}
	return NULL;
}

static int listen_anywhere(int *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
	                          .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t length = sizeof at;
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
	ck_assert_int_eq(listen(fd, REQUESTS), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&at, &length), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

/* Asks as many times, and returns the number of connections. A pause lets the
 * service close its end. */
static int connections_of(int each)
{
	struct service s = { .each = each };
	struct text head = { 0 }, body = { 0 }, answer = { 0 };
	struct client *c;
	pthread_t thread;
	struct err e;
	int port;

	s.listener = listen_anywhere(&port);
	ck_assert_int_eq(pthread_create(&thread, NULL, serve, &s), 0);
	c = client_open(port, &e);
	ck_assert_ptr_nonnull(c);
	client_head(&head, "GET /", NULL, "*/*", "", 0);
	text_puts(&body, "");
	for (int i = 0; i < REQUESTS; i++) {
		ck_assert_int_eq(client_ask(c, &head, &body, &answer, &e), OK);
		ck_assert_uint_eq(answer.length, 2);
		usleep(20000);
	}
	client_close(c);
	pthread_join(thread, NULL);
	close(s.listener);
	text_fini(&head);
	text_fini(&body);
	text_fini(&answer);
	return s.connections;
}

START_TEST(a_connection_is_kept)
{
	ck_assert_int_eq(connections_of(REQUESTS), 1);
}
END_TEST

START_TEST(a_connection_that_was_closed_is_opened_again)
{
	ck_assert_int_eq(connections_of(1), REQUESTS);
	ck_assert_int_eq(connections_of(2), REQUESTS / 2);
}
END_TEST

TCase *tcase_bench_client(void)
{
	TCase *t = tcase_create("bench_client");

	tcase_add_test(t, a_connection_is_kept);
	tcase_add_test(t, a_connection_that_was_closed_is_opened_again);
	return t;
}
