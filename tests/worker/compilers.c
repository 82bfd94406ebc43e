/* compilers.c - tests that a worker does not wait for a compiler process that
 * does not end. */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/test.h"
#include "worker/compilers.h"

#define SECOND INT64_C(1000000000)

static struct compilers c;
static int pair[2];

/* Makes a process of the first of the compilers, which closes its socket after
 * it has sent so many bytes, and then ends or, without `ends`, stays. */
static pid_t start(size_t bytes, bool ends)
{
	pid_t pid;

	c = (struct compilers){ 0 };
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0,
	                            pair), 0);
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		if (bytes)
			send(pair[1], "nonsense", bytes, 0);
		else
			close(pair[1]);
		while (!ends)
			pause();
		_exit(0);
	}
	ck_assert_int_gt(pid, 0);
	close(pair[1]);
	c.one[0] = (struct compiler){ .pid = pid, .socket = pair[0] };
	return pid;
}

/* Hears from it until it is gone, and asserts that this is soon and that no
 * process is left. */
static void gone(pid_t pid)
{
	const int64_t begun = clock_ns();

	while (c.one[0].pid && clock_ns() < begun + 10 * SECOND)
		compilers_hear(&c);
	ck_assert_int_eq(c.one[0].pid, 0);
	ck_assert_int_lt(clock_ns() - begun, 5 * SECOND);
	ck_assert_int_eq(waitpid(pid, NULL, WNOHANG), -1);
}

START_TEST(one_that_ends_is_collected)
{
	gone(start(0, true));
}
END_TEST

START_TEST(one_that_stays_without_its_socket_is_killed)
{
	gone(start(0, false));
}
END_TEST

START_TEST(one_that_writes_nonsense_is_killed)
{
	gone(start(3, false));
}
END_TEST

TCase *tcase_compilers(void)
{
	TCase *t = tcase_create("compilers");

	tcase_add_test(t, one_that_ends_is_collected);
	tcase_add_test(t, one_that_stays_without_its_socket_is_killed);
	tcase_add_test(t, one_that_writes_nonsense_is_killed);
	return t;
}
