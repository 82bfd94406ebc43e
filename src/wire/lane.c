/* lane.c - see lane.h. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/size.h"
#include "wire/call_wire.h"
#include "wire/lane.h"

/* What both programs must agree on, since messages are plain structs. */
struct hello {
	char version[32];
	uint64_t sizes[4];
	int32_t device;
};

static struct hello hello_of(int device)
{
	struct hello h = {
		.version = VERSION, .device = device,
		.sizes = { sizeof(struct wire_call), sizeof(struct done),
		           sizeof(struct ready), sizeof(struct control) },
	};

	return h;
}

static int fail(struct err *e, const char *what)
{
	return err_set(e, ERR_DEVICE, "%s: %s", what, strerror(errno));
}

/* Returns the length of an abstract address, whose first byte is 0. */
static socklen_t address_of(struct sockaddr_un *a, const char *name)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "%s", name);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	                   strlen(a->sun_path + 1));
}

static bool is_own(int socket)
{
	struct ucred peer;
	socklen_t n = sizeof peer;

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 &&
	       peer.uid == geteuid();
}

int lane_listen(char name[LANE_NAME], struct err *e)
{
	const int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	uint64_t random[2];
	struct sockaddr_un a;

	io_random(random, sizeof random);
	snprintf(name, LANE_NAME, "linalgd-%016" PRIx64 "%016" PRIx64,
	         random[0], random[1]);
	if (s >= 0 &&
	    bind(s, (struct sockaddr *)&a, address_of(&a, name)) == 0 &&
	    listen(s, 4) == 0)
		return s;
	fail(e, "a socket for linalgd-mpi");
	if (s >= 0)
		close(s);
	return -1;
}

int lane_give(int listener, const struct lane *l, struct err *e)
{
	const int s = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	const int fds[] = { l->socket, l->slab, l->control };
	const struct hello h = hello_of(l->device);
	int rc;

	if (s < 0)
		return fail(e, "accepting linalgd-mpi");
	rc = is_own(s) ? io_send(s, &h, sizeof h, fds, COUNT(fds), e) :
	     err_set(e, ERR_DEVICE, "a process of another user has connected "
	             "in place of linalgd-mpi");
	close(s);
	return rc;
}

/* Checks what was received, of n bytes with so many descriptors. */
static int check(const struct hello *h, ssize_t n, int n_fds, struct err *e)
{
	const struct hello mine = hello_of(h->device);

	if (n == 0)
		return err_set(e, ERR_DEVICE, "linalgd did not answer");
	if (n == sizeof *h && n_fds == 3 &&
	    memcmp(h->version, mine.version, sizeof mine.version) == 0 &&
	    memcmp(h->sizes, mine.sizes, sizeof mine.sizes) == 0)
		return 0;
	return err_set(e, ERR_DEVICE, "linalgd and linalgd-mpi must be of the "
	               "same build; this linalgd-mpi is " VERSION);
}

static int receive(int s, struct lane *l, struct err *e)
{
	struct hello h = { .device = 0 };
	int fds[IO_FDS], n_fds = 0;
	const ssize_t n = io_receive(s, &h, sizeof h, fds, &n_fds);

	if (n < 0 && errno != EMSGSIZE)
		return fail(e, "receiving from linalgd");
	if (check(&h, n, n_fds, e)) {
		while (n_fds > 0)
			close(fds[--n_fds]);
		return -1;
	}
	*l = (struct lane){ h.device, fds[0], fds[1], fds[2] };
	return 0;
}

int lane_take(const char *name, struct lane *l, struct err *e)
{
	const int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un a;
	int rc;

	if (s < 0)
		return fail(e, "socket");
	if (connect(s, (struct sockaddr *)&a, address_of(&a, name)))
		rc = err_set(e, ERR_DEVICE, "there is no linalgd at %.60s on "
		             "this host: %s; linalgd serve --mpi starts "
		             "linalgd-mpi, whose first process must run on "
		             "its host", name, strerror(errno));
	else
		rc = is_own(s) ? receive(s, l, e) :
		     err_set(e, ERR_DEVICE, "%.60s is a process of another "
		             "user", name);
	close(s);
	return rc;
}
