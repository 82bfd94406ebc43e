/* lane.c - a process that mpirun has started gets the front's socket. */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "tests/test.h"
#include "wire/lane.h"

struct ends {
	struct lane given, taken;
	char name[LANE_NAME];
	int listener, far;		/* far: the front's end */
	struct err e;
};

static int wait_for(pid_t pid)
{
	int status = -1;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void open_ends(struct ends *x)
{
	int pair[2];

	*x = (struct ends){ .given.device = 7 };
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	x->far = pair[0];
	x->given.socket = pair[1];
	x->given.slab = dup(pair[1]);
	x->given.control = dup(pair[1]);
	x->listener = lane_listen(x->name, &x->e);
	ck_ok(x->listener < 0 ? -1 : 0, &x->e);
}

static void close_ends(struct ends *x)
{
	close(x->listener);
	close(x->far);
	close(x->given.socket);
	close(x->given.slab);
	close(x->given.control);
}

/* Takes the lane in a process of its own, which sends a message to the front
 * and ends with 0 if that succeeded. */
static pid_t take_elsewhere(struct ends *x)
{
	const pid_t pid = fork();
	struct lane l;

	if (pid)
		return pid;
	if (lane_take(x->name, &l, &x->e))
		_exit(1);
	_exit(l.device != 7 || l.slab == l.control ||
	      io_send(l.socket, "here", 4, NULL, 0, &x->e));
}

START_TEST(it_gets_the_descriptors_and_the_device)
{
	struct ends x;
	char text[8] = "";
	pid_t pid;

	open_ends(&x);
	pid = take_elsewhere(&x);
	ck_ok(lane_give(x.listener, &x.given, &x.e), &x.e);
	ck_assert_int_eq(recv(x.far, text, sizeof text, 0), 4);
	ck_assert_str_eq(text, "here");
	ck_assert_int_eq(wait_for(pid), 0);
	close_ends(&x);
}
END_TEST

START_TEST(a_name_that_nobody_listens_to_is_told)
{
	struct err e = { 0 };
	struct lane l;

	ck_refused(lane_take("linalgd-nobody", &l, &e), &e, ERR_DEVICE);
	ck_assert_msg(strstr(e.text, "linalgd-nobody") != NULL, "%s", e.text);
}
END_TEST

/* Sends n bytes, in place of what lane_give() sends. */
static pid_t give_wrongly(int listener, size_t n)
{
	static const char bytes[256];
	const pid_t pid = fork();
	struct err e = { 0 };

	if (pid)
		return pid;
	_exit(io_send(accept(listener, NULL, NULL), bytes, n, &listener, 1,
	              &e) != 0);
}

START_TEST(another_build_is_refused)
{
	struct ends x;
	pid_t pid;

	open_ends(&x);
	for (size_t n = 1; n < 200; n += 9) {
		x.e = (struct err){ 0 };
		pid = give_wrongly(x.listener, n);
		ck_refused(lane_take(x.name, &x.taken, &x.e), &x.e,
		           ERR_DEVICE);
		ck_assert_int_eq(wait_for(pid), 0);
	}
	ck_assert_msg(strstr(x.e.text, "same build") != NULL, "%s", x.e.text);
	close_ends(&x);
}
END_TEST

TCase *tcase_lane(void)
{
	TCase *c = tcase_create("lane");

	tcase_add_test(c, it_gets_the_descriptors_and_the_device);
	tcase_add_test(c, a_name_that_nobody_listens_to_is_told);
	tcase_add_test(c, another_build_is_refused);
	return c;
}
