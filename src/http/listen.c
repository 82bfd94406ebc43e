/* listen.c - see listen.h. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "http/address.h"
#include "http/listen.h"
#include "http/listen_unix.h"

enum {
	BACKLOG = 4096,
	RECEIVE_BYTES = 2 << 20,
	CONNECTIONS_MOST = 8192,
	DESCRIPTORS_KEPT = 512,	/* for matrices, workers, files */
};

/* Sets a fixed size of the connections' receive buffers, which the kernel
 * doubles. By default the kernel starts with small buffers and grows them
 * beyond the size of the caches. The default is kept if the system's limit is
 * less than the wanted size, which a probe socket finds out. */
static void widen(int listening)
{
	const int wanted = RECEIVE_BYTES;
	const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof wanted;
	int got = 0;

	if (probe < 0)
		return;
	setsockopt(probe, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
	if (getsockopt(probe, SOL_SOCKET, SO_RCVBUF, &got, &size) == 0 &&
	    got >= 2 * wanted)
		setsockopt(listening, SOL_SOCKET, SO_RCVBUF, &wanted,
		           sizeof wanted);
	close(probe);
}

/* Takes "fd:3", a socket from systemd's socket activation. */
static int inherited(const char *where, struct err *e)
{
	char *end;
	const long fd = strtol(where + 3, &end, 10);
	int listening = 0;
	socklen_t size = sizeof listening;

	if (end == where + 3 || *end || fd < 0 || fd > INT16_MAX ||
	    getsockopt((int)fd, SOL_SOCKET, SO_ACCEPTCONN, &listening,
	               &size) || !listening)
		return err_set(e, ERR_REQUEST, "%s is no listening socket",
		               where);
	widen((int)fd);
	return (int)fd;
}

static int bind_to(const struct addrinfo *a)
{
	const int yes = 1;
	const int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC,
	                      a->ai_protocol);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (a->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
	widen(fd);
	if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool is_port(const char *s)
{
	const size_t n = strspn(s, "0123456789");

	return n > 0 && n < 6 && !s[n] && atoi(s) <= UINT16_MAX;
}

/* Splits in place: "[::1]:8080" into "::1" and "8080". */
static int split(char *where, char **host, char **port)
{
	char *colon = strrchr(where, ':');

	if (!colon)
		return -1;
	*colon = 0;
	*host = where;
	*port = colon + 1;
	if (*where == '[' && colon > where && colon[-1] == ']') {
		colon[-1] = 0;
		*host = where + 1;
	}
	return is_port(*port) ? 0 : -1;
}

static int bind_first(const struct addrinfo *list, const char *where,
                      struct err *e)
{
	int fd = -1;

	for (; list && fd < 0; list = list->ai_next)
		fd = bind_to(list);
	if (fd < 0)
		err_set(e, ERR_REQUEST, "listening on %s: %s", where,
		        strerror(errno));
	return fd;
}

static int open_address(const char *where, struct err *e)
{
	const struct addrinfo hints = {
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	};
	struct addrinfo *list;
	char copy[256], *host, *port;
	int fd, rc;

	snprintf(copy, sizeof copy, "%s", where);
	if (split(copy, &host, &port))
		return err_set(e, ERR_PARAMETER, "--listen %.100s: must be "
		               "ADDRESS:PORT, the port from 0 to 65535", where);
	rc = getaddrinfo(*host ? host : NULL, port, &hints, &list);
	if (rc)
		return err_set(e, ERR_REQUEST, "%.100s: %s", where,
		               gai_strerror(rc));
	fd = bind_first(list, where, e);
	freeaddrinfo(list);
	return fd;
}

int listen_open(const char *where, struct err *e)
{
	const size_t n = strlen(LISTEN_UNIX);
	const int fd = strncmp(where, "fd:", 3) == 0 ? inherited(where, e) :
	               strncmp(where, LISTEN_UNIX, n) == 0 ?
	               listen_unix_open(where + n, e) : open_address(where, e);

	if (fd >= 0 && io_nonblocking(fd, true))
		return err_set(e, ERR_INTERNAL, "%.100s: %s", where,
		               strerror(errno));
	return fd;
}

int listen_port(int fd)
{
	struct sockaddr_storage a;
	socklen_t size = sizeof a;

	if (getsockname(fd, (struct sockaddr *)&a, &size))
		return -1;
	if (a.ss_family == AF_INET)
		return ntohs(((struct sockaddr_in *)&a)->sin_port);
	if (a.ss_family == AF_INET6)
		return ntohs(((struct sockaddr_in6 *)&a)->sin6_port);
	return -1;
}

bool listen_is_loopback(int fd)
{
	struct sockaddr_storage a = { 0 };
	socklen_t size = sizeof a;

	return getsockname(fd, (struct sockaddr *)&a, &size) == 0 &&
	       address_is_loopback(&a);
}

unsigned listen_connections(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur == RLIM_INFINITY)
		return CONNECTIONS_MOST;
	if (r.rlim_cur <= 2 * DESCRIPTORS_KEPT)
		return (unsigned)size_max(r.rlim_cur / 2, 1);
	return (unsigned)size_min(r.rlim_cur - DESCRIPTORS_KEPT,
	                          CONNECTIONS_MOST);
}
