/* patience.c - clients that are too slow, and clients beyond the number that is
 * served. */
#include <stdio.h>
#include <stdlib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/pace.h"
#include "tests/http/http_room.h"

static const int64_t second = 1000000000;

START_TEST(the_least_rate_grows_with_the_length)
{
	const struct paces p = pace_of(600 * second);
	const uint64_t gib = 1 << 30;

	ck_assert(!pace_is_slow(&p, 0, gib, 20 * second));
	ck_assert(pace_is_slow(&p, 0, 1, 21 * second));
	ck_assert(!pace_is_slow(&p, 1000, 10000, 21 * second));
	ck_assert(pace_is_slow(&p, 1000, 1000000, 21 * second));
	ck_assert(!pace_is_slow(&p, 1000000 / 600 + 1, 1000000, 21 * second));
	ck_assert(pace_is_slow(&p, 1000000, gib, 21 * second));
	ck_assert(!pace_is_slow(&p, gib / 2, gib, 320 * second));
	ck_assert(pace_is_slow(&p, gib / 2 - 1000, gib, 320 * second));
	ck_assert(pace_is_slow(&p, gib - 1000, gib, 621 * second));
}
END_TEST

START_TEST(a_body_in_chunks_has_the_time_of_any)
{
	const struct paces p = pace_of(600 * second);

	ck_assert(!pace_is_slow(&p, 1000, UINT64_MAX, 21 * second));
	ck_assert(pace_is_slow(&p, 900, UINT64_MAX, 21 * second));
	ck_assert(!pace_is_slow(&p, 1 << 30, UINT64_MAX, 619 * second));
	ck_assert(pace_is_slow(&p, 1 << 30, UINT64_MAX, 621 * second));
}
END_TEST

/* Two ends of a connection; nothing fits into the first one any more. */
static void fill(int end[2])
{
	static const char bytes[64 << 10];
	const int listener = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = { .sin_family = AF_INET,
	                          .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof at;

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, size), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	getsockname(listener, (struct sockaddr *)&at, &size);
	end[1] = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(end[1], (struct sockaddr *)&at, size), 0);
	end[0] = accept(listener, NULL, NULL);
	ck_assert_int_ge(end[0], 0);
	close(listener);
	while (send(end[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0)
		;
}

START_TEST(a_live_reply_may_be_read_at_any_rate)
{
	const struct paces p = pace_of(600 * second);
	struct pace r = { 0 };
	int end[2];
	static char room[1 << 20];

	fill(end);
	ck_assert(!pace_live_reader(&r, &p, end[0], second));
	ck_assert(!pace_live_reader(&r, &p, end[0], 21 * second));
	ck_assert(pace_live_reader(&r, &p, end[0], 22 * second));
	ck_assert_int_gt(recv(end[1], room, sizeof room, MSG_WAITALL), 0);
	while (pace_live_reader(&r, &p, end[0], 40 * second))
		;			/* the bytes are not acknowledged yet */
	ck_assert(!pace_live_reader(&r, &p, end[0], 60 * second));
	close(end[0]);
	close(end[1]);
}
END_TEST

/* Sends the bytes and no more; asserts what the server says in the end. */
static void dawdle(const char *bytes, const char *status, const char *word)
{
	const int fd = http_dial();
	struct text t;

	http_say(fd, bytes);
	t = http_get(fd, NULL);
	ck_assert_msg(http_starts(&t, status), "%s: %s", bytes, t.data);
	ck_assert_msg(strstr(t.data, word), "%s: %s", bytes, t.data);
	text_fini(&t);
	close(fd);
}

static void dawdlers(void)
{
	dawdle("GET /hel", "HTTP/1.1 408", "the head of the request");
	dawdle("GET /hello HTTP/1.1\r\nX", "HTTP/1.1 408", "the head");
	dawdle("POST /sum HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab",
	       "HTTP/1.1 408", "2 bytes of the body");
	dawdle("POST /sum HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked"
	       "\r\n\r\n2\r\nab\r\n", "HTTP/1.1 408", "2 bytes of the body");
	dawdle("POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
	       "HTTP/1.1 415", "not that");
	dawdle("", "", "");
}

START_TEST(a_dawdling_client_is_told_and_cut)
{
	http_serve(dawdlers);
}
END_TEST

/* Does not read a reply that is too large for any socket's buffer. */
static void slow_reader(void)
{
	const int fd = http_dial();

	http_say(fd, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
	while (sem_wait(&http.released_stream))
		;
	close(fd);
}

START_TEST(a_reply_that_nobody_reads_is_let_go)
{
	http_serve(slow_reader);
}
END_TEST

/* Follows a live stream for a while, then reads nothing more. */
static void tired_follower(void)
{
	const int fd = http_dial();
	char piece[4096];

	http_say(fd, "GET /live HTTP/1.1\r\nHost: x\r\n\r\n");
	for (int i = 0; i < 30; i++)
		ck_assert_int_gt(recv(fd, piece, sizeof piece, 0), 0);
	while (sem_wait(&http.released_stream))
		;
	close(fd);
}

START_TEST(a_live_reply_that_nobody_reads_is_let_go)
{
	http_serve(tired_follower);
}
END_TEST

/* Opens more connections than the server serves, all of them silent. */
static void crowd(void)
{
	enum { MANY = 4 * HTTP_FEW };
	int fd[MANY];

	for (int i = 0; i < MANY; i++) {
		fd[i] = http_dial();
		http_say(fd[i], i % 3 == 0 ? "" : i % 3 == 1 ? "GET /he" :
		         "POST /sum HTTP/1.1\r\nHost: x\r\n"
		         "Content-Length: 9999\r\n\r\nabc");
		if (i % 8 == 0)
			http_expect("GET /hello HTTP/1.1\r\n" CLOSE "\r\n",
			            "HTTP/1.1 200", "hello");
	}
	for (int i = 0; i < MANY; i++)
		close(fd[i]);
}

START_TEST(silent_connections_give_way_to_others)
{
	http_serve(crowd);
}
END_TEST

/* A connection whose request waits for its reply does not count as silent. */
static void waiting_one(void)
{
	enum { MANY = 2 * HTTP_FEW };
	const int fd = http_wait("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
	int other[MANY];
	struct text t;

	for (int i = 0; i < MANY; i++)
		other[i] = http_dial();
	http_expect("GET /wake HTTP/1.1\r\n" CLOSE "\r\n", "HTTP/1.1 200",
	            NULL);
	t = http_get(fd, "hello");
	ck_assert(http_starts(&t, "HTTP/1.1 200"));
	text_fini(&t);
	close(fd);
	for (int i = 0; i < MANY; i++)
		close(other[i]);
}

START_TEST(a_connection_that_waits_for_us_stays)
{
	http_serve(waiting_one);
}
END_TEST

TCase *tcase_http_patience(void)
{
	TCase *t = tcase_create("http_patience");

	tcase_add_checked_fixture(t, http_setup_hasty, http_teardown);
	tcase_add_test(t, the_least_rate_grows_with_the_length);
	tcase_add_test(t, a_body_in_chunks_has_the_time_of_any);
	tcase_add_test(t, a_live_reply_may_be_read_at_any_rate);
	tcase_add_test(t, a_dawdling_client_is_told_and_cut);
	tcase_add_test(t, a_reply_that_nobody_reads_is_let_go);
	tcase_add_test(t, a_live_reply_that_nobody_reads_is_let_go);
	tcase_add_test(t, silent_connections_give_way_to_others);
	tcase_add_test(t, a_connection_that_waits_for_us_stays);
	return t;
}
