/* listen_unix.c - see listen_unix.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "http/listen_unix.h"

enum { BACKLOG = 4096, PERMISSIONS = 0660 };

static struct sockaddr_un address_of(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	return a;
}

static int new_socket(int type)
{
	return socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
}

/* Returns whether the file is a socket that refuses connections, because the
 * process that listened on it has ended. */
static bool is_stale(const char *path)
{
	const struct sockaddr_un a = address_of(path);
	struct stat s;
	int fd;
	bool refused;

	if (lstat(path, &s) || !S_ISSOCK(s.st_mode))
		return false;
	fd = new_socket(SOCK_STREAM);
	if (fd < 0)
		return false;
	refused = connect(fd, (const struct sockaddr *)&a, sizeof a) &&
	          errno == ECONNREFUSED;
	close(fd);
	return refused;
}

void listen_unix_remove(const char *path)
{
	if (is_stale(path))
		unlink(path);
}

/* Linux gives the socket's file the permissions that the descriptor has when it
 * is bound, less the umask. They are therefore set before bind(), so that at no
 * time another user can connect. */
static int bind_and_listen(int fd, const char *path)
{
	const struct sockaddr_un a = address_of(path);

	if (fchmod(fd, PERMISSIONS) ||
	    bind(fd, (const struct sockaddr *)&a, sizeof a))
		return -1;
	if (chmod(path, PERMISSIONS) == 0 && listen(fd, BACKLOG) == 0)
		return 0;
	unlink(path);
	return -1;
}

static int open_socket(const char *path, int type, struct err *e)
{
	const size_t most = sizeof ((struct sockaddr_un *)0)->sun_path - 1;
	int fd;

	if (!*path || strlen(path) > most)
		return err_set(e, ERR_REQUEST, "listening on unix:%.120s: a "
		               "path must have 1 to %zu bytes", path, most);
	listen_unix_remove(path);
	fd = new_socket(type);
	if (fd >= 0 && bind_and_listen(fd, path) == 0)
		return fd;
	err_set(e, ERR_REQUEST, "listening on unix:%s: %s", path,
	        strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int listen_unix_open(const char *path, struct err *e)
{
	return open_socket(path, SOCK_STREAM, e);
}

int listen_unix_packets(const char *path, struct err *e)
{
	return open_socket(path, SOCK_SEQPACKET, e);
}
