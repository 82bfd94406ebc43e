/* io.c - see io.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"

int io_write_all(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n > 0) {
		ssize_t wrote = write(fd, p, n);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -1;
		p += wrote;
		n -= (size_t)wrote;
	}
	return 0;
}

int io_read_all(int fd, void *bytes, size_t n)
{
	char *p = bytes;

	while (n > 0) {
		ssize_t got = read(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		p += got;
		n -= (size_t)got;
	}
	return 0;
}

int io_nonblocking(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -1;
	return fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK
	                             : flags & ~O_NONBLOCK);
}

union rights {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(IO_FDS * sizeof(int))];
};

int io_send(int socket, const void *bytes, size_t n, const int *fds,
            int n_fds, struct err *e)
{
	union rights r = { 0 };
	struct iovec v = { (void *)bytes, n };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
	const size_t fd_bytes = (size_t)n_fds * sizeof *fds;
	struct cmsghdr *c;
	ssize_t sent;

	if (n_fds > IO_FDS)
		return err_set(e, ERR_INTERNAL, "%d descriptors in a message, "
		               "at most %d fit", n_fds, IO_FDS);
	if (n_fds > 0) {
		m.msg_control = r.bytes;
		m.msg_controllen = CMSG_SPACE(fd_bytes);
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(fd_bytes);
		memcpy(CMSG_DATA(c), fds, fd_bytes);
	}
	do
		sent = sendmsg(socket, &m, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	if (sent != (ssize_t)n)
		return err_set(e, ERR_DEVICE, "message of %zu bytes to the "
		               "other process: %s", n, strerror(errno));
	return 0;
}

ssize_t io_receive(int socket, void *bytes, size_t room, int fds[IO_FDS],
                   int *n_fds)
{
	union rights r = { 0 };
	struct iovec v = { bytes, room };
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1,
		.msg_control = r.bytes, .msg_controllen = sizeof r.bytes,
	};
	struct cmsghdr *c;
	ssize_t got;

	*n_fds = 0;
	do
		got = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return got;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
		*n_fds = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof *fds);
		memcpy(fds, CMSG_DATA(c), (size_t)*n_fds * sizeof *fds);
	}
	if (!(m.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return got;
	while (*n_fds > 0)
		close(fds[--*n_fds]);
	errno = EMSGSIZE;
	return -1;
}

static void read_random(char *p, size_t n)
{
	while (n > 0) {
		ssize_t got = getrandom(p, n, 0);

		if (got > 0) {
			p += got;
			n -= (size_t)got;
		}
	}
}

/* Keeps random bytes in stock, so that only one of many names costs a system
 * call. */
void io_random(void *bytes, size_t n)
{
	static _Thread_local char kept[512];
	static _Thread_local size_t left;

	if (n > sizeof kept) {
		read_random(bytes, n);
		return;
	}
	if (n > left) {
		read_random(kept, sizeof kept);
		left = sizeof kept;
	}
	left -= n;
	memcpy(bytes, kept + left, n);
}
