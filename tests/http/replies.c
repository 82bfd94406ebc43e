/* replies.c - replies over real sockets: delayed ones, large ones, many at
 * once, and replies to clients that have gone. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/http/http_room.h"

enum { MANY = 256 };

static const char late[] = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";
static struct err e;
static sem_t held, release;		/* stop the loop between two turns */

static void hold_loop(void *arg)
{
	(void)arg;
	sem_post(&held);
	while (sem_wait(&release))
		;
}

static void late_reply(void)
{
	const int fd = http_wait("GET /wait HTTP/1.1\r\n" CLOSE "\r\n");
	struct text t;

	http_expect("GET /wake HTTP/1.1\r\n" CLOSE "\r\n",
	            "HTTP/1.1 200", "hello");
	t = http_get(fd, NULL);
	ck_assert_msg(http_starts(&t, "HTTP/1.1 200"), "%.99s", t.data);
	text_fini(&t);
	close(fd);
}

START_TEST(a_reply_may_come_later)
{
	http_serve(late_reply);
	ck_assert_int_eq(http.gone, 0);
	ck_assert_int_eq(http.ended, 1);
}
END_TEST

static struct timer look;

static void until_gone(void *arg)
{
	(void)arg;
	if (http.gone && http.ended)
		loop_stop(http.loop);
	else
		loop_timer_set(http.loop, &look, clock_ns() + 1000000,
		               until_gone, NULL);
}

static void *leave(void *arg)
{
	close(http_wait(late));
	return arg;
}

START_TEST(a_client_that_leaves_while_it_waits_is_noticed)
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, leave, NULL), 0);
	until_gone(NULL);
	ck_ok(loop_run(http.loop, &e), &e);
	pthread_join(thread, NULL);
	ck_assert_int_eq(http.gone, 1);
	ck_assert_int_eq(http.ended, 1);
	ck_assert_ptr_null(http.waiting);
}
END_TEST

static void large_replies(void)
{
	struct text t = http_ask("GET /bytes HTTP/1.1\r\n" CLOSE "\r\n");

	ck_assert_ptr_nonnull(strstr(t.data, "Content-Length: 100005"));
	ck_assert_ptr_nonnull(strstr(t.data, "X-One: 1"));
	ck_assert_ptr_nonnull(strstr(t.data, "\r\n\r\nHEAD:yyyy"));
	ck_assert_uint_eq(strlen(strstr(t.data, "HEAD:")), 100005);
	text_fini(&t);
	t = http_ask("GET /stream HTTP/1.0\r\n\r\n");
	ck_assert_uint_eq(strspn(strstr(t.data, "\r\n\r\n") + 4, "x"), 50000);
	text_fini(&t);
	t = http_ask("GET /stream HTTP/1.1\r\n" CLOSE "\r\n");
	ck_assert_ptr_nonnull(strstr(t.data, "Transfer-Encoding: chunked"));
	ck_assert_msg(t.length > 50000 && !strcmp(t.data + t.length - 5,
	              "0\r\n\r\n"), "the last chunk is missing");
	text_fini(&t);
}

START_TEST(large_replies_leave_from_where_they_lie_or_in_pieces)
{
	memset(http.lasting, 'y', sizeof http.lasting);
	http_serve(large_replies);
	ck_assert_int_eq(http.released, 1);
}
END_TEST

/* Lets all n connections have a request ready when the loop looks again. */
static void ready_together(size_t n)
{
	static const char request[] =
		"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
	struct post pause;
	int fds[MANY];

	for (size_t i = 0; i < 2 * n; i++) {
		struct text t;

		if (i < n)
			fds[i] = http_dial();
		http_say(fds[i % n], request);
		t = http_get(fds[i % n], "hello");
		text_fini(&t);
	}
	loop_post(http.loop, &pause, hold_loop, NULL);
	while (sem_wait(&held))
		;
	for (size_t i = 0; i < n; i++)
		http_say(fds[i], request);
	sem_post(&release);
	for (size_t i = 0; i < n; i++) {
		struct text t = http_get(fds[i], "\r\n\r\nhello");

		ck_assert_msg(http_starts(&t, "HTTP/1.1 200"),
		              "connection %zu of %zu: %.50s", i, n, t.data);
		text_fini(&t);
		close(fds[i]);
	}
}

static void in_batches(void)
{
	static const size_t batches[] = { 1, 127, 128, 129, 255, 256 };

	sem_init(&held, 0, 0);
	sem_init(&release, 0, 0);
	for (size_t i = 0; i < COUNT(batches); i++)
		ready_together(batches[i]);
}

START_TEST(any_number_of_ready_connections_is_served)
{
	http_serve(in_batches);
}
END_TEST

static void wait_for_ever(void)
{
	http_wait(late);
}

START_TEST(the_server_stops_while_clients_wait)
{
	http_serve(wait_for_ever);
	ck_assert_ptr_nonnull(http.waiting);
	server_free(http.server);
	http.server = NULL;
	ck_assert_int_eq(http.gone, 1);
	ck_assert_int_eq(http.ended, 1);
}
END_TEST

START_TEST(a_place_to_listen_is_checked)
{
	static const struct { const char *place; enum err_code code; } bad[] = {
		{ "", ERR_PARAMETER }, { "nonsense", ERR_PARAMETER },
		{ "127.0.0.1:", ERR_PARAMETER },
		{ "127.0.0.1:x", ERR_PARAMETER },
		{ "127.0.0.1:99999999", ERR_PARAMETER },
		{ "127.0.0.1:0,nonsense", ERR_PARAMETER },
		{ "fd:x", ERR_REQUEST }, { "fd:0", ERR_REQUEST },
		{ "fd:9999", ERR_REQUEST }, { "unix:", ERR_REQUEST },
		{ "unix:/dev/null", ERR_REQUEST },
		{ "unix:/nonexistent/socket", ERR_REQUEST },
	};
	static const struct route none[] = { { .path = NULL } };
	struct server_options o = { .routes = none, .max_body = 1 };

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err why = { 0 };

		o.listen = bad[i].place;
		ck_assert_msg(!server_new(http.loop, &o, &why), "%s",
		              bad[i].place);
		ck_assert_int_eq(why.code, bad[i].code);
	}
}
END_TEST

TCase *tcase_http_replies(void)
{
	TCase *t = tcase_create("http_replies");

	tcase_add_checked_fixture(t, http_setup, http_teardown);
	tcase_add_test(t, a_reply_may_come_later);
	tcase_add_test(t, a_client_that_leaves_while_it_waits_is_noticed);
	tcase_add_test(t, large_replies_leave_from_where_they_lie_or_in_pieces);
	tcase_add_test(t, any_number_of_ready_connections_is_served);
	tcase_add_test(t, the_server_stops_while_clients_wait);
	tcase_add_test(t, a_place_to_listen_is_checked);
	return t;
}
