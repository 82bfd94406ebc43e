/* stop.c - the server may be freed at any time: while requests wait for their
 * answers, and while replies wait for more bytes. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/server.h"
#include "tests/test.h"

static struct loop *loop;
static struct server *server;
static struct post again;
static struct exchange *streaming;
static int pieces, gone, ended;

/* The connection is resumed and the loop stopped in the same turn, before
 * anyone asks for the next bytes. */
static void resume_and_stop(void *arg)
{
	(void)arg;
	exchange_resume(streaming);
	loop_stop(loop);
}

static ssize_t now_and_then(void *arg, char *room, size_t most)
{
	(void)arg;
	if (++pieces == 1) {
		memset(room, 'x', most < 10 ? most : 10);
		return most < 10 ? (ssize_t)most : 10;
	}
	if (pieces == 2)
		loop_post(loop, &again, resume_and_stop, NULL);
	return STREAM_LATER;
}

static void nothing(void *arg)
{
	(void)arg;
}

static int stream(struct exchange *x, void *state, struct err *e)
{
	(void)state;
	(void)e;
	streaming = x;
	exchange_reply_stream(x, 200, "text/plain", UINT64_MAX, now_and_then,
	                      nothing, NULL);
	return 0;
}

static int wait_for_ever(struct exchange *x, void *state, struct err *e)
{
	(void)x;
	(void)state;
	(void)e;
	loop_stop(loop);
	return 0;
}

static void on_gone(struct exchange *x, void *state)
{
	(void)x;
	(void)state;
	gone++;
}

static void on_end(struct exchange *x, void *state)
{
	(void)x;
	(void)state;
	ended++;
}

static const struct handler stream_handler = { .done = stream,
                                               .end = on_end };
static const struct handler wait_handler = { .done = wait_for_ever,
                                             .gone = on_gone, .end = on_end };

static const struct route routes[] = {
	{ .method = GET, .path = "/stream", .handler = &stream_handler },
	{ .method = GET, .path = "/wait", .handler = &wait_handler },
	{ .path = NULL },
};

static void setup(void)
{
	const struct server_options o = {
		.listen = "127.0.0.1:0", .max_body = 1, .routes = routes,
	};
	struct err e = { 0 };

	pieces = gone = ended = 0;
	loop = loop_new(&e);
	server = server_new(loop, &o, &e);
	ck_assert_msg(server != NULL, "%s", e.text);
}

static void teardown(void)
{
	loop_free(loop);
}

/* Makes a request, and reads until the server closes. */
static void *ask(void *path)
{
	const struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)server_port(server)),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	char text[256];

	snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n",
	         (const char *)path);
	if (connect(fd, (const struct sockaddr *)&to, sizeof to) == 0 &&
	    send(fd, text, strlen(text), MSG_NOSIGNAL) > 0)
		while (recv(fd, text, sizeof text, 0) > 0)
			;
	close(fd);
	return NULL;
}

static void stop_during(char *path)
{
	struct err e = { 0 };
	pthread_t client;

	ck_assert_int_eq(pthread_create(&client, NULL, ask, path), 0);
	ck_ok(loop_run(loop, &e), &e);
	server_free(server);
	pthread_join(client, NULL);
	ck_assert_int_eq(ended, 1);
}

START_TEST(a_reply_that_was_just_resumed_is_cut)
{
	stop_during("/stream");
}
END_TEST

START_TEST(a_request_without_a_reply_is_cut)
{
	stop_during("/wait");
	ck_assert_int_eq(gone, 1);
}
END_TEST

TCase *tcase_http_stop(void)
{
	TCase *t = tcase_create("http_stop");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_reply_that_was_just_resumed_is_cut);
	tcase_add_test(t, a_request_without_a_reply_is_cut);
	return t;
}
