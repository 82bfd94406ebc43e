/* notify.c - see notify.h. */
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/notify.h"

enum { LISTEN_MOST = 64 };		/* most sockets from systemd */

void notify_send(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t n;
	int fd;

	if (!path || (path[0] != '/' && path[0] != '@'))
		return;
	n = strlen(path);
	if (n >= sizeof to.sun_path)
		return;
	memcpy(to.sun_path, path, n);
	if (path[0] == '@')
		to.sun_path[0] = 0;		/* the abstract namespace */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* A service manager that does not read must not block the service. */
	sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
	       (const struct sockaddr *)&to,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
	close(fd);
}

/* Returns whether systemd meant the variables for this process. */
static int is_ours(const char *pid)
{
	const char *text = getenv(pid);

	return text && strtol(text, NULL, 10) == (long)getpid();
}

int64_t notify_watchdog_ns(void)
{
	const char *us = getenv("WATCHDOG_USEC");

	if (!us || (getenv("WATCHDOG_PID") && !is_ours("WATCHDOG_PID")))
		return 0;
	return strtoll(us, NULL, 10) * 1000 / 2;
}

int notify_listen_fds(void)
{
	const char *text = getenv("LISTEN_FDS");
	const long n = text ? strtol(text, NULL, 10) : 0;

	if (n < 1 || n > LISTEN_MOST || !is_ours("LISTEN_PID"))
		return 0;
	for (int i = 0; i < (int)n; i++)
		if (fcntl(NOTIFY_LISTEN_FIRST + i, F_SETFD, FD_CLOEXEC))
			return 0;
	return (int)n;
}
