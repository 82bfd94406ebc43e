/* listeners.c - checks of http/listeners.h, the listening sockets that the loop
 * watches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/listeners.h"
#include "tests/test.h"

static const char template[] = "/tmp/linalgd-listeners-XXXXXX";
static char directory[sizeof template];
static char path[64], place[80];
static struct loop *loop;
static struct listeners all;
static struct timer timer;
static struct rlimit before;
static int accepted, turns;

static void on_connection(void *arg, int fd, const struct sockaddr *from,
                          socklen_t length)
{
	(void)arg;
	(void)length;
	ck_assert_int_eq(from->sa_family, AF_UNIX);
	accepted++;
	close(fd);
	loop_stop(loop);
}

static void setup(void)
{
	struct err e = { 0 };

	accepted = turns = 0;
	memcpy(directory, template, sizeof template);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/socket", directory);
	snprintf(place, sizeof place, "unix:%s", path);
	loop = loop_new(&e);
	ck_assert_ptr_nonnull(loop);
	all = (struct listeners){ .loop = loop, .add = on_connection };
	ck_assert_msg(!listeners_open(&all, place, &e), "%s", e.text);
}

static void teardown(void)
{
	listeners_close(&all);
	loop_free(loop);
	unlink(path);
	rmdir(directory);
}

static int connect_to_it(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	return fd;
}

START_TEST(a_connection_is_handed_on)
{
	struct err e = { 0 };
	const int fd = connect_to_it();

	ck_assert_int_eq(loop_run(loop, &e), 0);
	ck_assert_int_eq(accepted, 1);
	close(fd);
}
END_TEST

static void allow_descriptors(void *arg)
{
	(void)arg;
	ck_assert_int_eq(accepted, 0);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* Lets the process open no further descriptor. */
static void forbid_descriptors(void)
{
	const int next = dup(0);
	struct rlimit none;

	close(next);
	getrlimit(RLIMIT_NOFILE, &before);
	none = (struct rlimit){ (rlim_t)next, before.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
}

static int64_t count_turn(void *arg)
{
	(void)arg;
	turns++;
	return INT64_MAX;
}

/* While no descriptor is free, the loop sleeps, although the listening socket
 * stays readable. */
START_TEST(a_connection_waits_until_a_descriptor_is_free)
{
	struct err e = { 0 };
	const int fd = connect_to_it();

	ck_assert_int_eq(loop_prepare(loop, count_turn, NULL, &e), 0);
	forbid_descriptors();
	loop_timer_set(loop, &timer, clock_ns() + 50000000,
	               allow_descriptors, NULL);
	ck_assert_int_eq(loop_run(loop, &e), 0);
	ck_assert_int_eq(accepted, 1);
	ck_assert_int_lt(turns, 20);
	close(fd);
}
END_TEST

START_TEST(there_may_be_so_many_places_and_no_more)
{
	char many[1024] = "";
	struct listeners l = { .loop = loop, .add = on_connection };
	struct err e = { 0 };

	for (int i = 0; i <= LISTENERS_MOST; i++)
		snprintf(many + strlen(many), sizeof many - strlen(many),
		         "%s127.0.0.1:0", i ? "," : "");
	ck_assert_int_eq(listeners_open(&l, many, &e), -1);
	ck_assert_int_eq(e.code, ERR_REQUEST);
	ck_assert_int_eq(l.n, LISTENERS_MOST);
	listeners_close(&l);
	ck_assert_int_eq(l.n, 0);
}
END_TEST

TCase *tcase_http_listeners(void)
{
	TCase *t = tcase_create("http_listeners");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_connection_is_handed_on);
	tcase_add_test(t, a_connection_waits_until_a_descriptor_is_free);
	tcase_add_test(t, there_may_be_so_many_places_and_no_more);
	return t;
}
