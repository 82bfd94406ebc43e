/* http_room.c - see http_room.h. */
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/http/http_room.h"

enum { MAX_BODY = 32 << 20, MEMORY = 64 << 20 };

struct http_room http;

static size_t bytes_seen;
static struct err e;

static int hello(struct exchange *x, void *state, struct err *why)
{
	struct text t = { 0 };

	(void)state;
	(void)why;
	text_puts(&t, "hello");
	exchange_reply_text(x, 200, "text/plain", &t);
	return 0;
}

static const struct handler hello_handler = { .done = hello };

static int sum_body(struct exchange *x, void *state, const void *bytes,
                    size_t n, struct err *why)
{
	(void)x;
	(void)state;
	bytes_seen += n;
	if (memchr(bytes, '!', n))
		return err_set(why, ERR_REQUEST, "an exclamation mark");
	return 0;
}

static int sum_done(struct exchange *x, void *state, struct err *why)
{
	struct text t = { 0 };

	(void)state;
	(void)why;
	text_printf(&t, "%zu", bytes_seen);
	bytes_seen = 0;
	exchange_reply_text(x, 200, "text/plain", &t);
	return 0;
}

static const struct handler sum_handler = {
	.body = sum_body, .done = sum_done,
};

static int refuse_begin(struct exchange *x, void **state, struct err *why)
{
	(void)x;
	(void)state;
	return err_set(why, ERR_MEDIA, "not that");
}

static const struct handler refuse_handler = { .begin = refuse_begin };

static int wait_done(struct exchange *x, void *state, struct err *why)
{
	(void)state;
	(void)why;
	http.waiting = x;
	sem_post(&http.waits);
	return 0;
}

static void wait_gone(struct exchange *x, void *state)
{
	(void)x;
	(void)state;
	http.gone++;
	http.waiting = NULL;
}

static void wait_end(struct exchange *x, void *state)
{
	(void)x;
	(void)state;
	http.ended++;
}

static const struct handler wait_handler = {
	.done = wait_done, .gone = wait_gone, .end = wait_end,
};

/* Answers the request that waits. */
static int wake_done(struct exchange *x, void *state, struct err *why)
{
	if (http.waiting)
		hello(http.waiting, state, why);
	http.waiting = NULL;
	return hello(x, state, why);
}

static const struct handler wake_handler = { .done = wake_done };

static void nothing(void *arg)
{
	++*(int *)arg;
}

static int bytes_done(struct exchange *x, void *state, struct err *why)
{
	struct text head = { 0 };

	(void)state;
	(void)why;
	text_puts(&head, "HEAD:");
	exchange_reply_header(x, "X-One", "1");
	exchange_reply_bytes(x, 200, "application/x-test", &head, http.lasting,
	                     sizeof http.lasting, nothing, &http.released);
	return 0;
}

static const struct handler bytes_handler = { .done = bytes_done };

struct counter {
	int left;
};

static ssize_t count_down(void *arg, char *room, size_t most)
{
	struct counter *c = arg;
	const size_t n = size_min(most, 1000);

	if (c->left-- <= 0)
		return 0;
	memset(room, 'x', n);
	return (ssize_t)n;
}

static int stream_done(struct exchange *x, void *state, struct err *why)
{
	struct counter *c = malloc(sizeof *c);

	(void)state;
	(void)why;
	c->left = 50;
	exchange_reply_stream(x, 200, "text/plain", UINT64_MAX, count_down,
	                      free, c);
	return 0;
}

static const struct handler stream_handler = { .done = stream_done };

static ssize_t go_on_for_ever(void *arg, char *room, size_t most)
{
	(void)arg;
	memset(room, 'x', most);
	return (ssize_t)most;
}

static void released_stream(void *arg)
{
	(void)arg;
	sem_post(&http.released_stream);
}

static int endless_done(struct exchange *x, void *state, struct err *why)
{
	(void)state;
	(void)why;
	exchange_reply_stream(x, 200, "text/plain", UINT64_MAX, go_on_for_ever,
	                      released_stream, NULL);
	exchange_reply_holds(x, 1 << 30);
	return 0;
}

static const struct handler endless_handler = { .done = endless_done };

static int live_done(struct exchange *x, void *state, struct err *why)
{
	(void)state;
	(void)why;
	exchange_reply_stream(x, 200, "text/plain", UINT64_MAX, go_on_for_ever,
	                      released_stream, NULL);
	exchange_reply_live(x);
	return 0;
}

static const struct handler live_handler = { .done = live_done };

static int echo_argument(void *arg, const char *name, const char *value,
                         struct err *why)
{
	(void)why;
	text_printf(arg, "%s=%s;", name, value);
	return 0;
}

static int echo_done(struct exchange *x, void *state, struct err *why)
{
	struct text t = { 0 };

	(void)state;
	text_printf(&t, "%s;", exchange_segment(x, 0));
	if (exchange_query(x, echo_argument, &t, why)) {
		text_fini(&t);
		return -1;
	}
	exchange_reply_text(x, 200, "text/plain", &t);
	return 0;
}

static const struct handler echo_handler = { .done = echo_done };

static const struct route routes[] = {
	{ .method = GET, .path = "/hello", .handler = &hello_handler },
	{ .method = POST, .path = "/hello", .handler = &hello_handler },
	{ .method = POST, .path = "/sum", .handler = &sum_handler },
	{ .method = POST, .path = "/refuse", .handler = &refuse_handler },
	{ .method = GET, .path = "/wait", .handler = &wait_handler },
	{ .method = GET, .path = "/wake", .handler = &wake_handler },
	{ .method = GET, .path = "/bytes", .handler = &bytes_handler },
	{ .method = GET, .path = "/stream", .handler = &stream_handler },
	{ .method = GET, .path = "/endless", .handler = &endless_handler },
	{ .method = GET, .path = "/live", .handler = &live_handler },
	{ .method = GET, .path = "/echo/{}", .handler = &echo_handler },
	{ .path = NULL },
};

static int admit(struct exchange *x, void *arg, struct err *why)
{
	(void)arg;
	return exchange_header(x, "X-Forbidden") ?
	       err_set(why, ERR_TOKEN, "no") : 0;
}

int http_dial(void)
{
	const struct timeval patience = { 180, 0 };
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)http.port),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_ge(fd, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	ck_assert_int_eq(connect(fd, (const struct sockaddr *)&to, sizeof to),
	                 0);
	return fd;
}

void http_put(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		const ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return;
		p += sent;
		n -= (size_t)sent;
	}
}

void http_say(int fd, const char *text)
{
	http_put(fd, text, strlen(text));
}

/* Reads until the other side closes, or until the text contains `enough`. */
struct text http_get(int fd, const char *enough)
{
	struct text t = { 0 };

	text_puts(&t, "");
	for (;;) {
		char *room = text_reserve(&t, 65536);
		const ssize_t n = recv(fd, room, 65536, 0);

		if (n <= 0)
			return t;
		text_grew(&t, (size_t)n);
		if (enough && memmem(t.data, t.length, enough,
		                     strlen(enough)))
			return t;
	}
}

/* Makes one request on a connection of its own, which the server closes. */
struct text http_ask(const char *request)
{
	const int fd = http_dial();
	struct text t;

	http_say(fd, request);
	t = http_get(fd, NULL);
	close(fd);
	return t;
}

int http_wait(const char *request)
{
	const int fd = http_dial();

	http_say(fd, request);
	while (sem_wait(&http.waits))
		;
	return fd;
}

bool http_starts(const struct text *t, const char *with)
{
	return strncmp(t->data, with, strlen(with)) == 0;
}

void http_expect(const char *request, const char *status, const char *body)
{
	struct text t = http_ask(request);

	ck_assert_msg(http_starts(&t, status), "wanted %s, got %.300s", status,
	              t.data);
	ck_assert_msg(!body || strstr(t.data, body), "wanted %s in %.600s",
	              body, t.data);
	text_fini(&t);
}

static void *client_main(void *script)
{
	(*(void (**)(void))script)();
	loop_stop(http.loop);
	return NULL;
}

/* Runs the script on a thread of its own, and the server on this one. */
void http_serve(void (*script)(void))
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, client_main, &script),
	                 0);
	ck_ok(loop_run(http.loop, &e), &e);
	pthread_join(thread, NULL);
}

static void open_server(int64_t whole_ns, unsigned connections)
{
	struct server_options o = {
		.listen = "127.0.0.1:0", .max_body = MAX_BODY,
		.paces = pace_of(whole_ns), .connections = connections,
		.routes = routes, .admit = admit,
	};

	e = (struct err){ 0 };
	http = (struct http_room){ .memory = memory_pool_new(MEMORY, &e) };
	ck_assert_msg(http.memory != NULL, "%s", e.text);
	o.memory = http.memory;
	bytes_seen = 0;
	sem_init(&http.waits, 0, 0);
	sem_init(&http.released_stream, 0, 0);
	http.loop = loop_new(&e);
	ck_assert_msg(http.loop != NULL, "%s", e.text);
	http.server = server_new(http.loop, &o, &e);
	ck_assert_msg(http.server != NULL, "%s", e.text);
	http.port = server_port(http.server);
}

void http_setup(void)
{
	open_server(INT64_C(600000000000), 0);
}

void http_setup_hasty(void)
{
	open_server(300000000, HTTP_FEW);
}

void http_teardown(void)
{
	server_free(http.server);
	loop_free(http.loop);
	memory_pool_free(http.memory);
	sem_destroy(&http.waits);
	sem_destroy(&http.released_stream);
}

